// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Projected Gauss-Seidel on the dual problem: minimize 1/2 f' A f + f' b over forces f in their
// cones, with A = J inv(M) J' + R and b = J a0 - aref.
//
// A is dense; with one lane and dense Jacobians it is d->efc_AR, which the position stage has made.
// Scalar rows are swept over lanes; the bounded problem of an elliptic contact is solved lane by
// lane.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "solve/dual.h"
#include "solve/primal.h"
#include "solve/scratch.h"

enum { MAXDIM = 6 };

typedef struct {
  const mjModel* m;
  mjData* d;
  int n;
  V* A;        // (n x n)
  V* inv;      // (n) inverse diagonal of A
  V* b;        // (n)
  V* res;      // (n) gradient A f + b, kept up to date as forces move
  V* force;    // (n)
  M live;
} Dual;

// force i moves by delta. Rows of A are columns, too; a sum over moves in their order, with zeros
// for rows that a lane does not have, is the same for any neighbours
static void moveForce(Dual* s, int i, V delta) {
  if (!m_any(~v_eq(delta, v_zero()))) return;
  const V* restrict row = s->A + (size_t)i * s->n;
  V* restrict res = s->res;
  for (int j = 0; j < s->n; j++) res[j] = res[j] + row[j] * delta;
}

static Dual begin(const mjModel* m, mjData* d, M live) {
  Dual s = {.m = m, .d = d, .n = d->nefc, .force = LANES(d->efc_force), .live = live};
  const V* aref = CLANES(d->efc_aref);
#if SHEAF_LANES == 1
  if (!mj_isSparse(m)) s.A = d->efc_AR;
#endif
  if (!s.A) {
    s.A = stackV(d, (size_t)s.n * s.n);
    LANE(dualMatrix)(m, d, (mjtNum*)s.A);
  }
  s.inv = stackV(d, s.n);
  s.b = stackV(d, s.n);
  s.res = stackV(d, s.n);
  for (int i = 0; i < s.n; i++) s.inv[i] = 1.0 / s.A[(size_t)i * s.n + i];
  LANE(blockMulJ)(m, d, s.b, CLANES(d->qacc_smooth));
  for (int i = 0; i < s.n; i++) s.b[i] = s.b[i] - aref[i];
  return s;
}

// start from the forces of the last acceleration, in lanes where they cost less than none at all
static void warmstart(Dual* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  const V* aref = CLANES(d->efc_aref);
  for (int i = 0; i < s->n; i++) {
    s->force[i] = v_zero();
    s->res[i] = s->b[i];
  }
  if (mjDISABLED(mjDSBL_WARMSTART)) return;

  V* jar = stackV(d, s->n);
  LANE(blockMulJ)(m, d, jar, CLANES(d->qacc_warmstart));
  for (int i = 0; i < s->n; i++) jar[i] = jar[i] - aref[i];
  LANE(penalty)(m, d, jar, s->force);
  for (int i = 0; i < s->n; i++) moveForce(s, i, s->force[i]);
  V cost = v_zero();
  for (int i = 0; i < s->n; i++) cost = cost + 0.5 * s->force[i] * (s->res[i] + s->b[i]);
  M use = ~v_gt(cost, v_zero());
  for (int i = 0; i < s->n; i++) {
    s->force[i] = v_and(use, s->force[i]);
    s->res[i] = v_sel(use, s->res[i], s->b[i]);
  }
}

// one row: move to the minimum, within lo .. hi; a move that does not pay is not made
static V sweepRow(Dual* s, int i, V lo, V hi) {
  V res = s->res[i], old = s->force[i];
  V next = v_clip(old - res * s->inv[i], lo, hi);
  V delta = next - old;
  V change = delta * (0.5 * (delta * s->A[(size_t)i * s->n + i]) + res);
  M take = s->live & ~v_gt(change, v_set1(1e-10)) & v_gt(CLANES(s->d->efc_D)[i], v_zero());
  s->force[i] = v_sel(take, next, old);
  moveForce(s, i, v_and(take, delta));
  return v_and(take, change);
}

static V sweepCone(Dual* s, const mjiBlock* b) {
  V total = v_zero(), delta[MAXDIM] = {0};
  int i = b->efcadr, dim = b->dim;
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (!m_get(s->live, lane) || v_get(CLANES(s->d->efc_D)[i], lane) == 0) continue;
    mjtNum A[MAXDIM * MAXDIM], g[MAXDIM], f[MAXDIM];
    for (int r = 0; r < dim; r++) {
      g[r] = v_get(s->res[i + r], lane);
      f[r] = v_get(s->force[i + r], lane);
      for (int c = 0; c < dim; c++)
        A[r * dim + c] = v_get(s->A[(size_t)(i + r) * s->n + i + c], lane);
    }
    v_put(&total, lane, mji_coneSweep(f, A, g, b->friction, dim));
    for (int r = 0; r < dim; r++) {
      v_put(&delta[r], lane, f[r] - v_get(s->force[i + r], lane));
      v_put(&s->force[i + r], lane, f[r]);
    }
  }
  for (int r = 0; r < dim; r++) moveForce(s, i + r, delta[r]);
  return total;
}

static V sweep(Dual* s) {
  const mjiWork* w = mji_work(s->d);
  const V* loss = CLANES(s->d->efc_frictionloss);
  V huge = v_set1(1e300), change = v_zero();
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    if (b->type == mjCNSTR_CONTACT_ELLIPTIC) {
      change = change + sweepCone(s, b);
      continue;
    }
    for (int i = b->efcadr; i < b->efcadr + b->nrow; i++) {
      V lo = v_zero(), hi = huge;
      if (b->type == mjCNSTR_EQUALITY) {
        lo = -huge;
      } else if (b->type <= mjCNSTR_FRICTION_TENDON) {
        lo = -loss[i];
        hi = loss[i];
      }
      change = change + sweepRow(s, i, lo, hi);
    }
  }
  return change;
}

void LANE(solvePGS)(const mjModel* m, mjData* d, M live) {
  mj_markStack(d);
  Dual s = begin(m, d, live);
  warmstart(&s);
  d->solver_niter[0] = 0;
#if SHEAF_LANES == 1
  int nactive, nchange;
  mji_dualStates(m, d, &nactive, &nchange);
#endif
  double scale = 1.0 / (m->stat.meaninertia * (m->nv > 0 ? m->nv : 1));
  int iter = 0;
  while (iter < m->opt.iterations && m_any(s.live)) {
    V improvement = -scale * sweep(&s);
    iter++;
#if SHEAF_LANES == 1
    mji_dualRecord(m, d, improvement);
#else
    d->solver_niter[0] = iter;
#endif
    s.live = s.live & v_ge(improvement, v_set1(m->opt.tolerance));
  }
  d->solver_nnz[0] = 0;
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
