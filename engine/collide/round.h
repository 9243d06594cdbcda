// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Narrow phase over lanes for the pairs that articulated models are made of: spheres and capsules
// with each other and with planes. Written once over V: collision.c runs it in lanes, pair_round.c
// in the plain functions of the pair table.
//
// A function fills hits by rank and returns how many ranks it used; hit->on says which lanes have it. Lanes
// outside of `near` get no hits. In lanes that are off, nobody reads the numbers: they may be anything, also
// NaN.
#ifndef SHEAF_COLLIDE_ROUND_H_
#define SHEAF_COLLIDE_ROUND_H_

#include <mujoco/mujoco.h>

#include "collide/pair.h"
#include "lanes/lanes.h"
#include "model/number.h"

typedef struct LANE(Hit_) {
  V dist;
  V pos[3];
  V normal[3];
  V tangent[3];
  M on;
} LANE(Hit);

typedef struct LANE(Shape_) {
  const mjModel* m;
  const mjData* d;
  int geom;
  int type;
  const N* size;
  const V* pos;
  const V* mat;
} LANE(Shape);

static inline V laneDot(const V a[3], const V b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// column of a matrix: an axis of the geom frame in the world
static inline void laneAxis(V r[3], const V mat[9], int i) {
  for (int k = 0; k < 3; k++) r[k] = mat[3 * k + i];
}

// rotate into the world (R a) and back (R' a)
static inline void laneRotate(V r[3], const V R[9], const V a[3]) {
  for (int k = 0; k < 3; k++) r[k] = R[3 * k] * a[0] + R[3 * k + 1] * a[1] + R[3 * k + 2] * a[2];
}

static inline void laneRotateBack(V r[3], const V R[9], const V a[3]) {
  for (int k = 0; k < 3; k++) r[k] = R[k] * a[0] + R[3 + k] * a[1] + R[6 + k] * a[2];
}

static inline M m_sel(M on, M a, M b) { return (a & on) | (b & ~on); }

// one lane of a shape
static inline void laneShape(mjiShape* shape, const LANE(Shape)* s, int lane) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  (void)d, (void)m;
  shape->m = LANE_MODEL(lane);
  shape->d = d;
  shape->geom = s->geom;
  shape->type = s->type;
  shape->size = OWN_NUMBERS ? shape->m->geom_size + 3 * s->geom : (const mjtNum*)(const void*)s->size;
  for (int k = 0; k < 3; k++) shape->pos[k] = v_get(s->pos[k], lane);
  for (int k = 0; k < 9; k++) shape->mat[k] = v_get(s->mat[k], lane);
}

static inline int samePose(const mjiShape* a, const mjiShape* b) {
  return !memcmp(a->pos, b->pos, sizeof a->pos) && !memcmp(a->mat, b->mat, sizeof a->mat);
}

// write the hits of one lane, return the number of ranks in use by all lanes so far
static inline int laneHits(LANE(Hit)* hit, int nrank, const mjiHit* one, int n, int lane) {
  for (; nrank < n; nrank++) memset(&hit[nrank], 0, sizeof hit[nrank]);
  for (int i = 0; i < n; i++) {
    v_put(&hit[i].dist, lane, one[i].dist);
    for (int k = 0; k < 3; k++) {
      v_put(&hit[i].pos[k], lane, one[i].pos[k]);
      v_put(&hit[i].normal[k], lane, one[i].normal[k]);
      v_put(&hit[i].tangent[k], lane, one[i].tangent[k]);
    }
    m_put(&hit[i].on, lane, 1);
  }
  return nrank;
}

// the half-space under a plane against a ball at signed height over it
static inline void halfspaceBall(LANE(Hit)* hit, const V normal[3], const V ball[3], V height, N radius) {
  hit->dist = height - radius;
  for (int k = 0; k < 3; k++) {
    hit->normal[k] = normal[k];
    hit->pos[k] = ball[k] - normal[k] * (radius + 0.5 * hit->dist);
  }
}

static inline V heightOver(const LANE(Shape)* plane, const V normal[3], const V point[3]) {
  V offset[3] = {point[0] - plane->pos[0], point[1] - plane->pos[1], point[2] - plane->pos[2]};
  return laneDot(offset, normal);
}

static inline int lanePlaneSphere(LANE(Hit)* hit, const LANE(Shape)* a, const LANE(Shape)* b, N margin, M near) {
  V normal[3];
  laneAxis(normal, a->mat, 2);
  halfspaceBall(hit, normal, b->pos, heightOver(a, normal, b->pos), b->size[0]);
  for (int k = 0; k < 3; k++) hit->tangent[k] = v_zero();
  hit->on = near & v_le(hit->dist, v_num(margin));
  return 1;
}

// the two end balls; a capsule rolls along its axis, so the frame follows it
static inline int lanePlaneCapsule(LANE(Hit)* hit, const LANE(Shape)* a, const LANE(Shape)* b, N margin, M near) {
  V normal[3], axis[3], end[2][3], height[2];
  M on[2];
  laneAxis(normal, a->mat, 2);
  laneAxis(axis, b->mat, 2);
  for (int i = 0; i < 2; i++) {
    N reach = i ? -b->size[1] : b->size[1];
    for (int k = 0; k < 3; k++) end[i][k] = b->pos[k] + axis[k] * reach;
    height[i] = heightOver(a, normal, end[i]);
    on[i] = near & v_le(height[i] - b->size[0], v_num(margin));
  }
  if (!m_any(on[0] | on[1])) return 0;

  // where the first ball has no contact, the second takes its place
  M only = ~on[0] & on[1];
  V first[3];
  for (int k = 0; k < 3; k++) {
    first[k] = v_sel(only, end[1][k], end[0][k]);
    hit[0].tangent[k] = hit[1].tangent[k] = axis[k];
  }
  halfspaceBall(&hit[0], normal, first, v_sel(only, height[1], height[0]), b->size[0]);
  hit[0].on = on[0] | on[1];
  hit[1].on = on[0] & on[1];
  if (!m_any(hit[1].on)) return 1;
  halfspaceBall(&hit[1], normal, end[1], height[1], b->size[0]);
  return 2;
}

// Two balls, in the lanes of `near`; returns the lanes that have a contact. z1 and z2 are the z
// axes of their geoms and decide the normal where the centers coincide.
static inline M ballBall(LANE(Hit)* hit, const V c1[3], N r1, const V c2[3], N r2, const V mat1[9], const V mat2[9],
                         N margin, M near) {
  V offset[3] = {c2[0] - c1[0], c2[1] - c1[1], c2[2] - c1[2]};
  V length2 = laneDot(offset, offset);

  // most pairs end here, before the square root; the test leaves room for its rounding
  N reach = r1 + r2 + margin;
  near &= v_le(length2, v_num(reach * reach * (1 + 1e-13))) & n_nonnegative(reach);
  if (!m_any(near)) return m_none();

  V length = v_sqrt(length2);
  M same = v_lt(length, v_set1(mjMINVAL));
  V inv = 1.0 / v_sel(same, v_set1(1), length);
  for (int k = 0; k < 3; k++) hit->normal[k] = offset[k] * inv;

  if (__builtin_expect(m_any(same), 0)) {
    V z1[3], z2[3];
    laneAxis(z1, mat1, 2);
    laneAxis(z2, mat2, 2);
    V n[3] = {z1[1] * z2[2] - z1[2] * z2[1], z1[2] * z2[0] - z1[0] * z2[2], z1[0] * z2[1] - z1[1] * z2[0]};
    V size = v_sqrt(laneDot(n, n));
    M parallel = v_lt(size, v_set1(mjMINVAL));
    V scale = 1.0 / v_sel(parallel, v_set1(1), size);
    for (int k = 0; k < 3; k++) {
      V fallback = v_sel(parallel, v_set1(k == 0), n[k] * scale);
      hit->normal[k] = v_sel(same, fallback, hit->normal[k]);
    }
  }

  hit->dist = length - r1 - r2;
  for (int k = 0; k < 3; k++) {
    hit->pos[k] = c1[k] + hit->normal[k] * (r1 + 0.5 * hit->dist);
    hit->tangent[k] = v_zero();
  }
  return near & v_le(hit->dist, v_num(margin));
}

static inline int laneSphereSphere(LANE(Hit)* hit, const LANE(Shape)* a, const LANE(Shape)* b, N margin, M near) {
  hit->on = ballBall(hit, a->pos, a->size[0], b->pos, b->size[0], a->mat, b->mat, margin, near);
  return 1;
}

// the ball of the capsule that is nearest to the sphere
static inline int laneSphereCapsule(LANE(Hit)* hit, const LANE(Shape)* a, const LANE(Shape)* b, N margin, M near) {
  V axis[3], ball[3];
  laneAxis(axis, b->mat, 2);
  V offset[3] = {a->pos[0] - b->pos[0], a->pos[1] - b->pos[1], a->pos[2] - b->pos[2]};
  V x = v_clip(laneDot(axis, offset), v_num(-b->size[1]), v_num(b->size[1]));
  for (int k = 0; k < 3; k++) ball[k] = b->pos[k] + axis[k] * x;
  hit->on = ballBall(hit, a->pos, a->size[0], ball, b->size[0], a->mat, b->mat, margin, near);
  return 1;
}

// nearest balls of two capsules. With half axes u = h1*axis1, w = h2*axis2 and o = c1 - c2 minimize
// |o + s*u - t*w|^2 over the square |s|, |t| <= 1; parallel capsules have no unique answer and may
// touch at two points.
static inline int laneCapsuleCapsule(LANE(Hit)* hit, const LANE(Shape)* a, const LANE(Shape)* b, N margin, M near) {
  V u[3], w[3], o[3];
  laneAxis(u, a->mat, 2);
  laneAxis(w, b->mat, 2);
  for (int k = 0; k < 3; k++) {
    u[k] = u[k] * a->size[1];
    w[k] = w[k] * b->size[1];
    o[k] = a->pos[k] - b->pos[k];
  }

  // normal equations [uu -uw; -uw ww] [s t]' = [-uo wo]'
  V uu = laneDot(u, u), ww = laneDot(w, w), uw = laneDot(u, w);
  V uo = -laneDot(u, o), wo = laneDot(w, o);
  V det = uu * ww - uw * uw;
  M parallel = v_lt(v_abs(det), v_set1(mjMINVAL));
  V inv = 1.0 / v_sel(parallel, v_set1(1), det);
  V s = (ww * uo + uw * wo) * inv, t = (uu * wo + uw * uo) * inv;

  // clip s and solve for t, then clip t and solve for s
  V one = v_set1(1);
  N inv1 = 1 / (a->size[1] * a->size[1]), inv2 = 1 / (b->size[1] * b->size[1]);
  V tEnd = (wo + v_sel(v_gt(s, one), uw, -uw)) * inv2;
  t = v_sel(v_gt(v_abs(s), one), tEnd, t);
  s = v_clip(s, -one, one);
  V sEnd = v_clip((uo + v_sel(v_gt(t, one), uw, -uw)) * inv1, -one, one);
  s = v_sel(v_gt(v_abs(t), one), sEnd, s);
  t = v_clip(t, -one, one);

  V c1[3], c2[3];
  for (int k = 0; k < 3; k++) {
    c1[k] = a->pos[k] + u[k] * s;
    c2[k] = b->pos[k] + w[k] * t;
  }
  parallel &= near;
  hit->on = ballBall(hit, c1, a->size[0], c2, b->size[0], a->mat, b->mat, margin, near & ~parallel);
  int nrank = 1;
  if (__builtin_expect(m_any(parallel), 0)) {
    for (int lane = 0; lane < SHEAF_LANES; lane++) {
      if (!m_get(parallel, lane)) continue;
      mjiShape a1, b1;
      mjiHit one1[2];
      laneShape(&a1, a, lane);
      laneShape(&b1, b, lane);
      nrank = laneHits(hit, nrank, one1, mji_pair_parallelCapsules(one1, &a1, &b1, n_get(margin, lane)), lane);
    }
  }
  return nrank;
}

#endif  // SHEAF_COLLIDE_ROUND_H_
