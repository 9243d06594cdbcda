// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The search of MPR for one pair of shapes in the poses of all lanes.
#ifndef SHEAF_COLLIDE_MPR_LANES_H_
#define SHEAF_COLLIDE_MPR_LANES_H_

#include "collide/mpr.h"
#include "collide/support_lanes.h"

typedef struct LANE(Portal_) {
  // in
  int max_iterations;
  V tolerance;

  // out: each lane is in one of these, or was not asked for
  M apart;
  M found;   // the portal is on the boundary
  M unsure;  // the origin is on the line from the center to a support, or many steps were taken: mpr.c must decide
  LANE(Vertex) point[4];
  V dir[3];
} LANE(Portal);

// The search of mpr.c, with the same bits, in the lanes of `on`.
void LANE(portal)(LANE(Portal)* p, LANE(Convex)* a, LANE(Convex)* b, M on);

// The portal of one lane.
void LANE(portalOf)(mjiPortal* to, const LANE(Portal)* p, int lane);

#endif  // SHEAF_COLLIDE_MPR_LANES_H_
