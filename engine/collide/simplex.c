// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Closest point of a simplex to the origin, by signed volumes (Montanari, Petrinic, Barbieri 2017).
//
// The origin's foot on the affine hull has weights that are ratios of signed volumes. If all have
// the sign of the whole, the foot is inside; otherwise the sub-simplices opposite to the offending
// vertices are tried and the nearest wins.

#include <string.h>

#include "collide/gjk.h"
#include "collide/vec3.h"

static int sameSign(mjtNum a, mjtNum b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

static mjtNum det3(const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  mjtNum r[3];
  cross3(r, b, c);
  return dot3(a, r);
}

int LANE(gjkOtherFoot)(mjtNum foot[3], const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  mjtNum ab[3], ac[3], bc[3], n[3];
  sub3(ab, b, a);
  sub3(ac, c, a);
  cross3(n, ab, ac);
  mjtNum nv = dot3(n, a), nn = dot3(n, n);
  if (nn == 0) return 1;
  if (nv == 0 || nn <= mjMINVAL) {
    sub3(bc, c, b);
    cross3(n, ac, bc);
    nv = dot3(n, c);
    nn = dot3(n, n);
    if (nn == 0) return 1;
  }
  scale3(foot, n, nv / nn);
  return 0;
}

// squared distance of the weighted point
static mjtNum distance2(const mjtNum* weight, const mjtNum* const* s, int n) {
  mjtNum x[3] = {0, 0, 0};
  for (int i = 0; i < n; i++) addScaled3(x, x, s[i], weight[i]);
  return dot3(x, x);
}

static void closestOnSegment(mjtNum weight[2], const mjtNum* const s[2]) {
  mjtNum d[3], foot[3];
  sub3(d, s[1], s[0]);
  addScaled3(foot, s[1], d, -dot3(s[1], d) / dot3(d, d));

  // the coordinate in which the segment is longest
  int axis = 0;
  for (int k = 1; k < 3; k++) {
    if (fabs(d[k]) >= fabs(d[axis])) axis = k;
  }
  mjtNum whole = s[0][axis] - s[1][axis];
  mjtNum c0 = foot[axis] - s[1][axis], c1 = s[0][axis] - foot[axis];
  if (sameSign(whole, c0) && sameSign(whole, c1)) {
    weight[0] = c0 / whole;
    weight[1] = c1 / whole;
  } else {
    weight[0] = 0;
    weight[1] = 1;  // the newest vertex
  }
}

// keep the better of the closest points so far; sub has vertices at[0..n-1] of the n + 1 of the simplex
static void keepNearer(mjtNum* weight, mjtNum* best, const mjtNum* sub, const int* at, int n, const mjtNum* const* s) {
  const mjtNum* p[3] = {0};
  for (int i = 0; i < n; i++) p[i] = s[at[i]];
  mjtNum d = distance2(sub, p, n);
  if (d >= *best) return;
  *best = d;
  for (int i = 0; i <= n; i++) weight[i] = 0;
  for (int i = 0; i < n; i++) weight[at[i]] = sub[i];
}

static mjtNum minor(const mjtNum* a, const mjtNum* b, const mjtNum* c, int i, int j) {
  return b[i] * c[j] - b[j] * c[i] - a[i] * c[j] + a[j] * c[i] + a[i] * b[j] - a[j] * b[i];
}

// signed area of a triangle in two coordinates
static mjtNum area(const mjtNum* a, const mjtNum* b, const mjtNum* c, int i, int j) {
  return a[i] * b[j] + a[j] * c[i] + b[i] * c[j] - a[i] * c[j] - a[j] * b[i] - c[i] * b[j];
}

static const int others[3][2] = {{1, 2}, {0, 2}, {0, 1}};

// area of a triangle, and of the three that a point in its plane makes with its sides; all are seen
// along the coordinate that leaves the largest area
static mjtNum areas(mjtNum part[3], const mjtNum* x, const mjtNum* const s[3]) {
  mjtNum whole = 0;
  int drop = 0;
  for (int k = 0; k < 3; k++) {
    mjtNum a = minor(s[0], s[1], s[2], others[k][0], others[k][1]);
    if (k == 0 || fabs(a) > fabs(whole)) {
      whole = a;
      drop = k;
    }
  }
  int i = others[drop][0], j = others[drop][1];
  part[0] = area(x, s[1], s[2], i, j);
  part[1] = area(x, s[2], s[0], i, j);
  part[2] = area(x, s[0], s[1], i, j);
  return whole;
}

void LANE(gjkAffine)(mjtNum weight[3], const mjtNum x[3], const mjiVertex v[3]) {
  const mjtNum* s[3] = {v[0].v, v[1].v, v[2].v};
  mjtNum part[3], whole = areas(part, x, s);
  for (int k = 0; k < 3; k++) weight[k] = part[k] / whole;
}

static void closestOnTriangle(mjtNum weight[3], const mjtNum* const s[3]) {
  mjtNum foot[3];
  weight[2] = 0;
  if (gjkPlaneFoot(foot, s[0], s[1], s[2])) {
    closestOnSegment(weight, s);
    return;
  }

  mjtNum part[3], whole = areas(part, foot, s);
  int in[3], all = 1;
  for (int k = 0; k < 3; k++) all &= in[k] = sameSign(whole, part[k]);
  if (all) {
    for (int k = 0; k < 3; k++) weight[k] = part[k] / whole;
    return;
  }
  mjtNum best = mjMAXVAL;
  for (int k = 0; k < 3; k++) {
    if (in[k]) continue;
    const mjtNum* edge[2] = {s[others[k][0]], s[others[k][1]]};
    mjtNum sub[2];
    closestOnSegment(sub, edge);
    keepNearer(weight, &best, sub, others[k], 2, s);
  }
}

static void closestOnTetrahedron(mjtNum weight[4], const mjtNum* const s[4]) {
  static const int faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  mjtNum part[4], whole = 0;
  for (int k = 0; k < 4; k++) {
    const int* o = faces[k];
    part[k] = (k % 2 ? 1 : -1) * det3(s[o[0]], s[o[1]], s[o[2]]);
    whole += part[k];
  }
  int in[4], all = 1;
  for (int k = 0; k < 4; k++) all &= in[k] = sameSign(whole, part[k]);
  if (all) {
    for (int k = 0; k < 4; k++) weight[k] = part[k] / whole;
    return;
  }
  mjtNum best = mjMAXVAL;
  for (int k = 0; k < 4; k++) {
    if (in[k]) continue;
    const mjtNum* face[3] = {s[faces[k][0]], s[faces[k][1]], s[faces[k][2]]};
    mjtNum sub[3];
    closestOnTriangle(sub, face);
    keepNearer(weight, &best, sub, faces[k], 3, s);
  }
}

void LANE(gjkClosest)(mjtNum weight[4], const mjiVertex* simplex, int n) {
  const mjtNum* s[4] = {simplex[0].v, simplex[1].v, simplex[2].v, simplex[3].v};
  memset(weight, 0, 4 * sizeof *weight);
  if (n == 4) closestOnTetrahedron(weight, s);
  else if (n == 3) closestOnTriangle(weight, s);
  else if (n == 2) closestOnSegment(weight, s);
  else weight[0] = 1;
}
