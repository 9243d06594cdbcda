// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Length ranges of actuators: taken from limits where there are any, otherwise found by pulling and pushing
// the model with the actuator alone until it comes to rest.

#include <math.h>
#include <stdio.h>

#include <mujoco/mujoco.h>

enum { MAX_STEPS = 1000000 };  // of one simulation; 1000 are usual

static int isWanted(const mjModel* m, int i, int mode) {
  int muscle = m->actuator_gaintype[i] == mjGAIN_MUSCLE || m->actuator_biastype[i] == mjBIAS_MUSCLE;
  int user = m->actuator_gaintype[i] == mjGAIN_USER || m->actuator_biastype[i] == mjBIAS_USER;
  switch (mode) {
    case mjLRMODE_MUSCLE: return muscle;
    case mjLRMODE_MUSCLEUSER: return muscle || user;
    case mjLRMODE_NONE: return 0;
    default: return 1;
  }
}

// range of a limited joint or tendon, as it stands there: of a ball, its largest angle from zero on; 1 if there is one
static int useLimit(mjModel* m, int i) {
  mjtNum* range = m->actuator_lengthrange + 2 * i;
  int id = m->actuator_trnid[2 * i];
  switch (m->actuator_trntype[i]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      if (!m->jnt_limited[id]) return 0;
      mju_copy(range, m->jnt_range + 2 * id, 2);
      return 1;
    case mjTRN_TENDON:
      if (!m->tendon_limited[id]) return 0;
      mju_copy(range, m->tendon_range + 2 * id, 2);
      return 1;
    default: return 0;
  }
}

// Take one step under a force along the actuator's moment that gives the acceleration asked for; velocities decay.
static mjtNum stepAlong(const mjModel* m, mjData* d, int i, int sign, const mjLROpt* opt) {
  int nv = m->nv;
  mju_scl(d->qvel, d->qvel, exp(-m->opt.timestep / mju_max(0.01, opt->timeconst)), nv);
  mj_step1(m, d);

  mj_markStack(d);
  mjtNum* acc = mj_stackAllocNum(d, (size_t)nv);
  mju_zero(d->qfrc_applied, nv);
  for (int k = 0; k < d->moment_rownnz[i]; k++) {
    int at = d->moment_rowadr[i] + k;
    d->qfrc_applied[d->moment_colind[at]] = d->actuator_moment[at];
  }
  mj_solveM(m, d, acc, d->qfrc_applied, 1);
  mjtNum scale = sign * opt->accel / mju_max(mjMINVAL, mju_norm(acc, nv));
  mju_scl(d->qfrc_applied, d->qfrc_applied, scale, nv);
  mjtNum force = mju_norm(d->qfrc_applied, nv);
  if (opt->maxforce > 0 && force > opt->maxforce) {
    mju_scl(d->qfrc_applied, d->qfrc_applied, opt->maxforce / force, nv);
  }
  mj_freeStack(d);

  mj_step2(m, d);
  return d->actuator_length[i];
}

// Simulate, and keep the extremes of length in the last `interval` seconds. Returns 0 if time does not come to the end:
// an unstable simulation is reset to the start again and again.
static int simulate(const mjModel* m, mjData* d, int i, int sign, const mjLROpt* opt, mjtNum range[2]) {
  mj_resetData(m, d);
  int first = 1;
  for (int step = 0; d->time < opt->inttotal; step++) {
    mjtNum before = d->time, length = stepAlong(m, d, i, sign, opt);
    if (!(d->time > before) || step == MAX_STEPS) return 0;
    if (d->time <= opt->inttotal - opt->interval) continue;
    range[0] = first ? length : mju_min(range[0], length);
    range[1] = first ? length : mju_max(range[1], length);
    first = 0;
  }
  return 1;
}

int mj_setLengthRange(mjModel* m, mjData* d, int index, const mjLROpt* opt, char* error, int error_sz) {
  if (index < 0 || index >= m->nu) {
    mju_error("mj_setLengthRange: there is no actuator %d", index);
    return 0;
  }
  mjtNum* range = m->actuator_lengthrange + 2 * index;
  if (!isWanted(m, index, opt->mode)) return 1;
  if (opt->useexisting && range[0] < range[1]) return 1;
  if (opt->uselimit && useLimit(m, index)) return 1;

  mjtNum found[2][2] = {{0}};
  for (int side = 0; side < 2; side++) {
    if (simulate(m, d, index, side ? 1 : -1, opt, found[side])) continue;
    if (error && error_sz > 0) {
      snprintf(error, (size_t)error_sz, "length range of actuator %d: the simulation is unstable or too long", index);
    }
    return 0;
  }
  range[0] = found[0][0];
  range[1] = found[1][1];

  // at the end the length may vary only little, compared with the range found
  mjtNum tol = opt->tolrange * (range[1] - range[0]);
  for (int side = 0; side < 2; side++) {
    if (range[0] < range[1] && found[side][1] - found[side][0] <= tol) continue;
    if (error && error_sz > 0) {
      snprintf(error, (size_t)error_sz,
               "length range of actuator %d did not converge: lengths %g to %g in a range of %g to %g", index,
               found[side][0], found[side][1], range[0], range[1]);
    }
    return 0;
  }
  return 1;
}
