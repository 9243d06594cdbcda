// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of inverse dynamics by finite differences. Accelerations, velocities, then positions are moved one by one
// as lanes of a group; stages that do not depend on the moved input are skipped. See transition_fd.c.

#include <mujoco/mujoco.h>

#include "base/checkpoint.h"
#include "model/work.h"
#include "pipeline/fd_group.h"
#include "pipeline/pipeline.h"

typedef enum { QACC, QVEL, QPOS } Kind;

typedef struct {
  mjiGroup g;
  mjtNum eps;
  int actuation;  // subtract actuator forces
  int skipsensor;
  int ny;           // numbers of a result: forces, sensors, inertia
  int nM;           // inertia, 0 if it is not wanted
  mjtNum* nominal;  // (ny)
  mjtNum* moved;    // (ny)
} Inverter;

// rows of the outputs of one kind: one per input, each NULL if not wanted
typedef struct {
  mjtNum* force;
  mjtNum* sensor;
  mjtNum* inertia;
  mjiInputs input;
} Output;

// an input to move, and its row
typedef struct {
  Kind kind;
  int index;
  int row;
} Input;

static int numSensor(const Inverter* s) { return s->skipsensor ? 0 : s->g.m->nsensordata; }

// Inverse dynamics do not compute actuator forces: they are those of the data on entry. With flg_actuation they are
// computed for each moved state, and so are the sensors that measure them.
static void inverseGroup(Inverter* s, int skipstage) {
  const mjiKernels* k = s->g.kernels;
  k->inverse(s->g.m, s->g.d, skipstage + 1, MJI_ACCELERATION, s->g.want);
  if (!s->actuation) return;
  k->fwdActuation(s->g.m, s->g.d);
  if (!s->skipsensor) k->sensorAcc(s->g.m, s->g.d);
}

static void takeResult(const Inverter* s, mjtNum* y, int lane) {
  const mjModel* m = s->g.m;
  const mjData* d = s->g.d;
  mji_takeLane(&s->g, y, d->qfrc_inverse, m->nv, lane);
  if (s->actuation) {
    for (int i = 0; i < m->nv; i++) y[i] -= d->qfrc_actuator[i * s->g.nlane + lane];
  }
  mji_takeLane(&s->g, y + m->nv, d->sensordata, numSensor(s), lane);
  mji_takeLane(&s->g, y + m->nv + numSensor(s), d->qM, s->nM, lane);
}

static void nudge(Inverter* s, Kind kind, int lane, int i) {
  size_t at = (size_t)i * (size_t)s->g.nlane + (size_t)lane;
  switch (kind) {
    case QACC: s->g.d->qacc[at] += s->eps; break;
    case QVEL: s->g.d->qvel[at] += s->eps; break;
    case QPOS: mji_nudgePos(&s->g, lane, i, s->eps); break;
  }
}

// row i of one output: the change of n results from y0 on
static void writeRow(const Inverter* s, mjtNum* out, int i, int y0, int n) {
  if (!out) return;
  for (int k = 0; k < n; k++) out[i * n + k] = (s->moved[y0 + k] - s->nominal[y0 + k]) / s->eps;
}

static int wanted(const Output* out) { return out->force || out->sensor || out->inertia; }

// list the inputs of all wanted kinds in their order; returns how many
static int listInputs(const Output out[3], Input* in) {
  int n = 0;
  for (Kind k = QACC; k <= QPOS; k++) {
    const mjiInputs* from = &out[k].input;
    for (int i = 0; i < from->n && wanted(out + k); i++) in[n++] = (Input){k, from->index ? from->index[i] : i, i};
  }
  return n;
}

static int skipStage(Kind kind) { return kind == QPOS ? mjSTAGE_NONE : kind == QVEL ? mjSTAGE_POS : mjSTAGE_VEL; }

// move n inputs, one per lane, and write their rows; with `nominal`, lane n is not moved and has the nominal results
static void runGroup(Inverter* s, const Output out[3], const Input* in, int n, int nominal) {
  mji_checkpoint();
  for (int c = 0; c < n; c++) nudge(s, in[c].kind, c, in[c].index);
  inverseGroup(s, nominal ? mjSTAGE_NONE : skipStage(in[n - 1].kind));
  if (nominal) takeResult(s, s->nominal, n);

  int nv = s->g.m->nv, ns = numSensor(s);
  for (int c = 0; c < n; c++) {
    const Output* o = out + in[c].kind;
    takeResult(s, s->moved, c);
    writeRow(s, o->force, in[c].row, 0, nv);
    writeRow(s, o->sensor, in[c].row, nv, ns);
    writeRow(s, o->inertia, in[c].row, nv + ns, s->nM);
  }
  mji_restoreGroup(&s->g);
}

static void derive(const mjModel* m, mjData* d, mjtNum eps, int actuation, const Output out[3]) {
  if (m->opt.integrator == mjINT_RK4) mju_error("mjd_inverseFD: RK4 is not supported");
  if (m->opt.noslip_iterations) mju_error("mjd_inverseFD: noslip is not supported");

  // qM exists for one state at a time only, so no lanes if it is asked for
  int sensors = 0, inertia = out[QPOS].inertia != NULL;
  for (Kind k = QACC; k <= QPOS; k++) sensors |= out[k].sensor != NULL;
  Inverter s = {.eps = eps, .actuation = actuation, .skipsensor = !sensors, .nM = inertia ? m->nM : 0};
  mj_markStack(d);
  Input* in = mj_stackAllocByte(d, 3 * (size_t)m->nv * sizeof *in, sizeof(int));
  int n = listInputs(out, in);

  mji_openGroup(&s.g, m, d, n + 1, !inertia, sensors);
  s.ny = m->nv + numSensor(&s) + s.nM;
  s.nominal = mj_stackAllocNum(s.g.d, (size_t)s.ny);
  s.moved = mj_stackAllocNum(s.g.d, (size_t)s.ny);

  // nominal results; in one group with the others if there is room
  int nlane = s.g.nlane, together = n + 1 <= nlane;
  if (!together) {
    inverseGroup(&s, mjSTAGE_NONE);
    takeResult(&s, s.nominal, 0);
    mji_restoreGroup(&s.g);
  }
  for (int first = 0; first < n; first += nlane) {
    runGroup(&s, out, in + first, mjMIN(nlane, n - first), together);
  }
  mji_closeGroup(&s.g);
  mj_freeStack(d);
}

void mji_inverseFD(const mjModel* m, mjData* d, mjtNum eps, int actuation, const mjiInputs input[3], mjtNum* DfDq,
                   mjtNum* DfDv, mjtNum* DfDa) {
  const Output out[3] = {
      [QACC] = {.force = DfDa, .input = input[2]},
      [QVEL] = {.force = DfDv, .input = input[1]},
      [QPOS] = {.force = DfDq, .input = input[0]},
  };
  derive(m, d, eps, actuation, out);
}

void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation, mjtNum* DfDq, mjtNum* DfDv,
                   mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa, mjtNum* DmDq) {
  if (!m->nsensordata) DsDq = DsDv = DsDa = NULL;
  const mjiInputs all = {(int)m->nv, NULL};
  const Output out[3] = {
      [QACC] = {DfDa, DsDa, NULL, all},
      [QVEL] = {DfDv, DsDv, NULL, all},
      [QPOS] = {DfDq, DsDq, DmDq, all},
  };
  derive(m, d, eps, flg_actuation, out);
}
