// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// GJK and EPA for one pair of shapes in the poses of all lanes.
#ifndef SHEAF_COLLIDE_GJK_LANES_H_
#define SHEAF_COLLIDE_GJK_LANES_H_

#include "collide/gjk.h"
#include "collide/support_lanes.h"

typedef struct LANE(Overlap_) {
  // in
  int max_iterations;
  V tolerance;
  V epsilon;  // a smaller duality gap ends the search

  // out: each lane is in one of these, or was not asked for
  M apart;
  M inside;  // the simplex is a tetrahedron around the origin
  M unsure;  // touching shapes and flat simplices: the search for one state must decide
  LANE(Vertex) simplex[4];
} LANE(Overlap);

// The search of gjk.c without a distance, with the same bits, in the lanes of `on`.
void LANE(overlap)(LANE(Overlap)* g, LANE(Convex)* a, LANE(Convex)* b, M on);

// The search of epa.c from these simplices, with the same bits, in the lanes of `on`. Returns the lanes that have a
// result in g; what needs a careful search, or many faces, is left to epa.c. (epa_lanes.c)
M LANE(depth)(mjiGjk* g, const LANE(Overlap)* overlap, LANE(Convex)* a, LANE(Convex)* b, M on);

#endif  // SHEAF_COLLIDE_GJK_LANES_H_
