// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How forces and activation rates of actuators follow controls and activations: force = gain * input + bias, where
// input is the control within its range, the activation, or the activation after the step.

#include "lanes/lanes.h"

#include "actuate/actuate.h"
#include "derive/actuator_limit.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "integrate/derivative.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"

// the activation that counts: the last of an actuator
static int activationOf(const mjModel* m, int i) { return m->actuator_actadr[i] + m->actuator_actnum[i] - 1; }

// controls within their ranges, and states in which they follow d->ctrl
static V limited(const mjModel* m, const mjData* d, int i, M* follows) {
  V ctrl = CLANES(d->ctrl)[i];
  *follows = m_full();
  if (mjDISABLED(mjDSBL_CLAMPCTRL) || !m->actuator_ctrllimited[i]) return ctrl;
  const N* range = NUM(actuator_ctrlrange) + 2 * i;
  V inside = mji_limitTo(ctrl, range);
  *follows = v_eq(inside, ctrl);
  return inside;
}

// slopes of the muscle's rate have cases, so they are differences, state by state
static void muscleRate(const mjModel* m, mjData* d, int i, V ctrl, V* by_ctrl, V* by_act) {
  V act = CLANES(d->act)[activationOf(m, i)];
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    const mjtNum* prm = LANE_MODEL(lane)->actuator_dynprm + mjNDYN * i;
    lane_t c = v_get(ctrl, lane), a = v_get(act, lane), h = kNudge;
    v_put(by_ctrl, lane, (mju_muscleDynamics(c + h, a, prm) - mju_muscleDynamics(c - h, a, prm)) / (2 * h));
    v_put(by_act, lane, (mju_muscleDynamics(c, a + h, prm) - mju_muscleDynamics(c, a - h, prm)) / (2 * h));
  }
}

static void rateSlopes(const mjModel* m, mjData* d, int i, V ctrl, V* by_ctrl, V* by_act) {
  *by_ctrl = *by_act = v_zero();
  switch ((mjtDyn)m->actuator_dyntype[i]) {
    case mjDYN_INTEGRATOR: *by_ctrl = v_set1(1); break;
    case mjDYN_FILTER:
    case mjDYN_FILTEREXACT:
      *by_ctrl = v_num(1 / n_max(n_set1(mjMINVAL), NUM(actuator_dynprm)[mjNDYN * i]));
      *by_act = -*by_ctrl;
      break;
    case mjDYN_MUSCLE: muscleRate(m, d, i, ctrl, by_ctrl, by_act); break;
    default: break;
  }
}

void LANE(nextActivationSlopes)(const mjModel* m, const mjData* d, int i, int k, V act_dot, V* by_act, V* by_rate) {
  N dt = OPT(timestep)[0];
  *by_act = v_set1(1);
  *by_rate = mjDISABLED(mjDSBL_ACTUATION) ? v_zero() : v_num(dt);
  if (mjDISABLED(mjDSBL_ACTUATION)) return;
  if (m->actuator_dyntype[i] == mjDYN_FILTEREXACT) {
    N tau = n_max(n_set1(mjMINVAL), NUM(actuator_dynprm)[mjNDYN * i]);
    *by_rate = v_num(tau * (1 - n_exp(-dt / tau)));
  }
  if (!m->actuator_actlimited[i]) return;
  const N* range = NUM(actuator_actrange) + 2 * i;
  V next = CLANES(d->act)[k] + *by_rate * act_dot;
  M on = v_eq(mji_limitTo(next, range), next);
  *by_act = v_and(on, *by_act);
  *by_rate = v_and(on, *by_rate);
}

// how the input follows control and activation
static void inputSlopes(const mjModel* m, mjData* d, int i, M follows, LANE(ActuatorSlopes)* s) {
  if (m->actuator_actadr[i] < 0) {
    s->input_ctrl[i] = v_and(follows, v_set1(1));
    return;
  }
  if (!m->actuator_actearly[i]) {
    s->input_act[i] = v_set1(1);
    return;
  }
  V keep, move;
  int last = activationOf(m, i);
  LANE(nextActivationSlopes)(m, d, i, last, CLANES(d->act_dot)[last], &keep, &move);
  s->input_act[i] = keep + move * s->rate_act[i];
  s->input_ctrl[i] = move * s->rate_ctrl[i];
}

static void actuator(const mjModel* m, mjData* d, int i, LANE(ActuatorSlopes)* s) {
  M follows;
  V ctrl = limited(m, d, i, &follows), gain = LANE(slopeInLimits)(m, d, i, LANE(actuatorGain)(m, d, i));
  if (m->actuator_actadr[i] >= 0) {
    V by_ctrl, by_act;
    rateSlopes(m, d, i, ctrl, &by_ctrl, &by_act);
    s->rate_ctrl[i] = v_and(follows, by_ctrl);
    s->rate_act[i] = by_act;
  }
  inputSlopes(m, d, i, follows, s);
  s->force_act[i] = gain * s->input_act[i];
  s->force_ctrl[i] = gain * s->input_ctrl[i];
}

void LANE(actuatorSlopes)(const mjModel* m, mjData* d, LANE(ActuatorSlopes)* s) {
  size_t nu = (size_t)m->nu;
  V* next = LANES(mji_stackNum(d, 6 * nu));
  zeroN(next, (int)(6 * nu));
  *s = (LANE(ActuatorSlopes)){next, next + nu, next + 2 * nu, next + 3 * nu, next + 4 * nu, next + 5 * nu, NULL};
  if (mjDISABLED(mjDSBL_ACTUATION)) return;
  for (int i = 0; i < m->nu; i++) {
    if (!m->opt.disableactuator || !mji_actuator_disabled(m, i)) actuator(m, d, i, s);
  }
}

void LANE(addMoment)(const mjModel* m, const mjData* d, int i, V slope, V* column) {
  int adr = d->moment_rowadr[i];
  for (int k = adr; k < adr + d->moment_rownnz[i]; k++) {
    int dof = d->moment_colind[k];
    M held = LANE(jointHeld)(m, d, m->dof_jntid[dof]) & (m->jnt_dofadr[m->dof_jntid[dof]] == dof ? m_full() : m_none());
    column[dof] = column[dof] + v_and(~held, CLANES(d->actuator_moment)[k] * slope);
  }
}
