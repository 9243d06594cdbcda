// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constraint stage of forward and inverse dynamics: warm start, solver, result.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "solve/primal.h"
#if SHEAF_LANES == 1
#include "constraint/island.h"
#include "solve/dual.h"
#endif

// lanes that have constraint rows
static M constrained(const mjData* d) {
  const mjiWork* w = mji_work(d);
  M on = m_none();
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    on = on | (b->on ? *(const M*)b->on : m_full());
  }
  return on;
}

// cost of an acceleration: 1/2 (a - a0)' M (a - a0) + s(J a - aref)
static V totalCost(const mjModel* m, mjData* d, const V* qacc, V* jar, V* Ma) {
  const V* aref = CLANES(d->efc_aref), *smooth = CLANES(d->qfrc_smooth), *free = CLANES(d->qacc_smooth);
  LANE(blockMulJ)(m, d, jar, qacc);
  for (int i = 0; i < d->nefc; i++) jar[i] = jar[i] - aref[i];
  V cost = LANE(penalty)(m, d, jar, NULL);
  if (!Ma) return cost;
  V gauss = v_zero();
  LANE(mulM)(m, d, (mjtNum*)Ma, (const mjtNum*)qacc);
  for (int i = 0; i < m->nv; i++) gauss = gauss + (Ma[i] - smooth[i]) * (qacc[i] - free[i]);
  return cost + 0.5 * gauss;
}

// start from the last acceleration or from the unconstrained one, whichever costs less
static void warmstart(const mjModel* m, mjData* d, M on) {
  int nv = m->nv;
  V* qacc = LANES(d->qacc);
  const V* free = CLANES(d->qacc_smooth), *last = CLANES(d->qacc_warmstart);
  M use = m_none();
  if (!mjDISABLED(mjDSBL_WARMSTART)) {
    mj_markStack(d);
    V* jar = LANES(mji_stackNum(d, d->nefc)), *Ma = LANES(mji_stackNum(d, nv));
    V warm = totalCost(m, d, last, jar, Ma), cold = totalCost(m, d, free, jar, NULL);
    use = on & v_le(warm, cold);
    mj_freeStack(d);
  }
  for (int i = 0; i < nv; i++) qacc[i] = v_sel(use, last[i], free[i]);
}

#if SHEAF_LANES == 1
// what users may read after a solve, beyond forces and accelerations
static void exportRows(const mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtNum* jar = mj_stackAllocNum(d, d->nefc);
  LANE(blockMulJ)(m, d, d->efc_b, d->qacc_smooth);
  LANE(blockMulJ)(m, d, jar, d->qacc);
  for (int i = 0; i < d->nefc; i++) {
    d->efc_b[i] -= d->efc_aref[i];
    jar[i] -= d->efc_aref[i];
  }
  mji_rowStates(m, d, jar);
  mj_freeStack(d);
  mji_island_gather(m, d);
}

#endif

void LANE(fwdConstraint)(const mjModel* m, mjData* d) {
  int nv = m->nv;
  V* qacc = LANES(d->qacc), *force = LANES(d->qfrc_constraint);
  const V* free = CLANES(d->qacc_smooth);
  if (!d->nefc) {
    for (int i = 0; i < nv; i++) {
      qacc[i] = free[i];
      force[i] = v_zero();
    }
    d->solver_niter[0] = 0;
    return;
  }

  M on = constrained(d);
  if (m->opt.solver == mjSOL_PGS) {
    LANE(solvePGS)(m, d, on);
    LANE(finishDual)(m, d, on);
  } else {
    warmstart(m, d, on);
    LANE(solvePrimal)(m, d, on, m->opt.solver == mjSOL_NEWTON);
  }
#if SHEAF_LANES == 1
  if (m->opt.noslip_iterations > 0) {
    LANE(blockMulJ)(m, d, d->efc_b, d->qacc_smooth);
    mju_subFrom(d->efc_b, d->efc_aref, d->nefc);
    mji_solveNoSlip(m, d, m->opt.noslip_iterations);
    LANE(finishDual)(m, d, on);
  }
  if (mji_work(d)->output & MJI_OUT_API) exportRows(m, d);
#endif
}

void LANE(invConstraint)(const mjModel* m, mjData* d) {
  V* force = LANES(d->qfrc_constraint);
  if (!d->nefc) {
    for (int i = 0; i < m->nv; i++) force[i] = v_zero();
    return;
  }
  mj_markStack(d);
  V* jar = LANES(mji_stackNum(d, d->nefc));
  const V* aref = CLANES(d->efc_aref);
  LANE(blockMulJ)(m, d, jar, CLANES(d->qacc));
  for (int i = 0; i < d->nefc; i++) jar[i] = jar[i] - aref[i];
  LANE(penalty)(m, d, jar, LANES(d->efc_force));
  LANE(blockMulJT)(m, d, force, CLANES(d->efc_force));
  mj_freeStack(d);
}
