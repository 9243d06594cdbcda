// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Public functions of the constraint stage, and the row states that users may read after it.

#include <mujoco/mujoco.h>

#include "lanes/lanes.h"

#include "lanes/kernels.h"
#include "model/timer.h"
#include "solve/cone.h"
#include "solve/dual.h"
#include "solve/primal.h"

void mj_fwdConstraint(const mjModel* m, mjData* d) {
  mji_timer_stage(m, d, mjTIMER_CONSTRAINT, LANE1(fwdConstraint), MJI_WANT_ALL);
}

void mj_invConstraint(const mjModel* m, mjData* d) {
  mji_timer_stage(m, d, mjTIMER_CONSTRAINT, LANE1(invConstraint), MJI_WANT_ALL);
}

static int frictionState(mjtNum x, mjtNum edge) {
  return x <= -edge ? mjCNSTRSTATE_LINEARNEG : x >= edge ? mjCNSTRSTATE_LINEARPOS : mjCNSTRSTATE_QUADRATIC;
}

static void coneStates(const mjModel* m, mjData* d, int i, const mjtNum* jar, int hessian) {
  mjContact* con = d->contact + d->efc_id[i];
  mjiBlock b = {.dim = con->dim, .nrow = con->dim, .efcadr = i, .friction = con->friction};
  Cone c = coneAt(m, d, &b, d->efc_D[i], jar + i);
  int state = c.bottom ? mjCNSTRSTATE_QUADRATIC : c.middle ? mjCNSTRSTATE_CONE : mjCNSTRSTATE_SATISFIED;
  for (int j = 0; j < con->dim; j++) d->efc_state[i + j] = state;
  if (c.middle && hessian) LANE(coneHessian)(m, d, &b, jar + i, con->H);
}

void mji_rowStates(const mjModel* m, mjData* d, const mjtNum* jar, int hessian) {
  int *state = d->efc_state, start = d->ne + d->nf, nefc = d->nefc;
  for (int i = 0; i < d->ne; i++) state[i] = mjCNSTRSTATE_QUADRATIC;
  for (int i = d->ne; i < start; i++) {
    state[i] = frictionState(jar[i], d->efc_R[i] * d->efc_frictionloss[i]);
  }

  // all rows as one-sided rows, then those of elliptic cones again
  for (int i = start; i < nefc; i++) {
    state[i] = jar[i] < 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
  }
  if (m->opt.cone != mjCONE_ELLIPTIC) return;
  for (int i = start; i < nefc; i++) {
    if (d->efc_type[i] != mjCNSTR_CONTACT_ELLIPTIC) continue;
    coneStates(m, d, i, jar, hessian);
    i += d->contact[d->efc_id[i]].dim - 1;
  }
}

void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1], int flg_coneHessian) {
  if (!d->nefc) {
    mju_zero(d->qfrc_constraint, m->nv);
    if (cost) *cost = 0;
    return;
  }
  mjtNum total = LANE(penalty)(m, d, jar, d->efc_force);
  mji_rowStates(m, d, jar, flg_coneHessian);
  mj_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
  if (cost) *cost = total;
}
