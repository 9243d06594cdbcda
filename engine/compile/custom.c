// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Custom fields and user data.

#include <stdlib.h>

#include "compile/compile.h"

static int compileNumeric(mjiCompile* c, mjiElem* e) {
  const mjiVec* data = e->as.numeric.data;
  if (e->as.numeric.size < 0 || e->as.numeric.size > MJI_MAXSIZE) {
    return mji_compile_error(c, e, "size must be between 0 and %d", MJI_MAXSIZE);
  }
  if (e->as.numeric.size && e->as.numeric.size < data->num) {
    return mji_compile_error(c, e, "size is %d, which is less than the numbers given", e->as.numeric.size);
  }
  if (!e->as.numeric.size) e->as.numeric.size = data->num;
  return e->as.numeric.size ? 0 : mji_compile_error(c, e, "there is no data");
}

static int compileText(mjiCompile* c, mjiElem* e) {
  return *mjs_getString(e->as.text.data) ? 0 : mji_compile_error(c, e, "there is no text");
}

static int compileTuple(mjiCompile* c, mjiElem* e) {
  const mjiVec* types = e->as.tuple.objtype;
  const mjiVec* names = e->as.tuple.objname;
  const mjiVec* prm = e->as.tuple.objprm;
  if (!names->num) return mji_compile_error(c, e, "the tuple is empty");
  if (types->num != names->num || prm->num != names->num) {
    return mji_compile_error(c, e, "types, names and parameters differ in number");
  }
  for (int i = 0; i < names->num; i++) {
    const char* name = mji_vec_textAt(names, i);
    if (mji_names_find(c, ((const int*)types->data)[i], name) < 0) {
      return mji_compile_error(c, e, "there is no object named '%.200s' of the type given", name);
    }
  }
  return 0;
}

int mji_custom_compile(mjiCompile* c) {
  static const struct {
    mjtObj type;
    int (*compile)(mjiCompile*, mjiElem*);
  } kinds[] = {{mjOBJ_NUMERIC, compileNumeric}, {mjOBJ_TEXT, compileText}, {mjOBJ_TUPLE, compileTuple}};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    for (int i = 0; i < mji_count(c, kinds[k].type); i++) {
      if (kinds[k].compile(c, mji_get(c, kinds[k].type, i))) return -1;
    }
  }

  mjSpec* s = &c->w->pub;
  if (s->option.integrator < mjINT_EULER || s->option.integrator > mjINT_IMPLICITFAST) {
    return mji_compile_error(c, NULL, "option: there is no integrator %d", s->option.integrator);
  }
  if (s->option.solver < mjSOL_PGS || s->option.solver > mjSOL_NEWTON) {
    return mji_compile_error(c, NULL, "option: there is no solver %d", s->option.solver);
  }
  if (s->nuserdata < 0 || s->nuserdata > MJI_MAXSIZE || s->nkey > MJI_MAXSIZE) {
    return mji_compile_error(c, NULL, "size: nuserdata and nkey must be between 0 and %d", MJI_MAXSIZE);
  }
  if (s->njmax > MJI_MAXSIZE || s->nconmax > MJI_MAXSIZE || abs(s->nemax) > MJI_MAXSIZE) {
    return mji_compile_error(c, NULL, "size: njmax, nconmax and nemax can be at most %d", MJI_MAXSIZE);
  }
  if (s->memory > MJI_MAXARENA || s->nstack > MJI_MAXARENA / (mjtSize)sizeof(mjtNum)) {
    return mji_compile_error(c, NULL, "size: memory can be at most %lld bytes", (long long)MJI_MAXARENA);
  }
  return 0;
}

// ---- user data: as many numbers for each element as the longest list has, unless the size is given

static int sizeUser(mjiCompile* c, mjtObj type, int* size) {
  int longest = 0;
  if (*size < -1 || *size > MJI_MAXSIZE) {
    return mji_compile_error(c, NULL, "size: nuser_%s must be -1 to %d", mji_elem_typeName(type), MJI_MAXSIZE);
  }
  for (int i = 0; i < mji_count(c, type); i++) {
    const mjiElem* e = mji_get(c, type, i);
    int n = mji_elem_user(e)->num;
    if (n > longest) longest = n;
    if (*size >= 0 && n > *size) {
      return mji_compile_error(c, e, "%d user values are more than nuser_%s, which is %d", n, mji_elem_typeName(type),
                               *size);
    }
  }
  if (*size < 0) *size = longest;
  return 0;
}

// Count user data before elements are fused or discarded, as the reference does.
int mji_custom_users(mjiCompile* c) {
  mjSpec* s = &c->w->pub;
  return sizeUser(c, mjOBJ_BODY, &s->nuser_body) || sizeUser(c, mjOBJ_JOINT, &s->nuser_jnt) ||
                 sizeUser(c, mjOBJ_GEOM, &s->nuser_geom) || sizeUser(c, mjOBJ_SITE, &s->nuser_site) ||
                 sizeUser(c, mjOBJ_CAMERA, &s->nuser_cam) || sizeUser(c, mjOBJ_TENDON, &s->nuser_tendon) ||
                 sizeUser(c, mjOBJ_ACTUATOR, &s->nuser_actuator) || sizeUser(c, mjOBJ_SENSOR, &s->nuser_sensor)
             ? -1
             : 0;
}
