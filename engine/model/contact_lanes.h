// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The record of a contact, for any number of lanes. As with the other arrays of mjData, one state has the public array:
// with one lane the record is an mjContact, and programs read and change what the kernels use. In a lane group the
// geometry has a number per lane, and a record stands for a geom pair and a rank of the contact within the pair, with a
// mask of the lanes that have it. Records come in the same order as the contacts of one state, so that a lane meets its
// own contacts in the same order whatever its neighbours have. Include lanes/lanes.h first.
#ifndef SHEAF_MODEL_CONTACT_LANES_H_
#define SHEAF_MODEL_CONTACT_LANES_H_

#include <stddef.h>

#include <mujoco/mujoco.h>

#include "model/contact_numbers.h"
#include "model/contact_side.h"
#include "model/number.h"

// Fields in the order of mjContact. may_alias, because the same memory is also used as mjContact.
typedef struct LANE(Contact_) {
  V dist;      // distance, negative in penetration; a group: zero in lanes without the contact
  V pos[3];    // midpoint; a group: zero in lanes without the contact
  V frame[9];  // normal in [0-2], from geom[0] to geom[1]; a group: zero in lanes without the contact

  // numbers of the model
  MJI_CONTACT_NUMBERS(N)
  N mu;

  // from here on equal in all lanes, except the mask
  union {
    mjtNum H[ONE_STATE ? 36 : 1];  // Hessian of the cone, for programs
    M on;                          // a group: lanes that have the contact
  };
  int dim;
  int geom1, geom2;
  int geom[2], flex[2], elem[2], vert[2];
  int exclude;  // lanes in force and lanes in the gap have records of their own
  int efc_address;
} __attribute__((may_alias)) LANE(Contact);

_Static_assert(!ONE_STATE || sizeof(LANE(Contact)) == sizeof(mjContact), "the record of one state is mjContact");
_Static_assert(!ONE_STATE || offsetof(LANE(Contact), H) == offsetof(mjContact, H),
               "the record of one state is mjContact");
_Static_assert(!ONE_STATE || offsetof(LANE(Contact), vert) == offsetof(mjContact, vert),
               "the record of one state is mjContact");

// The records of a state or a lane group, d->ncon of them.
static inline LANE(Contact)* laneContacts(const mjData* d) { return (LANE(Contact)*)(void*)d->contact; }

// Lanes that have a contact.
static inline M laneContactOn(const LANE(Contact)* contact) { return ONE_STATE ? m_full() : contact->on; }

#endif  // SHEAF_MODEL_CONTACT_LANES_H_
