// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forces of actuators that a plugin or a callback computes have no formula, so the forces of all actuators are centered
// differences: of all, because those of a tendon share its limit. An evaluation goes up to the forces, and solves
// nothing. The moment arms stay as they are, because how they bend has formulas. Rates of activations are the same.

#include "lanes/lanes.h"

#include "base/checkpoint.h"
#include "actuate/actuate.h"
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

// slopes of n numbers of `at`, which are nominal before, by input c; on one side only where the other one is out of the
// range of a control
static void slopesOf(const mjModel* m, mjData* d, int c, const LANE(Inputs)* in, const V* at, const V* nominal, int n,
                     V* slope) {
  M up = LANE(mayNudge)(m, d, c, kInput), down = LANE(mayNudge)(m, d, c, -kInput);
  for (lane_t side = -1; side <= 1; side += 2) {
    LANE(nudgeInput)(m, d, c, side * kInput);
    evaluate(m, d, c);
    for (int i = 0; i < n; i++) slope[i] = slope[i] + side * v_sel(side < 0 ? down : up, at[i], nominal[i]);
    LANE(restoreInputs)(m, d, in);
  }
  V span = v_sel(up & down, v_set1(2 * kInput), v_set1(kInput));
  for (int i = 0; i < n; i++) slope[i] = slope[i] / span;
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
    slopesOf(m, d, first + k, &in, CLANES(d->actuator_force), nominal, (int)nu, slope + (size_t)k * nu);
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

// an actuator that is disabled keeps its activations
static void holdDisabled(const mjModel* m, V* rate) {
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_actadr[i] < 0 || !mji_actuator_disabled(m, i)) continue;
    zeroN(rate + m->actuator_actadr[i], m->actuator_actnum[i]);
  }
}

V* LANE(ratesByCode)(const mjModel* m, mjData* d, const int* column, int ncol) {
  if (mjDISABLED(mjDSBL_ACTUATION) || !mji_ratesByCode(m)) return NULL;
  int na = (int)m->na, n = 2 * (int)m->nv + na + (int)m->nu;
  V* rate = LANES(mji_stackNum(d, (size_t)n * (size_t)na));
  zeroN(rate, n * na);
  mj_markStack(d);
  LANE(Inputs) in = LANE(saveInputs)(m, d);
  V* nominal = LANES(mji_stackNum(d, (size_t)na));
  copyN(nominal, CLANES(d->act_dot), na);
  for (int c = n - 1; c >= 0; c--) {  // positions come last, because they spoil what the others need
    if (mji_columnPlace(column, ncol, c) < 0) continue;
    mji_checkpoint();
    slopesOf(m, d, c, &in, CLANES(d->act_dot), nominal, na, rate + (size_t)c * (size_t)na);
    holdDisabled(m, rate + (size_t)c * (size_t)na);
  }
  evaluate(m, d, 0);  // as before
  mj_freeStack(d);
  return rate;
}
