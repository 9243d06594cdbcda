// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rotation of a weld: the rows that hold two bodies in one orientation, and the torque of their forces.
#ifndef SHEAF_DYNAMICS_WELD_H_
#define SHEAF_DYNAMICS_WELD_H_

#include "lanes/lanes.h"

#include "dynamics/spatial.h"
#include "model/number.h"

// rotation of a weld: the vector part of q = torquescale * conj(q2) q1, where q1 and q2 are the orientations that the
// weld makes equal
typedef struct {
  V first[4];   // q1
  V second[4];  // conj(q2)
  N scale;
} WeldRotation;

static inline void weldRotation(const mjModel* m, const mjData* d, int eq, WeldRotation* r) {
  const int id[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]};
  const V* xquat = CLANES(d->xquat);
  if (m->eq_objtype[eq] == mjOBJ_SITE) {
    mulQuatS(r->first, xquat + 4 * m->site_bodyid[id[0]], NUM(site_quat) + 4 * id[0]);
    mulQuatS(r->second, xquat + 4 * m->site_bodyid[id[1]], NUM(site_quat) + 4 * id[1]);
  } else {
    mulQuatS(r->first, xquat + 4 * id[0], NUM(eq_data) + mjNEQDATA * eq + 6);
    copyN(r->second, xquat + 4 * id[1], 4);
  }
  for (int k = 1; k < 4; k++) r->second[k] = -r->second[k];
  r->scale = NUM(eq_data)[mjNEQDATA * eq + 10];
}

// 1/2 conj(q2) w q1
static inline void weldColumn(const WeldRotation* r, const V w[3], V res[3]) {
  V turn[4] = {v_zero(), w[0], w[1], w[2]};
  mulQuatV(turn, r->second, turn);
  mulQuatV(turn, turn, r->first);
  for (int k = 0; k < 3; k++) res[k] = 0.5 * r->scale * turn[1 + k];
}

// torque on the first body by the forces of the three rows; the second feels the opposite
static inline void weldTorque(const WeldRotation* r, const V force[3], V torque[3]) {
  for (int k = 0; k < 3; k++) {
    V w[3] = {v_zero(), v_zero(), v_zero()}, column[3];
    w[k] = v_set1(1);
    weldColumn(r, w, column);
    torque[k] = dot3(column, force);
  }
}

#endif  // SHEAF_DYNAMICS_WELD_H_
