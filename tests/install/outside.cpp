// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A C++ program of a user: texts and lists of a specification convert from and to std::string and std::vector.

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include <mujoco/mujoco.h>

// containers are types of their own: this would not compile if all were void
static const char* typeOf(const mjString*) { return "text"; }
static const char* typeOf(const mjStringVec*) { return "texts"; }
static const char* typeOf(const mjDoubleVec*) { return "numbers"; }

static bool textsWork(mjsElement* element) {
  const mjString& name = *mjs_getName(element);
  std::ostringstream out;
  out << name << ' ' << name.size();
  return name == "link" && "link" == name && name != "arm" && !name.empty() && out.str() == "link 4" &&
         "a_" + name + "_z" == std::string("a_link_z");
}

static bool listsWork(mjSpec* spec, mjsBody* body, mjsGeom* geom) {
  *body->userdata = {1, 2.5};
  *geom->userdata = *body->userdata;
  double sum = 0;
  for (double x : *geom->userdata) sum += x;
  const std::vector<double> copied = *geom->userdata;
  *geom->userdata = std::vector<double>();

  // a mesh with four vertices and four faces, which compiles only if all arrive
  mjsMesh* mesh = mjs_addMesh(spec, nullptr);
  mjs_setName(mesh->element, "tetrahedron");
  *mesh->uservert = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  *mesh->userface = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  return sum == 3.5 && copied.size() == 2 && copied[1] == 2.5 && (*body->userdata)[0] == 1 && geom->userdata->empty();
}

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

  const bool works = textsWork(body->element) && listsWork(spec, body, geom);
  mjModel* model = mj_compile(spec, nullptr);
  bool good = works && model && model->nmeshvert == 4 && model->nmeshface == 4 && name == "arm" && model->geom_matid[0] == 0 && nbody == 1 && first == "link";
  good = good && std::string(model->names) == "arm" && *typeOf(geom->material) == 't' && *typeOf(body->userdata) == 'n';
  std::printf("model %s of %d bodies, %s: %s\n", name.c_str(), model ? static_cast<int>(model->nbody) : 0,
              kind, good ? "as expected" : mjs_getError(spec));
  mj_deleteModel(model);
  mj_deleteSpec(spec);
  return !good;
}
