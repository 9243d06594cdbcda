// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Projected Gauss-Seidel on the dual problem: minimize 1/2 f' A f + f' b over forces f in their
// cones, with A = J inv(M) J' + R and b = J a0 - aref.
//
// A is dense. Scalar rows are swept over lanes; the bounded problem of an elliptic contact is solved lane by lane.
//
// A row begins when the row before has moved, so what a sweep costs is the time from one move to the next. Therefore a
// sweep works on steps instead of gradients: step i = -(A f + b)_i / A_ii is the move of force i to the minimum along
// its axis. A move of force i by x changes step j by x * -A_ij / A_jj, which leaves three operations in a row: bound,
// multiply, add.

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

enum { MJI_SWEEP_ROWS = 4 };  // of a block

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

typedef struct {
  Sweep* s;
  V* response;  // (n x n) in place of A: row i, how a move of force i changes each step
  V* diagonal;  // (n) of A
  V* step;      // (n) zero in lanes that do not have the row or do not sweep any more
} Relaxation;

// In lanes without a row its responses are zero, so its step stays zero and it never moves.
static Relaxation relax(Sweep* s) {
  size_t n = (size_t)s->n;
  Relaxation r = {.s = s, .response = s->A, .diagonal = stackV(s->d, n), .step = stackV(s->d, n)};
  V* scale = stackV(s->d, n);
  for (size_t i = 0; i < n; i++) {
    M on = sweepHas(s, (int)i);
    r.diagonal[i] = s->A[i * n + i];
    scale[i] = v_and(on, -1.0 / r.diagonal[i]);
    r.step[i] = v_and(on, s->res[i] * scale[i]);
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) r.response[i * n + j] = r.response[i * n + j] * scale[j];
  }
  return r;
}

// Move force i to `next` = old force + delta, and tell the steps. Returns the change of the cost.
static inline V move(const Relaxation* r, int i, V next, V delta) {
  V change = (delta * r->diagonal[i]) * (0.5 * delta - r->step[i]);
  r->s->force[i] = next;
  if (!m_any(~v_eq(delta, v_zero()))) return change;
  size_t n = (size_t)r->s->n;
  const V* restrict row = r->response + (size_t)i * n;
  V* restrict step = r->step;
  for (size_t j = 0; j < n; j++) step[j] = step[j] + row[j] * delta;
  return change;
}

static V equalityRows(const Relaxation* r, int start, int end, V change) {
  for (int i = start; i < end; i++) change = change + move(r, i, r->s->force[i] + r->step[i], r->step[i]);
  return change;
}

static V frictionRows(const Relaxation* r, int start, int end, V change) {
  const V* loss = CLANES(r->s->d->efc_frictionloss);
  for (int i = start; i < end; i++) {
    V old = r->s->force[i], next = v_clip(old + r->step[i], -loss[i], loss[i]);
    change = change + move(r, i, next, next - old);
  }
  return change;
}

// One-sided rows, in blocks: the rows of a block take their moves from each other first, and then tell all steps at
// once, in the same order as one after the other.
static inline __attribute__((always_inline)) V oneSidedBlock(const Relaxation* r, int i, int rows, V change) {
  size_t n = (size_t)r->s->n;
  const V* restrict response = r->response + (size_t)i * n;
  V* restrict step = r->step, * restrict force = r->s->force;
  V delta[MJI_SWEEP_ROWS];
  M moves = m_none();
  for (int k = 0; k < rows; k++) {
    V own = step[i + k], old = force[i + k];
    for (int l = 0; l < k; l++) own = own + response[(size_t)l * n + (size_t)(i + k)] * delta[l];
    delta[k] = v_max(-old, own);
    force[i + k] = old + delta[k];
    change = change + (delta[k] * r->diagonal[i + k]) * (0.5 * delta[k] - own);
    moves = moves | ~v_eq(delta[k], v_zero());
  }
  if (!m_any(moves)) return change;
  for (size_t j = 0; j < n; j++) {
    V sum = step[j];
    for (int k = 0; k < rows; k++) sum = sum + response[(size_t)k * n + j] * delta[k];
    step[j] = sum;
  }
  return change;
}

static V oneSidedRows(const Relaxation* r, int start, int end, V change) {
  int i = start;
  for (; i + MJI_SWEEP_ROWS <= end; i += MJI_SWEEP_ROWS) change = oneSidedBlock(r, i, MJI_SWEEP_ROWS, change);
  switch (end - i) {
    case 3: return oneSidedBlock(r, i, 3, change);
    case 2: return oneSidedBlock(r, i, 2, change);
    case 1: return oneSidedBlock(r, i, 1, change);
    default: return change;
  }
}

// one lane of an elliptic contact: gradient, forces and block of A
static void readCone(const Relaxation* r, int lane, int i, int dim, mjtNum* res, mjtNum* force, mjtNum* A) {
  sweepRead(r->s, lane, i, dim, res, force, A);
  for (int k = 0; k < dim; k++) {
    mjtNum diagonal = v_get(r->diagonal[i + k], lane);
    res[k] = -v_get(r->step[i + k], lane) * diagonal;
    for (int row = 0; row < dim; row++) A[row * dim + k] = -A[row * dim + k] * diagonal;
    A[k * dim + k] = diagonal;
  }
}

static V coneRows(const Relaxation* r, const mjiBlock* b, V change) {
  Sweep* s = r->s;
  V total = v_zero(), next[MJI_SWEEP_DIM];
  int i = b->efcadr, dim = b->dim;
  M on = sweepHas(s, i);
  for (int k = 0; k < dim; k++) next[k] = s->force[i + k];
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (!m_get(on, lane)) continue;
    mjtNum A[MJI_SWEEP_DIM * MJI_SWEEP_DIM], res[MJI_SWEEP_DIM], force[MJI_SWEEP_DIM], friction[MJI_SWEEP_DIM];
    readCone(r, lane, i, dim, res, force, A);
    n_take(friction, frictionOf(b), dim - 1, lane);
    v_put(&total, lane, mji_coneSweep(force, A, res, friction, dim));
    for (int k = 0; k < dim; k++) v_put(&next[k], lane, force[k]);
  }
  for (int k = 0; k < dim; k++) (void)move(r, i + k, next[k], next[k] - s->force[i + k]);
  return change + total;
}

static V sweep(const Relaxation* r) {
  const mjData* d = r->s->d;
  const mjiWork* w = mji_work(d);
  int start = d->ne + d->nf;
  V change = frictionRows(r, d->ne, start, equalityRows(r, 0, d->ne, v_zero()));
  if (r->s->m->opt.cone != mjCONE_ELLIPTIC) return oneSidedRows(r, start, d->nefc, change);
  for (const mjiBlock* b = w->block; b < w->block + w->nblock; b++) {
    if (b->efcadr < start) continue;
    if (b->type == mjCNSTR_CONTACT_ELLIPTIC) change = coneRows(r, b, change);
    else change = oneSidedRows(r, b->efcadr, b->efcadr + b->nrow, change);
  }
  return change;
}

// lanes that go on; the others do not move any more
static void keep(const Relaxation* r, M live) {
  Sweep* s = r->s;
  M ends = s->live & ~live;
  s->live = live;
  for (int i = 0; m_any(ends) && i < s->n; i++) r->step[i] = v_and(live, r->step[i]);
}

void LANE(solvePGS)(const mjModel* m, mjData* d, M live) {
  mj_markStack(d);
  Sweep s;
  LANE(sweepBegin)(m, d, live, 1, &s);
  warmstart(&s);
  Relaxation r = relax(&s);
  d->solver_niter[0] = d->solver_nnz[0] = 0;
  if (ONE_STATE) (void)mji_dualStates(m, d);
  N scale = 1.0 / (STAT(meaninertia)[0] * (mjtNum)(m->nv > 0 ? m->nv : 1));
  for (int iter = 0; iter < m->opt.iterations && m_any(s.live); iter++) {
    V improvement = -scale * sweep(&r);
    sweepCount(&s, improvement);
    keep(&r, s.live & v_ge(improvement, v_set1(m->opt.tolerance)));
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
