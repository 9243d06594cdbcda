// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From rates to the next state.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "actuate/actuate.h"
#include "dynamics/spatial.h"
#include "integrate/integrate.h"
#include "model/sleep.h"
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

static inline void integrateJoint(const mjModel* m, V* qpos, const V* qvel, int j, double h) {
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

void LANE(integratePos)(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, double h) {
  for (int j = 0; j < m->njnt; j++) integrateJoint(m, LANES(qpos), CLANES(qvel), j, h);
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

#if SHEAF_LANES == 1
// Islands that are ready fall asleep; what depends on velocities is computed once more, with theirs at zero.
// Nonzero if some trees sleep.
static int settle(const mjModel* m, mjData* d) {
  if (m->opt.enableflags & mjENBL_SLEEP && mji_sleep_fall(m, d)) {
    LANE(forwardSkip)(m, d, mjSTAGE_POS, 0);
    mji_sleep_update(m, d);
  }
  return mji_sleep_any(m, d);
}

// velocities and positions of trees that are awake
static void moveAwake(const mjModel* m, mjData* d, const mjtNum* qacc, const mjtNum* qvel) {
  double h = m->opt.timestep;
  for (int i = 0; i < m->nv; i++) {
    if (!mji_sleep_ofDof(m, d, i)) d->qvel[i] = d->qvel[i] + h * qacc[i];
  }
  for (int j = 0; j < m->njnt; j++) {
    if (!mji_sleep_ofDof(m, d, m->jnt_dofadr[j])) integrateJoint(m, d->qpos, qvel ? qvel : d->qvel, j, h);
  }
}
#endif

static void move(const mjModel* m, mjData* d, const V* qacc, const mjtNum* newvel) {
  double h = m->opt.timestep;
  V* qvel = LANES(d->qvel);
  for (int i = 0; i < m->nv; i++) qvel[i] = qvel[i] + h * qacc[i];
  LANE(integratePos)(m, d->qpos, newvel ? newvel : d->qvel, h);
}

void LANE(advance)(const mjModel* m, mjData* d, const mjtNum* act_dot, const mjtNum* qacc,
                   const mjtNum* qvel) {
  // activations, velocities, then positions
  if (m->na) advanceAct(m, d, CLANES(act_dot));
#if SHEAF_LANES == 1
  if (settle(m, d)) moveAwake(m, d, qacc, qvel);
  else move(m, d, qacc, qvel);
#else
  move(m, d, CLANES(qacc), qvel);
#endif

  V* time = LANES(mji_time(d));
  *time = *time + m->opt.timestep;

  copyN(LANES(d->qacc_warmstart), CLANES(d->qacc), m->nv);
}
