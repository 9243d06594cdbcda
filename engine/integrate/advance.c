// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From rates to the next state.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "actuate/actuate.h"
#include "dynamics/spatial.h"
#include "integrate/integrate.h"
#include "model/work.h"

// turn a quaternion by the rotation vector vel * h in its own frame
static void integrateQuat(V* quat, const V* vel, double h) {
  V norm = v_sqrt(dot3(vel, vel));
  M none = v_lt(norm, v_set1(mjMINVAL));
  V scale = 1.0 / v_sel(none, v_set1(1), norm);

  V sine, cosine, turn[4];
  v_sincos(0.5 * (norm * h), &sine, &cosine);
  turn[0] = cosine;
  for (int k = 0; k < 3; k++) {
    // no direction: the x axis, about which the angle is next to nothing
    turn[1+k] = v_sel(none, v_set1(k == 0), vel[k] * scale) * sine;
  }
  unitQuat(quat);
  mulQuatV(quat, quat, turn);
}

void LANE(integratePos)(const mjModel* m, mjtNum* qpos_, const mjtNum* qvel_, double h) {
  V* qpos = LANES(qpos_);
  const V* qvel = CLANES(qvel_);
  for (int j = 0; j < m->njnt; j++) {
    V* q = qpos + m->jnt_qposadr[j];
    const V* v = qvel + m->jnt_dofadr[j];
    switch ((mjtJoint)m->jnt_type[j]) {
      case mjJNT_FREE:
        for (int k = 0; k < 3; k++) q[k] = q[k] + h * v[k];
        integrateQuat(q + 3, v + 3, h);
        break;
      case mjJNT_BALL:
        integrateQuat(q, v, h);
        break;
      case mjJNT_SLIDE:
      case mjJNT_HINGE:
        q[0] = q[0] + h * v[0];
        break;
    }
  }
}

// activations; those of disabled actuators are clamped, too, but have no rate
static void advanceAct(const mjModel* m, mjData* d, const V* act_dot) {
  V* act = LANES(d->act);
  for (int i = 0; i < m->nu; i++) {
    int adr = m->actuator_actadr[i];
    if (adr < 0) continue;
    int still = m->opt.disableactuator && mji_actuator_disabled(m, i);
    for (int k = adr; k < adr + m->actuator_actnum[i]; k++) {
      act[k] = mji_nextActivation(m, i, act[k], still ? v_zero() : act_dot[k]);
    }
  }
}

void LANE(advance)(const mjModel* m, mjData* d, const mjtNum* act_dot, const mjtNum* qacc_,
                   const mjtNum* qvel_) {
  double h = m->opt.timestep;
  V* qvel = LANES(d->qvel);
  const V* qacc = CLANES(qacc_);

  // activations, velocities, then positions
  if (m->na) advanceAct(m, d, CLANES(act_dot));
  for (int i = 0; i < m->nv; i++) qvel[i] = qvel[i] + h * qacc[i];
  LANE(integratePos)(m, d->qpos, qvel_ ? qvel_ : d->qvel, h);

  V* time = LANES(mji_time(d));
  *time = *time + h;

  copyN(LANES(d->qacc_warmstart), CLANES(d->qacc), m->nv);
}
