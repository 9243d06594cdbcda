// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forces of actuators that a plugin or a callback computes have no formula, so the forces of all actuators are centered
// differences: of all, because those of a tendon share its limit. An evaluation goes up to the forces, and solves
// nothing. The moment arms stay as they are, because how they bend has formulas.

#include "lanes/lanes.h"

#include "base/checkpoint.h"
#include "derive/derive.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/work.h"

// Nudge of inputs, which these forces follow smoothly: neither rows nor contacts take part in them.
static const lane_t kInput = 1e-6;

// forces of actuators after input c, or one of its kind, has moved; code may read all that comes before it in a step
static void evaluate(const mjModel* m, mjData* d, int c) {
  if (c < m->nv) LANE(invPosition)(m, d, 0);
  if (c < 2 * m->nv) LANE(fwdVelocity)(m, d, 0);
  LANE(fwdActuation)(m, d);
}

// slopes (nu) of forces by input c; on one side only where the other one is out of the range of a control
static void forceSlopes(const mjModel* m, mjData* d, int c, const LANE(Inputs)* in, const V* nominal, V* slope) {
  M up = LANE(mayNudge)(m, d, c, kInput), down = LANE(mayNudge)(m, d, c, -kInput);
  for (lane_t side = -1; side <= 1; side += 2) {
    LANE(nudgeInput)(m, d, c, side * kInput);
    evaluate(m, d, c);
    for (int i = 0; i < m->nu; i++) {
      V force = v_sel(side < 0 ? down : up, CLANES(d->actuator_force)[i], nominal[i]);
      slope[i] = slope[i] + side * force;
    }
    LANE(restoreInputs)(m, d, in);
  }
  V span = v_sel(up & down, v_set1(2 * kInput), v_set1(kInput));
  for (int i = 0; i < m->nu; i++) slope[i] = slope[i] / span;
}

int LANE(addForcesByCode)(const mjModel* m, mjData* d, int first, int n, const char* wanted, lane_t sign, V* column) {
  if (mjDISABLED(mjDSBL_ACTUATION) || !mji_actuatesByCode(m)) return 0;
  size_t nu = (size_t)m->nu, nv = (size_t)m->nv;
  mj_markStack(d);
  LANE(Inputs) in = LANE(saveInputs)(m, d);
  V *nominal = LANES(mji_stackNum(d, nu)), *slope = LANES(mji_stackNum(d, (size_t)n * nu + 1));
  copyN(nominal, CLANES(d->actuator_force), (int)nu);
  zeroN(slope, n * (int)nu);
  for (int k = 0; k < n; k++) {
    if (wanted && !wanted[k]) continue;
    mji_checkpoint();
    forceSlopes(m, d, first + k, &in, nominal, slope + (size_t)k * nu);
  }
  evaluate(m, d, first);  // as before
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < m->nu; i++) {
      LANE(addMoment)(m, d, i, sign * slope[(size_t)k * nu + (size_t)i], column + (size_t)k * nv);
    }
  }
  mj_freeStack(d);
  return 1;
}
