// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// GJK and EPA for one pair of shapes in the poses of all lanes.
#ifndef SHEAF_COLLIDE_GJK_LANES_H_
#define SHEAF_COLLIDE_GJK_LANES_H_

#include "collide/gjk.h"
#include "collide/support_lanes.h"

static inline void laneSub(V r[3], const V a[3], const V b[3]) {
  for (int k = 0; k < 3; k++) r[k] = a[k] - b[k];
}

static inline void laneCross(V r[3], const V a[3], const V b[3]) {
  r[0] = a[1] * b[2] - a[2] * b[1];
  r[1] = a[2] * b[0] - a[0] * b[2];
  r[2] = a[0] * b[1] - a[1] * b[0];
}

static inline M laneSameSign(V a, V b) {
  V zero = v_zero();
  return (v_gt(a, zero) & v_gt(b, zero)) | (v_lt(a, zero) & v_lt(b, zero));
}

// Foot of the origin on the plane of three points; returns the lanes in which gjkPlaneFoot looks
// for a better normal.
static inline M lanePlaneFoot(V foot[3], const V a[3], const V b[3], const V c[3]) {
  V ab[3], bc[3], n[3];
  laneSub(ab, b, a);
  laneSub(bc, c, b);
  laneCross(n, bc, ab);
  V nv = laneDot(n, b), nn = laneDot(n, n), scale = nv / nn;
  for (int k = 0; k < 3; k++) foot[k] = n[k] * scale;
  return v_eq(nv, v_zero()) | v_le(nn, v_set1(mjMINVAL));
}

typedef struct LANE(Overlap_) {
  // in
  int max_iterations;
  V tolerance;
  V epsilon;  // a smaller duality gap ends the search
  V dent;     // see gjkDent

  // out: each lane is in one of these, or was not asked for
  M apart;
  M inside;        // the simplex is a tetrahedron around the origin
  M hidden;        // apart, but by less than a dent, so that the shapes may overlap
  M unsure;        // touching shapes and flat simplices: the search for one state must decide
  V gap, away[3];  // of hidden lanes, as mjiGjk has them
  LANE(Vertex) simplex[4];
} LANE(Overlap);

// The search of gjk.c without a distance, with the same bits, in the lanes of `on`.
void LANE(overlap)(LANE(Overlap)* g, LANE(Convex)* a, LANE(Convex)* b, M on);

// The search of epa.c from these simplices, with the same bits, in the lanes of `on`. Returns the lanes that have a
// result in g; what needs a careful search, or many faces, is left to epa.c. (epa_lanes.c)
M LANE(depth)(mjiGjk* g, const LANE(Overlap)* overlap, LANE(Convex)* a, LANE(Convex)* b, M on);

#endif  // SHEAF_COLLIDE_GJK_LANES_H_
