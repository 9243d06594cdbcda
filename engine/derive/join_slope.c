// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative by position of the forces of connect and weld.
//
// Row r of the anchors is the unit vector e_r at both of them, in opposite directions. Row r of the orientations is the
// torque G_r, with G w the vector part of 1/2 scale conj(q2) w q1, on the first body and -G_r on the second; it turns
// as q1 and q2 do. All rows share an impedance, which follows the length of the whole residual.

#include "lanes/lanes.h"

#include "constraint/block_lanes.h"
#include "constraint/spring_lanes.h"
#include "derive/bend.h"
#include "derive/dof_motion.h"
#include "derive/slopes.h"
#include "dynamics/rne.h"
#include "dynamics/spatial.h"
#include "dynamics/weld.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"

typedef struct {
  int body[2];
  V anchor[2][3];
  WeldRotation rotation;
  V torque[9];  // G, row by row
} Join;

static void torques(const WeldRotation* r, V* G) {
  for (int k = 0; k < 3; k++) {
    V force[3] = {v_zero(), v_zero(), v_zero()};
    force[k] = v_set1(1);
    weldTorque(r, force, G + 3 * k);
  }
}

// change of G with dof k: that of each orientation in turn
static void torqueChange(const mjModel* m, const mjData* d, const Join* j, int k, V* dG) {
  V turn[2][4], part[9];
  for (int s = 0; s < 2; s++) {
    turn[s][0] = v_zero();
    turnMotion(m, d, j->body[s], k, turn[s] + 1);
    for (int r = 1; r < 4; r++) turn[s][r] = (s ? -0.5 : 0.5) * turn[s][r];
  }
  WeldRotation first = j->rotation, second = j->rotation;
  mulQuatV(first.first, turn[0], j->rotation.first);
  mulQuatV(second.second, j->rotation.second, turn[1]);
  torques(&first, dG);
  torques(&second, part);
  for (int r = 0; r < 9; r++) dG[r] = dG[r] + part[r];
}

// bend of row r of the rotations or of the anchors
static void rowBend(const mjModel* m, mjData* d, const Join* j, int r, LANE(Bend)* b) {
  for (int c = 0; c < b->n; c++) {
    int k = b->col[c];
    V dG[9];
    if (r >= 3) torqueChange(m, d, j, k, dG);
    for (int s = 0; s < 2; s++) {
      lane_t sign = s ? -1 : 1;
      LANE(Push) push, change;
      zeroN(push.force, 3);
      zeroN(push.torque, 3);
      zeroN(change.force, 3);
      zeroN(change.torque, 3);
      copyN(push.point, j->anchor[s], 3);
      pointMotion(m, d, j->body[s], k, j->anchor[s], change.point);
      if (r < 3) push.force[r] = v_set1(sign);
      for (int i = 0; r >= 3 && i < 3; i++) {
        push.torque[i] = sign * j->torque[3 * (r - 3) + i];
        change.torque[i] = sign * dG[3 * (r - 3) + i];
      }
      LANE(bendPush)(m, d, b, k, j->body[s], &push, &change);
    }
  }
}

// slope of the impedance by the length of the residual, and the length
static V impedanceOf(const mjModel* m, const mjData* d, const mjiBlock* b, Spring* spring, V* slope, V* length) {
  const V* pos = CLANES(d->efc_pos) + b->efcadr;
  V square = v_zero();
  for (int r = 0; r < b->dim; r++) square = square + pos[r] * pos[r];
  *length = v_sqrt(square);
  initSpring(m, d, NUM(eq_solref) + mjNREF * b->id, NUM(eq_solimp) + mjNIMP * b->id, spring);
  return impedance(spring, *length, slope);
}

// what follows the residual: y_r += K (imp d pos_r + d imp pos_r), and weights that follow the impedance
static void addResidual(const mjModel* m, const mjData* d, const mjiBlock* b, const V* force, V* column) {
  const V *pos = CLANES(d->efc_pos) + b->efcadr, *J = CLANES(b->J);
  Spring spring;
  V slope, length, imp = impedanceOf(m, d, b, &spring, &slope, &length);
  M none = v_lt(length, v_set1(mjMINVAL));
  V inv = v_and(~none, 1.0 / v_sel(none, v_set1(1), length));
  for (int c = 0; c < b->ncol; c++) {
    V* to = column + (size_t)b->col[c] * (size_t)m->nv;
    V along = v_zero();
    for (int r = 0; r < b->dim; r++) along = along + pos[r] * J[r * b->ncol + c];
    V change = slope * (along * inv);
    for (int r = 0; r < b->dim; r++) {
      V weight = CLANES(d->efc_D)[b->efcadr + r], f = force[b->efcadr + r];
      V df = f * (change / (imp * (1.0 - imp))) - weight * (spring.K * (imp * J[r * b->ncol + c] + change * pos[r]));
      for (int i = 0; i < b->ncol; i++) to[b->col[i]] = to[b->col[i]] - J[r * b->ncol + i] * df;
    }
  }
}

void LANE(joinByPosition)(const mjModel* m, mjData* d, const mjiBlock* b, const V* force, V* column) {
  Join j;
  mj_markStack(d);
  for (int s = 0; s < 2; s++) j.body[s] = LANE(equalityPoint)(m, d, b->id, s, j.anchor[s]);
  if (b->dim > 3) {
    weldRotation(m, d, b->id, &j.rotation);
    torques(&j.rotation, j.torque);
  }
  LANE(Bend) bend;
  LANE(startBend)(m, d, j.body, 2, 0, &bend);
  V *x = LANES(mji_stackNum(d, (size_t)m->nv)), *motion = LANES(mji_stackNum(d, (size_t)bend.n));
  for (int i = 0; i < m->nv; i++) x[i] = CLANES(d->qacc)[i] + dampingOf(b, 0) * CLANES(d->qvel)[i];
  for (int r = 0; r < b->dim; r++) {
    V weight = CLANES(d->efc_D)[b->efcadr + r];
    zeroN(bend.slope, bend.n * bend.n);
    rowBend(m, d, &j, r, &bend);
    LANE(bendTimes)(&bend, x, motion);
    for (int k = 0; k < bend.n; k++) motion[k] = weight * motion[k];
    LANE(addArmTimes)(m, &bend, b->ncol, b->col, CLANES(b->J) + r * b->ncol, motion, column);
    LANE(addBend)(m, d, &bend, -force[b->efcadr + r], 0, column);
  }
  addResidual(m, d, b, force, column);
  mj_freeStack(d);
}
