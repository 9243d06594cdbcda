// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Penetration by libccd's MPR, for models that turn the native GJK and EPA off. It allocates
// nothing.

#include <ccd/ccd.h>

#include "collide/convex.h"
#include "collide/vec3.h"

#ifndef CCD_DOUBLE
#error "libccd must be built with double precision"
#endif

// ---- support: equal to the reference's in every bit, because the last bit decides the portal of a flat shape

static mjtNum sign(mjtNum x) { return (x > 0) - (x < 0); }

// outermost point of a primitive in a direction of unit length, both in its frame
static void outermost(mjtNum p[3], int type, const mjtNum* size, const mjtNum dir[3]) {
  mjtNum radial = __builtin_sqrt(dir[0] * dir[0] + dir[1] * dir[1]);
  switch (type) {
    case mjGEOM_SPHERE: scale3(p, dir, size[0]); break;
    case mjGEOM_CAPSULE:
      scale3(p, dir, size[0]);
      p[2] += sign(dir[2]) * size[1];
      break;
    case mjGEOM_ELLIPSOID:
      for (int k = 0; k < 3; k++) p[k] = dir[k] * size[k];
      normalize3(p);
      for (int k = 0; k < 3; k++) p[k] *= size[k];
      break;
    case mjGEOM_CYLINDER:
      set3(p, 0, 0, sign(dir[2]) * size[1]);
      for (int k = 0; k < 2 && radial > mjMINVAL; k++) p[k] = dir[k] / radial * size[0];
      break;
    default:
      for (int k = 0; k < 3; k++) p[k] = sign(dir[k]) * size[k];
  }
}

static void support(const void* object, const ccd_vec3_t* dir, ccd_vec3_t* point) {
  mjiConvex* c = (mjiConvex*)object;
  mjtNum along[3] = {dir->v[0], dir->v[1], dir->v[2]}, local[3], p[3], q[3];
  if (!c->shape || c->shape->type == mjGEOM_MESH || c->shape->type == mjGEOM_SDF) {
    c->support(q, c, along);
  } else {
    rotateBack3(local, c->shape->mat, along);
    outermost(p, c->shape->type, c->shape->size, local);
    rotate3(q, c->shape->mat, p);
    add3(q, q, c->shape->pos);
    if (c->inflate > 0) addScaled3(q, q, along, c->inflate);
  }
  for (int k = 0; k < 3; k++) point->v[k] = q[k];
}

static void center(const void* object, ccd_vec3_t* point) {
  for (int k = 0; k < 3; k++) point->v[k] = ((const mjiConvex*)object)->center[k];
}

// ---- normals of curved surfaces

// Normal where an ellipsoid is nearest to p: n = p / (s^2 + t), with the largest t that puts the
// point s^2 n on the surface, sum (s p / (s^2 + t))^2 = 1. Newton from the left: the sum is convex
// there.
static int ellipsoidNormal(mjtNum n[3], const mjtNum size[3], const mjtNum p[3]) {
  mjtNum least = size[0], t = -mjMAXVAL;
  for (int k = 0; k < 3; k++) {
    least = size[k] < least ? size[k] : least;
    mjtNum alone = size[k] * (fabs(p[k]) - size[k]);
    t = alone > t ? alone : t;
  }
  if (t <= -least * least + mjMINVAL) return 0;  // at the center
  for (int i = 0; i < 50; i++) {
    mjtNum sum = -1, slope = 0;
    for (int k = 0; k < 3; k++) {
      mjtNum d = size[k] * size[k] + t, x = size[k] * p[k] / d;
      sum += x * x;
      slope -= 2 * x * x / d;
    }
    mjtNum step = -sum / slope;
    t += step;
    if (step < 1e-14) break;
  }
  for (int k = 0; k < 3; k++) n[k] = p[k] / (size[k] * size[k] + t);
  return 1;
}

// a point belongs to the curved side of a cylinder if it is away from the rims, and not much closer to an
// end
static int sideOf(const mjtNum* size, const mjtNum p[3]) {
  mjtNum toend = size[1] - fabs(p[2]), toside = size[0] - __builtin_sqrt(p[0] * p[0] + p[1] * p[1]);
  return toend > 0.05 * size[1] && toend > 0.25 * toside;
}

// outward normal of a curved surface near a point, in the frame of the shape; zero if the surface
// is not curved or the point is not at its curved part
static int surfaceNormal(mjtNum n[3], const mjiShape* shape, const mjtNum p[3]) {
  const mjtNum* size = shape->size;
  switch (shape->type) {
    case mjGEOM_SPHERE: copy3(n, p); return 1;
    case mjGEOM_CAPSULE: set3(n, p[0], p[1], p[2] - clip1(p[2], -size[1], size[1])); return 1;
    case mjGEOM_ELLIPSOID: return ellipsoidNormal(n, size, p);
    case mjGEOM_CYLINDER: set3(n, p[0], p[1], 0); return sideOf(size, p);
    default: return 0;
  }
}

// the normal of MPR has errors: where a surface is smooth, take the normal from there
static void fixNormal(mjiHit* hit, const mjiConvex* a, const mjiConvex* b) {
  const mjiConvex* c[2] = {a, b};
  mjtNum sum[3] = {0, 0, 0};
  int found = 0;
  for (int i = 0; i < 2; i++) {
    mjtNum offset[3], local[3], n[3];
    if (!c[i]->shape) continue;
    sub3(offset, hit->pos, c[i]->shape->pos);
    rotateBack3(local, c[i]->shape->mat, offset);
    if (!surfaceNormal(n, c[i]->shape, local)) continue;
    normalize3(n);
    rotate3(local, c[i]->shape->mat, n);
    addScaled3(sum, sum, local, i ? -1 : 1);
    found = 1;
  }
  if (!found) return;
  normalize3(sum);
  copy3(hit->normal, sum);
}

int mji_convex_mpr(mjiHit* hit, const mjModel* m, mjiConvex* a, mjiConvex* b, mjtNum margin) {
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = support;
  ccd.center1 = ccd.center2 = center;
  ccd.max_iterations = (unsigned long)m->opt.ccd_iterations;
  ccd.mpr_tolerance = m->opt.ccd_tolerance;

  ccd_real_t depth;
  ccd_vec3_t dir, pos;
  if (ccdMPRPenetration(a, b, &ccd, &depth, &dir, &pos)) return 0;
  if (ccdVec3Eq(&dir, ccd_vec3_origin)) return 0;  // shapes touch, no direction
  hit->dist = margin - depth;
  set3(hit->normal, dir.v[0], dir.v[1], dir.v[2]);
  normalize3(hit->normal);
  set3(hit->pos, pos.v[0], pos.v[1], pos.v[2]);
  set3(hit->tangent, 0, 0, 0);
  fixNormal(hit, a, b);
  return 1;
}
