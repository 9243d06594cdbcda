// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of flexes that are passive forces: springs along the normal, without friction or damping.

#include "lanes/lanes.h"

#include "dynamics/flex_push.h"
#include "model/side_lanes.h"

// All passive contacts have this stiffness. Solver parameters have no effect; within the margin the spring pulls.
static const mjtNum kStiffness = 1e4;

void LANE(passiveContacts)(const mjModel* m, mjData* d) {
  for (const LANE(Contact)* con = laneContacts(d); con < laneContacts(d) + d->ncon; con++) {
    if (con->exclude != MJI_CONTACT_PASSIVE) continue;
    for (int i = 0; i < 2; i++) {
      LANE(SideRoom) room;
      LANE(Side) side = laneSide(m, d, con, i, &room);
      V push = con->dist * (i ? -kStiffness : kStiffness);
      for (int k = 0; k < side.n; k++) {
        V force[3];
        for (int c = 0; c < 3; c++) force[c] = side.weight[k] * push * con->frame[c];
        flexPush(m, d, side.body[k], (const V*)con->pos, force, LANES(d->qfrc_spring));
      }
    }
  }
}
