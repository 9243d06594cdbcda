// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From rates to the next state, in two functions, because trees may fall asleep after the activations advance and
// before velocities and positions do.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "actuate/actuate.h"
#include "dynamics/spatial.h"
#include "integrate/integrate.h"
#include "model/each_span.h"
#include "model/number.h"
#include "model/plugin.h"
#include "model/work.h"

// turn a quaternion by the rotation vector vel * h in its own frame
static void integrateQuat(V* quat, const V* vel, N h) {
  V norm = v_sqrt(dot3(vel, vel));
  M none = v_lt(norm, v_set1(mjMINVAL));
  V scale = 1.0 / v_sel(none, v_set1(1), norm);

  V sine, cosine, turn[4];
  v_sincos(0.5 * (norm * h), &sine, &cosine);
  turn[0] = cosine;
  for (int k = 0; k < 3; k++) {
    // a velocity of zero has no direction: take the x axis, about which the angle is nearly zero
    turn[1 + k] = v_sel(none, v_set1(k == 0), vel[k] * scale) * sine;
  }
  unitQuat(quat);
  mulQuatV(quat, quat, turn);
}

static inline void integrateJoint(const mjModel* m, V* qpos, const V* qvel, int j, N h) {
  V* q = qpos + m->jnt_qposadr[j];
  const V* v = qvel + m->jnt_dofadr[j];
  switch ((mjtJoint)m->jnt_type[j]) {
    case mjJNT_FREE:
      for (int k = 0; k < 3; k++) q[k] = q[k] + h * v[k];
      integrateQuat(q + 3, v + 3, h);
      break;
    case mjJNT_BALL: integrateQuat(q, v, h); break;
    case mjJNT_SLIDE:
    case mjJNT_HINGE: q[0] = q[0] + h * v[0]; break;
  }
}

void LANE(integratePos)(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, N h) {
  for (int j = 0; j < m->njnt; j++) integrateJoint(m, LANES(qpos), CLANES(qvel), j, h);
}

// advance activations; those of disabled actuators are clamped, too, but do not move
void LANE(advanceAct)(const mjModel* m, mjData* d, const mjtNum* act_dot) {
  V* act = LANES(d->act);
  for (int i = 0; i < m->nu; i++) {
    int adr = m->actuator_actadr[i];
    if (adr < 0) continue;
    int still = m->opt.disableactuator && mji_actuator_disabled(m, i);
    for (int k = adr; k < adr + m->actuator_actnum[i]; k++) {
      act[k] = mji_nextActivation(m, d, i, act[k], still ? v_zero() : CLANES(act_dot)[k]);
    }
  }
}

static inline __attribute__((always_inline)) void pushVel(const mjModel* m, mjData* d, mjiSpan s, V* qacc) {
  V* qvel = LANES(d->qvel);
  for (int i = s.dof; i < s.dof_end; i++) qvel[i] = qvel[i] + OPT(timestep)[0] * qacc[i];
}

static inline __attribute__((always_inline)) void pushPos(const mjModel* m, mjData* d, mjiSpan s, V* qvel) {
  for (int j = s.joint; j < s.joint_end; j++) integrateJoint(m, LANES(d->qpos), qvel, j, OPT(timestep)[0]);
}

void LANE(advanceMotion)(const mjModel* m, mjData* d, const mjtNum* qacc, const mjtNum* qvel) {
  mji_eachSpan(m, d, pushVel, LANES(qacc));
  mji_eachSpan(m, d, pushPos, LANES(qvel ? qvel : d->qvel));

  V* time = LANES(mji_time(d));
  *time = *time + OPT(timestep)[0];

  copyN(LANES(d->qacc_warmstart), CLANES(d->qacc), m->nv);
  if (ONE_STATE && m->nplugin) mji_plugin_advance(m, d);
}
