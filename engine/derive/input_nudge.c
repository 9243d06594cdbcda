// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Inputs of a step that differences move: positions, velocities, activations, controls, with the acceleration beside.

#include "lanes/lanes.h"

#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "model/number.h"
#include "model/work.h"

void LANE(restoreInputs)(const mjModel* m, mjData* d, const LANE(Inputs)* in) {
  copyN(LANES(d->qpos), in->qpos, (int)m->nq);
  copyN(LANES(d->qvel), in->qvel, (int)m->nv);
  copyN(LANES(d->act), in->act, (int)m->na);
  copyN(LANES(d->ctrl), in->ctrl, (int)m->nu);
  copyN(LANES(d->qacc), in->qacc, (int)m->nv);
}

LANE(Inputs) LANE(saveInputs)(const mjModel* m, mjData* d) {
  LANE(Inputs) in = {LANES(mji_stackNum(d, (size_t)m->nq)), LANES(mji_stackNum(d, (size_t)m->nv)),
                     LANES(mji_stackNum(d, (size_t)m->na)), LANES(mji_stackNum(d, (size_t)m->nu)),
                     LANES(mji_stackNum(d, (size_t)m->nv))};
  copyN(in.qpos, CLANES(d->qpos), (int)m->nq);
  copyN(in.qvel, CLANES(d->qvel), (int)m->nv);
  copyN(in.act, CLANES(d->act), (int)m->na);
  copyN(in.ctrl, CLANES(d->ctrl), (int)m->nu);
  copyN(in.qacc, CLANES(d->qacc), (int)m->nv);
  return in;
}

void LANE(nudgeInput)(const mjModel* m, mjData* d, int c, lane_t eps) {
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

M LANE(mayNudge)(const mjModel* m, const mjData* d, int c, lane_t eps) {
  int i = c - 2 * (int)m->nv - (int)m->na;
  if (i < 0 || !m->actuator_ctrllimited[i] || mjDISABLED(mjDSBL_CLAMPCTRL)) return m_full();
  const N* range = NUM(actuator_ctrlrange) + 2 * i;
  V x = CLANES(d->ctrl)[i], y = x + eps;
  M outside = v_lt(x, v_num(range[0])) | v_gt(x, v_num(range[1]));
  return outside | (v_ge(y, v_num(range[0])) & v_le(y, v_num(range[1])));
}
