// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Projected Gauss-Seidel on the dual problem: minimize 1/2 f' A f + f' b over forces f in their
// cones, with A = J inv(M) J' + R and b = J a0 - aref.
//
// A is dense. Scalar rows are swept over lanes; the bounded problem of an elliptic contact is solved lane by lane.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block_lanes.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/row_class.h"
#include "model/work.h"
#include "solve/dual.h"
#include "solve/primal.h"
#include "solve/scratch.h"
#include "solve/sweep.h"

typedef LANE(Sweep) Sweep;

// With one lane and dense Jacobians the position stage has made this matrix, d->efc_AR. A caller that changes the
// matrix gets a copy of its own.
static V* matrix(const mjModel* m, mjData* d, int own) {
  size_t n = (size_t)d->nefc;
  int made = ONE_STATE && !mj_isSparse(m);
  if (made && !own) return LANES(d->efc_AR);
  V* A = stackV(d, n * n);
  if (made) memcpy(A, d->efc_AR, n * n * sizeof(V));
  else LANE(dualMatrix)(m, d, (mjtNum*)A);
  return A;
}

void LANE(sweepBegin)(const mjModel* m, mjData* d, M live, int own, Sweep* s) {
  size_t n = (size_t)d->nefc;
  const V* aref = CLANES(d->efc_aref);
  *s = (Sweep){.m = m, .d = d, .n = d->nefc, .force = LANES(d->efc_force), .live = live, .A = matrix(m, d, own)};
  s->b = stackV(d, n);
  s->res = stackV(d, n);
  LANE(blockMulJ)(m, d, s->b, CLANES(d->qacc_smooth));
  for (size_t i = 0; i < n; i++) s->res[i] = s->b[i] = s->b[i] - aref[i];
}

// start from the forces of the last acceleration, in lanes where they cost less than no forces
static void warmstart(Sweep* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  const V* aref = CLANES(d->efc_aref);
  for (int i = 0; i < s->n; i++) s->force[i] = v_zero();
  if (mjDISABLED(mjDSBL_WARMSTART)) return;

  V* jar = stackV(d, s->n);
  LANE(blockMulJ)(m, d, jar, CLANES(d->qacc_warmstart));
  for (int i = 0; i < s->n; i++) jar[i] = jar[i] - aref[i];
  LANE(penalty)(m, d, jar, s->force);
  for (int i = 0; i < s->n; i++) sweepMove(s, i, s->force[i]);
  V cost = v_zero();
  for (int i = 0; i < s->n; i++) cost = cost + 0.5 * s->force[i] * (s->res[i] + s->b[i]);
  M use = ~v_gt(cost, v_zero());
  for (int i = 0; i < s->n; i++) {
    s->force[i] = v_and(use, s->force[i]);
    s->res[i] = v_sel(use, s->res[i], s->b[i]);
  }
}

// Move the force of one row to the minimum within lo .. hi, unless that raises the cost.
static V sweepRow(Sweep* s, int i, V inverse, V lo, V hi) {
  V res = s->res[i], old = s->force[i];
  V next = v_clip(old - res * inverse, lo, hi);
  V delta = next - old;
  V change = delta * (0.5 * (delta * s->A[(size_t)i * s->n + i]) + res);
  M take = sweepHas(s, i) & ~v_gt(change, v_set1(1e-10));
  s->force[i] = v_sel(take, next, old);
  sweepMove(s, i, v_and(take, delta));
  return v_and(take, change);
}

static V sweepCone(Sweep* s, const mjiBlock* b) {
  V total = v_zero(), delta[MJI_SWEEP_DIM] = {v_zero()};
  int i = b->efcadr, dim = b->dim;
  M on = sweepHas(s, i);
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (!m_get(on, lane)) continue;
    mjtNum A[MJI_SWEEP_DIM * MJI_SWEEP_DIM], res[MJI_SWEEP_DIM], force[MJI_SWEEP_DIM], friction[MJI_SWEEP_DIM];
    sweepRead(s, lane, i, dim, res, force, A);
    n_take(friction, frictionOf(b), dim - 1, lane);
    v_put(&total, lane, mji_coneSweep(force, A, res, friction, dim));
    for (int r = 0; r < dim; r++) v_put(&delta[r], lane, force[r] - v_get(s->force[i + r], lane));
    for (int r = 0; r < dim; r++) v_put(&s->force[i + r], lane, force[r]);
  }
  for (int r = 0; r < dim; r++) sweepMove(s, i + r, delta[r]);
  return total;
}

// inverse: (n) of the diagonal of A
static V sweep(Sweep* s, const V* inverse) {
  const mjiWork* w = mji_work(s->d);
  const V* loss = CLANES(s->d->efc_frictionloss);
  V huge = v_set1(LANE_HUGE), change = v_zero();
  for (const mjiBlock* b = w->block; b < w->block + w->nblock; b++) {
    if (b->type == mjCNSTR_CONTACT_ELLIPTIC) {
      change = change + sweepCone(s, b);
      continue;
    }
    int friction = mji_isFriction(b->type), equality = b->type == mjCNSTR_EQUALITY;
    for (int i = b->efcadr; i < b->efcadr + b->nrow; i++) {
      V lo = friction ? -loss[i] : equality ? -huge : v_zero(), hi = friction ? loss[i] : huge;
      change = change + sweepRow(s, i, inverse[i], lo, hi);
    }
  }
  return change;
}

void LANE(solvePGS)(const mjModel* m, mjData* d, M live) {
  mj_markStack(d);
  Sweep s;
  LANE(sweepBegin)(m, d, live, 0, &s);
  V* inverse = stackV(d, (size_t)s.n);
  for (int i = 0; i < s.n; i++) inverse[i] = 1.0 / s.A[(size_t)i * (size_t)s.n + (size_t)i];
  warmstart(&s);
  d->solver_niter[0] = d->solver_nnz[0] = 0;
  if (ONE_STATE) (void)mji_dualStates(m, d);
  N scale = 1.0 / (STAT(meaninertia)[0] * (mjtNum)(m->nv > 0 ? m->nv : 1));
  for (int iter = 0; iter < m->opt.iterations && m_any(s.live); iter++) {
    V improvement = -scale * sweep(&s, inverse);
    sweepCount(&s, improvement);
    s.live = s.live & v_ge(improvement, v_set1(m->opt.tolerance));
  }
  mj_freeStack(d);
}

// qacc and joint forces that follow from constraint forces, in the lanes given
void LANE(finishDual)(const mjModel* m, mjData* d, M on) {
  V *force = LANES(d->qfrc_constraint), *qacc = LANES(d->qacc);
  const V* free = CLANES(d->qacc_smooth);
  LANE(blockMulJT)(m, d, force, CLANES(d->efc_force));
  LANE(solveM)(m, d, d->qacc, d->qfrc_constraint, 1);
  for (int i = 0; i < m->nv; i++) qacc[i] = v_sel(on, qacc[i] + free[i], free[i]);
}
