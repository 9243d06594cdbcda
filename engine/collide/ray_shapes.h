// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rays against primitive geoms, over V: ray.c runs these functions for one state, ray_lanes.c and touch sensors in
// lanes. A ray is pnt + x*vec with x >= 0; the answer is the smallest x on the surface, or -1. In the geom's frame a
// point is p and the direction v.
#ifndef SHEAF_COLLIDE_RAY_SHAPES_H_
#define SHEAF_COLLIDE_RAY_SHAPES_H_

#include <mujoco/mujoco.h>

#include "collide/round.h"
#include "lanes/lanes.h"

// by how much the ball around a geom is larger where a ray only passes by, because its radius was rounded
#define MJI_RAY_SLACK 1e-6

static inline V noHit(void) { return v_set1(-1); }
static inline M isHit(V x) { return v_ge(x, v_zero()); }
static inline V hitWhere(M on, V x) { return v_sel(on & isHit(x), x, noHit()); }
static inline V nearerHit(V best, V x) { return v_sel(isHit(x) & (~isHit(best) | v_lt(x, best)), x, best); }

// smallest root x >= 0 of a*x^2 + 2*b*x + c, -1 if there is none; both roots in x
static inline V smallestRoot(V x[2], V a, V b, V c) {
  V det = b * b - a * c;
  M real = v_ge(det, v_set1(mjMINVAL));
  x[0] = x[1] = noHit();
  if (!m_any(real)) return x[0];
  V root = v_sqrt(v_and(real, det));
  x[0] = v_sel(real, (-b - root) / a, x[0]);
  x[1] = v_sel(real, (-b + root) / a, x[1]);
  return v_sel(isHit(x[0]), x[0], hitWhere(real, x[1]));
}

// ball around the origin
static inline V rayBall(V x[2], V radius2, const V p[3], const V v[3]) {
  return smallestRoot(x, laneDot(v, v), laneDot(v, p), laneDot(p, p) - radius2);
}

// lanes in which smallestRoot finds a ball, without its divisions
static inline M meetsBall(V radius2, const V p[3], const V v[3]) {
  V a = laneDot(v, v), b = laneDot(v, p), c = laneDot(p, p) - radius2;
  return v_ge(b * b - a * c, v_set1(mjMINVAL)) & ~(v_gt(b, v_zero()) & v_gt(c, v_zero()));
}

// front side only; sizes of zero are infinite
static inline V rayPlane(const V size[3], const V p[3], const V v[3]) {
  V x = -p[2] / v[2];
  M on = v_le(v[2], v_set1(-mjMINVAL));
  for (int k = 0; k < 2; k++) on &= ~(v_gt(size[k], v_zero()) & v_gt(v_abs(p[k] + x * v[k]), size[k]));
  return hitWhere(on, x);
}

// side of an upright cylinder between -height and height
static inline V raySide(V radius, V height, const V p[3], const V v[3]) {
  V both[2];
  V x = smallestRoot(both, v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1],
                     p[0] * p[0] + p[1] * p[1] - radius * radius);
  return hitWhere(v_le(v_abs(p[2] + x * v[2]), height), x);
}

static inline V rayCapsule(const V size[3], const V p[3], const V v[3]) {
  V best = raySide(size[0], size[1], p, v);
  for (int end = -1; end <= 1; end += 2) {
    V from[3] = {p[0], p[1], p[2] - (lane_t)end * size[1]}, x[2];
    rayBall(x, size[0] * size[0], from, v);
    for (int i = 0; i < 2; i++) {
      best = nearerHit(best, hitWhere(v_ge((lane_t)end * (p[2] + x[i] * v[2]), size[1]), x[i]));
    }
  }
  return best;
}

static inline V rayEllipsoid(const V size[3], const V p[3], const V v[3]) {
  V a = v_zero(), b = v_zero(), c = v_set1(-1), x[2];
  for (int k = 0; k < 3; k++) {
    V s = 1 / (size[k] * size[k]);
    a = a + s * v[k] * v[k];
    b = b + s * v[k] * p[k];
    c = c + s * p[k] * p[k];
  }
  return smallestRoot(x, a, b, c);
}

static inline V rayCylinder(const V size[3], const V p[3], const V v[3]) {
  V best = noHit();
  M steep = v_gt(v_abs(v[2]), v_set1(mjMINVAL));
  for (int end = -1; end <= 1; end += 2) {
    V x = ((lane_t)end * size[1] - p[2]) / v[2];
    V q[2] = {p[0] + x * v[0], p[1] + x * v[1]};
    best = nearerHit(best, hitWhere(steep & v_le(q[0] * q[0] + q[1] * q[1], size[0] * size[0]), x));
  }
  return nearerHit(best, raySide(size[0], size[1], p, v));
}

static inline V rayBox(const V size[3], const V p[3], const V v[3]) {
  V best = noHit();
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    M steep = v_gt(v_abs(v[k]), v_set1(mjMINVAL));
    for (int side = -1; side <= 1; side += 2) {
      V x = ((lane_t)side * size[k] - p[k]) / v[k];
      M inside = v_le(v_abs(p[i] + x * v[i]), size[i]) & v_le(v_abs(p[j] + x * v[j]), size[j]);
      best = nearerHit(best, hitWhere(steep & inside, x));
    }
  }
  return best;
}

// squared radius of a ball around a geom, which leaves most rays out; zero if the shape has none
static inline V boundingBall2(int type, const V size[3]) {
  V reach = size[0] + size[1];
  switch (type) {
    case mjGEOM_CAPSULE: return reach * reach;
    case mjGEOM_CYLINDER: return size[0] * size[0] + size[1] * size[1];
    case mjGEOM_BOX: return laneDot(size, size);
    default: return v_zero();
  }
}

// in the frame of the geom
static inline V rayShape(int type, const V size[3], const V p[3], const V v[3]) {
  switch (type) {
    case mjGEOM_PLANE: return rayPlane(size, p, v);
    case mjGEOM_CAPSULE: return rayCapsule(size, p, v);
    case mjGEOM_ELLIPSOID: return rayEllipsoid(size, p, v);
    case mjGEOM_CYLINDER: return rayCylinder(size, p, v);
    case mjGEOM_BOX: return rayBox(size, p, v);
    default: mju_error("mju_rayGeom: unexpected geom type %d", type);
  }
  return noHit();
}

// of a geom at a pose in the world
static inline V rayGeom(int type, const V size[3], const V pos[3], const V mat[9], const V pnt[3], const V vec[3]) {
  V offset[3] = {pnt[0] - pos[0], pnt[1] - pos[1], pnt[2] - pos[2]}, p[3], v[3], x[2];
  if (type == mjGEOM_SPHERE) return rayBall(x, size[0] * size[0], offset, vec);
  M near = m_full();
  if (type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER || type == mjGEOM_BOX) {
    near = meetsBall(boundingBall2(type, size), offset, vec);
    if (!m_any(near)) return noHit();
  }
  laneRotateBack(p, mat, offset);
  laneRotateBack(v, mat, vec);
  return hitWhere(near, rayShape(type, size, p, v));
}

#endif  // SHEAF_COLLIDE_RAY_SHAPES_H_
