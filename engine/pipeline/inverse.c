// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Inverse dynamics: the forces that go with given accelerations.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/rne.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon.h"
#include "integrate/integrate.h"
#include "model/timer.h"
#include "model/work.h"
#include "pipeline/pipeline.h"

// M is needed by users, for kinetic energy, and to turn discrete-time accelerations into forces
static inline int wantsM(const mjModel* m, const mjData* d) {
  int flags = mjENBL_ENERGY | mjENBL_INVDISCRETE;
  return (mji_work(d)->output & MJI_OUT_API) || (m->opt.enableflags & flags);
}

static void inertia(const mjModel* m, mjData* d) {
  if (!wantsM(m, d)) return;
  LANE(makeM)(m, d);
  LANE(factorM)(m, d);
}

void LANE(invPosition)(const mjModel* m, mjData* d) {
  mji_timer_run(m, d, mjTIMER_POS_KINEMATICS, LANE(fwdKinematics));
  mji_timer_run(m, d, mjTIMER_POS_INERTIA, inertia);
  LANE(fwdCollision)(m, d);
  mji_timer_run(m, d, mjTIMER_POS_MAKE, LANE(makeConstraint));
  LANE(transmission)(m, d);
}

// does Euler step with implicit damping? Asked without the flag that disables dampers, as in the reference
static int isDamped(const mjModel* m) {
  int damped = 0;
  if (m->opt.disableflags & mjDSBL_EULERDAMP) return 0;
  for (int i = 0; i < m->nv; i++) damped |= m->dof_damping[i] > 0;
  return damped;
}

// continuous acceleration with the same effect as that of a discrete step
static void discreteAcc(const mjModel* m, mjData* d) {
  if (m->opt.integrator == mjINT_RK4) {
    mju_error("mj_inverse: discrete-time inverse dynamics does not support RK4");
  }
  if (m->opt.integrator == mjINT_EULER && !isDamped(m)) return;
  mj_markStack(d);
  mjtNum* force = mji_stackNum(d, m->nv);
  LANE(mulImplicit)(m, d, force, d->qacc);
  LANE(solveM)(m, d, d->qacc, force, 1);
  mj_freeStack(d);
}

#if SHEAF_LANES == 1
// inertia of tendons times acceleration: as in M, which has no place for what couples separate branches
static void addTendonInertia(const mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtNum* row = mj_stackAllocNum(d, (size_t)m->nv);
  for (int t = 0; t < m->ntendon; t++) {
    if (!m->tendon_armature[t]) continue;
    mju_zero(row, m->nv);
    mji_tendon_addTo(m, d, t, 1, row);
    for (int i = 0; i < m->nv; i++) {
      if (!row[i]) continue;
      mjtNum inertia = m->tendon_armature[t] * row[i];
      int adr = m->M_rowadr[i], end = adr + m->M_rownnz[i];
      for (int k = adr; k < end; k++) {
        int j = m->M_colind[k];
        d->qfrc_inverse[i] += inertia * row[j] * d->qacc[j];
        if (j != i) d->qfrc_inverse[j] += inertia * row[j] * d->qacc[i];
      }
    }
  }
  mj_freeStack(d);
}
#endif

// force = inertia * acceleration + bias - passive - constraint; the bias is that of the velocity
// stage
static void inverseForce(const mjModel* m, mjData* d) {
  V* force = LANES(d->qfrc_inverse);
  LANE(inertialForce)(m, d, d->qfrc_inverse);
#if SHEAF_LANES == 1
  if (m->ntendon) addTendonInertia(m, d);
#endif
  for (int i = 0; i < m->nv; i++) {
    force[i] = force[i] + m->dof_armature[i] * CLANES(d->qacc)[i] + CLANES(d->qfrc_bias)[i]
             - CLANES(d->qfrc_passive)[i] - CLANES(d->qfrc_constraint)[i];
  }
}

void LANE(inverseSkip)(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  mjtNum start = mji_timer_start();
  int energy = m->opt.enableflags & mjENBL_ENERGY;
  int discrete = m->opt.enableflags & mjENBL_INVDISCRETE;
  int sensor = !skipsensor && m->nsensor && (mji_work(d)->output & MJI_OUT_SENSOR);

  // position
  if (skipstage < mjSTAGE_POS) {
    mji_timer_run(m, d, mjTIMER_POSITION, LANE(invPosition));
    if (sensor) LANE(sensorPos)(m, d);
    if (energy) LANE(energyPos)(m, d);
  }

  // velocity
  if (skipstage < mjSTAGE_VEL) {
    mji_timer_run(m, d, mjTIMER_VELOCITY, LANE(fwdVelocity));
    if (sensor) LANE(sensorVel)(m, d);
    if (energy) LANE(energyVel)(m, d);
  }

  // acceleration; the caller's qacc comes back as it was
  V* qacc = NULL;
  if (discrete) {
    mj_markStack(d);
    qacc = LANES(mji_stackNum(d, m->nv));
    copyN(qacc, CLANES(d->qacc), m->nv);
    discreteAcc(m, d);
  }
  mji_timer_run(m, d, mjTIMER_CONSTRAINT, LANE(invConstraint));
  inverseForce(m, d);
  if (sensor) LANE(sensorAcc)(m, d);
  if (discrete) {
    copyN(LANES(d->qacc), qacc, m->nv);
    mj_freeStack(d);
  }
  mji_timer_stop(d, mjTIMER_INVERSE, start);
}
