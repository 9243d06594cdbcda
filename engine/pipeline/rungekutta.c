// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fourth order Runge-Kutta. The first stage is the forward dynamics that has already run.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/spatial.h"
#include "integrate/integrate.h"
#include "integrate/runge_kutta.h"
#include "model/number.h"
#include "model/work.h"
#include "pipeline/pipeline.h"

// rates of the state: velocity, acceleration, activation rate
typedef struct {
  mjtNum* qvel;
  mjtNum* qacc;
  mjtNum* act_dot;
} Rates;

static void addScaled(mjtNum* sum, const mjtNum* x, N scale, int n) {
  V* s = LANES(sum);
  for (int i = 0; i < n; i++) s[i] = s[i] + scale * CLANES(x)[i];
}

// the rates that the current stage has computed
static void saveRates(const mjModel* m, const mjData* d, Rates* rates) {
  copyN(LANES(rates->qvel), CLANES(d->qvel), m->nv);
  copyN(LANES(rates->qacc), CLANES(d->qacc), m->nv);
  copyN(LANES(rates->act_dot), CLANES(d->act_dot), m->na);
}

static void addRates(const mjModel* m, Rates* sum, const Rates* rates, N scale) {
  addScaled(sum->qvel, rates->qvel, scale, m->nv);
  addScaled(sum->qacc, rates->qacc, scale, m->nv);
  addScaled(sum->act_dot, rates->act_dot, scale, m->na);
}

static Rates makeRates(const mjModel* m, mjData* d) {
  Rates rates = {mji_stackNum(d, m->nv), mji_stackNum(d, m->nv), mji_stackNum(d, m->na)};
  return rates;
}

// state at the start of the step
typedef struct {
  V time;
  mjtNum* qpos;
  mjtNum* qvel;
  mjtNum* act;
} Start;

static void restore(const mjModel* m, mjData* d, const Start* start) {
  LANES(mji_time(d))[0] = start->time;
  copyN(LANES(d->qpos), CLANES(start->qpos), m->nq);
  copyN(LANES(d->qvel), CLANES(start->qvel), m->nv);
  copyN(LANES(d->act), CLANES(start->act), m->na);
}

void LANE(RungeKutta)(const mjModel* m, mjData* d, int n, int inner, int want) {
  if (n != MJI_NSTAGE) mju_error("mj_RungeKutta: only order 4 is available, not %d", n);
  N h = OPT(timestep)[0];

  mj_markStack(d);
  Start start = {LANES(mji_time(d))[0], mji_stackNum(d, m->nq), mji_stackNum(d, m->nv), mji_stackNum(d, m->na)};
  copyN(LANES(start.qpos), CLANES(d->qpos), m->nq);
  copyN(LANES(start.qvel), CLANES(d->qvel), m->nv);
  copyN(LANES(start.act), CLANES(d->act), m->na);

  Rates rates = makeRates(m, d), mean = makeRates(m, d);
  zeroN(LANES(mean.qvel), m->nv);
  zeroN(LANES(mean.qacc), m->nv);
  zeroN(LANES(mean.act_dot), m->na);

  saveRates(m, d, &rates);
  addRates(m, &mean, &rates, n_set1(mji_rkWeight[0]));

  // these evaluations compute no sensors; what programs read of mjData is that of the last one
  for (int i = 1; i < MJI_NSTAGE; i++) {
    // move from the state at the start along the rates of the last stage
    N step = h * mji_rkNode[i];
    restore(m, d, &start);
    LANES(mji_time(d))[0] = start.time + step;
    LANE(integratePos)(m, d->qpos, rates.qvel, step);
    addScaled(d->qvel, rates.qacc, step, m->nv);
    addScaled(d->act, rates.act_dot, step, m->na);

    LANE(forward)(m, d, MJI_POSITION, MJI_ACCELERATION, (i < MJI_NSTAGE - 1 ? inner : want) & ~MJI_WANT_SENSOR);
    saveRates(m, d, &rates);
    addRates(m, &mean, &rates, n_set1(mji_rkWeight[i]));
  }

  // move from the state at the start along the mean rates
  restore(m, d, &start);
  LANE(advance)(m, d, mean.act_dot, mean.qacc, mean.qvel, want);
  mj_freeStack(d);
}
