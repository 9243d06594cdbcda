// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Actuator forces: control -> activation -> force -> joint space.
//
// Each actuator has  force = gain * (ctrl or act) + bias  and, if it has an activation act, a rate act_dot that is a
// function of ctrl and act. Everything is a loop over actuators; only callbacks of the user, and muscles whose
// numbers differ between lanes, are evaluated state by state.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/spatial.h"
#include "model/active.h"
#include "model/number.h"
#include "model/plugin.h"
#include "model/timer.h"
#include "model/work.h"

#include "actuate/actuate.h"
#include "actuate/muscle_lanes.h"
#include "tables/actuator_table.h"

// Limit controls to their ranges. If a state has a control that is not finite or too large, all its controls become
// zero. Returns the lanes of such states.
static M limitControls(const mjModel* m, const mjData* d, V* ctrl) {
  int clamp = !mjDISABLED(mjDSBL_CLAMPCTRL);
  M bad = m_none();
  for (int i = 0; i < m->nu; i++) {
    ctrl[i] = CLANES(d->ctrl)[i];
    if (clamp && m->actuator_ctrllimited[i]) {
      ctrl[i] = mji_limitTo(ctrl[i], NUM(actuator_ctrlrange) + 2 * i);
    }
    bad |= ~v_le(v_abs(ctrl[i]), v_set1(mjMAXVAL));
  }
  if (__builtin_expect(!m_any(bad), 1)) return bad;
  for (int i = 0; i < m->nu; i++) ctrl[i] = v_and(~bad, ctrl[i]);
  return bad;
}

static void readControls(const mjModel* m, mjData* d, V* ctrl) {
  M bad = limitControls(m, d, ctrl);
  if (__builtin_expect(!m_any(bad), 1)) return;
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (!m_get(bad, lane)) continue;
    int i = 0;
    while (fabs(v_get(CLANES(d->ctrl)[i], lane)) <= mjMAXVAL) i++;
    mji_warn(d, mjWARN_BADCTRL, i);
  }
}

// ---- activation dynamics: evaluators of MJI_DYNAMICS

// the activation that makes the force: the last one of an actuator
static inline int activationOf(const mjModel* m, int i) { return m->actuator_actadr[i] + m->actuator_actnum[i] - 1; }

static inline V noDynamics(const mjModel* m, mjData* d, int i, V ctrl) { return v_zero(); }

static inline V integrator(const mjModel* m, mjData* d, int i, V ctrl) { return ctrl; }

static inline V filter(const mjModel* m, mjData* d, int i, V ctrl) {
  return (ctrl - CLANES(d->act)[activationOf(m, i)]) / n_max(n_set1(mjMINVAL), NUM(actuator_dynprm)[mjNDYN * i]);
}

static V muscleDynamics(const mjModel* m, mjData* d, int i, V ctrl) {
  V act = CLANES(d->act)[activationOf(m, i)], res = v_zero();
  if (!OWN_NUMBERS) return muscleRate(ctrl, act, m->actuator_dynprm + mjNDYN * i);
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    const mjtNum* prm = LANE_MODEL(lane)->actuator_dynprm + mjNDYN * i;
    v_put(&res, lane, mju_muscleDynamics(v_get(ctrl, lane), v_get(act, lane), prm));
  }
  return res;
}

// with several activations the callback writes the rates itself
static V userDynamics(const mjModel* m, mjData* d, int i, V ctrl) {
  if (!ONE_STATE || !mjcb_act_dyn) return v_zero();
  mjtNum rate = mjcb_act_dyn(m, d, i);
  return v_set1(m->actuator_actnum[i] > 1 ? d->act_dot[activationOf(m, i)] : rate);
}

static V rateOf(const mjModel* m, mjData* d, int i, V ctrl) {
  switch (m->actuator_dyntype[i]) {
#define F(TYPE, word, evaluator) \
  case mjDYN_##TYPE: return evaluator(m, d, i, ctrl);
    MJI_DYNAMICS(F)
#undef F
    default: return v_zero();
  }
}

// rates of activation; actuators that sleep keep their rates
static void activationRates(const mjModel* m, mjData* d, const V* ctrl) {
  mjiList actuators = mji_listOf(m, d, MJI_ACTUATORS);
  for (int k = 0; k < actuators.n; k++) {
    int i = mji_listed(actuators, k);
    if (m->actuator_actadr[i] < 0) continue;
    if (m->actuator_plugin[i] >= 0) zeroN(LANES(d->act_dot) + m->actuator_actadr[i], m->actuator_actnum[i]);
    V rate = rateOf(m, d, i, ctrl[i]);
    LANES(d->act_dot)[activationOf(m, i)] = rate;
  }
  if (ONE_STATE && m->nplugin) mji_plugin_actDot(m, d);
}

// ---- evaluators of MJI_GAINS and MJI_BIASES

static inline V affine(const N* prm, V length, V velocity) { return prm[0] + prm[1] * length + prm[2] * velocity; }

static inline V fixedGain(const mjModel* m, const mjData* d, int i) {
  return v_num(NUM(actuator_gainprm)[mjNGAIN * i]);
}

static inline V affineGain(const mjModel* m, const mjData* d, int i) {
  return affine(NUM(actuator_gainprm) + mjNGAIN * i, CLANES(d->actuator_length)[i], CLANES(d->actuator_velocity)[i]);
}

static V muscleGain(const mjModel* m, const mjData* d, int i) {
  V length = CLANES(d->actuator_length)[i], velocity = CLANES(d->actuator_velocity)[i], res = v_zero();
  const mjtNum* range = m->actuator_lengthrange + 2 * i;
  if (!OWN_NUMBERS)
    return muscleGainOf(length, velocity, range, m->actuator_acc0[i], m->actuator_gainprm + mjNGAIN * i);
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    const mjModel* one = LANE_MODEL(lane);
    v_put(&res, lane,
          mju_muscleGain(v_get(length, lane), v_get(velocity, lane), one->actuator_lengthrange + 2 * i,
                         one->actuator_acc0[i], one->actuator_gainprm + mjNGAIN * i));
  }
  return res;
}

static V userGain(const mjModel* m, const mjData* d, int i) {
  return v_set1(ONE_STATE && mjcb_act_gain ? mjcb_act_gain(m, d, i) : 1);
}

static inline V noBias(const mjModel* m, const mjData* d, int i) { return v_zero(); }

static inline V affineBias(const mjModel* m, const mjData* d, int i) {
  return affine(NUM(actuator_biasprm) + mjNBIAS * i, CLANES(d->actuator_length)[i], CLANES(d->actuator_velocity)[i]);
}

static V muscleBias(const mjModel* m, const mjData* d, int i) {
  V length = CLANES(d->actuator_length)[i], res = v_zero();
  const mjtNum* range = m->actuator_lengthrange + 2 * i;
  if (!OWN_NUMBERS) return muscleBiasOf(length, range, m->actuator_acc0[i], m->actuator_biasprm + mjNBIAS * i);
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    const mjModel* one = LANE_MODEL(lane);
    v_put(&res, lane,
          mju_muscleBias(v_get(length, lane), one->actuator_lengthrange + 2 * i, one->actuator_acc0[i],
                         one->actuator_biasprm + mjNBIAS * i));
  }
  return res;
}

static V userBias(const mjModel* m, const mjData* d, int i) {
  return v_set1(ONE_STATE && mjcb_act_bias ? mjcb_act_bias(m, d, i) : 0);
}

V LANE(actuatorGain)(const mjModel* m, const mjData* d, int i) {
  switch (m->actuator_gaintype[i]) {
#define F(TYPE, word, evaluator) \
  case mjGAIN_##TYPE: return evaluator(m, d, i);
    MJI_GAINS(F)
#undef F
    default: return v_set1(1);
  }
}

V LANE(actuatorBias)(const mjModel* m, const mjData* d, int i) {
  switch (m->actuator_biastype[i]) {
#define F(TYPE, word, evaluator) \
  case mjBIAS_##TYPE: return evaluator(m, d, i);
    MJI_BIASES(F)
#undef F
    default: return v_zero();
  }
}

// ---- forces

// the input, which the gain multiplies: the control, or the activation now or after this step (actearly)
static V inputOf(const mjModel* m, const mjData* d, int i, V ctrl) {
  if (m->actuator_actadr[i] < 0) return ctrl;
  int adr = activationOf(m, i);
  V act = CLANES(d->act)[adr];
  return m->actuator_actearly[i] ? mji_nextActivation(m, d, i, act, CLANES(d->act_dot)[adr]) : act;
}

void LANE(actuatorInputs)(const mjModel* m, const mjData* d, V* input) {
  limitControls(m, d, input);
  for (int i = 0; i < m->nu; i++) input[i] = inputOf(m, d, i, input[i]);
}

// does an actuator pull on a tendon?
static int pulls(const mjModel* m, int actuator, int tendon) {
  return m->actuator_trntype[actuator] == mjTRN_TENDON && m->actuator_trnid[2 * actuator] == tendon;
}

// scale the forces of actuators that pull on the same tendon so that their sum respects its force range
static void limitTendonForces(const mjModel* m, mjData* d) {
  V* force = LANES(d->actuator_force);
  for (int t = 0; t < m->ntendon; t++) {
    if (!m->tendon_actfrclimited[t]) continue;
    V total = v_zero();
    for (int i = 0; i < m->nu; i++) {
      if (pulls(m, i, t)) total = total + force[i];
    }
    const N* range = NUM(tendon_actfrcrange) + 2 * t;
    M low = v_lt(total, v_num(range[0])), high = v_gt(total, v_num(range[1]));
    if (!m_any(low | high)) continue;
    V share = v_sel(low, v_num(range[0]), v_num(range[1])) / v_sel(low | high, total, v_set1(1));
    for (int i = 0; i < m->nu; i++) {
      if (pulls(m, i, t)) force[i] = v_sel(low | high, force[i] * share, force[i]);
    }
  }
}

static void actuatorForces(const mjModel* m, mjData* d, const V* ctrl) {
  V* force = LANES(d->actuator_force);
  mjiList actuators = mji_listOf(m, d, MJI_ACTUATORS);
  if (actuators.n < m->nu) zeroN(force, m->nu);  // those that sleep do nothing
  for (int k = 0; k < actuators.n; k++) {
    int i = mji_listed(actuators, k);
    if (m->actuator_plugin[i] >= 0 || (m->opt.disableactuator && mji_actuator_disabled(m, i))) {
      force[i] = v_zero();
      continue;
    }
    force[i] = LANE(actuatorGain)(m, d, i) * inputOf(m, d, i, ctrl[i]);
    if (m->actuator_biastype[i] != mjBIAS_NONE) force[i] = force[i] + LANE(actuatorBias)(m, d, i);
  }
  if (ONE_STATE && m->nplugin) mji_plugin_compute(m, d, mjPLUGIN_ACTUATOR, mjSTAGE_ACC);
  if (m->ntendon) limitTendonForces(m, d);
  for (int k = 0; k < actuators.n; k++) {
    int i = mji_listed(actuators, k);
    if (!m->actuator_forcelimited[i]) continue;
    force[i] = mji_limitTo(force[i], NUM(actuator_forcerange) + 2 * i);
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
  const N* g = OPT(gravity);
  int gravcomp = m->ngravcomp && !mjDISABLED(mjDSBL_GRAVITY) && !(n_is(g[0], 0) && n_is(g[1], 0) && n_is(g[2], 0));
  for (int j = 0; j < m->njnt; j++) {
    int adr = m->jnt_dofadr[j], type = m->jnt_type[j];
    if (gravcomp && m->jnt_actgravcomp[j]) {
      int n = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
      for (int k = adr; k < adr + n; k++) qfrc[k] = qfrc[k] + CLANES(d->qfrc_gravcomp)[k];
    }
    if (m->jnt_actfrclimited[j]) qfrc[adr] = mji_limitTo(qfrc[adr], NUM(jnt_actfrcrange) + 2 * j);
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
