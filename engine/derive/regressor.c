// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of inverse dynamics and of a step by numbers p of the model. The acceleration a of a step has no
// residual, r(a, p) = 0, so da/dp = -inv(H) dr/dp with the Hessian H at the solution, as for states (README.md), and
// dr/dp is the derivative of inverse dynamics. Integrators that are implicit in the velocity move by b with P b = M a;
// with s = P b - M a at fixed a and b, db/dp = inv(P) (M da/dp - ds/dp).

#include "lanes/lanes.h"

#include <sheaf/batch.h>

#include "actuate/actuate.h"
#include "derive/regressor.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "integrate/integrate.h"
#include "integrate/runge_kutta.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "pipeline/pipeline.h"
#include "solve/primal.h"
#include "solve/scratch.h"

// ---- the residual

static void evaluate(const mjModel* m, mjData* d) {
  LANE(invPosition)(m, d, 0);
  LANE(fwdVelocity)(m, d, 0);
  LANE(fwdActuation)(m, d);
  LANE(invForces)(m, d, 0);
}

static void byDifference(mjData* d, const mjiColumn* c, int actuation, V* column) {
  int nv = (int)c->side[0]->nv;
  for (int side = 0; side < 2; side++) {
    lane_t scale = (side ? 1 : -1) / c->span;
    evaluate(c->side[side], d);
    for (int i = 0; i < nv; i++) {
      V force = CLANES(d->qfrc_inverse)[i];
      if (actuation) force = force - CLANES(d->qfrc_actuator)[i];
      column[i] = column[i] + scale * force;
    }
  }
}

static void byFormula(const mjModel* m, mjData* d, const mjiColumn* c, int actuation, const V* motion, const V* input,
                      const V* jar, V* column) {
  if (mji_isInertial(c->number) || c->number == mjiNUM_opt_gravity || c->number == mjiNUM_body_gravcomp) {
    LANE(inertialByParameter)(m, d, c, motion, column);
  } else {
    LANE(forceByParameter)(m, d, c, actuation, input, column);
    LANE(rowsByParameter)(m, d, c, jar, column);
  }
}

int LANE(residualByParameters)(const mjModel* m, mjData* d, const mjiRegressor* r, int actuation, const V* jar,
                               V* column) {
  int nv = (int)m->nv, differences = 0;
  mj_markStack(d);
  V *motion = stackV(d, 6 * (size_t)m->nbody), *input = stackV(d, (size_t)m->nu);
  V* force = stackV(d, (size_t)d->nefc);
  LANE(bodyAccelerations)(m, d, CLANES(d->qacc), 1, motion);
  LANE(actuatorInputs)(m, d, input);
  if (d->nefc) LANE(penalty)(m, d, jar, force);
  zeroN(column, r->ncol * nv);
  for (int k = 0; k < r->ncol; k++) {
    const mjiColumn* c = r->column + k;
    V* to = column + (size_t)k * (size_t)nv;
    differences |= !c->formula;
    if (c->formula) byFormula(m, d, c, actuation, motion, input, jar, to);
    if (c->formula && c->weights) LANE(rowsByWeights)(m, d, c->weights, jar, force, to);
  }

  // what these overwrite is not needed any more
  for (int k = 0; k < r->ncol; k++) {
    if (!r->column[k].formula) byDifference(d, r->column + k, actuation, column + (size_t)k * (size_t)nv);
  }
  if (differences) evaluate(m, d);
  mj_freeStack(d);
  return differences ? SHEAF_FALLBACK_PARAMETER : 0;
}

void LANE(inverseRegressor)(const mjModel* m, mjData* d, mjiRegressor* r) {
  mj_markStack(d);
  LANE(invPosition)(m, d, 0);
  LANE(fwdVelocity)(m, d, 0);
  LANE(fwdActuation)(m, d);
  V* jar = stackV(d, (size_t)d->nefc);
  LANE(rowResiduals)(m, d, jar, CLANES(d->qacc));
  tellFallback(r->fallback, m_full(), LANE(residualByParameters)(m, d, r, r->actuation, jar, LANES(r->force)));
  LANE(invForces)(m, d, 0);
  mj_freeStack(d);
}

// ---- the acceleration that the integrator moves by

// s = P b - M a of a model, added to n numbers
static void addShift(const mjModel* m, mjData* d, const V* moved, lane_t scale, V* to) {
  mj_markStack(d);
  mjtNum *left = mji_stackNum(d, (size_t)m->nv), *right = mji_stackNum(d, (size_t)m->nv);
  LANE(invPosition)(m, d, 0);
  LANE(fwdVelocity)(m, d, 0);
  LANE(fwdActuation)(m, d);
  LANE(makeM)(m, d);
  LANE(mulImplicit)(m, d, left, (const mjtNum*)moved);
  LANE(mulM)(m, d, right, d->qacc);
  for (int i = 0; i < m->nv; i++) to[i] = to[i] + scale * (LANES(left)[i] - LANES(right)[i]);
  mj_freeStack(d);
}

// formulas for Euler, whose P is M and the dampers
static void eulerShift(const mjModel* m, mjData* d, const mjiColumn* c, const V* moved, const V* motion, V* shift) {
  int i = c->index;
  if (c->number == mjiNUM_dof_damping) shift[i] = shift[i] + m->opt.timestep * moved[i];
  else if (c->number == mjiNUM_dof_armature) shift[i] = shift[i] + (moved[i] - CLANES(d->qacc)[i]);
  else if (mji_isInertial(c->number)) LANE(inertiaByParameter)(m, d, c, motion, shift);
}

// ds/dp at fixed accelerations; SHEAF_FALLBACK_* of differences
static int shiftByParameters(const mjModel* m, mjData* d, const mjiRegressor* r, const V* moved, V* shift) {
  int nv = (int)m->nv, euler = m->opt.integrator == mjINT_EULER, differences = 0;
  mj_markStack(d);
  V *motion = stackV(d, 6 * (size_t)m->nbody), *difference = stackV(d, (size_t)nv);
  for (int i = 0; i < nv; i++) difference[i] = moved[i] - CLANES(d->qacc)[i];
  LANE(bodyAccelerations)(m, d, difference, 0, motion);
  zeroN(shift, r->ncol * nv);
  for (int k = 0; k < r->ncol; k++) {
    const mjiColumn* c = r->column + k;
    V* to = shift + (size_t)k * (size_t)nv;
    if (euler && c->formula) {
      eulerShift(m, d, c, moved, motion, to);
      continue;
    }
    differences = 1;
  }
  for (int k = 0; k < r->ncol && differences; k++) {
    const mjiColumn* c = r->column + k;
    for (int side = 0; side < 2 && !(euler && c->formula); side++) {
      addShift(c->side[side], d, moved, (side ? 1 : -1) / c->span, shift + (size_t)k * (size_t)nv);
    }
  }
  if (differences) evaluate(m, d);
  mj_freeStack(d);
  return differences ? SHEAF_FALLBACK_INTEGRATOR : 0;
}

// Accelerations by the numbers, after forward dynamics: of the solution in `acc`, and of what the integrator moves by
// in `move`, which may be `acc`. Takes scratch that the caller gives back.
static const V* accelerationByParameters(const mjModel* m, mjData* d, mjiRegressor* r, V* acc, V** move) {
  size_t nv = (size_t)m->nv;
  const V* moved = LANE(movedBy)(m, d);
  if (moved == CLANES(d->qacc)) *move = acc;
  mj_markStack(d);
  V *jar = stackV(d, (size_t)d->nefc), *inertia = stackV(d, (size_t)m->nC);
  copyN(inertia, CLANES(d->M), (int)m->nC);
  LANE(rowResiduals)(m, d, jar, CLANES(d->qacc));
  LANE(Parts) parts;
  LANE(Primal) p;
  LANE(hessianAt)(m, d, jar, &parts, &p);
  int bits = LANE(residualByParameters)(m, d, r, 1, jar, acc);
  if (*move != acc) bits |= shiftByParameters(m, d, r, moved, *move);
  tellFallback(r->fallback, m_full(), bits);
  copyN(LANES(d->M), inertia, (int)m->nC);
  for (size_t i = 0; i < (size_t)r->ncol * nv; i++) acc[i] = -acc[i];
  LANE(hessianSolveAll)(&p, acc, r->ncol);
  LANE(Slopes) s = {.ncol = r->ncol, .acc = acc, .move = *move};
  if (*move != acc) LANE(throughIntegrator)(m, d, &s);
  mj_freeStack(d);
  return moved;
}

// ---- activations

// the numbers that activations follow act through the rates; nothing else moves them within a step
static int movesActivations(mjiNumber number) {
  return number == mjiNUM_actuator_dynprm || number == mjiNUM_actuator_ctrlrange || number == mjiNUM_actuator_actrange;
}

static void nextActivations(const mjModel* m, mjData* d, const mjiRegressor* r, V* next) {
  int nv = (int)m->nv, ndx = 2 * nv + (int)m->na, any = 0;
  for (int k = 0; k < r->ncol && m->na; k++) {
    const mjiColumn* c = r->column + k;
    if (!movesActivations(c->number)) continue;
    any = 1;
    for (int side = 0; side < 2; side++) {
      const mjModel* own = c->side[side];
      LANE(fwdActuation)(own, d);
      for (int i = 0; i < m->nu; i++) {
        if (m->actuator_actadr[i] < 0) continue;
        int last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
        V act = mji_nextActivation(own, d, i, CLANES(d->act)[last], CLANES(d->act_dot)[last]);
        V* to = next + (size_t)k * (size_t)ndx + 2 * nv + last;
        *to = *to + (side ? 1 : -1) / c->span * act;
      }
    }
  }
  if (any) LANE(fwdActuation)(m, d);
}

// ---- a step with one evaluation

static void oneEvaluation(const mjModel* m, mjData* d, mjiRegressor* r, V* work) {
  int nv = (int)m->nv, ndx = 2 * nv + (int)m->na;
  lane_t h = m->opt.timestep;
  size_t top = mji_stackTop(d);
  V *next = LANES(r->next), *acc = LANES(r->force), *move = work;
  const V* moved = accelerationByParameters(m, d, r, acc, &move);
  zeroN(next, r->ncol * ndx);
  for (int k = 0; k < r->ncol; k++) {
    for (int i = 0; i < nv; i++) next[(size_t)k * ndx + nv + i] = h * move[(size_t)k * nv + i];
  }
  V* qvel = stackV(d, (size_t)nv);
  for (int i = 0; i < nv; i++) qvel[i] = CLANES(d->qvel)[i] + h * moved[i];
  LANE(moveTangent)(m, (const mjtNum*)qvel, n_set1(h), next, next, next + nv, r->ncol, ndx);
  nextActivations(m, d, r, next);
  LANE(advance)(m, d, d->act_dot, (const mjtNum*)moved, NULL, 0);
  mji_stackBack(d, top);
}

// ---- Runge-Kutta: the chain rule through its evaluations

typedef struct {
  int ncol, nv, na, ndx;
  V* at;     // (ncol x ndx) state of the evaluation by the numbers
  V* acc;    // (ncol x nv) its acceleration
  V* local;  // (ndx x nv) by its own state
  V* sum;    // (ncol x ndx) weighted sum of rates
  LANE(ActuatorSlopes) actuator;
} Chain;

static void chainAcc(Chain* c) {
  for (int k = 0; k < c->ncol; k++) {
    const V* at = c->at + (size_t)k * (size_t)c->ndx;
    V* acc = c->acc + (size_t)k * (size_t)c->nv;
    for (int j = 0; j < c->ndx; j++) {
      for (int i = 0; i < c->nv; i++) acc[i] = acc[i] + at[j] * c->local[(size_t)j * (size_t)c->nv + i];
    }
  }
}

// add the rates of an evaluation to the sum, and go along them to the state of the next, `step` from the start
static void chainMove(const mjModel* m, const mjData* d, Chain* c, lane_t weight, lane_t step) {
  for (int k = 0; k < c->ncol; k++) {
    V *at = c->at + (size_t)k * (size_t)c->ndx, *sum = c->sum + (size_t)k * (size_t)c->ndx;
    const V* acc = c->acc + (size_t)k * (size_t)c->nv;
    for (int i = 0; i < c->nv; i++) {
      sum[i] = sum[i] + weight * at[c->nv + i];
      sum[c->nv + i] = sum[c->nv + i] + weight * acc[i];
    }
    for (int i = 0; i < m->nu; i++) {
      int last = 2 * c->nv + m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
      if (m->actuator_actadr[i] < 0) continue;
      V rate = c->actuator.rate_act[i] * at[last];
      sum[last] = sum[last] + weight * rate;
      at[last] = step * rate;
    }
    zeroN(at, c->nv);
    LANE(moveTangent)(m, d->qvel, n_set1(step), at, at, at + c->nv, 1, c->ndx);
    for (int i = 0; i < c->nv; i++) at[c->nv + i] = step * acc[i];
  }
}

// make the next state of the weighted sums
static void chainEnd(const mjModel* m, mjData* d, Chain* c, const mjtNum* qvel, const V* rate) {
  lane_t h = m->opt.timestep;
  for (int k = 0; k < c->ncol; k++) {
    V *sum = c->sum + (size_t)k * (size_t)c->ndx, *velocity = c->acc;  // acc has done its work
    copyN(velocity, sum, c->nv);
    zeroN(sum, c->nv);
    for (int i = 0; i < c->nv; i++) sum[c->nv + i] = h * sum[c->nv + i];
    LANE(moveTangent)(m, qvel, n_set1(h), sum, sum, velocity, 1, c->ndx);
    for (int i = 0; i < m->nu; i++) {
      int last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
      if (m->actuator_actadr[i] < 0) continue;
      V keep, move;
      LANE(nextActivationSlopes)(m, d, i, last, rate[last], &keep, &move);
      sum[2 * c->nv + last] = move * sum[2 * c->nv + last];
    }
  }
}

static void addScaled(V* sum, const V* x, lane_t scale, int n) {
  for (int i = 0; i < n; i++) sum[i] = sum[i] + scale * x[i];
}

static Chain makeChain(const mjModel* m, const mjiRegressor* r, V* work) {
  int nv = (int)m->nv, na = (int)m->na, ndx = 2 * nv + na;
  Chain c = {.ncol = r->ncol, .nv = nv, .na = na, .ndx = ndx, .sum = LANES(r->next)};
  c.at = takeV(&work, (size_t)r->ncol * (size_t)ndx);
  c.acc = takeV(&work, (size_t)r->ncol * (size_t)nv);
  c.local = work;
  zeroN(c.at, r->ncol * ndx);
  zeroN(c.sum, r->ncol * ndx);
  return c;
}

static void rungeKutta(const mjModel* m, mjData* d, mjiRegressor* r, V* work) {
  int nv = (int)m->nv, na = (int)m->na;
  Chain c = makeChain(m, r, work);
  LANE(Start) start = LANE(saveStart)(m, d);
  V *qvel = stackV(d, (size_t)nv), *qacc = stackV(d, (size_t)nv), *act_dot = stackV(d, (size_t)na);
  V *mean = stackV(d, (size_t)nv), *meanrate = stackV(d, (size_t)na);
  zeroN(mean, nv);
  zeroN(meanrate, na);
  for (int i = 0; i < MJI_NSTAGE; i++) {
    size_t inner = mji_stackTop(d);
    if (i) LANE(forward)(m, d, MJI_POSITION, MJI_ACCELERATION, 0);
    copyN(qvel, CLANES(d->qvel), nv);
    copyN(qacc, CLANES(d->qacc), nv);
    copyN(act_dot, CLANES(d->act_dot), na);
    addScaled(mean, qvel, mji_rkWeight[i], nv);
    addScaled(meanrate, act_dot, mji_rkWeight[i], na);
    V* move = c.acc;
    accelerationByParameters(m, d, r, c.acc, &move);
    if (!i) copyN(LANES(r->force), c.acc, r->ncol * nv);
    LANE(Slopes) s = {.ncol = c.ndx, .acc = c.local, .move = c.local, .fallback = r->fallback};
    LANE(accelerationSlopes)(m, d, &s);
    c.actuator = s.actuator;
    chainAcc(&c);
    lane_t step = i + 1 < MJI_NSTAGE ? m->opt.timestep * mji_rkNode[i + 1] : 0;
    chainMove(m, d, &c, mji_rkWeight[i], step);
    LANE(restoreStart)(m, d, &start);
    if (i + 1 < MJI_NSTAGE) {
      LANE(integratePos)(m, d->qpos, (const mjtNum*)qvel, n_set1(step));
      addScaled(LANES(d->qvel), qacc, step, nv);
      addScaled(LANES(d->act), act_dot, step, na);
      LANES(mji_time(d))[0] = start.time + step;
    }
    mji_stackBack(d, inner);
  }
  chainEnd(m, d, &c, (const mjtNum*)mean, meanrate);
  copyN(LANES(d->qacc_warmstart), start.warmstart, nv);
  LANE(step)(m, d, MJI_POSITION, 0);
}

void LANE(stepRegressor)(const mjModel* m, mjData* d, mjiRegressor* r) {
  LANE(checkState)(m, d);
  LANE(forward)(m, d, MJI_POSITION, MJI_ACCELERATION, 0);
  LANE(checkAcc)(m, d);
  mj_markStack(d);
  if (m->opt.integrator == mjINT_RK4) rungeKutta(m, d, r, LANES(r->work));
  else oneEvaluation(m, d, r, LANES(r->work));
  mj_freeStack(d);
}
