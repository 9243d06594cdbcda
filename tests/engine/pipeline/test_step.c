// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forward and inverse dynamics, halves of a step, bad numbers, callbacks.
#include <string.h>

#include "engine/dynamics/every_joint.h"

// a chain that lies on the floor, with a motor and a limit
static const char kFloor[] =
    "<mujoco>"
    "  <option tolerance='1e-14' iterations='200'/>"
    "  <worldbody>"
    "    <geom type='plane' size='5 5 1'/>"
    "    <body pos='0 0 .09'><freejoint/><geom type='capsule' size='.1 .3' euler='0 90 0'/>"
    "      <body pos='.4 0 0'><joint name='j' axis='0 1 0' range='-20 20' damping='.1'/>"
    "        <geom type='capsule' size='.08' fromto='0 0 0 .4 0 0'/></body></body>"
    "  </worldbody>"
    "  <actuator><motor joint='j' gear='3'/></actuator>"
    "</mujoco>";

static mjData* onFloor(mjModel** m) {
  *m = test_model(kFloor);
  if (!*m) return NULL;
  mjData* d = mj_makeData(*m);
  d->ctrl[0] = 2;
  d->qvel[0] = .3;
  d->xfrc_applied[7] = 1;
  for (int i = 0; i < 20; i++) mj_step(*m, d);
  return d;
}

TEST(inverse_undoes_forward) {
  mjModel* m;
  mjData* d = onFloor(&m);
  if (!d) return;
  mj_forward(m, d);
  CHECK(d->nefc > 8);

  // what acts on the system beside passive and constraint forces
  mjtNum want[7];
  mju_add(want, d->qfrc_applied, d->qfrc_actuator, 7);
  mj_applyFT(m, d, d->xfrc_applied + 6, d->xfrc_applied + 9, d->xipos + 3, 1, want);
  mj_inverse(m, d);
  CHECK_ARRAY(d->qfrc_inverse, want, 7, 1e-8);
  mj_compareFwdInv(m, d);
  CHECK(d->solver_fwdinv[0] < 1e-8 && d->solver_fwdinv[1] < 1e-8);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(inverse_numbers) {
  static const double continuous[] = {
      3.46177406048992, 0.355058180227966, -0.40946754822473, 0.746257572589595, -0.0176026599786756, 8.9805, 10.11855,
      26.4339,          0.598014,          0.195993,          -0.386616};
  static const double discrete[] = {
      3.46177406048992, 0.355858180227966, -0.40886754822473, 0.747057572589595, -0.0166026599786756, 8.9805, 10.11855,
      26.4339,          0.598014,          0.195993,          -0.386616};
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  for (int i = 0; i < 11; i++) d->qacc[i] = i + 1;
  mj_inverse(m, d);
  CHECK_ARRAY(d->qfrc_inverse, continuous, 11, 1e-11);
  m->opt.enableflags |= mjENBL_INVDISCRETE;
  mj_inverse(m, d);
  CHECK_ARRAY(d->qfrc_inverse, discrete, 11, 1e-11);
  CHECK_EQ(d->qacc[3], 4);
  links_free(m, d);
}

TEST(two_halves_are_a_step) {
  mjModel* m;
  mjData* d = onFloor(&m);
  if (!d) return;
  mjData* e = mj_copyData(NULL, m, d);
  for (int i = 0; i < 3; i++) {
    mj_step(m, d);
    mj_step1(m, e);
    mj_step2(m, e);
  }
  CHECK_ARRAY(e->qpos, d->qpos, m->nq, 0);
  CHECK_ARRAY(e->qvel, d->qvel, m->nv, 0);
  mj_deleteData(e);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(skipped_stages_keep_their_results) {
  mjModel* m;
  mjData* d = onFloor(&m);
  if (!d) return;
  mjData* e = mj_copyData(NULL, m, d);
  mj_forward(m, d);
  d->ctrl[0] = e->ctrl[0] = -1;
  mj_forwardSkip(m, d, mjSTAGE_VEL, 0);
  mj_forward(m, e);
  CHECK_ARRAY(d->qacc, e->qacc, m->nv, 0);

  d->qvel[6] = e->qvel[6] = 1;
  mj_forwardSkip(m, d, mjSTAGE_POS, 0);
  mj_forward(m, e);
  CHECK_ARRAY(d->qacc, e->qacc, m->nv, 0);
  mj_deleteData(e);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static int nwarning;
static void countWarning(const char* text) { nwarning++; }

TEST(bad_numbers_reset_the_state) {
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  void (*handler)(const char*) = mju_user_warning;
  mju_user_warning = countWarning;
  nwarning = 0;
  d->time = 3;
  d->qvel[4] = mju_sqrt(-1);
  mj_step(m, d);
  mju_user_warning = handler;
  CHECK_EQ(nwarning, 1);
  CHECK_EQ(d->warning[mjWARN_BADQVEL].number, 1);
  CHECK_EQ(d->warning[mjWARN_BADQVEL].lastinfo, 4);
  CHECK_NEAR(d->time, m->opt.timestep, 1e-15);
  CHECK(!mju_isBad(d->qpos[4]));
  links_free(m, d);
}

TEST(bad_acceleration_resets_and_steps_on) {
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  void (*handler)(const char*) = mju_user_warning;
  mju_user_warning = countWarning;
  d->qfrc_applied[0] = 1e12;
  mj_step(m, d);
  mju_user_warning = handler;
  CHECK_EQ(d->warning[mjWARN_BADQACC].number, 1);
  CHECK_NEAR(d->time, m->opt.timestep, 1e-15);
  CHECK_NEAR(d->qvel[7], -9.81 * m->opt.timestep, 1e-12);
  links_free(m, d);
}

static void setControl(const mjModel* m, mjData* d) { d->ctrl[0] = 1 + d->qvel[6]; }

TEST(control_callback_runs_before_actuation) {
  mjModel* m;
  mjData* d = onFloor(&m);
  if (!d) return;
  mjcb_control = setControl;
  mj_forward(m, d);
  CHECK_NEAR(d->actuator_force[0], 1 + d->qvel[6], 1e-15);
  m->opt.disableflags |= mjDSBL_ACTUATION;
  d->ctrl[0] = 0;
  mj_forward(m, d);
  mjcb_control = NULL;
  CHECK_EQ(d->ctrl[0], 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static mjtNum ticks;
static mjtNum tick(void) { return ticks++; }

TEST(stages_are_counted_and_timed_with_a_clock) {
  mjModel* m;
  mjData* d = onFloor(&m);
  if (!d) return;
  CHECK(d->timer[mjTIMER_POSITION].number > 0);
  CHECK(!d->timer[mjTIMER_POSITION].duration);
  memset(d->timer, 0, sizeof d->timer);
  mjcb_time = tick;
  mj_step(m, d);
  mj_step1(m, d);
  mj_step2(m, d);
  mj_inverse(m, d);
  mjcb_time = NULL;
  CHECK_EQ(d->timer[mjTIMER_STEP].number, 2);
  CHECK_EQ(d->timer[mjTIMER_FORWARD].number, 1);
  CHECK_EQ(d->timer[mjTIMER_INVERSE].number, 1);
  CHECK_EQ(d->timer[mjTIMER_POS_COLLISION].number, 3);
  CHECK_EQ(d->timer[mjTIMER_COL_BROAD].number, 3);
  CHECK_EQ(d->timer[mjTIMER_COL_NARROW].number, 3);
  CHECK_EQ(d->timer[mjTIMER_POS_PROJECT].number, 2);
  CHECK_EQ(d->timer[mjTIMER_CONSTRAINT].number, 3);
  CHECK(d->timer[mjTIMER_STEP].duration > d->timer[mjTIMER_FORWARD].duration);
  CHECK(d->timer[mjTIMER_POS_COLLISION].duration > d->timer[mjTIMER_COL_BROAD].duration);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// as in MuJoCo 3.4.0: programs hand efc_J to functions without asking whether there are rows
TEST(arrays_of_no_rows_have_a_place) {
  mjModel* m = test_model("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mj_step(m, d);
  CHECK_EQ(d->nefc, 0);
  CHECK(d->efc_J && d->efc_J_rownnz && d->efc_D && d->efc_force && d->tendon_efcadr);
  mjData* copy = mj_copyData(NULL, m, d);
  CHECK(copy->efc_J);
  mj_resetData(m, d);
  CHECK(!d->efc_J);
  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
}
