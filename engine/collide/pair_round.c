// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The plain functions of the pairs that round.h and capsule_box.h have over V, and balls against cylinders.

#include "collide/capsule_box.h"
#include "collide/pair.h"
#include "collide/round.h"
#include "collide/vec3.h"

// gcc 12 does not see that no function below finds more than the two hits of runLane
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

// ---- the lane functions, for one state

typedef int (*laneFunc)(LANE(Hit)*, const LANE(Shape)*, const LANE(Shape)*, mjtNum, M);

static int runLane(laneFunc func, mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  LANE(Shape) s[2] = {{a->m, NULL, a->geom, a->type, a->size, a->pos, a->mat},
                      {b->m, NULL, b->geom, b->type, b->size, b->pos, b->mat}};
  LANE(Hit) h[2];
  int nrank = func(h, &s[0], &s[1], margin, m_full()), n = 0;
  for (int i = 0; i < nrank; i++) {
    if (!h[i].on) continue;
    hit[n].dist = h[i].dist;
    copy3(hit[n].pos, h[i].pos);
    copy3(hit[n].normal, h[i].normal);
    copy3(hit[n].tangent, h[i].tangent);
    n++;
  }
  return n;
}

int mji_pair_planeSphere(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  return runLane(lanePlaneSphere, hit, a, b, margin);
}

int mji_pair_planeCapsule(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  return runLane(lanePlaneCapsule, hit, a, b, margin);
}

int mji_pair_sphereSphere(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  return runLane(laneSphereSphere, hit, a, b, margin);
}

int mji_pair_sphereCapsule(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  return runLane(laneSphereCapsule, hit, a, b, margin);
}

int mji_pair_capsuleCapsule(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  return runLane(laneCapsuleCapsule, hit, a, b, margin);
}

int mji_pair_sphereBox(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  return runLane(laneSphereBox, hit, a, b, margin);
}

int mji_pair_capsuleBox(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  return runLane(laneCapsuleBox, hit, a, b, margin);
}

// ---- scalar only

// two balls, one at center1 of shape a and one at center2 of shape b
static int balls(mjiHit* hit, const mjiShape* a, const mjtNum center1[3], mjtNum radius1, const mjiShape* b,
                 const mjtNum center2[3], mjtNum radius2, mjtNum margin) {
  LANE(Hit) h;
  if (!ballBall(&h, center1, radius1, center2, radius2, a->mat, b->mat, margin, m_full())) return 0;
  hit->dist = h.dist;
  copy3(hit->pos, h.pos);
  copy3(hit->normal, h.normal);
  set3(hit->tangent, 0, 0, 0);
  return 1;
}

// parallel capsules: each end of one against the nearest point of the other, until two are found
int mji_pair_parallelCapsules(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  mjtNum u[3], w[3], o[3], c1[3], c2[3];
  axis3(u, a->mat, 2);
  scale3(u, u, a->size[1]);
  axis3(w, b->mat, 2);
  scale3(w, w, b->size[1]);
  sub3(o, a->pos, b->pos);
  mjtNum uu = dot3(u, u), ww = dot3(w, w), uw = dot3(u, w), uo = -dot3(u, o), wo = dot3(w, o);

  int n = 0;
  for (int i = 0; i < 4 && n < 2; i++) {
    mjtNum s, t, end = i % 2 ? -1 : 1;
    if (i < 2) {
      s = end;
      t = clip1((wo + end * uw) / ww, -1, 1);
    } else {
      t = end;
      s = clip1((uo + end * uw) / uu, -1, 1);
    }
    addScaled3(c1, a->pos, u, s);
    addScaled3(c2, b->pos, w, t);
    n += balls(hit + n, a, c1, a->size[0], b, c2, b->size[0], margin);
  }
  return n;
}

// sphere against the side, a cap or the rim of a cylinder
int mji_pair_sphereCylinder(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  mjtNum radius = b->size[0], height = b->size[1];
  mjtNum axis[3], offset[3], radial[3];
  axis3(axis, b->mat, 2);
  sub3(offset, a->pos, b->pos);
  mjtNum x = dot3(offset, axis);
  addScaled3(radial, offset, axis, -x);
  mjtNum r2 = dot3(radial, radial);

  // inside of both: the nearer of side and cap
  int side = fabs(x) < height, cap = r2 < radius * radius;
  if (side && cap) {
    mjtNum toCap = height - fabs(x), toSide = radius - __builtin_sqrt(r2);
    side = toSide <= toCap;
    cap = !side;
  }

  mjtNum target[3];
  if (side) {
    addScaled3(target, b->pos, axis, x);
    return balls(hit, a, a->pos, a->size[0], b, target, radius, margin);
  }
  if (!cap) {
    scale3(radial, radial, radius / __builtin_sqrt(r2));
    add3(target, b->pos, radial);
    addScaled3(target, target, axis, x > 0 ? height : -height);
    return balls(hit, a, a->pos, a->size[0], b, target, 0, margin);
  }

  // cap: half-space whose normal points out of the cylinder
  scale3(axis, axis, x > 0 ? 1 : -1);
  addScaled3(target, b->pos, axis, height);
  sub3(offset, a->pos, target);
  hit->dist = dot3(offset, axis) - a->size[0];
  if (hit->dist > margin) return 0;
  addScaled3(hit->pos, a->pos, axis, -(a->size[0] + 0.5 * hit->dist));
  scale3(hit->normal, axis, -1);
  set3(hit->tangent, 0, 0, 0);
  return 1;
}
