// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Public functions of the pipeline, for one state.

#include <mujoco/mujoco.h>

#include "lanes/kernels.h"
#include "model/timer.h"
#include "model/work.h"
#include "pipeline/pipeline.h"

void mj_fwdKinematics(const mjModel* m, mjData* d) { LANE1(fwdKinematics)(m, d, MJI_WANT_ALL); }
void mj_fwdAcceleration(const mjModel* m, mjData* d) { LANE1(fwdAcceleration)(m, d); }

void mj_fwdPosition(const mjModel* m, mjData* d) {
  mji_timer_stage(m, d, mjTIMER_POSITION, LANE1(fwdPosition), MJI_WANT_ALL);
}

void mj_fwdVelocity(const mjModel* m, mjData* d) {
  mji_timer_stage(m, d, mjTIMER_VELOCITY, LANE1(fwdVelocity), MJI_WANT_ALL);
}

void mj_invPosition(const mjModel* m, mjData* d) {
  mji_timer_stage(m, d, mjTIMER_POSITION, LANE1(invPosition), MJI_WANT_ALL);
}

void mj_invVelocity(const mjModel* m, mjData* d) { mj_fwdVelocity(m, d); }

static void integrate(const mjModel* m, mjData* d, void (*kernel)(const mjModel*, mjData*, int, int)) {
  mjtNum start = mji_timer_start();
  kernel(m, d, 0, MJI_WANT_ALL);
  mji_timer_stop(d, mjTIMER_ADVANCE, start);
}

void mj_Euler(const mjModel* m, mjData* d) { integrate(m, d, LANE1(Euler)); }

void mj_implicit(const mjModel* m, mjData* d) {
  if (m->opt.integrator != mjINT_IMPLICIT && m->opt.integrator != mjINT_IMPLICITFAST) {
    mju_error("mj_implicit: the model's integrator is neither implicit nor implicitfast");
  }
  integrate(m, d, LANE1(implicit));
}

void mj_RungeKutta(const mjModel* m, mjData* d, int N) {
  LANE1(RungeKutta)(m, d, N, mji_hidesStages(m) ? 0 : MJI_WANT_ALL, MJI_WANT_ALL);
}

static int wantAll(int skipsensor) { return skipsensor ? MJI_WANT_ALL & ~MJI_WANT_SENSOR : MJI_WANT_ALL; }

void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  LANE1(forward)(m, d, skipstage + 1, MJI_ACCELERATION, wantAll(skipsensor));
}

void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  LANE1(inverse)(m, d, skipstage + 1, MJI_ACCELERATION, wantAll(skipsensor));
}

void mj_forward(const mjModel* m, mjData* d) { mj_forwardSkip(m, d, mjSTAGE_NONE, 0); }
void mj_inverse(const mjModel* m, mjData* d) { mj_inverseSkip(m, d, mjSTAGE_NONE, 0); }
void mj_step(const mjModel* m, mjData* d) { LANE1(step)(m, d, MJI_POSITION, MJI_WANT_ALL); }

// first half of a step: everything before the user may set forces and controls
void mj_step1(const mjModel* m, mjData* d) {
  mjtNum start = mji_timer_start();
  mj_checkPos(m, d);
  mj_checkVel(m, d);
  LANE1(forward)(m, d, MJI_POSITION, MJI_VELOCITY, MJI_WANT_ALL);

  // unlike mj_step, mj_step1 calls the control callback even if actuation is disabled
  if (mjcb_control) mjcb_control(m, d);
  mji_timer_stop(d, mjTIMER_STEP, start);
}

// second half; RK4 cannot be split, so Euler is used instead
void mj_step2(const mjModel* m, mjData* d) {
  mjtNum start = mji_timer_start();
  LANE1(forward)(m, d, MJI_ACCELERATION, MJI_ACCELERATION, MJI_WANT_ALL);
  mj_checkAcc(m, d);
  if (m->opt.enableflags & mjENBL_FWDINV) mj_compareFwdInv(m, d);

  int integrator = m->opt.integrator;
  int implicit = integrator == mjINT_IMPLICIT || integrator == mjINT_IMPLICITFAST;
  (implicit ? mj_implicit : mj_Euler)(m, d);
  mji_timer_stop(d, mjTIMER_STEP, start);
  d->timer[mjTIMER_STEP].number--;  // counted by the first half
}

// first bad number of n, or -1
static int findBad(const mjtNum* x, int n) {
  for (int i = 0; i < n; i++) {
    if (mju_isBad(x[i])) return i;
  }
  return -1;
}

// A reset clears the counters, so the warning is counted again after it. Without a reset it is therefore counted twice,
// as in the reference.
int mji_rejectState(const mjModel* m, mjData* d, int warning, int index) {
  int reset = !(m->opt.disableflags & mjDSBL_AUTORESET);
  mj_warning(d, warning, index);
  if (reset) mji_resetInStep(m, d);
  d->warning[warning].number++;
  d->warning[warning].lastinfo = index;
  return reset;
}

void mj_checkPos(const mjModel* m, mjData* d) {
  int bad = findBad(d->qpos, m->nq);
  if (bad >= 0) mji_rejectState(m, d, mjWARN_BADQPOS, bad);
}

void mj_checkVel(const mjModel* m, mjData* d) {
  int bad = findBad(d->qvel, m->nv);
  if (bad >= 0) mji_rejectState(m, d, mjWARN_BADQVEL, bad);
}

void mj_checkAcc(const mjModel* m, mjData* d) {
  int bad = findBad(d->qacc, m->nv);
  if (bad >= 0 && mji_rejectState(m, d, mjWARN_BADQACC, bad)) mj_forward(m, d);
}

// compare the forces of inverse dynamics, at the accelerations of forward dynamics, with the forces of forward dynamics
void mj_compareFwdInv(const mjModel* m, mjData* d) {
  int nv = m->nv;
  d->solver_fwdinv[0] = d->solver_fwdinv[1] = 0;
  if (!d->nefc) return;

  mj_markStack(d);
  mjtNum* applied = mj_stackAllocNum(d, nv);
  mjtNum* dif = mj_stackAllocNum(d, nv);
  mjtNum* constraint = mj_stackAllocNum(d, nv);
  mjtNum* force = mj_stackAllocNum(d, d->nefc);
  mju_add(applied, d->qfrc_applied, d->qfrc_actuator, nv);
  for (int b = 1; b < m->nbody; b++) {
    const mjtNum* xfrc = d->xfrc_applied + 6 * b;
    if (!mju_isZero(xfrc, 6)) mj_applyFT(m, d, xfrc, xfrc + 3, d->xipos + 3 * b, b, applied);
  }

  // inverse dynamics overwrite the results of the solver, so save them
  mju_copy(constraint, d->qfrc_constraint, nv);
  mju_copy(force, d->efc_force, d->nefc);
  mj_inverseSkip(m, d, mjSTAGE_VEL, 1);

  mju_sub(dif, constraint, d->qfrc_constraint, nv);
  d->solver_fwdinv[0] = mju_norm(dif, nv);
  mju_sub(dif, applied, d->qfrc_inverse, nv);
  d->solver_fwdinv[1] = mju_norm(dif, nv);

  mju_copy(d->qfrc_constraint, constraint, nv);
  mju_copy(d->efc_force, force, d->nefc);
  mj_freeStack(d);
}
