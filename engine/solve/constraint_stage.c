// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constraint stage of forward and inverse dynamics: solver, result.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "base/assert.h"
#include "constraint/island.h"
#include "lanes/kernels.h"
#include "model/block.h"
#include "model/work.h"
#include "solve/center.h"
#include "solve/dual.h"
#include "solve/invariants.h"
#include "solve/primal.h"
#include "solve/scratch.h"

// lanes that have constraint rows
static M constrained(const mjData* d) {
  const mjiWork* w = mji_work(d);
  M on = m_none();
  for (int k = 0; k < w->nblock; k++) on = on | blockLanes(w->block + k);
  return on;
}

// Write the states of rows, for users. As in the reference, with islands iefc_state has the final states, and efc_state
// has those of the unconstrained acceleration, or zeros if warm start is disabled and nobody computes them.
static void exportStates(const mjModel* m, mjData* d, const mjtNum* jar, const mjtNum* cold) {
  mji_rowStates(m, d, jar, m->opt.solver == mjSOL_NEWTON);
  if (m->opt.noslip_iterations > 0) return;
  mju_copy(d->efc_b, cold, d->nefc);
  mji_island_gather(m, d);
  if (!d->nisland) return;
  if (mjDISABLED(mjDSBL_WARMSTART)) {
    memset(d->efc_state, 0, (size_t)d->nefc * sizeof(int));
  } else {
    mji_rowStates(m, d, cold, 0);
  }
}

static void solvePrimal(const mjModel* m, mjData* d, M on, int want) {
  mj_markStack(d);
  size_t nv = (size_t)m->nv, nefc = (size_t)d->nefc;
  V* next = stackV(d, nv + 2 * nefc);
  V *Ma = takeV(&next, nv), *jar = takeV(&next, nefc), *cold = takeV(&next, nefc);
  LANE(Parts) parts;
  int islands = !mjDISABLED(mjDSBL_ISLAND), noslip = m->opt.noslip_iterations > 0;
  LANE(partsMake)(m, d, on, islands, &parts);
  V* penalty = stackV(d, (size_t)parts.n);
  int known = LANE(startPrimal)(m, d, &parts, Ma, jar, cold, penalty);

  // the reference solves all islands as one if noslip follows
  if (islands && noslip) {
    LANE(partsMake)(m, d, on, 0, &parts);
    known = 0;
  }
  LANE(solvePrimal)(m, d, &parts, m->opt.solver == mjSOL_NEWTON, Ma, jar, known ? penalty : NULL);
  if (ONE_STATE && want & MJI_WANT_EXPORT) exportStates(m, d, (const mjtNum*)jar, (const mjtNum*)cold);
  mj_freeStack(d);
}

// Solve from the center, and lanes in which that fails as if there were none.
static void solveNearCenter(const mjModel* m, mjData* d, M on) {
  M solved = LANE(solveFromCenter)(m, d), left = on & ~solved;
  if (!m_any(left)) return;
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    mji_work(d)->center->nleft += m_get(left, lane);
    if (m_get(left, lane)) mji_work(d)->niter[lane] = 0;
  }
  mj_markStack(d);
  int nv = m->nv, nefc = d->nefc;
  V* kept[] = {LANES(d->qacc), LANES(d->qfrc_constraint), LANES(d->efc_force)};
  const int n[] = {nv, nv, nefc};
  V *save = stackV(d, 2 * (size_t)nv + (size_t)nefc), *to = save;
  for (int k = 0; k < 3; to += n[k++]) memcpy(to, kept[k], (size_t)n[k] * sizeof(V));
  solvePrimal(m, d, left, 0);
  const V* from = save;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n[k]; i++, from++) kept[k][i] = v_sel(left, kept[k][i], *from);
  }
  mj_freeStack(d);
}

// what users read of rows after solvers that work on forces: efc_b, and copies in the order of islands
static void exportRows(const mjModel* m, mjData* d) {
  LANE(residuals)(m, d, LANES(d->efc_b), CLANES(d->qacc_smooth));
  mji_island_gather(m, d);
}

void LANE(fwdConstraint)(const mjModel* m, mjData* d, int want) {
  int nv = m->nv;
  V *qacc = LANES(d->qacc), *force = LANES(d->qfrc_constraint);
  const V* free = CLANES(d->qacc_smooth);
  memset(mji_work(d)->niter, 0, sizeof mji_work(d)->niter);
  if (!d->nefc) {
    for (int i = 0; i < nv; i++) {
      qacc[i] = free[i];
      force[i] = v_zero();
    }
    d->solver_niter[0] = 0;
    return;
  }

  MJ_ASSERT(blocksAreSound(m, d));
  M on = constrained(d);
  if (mji_work(d)->center) {
    solveNearCenter(m, d, on);
  } else if (m->opt.solver == mjSOL_PGS) {
    LANE(solvePGS)(m, d, on);
    LANE(finishDual)(m, d, on);
  } else {
    solvePrimal(m, d, on, want);
  }
  if (m->opt.noslip_iterations > 0) {
    LANE(solveNoslip)(m, d, on, NULL, 0);
    LANE(finishDual)(m, d, on);
  }
  MJ_ASSERT(forcesAreSound(d));
  if (ONE_STATE && want & MJI_WANT_EXPORT && mj_isDual(m)) exportRows(m, d);
}

void LANE(invConstraint)(const mjModel* m, mjData* d, int want) {
  V* force = LANES(d->qfrc_constraint);
  memset(mji_work(d)->niter, 0, sizeof mji_work(d)->niter);
  if (!d->nefc) {
    for (int i = 0; i < m->nv; i++) force[i] = v_zero();
    return;
  }
  MJ_ASSERT(blocksAreSound(m, d));
  mj_markStack(d);
  V* jar = LANES(mji_stackNum(d, d->nefc));
  LANE(residuals)(m, d, jar, CLANES(d->qacc));
  LANE(penalty)(m, d, jar, LANES(d->efc_force));
  LANE(blockMulJT)(m, d, force, CLANES(d->efc_force));
  if (ONE_STATE && want & MJI_WANT_EXPORT) mji_rowStates(m, d, (const mjtNum*)jar, 0);
  mj_freeStack(d);
}

void LANE(noslipFrom)(const mjModel* m, mjData* d, int* sweeps, int fixed) {
  LANE(invConstraint)(m, d, 0);
  if (!d->nefc) return;
  mj_markStack(d);
  M on = constrained(d);
  V* qacc = stackV(d, (size_t)m->nv);
  memcpy(qacc, CLANES(d->qacc), (size_t)m->nv * sizeof(V));
  LANE(solveNoslip)(m, d, on, sweeps, fixed);
  LANE(finishDual)(m, d, on);
  for (int i = 0; i < m->nv; i++) LANES(d->qacc)[i] = v_sel(on, CLANES(d->qacc)[i], qacc[i]);
  mj_freeStack(d);
}
