// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constraint forces as wrenches on bodies.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/rne.h"
#include "dynamics/spatial.h"
#include "dynamics/weld.h"
#include "model/contact_lanes.h"
#include "model/equality_row.h"
#include "model/number.h"

// apply the force of a contact, given in its frame, to the bodies of both sides
static void applyContact(const mjModel* m, mjData* d, const LANE(Contact)* con, const V* local) {
  V force[3], torque[3];
  mulMatT3(force, con->frame, local);
  mulMatT3(torque, con->frame, local + 3);
  for (int i = 0; i < 2; i++) {
    mjiSide side = mji_contactSide(m, con->geom, i);
    for (int k = 0; k < side.n; k++) {
      LANE(addWrench)(m, d, side.body[k], torque, force, con->pos, i ? side.weight[k] : -side.weight[k]);
    }
  }
}

// connect lists the anchors of both bodies in order, weld the other way round
int LANE(equalityPoint)(const mjModel* m, const mjData* d, int eq, int second, V pos[3]) {
  int obj = second ? m->eq_obj2id[eq] : m->eq_obj1id[eq];
  if (m->eq_objtype[eq] == mjOBJ_SITE) {
    copy3(pos, CLANES(d->site_xpos) + 3 * obj);
    return m->site_bodyid[obj];
  }
  int last = second == (m->eq_type[eq] == mjEQ_CONNECT);
  mulMat3S(pos, CLANES(d->xmat) + 9 * obj, NUM(eq_data) + mjNEQDATA * eq + 3 * last);
  for (int k = 0; k < 3; k++) pos[k] = pos[k] + CLANES(d->xpos)[3 * obj + k];
  return obj;
}

// apply the force of an equality, whose first row is given, to both bodies; returns the number of rows
static int applyEquality(const mjModel* m, mjData* d, int eq, int row) {
  int dim = mji_equalityRow(m->eq_type[eq])->dim;
  if (!mji_equalityOfPoints(m, eq)) return dim;
  const V* force = CLANES(d->efc_force) + row;
  V torque[3], pos[3];
  zeroN(torque, 3);
  if (dim == 6) {
    WeldRotation r;
    weldRotation(m, d, eq, &r);
    weldTorque(&r, force + 3, torque);
  }
  for (int i = 0; i < 2; i++) {
    int body = LANE(equalityPoint)(m, d, eq, i, pos);
    LANE(addWrench)(m, d, body, torque, force, pos, i ? -1 : 1);
  }
  return dim;
}

// force of a contact in its frame, from its rows
static void contactForce(const mjModel* m, const mjData* d, const LANE(Contact)* con, V local[6]) {
  const V* force = CLANES(d->efc_force) + con->efc_address;
  zeroN(local, 6);
  if (con->dim == 1 || m->opt.cone != mjCONE_PYRAMIDAL) {
    copyN(local, force, con->dim);
    return;
  }
  for (int k = 1; k < con->dim; k++) {
    V plus = force[2 * k - 2], minus = force[2 * k - 1];
    local[0] = local[0] + plus + minus;  // in the order of mju_decodePyramid
    local[k] = con->friction[k - 1] * (plus - minus);
  }
}

void LANE(contactWrenches)(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->ncon; i++) {
    const LANE(Contact)* con = laneContacts(d) + i;
    if (con->efc_address < 0 || !mji_contactHasSides(m, con->geom)) continue;
    V local[6];
    contactForce(m, d, con, local);
    applyContact(m, d, con, local);
  }
}

void LANE(equalityWrenches)(const mjModel* m, mjData* d) {
  for (int row = 0; row < d->ne;) row += applyEquality(m, d, d->efc_id[row], row);
}
