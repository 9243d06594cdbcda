// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of a step by finite differences.
//
// Every column is a full step from the nominal state with one input moved by eps. Inputs are taken
// in the order controls, activations, velocities, positions, so that for each kind the results of the stages that do
// not depend on it are still those of the nominal state: moved controls need no new position or velocity stage, moved
// velocities no new position stage. Columns are lanes of a group; a group of mixed kinds repeats all stages that one of
// them needs, which gives the others the same bits again.

#include <mujoco/mujoco.h>

#include "base/checkpoint.h"
#include "model/work.h"
#include "pipeline/fd_group.h"
#include "pipeline/pipeline.h"
#include "sense/sense.h"

typedef enum { CTRL, ACT, QVEL, QPOS } Kind;

// one derivative being computed: sizes, nominal results, results of the current group
typedef struct {
  mjiGroup g;
  mjtNum eps;
  int centered;
  int skipsensor;
  int nx;           // numbers of a next state: qpos, qvel, act
  int ny;           // nx and the numbers of sensors
  mjtNum* nominal;  // (ny)
  mjtNum* plus;     // (nlane x ny) next states of moved inputs
  mjtNum* minus;
  int ninput;  // inputs to move, of all kinds
} Stepper;

// an output matrix: state rows in `state`, sensor rows in `sensor`, columns from `first` on; and the inputs that they
// are by
typedef struct {
  mjtNum* state;
  mjtNum* sensor;
  int ncol;
  int first;
  int ninput;
  const int* index;  // NULL: from 0 on
} Output;

// an input to move, its place among those of its kind, and the lanes in which it moves up and down, -1 for none
typedef struct {
  Kind kind;
  int index;
  int place;
  int plus;
  int minus;
} Input;

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
  mji_work(s->g.d)->repeats = skipstage >= mjSTAGE_POS;
  s->g.kernels->step(s->g.m, s->g.d, skipstage + 1, s->g.want);
  mji_work(s->g.d)->repeats = 0;
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

// (b - a) / h as a column of the state rows, in the tangent space of positions
static void stateColumn(const Stepper* s, const Output* out, int column, const mjtNum* a, const mjtNum* b, mjtNum h) {
  if (!out->state) return;
  const mjModel* m = s->g.m;
  int ncol = out->ncol, nv = m->nv;
  mjtNum* to = out->state + out->first + column;
  mj_markStack(s->g.d);
  mjtNum* dq = mj_stackAllocNum(s->g.d, (size_t)nv);
  mj_differentiatePos(m, dq, h, a, b);
  for (int i = 0; i < nv; i++) to[i * ncol] = dq[i];
  for (int i = m->nq; i < s->nx; i++) to[(i - m->nq + nv) * ncol] = (b[i] - a[i]) / h;
  mj_freeStack(s->g.d);
}

// the same for the sensor rows
static void sensorColumn(const Stepper* s, const Output* out, int column, const mjtNum* a, const mjtNum* b, mjtNum h) {
  if (!out->sensor) return;
  mjtNum* to = out->sensor + out->first + column;
  for (int i = s->nx; i < s->ny; i++) to[(i - s->nx) * out->ncol] = (b[i] - a[i]) / h;
}

// an input that may not move to either side gets a column of zeros
static void clearColumn(const Stepper* s, const Output* out, int column) {
  const mjModel* m = s->g.m;
  int at = out->first + column;
  for (int i = 0; out->state && i < 2 * m->nv + m->na; i++) out->state[i * out->ncol + at] = 0;
  for (int i = 0; out->sensor && i < m->nsensordata; i++) out->sensor[i * out->ncol + at] = 0;
}

static void writeColumn(const Stepper* s, const Output* out, int column, const mjtNum* plus, const mjtNum* minus) {
  if (!plus && !minus) {
    clearColumn(s, out, column);
    return;
  }
  const mjtNum* a = minus ? minus : s->nominal;
  const mjtNum* b = plus ? plus : s->nominal;
  mjtNum h = plus && minus ? 2 * s->eps : s->eps;
  stateColumn(s, out, column, a, b, h);
  sensorColumn(s, out, column, a, b, h);
}

// ---- groups of inputs

enum { MAXLANE = 8 };

// kind and index of input i of all
static Input inputAt(const Output out[4], int i) {
  Input in = {.kind = CTRL, .place = i, .plus = -1, .minus = -1};
  while (in.place >= out[in.kind].ninput) in.place -= out[in.kind++].ninput;
  const int* index = out[in.kind].index;
  in.index = index ? index[in.place] : in.place;
  return in;
}

// the latest stage whose results are the nominal ones
static int skipStage(Kind kind) { return kind == QPOS ? mjSTAGE_NONE : kind == QVEL ? mjSTAGE_POS : mjSTAGE_VEL; }

// one step of the group with n inputs moved
static void runInputs(Stepper* s, const Input* in, int n, int skipstage) {
  for (int c = 0; c < n; c++) {
    if (in[c].plus >= 0) nudge(s, in[c].kind, in[c].plus, in[c].index, s->eps);
    if (in[c].minus >= 0) nudge(s, in[c].kind, in[c].minus, in[c].index, -s->eps);
  }
  stepGroup(s, skipstage);
  for (int c = 0; c < n; c++) {
    if (in[c].plus >= 0) takeResult(s, s->plus + c * s->ny, in[c].plus);
    if (in[c].minus >= 0) takeResult(s, s->minus + c * s->ny, in[c].minus);
  }
}

// one lane: the two sides are two steps
static void runInput(Stepper* s, const Input* in, int skipstage) {
  Input side = *in;
  side.minus = -1;
  if (side.plus >= 0) runInputs(s, &side, 1, skipstage);
  mji_restoreGroup(&s->g);
  side = *in;
  side.plus = -1;
  if (side.minus >= 0) runInputs(s, &side, 1, skipstage);
}

// give inputs their lanes; returns the number of lanes used
static int placeInputs(const Stepper* s, Input* in, int n) {
  int lane = 0, many = s->g.nlane > 1;
  for (int c = 0; c < n; c++) {
    int up = mayMove(s, in[c].kind, in[c].index, s->eps);
    int down = (s->centered || !up) && mayMove(s, in[c].kind, in[c].index, -s->eps);
    if (up) in[c].plus = many ? lane++ : 0;
    if (down) in[c].minus = many ? lane++ : 0;
  }
  return lane;
}

// move inputs first..first+n-1 and write their columns
static void runGroup(Stepper* s, const Output out[4], int first, int n, int withnominal) {
  Input in[MAXLANE];
  mji_checkpoint();
  for (int c = 0; c < n; c++) in[c] = inputAt(out, first + c);
  int skipstage = withnominal ? mjSTAGE_NONE : skipStage(in[n - 1].kind);
  int used = placeInputs(s, in, n);
  if (s->g.nlane == 1) runInput(s, in, skipstage);
  else runInputs(s, in, n, skipstage);
  if (withnominal) takeResult(s, s->nominal, used);
  mji_restoreGroup(&s->g);

  for (int c = 0; c < n; c++) {
    writeColumn(s, out + in[c].kind, in[c].place, in[c].plus >= 0 ? s->plus + c * s->ny : NULL,
                in[c].minus >= 0 ? s->minus + c * s->ny : NULL);
  }
}

// ---- the derivative

static int countInputs(Output out[4]) {
  int n = 0;
  for (int k = CTRL; k <= QPOS; k++) {
    if (!out[k].state && !out[k].sensor) out[k].ninput = 0;
    n += out[k].ninput;
  }
  return n;
}

static Stepper openStepper(const mjModel* m, mjData* d, mjtNum eps, int centered, int sensors, int ninput) {
  Stepper s = {.eps = eps, .centered = centered, .skipsensor = !sensors, .ninput = ninput};
  s.nx = m->nq + m->nv + m->na;
  s.ny = s.nx + (sensors ? m->nsensordata : 0);
  mji_openGroup(&s.g, m, d, (centered ? 2 : 1) * ninput + 1, 1, sensors);

  size_t ny = (size_t)s.ny, nlane = (size_t)s.g.nlane;
  s.nominal = mj_stackAllocNum(s.g.d, ny);
  s.plus = mj_stackAllocNum(s.g.d, ny * nlane);
  s.minus = mj_stackAllocNum(s.g.d, ny * nlane);
  return s;
}

void mji_transitionFD(const mjModel* m, mjData* d, mjtNum eps, int centered, const mjiInputs input[4], mjtNum* A,
                      mjtNum* B, mjtNum* C, mjtNum* D) {
  if (m->opt.integrator == mjINT_RK4) mju_error("mjd_transitionFD: RK4 is not supported");
  if (!m->nsensordata) C = D = NULL;

  const mjiInputs *q = input, *v = input + 1, *a = input + 2, *u = input + 3;
  int nx = q->n + v->n + a->n;
  Output out[4] = {
      [CTRL] = {B, D, u->n, 0, u->n, u->index},
      [ACT] = {A, C, nx, q->n + v->n, a->n, a->index},
      [QVEL] = {A, C, nx, q->n, v->n, v->index},
      [QPOS] = {A, C, nx, 0, q->n, q->index},
  };
  Stepper s = openStepper(m, d, eps, centered, C || D, countInputs(out));

  // A kinetic energy sensor belongs to the position stage but reads velocities, and must read the nominal ones. Groups
  // of mixed kinds would run it with moved velocities, so positions go into groups of their own.
  int npos = out[QPOS].ninput, apart = mji_sense_has(m, mjSENS_E_KINETIC);

  // nominal step, whose stages the others use; in one group with them if there is room
  int share = centered ? 2 : 1, nlane = s.g.nlane;
  int together = nlane > 1 && share * s.ninput + 1 <= nlane && !apart;
  if (!together) {
    stepGroup(&s, mjSTAGE_NONE);
    takeResult(&s, s.nominal, 0);
    mji_restoreGroup(&s.g);
  }

  int atonce = nlane > 1 ? nlane / share : 1;
  int part[3] = {0, apart ? s.ninput - npos : s.ninput, s.ninput};
  for (int k = 0; k < 2; k++) {
    for (int first = part[k]; first < part[k + 1]; first += atonce) {
      runGroup(&s, out, first, mjMIN(atonce, part[k + 1] - first), together);
    }
  }
  mji_closeGroup(&s.g);
}

void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_centered, mjtNum* A, mjtNum* B, mjtNum* C,
                      mjtNum* D) {
  const mjiInputs all[4] = {{(int)m->nv, NULL}, {(int)m->nv, NULL}, {(int)m->na, NULL}, {(int)m->nu, NULL}};
  mji_transitionFD(m, d, eps, flg_centered, all, A, B, C, D);
}
