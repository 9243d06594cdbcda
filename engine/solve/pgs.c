// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Projected Gauss-Seidel on the dual problem: minimize 1/2 f' A f + f' b over forces f in their cones, with
// A = J inv(M) J' + R and b = J a0 - aref.
//
// A is dense and made here, in the scratch of the step, from the blocks; d->efc_AR is for users and noslip.
// Scalar rows are swept over lanes; the bounded problem of an elliptic contact is solved lane by lane.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "solve/dual.h"
#include "solve/primal.h"

enum { MAXDIM = 6 };

typedef struct {
  const mjModel* m;
  mjData* d;
  int n;
  V* A;          // (n x n)
  V* inv;        // (n) inverse diagonal of A
  V* b;          // (n)
  V* force;      // (n)
  M live;
} Dual;

static V* stackV(mjData* d, size_t n) { return LANES(mji_stackNum(d, n ? n : 1)); }

static V rowDot(const Dual* s, int i) {
  const V* row = s->A + (size_t)i * s->n;
  V sum = v_zero();
  for (int j = 0; j < s->n; j++) sum = sum + row[j] * s->force[j];
  return sum;
}

// row of J as a vector of dofs: edge rows of a pyramid combine two base rows
static void expandRow(const mjiBlock* b, int row, V* x, int nv) {
  const V* J = CLANES(b->J);
  for (int i = 0; i < nv; i++) x[i] = v_zero();
  if (b->type != mjCNSTR_CONTACT_PYRAMIDAL) {
    for (int c = 0; c < b->ncol; c++) x[b->col[c]] = J[row * b->ncol + c];
    return;
  }
  int k = row / 2 + 1;
  double mu = row % 2 ? -b->friction[k - 1] : b->friction[k - 1];
  for (int c = 0; c < b->ncol; c++) x[b->col[c]] = J[c] + mu * J[k * b->ncol + c];
}

static void makeMatrix(Dual* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  const mjiWork* w = mji_work(d);
  const V* R = CLANES(d->efc_R);
  int nv = (int)m->nv;
  V* x = stackV(d, nv), *y = stackV(d, nv);
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    for (int r = 0; r < b->nrow; r++) {
      int i = b->efcadr + r;
      expandRow(b, r, x, nv);
      LANE(solveM)(m, d, (mjtNum*)y, (const mjtNum*)x, 1);
      V* row = s->A + (size_t)i * s->n;
      LANE(blockMulJ)(m, d, row, y);
      row[i] = row[i] + R[i];
      s->inv[i] = 1.0 / row[i];
    }
  }
}

static Dual begin(const mjModel* m, mjData* d, M live) {
  Dual s = {.m = m, .d = d, .n = d->nefc, .force = LANES(d->efc_force), .live = live};
  const V* aref = CLANES(d->efc_aref);
  s.A = stackV(d, (size_t)s.n * s.n);
  s.inv = stackV(d, s.n);
  s.b = stackV(d, s.n);
  makeMatrix(&s);
  LANE(blockMulJ)(m, d, s.b, CLANES(d->qacc_smooth));
  for (int i = 0; i < s.n; i++) s.b[i] = s.b[i] - aref[i];
  return s;
}

// forces of the last acceleration, in lanes where they cost less than none at all
static void warmstart(Dual* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  const V* aref = CLANES(d->efc_aref);
  for (int i = 0; i < s->n; i++) s->force[i] = v_zero();
  if (mjDISABLED(mjDSBL_WARMSTART)) return;

  V* jar = stackV(d, s->n), *dot = stackV(d, s->n);
  LANE(blockMulJ)(m, d, jar, CLANES(d->qacc_warmstart));
  for (int i = 0; i < s->n; i++) jar[i] = jar[i] - aref[i];
  LANE(penalty)(m, d, jar, s->force);
  V cost = v_zero();
  for (int i = 0; i < s->n; i++) {
    dot[i] = rowDot(s, i);
    cost = cost + s->force[i] * (0.5 * dot[i] + s->b[i]);
  }
  M use = ~v_gt(cost, v_zero());
  for (int i = 0; i < s->n; i++) s->force[i] = v_and(use, s->force[i]);
}

// one row: move to the minimum, within lo .. hi; a move that does not pay is taken back
static V sweepRow(Dual* s, int i, V lo, V hi) {
  V res = s->b[i] + rowDot(s, i), old = s->force[i];
  V next = v_clip(old - res * s->inv[i], lo, hi);
  V delta = next - old;
  V change = delta * (0.5 * (delta * s->A[(size_t)i * s->n + i]) + res);
  M take = s->live & ~v_gt(change, v_set1(1e-10)) & v_gt(CLANES(s->d->efc_D)[i], v_zero());
  s->force[i] = v_sel(take, next, old);
  return v_and(take, change);
}

static V sweepCone(Dual* s, const mjiBlock* b) {
  V total = v_zero(), res[MAXDIM];
  int i = b->efcadr, dim = b->dim;
  for (int r = 0; r < dim; r++) res[r] = s->b[i + r] + rowDot(s, i + r);
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (!m_get(s->live, lane) || v_get(CLANES(s->d->efc_D)[i], lane) == 0) continue;
    mjtNum A[MAXDIM * MAXDIM], g[MAXDIM], f[MAXDIM];
    for (int r = 0; r < dim; r++) {
      g[r] = v_get(res[r], lane);
      f[r] = v_get(s->force[i + r], lane);
      for (int c = 0; c < dim; c++) A[r * dim + c] = v_get(s->A[(size_t)(i + r) * s->n + i + c], lane);
    }
    v_put(&total, lane, mji_coneSweep(f, A, g, b->friction, dim));
    for (int r = 0; r < dim; r++) v_put(&s->force[i + r], lane, f[r]);
  }
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
  double scale = 1.0 / (m->stat.meaninertia * (m->nv > 0 ? m->nv : 1));
  int iter = 0;
  while (iter < m->opt.iterations && m_any(s.live)) {
    V improvement = -scale * sweep(&s);
#if SHEAF_LANES == 1
    if (iter < mjNSOLVER) d->solver[iter] = (mjSolverStat){.improvement = improvement};
#endif
    iter++;
    s.live = s.live & v_ge(improvement, v_set1(m->opt.tolerance));
  }
  d->solver_niter[0] = iter;
  d->solver_nnz[0] = 0;
  mj_freeStack(d);
}

// qacc and joint forces that follow from constraint forces, in the lanes given
void LANE(finishDual)(const mjModel* m, mjData* d, M on) {
  V* force = LANES(d->qfrc_constraint), *qacc = LANES(d->qacc);
  const V* free = CLANES(d->qacc_smooth);
  LANE(blockMulJT)(m, d, force, CLANES(d->efc_force));
  LANE(solveM)(m, d, d->qacc, d->qfrc_constraint, 1);
  for (int i = 0; i < m->nv; i++) qacc[i] = v_sel(on, qacc[i] + free[i], free[i]);
}
