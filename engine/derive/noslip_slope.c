// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives through noslip. It starts from the forces of the solution that the solver has found, whose acceleration
// has its derivative, and sweeps over friction forces. So it is run again along each direction, from the acceleration
// that the derivative says, with as many sweeps: another number would be a jump.

#include "lanes/lanes.h"

#include "base/checkpoint.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "solve/primal.h"

typedef enum { POSITIONS, VELOCITIES, REST } Kind;

static Kind kindOf(const mjModel* m, int c) { return c < m->nv ? POSITIONS : c < 2 * m->nv ? VELOCITIES : REST; }

// what noslip reads
static void evaluate(const mjModel* m, mjData* d, Kind kind) {
  if (kind == POSITIONS) LANE(fwdPosition)(m, d, 0);
  if (kind <= VELOCITIES) LANE(fwdVelocity)(m, d, 0);
  LANE(fwdActuation)(m, d);
  LANE(fwdAcceleration)(m, d);
}

void LANE(noslipSlopes)(const mjModel* m, mjData* d, const LANE(Slopes)* s) {
  int nv = (int)m->nv, sweeps[MJI_MAX_LANES] = {0};
  mj_markStack(d);
  LANE(Inputs) in = LANE(saveInputs)(m, d);
  V *nominal = LANES(mji_stackNum(d, (size_t)nv)), *side[2];
  for (int k = 0; k < 2; k++) side[k] = LANES(mji_stackNum(d, (size_t)nv));
  Kind done = POSITIONS;
  evaluate(m, d, POSITIONS);
  LANE(noslipFrom)(m, d, sweeps, 0);
  copyN(nominal, CLANES(d->qacc), nv);
  for (int c = 0; c < s->ncol; c++) {
    int column = mji_columnAt(s->column, c);
    V* acc = s->acc + (size_t)c * (size_t)nv;
    Kind kind = kindOf(m, column);
    mji_checkpoint();
    LANE(restoreInputs)(m, d, &in);
    if (kind != done) evaluate(m, d, done);  // earlier stages as they were
    done = kind;
    M may[2];
    for (int k = 0; k < 2; k++) may[k] = LANE(mayNudge)(m, d, column, k ? kNudge : -kNudge);
    for (int k = 0; k < 2; k++) {
      lane_t eps = k ? kNudge : -kNudge;
      LANE(nudgeInput)(m, d, column, eps);
      for (int i = 0; i < nv; i++) LANES(d->qacc)[i] = in.qacc[i] + eps * acc[i];
      evaluate(m, d, kind);
      LANE(noslipFrom)(m, d, sweeps, 1);
      copyN(side[k], CLANES(d->qacc), nv);
      LANE(restoreInputs)(m, d, &in);
    }
    V span = v_sel(may[0] & may[1], v_set1(2 * kNudge), v_set1(kNudge));
    for (int i = 0; i < nv; i++) {
      acc[i] = (v_sel(may[1], side[1][i], nominal[i]) - v_sel(may[0], side[0][i], nominal[i])) / span;
    }
  }
  LANE(restoreInputs)(m, d, &in);
  evaluate(m, d, done);
  mj_freeStack(d);
}
