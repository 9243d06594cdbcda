// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of the model that a contact carries. Two structures have these fields: the record of a contact
// (model/contact_lanes.h) and what the narrow phase mixes from two geoms (collide/contact.h). In both they lie side by
// side, in the order of mjContact, so that one copy moves all of them.
#ifndef SHEAF_MODEL_CONTACT_NUMBERS_H_
#define SHEAF_MODEL_CONTACT_NUMBERS_H_

#include <mujoco/mujoco.h>

// fields of type N
#define MJI_CONTACT_NUMBERS(N) \
  N includemargin;             \
  N friction[5];               \
  N solref[mjNREF];            \
  N solreffriction[mjNREF];    \
  N solimp[mjNIMP];

enum { MJI_NCONTACTNUMBER = 6 + 2 * mjNREF + mjNIMP };

#endif  // SHEAF_MODEL_CONTACT_NUMBERS_H_
