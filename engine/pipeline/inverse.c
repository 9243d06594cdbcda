// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Inverse dynamics: the forces that go with given accelerations.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/rne.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon.h"
#include "integrate/integrate.h"
#include "model/work.h"
#include "pipeline/pipeline.h"

// M is needed by users, for kinetic energy, and to turn discrete-time accelerations into forces
static inline int wantsM(const mjModel* m, const mjData* d) {
  return (mji_work(d)->output & MJI_OUT_API) || (m->opt.enableflags & (mjENBL_ENERGY | mjENBL_INVDISCRETE));
}

void LANE(invPosition)(const mjModel* m, mjData* d) {
  LANE(fwdKinematics)(m, d);
  if (wantsM(m, d)) {
    LANE(makeM)(m, d);
    LANE(factorM)(m, d);
  }
  LANE(collision)(m, d);
  LANE(makeConstraint)(m, d);
  LANE(transmission)(m, d);
}

// continuous acceleration with the same effect as that of a discrete step
static void discreteAcc(const mjModel* m, mjData* d) {
  if (m->opt.integrator == mjINT_RK4) {
    mju_error("mj_inverse: discrete-time inverse dynamics does not support RK4");
  }
  if (m->opt.integrator == mjINT_EULER && (m->opt.disableflags & mjDSBL_EULERDAMP)) return;
  mj_markStack(d);
  mjtNum* force = mji_stackNum(d, m->nv);
  LANE(mulImplicit)(m, d, force, d->qacc);
  LANE(solveM)(m, d, d->qacc, force, 1);
  mj_freeStack(d);
}

#if SHEAF_LANES == 1
// inertia of tendons times acceleration
static void addTendonInertia(const mjModel* m, mjData* d) {
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum armature = m->tendon_armature[t];
    if (!armature) continue;
    mji_tendon_addTo(m, d, t, armature * mji_tendon_dot(m, d, t, d->qacc), d->qfrc_inverse);
  }
}
#endif

// force = inertia * acceleration + bias - passive - constraint; the bias is that of the velocity stage
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
  int energy = m->opt.enableflags & mjENBL_ENERGY;
  int discrete = m->opt.enableflags & mjENBL_INVDISCRETE;
  int sensor = !skipsensor && m->nsensor && (mji_work(d)->output & MJI_OUT_SENSOR);

  // position
  if (skipstage < mjSTAGE_POS) {
    LANE(invPosition)(m, d);
    if (sensor) LANE(sensorPos)(m, d);
    if (energy) LANE(energyPos)(m, d);
  }

  // velocity
  if (skipstage < mjSTAGE_VEL) {
    LANE(fwdVelocity)(m, d);
    if (sensor) LANE(sensorVel)(m, d);
    if (energy) LANE(energyVel)(m, d);
  }

  // acceleration; the caller's qacc comes back as it was
  mj_markStack(d);
  V* qacc = LANES(mji_stackNum(d, m->nv));
  if (discrete) {
    copyN(qacc, CLANES(d->qacc), m->nv);
    discreteAcc(m, d);
  }
  LANE(invConstraint)(m, d);
  inverseForce(m, d);
  if (sensor) LANE(sensorAcc)(m, d);
  if (discrete) copyN(LANES(d->qacc), qacc, m->nv);
  mj_freeStack(d);
}
