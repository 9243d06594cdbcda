// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of a step by finite differences.
//
// Every column is a full step from the nominal state with one input moved by eps. Inputs are taken in the
// order controls, activations, velocities, positions, so that each kind finds the results of the
// stages before its own intact: moved controls need no new position or velocity stage, moved
// velocities no new position stage. Columns of one kind are lanes of a group.

#include <mujoco/mujoco.h>

#include "model/work.h"
#include "pipeline/fd_group.h"

typedef enum { CTRL, ACT, QVEL, QPOS } Kind;

// one derivative being computed: sizes, nominal results, results of the current group
typedef struct {
  mjiGroup g;
  mjtNum eps;
  int centered;
  int skipsensor;
  int nx;                  // numbers of a next state: qpos, qvel, act
  int ny;                  // and sensors
  mjtNum* nominal;         // (ny)
  mjtNum* plus;            // (nlane x ny) next states of moved inputs
  mjtNum* minus;
} Stepper;

// an output matrix: state rows in `state`, sensor rows in `sensor`, columns from `first` on
typedef struct {
  mjtNum* state;
  mjtNum* sensor;
  int ncol;
  int first;
} Output;

// ---- one group of steps

static void takeResult(const Stepper* s, mjtNum* y, int lane) {
  const mjModel* m = s->g.m;
  const mjData* d = s->g.d;
  mji_takeLane(&s->g, y, d->qpos, m->nq, lane);
  mji_takeLane(&s->g, y + m->nq, d->qvel, m->nv, lane);
  mji_takeLane(&s->g, y + m->nq + m->nv, d->act, m->na, lane);
  if (!s->skipsensor) mji_takeLane(&s->g, y + s->nx, d->sensordata, m->nsensordata, lane);
}

static void stepGroup(Stepper* s, int skipstage) {
  s->g.kernels->stepSkip(s->g.m, s->g.d, skipstage, s->skipsensor);
}

static void nudge(Stepper* s, Kind kind, int lane, int i, mjtNum eps) {
  size_t at = (size_t)i * (size_t)s->g.nlane + (size_t)lane;
  switch (kind) {
    case CTRL: s->g.d->ctrl[at] += eps; break;
    case ACT: s->g.d->act[at] += eps; break;
    case QVEL: s->g.d->qvel[at] += eps; break;
    case QPOS: mji_nudgePos(&s->g, lane, i, eps); break;
  }
}

// nonzero if input i may move to +eps or -eps: controls stay in their range
static int mayMove(const Stepper* s, Kind kind, int i, mjtNum eps) {
  const mjModel* m = s->g.m;
  if (kind != CTRL || !m->actuator_ctrllimited[i]) return 1;
  mjtNum ctrl = s->g.d->ctrl[(size_t)i * (size_t)s->g.nlane];
  const mjtNum* range = m->actuator_ctrlrange + 2 * i;
  return ctrl >= range[0] && ctrl <= range[1] && ctrl + eps >= range[0] && ctrl + eps <= range[1];
}

// ---- differences

// (b - a) / h as a column of the state rows, in the tangent space of positions, and of the sensor rows
static void difference(const Stepper* s, const Output* out, int column, const mjtNum* a, const mjtNum* b,
                       mjtNum h) {
  const mjModel* m = s->g.m;
  int ncol = out->ncol, nv = m->nv;
  if (out->state) {
    mjtNum* to = out->state + out->first + column;
    mj_markStack(s->g.d);
    mjtNum* dq = mj_stackAllocNum(s->g.d, (size_t)nv);
    mj_differentiatePos(m, dq, h, a, b);
    for (int i = 0; i < nv; i++) to[i * ncol] = dq[i];
    for (int i = m->nq; i < s->nx; i++) to[(i - m->nq + nv) * ncol] = (b[i] - a[i]) / h;
    mj_freeStack(s->g.d);
  }
  if (out->sensor) {
    mjtNum* to = out->sensor + out->first + column;
    for (int i = s->nx; i < s->ny; i++) to[(i - s->nx) * ncol] = (b[i] - a[i]) / h;
  }
}

// an input that may not move at all has no influence
static void clearColumn(const Stepper* s, const Output* out, int column) {
  const mjModel* m = s->g.m;
  for (int i = 0; out->state && i < 2 * m->nv + m->na; i++) out->state[i*out->ncol + out->first + column] = 0;
  for (int i = 0; out->sensor && i < m->nsensordata; i++) out->sensor[i*out->ncol + out->first + column] = 0;
}

static void writeColumn(const Stepper* s, const Output* out, int column, const mjtNum* plus,
                        const mjtNum* minus) {
  if (plus && minus) difference(s, out, column, minus, plus, 2 * s->eps);
  else if (plus) difference(s, out, column, s->nominal, plus, s->eps);
  else if (minus) difference(s, out, column, minus, s->nominal, s->eps);
  else clearColumn(s, out, column);
}

// ---- columns of one kind

// lane in which an input's step runs, -1 for none
typedef struct {
  int plus[8];
  int minus[8];
} Places;

// place inputs first..first+n-1 in lanes; returns the number of lanes used
static int placeInputs(Stepper* s, Kind kind, int first, int n, Places* p) {
  int lane = 0;
  for (int c = 0; c < n; c++) {
    int up = mayMove(s, kind, first + c, s->eps);
    int down = (s->centered || !up) && mayMove(s, kind, first + c, -s->eps);
    p->plus[c] = up ? lane++ : -1;
    p->minus[c] = down ? lane++ : -1;
  }
  return lane;
}

// one step of the group with inputs first..first+n-1 moved
static void runInputs(Stepper* s, Kind kind, int skipstage, int first, int n, const Places* p) {
  for (int c = 0; c < n; c++) {
    if (p->plus[c] >= 0) nudge(s, kind, p->plus[c], first + c, s->eps);
    if (p->minus[c] >= 0) nudge(s, kind, p->minus[c], first + c, -s->eps);
  }
  stepGroup(s, skipstage);
  for (int c = 0; c < n; c++) {
    if (p->plus[c] >= 0) takeResult(s, s->plus + (size_t)c * (size_t)s->ny, p->plus[c]);
    if (p->minus[c] >= 0) takeResult(s, s->minus + (size_t)c * (size_t)s->ny, p->minus[c]);
  }
  mji_restoreGroup(&s->g);
}

// with one lane the two sides are two steps
static void runInput(Stepper* s, Kind kind, int skipstage, int i, Places* p) {
  Places side = {.plus = {p->plus[0] >= 0 ? 0 : -1}, .minus = {-1}};
  if (p->plus[0] >= 0) runInputs(s, kind, skipstage, i, 1, &side);
  side = (Places){.plus = {-1}, .minus = {0}};
  if (p->minus[0] >= 0) runInputs(s, kind, skipstage, i, 1, &side);
}

static void columns(Stepper* s, Kind kind, int skipstage, int ninput, const Output* out) {
  if (!out->state && !out->sensor) return;
  int nlane = s->g.nlane, share = s->centered ? 2 : 1;
  int atonce = nlane > 1 ? nlane / share : 1;

  for (int first = 0; first < ninput; first += atonce) {
    Places p;
    int n = ninput - first < atonce ? ninput - first : atonce;
    int used = placeInputs(s, kind, first, n, &p);
    if (nlane == 1) runInput(s, kind, skipstage, first, &p);
    else if (used) runInputs(s, kind, skipstage, first, n, &p);

    for (int c = 0; c < n; c++) {
      size_t at = (size_t)c * (size_t)s->ny;
      writeColumn(s, out, first + c, p.plus[c] >= 0 ? s->plus + at : NULL,
                  p.minus[c] >= 0 ? s->minus + at : NULL);
    }
  }
}

// ---- the derivative

static Stepper openStepper(const mjModel* m, mjData* d, mjtNum eps, int centered, int sensors) {
  int share = centered ? 2 : 1;
  Stepper s = {.eps = eps, .centered = centered, .skipsensor = !sensors};
  s.nx = m->nq + m->nv + m->na;
  s.ny = s.nx + (sensors ? m->nsensordata : 0);
  mji_openGroup(&s.g, m, d, share * m->nv, 1, sensors);

  size_t ny = (size_t)s.ny, nlane = (size_t)s.g.nlane;
  s.nominal = mj_stackAllocNum(s.g.d, ny);
  s.plus = mj_stackAllocNum(s.g.d, ny * nlane);
  s.minus = mj_stackAllocNum(s.g.d, ny * nlane);
  return s;
}

void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_centered, mjtNum* A, mjtNum* B,
                      mjtNum* C, mjtNum* D) {
  if (m->opt.integrator == mjINT_RK4) mju_error("mjd_transitionFD: the RK4 integrator is not supported");
  int nv = m->nv, na = m->na, ndx = 2 * nv + na;
  Stepper s = openStepper(m, d, eps, flg_centered, m->nsensordata && (C || D));

  // nominal step; its stages serve the columns
  stepGroup(&s, mjSTAGE_NONE);
  takeResult(&s, s.nominal, 0);
  mji_restoreGroup(&s.g);

  columns(&s, CTRL, mjSTAGE_VEL, m->nu, &(Output){B, D, m->nu, 0});
  columns(&s, ACT, mjSTAGE_VEL, na, &(Output){A, C, ndx, 2 * nv});
  columns(&s, QVEL, mjSTAGE_POS, nv, &(Output){A, C, ndx, nv});
  columns(&s, QPOS, mjSTAGE_NONE, nv, &(Output){A, C, ndx, 0});
  mji_closeGroup(&s.g);
}
