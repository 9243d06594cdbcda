// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forward dynamics, stage by stage. Read this first: it is the order in which everything happens.
//
// Results of a stage depend on positions only, then on velocities, then on forces and controls; a
// caller who changed only later inputs skips the earlier stages.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "actuate/actuate.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon.h"
#include "integrate/integrate.h"
#include "model/sleep.h"
#include "model/timer.h"
#include "model/work.h"
#include "pipeline/pipeline.h"
#include "sense/sense.h"

static inline int wants(const mjData* d, int output) { return mji_work(d)->output & output; }

// camera and light frames are for users and for camera sensors
static inline int wantsCameras(const mjModel* m, const mjData* d) {
  return wants(d, MJI_OUT_API) || (m->ncam && m->nsensor && wants(d, MJI_OUT_SENSOR));
}

void LANE(fwdKinematics)(const mjModel* m, mjData* d) {
  LANE(kinematics)(m, d);
  LANE(comPos)(m, d);
  if (wantsCameras(m, d)) LANE(camlight)(m, d);
#if SHEAF_LANES == 1
  if (m->ntendon) mj_tendon(m, d);
  if (m->ntendon && mji_sleep_any(m, d)) mji_sleep_wakeByTendons(m, d);
#endif
}

void LANE(fwdCollision)(const mjModel* m, mjData* d) {
  LANE(collision)(m, d);
#if SHEAF_LANES == 1
  if (!(m->opt.enableflags & mjENBL_SLEEP)) return;
  while (mji_sleep_any(m, d) && mji_sleep_wakeByContacts(m, d)) LANE(collision)(m, d);
  mji_sleep_wakeByEqualities(m, d);
#endif
}

static void inertia(const mjModel* m, mjData* d) {
  LANE(makeM)(m, d);
  LANE(factorM)(m, d);
}

void LANE(fwdPosition)(const mjModel* m, mjData* d) {
  mji_timer_run(m, d, mjTIMER_POS_KINEMATICS, LANE(fwdKinematics));
  mji_timer_run(m, d, mjTIMER_POS_INERTIA, inertia);
  LANE(fwdCollision)(m, d);
  mji_timer_run(m, d, mjTIMER_POS_MAKE, LANE(makeConstraint));
#if SHEAF_LANES == 1
  if (wants(d, MJI_OUT_API) || m->opt.enableflags & mjENBL_SLEEP) mj_island(m, d);
#endif
  LANE(transmission)(m, d);
#if SHEAF_LANES == 1
  mji_timer_run(m, d, mjTIMER_POS_PROJECT, mj_projectConstraint);
#endif
}

#if SHEAF_LANES == 1
// Forces on dofs that sleep stay as they were when they fell asleep, whatever becomes of gravity or
// controls meanwhile: run a stage, and restore n of its results there.
static __attribute__((noinline)) void runAwake(const mjModel* m, mjData* d, void (*stage)(const mjModel*, mjData*),
                                               mjtNum* const* result, int n) {
  int nv = m->nv, nasleep = nv - d->nv_awake;
  mj_markStack(d);
  mjtNum* kept = mj_stackAllocNum(d, (size_t)n * (size_t)nasleep);
  int* dof = mj_stackAllocInt(d, (size_t)nasleep);
  for (int i = 0, k = 0; i < nv; i++) {
    if (mji_sleep_ofDof(m, d, i)) dof[k++] = i;
  }
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < nasleep; k++) kept[r * nasleep + k] = result[r][dof[k]];
  }
  stage(m, d);
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < nasleep; k++) result[r][dof[k]] = kept[r * nasleep + k];
  }
  mj_freeStack(d);
}
#endif

static void velocityStage(const mjModel* m, mjData* d) {
#if SHEAF_LANES == 1
  if (m->ntendon) mji_tendon_velocity(m, d);
#endif
  LANE(actuatorVelocity)(m, d);
  LANE(comVel)(m, d);
  LANE(passive)(m, d);
  LANE(referenceConstraint)(m, d);
  LANE(rne)(m, d, 0, d->qfrc_bias);
#if SHEAF_LANES == 1
  if (m->ntendon) mji_tendon_bias(m, d, d->qfrc_bias);
#endif
}

void LANE(fwdVelocity)(const mjModel* m, mjData* d) {
#if SHEAF_LANES == 1
  if (mji_sleep_any(m, d)) {
    mjtNum* force[] = {d->qfrc_spring, d->qfrc_damper, d->qfrc_gravcomp, d->qfrc_fluid, d->qfrc_passive, d->qfrc_bias};
    runAwake(m, d, velocityStage, force, 6);
    return;
  }
#endif
  velocityStage(m, d);
}

// lanes in which any of n numbers is not zero
static inline M anyNonzero(const V* x, int n) {
  M any = m_none();
  for (int i = 0; i < n; i++) any = any | ~v_eq(x[i], v_zero());
  return any;
}

void LANE(addApplied)(const mjModel* m, mjData* d, V* qfrc) {
  const mjiPlan* plan = mji_plan(m);
  for (int b = 1; b < m->nbody; b++) {
    const V* force = CLANES(d->xfrc_applied) + 6 * b;
    M on = anyNonzero(force, 6);
    if (!m_any(on)) continue;

    // moment about the origin of the com frame
    const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[b];
    V arm[3], moment[3];
    for (int k = 0; k < 3; k++) arm[k] = CLANES(d->xipos)[3*b + k] - com[k];
    cross3(moment, arm, force);
    for (int k = 0; k < 3; k++) moment[k] = moment[k] + force[3+k];

    // power along each dof that moves the body
    const int* chain = plan->chain_ind + plan->chain_adr[b];
    for (int c = 0; c < plan->chain_num[b]; c++) {
      int i = chain[c];
      const V* cdof = CLANES(d->cdof) + 6 * i;
      qfrc[i] = v_sel(on, qfrc[i] + (dot3(cdof, moment) + dot3(cdof + 3, force)), qfrc[i]);
    }
  }
}

static void accelerationStage(const mjModel* m, mjData* d) {
  V* smooth = LANES(d->qfrc_smooth);
  for (int i = 0; i < m->nv; i++) {
    smooth[i] = CLANES(d->qfrc_passive)[i] - CLANES(d->qfrc_bias)[i] + CLANES(d->qfrc_applied)[i]
              + CLANES(d->qfrc_actuator)[i];
  }
  LANE(addApplied)(m, d, smooth);
  LANE(solveM)(m, d, d->qacc_smooth, d->qfrc_smooth, 1);
}

void LANE(fwdAcceleration)(const mjModel* m, mjData* d) {
#if SHEAF_LANES == 1
  if (mji_sleep_any(m, d)) {
    runAwake(m, d, accelerationStage, (mjtNum*[]){d->qfrc_smooth, d->qacc_smooth}, 2);
    return;
  }
#endif
  accelerationStage(m, d);
}

void LANE(forwardSkip)(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  mjtNum start = mji_timer_start();
  int energy = m->opt.enableflags & mjENBL_ENERGY;
  int sensor = !skipsensor && m->nsensor && wants(d, MJI_OUT_SENSOR);

  // position
  if (skipstage < mjSTAGE_POS) {
    mji_timer_run(m, d, mjTIMER_POSITION, LANE(fwdPosition));
    if (sensor) LANE(sensorPos)(m, d);

    // a sensor of the potential energy leaves it there
    if (!sensor || !mji_sense_has(m, mjSENS_E_POTENTIAL)) {
      if (energy) LANE(energyPos)(m, d);
      else zeroN(LANES(mji_energy(d)), 2);
    }
  }

  // velocity
  if (skipstage < mjSTAGE_VEL) {
    mji_timer_run(m, d, mjTIMER_VELOCITY, LANE(fwdVelocity));
    if (sensor) LANE(sensorVel)(m, d);
    if (energy && (!sensor || !mji_sense_has(m, mjSENS_E_KINETIC))) LANE(energyVel)(m, d);
  }

  // acceleration
#if SHEAF_LANES == 1
  if (mjcb_control && !(m->opt.disableflags & mjDSBL_ACTUATION)) mjcb_control(m, d);
#endif
  LANE(fwdActuation)(m, d);
  LANE(fwdAcceleration)(m, d);
  mji_timer_run(m, d, mjTIMER_CONSTRAINT, LANE(fwdConstraint));
  if (sensor) LANE(sensorAcc)(m, d);
  mji_timer_stop(d, mjTIMER_FORWARD, start);
}

// integrate, with the factors of the last call where their matrices have not changed
static void integrate(const mjModel* m, mjData* d, int skipstage) {
  mjtNum start = mji_timer_start();
  switch ((mjtIntegrator)m->opt.integrator) {
    case mjINT_EULER:
      LANE(EulerSkip)(m, d, skipstage >= mjSTAGE_POS);
      break;
    case mjINT_RK4:
      LANE(RungeKutta)(m, d, 4);
      return;    // mostly forward dynamics, which has a timer
    case mjINT_IMPLICIT:
    case mjINT_IMPLICITFAST:
      LANE(implicitSkip)(m, d, skipstage >= mjSTAGE_VEL);
      break;
  }
  mji_timer_stop(d, mjTIMER_ADVANCE, start);
}

void LANE(stepSkip)(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  mjtNum start = mji_timer_start();
  mjiWork* w = mji_work(d);
  int output = w->output;
  LANE(checkState)(m, d);
  if (mji_hidesStages(m)) w->output &= ~MJI_OUT_API;
  LANE(forwardSkip)(m, d, skipstage, skipsensor);
  w->output = output;
  LANE(checkAcc)(m, d);
#if SHEAF_LANES == 1
  if (m->opt.enableflags & mjENBL_FWDINV) mj_compareFwdInv(m, d);
#endif
  integrate(m, d, skipstage);
  mji_timer_stop(d, mjTIMER_STEP, start);
}

void LANE(step)(const mjModel* m, mjData* d) {
  LANE(stepSkip)(m, d, mjSTAGE_NONE, 0);
}
