// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Where solves start: warm starts save iterations and never cost many, island by island.

#include "engine/solve/problems.h"

// legs on the floor, pushed by motors
static const char* const kLegs =
    "<mujoco><option timestep='.005'/><default><geom friction='.7'/></default><worldbody>"
    "<geom type='plane' size='9 9 1'/><body pos='0 0 .45'><freejoint/><geom type='box' size='.2 .15 .05'/>"
    "<body pos='.2 .15 0'><joint name='a' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .1 0 -.2' size='.04'/>"
    "<body pos='.1 0 -.2'><joint name='b' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 -.1 0 -.2' size='.03'/>"
    "</body></body>"
    "<body pos='-.2 0 0'><joint name='c' axis='0 1 0'/><geom type='capsule' fromto='0 -.1 0 0 -.1 -.4' size='.04'/>"
    "</body></body></worldbody>"
    "<actuator><motor joint='a' gear='20'/><motor joint='b' gear='20'/><motor joint='c' "
    "gear='20'/></actuator></mujoco>";

static int iterationsOf(const mjData* d) {
  int sum = 0;
  for (int i = 0; i < d->nisland && i < mjNISLAND; i++) sum += d->solver_niter[i];
  return sum;
}

// iterations of steps whose controls jump every `hold` steps, and of the same solves without warm start
static void countIterations(mjModel* m, int nstep, int hold, int* warm, int* cold) {
  mjData *d = mj_makeData(m), *e = mj_makeData(m);
  uint64_t seed = 3;
  *warm = *cold = 0;
  for (int i = 0; i < nstep; i++) {
    for (int k = 0; k < m->nu && i % hold == 0; k++) d->ctrl[k] = lanes_random(&seed);
    mj_copyData(e, m, d);
    m->opt.disableflags = mjDSBL_WARMSTART;
    mj_forward(m, e);
    m->opt.disableflags = 0;
    mj_step(m, d);
    *warm += iterationsOf(d);
    *cold += iterationsOf(e);
  }
  mj_deleteData(d);
  mj_deleteData(e);
}

TEST(warm_starts_cost_no_iterations_when_controls_jump) {
  mjModel* m = test_model(kLegs);
  if (!m) return;
  for (int hold = 1; hold <= 20; hold += 19) {
    int warm, cold;
    countIterations(m, 400, hold, &warm, &cold);
    CHECK(cold > 400);
    CHECK(warm <= cold);
  }
  mj_deleteModel(m);
}

// In a pile the last acceleration tells which contacts act, and the unconstrained one does not.
TEST(piles_start_from_their_last_acceleration) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='plane' size='9 9 .1'/><replicate count='5' offset='.03 .02 .26' euler='0 0 20'>"
      "<replicate count='2' offset='.24 0 0'><body pos='-.3 -.3 .15' euler='5 10 15'><freejoint/>"
      "<geom type='box' size='.1 .1 .1'/></body></replicate></replicate></worldbody></mujoco>");
  if (!m) return;
  int warm, cold;
  countIterations(m, 150, 1, &warm, &cold);
  CHECK(cold > 300);
  CHECK(20 * warm < 19 * cold);
  mj_deleteModel(m);
}

static void press(mjData* d) {
  for (int i = 0; i < 2; i++) {
    d->qvel[6 * i] = .5;
    d->qvel[6 * i + 4] = 1;
  }
}

TEST(each_island_has_the_start_that_is_best_for_it) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='plane' size='9 9 1'/>"
      "<body pos='0 0 .095'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='2 0 .095'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  mjtNum solution[12];
  press(d);
  mj_forward(m, d);
  int cold = d->solver_niter[1];
  mju_copy(solution, d->qacc, 12);
  CHECK(cold > 1);

  // one solution is known; the other start is far away and costs more than both unconstrained accelerations
  mju_copy(d->qacc_warmstart, solution, 12);
  for (int i = 6; i < 12; i++) d->qacc_warmstart[i] = 1e4;
  mj_forward(m, d);
  CHECK(d->solver_niter[0] <= 1);
  CHECK_EQ(d->solver_niter[1], cold);
  CHECK_ARRAY(d->qacc, solution, 12, 1e-6);

  // where few iterations are allowed, all islands start from the cheaper one of two accelerations
  m->opt.iterations = 2;
  mj_forward(m, d);
  CHECK_EQ(d->solver_niter[0], 2);
  mj_deleteData(d);
  mj_deleteModel(m);
}
