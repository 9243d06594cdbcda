// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What contact_geometry.c finds for contact_slope.c. Include lanes/lanes.h first.
#ifndef SHEAF_DERIVE_CONTACT_SLOPE_H_
#define SHEAF_DERIVE_CONTACT_SLOPE_H_

#include <mujoco/mujoco.h>

#include "model/contact_lanes.h"

// how a contact changes: its distance, its point, and the turn of its frame
typedef struct LANE(Change_) {
  V dist;
  V pos[3];
  V turn[3];
} LANE(Change);

// By the coordinates of both geoms: moves along the axes of the world, turns about them through the geom's center
typedef struct LANE(Geometry_) {
  LANE(Change) by[2][6];

  // states in which they are differences instead, and these: one for each of ndof dofs, in ascending order
  M differed;
  int ndof;
  const int* dof;
  LANE(Change)* moved;
} LANE(Geometry);

// Those of a contact of spheres, capsules and planes. Returns the states in which they are, as two axes are not
// parallel and the like: none for other geoms. (round_geometry.c)
M LANE(roundGeometry)(const mjModel* m, const mjData* d, const LANE(Contact)* con, LANE(Geometry)* g);

// Changes of ncon consecutive contacts of one pair of geoms, in part on the stack of d. Nothing else of d changes.
// `wanted` says for each dof whether its changes are; NULL: all.
void LANE(contactGeometry)(const mjModel* m, mjData* d, const LANE(Contact)* con, int ncon, const char* wanted,
                           LANE(Geometry)* g);

// How a contact changes with dof k, from the changes with its geoms.
void LANE(contactChange)(const mjModel* m, const mjData* d, const LANE(Contact)* con, const LANE(Geometry)* g, int k,
                         LANE(Change)* out);

// How many consecutive contacts the pair of contact `first` has.
int LANE(countPair)(const mjData* d, int first);

#endif  // SHEAF_DERIVE_CONTACT_SLOPE_H_
