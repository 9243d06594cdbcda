// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of two geoms at other poses than their own, for derivatives. Include lanes/lanes.h first.
#ifndef SHEAF_COLLIDE_TOUCH_H_
#define SHEAF_COLLIDE_TOUCH_H_

#include <mujoco/mujoco.h>

typedef struct LANE(Touch_) {
  V dist;
  V pos[3];
  V frame[9];
  M on;  // states that have it; the numbers of others may be anything
} LANE(Touch);

// Contacts of the geoms of a contact record at these poses (position, matrix of each), in the order of records; at most
// mjMAXCONPAIR. Returns how many. (collision.c)
int LANE(touchesAt)(const mjModel* m, mjData* d, const int geom[2], V* const pos[2], V* const mat[2],
                    LANE(Touch)* touch);

#endif  // SHEAF_COLLIDE_TOUCH_H_
