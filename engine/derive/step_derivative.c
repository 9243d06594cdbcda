// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of a step: of accelerations, and of the moves that follow from them.

#include "lanes/lanes.h"

#include <sheaf/batch.h>

#include "base/checkpoint.h"
#include "derive/derive.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "integrate/integrate.h"
#include "integrate/runge_kutta.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "pipeline/pipeline.h"
#include "solve/scratch.h"

// ---- one evaluation: Euler and the implicit integrators

// rates that code computes may follow anything
static void nextByCode(const mjModel* m, const mjData* d, const LANE(Slopes)* s, int i, V* next) {
  int na = (int)m->na, first = 2 * (int)m->nv, ndx = first + na, adr = m->actuator_actadr[i];
  for (int k = adr; k < adr + m->actuator_actnum[i]; k++) {
    V keep, move;
    LANE(nextActivationSlopes)(m, d, i, k, CLANES(d->act_dot)[k], &keep, &move);
    for (int c = 0; c < s->ncol; c++) {
      int column = mji_columnAt(s->column, c);
      V by_rate = move * s->actuator.rate[column * na + k];
      next[c * ndx + first + k] = v_and(v_eq(v_set1(column), v_set1(first + k)), keep) + by_rate;
    }
  }
}

// row k of actuator states is activation k; columns are those of a step. Nothing but activations and controls changes
// the rates of formulas
static void nextActivations(const mjModel* m, const mjData* d, const LANE(Slopes)* s, V* next) {
  int nv = (int)m->nv, na = (int)m->na, ndx = 2 * nv + na;
  for (int row = 2 * nv; row < ndx; row++) {
    int at = mji_columnPlace(s->column, s->ncol, row);
    if (at >= 0) next[at * ndx + row] = v_set1(1);
  }
  for (int i = 0; i < m->nu; i++) {
    int adr = m->actuator_actadr[i];
    if (adr < 0) continue;
    if (s->actuator.rate) {
      nextByCode(m, d, s, i, next);
      continue;
    }
    int last = adr + m->actuator_actnum[i] - 1, row = 2 * nv + last;
    int act = mji_columnPlace(s->column, s->ncol, row), ctrl = mji_columnPlace(s->column, s->ncol, ndx + i);
    V keep, move;
    LANE(nextActivationSlopes)(m, d, i, last, CLANES(d->act_dot)[last], &keep, &move);
    if (act >= 0) next[act * ndx + row] = keep + move * s->actuator.rate_act[i];
    if (ctrl >= 0) next[ctrl * ndx + row] = move * s->actuator.rate_ctrl[i];
  }
}

// velocities move by the acceleration, positions by the new velocity
static void nextMotion(const mjModel* m, mjData* d, const LANE(Slopes)* s, V* next) {
  int nv = (int)m->nv, ndx = 2 * nv + (int)m->na;
  N h = OPT(timestep)[0];
  for (int c = 0; c < s->ncol; c++) {
    int k = mji_columnAt(s->column, c);
    V* to = next + (size_t)c * (size_t)ndx;
    const V* move = s->move + (size_t)c * (size_t)nv;
    if (k < nv) to[k] = v_set1(1);
    for (int i = 0; i < nv; i++) to[nv + i] = h * move[i];
    if (k >= nv && k < 2 * nv) to[k] = to[k] + 1.0;
  }
  size_t top = mji_stackTop(d);
  V* qvel = stackV(d, (size_t)nv);
  for (int i = 0; i < nv; i++) qvel[i] = CLANES(d->qvel)[i] + h * s->moved[i];
  LANE(moveTangent)(m, (const mjtNum*)qvel, h, next, next, next + nv, s->ncol, ndx);
  mji_stackBack(d, top);
}

// room for the solution before noslip, which sensors follow
static void takeMain(const mjModel* m, const mjiStepDerivative* r, int ncol, LANE(Slopes)* s, V** work) {
  if (!mji_needsMain(m, r)) return;
  s->main = takeV(work, (size_t)ncol * (size_t)m->nv);
  s->mainacc = takeV(work, (size_t)m->nv);
}

static void oneEvaluation(const mjModel* m, mjData* d, mjiStepDerivative* r, V* work) {
  size_t top = mji_stackTop(d);
  LANE(Slopes) s = {.ncol = r->ncol, .column = r->column, .acc = LANES(r->qacc), .fallback = r->fallback};
  V* next = LANES(r->next);
  s.move = takeV(&work, (size_t)r->ncol * (size_t)m->nv);
  takeMain(m, r, r->ncol, &s, &work);
  s.all = work;
  zeroN(next, r->ncol * (2 * (int)m->nv + (int)m->na));
  LANE(accelerationSlopes)(m, d, &s);
  nextActivations(m, d, &s, next);
  nextMotion(m, d, &s, next);
  if (r->sensors || r->npart) LANE(sensorSlopes)(m, d, r, &s);
  LANE(advance)(m, d, d->act_dot, (const mjtNum*)s.moved, NULL, 0);
  mji_stackBack(d, top);
}

// ---- Runge-Kutta: the chain rule through its evaluations

typedef struct {
  int ncol, nv, na, ndx;
  const int* column;
  V* at;     // (ncol x ndx) state of the evaluation by the state and controls of the step
  V* acc;    // (ncol x nv) its acceleration, by the same
  V* local;  // (all columns x nv) by its own state and the controls
  V* sum;    // (ncol x ndx) weighted sum of rates
  V* rate;   // (na) rates of activations in one column
  LANE(ActuatorSlopes) actuator;
} Chain;

static void startChain(Chain* c) {
  zeroN(c->at, c->ncol * c->ndx);
  for (int k = 0; k < c->ncol; k++) {
    int column = mji_columnAt(c->column, k);
    if (column < c->ndx) c->at[k * c->ndx + column] = v_set1(1);
  }
}

// accelerations by what the step starts from
static void chainAcc(Chain* c) {
  for (int k = 0; k < c->ncol; k++) {
    const V* at = c->at + (size_t)k * (size_t)c->ndx;
    V* acc = c->acc + (size_t)k * (size_t)c->nv;
    int column = mji_columnAt(c->column, k);
    mji_checkpoint();
    if (column < c->ndx) zeroN(acc, c->nv);
    else copyN(acc, c->local + (size_t)column * (size_t)c->nv, c->nv);
    for (int j = 0; j < c->ndx; j++) {
      const V* local = c->local + (size_t)j * (size_t)c->nv;
      for (int i = 0; i < c->nv; i++) acc[i] = acc[i] + at[j] * local[i];
    }
  }
}

static V rateByCode(const Chain* c, int a, const V* at, int column) {
  V rate = column < c->ndx ? v_zero() : c->actuator.rate[column * c->na + a];
  for (int j = 0; j < c->ndx; j++) rate = rate + c->actuator.rate[j * c->na + a] * at[j];
  return rate;
}

// rates of activations in the k-th column
static void findRates(const mjModel* m, Chain* c, int k) {
  const V* at = c->at + (size_t)k * (size_t)c->ndx;
  int column = mji_columnAt(c->column, k);
  for (int a = 0; a < c->na; a++) c->rate[a] = c->actuator.rate ? rateByCode(c, a, at, column) : v_zero();
  for (int i = 0; i < m->nu && !c->actuator.rate; i++) {
    int last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    if (m->actuator_actadr[i] < 0) continue;
    c->rate[last] = c->actuator.rate_act[i] * at[2 * c->nv + last];
    if (column == c->ndx + i) c->rate[last] = c->rate[last] + c->actuator.rate_ctrl[i];
  }
}

static void addRates(const mjModel* m, Chain* c, lane_t weight) {
  for (int k = 0; k < c->ncol; k++) {
    const V *at = c->at + (size_t)k * (size_t)c->ndx, *acc = c->acc + (size_t)k * (size_t)c->nv;
    V* sum = c->sum + (size_t)k * (size_t)c->ndx;
    for (int i = 0; i < c->nv; i++) {
      sum[i] = sum[i] + weight * at[c->nv + i];
      sum[c->nv + i] = sum[c->nv + i] + weight * acc[i];
    }
    findRates(m, c, k);
    for (int a = 0; a < c->na; a++) sum[2 * c->nv + a] = sum[2 * c->nv + a] + weight * c->rate[a];
  }
}

// the state of the next evaluation: from the start along the rates of this one
static void moveChain(const mjModel* m, const mjData* d, Chain* c, N step) {
  for (int k = 0; k < c->ncol; k++) {
    V *at = c->at + (size_t)k * (size_t)c->ndx, *acc = c->acc + (size_t)k * (size_t)c->nv;
    int column = mji_columnAt(c->column, k);
    findRates(m, c, k);
    for (int a = 0, row = 2 * c->nv; a < c->na; a++, row++) at[row] = step * c->rate[a] + (column == row ? 1.0 : 0.0);
    for (int i = 0; i < c->nv; i++) at[i] = v_set1(column == i);
    LANE(moveTangent)(m, d->qvel, step, at, at, at + c->nv, 1, c->ndx);
    for (int i = 0; i < c->nv; i++) at[c->nv + i] = step * acc[i] + (column == c->nv + i ? 1.0 : 0.0);
  }
}

// `at` has the weighted sums: make the next state of them
static void endChain(const mjModel* m, mjData* d, Chain* c, const mjtNum* qvel, const mjtNum* act_dot, V* next) {
  N h = OPT(timestep)[0];
  for (int k = 0; k < c->ncol; k++) {
    V* sum = next + (size_t)k * (size_t)c->ndx;
    V* velocity = c->acc;  // has done its work
    int column = mji_columnAt(c->column, k);
    copyN(velocity, sum, c->nv);
    for (int i = 0; i < c->nv; i++) {
      sum[i] = v_set1(column == i);
      sum[c->nv + i] = h * sum[c->nv + i] + (column == c->nv + i ? 1.0 : 0.0);
    }
    LANE(moveTangent)(m, qvel, h, sum, sum, velocity, 1, c->ndx);
    for (int i = 0; i < m->nu; i++) {
      int adr = m->actuator_actadr[i], last = adr + m->actuator_actnum[i] - 1;
      for (int a = adr; adr >= 0 && a <= last; a++) {
        int row = 2 * c->nv + a;
        V keep = v_set1(1), move = v_zero();
        if (a == last || c->actuator.rate) LANE(nextActivationSlopes)(m, d, i, a, CLANES(act_dot)[a], &keep, &move);
        sum[row] = move * sum[row] + v_and(v_eq(v_set1(column), v_set1(row)), keep);
      }
    }
  }
}

LANE(Start) LANE(saveStart)(const mjModel* m, mjData* d) {
  LANE(Start) s = {stackV(d, (size_t)m->nq), stackV(d, (size_t)m->nv), stackV(d, (size_t)m->na),
                   stackV(d, (size_t)m->nv), LANES(mji_time(d))[0]};
  copyN(s.qpos, CLANES(d->qpos), (int)m->nq);
  copyN(s.qvel, CLANES(d->qvel), (int)m->nv);
  copyN(s.act, CLANES(d->act), (int)m->na);
  copyN(s.warmstart, CLANES(d->qacc_warmstart), (int)m->nv);
  return s;
}

void LANE(restoreStart)(const mjModel* m, mjData* d, const LANE(Start)* s) {
  LANES(mji_time(d))[0] = s->time;
  copyN(LANES(d->qpos), s->qpos, (int)m->nq);
  copyN(LANES(d->qvel), s->qvel, (int)m->nv);
  copyN(LANES(d->act), s->act, (int)m->na);
}

// the accelerations of the first evaluation are a result; chosen columns come first in those before noslip, too
static void keepFirst(const mjiStepDerivative* r, const Chain* c, V* main) {
  for (int k = 0; k < c->ncol && c->column; k++) {
    size_t to = (size_t)k * (size_t)c->nv, from = (size_t)c->column[k] * (size_t)c->nv;
    copyN(LANES(r->qacc) + to, c->local + from, c->nv);
    for (int i = 0; main && i < c->nv; i++) main[to + (size_t)i] = main[from + (size_t)i];
  }
}

static void addScaled(V* sum, const V* x, N scale, int n) {
  for (int i = 0; i < n; i++) sum[i] = sum[i] + scale * x[i];
}

static void rungeKutta(const mjModel* m, mjData* d, mjiStepDerivative* r, V* work) {
  int nv = (int)m->nv, na = (int)m->na, ndx = 2 * nv + na;
  size_t top = mji_stackTop(d);
  LANE(Start) start = LANE(saveStart)(m, d);
  V *qvel = stackV(d, (size_t)nv), *qacc = stackV(d, (size_t)nv), *act_dot = stackV(d, (size_t)na);
  V *mean = stackV(d, (size_t)nv), *meanrate = stackV(d, (size_t)na);
  zeroN(mean, nv);
  zeroN(meanrate, na);
  int ncol = r->column ? mji_allColumns(m, r->column, r->ncol) : r->ncol;
  Chain c = {.ncol = r->ncol, .column = r->column, .nv = nv, .na = na, .ndx = ndx, .sum = LANES(r->next)};
  c.at = takeV(&work, (size_t)r->ncol * (size_t)ndx);
  c.acc = takeV(&work, (size_t)r->ncol * (size_t)nv);
  c.rate = stackV(d, (size_t)na);
  LANE(Slopes) first = {0};
  takeMain(m, r, ncol, &first, &work);
  c.local = r->column ? work : LANES(r->qacc);
  zeroN(c.sum, r->ncol * ndx);
  startChain(&c);
  for (int i = 0; i < MJI_NSTAGE; i++) {
    size_t inner = mji_stackTop(d);
    if (i) LANE(forward)(m, d, MJI_POSITION, MJI_ACCELERATION, 0);
    copyN(qvel, CLANES(d->qvel), nv);
    copyN(qacc, CLANES(d->qacc), nv);
    copyN(act_dot, CLANES(d->act_dot), na);
    addScaled(mean, qvel, n_set1(mji_rkWeight[i]), nv);
    addScaled(meanrate, act_dot, n_set1(mji_rkWeight[i]), na);
    LANE(Slopes) s = {.ncol = ncol, .acc = c.local, .move = c.local, .fallback = r->fallback};
    if (!i) s.main = first.main, s.mainacc = first.mainacc;
    LANE(accelerationSlopes)(m, d, &s);
    c.actuator = s.actuator;
    chainAcc(&c);
    addRates(m, &c, mji_rkWeight[i]);
    if (!i) keepFirst(r, &c, s.main);
    if (!i && (r->sensors || r->npart)) LANE(sensorSlopes)(m, d, r, &s);
    c.local = work;
    if (i + 1 < MJI_NSTAGE) {
      N step = OPT(timestep)[0] * mji_rkNode[i + 1];
      moveChain(m, d, &c, step);
      LANE(restoreStart)(m, d, &start);
      LANE(integratePos)(m, d->qpos, (const mjtNum*)qvel, step);
      addScaled(LANES(d->qvel), qacc, step, nv);
      addScaled(LANES(d->act), act_dot, step, na);
      LANES(mji_time(d))[0] = start.time + step;
    }
    mji_stackBack(d, inner);
  }
  LANE(restoreStart)(m, d, &start);
  endChain(m, d, &c, (const mjtNum*)mean, (const mjtNum*)meanrate, c.sum);
  copyN(LANES(d->qacc_warmstart), start.warmstart, nv);
  LANE(step)(m, d, MJI_POSITION, 0);
  mji_stackBack(d, top);
}

void LANE(stepDerivative)(const mjModel* m, mjData* d, mjiStepDerivative* r) {
  size_t nv = (size_t)m->nv, ndx = 2 * nv + (size_t)m->na, ncol = (size_t)r->ncol;
  V* work = LANES(r->work);
  V *next = takeV(&work, ncol * ndx), *acc = takeV(&work, ncol * nv);
  V* sensor = takeV(&work, r->sensors ? ncol * (size_t)m->nsensordata : 0);
  r->output = (mjtNum*)takeV(&work, ncol * (size_t)r->nout);
  r->next = (mjtNum*)next;
  r->qacc = (mjtNum*)acc;
  r->sensor = (mjtNum*)sensor;
  memset(r->fallback, 0, sizeof r->fallback);
  LANE(checkState)(m, d);
  LANE(forward)(m, d, MJI_POSITION, MJI_ACCELERATION, 0);
  LANE(checkAcc)(m, d);
  copyN(LANES(r->acceleration), CLANES(d->qacc), (int)nv);
  mj_markStack(d);
  if (m->opt.integrator == mjINT_RK4) rungeKutta(m, d, r, work);
  else oneEvaluation(m, d, r, work);
  mj_freeStack(d);
}
