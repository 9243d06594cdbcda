// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Actuator forces: control -> activation -> force -> joint space.
//
// Each actuator has  force = gain * (ctrl or act) + bias  and, if it has an activation state,
// act_dot as a function of both. Everything is a loop over actuators with model numbers
// as scalars; only muscles and user callbacks are evaluated state by state.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "model/sleep.h"
#include "model/timer.h"
#include "model/work.h"
#include "dynamics/spatial.h"

#include "actuate/actuate.h"

// controls within their ranges; all zero in a state in which one is not a number to compute with
static void readControls(const mjModel* m, mjData* d, V* ctrl) {
  int clamp = !mjDISABLED(mjDSBL_CLAMPCTRL);
  M bad = m_none();
  for (int i = 0; i < m->nu; i++) {
    ctrl[i] = CLANES(d->ctrl)[i];
    if (clamp && m->actuator_ctrllimited[i]) {
      ctrl[i] = mji_limitTo(ctrl[i], m->actuator_ctrlrange + 2 * i);
    }
    bad |= ~v_le(v_abs(ctrl[i]), v_set1(mjMAXVAL));
  }
  if (__builtin_expect(!m_any(bad), 1)) return;

  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (!m_get(bad, lane)) continue;
    int i = 0;
    while (fabs(v_get(ctrl[i], lane)) <= mjMAXVAL) i++;
    mji_warn(d, mjWARN_BADCTRL, i);
  }
  for (int i = 0; i < m->nu; i++) ctrl[i] = v_and(~bad, ctrl[i]);
}

static V muscleDynamics(V ctrl, V act, const mjtNum* prm) {
  V res = v_zero();
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    v_put(&res, lane, mju_muscleDynamics(v_get(ctrl, lane), v_get(act, lane), prm));
  }
  return res;
}

// rates of activation; actuators that sleep keep theirs
static void activationRates(const mjModel* m, mjData* d, const V* ctrl) {
  int sleeping = SHEAF_LANES == 1 && mji_sleep_any(m, d);
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_actadr[i] < 0) continue;
    if (sleeping && mji_sleep_ofActuator(m, d, i) == mjS_ASLEEP) continue;
    int adr = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    const mjtNum* prm = m->actuator_dynprm + mjNDYN * i;
    V act = CLANES(d->act)[adr], rate = v_zero();
    switch (m->actuator_dyntype[i]) {
      case mjDYN_INTEGRATOR:
        rate = ctrl[i];
        break;
      case mjDYN_FILTER:
      case mjDYN_FILTEREXACT:
        rate = (ctrl[i] - act) / mjMAX(mjMINVAL, prm[0]);
        break;
      case mjDYN_MUSCLE:
        rate = muscleDynamics(ctrl[i], act, prm);
        break;
#if SHEAF_LANES == 1
      default:
        // with several activations the callback writes the rates itself
        if (mjcb_act_dyn) rate = mjcb_act_dyn(m, d, i);
        if (mjcb_act_dyn && m->actuator_actnum[i] > 1) rate = d->act_dot[adr];
#endif
    }
    LANES(d->act_dot)[adr] = rate;
  }
}

static V affine(const mjtNum* prm, V length, V velocity) {
  return prm[0] + prm[1] * length + prm[2] * velocity;
}

static V muscleGain(const mjModel* m, int i, V length, V velocity) {
  V res = v_zero();
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    v_put(&res, lane, mju_muscleGain(v_get(length, lane), v_get(velocity, lane),
                                     m->actuator_lengthrange + 2 * i, m->actuator_acc0[i],
                                     m->actuator_gainprm + mjNGAIN * i));
  }
  return res;
}

static V muscleBias(const mjModel* m, int i, V length) {
  V res = v_zero();
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    v_put(&res, lane, mju_muscleBias(v_get(length, lane), m->actuator_lengthrange + 2 * i,
                                     m->actuator_acc0[i], m->actuator_biasprm + mjNBIAS * i));
  }
  return res;
}

static V gainOf(const mjModel* m, const mjData* d, int i) {
  const mjtNum* prm = m->actuator_gainprm + mjNGAIN * i;
  V length = CLANES(d->actuator_length)[i], velocity = CLANES(d->actuator_velocity)[i];
  V gain = v_set1(1);
  switch (m->actuator_gaintype[i]) {
    case mjGAIN_FIXED:
      return v_set1(prm[0]);
    case mjGAIN_AFFINE:
      return affine(prm, length, velocity);
    case mjGAIN_MUSCLE:
      return muscleGain(m, i, length, velocity);
#if SHEAF_LANES == 1
    default:
      if (mjcb_act_gain) gain = mjcb_act_gain(m, d, i);
#endif
  }
  return gain;
}

static V biasOf(const mjModel* m, const mjData* d, int i) {
  const mjtNum* prm = m->actuator_biasprm + mjNBIAS * i;
  V length = CLANES(d->actuator_length)[i];
  V bias = v_zero();
  switch (m->actuator_biastype[i]) {
    case mjBIAS_NONE:
      return bias;
    case mjBIAS_AFFINE:
      return affine(prm, length, CLANES(d->actuator_velocity)[i]);
    case mjBIAS_MUSCLE:
      return muscleBias(m, i, length);
#if SHEAF_LANES == 1
    default:
      if (mjcb_act_bias) bias = mjcb_act_bias(m, d, i);
#endif
  }
  return bias;
}

// what the gain multiplies: the control, or the activation now or after this step
static V inputOf(const mjModel* m, const mjData* d, int i, V ctrl) {
  if (m->actuator_actadr[i] < 0) return ctrl;
  int adr = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
  V act = CLANES(d->act)[adr];
  return m->actuator_actearly[i] ? mji_nextActivation(m, i, act, CLANES(d->act_dot)[adr]) : act;
}

static void actuatorForces(const mjModel* m, mjData* d, const V* ctrl) {
  V* force = LANES(d->actuator_force);
  for (int i = 0; i < m->nu; i++) {
    if (m->opt.disableactuator && mji_actuator_disabled(m, i)) {
      force[i] = v_zero();
      continue;
    }
    force[i] = gainOf(m, d, i) * inputOf(m, d, i, ctrl[i]);
    if (m->actuator_biastype[i] != mjBIAS_NONE) force[i] = force[i] + biasOf(m, d, i);
  }
#if SHEAF_LANES == 1
  if (m->ntendon) mji_actuator_limitTendons(m, d);
#endif
  for (int i = 0; i < m->nu; i++) {
    if (!m->actuator_forcelimited[i]) continue;
    force[i] = mji_limitTo(force[i], m->actuator_forcerange + 2 * i);
  }

  // those that sleep do nothing
  int sleeping = SHEAF_LANES == 1 && mji_sleep_any(m, d);
  for (int i = 0; sleeping && i < m->nu; i++) {
    if (mji_sleep_ofActuator(m, d, i) == mjS_ASLEEP) force[i] = v_zero();
  }
}

// qfrc_actuator = moment' * force, then what acts on joints
static void jointForces(const mjModel* m, mjData* d) {
  V* qfrc = LANES(d->qfrc_actuator);
  zeroN(qfrc, m->nv);
  for (int i = 0; i < m->nu; i++) {
    V force = CLANES(d->actuator_force)[i];
    int adr = d->moment_rowadr[i];
    for (int k = adr; k < adr + d->moment_rownnz[i]; k++) {
      int dof = d->moment_colind[k];
      qfrc[dof] = qfrc[dof] + CLANES(d->actuator_moment)[k] * force;
    }
  }

  // on joints: gravity compensation that actuators deliver, then the limits of joints
  const mjtNum* g = m->opt.gravity;
  int gravcomp = m->ngravcomp && !mjDISABLED(mjDSBL_GRAVITY) && (g[0] || g[1] || g[2]);
  for (int j = 0; j < m->njnt; j++) {
    int adr = m->jnt_dofadr[j], type = m->jnt_type[j];
    if (gravcomp && m->jnt_actgravcomp[j]) {
      int n = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
      for (int k = adr; k < adr + n; k++) qfrc[k] = qfrc[k] + CLANES(d->qfrc_gravcomp)[k];
    }
    if (m->jnt_actfrclimited[j]) qfrc[adr] = mji_limitTo(qfrc[adr], m->jnt_actfrcrange + 2 * j);
  }
}

void LANE(fwdActuation)(const mjModel* m, mjData* d) {
  if (!m->nu || mjDISABLED(mjDSBL_ACTUATION)) {
    zeroN(LANES(d->actuator_force), m->nu);
    zeroN(LANES(d->qfrc_actuator), m->nv);
    return;
  }
  mjtNum start = mji_timer_start();
  size_t top = mji_stackTop(d);
  V* ctrl = LANES(mji_stackNum(d, m->nu));
  readControls(m, d, ctrl);
  activationRates(m, d, ctrl);
  actuatorForces(m, d, ctrl);
  jointForces(m, d);
  mji_stackBack(d, top);
  mji_timer_stop(d, mjTIMER_ACTUATION, start);
}
