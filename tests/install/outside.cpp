// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A C++ program of a user: texts of a specification convert from and to std::string.

#include <cstdio>
#include <string>

#include <mujoco/mujoco.h>

// containers are types of their own: this would not compile if all were void
static const char* typeOf(const mjString*) { return "text"; }
static const char* typeOf(const mjStringVec*) { return "texts"; }
static const char* typeOf(const mjDoubleVec*) { return "numbers"; }

int main() {
  mjSpec* spec = mj_makeSpec();
  *spec->modelname = "arm";
  const std::string name = *spec->modelname;

  mjsBody* body = mjs_addBody(mjs_findBody(spec, "world"), nullptr);
  mjs_setName(body->element, "link");
  mjsGeom* geom = mjs_addGeom(body, nullptr);
  geom->size[0] = 0.1;
  const std::string material = "steel";
  *geom->material = material;
  mjs_setName(mjs_addMaterial(spec, nullptr)->element, mjs_getString(geom->material));

  mjsSkin* skin = mjs_addSkin(spec);
  skin->bodyname->push_back("link");
  const int nbody = static_cast<int>(skin->bodyname->size());
  const std::string first = (*skin->bodyname)[0];
  const char* kind = typeOf(skin->bodyname);
  mjs_delete(spec, skin->element);

  mjModel* model = mj_compile(spec, nullptr);
  bool good = model && name == "arm" && model->geom_matid[0] == 0 && nbody == 1 && first == "link";
  good = good && std::string(model->names) == "arm" && *typeOf(geom->material) == 't' && *typeOf(body->userdata) == 'n';
  std::printf("model %s of %d bodies, %s: %s\n", name.c_str(), model ? static_cast<int>(model->nbody) : 0,
              kind, good ? "as expected" : mjs_getError(spec));
  mj_deleteModel(model);
  mj_deleteSpec(spec);
  return !good;
}
