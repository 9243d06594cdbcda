// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constraint stage of forward and inverse dynamics: warm start, solver, result.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "solve/primal.h"
#include "solve/scratch.h"
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

// J a - aref
static void residuals(const mjModel* m, const mjData* d, V* jar, const V* qacc) {
  const V* aref = CLANES(d->efc_aref);
  LANE(blockMulJ)(m, d, jar, qacc);
  for (int i = 0; i < d->nefc; i++) jar[i] = jar[i] - aref[i];
}

// Start from the last acceleration or from the unconstrained one, whichever costs less:
// 1/2 (a - a0)' M (a - a0) + s(J a - aref). Leaves M a and J a - aref of the choice, and J a0 -
// aref in `cold`.
static void warmstart(const mjModel* m, mjData* d, const LANE(Parts)* parts, M on, V* Ma, V* jar,
                      V* cold) {
  int nv = m->nv;
  V* qacc = LANES(d->qacc);
  const V *smooth = CLANES(d->qfrc_smooth), *free = CLANES(d->qacc_smooth),
          *last = CLANES(d->qacc_warmstart);
  M use = m_none();
  residuals(m, d, cold, free);
  if (!mjDISABLED(mjDSBL_WARMSTART)) {
    residuals(m, d, jar, last);
    LANE(mulM)(m, d, (mjtNum*)Ma, d->qacc_warmstart);
    V gauss = v_zero();
    for (int i = 0; i < nv; i++) gauss = gauss + (Ma[i] - smooth[i]) * (last[i] - free[i]);
    V cost = LANE(penalty)(m, d, jar, NULL) + 0.5 * gauss;
    use = on & v_le(cost, LANE(penalty)(m, d, cold, NULL));
  }

  // what is in no part has its acceleration already
  for (int s = 0; s < parts->nsegment; s++) {
    mjiSegment dofs = parts->segment[s];
    M warm = use & parts->on[s];
    for (int i = dofs.adr; i < dofs.adr + dofs.num; i++) {
      qacc[i] = v_sel(warm, last[i], free[i]);
      Ma[i] = v_sel(warm, Ma[i], smooth[i]);    // M a0 is the smooth force
    }
  }
  for (int i = 0; i < d->nefc; i++) jar[i] = v_sel(use, jar[i], cold[i]);
}

#if SHEAF_LANES == 1
// what users may read of the way there. With islands they see the final states of rows in
// iefc_state, and in efc_state those of the unconstrained acceleration, if warm starts have asked
static void exportStates(const mjModel* m, mjData* d, const mjtNum* jar, const mjtNum* cold) {
  mju_copy(d->efc_b, cold, d->nefc);
  mji_rowStates(m, d, jar, m->opt.solver == mjSOL_NEWTON);
  mji_island_gather(m, d);
  if (!d->nisland) return;
  if (mjDISABLED(mjDSBL_WARMSTART)) {
    memset(d->efc_state, 0, (size_t)d->nefc * sizeof(int));
  } else {
    mji_rowStates(m, d, cold, 0);
  }
}
#endif

static void solvePrimal(const mjModel* m, mjData* d, M on) {
  mj_markStack(d);
  size_t nv = (size_t)m->nv, nefc = (size_t)d->nefc;
  V* next = stackV(d, nv + 2 * nefc);
  V *Ma = takeV(&next, nv), *jar = takeV(&next, nefc), *cold = takeV(&next, nefc);
  LANE(Parts) parts;
  int islands = !mjDISABLED(mjDSBL_ISLAND), noslip = m->opt.noslip_iterations > 0;
  LANE(partsMake)(m, d, on, islands, &parts);
  warmstart(m, d, &parts, on, Ma, jar, cold);

  // before noslip all islands are solved as one
  if (islands && noslip) LANE(partsMake)(m, d, on, 0, &parts);
  LANE(solvePrimal)(m, d, &parts, m->opt.solver == mjSOL_NEWTON, Ma, jar);
#if SHEAF_LANES == 1
  if (mji_work(d)->output & MJI_OUT_API) {
    if (m->opt.noslip_iterations <= 0) exportStates(m, d, jar, cold);
    else mji_rowStates(m, d, jar, m->opt.solver == mjSOL_NEWTON);
  }
#endif
  mj_freeStack(d);
}

#if SHEAF_LANES == 1
// what users may read after solvers that work on forces
static void exportRows(const mjModel* m, mjData* d) {
  residuals(m, d, d->efc_b, d->qacc_smooth);
  mji_island_gather(m, d);
}
#endif

void LANE(fwdConstraint)(const mjModel* m, mjData* d) {
  int nv = m->nv;
  V *qacc = LANES(d->qacc), *force = LANES(d->qfrc_constraint);
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
    solvePrimal(m, d, on);
  }
#if SHEAF_LANES == 1
  if (m->opt.noslip_iterations > 0) {
    LANE(blockMulJ)(m, d, d->efc_b, d->qacc_smooth);
    mju_subFrom(d->efc_b, d->efc_aref, d->nefc);
    mji_solveNoSlip(m, d, m->opt.noslip_iterations);
    LANE(finishDual)(m, d, on);
  }
  if (mji_work(d)->output & MJI_OUT_API) {
    if (m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0) exportRows(m, d);
  }
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
  residuals(m, d, jar, CLANES(d->qacc));
  LANE(penalty)(m, d, jar, LANES(d->efc_force));
  LANE(blockMulJT)(m, d, force, CLANES(d->efc_force));
#if SHEAF_LANES == 1
  if (mji_work(d)->output & MJI_OUT_API) mji_rowStates(m, d, jar, 0);
#endif
  mj_freeStack(d);
}
