// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sites, cameras, lights, materials.

#include <math.h>

#include "compile/compile.h"

static int checkMaterial(mjiCompile* c, const mjiElem* e, const mjString* name) {
  if (!*mjs_getString(name)) return 0;
  return mji_names_resolve(c, e, mjOBJ_MATERIAL, name) < 0 ? -1 : 0;
}

static int compileSite(mjiCompile* c, mjiElem* e) {
  mjsSite* site = &e->as.site;
  if ((site->type < mjGEOM_SPHERE || site->type > mjGEOM_BOX) && site->type != mjGEOM_SDF) {
    return mji_compile_error(c, e, "a site must be a sphere, capsule, ellipsoid, cylinder or box");
  }
  if (mji_geom_checkSize(c, e, site->type, site->size)) return -1;
  return checkMaterial(c, e, site->material);
}

// a camera with sensor_size gets its field of view from the focal length, in length units
static void useSensor(mjsCamera* cam) {
  for (int i = 0; i < 2; i++) {
    float density = cam->resolution[i] / cam->sensor_size[i];
    int focal = cam->focal_pixel[i] != 0, principal = cam->principal_pixel[i] != 0;
    cam->intrinsic[i] = focal ? cam->focal_pixel[i] / density : cam->focal_length[i];
    cam->intrinsic[2 + i] = principal ? cam->principal_pixel[i] / density : cam->principal_length[i];
  }
  cam->fovy = 2 * atan2f(cam->sensor_size[1], 2 * cam->intrinsic[1]) * 180.0 / mjPI;
}

// is a number given in both ways?
static int isTwice(const float length[2], const float pixel[2]) {
  return (length[0] && pixel[0]) || (length[1] && pixel[1]);
}

static int compileCamera(mjiCompile* c, mjiElem* e) {
  mjsCamera* cam = &e->as.camera;
  if (*mjs_getString(cam->targetbody) && mji_names_resolve(c, e, mjOBJ_BODY, cam->targetbody) < 0) {
    return -1;
  }
  if (cam->resolution[0] < 0 || cam->resolution[1] < 0) {
    return mji_compile_error(c, e, "the resolution cannot be negative");
  }
  if (isTwice(cam->focal_length, cam->focal_pixel)) {
    return mji_compile_error(c, e, "the focal length is given in lengths and in pixels");
  }
  if (isTwice(cam->principal_length, cam->principal_pixel)) {
    return mji_compile_error(c, e, "the principal point is given in lengths and in pixels");
  }
  if (cam->sensor_size[0] > 0 && cam->sensor_size[1] > 0) {
    // the size of a pixel is sensor_size / resolution
    if (!cam->resolution[0] || !cam->resolution[1]) {
      return mji_compile_error(c, e, "a sensor needs a positive resolution");
    }
    useSensor(cam);
  } else {
    if (cam->fovy >= 180) return mji_compile_error(c, e, "fovy must be below 180, not %g", cam->fovy);
    // without a sensor: a pinhole at the near plane
    cam->intrinsic[0] = cam->intrinsic[1] = c->w->pub.visual.map.znear;
  }
  return 0;
}

static int compileLight(mjiCompile* c, mjiElem* e) {
  mjsLight* light = &e->as.light;
  if (!mji_unit(light->dir, 3)) return mji_compile_error(c, e, "the direction is too short");
  if (*mjs_getString(light->targetbody) && mji_names_resolve(c, e, mjOBJ_BODY, light->targetbody) < 0) {
    return -1;
  }
  if (*mjs_getString(light->texture) && mji_names_resolve(c, e, mjOBJ_TEXTURE, light->texture) < 0) {
    return -1;
  }
  return 0;
}

static int findTextures(mjiCompile* c, const mjiElem* e, const mjiVec* textures) {
  for (int i = 0; i < textures->num; i++) {
    const char* name = mji_vec_textAt(textures, i);
    if (*name && mji_names_find(c, mjOBJ_TEXTURE, name) < 0) {
      return mji_compile_error(c, e, "there is no texture named '%.200s'", name);
    }
  }
  return 0;
}

// textures of the class must exist, even where the material has others
static int compileMaterial(mjiCompile* c, mjiElem* e) {
  const mjiElem* values = e->dclass ? mji_class_values(e->dclass, mjOBJ_MATERIAL) : NULL;
  if (values && findTextures(c, e, values->as.material.textures)) return -1;
  return findTextures(c, e, e->as.material.textures);
}

int mji_visual_compile(mjiCompile* c) {
  static const struct {
    mjtObj type;
    int (*compile)(mjiCompile*, mjiElem*);
  } kinds[] = {{mjOBJ_SITE, compileSite},
               {mjOBJ_CAMERA, compileCamera},
               {mjOBJ_LIGHT, compileLight},
               {mjOBJ_MATERIAL, compileMaterial}};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    for (int i = 0; i < mji_count(c, kinds[k].type); i++) {
      if (kinds[k].compile(c, mji_get(c, kinds[k].type, i))) return -1;
    }
  }
  return 0;
}
