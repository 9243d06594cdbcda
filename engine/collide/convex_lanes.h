// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of a pair of convex shapes in all lanes.
#ifndef SHEAF_COLLIDE_CONVEX_LANES_H_
#define SHEAF_COLLIDE_CONVEX_LANES_H_

#include "collide/round.h"

// Can LANE(pairConvex) take these two shapes?
static inline int convexInLanes(const mjModel* m, int type1, int type2) {
  int known = 1 << mjGEOM_ELLIPSOID | 1 << mjGEOM_CYLINDER | 1 << mjGEOM_BOX | 1 << mjGEOM_MESH;
  if (!(known >> type1 & known >> type2 & 1)) return 0;
  if (!(m->opt.disableflags & mjDSBL_NATIVECCD)) return 1;
  return sizeof(mjtNum) == sizeof(double) && !(m->opt.enableflags & mjENBL_MULTICCD);  // MPR searches in double
}

// Does what mji_pair_convex does in each lane of `near`, with the same bits. Writes hits by rank, and returns how many.
int LANE(pairConvex)(LANE(Hit)* hit, const LANE(Shape)* a, const LANE(Shape)* b, N margin, M near);

#endif  // SHEAF_COLLIDE_CONVEX_LANES_H_
