// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constraint forces as wrenches on bodies.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "collide/slot.h"
#include "constraint/block.h"
#include "dynamics/rne.h"
#include "dynamics/spatial.h"
#include "model/work.h"

// apply the force of a contact, given in its frame, to both bodies
static void applyContact(const mjModel* m, mjData* d, const int geom[2], const V* local,
                         const V* frame, const V* pos) {
  V force[3], torque[3];
  mulMatT3(force, frame, local);
  mulMatT3(torque, frame, local + 3);
  LANE(addWrench)(m, d, m->geom_bodyid[geom[0]], torque, force, pos, -1);
  LANE(addWrench)(m, d, m->geom_bodyid[geom[1]], torque, force, pos, 1);
}

// connect lists the anchors of both bodies in order, weld the other way round
int LANE(equalityPoint)(const mjModel* m, const mjData* d, int eq, int second, V pos[3]) {
  int obj = second ? m->eq_obj2id[eq] : m->eq_obj1id[eq];
  if (m->eq_objtype[eq] == mjOBJ_SITE) {
    copy3(pos, CLANES(d->site_xpos) + 3 * obj);
    return m->site_bodyid[obj];
  }
  int last = second == (m->eq_type[eq] == mjEQ_CONNECT);
  mulMat3S(pos, CLANES(d->xmat) + 9 * obj, m->eq_data + mjNEQDATA * eq + 3 * last);
  for (int k = 0; k < 3; k++) pos[k] = pos[k] + CLANES(d->xpos)[3 * obj + k];
  return obj;
}

// apply the force of an equality, whose first row is given, to both bodies; returns the number of rows
static int applyEquality(const mjModel* m, mjData* d, int eq, int row) {
  int type = m->eq_type[eq];
  if (type != mjEQ_CONNECT && type != mjEQ_WELD) return 1;
  const V* force = CLANES(d->efc_force) + row;
  V torque[3], pos[3];
  zeroN(torque, 3);
  if (type == mjEQ_WELD) copy3(torque, force + 3);
  for (int i = 0; i < 2; i++) {
    int body = LANE(equalityPoint)(m, d, eq, i, pos);
    LANE(addWrench)(m, d, body, torque, force, pos, i ? -1 : 1);
  }
  return type == mjEQ_WELD ? 6 : 3;
}

#if SHEAF_LANES == 1

void LANE(contactWrenches)(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    if (con->efc_address < 0 || con->geom[0] < 0 || con->geom[1] < 0) continue;
    mjtNum local[6];
    mj_contactForce(m, d, i, local);
    applyContact(m, d, con->geom, local, con->frame, con->pos);
  }
}

void LANE(equalityWrenches)(const mjModel* m, mjData* d) {
  for (int row = 0; row < d->ne;) row += applyEquality(m, d, d->efc_id[row], row);
}

#else

// force of a contact block in its frame
static void blockForce(const mjData* d, const mjiBlock* block, V* local) {
  const V* force = CLANES(d->efc_force) + block->efcadr;
  zeroN(local, 6);
  if (block->type != mjCNSTR_CONTACT_PYRAMIDAL) {
    copyN(local, force, block->dim);
    return;
  }
  for (int k = 1; k < block->dim; k++) {
    V plus = force[2*k - 2], minus = force[2*k - 1];
    local[0] = local[0] + plus + minus;    // in the order of mju_decodePyramid
    local[k] = block->friction[k-1] * (plus - minus);
  }
}

void LANE(contactWrenches)(const mjModel* m, mjData* d) {
  const mjiWork* work = mji_work(d);
  const LANE(Slot)* slots = work->slot;
  for (int i = 0; i < work->nblock; i++) {
    const mjiBlock* block = work->block + i;
    if (block->type < mjCNSTR_CONTACT_FRICTIONLESS) continue;
    V local[6];
    blockForce(d, block, local);
    const LANE(Slot)* slot = slots + block->id;
    applyContact(m, d, slot->geom, local, slot->frame, slot->pos);
  }
}

void LANE(equalityWrenches)(const mjModel* m, mjData* d) {
  const mjiWork* work = mji_work(d);
  for (int i = 0; i < work->nblock; i++) {
    const mjiBlock* block = work->block + i;
    if (block->type == mjCNSTR_EQUALITY) applyEquality(m, d, block->id, block->efcadr);
  }
}

#endif
