// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A ray of one state, and triangles that it may hit.
#ifndef SHEAF_COLLIDE_RAY_TRIANGLE_H_
#define SHEAF_COLLIDE_RAY_TRIANGLE_H_

#include "collide/ray_normal.h"
#include "collide/vec3.h"

// a ray with two directions across it
typedef struct Ray_ {
  mjtNum p[3], v[3];
  mjtNum across[2][3];
  mjiRayHit* hit;  // the nearest triangle so far, or NULL
} Ray;

// p and v only
static inline Ray bareRay(const mjtNum p[3], const mjtNum v[3]) {
  return (Ray){{p[0], p[1], p[2]}, {v[0], v[1], v[2]}, {{0}}, NULL};
}

// complement of the largest component, then the cross product
static inline void lookAcross(Ray* ray) {
  const mjtNum* v = ray->v;
  mjtNum* b = ray->across[0];
  if (fabs(v[0]) >= fabs(v[1]) && fabs(v[0]) >= fabs(v[2])) set3(b, v[1], -v[0], 0);
  else set3(b, 0, v[2], -v[1]);
  normalize3(b);
  cross3(ray->across[1], v, b);
  normalize3(ray->across[1]);
}

static inline void setRay(Ray* ray, const mjtNum p[3], const mjtNum v[3]) {
  *ray = bareRay(p, v);
  lookAcross(ray);
}

// in the frame of a geom
static inline void localRay(Ray* ray, const mjtNum pos[3], const mjtNum mat[9], const mjtNum pnt[3],
                            const mjtNum vec[3], mjiRayHit* hit) {
  mjtNum offset[3], p[3], v[3];
  sub3(offset, pnt, pos);
  rotateBack3(p, mat, offset);
  rotateBack3(v, mat, vec);
  setRay(ray, p, v);
  ray->hit = hit;
  if (hit) *hit = (mjiRayHit){-1, {0}};
}

// the triangle seen along the ray must contain the origin; then meet its plane
static inline mjtNum rayTriangle(const Ray* ray, const mjtNum v0[3], const mjtNum v1[3], const mjtNum v2[3]) {
  mjtNum d[3][3], q[3][2];
  sub3(d[0], v0, ray->p);
  sub3(d[1], v1, ray->p);
  sub3(d[2], v2, ray->p);
  int positive = 0, negative = 0;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) q[i][k] = dot3(ray->across[k], d[i]);
  }
  for (int i = 0; i < 3; i++) {
    const mjtNum *a = q[i], *b = q[(i + 1) % 3];
    mjtNum turn = a[0] * b[1] - a[1] * b[0];
    positive |= turn > 0;
    negative |= turn < 0;
  }
  if (positive && negative) return -1;

  mjtNum e1[3], e2[3], normal[3];
  sub3(e1, v1, v0);
  sub3(e2, v2, v0);
  cross3(normal, e1, e2);
  mjtNum slope = dot3(ray->v, normal);
  if (fabs(slope) < mjMINVAL) return -1;
  mjtNum x = dot3(d[0], normal) / slope;
  if (ray->hit && x >= 0 && (ray->hit->x < 0 || x < ray->hit->x)) {
    ray->hit->x = x;
    copy3(ray->hit->normal, normal);
  }
  return x >= 0 ? x : -1;
}

static inline mjtNum least(mjtNum a, mjtNum b) { return a < b ? a : b; }
static inline mjtNum most(mjtNum a, mjtNum b) { return a > b ? a : b; }
static inline mjtNum nearer(mjtNum best, mjtNum x) { return x >= 0 && (best < 0 || x < best) ? x : best; }

// part lo .. hi of the ray where its coordinate k lies within from .. to; empty if lo > hi
static inline void clipRay(const Ray* ray, int k, mjtNum from, mjtNum to, mjtNum* lo, mjtNum* hi) {
  if (fabs(ray->v[k]) < mjMINVAL) {
    if (ray->p[k] < from || ray->p[k] > to) *hi = *lo - 1;
    return;
  }
  mjtNum a = (from - ray->p[k]) / ray->v[k], b = (to - ray->p[k]) / ray->v[k];
  *lo = most(*lo, least(a, b));
  *hi = least(*hi, most(a, b));
}

#endif  // SHEAF_COLLIDE_RAY_TRIANGLE_H_
