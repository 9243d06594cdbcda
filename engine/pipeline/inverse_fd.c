// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of inverse dynamics by finite differences: accelerations, velocities, then positions are
// moved one by one, as lanes of a group, and the stages before are kept.

#include <mujoco/mujoco.h>

#include "model/work.h"
#include "pipeline/fd_group.h"

typedef enum { QACC, QVEL, QPOS } Kind;

typedef struct {
  mjiGroup g;
  mjtNum eps;
  int actuation;           // subtract actuator forces
  int skipsensor;
  int ny;                  // numbers of a result: forces, sensors, inertia
  int nM;                  // inertia, 0 if it is not wanted
  mjtNum* nominal;         // (ny)
  mjtNum* moved;           // (ny)
} Inverter;

// rows of the outputs: one per input, each NULL if not wanted
typedef struct {
  mjtNum* force;
  mjtNum* sensor;
  mjtNum* inertia;
} Output;

static int numSensor(const Inverter* s) { return s->skipsensor ? 0 : s->g.m->nsensordata; }

static void inverseGroup(Inverter* s, int skipstage) {
  s->g.kernels->inverseSkip(s->g.m, s->g.d, skipstage, s->skipsensor);
  if (s->actuation) s->g.kernels->fwdActuation(s->g.m, s->g.d);
}

static void takeResult(const Inverter* s, mjtNum* y, int lane) {
  const mjModel* m = s->g.m;
  const mjData* d = s->g.d;
  mji_takeLane(&s->g, y, d->qfrc_inverse, m->nv, lane);
  if (s->actuation) {
    for (int i = 0; i < m->nv; i++) y[i] -= d->qfrc_actuator[(size_t)i * (size_t)s->g.nlane + (size_t)lane];
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
  for (int k = 0; k < n; k++) out[i*n + k] = (s->moved[y0+k] - s->nominal[y0+k]) / s->eps;
}

static void rows(Inverter* s, Kind kind, int skipstage, Output out) {
  if (!out.force && !out.sensor && !out.inertia) return;
  int nv = s->g.m->nv, nlane = s->g.nlane;
  for (int first = 0; first < nv; first += nlane) {
    int n = nv - first < nlane ? nv - first : nlane;
    for (int c = 0; c < n; c++) nudge(s, kind, c, first + c);
    inverseGroup(s, skipstage);
    for (int c = 0; c < n; c++) {
      takeResult(s, s->moved, c);
      writeRow(s, out.force, first + c, 0, nv);
      writeRow(s, out.sensor, first + c, nv, numSensor(s));
      writeRow(s, out.inertia, first + c, nv + numSensor(s), s->nM);
    }
    mji_restoreGroup(&s->g);
  }
}

void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation, mjtNum* DfDq, mjtNum* DfDv,
                   mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa, mjtNum* DmDq) {
  if (m->opt.integrator == mjINT_RK4) mju_error("mjd_inverseFD: the RK4 integrator is not supported");
  if (m->opt.noslip_iterations) mju_error("mjd_inverseFD: the noslip solver is not supported");

  // qM is for users and exists for one state at a time
  int sensors = m->nsensordata && (DsDq || DsDv || DsDa);
  Inverter s = {.eps = eps, .actuation = flg_actuation, .skipsensor = !sensors, .nM = DmDq ? m->nM : 0};
  mji_openGroup(&s.g, m, d, m->nv, !DmDq, sensors);
  s.ny = m->nv + numSensor(&s) + s.nM;
  s.nominal = mj_stackAllocNum(s.g.d, (size_t)s.ny);
  s.moved = mj_stackAllocNum(s.g.d, (size_t)s.ny);

  inverseGroup(&s, mjSTAGE_NONE);
  takeResult(&s, s.nominal, 0);
  rows(&s, QACC, mjSTAGE_VEL, (Output){DfDa, DsDa, NULL});
  rows(&s, QVEL, mjSTAGE_POS, (Output){DfDv, DsDv, NULL});
  rows(&s, QPOS, mjSTAGE_NONE, (Output){DfDq, DsDq, DmDq});
  mji_closeGroup(&s.g);
}
