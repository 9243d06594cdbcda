// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tendons and their paths.

#include <string.h>

#include "compile/compile.h"

static int canWrap(const mjiElem* geom) {
  return geom->as.geom.type == mjGEOM_SPHERE || geom->as.geom.type == mjGEOM_CYLINDER;
}

// messages about an element of a path name its tendon
static int resolveTarget(mjiCompile* c, const mjiElem* tendon, mjiElem* w) {
  mjtObj type = w->as.wrap.type == mjWRAP_JOINT  ? mjOBJ_JOINT
                : w->as.wrap.type == mjWRAP_SITE ? mjOBJ_SITE
                                                 : mjOBJ_GEOM;
  int id = mji_names_resolve(c, tendon, type, &w->wrap->target);
  if (id < 0) return -1;
  if (type != mjOBJ_GEOM) return 0;

  // the type of the geom decides the type of the wrap
  const mjiElem* geom = mji_get(c, mjOBJ_GEOM, id);
  if (!canWrap(geom)) {
    return mji_compile_error(c, tendon, "geom '%.200s' in the path must be a sphere or a cylinder",
                             mji_vec_text(&w->wrap->target));
  }
  w->as.wrap.type = geom->as.geom.type == mjGEOM_SPHERE ? mjWRAP_SPHERE : mjWRAP_CYLINDER;
  if (!w->wrap->sidesite.num) return 0;
  return mji_names_resolve(c, tendon, mjOBJ_SITE, &w->wrap->sidesite) < 0 ? -1 : 0;
}

static mjtWrap typeAt(const mjiVec* path, int i) {
  return i >= 0 && i < path->num ? mji_elem_at(path, i)->as.wrap.type : mjWRAP_NONE;
}

static int sameTarget(const mjiElem* a, const mjiElem* b) {
  return !strcmp(mji_vec_text(&a->wrap->target), mji_vec_text(&b->wrap->target));
}

static int checkSpatial(mjiCompile* c, const mjiElem* e, const mjiVec* path) {
  if (path->num < 2) {
    return mji_compile_error(c, e, "a spatial path must have at least two elements");
  }
  for (int i = 0; i < path->num; i++) {
    mjtWrap before = typeAt(path, i - 1), after = typeAt(path, i + 1);
    switch (typeAt(path, i)) {
      case mjWRAP_PULLEY:
        if (after == mjWRAP_NONE) return mji_compile_error(c, e, "a path cannot end with a pulley");
        if (after == mjWRAP_PULLEY) {
          return mji_compile_error(c, e, "pulley at position %d of the path is followed by another", i);
        }
        if (mji_elem_at(path, i)->wrap->prm < 0) {
          return mji_compile_error(c, e, "the divisor of a pulley cannot be negative");
        }
        break;
      case mjWRAP_SITE:
        if (after == mjWRAP_SITE && sameTarget(mji_elem_at(path, i), mji_elem_at(path, i + 1))) {
          return mji_compile_error(c, e, "the path goes from a site to the same site");
        }
        if ((before == mjWRAP_NONE || before == mjWRAP_PULLEY) && (after == mjWRAP_NONE || after == mjWRAP_PULLEY)) {
          return mji_compile_error(c, e, "site at position %d of the path has no neighbor", i);
        }
        break;
      case mjWRAP_SPHERE:
      case mjWRAP_CYLINDER:
        if (before != mjWRAP_SITE || after != mjWRAP_SITE) {
          return mji_compile_error(c, e, "geom at position %d of the path must be between sites", i);
        }
        if (e->as.tendon.armature) {
          return mji_compile_error(c, e, "a tendon with armature cannot wrap around geoms");
        }
        break;
      default: return mji_compile_error(c, e, "spatial and fixed path elements cannot be mixed");
    }
  }
  return 0;
}

static int checkFixed(mjiCompile* c, const mjiElem* e, const mjiVec* path) {
  for (int i = 0; i < path->num; i++) {
    if (typeAt(path, i) != mjWRAP_JOINT) {
      return mji_compile_error(c, e, "spatial and fixed path elements cannot be mixed");
    }
  }
  return 0;
}

static int compileTendon(mjiCompile* c, mjiElem* e) {
  mjsTendon* tendon = &e->as.tendon;
  const mjiVec* path = &e->list;
  if (!path->num) return mji_compile_error(c, e, "the path is empty");
  for (int i = 0; i < path->num; i++) {
    mjiElem* w = mji_elem_at(path, i);
    if (w->as.wrap.type != mjWRAP_PULLEY && resolveTarget(c, e, w)) return -1;
  }
  int fixed = typeAt(path, 0) == mjWRAP_JOINT;
  if (fixed ? checkFixed(c, e, path) : checkSpatial(c, e, path)) return -1;

  tendon->limited = mji_limit_resolve(c, e, tendon->limited, tendon->range, "");
  if (tendon->limited < 0) return -1;
  const double* force = tendon->actfrcrange;
  tendon->actfrclimited = mji_limit_resolve(c, e, tendon->actfrclimited, force, "actuatorfrc");
  if (tendon->actfrclimited < 0) return -1;
  if (tendon->actfrclimited && (force[0] > 0 || force[1] < 0)) {
    return mji_compile_error(c, e, "actuatorfrcrange must have zero in it");
  }
  if (tendon->springlength[0] > tendon->springlength[1]) {
    return mji_compile_error(c, e, "springlength: the first number cannot exceed the second");
  }
  if (!fixed && tendon->armature < 0) return mji_compile_error(c, e, "the armature of a spatial tendon is negative");
  if (!fixed && tendon->width <= 0) return mji_compile_error(c, e, "the width must be positive");
  if (*mjs_getString(tendon->material) && mji_names_resolve(c, e, mjOBJ_MATERIAL, tendon->material) < 0) {
    return -1;
  }
  return 0;
}

int mji_tendon_compile(mjiCompile* c) {
  for (int i = 0; i < mji_count(c, mjOBJ_TENDON); i++) {
    if (compileTendon(c, mji_get(c, mjOBJ_TENDON, i))) return -1;
  }
  return 0;
}
