// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A contact in lane form: one slot per (geom pair, rank of the contact within the pair), shared by
// all lanes, with a mask of the lanes that have it. Slots are ordered as the contacts of one state
// are, so a lane meets its own contacts in the same order whoever its neighbours are.
// Include lanes/lanes.h first.
#ifndef SHEAF_COLLIDE_SLOT_H_
#define SHEAF_COLLIDE_SLOT_H_

#include <mujoco/mujoco.h>

typedef struct LANE(Slot_) {
  V dist;                  // distance, negative in penetration; zero in lanes that are off
  V pos[3];                // midpoint; zero in lanes that are off
  V frame[9];              // normal in [0-2], from geom[0] to geom[1]; zero in lanes that are off
  M on;                    // lanes in which this contact is in force: dist < includemargin

  // equal in all lanes, as in mjContact
  mjtNum includemargin;
  mjtNum friction[5];
  mjtNum solref[mjNREF];
  mjtNum solreffriction[mjNREF];
  mjtNum solimp[mjNIMP];
  int dim;
  int geom[2];
} LANE(Slot);

#endif  // SHEAF_COLLIDE_SLOT_H_
