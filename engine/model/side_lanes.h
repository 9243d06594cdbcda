// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The sides of a contact record (model/contact_side.h), over lanes: bodies that are the same in all lanes, and a weight
// for each lane. Include lanes/lanes.h first.
#ifndef SHEAF_MODEL_SIDE_LANES_H_
#define SHEAF_MODEL_SIDE_LANES_H_

#include "model/contact_lanes.h"
#include "model/contact_side.h"

typedef struct {
  int n;
  const int* body;
  const V* weight;
} LANE(Side);

typedef struct {
  int body[mjMAXFLEXNODES];
  V weight[mjMAXFLEXNODES];
} LANE(SideRoom);

// mjContact.exclude of a contact of a flex that is a spring (flex_passive) and has no rows.
enum { MJI_CONTACT_PASSIVE = 4 };

// Bodies and weights of a side that is an element or a vertex of a flex (mji_flexSide says which); returns their
// number. `on`: lanes that have the contact.
int LANE(flexSideOn)(const mjModel* m, const mjData* d, const int part[3], const V pos[3], M on, int* body, V* weight);

// Side 0 or 1 of a record.
static inline LANE(Side) laneSide(const mjModel* m, const mjData* d, const LANE(Contact)* con, int i,
                                  LANE(SideRoom)* room) {
  int geom = con->geom[i];
  if (geom >= 0) {
    room->weight[0] = v_set1(1);
    return (LANE(Side)){1, m->geom_bodyid + geom, room->weight};
  }
  int part[3] = {con->flex[i], con->elem[i], mji_sideVertex(con->flex, con->elem, con->vert, i)};
  int n = 0;
  if (m->nflex) n = LANE(flexSideOn)(m, d, part, (const V*)con->pos, laneContactOn(con), room->body, room->weight);
  return (LANE(Side)){n, room->body, room->weight};
}

#endif  // SHEAF_MODEL_SIDE_LANES_H_
