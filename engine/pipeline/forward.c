// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The stages of forward dynamics, the tables of stages, and a step. Read this first: it is the order in which
// everything happens. All that runs stages - mj_forward, mj_inverse, a step, its two halves, the inner evaluations of
// Runge-Kutta, finite differences, batches - walks the two tables in this file.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "actuate/actuate.h"
#include "base/assert.h"
#include "constraint/blocks_ok.h"
#include "constraint/island.h"
#include "dynamics/flex.h"
#include "dynamics/inertia.h"
#include "dynamics/rne.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_length.h"
#include "model/each_span.h"
#include "model/sleep.h"
#include "model/timer.h"
#include "model/work.h"
#include "pipeline/pipeline.h"
#include "sense/sense.h"

// camera and light frames are for users and for camera sensors
static inline int wantsCameras(const mjModel* m, int want) {
  return (want & MJI_WANT_EXPORT) || (m->ncam && m->nsensor && (want & MJI_WANT_SENSOR));
}

void LANE(fwdKinematics)(const mjModel* m, mjData* d, int want) {
  LANE(kinematics)(m, d);
  LANE(comPos)(m, d);
  if (wantsCameras(m, want)) LANE(camlight)(m, d);
  if (m->nflex) LANE(flex)(m, d);
  if (m->ntendon) mji_sleep_tendons(m, d, LANE(tendon));
}

static void inertia(const mjModel* m, mjData* d) {
  LANE(makeM)(m, d);
  LANE(factorM)(m, d);
}

// The position stage of forward and inverse dynamics. Inverse dynamics need M only for users, for the kinetic energy,
// and to turn discrete-time accelerations into forces.
static inline __attribute__((always_inline)) void position(const mjModel* m, mjData* d, int forward, int want) {
  int needsM = forward || want & MJI_WANT_EXPORT || mjENABLED(mjENBL_ENERGY) || mjENABLED(mjENBL_INVDISCRETE) ||
               (want & MJI_WANT_SENSOR && mji_sense_has(m, mjSENS_E_KINETIC));
  mji_timer_stage(m, d, mjTIMER_POS_KINEMATICS, LANE(fwdKinematics), want);
  if (needsM) mji_timer_run(m, d, mjTIMER_POS_INERTIA, inertia);
  else mji_timer_stop(d, mjTIMER_POS_INERTIA, mji_timer_start());
  mji_sleep_collide(m, d, LANE(collision));
  mji_timer_run(m, d, mjTIMER_POS_MAKE, LANE(makeConstraint));
  if (forward || !(want & MJI_WANT_LEAN)) LANE(transmission)(m, d);
  if (ONE_STATE && forward) mji_timer_run(m, d, mjTIMER_POS_PROJECT, mj_projectConstraint);
  if (ONE_STATE && want & MJI_WANT_EXPORT) mji_exportPosition(m, d, forward);
  else if (ONE_STATE && forward && mjENABLED(mjENBL_SLEEP)) mji_island_find(m, d);
}

void LANE(fwdPosition)(const mjModel* m, mjData* d, int want) { position(m, d, 1, want); }

void LANE(invPosition)(const mjModel* m, mjData* d, int want) { position(m, d, 0, want); }

// Without velocities of actuators, on which no force depends before that of the actuators. Bias forces over lanes come
// at once, while the velocities of bodies are in the near cache. With one state they come after the passive forces, as
// in the reference: a program's callback of passive forces sees the bias forces of the step before.
static void leanVelocity(const mjModel* m, mjData* d) {
  if (m->nflex) LANE(flexVelocity)(m, d);
  if (m->ntendon) LANE(tendonVelocity)(m, d);
  LANE(comVel)(m, d);
  if (!ONE_STATE) LANE(biasForce)(m, d);
  LANE(passive)(m, d);
  LANE(referenceConstraint)(m, d);
  if (ONE_STATE) LANE(biasForce)(m, d);
  if (m->ntendon) LANE(tendonBias)(m, d, d->qfrc_bias);
}

static void velocityStage(const mjModel* m, mjData* d) {
  LANE(actuatorVelocity)(m, d);
  leanVelocity(m, d);
}

void LANE(fwdVelocity)(const mjModel* m, mjData* d, int want) {
  mji_sleep_forces(m, d, want & MJI_WANT_LEAN ? leanVelocity : velocityStage);
}

// lanes in which any of n numbers is not zero
static inline M anyNonzero(const V* x, int n) {
  M any = m_none();
  for (int i = 0; i < n; i++) any = any | ~v_eq(x[i], v_zero());
  return any;
}

// add the forces of xfrc_applied on the bodies of a span
static inline void addApplied(const mjModel* m, mjData* d, mjiSpan s, V* qfrc) {
  const mjiPlan* plan = mji_plan(m);
  for (int b = s.body; b < s.body_end; b++) {
    const V* force = CLANES(d->xfrc_applied) + 6 * b;
    M on = anyNonzero(force, 6);
    if (!m_any(on)) continue;

    // moment about the origin of the com frame
    const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[b];
    V arm[3], moment[3];
    for (int k = 0; k < 3; k++) arm[k] = CLANES(d->xipos)[3 * b + k] - com[k];
    cross3(moment, arm, force);
    for (int k = 0; k < 3; k++) moment[k] = moment[k] + force[3 + k];

    // power along each dof that moves the body
    const int* chain = plan->chain_ind + plan->chain_adr[b];
    for (int c = 0; c < plan->chain_num[b]; c++) {
      int i = chain[c];
      const V* cdof = CLANES(d->cdof) + 6 * i;
      qfrc[i] = v_sel(on, qfrc[i] + (dot3(cdof, moment) + dot3(cdof + 3, force)), qfrc[i]);
    }
  }
}

static inline __attribute__((always_inline)) void accelerate(const mjModel* m, mjData* d, mjiSpan s, V* smooth) {
  for (int i = s.dof; i < s.dof_end; i++) {
    smooth[i] =
        CLANES(d->qfrc_passive)[i] - CLANES(d->qfrc_bias)[i] + CLANES(d->qfrc_applied)[i] + CLANES(d->qfrc_actuator)[i];
  }
  addApplied(m, d, s, smooth);
  copyN(LANES(d->qacc_smooth) + s.dof, smooth + s.dof, s.dof_end - s.dof);
  LANE(solveLD)(m, CLANES(d->qLD), CLANES(d->qLDiagInv), LANES(d->qacc_smooth), 1, s.dof, s.dof_end);
}

void LANE(fwdAcceleration)(const mjModel* m, mjData* d) { mji_eachSpan(m, d, accelerate, LANES(d->qfrc_smooth)); }

static inline __attribute__((always_inline)) void forces(const mjModel* m, mjData* d, int want) {
  LANE(fwdActuation)(m, d);
  LANE(fwdAcceleration)(m, d);
  MJ_ASSERT(LANE(blocksOk)(m, d));
  mji_timer_stage(m, d, mjTIMER_CONSTRAINT, LANE(fwdConstraint), want);
}

// ---- tables

typedef void (*Kernel)(const mjModel* m, mjData* d);

typedef struct {
  mjiStageKernel run;
  int timer;      // timer of run; mjNTIMER: it has none
  Kernel sensor;  // sensors of the stage
  Kernel energy;
  int sensed;  // if the model has a sensor of this type, it computes the energy; -1: none
} Stage;

// the user's callback sets controls when positions and velocities are known
static inline __attribute__((always_inline)) void control(const mjModel* m, mjData* d, int want) {
  (void)want;
  if (ONE_STATE && mjcb_control && !mjDISABLED(mjDSBL_ACTUATION)) mjcb_control(m, d);
}

static void potential(const mjModel* m, mjData* d) {
  if (mjENABLED(mjENBL_ENERGY)) LANE(energyPos)(m, d);
}

// forward dynamics set energies to zero if they are not computed
static inline __attribute__((always_inline)) void potentialOrZero(const mjModel* m, mjData* d) {
  if (mjENABLED(mjENBL_ENERGY)) LANE(energyPos)(m, d);
  else zeroN(LANES(mji_energy(d)), 2);
}

static inline __attribute__((always_inline)) void kinetic(const mjModel* m, mjData* d) {
  if (mjENABLED(mjENBL_ENERGY)) LANE(energyVel)(m, d);
}

static const Stage kForward[] = {
    [MJI_POSITION] = {LANE(fwdPosition), mjTIMER_POSITION, LANE(sensorPos), potentialOrZero, mjSENS_E_POTENTIAL},
    [MJI_VELOCITY] = {LANE(fwdVelocity), mjTIMER_VELOCITY, LANE(sensorVel), kinetic, mjSENS_E_KINETIC},
    [MJI_CONTROL] = {control, mjNTIMER, NULL, NULL, 0},
    [MJI_ACCELERATION] = {forces, mjNTIMER, LANE(sensorAcc), NULL, 0},
};

static const Stage kInverse[] = {
    [MJI_POSITION] = {LANE(invPosition), mjTIMER_POSITION, LANE(sensorPos), potential, -1},
    [MJI_VELOCITY] = {LANE(fwdVelocity), mjTIMER_VELOCITY, LANE(sensorVel), kinetic, -1},
    [MJI_CONTROL] = {LANE(invAcceleration), mjNTIMER, NULL, NULL, 0},
    [MJI_ACCELERATION] = {LANE(invForces), mjNTIMER, LANE(sensorAcc), NULL, 0},
};

// ---- walking them

static inline __attribute__((always_inline)) void runStage(const Stage* s, const mjModel* m, mjData* d, int want) {
  int sensor = m->nsensor && (want & MJI_WANT_SENSOR);
  if (s->timer < mjNTIMER) mji_timer_stage(m, d, s->timer, s->run, want);
  else s->run(m, d, want);
  if (sensor && s->sensor) s->sensor(m, d);
  if (s->energy && !(sensor && mji_sense_has(m, s->sensed))) s->energy(m, d);
}

// `table` is a constant where this is called. Four calls instead of a loop let the compiler inline its rows.
static inline __attribute__((always_inline)) void walk(const Stage* table, const mjModel* m, mjData* d, int first,
                                                       int last, int want) {
  if (first <= MJI_POSITION) runStage(table + MJI_POSITION, m, d, want);
  if (first <= MJI_VELOCITY && last >= MJI_VELOCITY) runStage(table + MJI_VELOCITY, m, d, want);
  if (first <= MJI_CONTROL && last >= MJI_CONTROL) runStage(table + MJI_CONTROL, m, d, want);
  if (last >= MJI_ACCELERATION) runStage(table + MJI_ACCELERATION, m, d, want);
}

// mjTIMER_FORWARD counts calls that run from controls, or an earlier stage, to accelerations, so not the halves of a
// step
void LANE(forward)(const mjModel* m, mjData* d, int first, int last, int want) {
  mjtNum start = mji_timer_start();
  MJ_ASSERT(mji_sleep_spansOk(m, d));
  walk(kForward, m, d, first, last, want);
  if (first <= MJI_CONTROL && last == MJI_ACCELERATION) mji_timer_stop(d, mjTIMER_FORWARD, start);
}

// d->qacc is an input: if discrete-time dynamics change it, it is restored
void LANE(inverse)(const mjModel* m, mjData* d, int first, int last, int want) {
  mjtNum start = mji_timer_start();
  mj_markStack(d);
  V* given = mjENABLED(mjENBL_INVDISCRETE) ? LANES(mji_stackNum(d, (size_t)m->nv)) : NULL;
  if (given) copyN(given, CLANES(d->qacc), m->nv);
  walk(kInverse, m, d, first, last, want);
  if (given) copyN(LANES(d->qacc), given, m->nv);
  mj_freeStack(d);
  mji_timer_stop(d, mjTIMER_INVERSE, start);
}

// ---- a step

// integrate; factors of the last call are used again if their matrices have not changed
static void integrate(const mjModel* m, mjData* d, int first, int inner, int want) {
  mjtNum start = mji_timer_start();
  switch ((mjtIntegrator)m->opt.integrator) {
    case mjINT_EULER: LANE(Euler)(m, d, first > MJI_POSITION, want); break;
    case mjINT_RK4: LANE(RungeKutta)(m, d, 4, inner, want); return;  // not timed: forward dynamics have a timer
    case mjINT_IMPLICIT:
    case mjINT_IMPLICITFAST: LANE(implicit)(m, d, first > MJI_VELOCITY, want); break;
  }
  mji_timer_stop(d, mjTIMER_ADVANCE, start);
}

static inline __attribute__((always_inline)) void evaluate(const mjModel* m, mjData* d, int first, int want) {
  LANE(checkState)(m, d);
  LANE(forward)(m, d, first, MJI_ACCELERATION, want);
  if (LANE(checkAcc)(m, d)) LANE(forward)(m, d, MJI_POSITION, MJI_ACCELERATION, want);
}

void LANE(step)(const mjModel* m, mjData* d, int first, int want) {
  mjtNum start = mji_timer_start();
  size_t scratch = d->pstack;
  int inner = mji_hidesStages(m) ? want & ~MJI_WANT_EXPORT : want;
  evaluate(m, d, first, inner);
  if (ONE_STATE && want & MJI_WANT_EXPORT && mjENABLED(mjENBL_FWDINV)) mj_compareFwdInv(m, d);
  integrate(m, d, first, inner, want);
  mji_timer_stop(d, mjTIMER_STEP, start);
  MJ_ASSERT(d->pstack == scratch);
}

void LANE(beginStep)(const mjModel* m, mjData* d, int want) { evaluate(m, d, MJI_POSITION, want); }
void LANE(endStep)(const mjModel* m, mjData* d, int want) { integrate(m, d, MJI_POSITION, want, want); }
