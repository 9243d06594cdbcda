// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of sensors: differences along directions in which the acceleration moves as its derivative says, so that
// nothing is solved. Constraint forces are those of inverse dynamics.

#include "lanes/lanes.h"

#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"
#include "sense/sense.h"

typedef enum { POSITIONS, VELOCITIES, REST } Kind;

// all sensors that the inputs of a kind may change
static void sense(const mjModel* m, mjData* d, Kind kind) {
  if (kind <= POSITIONS) {
    LANE(invPosition)(m, d, MJI_WANT_SENSOR);
    LANE(sensorPos)(m, d);
  }
  if (kind <= VELOCITIES) {
    LANE(fwdVelocity)(m, d, MJI_WANT_SENSOR);
    LANE(sensorVel)(m, d);
  }
  LANE(fwdActuation)(m, d);
  LANE(invConstraint)(m, d, 0);
  LANE(sensorAcc)(m, d);
}

typedef struct {
  V *qpos, *qvel, *act, *ctrl, *qacc;
} Inputs;

static void restore(const mjModel* m, mjData* d, const Inputs* in) {
  copyN(LANES(d->qpos), in->qpos, (int)m->nq);
  copyN(LANES(d->qvel), in->qvel, (int)m->nv);
  copyN(LANES(d->act), in->act, (int)m->na);
  copyN(LANES(d->ctrl), in->ctrl, (int)m->nu);
  copyN(LANES(d->qacc), in->qacc, (int)m->nv);
}

static Inputs save(const mjModel* m, mjData* d) {
  Inputs in = {LANES(mji_stackNum(d, (size_t)m->nq)), LANES(mji_stackNum(d, (size_t)m->nv)),
               LANES(mji_stackNum(d, (size_t)m->na)), LANES(mji_stackNum(d, (size_t)m->nu)),
               LANES(mji_stackNum(d, (size_t)m->nv))};
  copyN(in.qpos, CLANES(d->qpos), (int)m->nq);
  copyN(in.qvel, CLANES(d->qvel), (int)m->nv);
  copyN(in.act, CLANES(d->act), (int)m->na);
  copyN(in.ctrl, CLANES(d->ctrl), (int)m->nu);
  copyN(in.qacc, CLANES(d->qacc), (int)m->nv);
  return in;
}

static void nudge(const mjModel* m, mjData* d, int c, lane_t eps) {
  int nv = (int)m->nv, na = (int)m->na;
  V* x;
  if (c < nv) {
    LANE(nudgePosition)(m, d, c, eps);
    return;
  }
  if (c < 2 * nv) x = LANES(d->qvel) + (c - nv);
  else if (c < 2 * nv + na) x = LANES(d->act) + (c - 2 * nv);
  else x = LANES(d->ctrl) + (c - 2 * nv - na);
  *x = *x + eps;
}

// nonzero if the nudges of control c leave its range on one side: then the difference is one-sided. No state of a group
// may see what others do, so each has its own mask
static M mayMove(const mjModel* m, const mjData* d, int c, lane_t eps) {
  int i = c - 2 * (int)m->nv - (int)m->na;
  if (i < 0 || !m->actuator_ctrllimited[i] || mjDISABLED(mjDSBL_CLAMPCTRL)) return m_full();
  const N* range = NUM(actuator_ctrlrange) + 2 * i;
  V x = CLANES(d->ctrl)[i], y = x + eps;
  M outside = v_lt(x, v_num(range[0])) | v_gt(x, v_num(range[1]));
  return outside | (v_ge(y, v_num(range[0])) & v_le(y, v_num(range[1])));
}

void LANE(sensorSlopes)(const mjModel* m, mjData* d, int ncol, const V* acc, V* sensor) {
  int nv = (int)m->nv, ns = (int)m->nsensordata;
  mj_markStack(d);
  Inputs in = save(m, d);
  V *nominal = LANES(mji_stackNum(d, (size_t)ns)), *low = LANES(mji_stackNum(d, (size_t)ns));

  // the kinetic energy is a sensor of the position stage
  int energy = mji_sense_has(m, mjSENS_E_KINETIC), done = POSITIONS;
  sense(m, d, POSITIONS);
  copyN(nominal, CLANES(d->sensordata), ns);
  for (int c = 0; c < ncol; c++, acc += nv, sensor += ns) {
    Kind kind = c < nv ? POSITIONS : c < 2 * nv ? (energy ? POSITIONS : VELOCITIES) : REST;
    if ((int)kind != done) sense(m, d, (Kind)done);  // earlier stages as they were
    done = kind;
    M up = mayMove(m, d, c, kNudge), down = mayMove(m, d, c, -kNudge);
    for (lane_t side = -1; side <= 1; side += 2) {
      nudge(m, d, c, side * kNudge);
      for (int i = 0; i < nv; i++) LANES(d->qacc)[i] = in.qacc[i] + (side * kNudge) * acc[i];
      sense(m, d, kind);
      if (side < 0) copyN(low, CLANES(d->sensordata), ns);
      restore(m, d, &in);
    }
    V span = v_sel(up & down, v_set1(2 * kNudge), v_set1(kNudge));
    for (int i = 0; i < ns; i++) {
      V high = v_sel(up, CLANES(d->sensordata)[i], nominal[i]);
      sensor[i] = (high - v_sel(down, low[i], nominal[i])) / span;
    }
  }
  sense(m, d, REST);  // rates of activations
  mj_freeStack(d);
}
