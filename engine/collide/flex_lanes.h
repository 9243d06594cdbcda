// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of flexes in the order of collision.c: after the pairs of geoms of the same first body. One state finds them
// as it comes to a body (flex_one.c). A group finds them lane by lane before all others; contacts of the same parts in
// several lanes share a record (flex_lanes.c). Include lanes/lanes.h first.
#ifndef SHEAF_COLLIDE_FLEX_LANES_H_
#define SHEAF_COLLIDE_FLEX_LANES_H_

#include <mujoco/mujoco.h>

#include "model/contact_lanes.h"

struct mjiFlexFound_;

// What is left to do.
typedef struct LANE(Flexes_) {
  int body;                                 // one state: the next body
  struct mjiFlexFound_* next[SHEAF_LANES];  // a group: contacts that are not yet recorded, scratch of d
  struct mjiFlexFound_* end[SHEAF_LANES];
} LANE(Flexes);

void LANE(flexStart)(const mjModel* m, mjData* d, LANE(Flexes)* flexes);

// Record contacts of geoms that belong to a body before `end`. Nonzero if there was no room.
int LANE(flexVisit)(const mjModel* m, mjData* d, LANE(Flexes)* flexes, int end);

// Record the rest.
void LANE(flexFinish)(const mjModel* m, mjData* d, LANE(Flexes)* flexes);

// Room for one more contact record; NULL and a warning if the arena is full. (collision.c)
LANE(Contact)* LANE(newContact)(mjData* d);

#endif  // SHEAF_COLLIDE_FLEX_LANES_H_
