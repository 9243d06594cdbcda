// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The contact that MPR has found: depth and normal from the point of the portal that is nearest to the origin.

#include "collide/convex.h"
#include "collide/mpr.h"
#include "collide/mpr_vec.h"
#include "collide/vec3.h"

// ---- nearest points to the origin

static int isZero(double x) { return fabs(x) < MPR_ZERO; }

static int isOne(double x) { return fabs(x - 1) < MPR_ZERO * (x > 1 ? x : 1); }

static double nearestOnSegment(double x[3], const double a[3], const double b[3]) {
  double d[3];
  mprSub(d, b, a);
  double t = -mprDot(a, d) / mprDot(d, d);
  int first = t < 0 || isZero(t), last = !first && (t > 1 || isOne(t));
  for (int k = 0; k < 3; k++) x[k] = first ? a[k] : last ? b[k] : d[k] * t + a[k];
  return mprDot(x, x);
}

// the least of the squared distances of three sides
static double nearestOnSides(double x[3], const double a[3], const double b[3], const double c[3]) {
  const double* side[3][2] = {{a, b}, {a, c}, {b, c}};
  double least = 0;
  for (int i = 0; i < 3; i++) {
    double other[3], dist2 = nearestOnSegment(other, side[i][0], side[i][1]);
    if (i && !(dist2 < least)) continue;
    least = dist2;
    for (int k = 0; k < 3; k++) x[k] = other[k];
  }
  return least;
}

// Squared distance of the origin to a triangle, and the point of the triangle that is nearest.
static double nearestOnTriangle(double x[3], const double a[3], const double b[3], const double c[3]) {
  double ab[3], ac[3];
  mprSub(ab, b, a);
  mprSub(ac, c, a);
  double v = mprDot(ab, ab), w = mprDot(ac, ac), p = mprDot(a, ab), q = mprDot(a, ac), r = mprDot(ab, ac);
  double d = w * v - r * r;
  if (isZero(d)) return nearestOnSides(x, a, b, c);
  double s = (q * r - w * p) / d, t = (-s * r - q) / w;
  int inside = (isZero(s) || s > 0) && (isOne(s) || s < 1) && (isZero(t) || t > 0) && (isOne(t) || t < 1);
  if (!inside || !(isOne(t + s) || t + s < 1)) return nearestOnSides(x, a, b, c);
  for (int k = 0; k < 3; k++) x[k] = a[k] + ab[k] * s + ac[k] * t;
  return mprDot(x, x);
}

// ---- position

// Weights of the four points whose sum is the origin; of the triangle alone, if they are flat.
static double weightsOf(double weight[4], const mjiPortal* p) {
  const double *v0 = p->point[0].v, *v1 = p->point[1].v, *v2 = p->point[2].v, *v3 = p->point[3].v;
  weight[0] = mprTriple(v1, v2, v3);
  weight[1] = mprTriple(v3, v2, v0);
  weight[2] = mprTriple(v0, v1, v3);
  weight[3] = mprTriple(v2, v1, v0);
  double sum = weight[0] + weight[1] + weight[2] + weight[3];
  if (!(sum < MPR_ZERO)) return sum;
  weight[0] = 0;
  weight[1] = mprTriple(v2, v3, p->dir);
  weight[2] = mprTriple(v3, v1, p->dir);
  weight[3] = mprTriple(v1, v2, p->dir);
  return weight[1] + weight[2] + weight[3];
}

static void positionOf(double pos[3], const mjiPortal* p) {
  double weight[4], sum = weightsOf(weight, p), inv = 1 / sum, on_a[3] = {0}, on_b[3] = {0};
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      on_a[k] += p->point[i].a[k] * weight[i];
      on_b[k] += p->point[i].b[k] * weight[i];
    }
  }
  for (int k = 0; k < 3; k++) pos[k] = (on_a[k] * inv + on_b[k] * inv) * 0.5;
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

// ---- contact

// Depth, direction and place. A depth of zero has no direction.
static double depthOf(double dir[3], double pos[3], const mjiPortal* p, mjiMprEnd end) {
  const mjiPortalPoint* s = p->point;
  double dist2 = mprDot(s[1].v, s[1].v);
  if (end == MPR_SEGMENT) {
    for (int k = 0; k < 3; k++) {
      dir[k] = s[1].v[k];
      pos[k] = (s[1].a[k] + s[1].b[k]) * 0.5;
    }
  } else {
    dist2 = nearestOnTriangle(dir, s[1].v, s[2].v, s[3].v);
    positionOf(pos, p);
  }
  mprUnit(dir);
  return __builtin_sqrt(dist2);
}

int mji_mpr_hit(mjiHit* hit, const mjiPortal* p, mjiMprEnd end, const mjiConvex* a, const mjiConvex* b, mjtNum margin) {
  double dir[3], pos[3];
  if (end == MPR_APART) return 0;
  double depth = depthOf(dir, pos, p, end);
  if (end == MPR_PORTAL && isZero(depth)) return 0;  // the shapes touch
  hit->dist = margin - depth;
  set3(hit->normal, dir[0], dir[1], dir[2]);
  normalize3(hit->normal);
  set3(hit->pos, pos[0], pos[1], pos[2]);
  set3(hit->tangent, 0, 0, 0);
  fixNormal(hit, a, b);
  return 1;
}

int mji_convex_mpr(mjiHit* hit, const mjModel* m, mjiConvex* a, mjiConvex* b, mjtNum margin) {
  mjiPortal p;
  return mji_mpr_hit(hit, &p, mji_mpr_search(&p, a, b, &m->opt), a, b, margin);
}
