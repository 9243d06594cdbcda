// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// At the limit L of a tendon the forces f of its actuators, whose sum is T, are scaled to
//   F_k = f_k L / T,    dF_k = L/T (df_k - f_k/T sum of df)
// and act along one row of moment arms times gears g. An actuator whose scaled force is outside of a range of its own
// then has the end of that range, and does not follow: o_k = 0, else 1. So the tendon feels, of a change df_i,
//   sum of g_k o_k dF_k = L/T (g_i o_i - G) df_i,    G = sum of g_k o_k f_k / T

#include "lanes/lanes.h"

#include "actuate/actuate.h"
#include "derive/actuator_limit.h"
#include "derive/derive.h"
#include "integrate/derivative.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"

static int pulls(const mjModel* m, int i, int tendon) {
  return m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == tendon && !mji_actuator_disabled(m, i);
}

// does a force follow what comes before the range of its actuator?
static M follows(const mjModel* m, const mjData* d, int i, V force) {
  if (!m->actuator_forcelimited[i]) return m_full();
  return v_eq(mji_limitTo(force, NUM(actuator_forcerange) + 2 * i), force);
}

typedef struct {
  M limited;           // states in which the tendon is at its limit
  V scale, own, mean;  // there: L/T, g_i o_i, G
} Shared;

static Shared sharedForce(const mjModel* m, mjData* d, int tendon, int actuator) {
  size_t top = mji_stackTop(d), nu = (size_t)m->nu;
  V *input = LANES(mji_stackNum(d, nu)), *force = LANES(mji_stackNum(d, nu)), total = v_zero();
  LANE(actuatorInputs)(m, d, input);
  for (int i = 0; i < m->nu; i++) {
    if (!pulls(m, i, tendon)) continue;
    force[i] = LANE(actuatorGain)(m, d, i) * input[i] + LANE(actuatorBias)(m, d, i);
    total = total + force[i];
  }
  const N* range = NUM(tendon_actfrcrange) + 2 * tendon;
  M low = v_lt(total, v_num(range[0])), limited = low | v_gt(total, v_num(range[1]));
  V one = v_set1(1), inverse = one / v_sel(limited, total, one);
  Shared s = {limited, v_sel(low, v_num(range[0]), v_num(range[1])) * inverse, v_zero(), v_zero()};
  for (int i = 0; i < m->nu; i++) {
    if (!pulls(m, i, tendon)) continue;
    V gear = v_and(follows(m, d, i, force[i] * s.scale), v_num(NUM(actuator_gear)[6 * i]));
    s.mean = s.mean + gear * (force[i] * inverse);
    if (i == actuator) s.own = gear;
  }
  mji_stackBack(d, top);
  return s;
}

V LANE(slopeInLimits)(const mjModel* m, mjData* d, int i, V slope) {
  int tendon = m->actuator_trntype[i] == mjTRN_TENDON ? m->actuator_trnid[2 * i] : -1;
  if (mji_actuatesByCode(m)) return v_zero();
  V free = v_and(~LANE(actuatorHeld)(m, d, i), slope);
  if (tendon < 0 || !m->tendon_actfrclimited[tendon]) return free;
  Shared s = sharedForce(m, d, tendon, i);
  V gear = v_num(NUM(actuator_gear)[6 * i]);
  M none = v_eq(gear, v_zero());  // such an actuator pulls on nothing, and leaves less to the others
  V shared = slope * (s.scale * (s.own - s.mean)) / v_sel(none, v_set1(1), gear);
  return v_sel(s.limited, v_and(~none, shared), free);
}
