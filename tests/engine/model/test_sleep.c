// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rules by which trees fall asleep and wake up; tests/live/test_sleep.py compares whole simulations.

#include "support/test.h"

#include <string.h>

#include "model/active.h"
#include "model/sleep.h"

// two pendulums that hang, a stack of two boxes, a mocap body with a child that swings
static const char kScene[] =
    "<mujoco><option><flag sleep='enable'/></option><worldbody>"
    "<geom type='plane' size='9 9 1'/>"
    "<body name='m' mocap='true' pos='6 0 2'><geom size='.1'/>"
    "  <body pos='0 0 1'><joint damping='1'/><geom size='.1'/></body></body>"
    "<body pos='0 0 1'><joint name='a' axis='0 1 0' damping='1'/><geom pos='0 0 -.2' size='.1'/></body>"
    "<body pos='1 0 1'><joint name='b' axis='0 1 0' damping='1'/><geom pos='0 0 -.2' size='.1'/></body>"
    "<body name='low' pos='3 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body name='top' pos='3 0 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "</worldbody><equality><joint joint1='a' joint2='b' active='false'/></equality>"
    "<sensor><jointpos joint='a'/><jointvel joint='b'/><clock/></sensor></mujoco>";

enum { CHILD, A, B, LOW, TOP, NTREE };

static mjData* dataOf(mjModel** m) {
  *m = test_model(kScene);
  return *m ? mj_makeData(*m) : NULL;
}

static void delete (mjModel* m, mjData* d) {
  mj_deleteData(d);
  mj_deleteModel(m);
}

static mjData* asleepData(mjModel** m) {
  mjData* d = dataOf(m);
  for (int i = 0; d && i < 500 && d->ntree_awake; i++) mj_step(*m, d);
  if (d) CHECK_EQ(d->ntree_awake, 0);
  return d;
}

TEST(resting_trees_sleep_after_ten_steps) {
  mjModel* m;
  mjData* d = dataOf(&m);
  if (!d) return;
  for (int i = 0; i < mjMINAWAKE; i++) {
    CHECK_EQ(d->tree_asleep[A], -(1 + mjMINAWAKE) + i);
    CHECK(d->tree_awake[A] && d->body_awake[4] == mjS_AWAKE);
    mj_step(m, d);
  }
  CHECK_EQ(d->tree_asleep[A], A);
  CHECK(!d->tree_awake[A] && d->body_awake[4] == mjS_ASLEEP);
  CHECK(mji_sleep_any(m, d) && mji_sleep_ofObject(m, d, mjOBJ_JOINT, 1) == mjS_ASLEEP);
  delete (m, d);
}

TEST(lists_of_what_is_awake) {
  mjModel* m;
  mjData* d = dataOf(&m);
  if (!d) return;
  d->tree_asleep[A] = A;
  d->tree_asleep[LOW] = TOP;
  d->tree_asleep[TOP] = LOW;
  mji_sleep_update(m, d);
  CHECK(d->ntree_awake == 2 && d->nbody_awake == 4 && d->nv_awake == 2);
  static const int body[] = {0, 1, 2, 4}, dof[] = {0, 2}, awake[] = {-1, 1, 1, 0, 1, 0, 0};
  CHECK(!memcmp(d->body_awake_ind, body, sizeof body));
  CHECK(!memcmp(d->dof_awake_ind, dof, sizeof dof));
  CHECK(!memcmp(d->body_awake, awake, sizeof awake));
  CHECK_EQ(d->nparent_awake, 6);
  CHECK(!mji_pairActive(m, d, 0, 3) && !mji_pairActive(m, d, 1, 3));
  CHECK(mji_pairActive(m, d, 3, 4));
  delete (m, d);
}

TEST(an_island_sleeps_as_a_cycle_and_wakes_as_one) {
  mjModel* m;
  mjData* d = asleepData(&m);
  if (!d) return;
  CHECK(d->tree_asleep[LOW] == TOP && d->tree_asleep[TOP] == LOW);
  CHECK(mju_isZero(d->qvel, m->nv));
  mj_step(m, d);
  CHECK(d->ncon == 0 && d->nefc == 0);

  // whoever pushes the upper box has woken the lower one, and finds all contacts
  d->xfrc_applied[6 * 6 + 2] = 1e-9;
  mj_forward(m, d);
  CHECK(d->tree_asleep[LOW] == -11 && d->tree_asleep[TOP] == -11 && d->tree_asleep[A] == A);
  CHECK(d->ncon == 8 && d->nisland == 1);
  delete (m, d);
}

TEST(a_sleeping_tree_stays_where_it_is) {
  mjModel* m;
  mjData* d = asleepData(&m);
  if (!d) return;
  mjtNum before[20];
  CHECK(m->nq <= 20);
  mju_copy(before, d->qpos, m->nq);
  mju_scl3(m->opt.gravity, m->opt.gravity, -1);
  for (int i = 0; i < 50; i++) mj_step(m, d);
  CHECK(!memcmp(before, d->qpos, (size_t)m->nq * sizeof(mjtNum)));
  CHECK_EQ(d->ntree_awake, 0);

  // a negative zero is not a velocity, but somebody has written it
  d->qvel[m->nv - 1] = -0.0;
  mj_step(m, d);
  CHECK(d->tree_awake[LOW] && d->tree_awake[TOP] && !d->tree_awake[A]);
  delete (m, d);
}

TEST(a_mocap_body_wakes_what_it_carries) {
  mjModel* m;
  mjData* d = asleepData(&m);
  if (!d) return;
  d->mocap_pos[0] += 1e-6;
  mj_forward(m, d);
  CHECK(d->tree_awake[CHILD] && d->ntree_awake == 1);
  delete (m, d);
}

TEST(an_equality_wakes_both_islands) {
  mjModel* m;
  mjData* d = asleepData(&m);
  if (!d) return;
  d->eq_active[0] = 1;
  mj_forward(m, d);
  CHECK(d->tree_asleep[A] == -11 && d->tree_asleep[B] == -11 && d->tree_asleep[LOW] >= 0);
  CHECK_EQ(d->ne, 1);
  delete (m, d);
}

TEST(sensors_of_sleeping_trees_keep_their_values) {
  mjModel* m;
  mjData* d = asleepData(&m);
  if (!d) return;
  mju_fill(d->sensordata, 7, m->nsensordata);
  mj_forward(m, d);
  CHECK(d->sensordata[0] == 7 && d->sensordata[1] == 7 && d->sensordata[2] == d->time);
  d->qvel[2] = 1;
  mj_forward(m, d);
  CHECK(d->sensordata[0] == 7 && d->sensordata[1] == 1);
  delete (m, d);
}

TEST(without_the_flag_everything_wakes) {
  mjModel* m;
  mjData* d = asleepData(&m);
  if (!d) return;
  m->opt.enableflags = 0;
  mj_step(m, d);
  CHECK_EQ(d->ntree_awake, NTREE);
  CHECK_EQ(d->tree_asleep[A], -11);
  for (int i = 0; i < 50; i++) mj_step(m, d);
  CHECK_EQ(d->tree_asleep[A], -11);
  delete (m, d);
}

TEST(trees_may_sleep_from_the_start) {
  mjModel* m = test_model(
      "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 .1'/>"
      "<body sleep='init' pos='0 0 5'><freejoint/><geom size='.1'/></body>"
      "<body pos='1 0 5'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  CHECK(d->tree_asleep[0] == 0 && d->tree_asleep[1] == -10 && d->xpos[5] == 5);
  for (int i = 0; i < 10; i++) mj_step(m, d);
  CHECK(d->qpos[2] == 5 && d->qpos[9] < 5);
  mj_resetData(m, d);
  CHECK(d->tree_asleep[0] == 0 && d->tree_asleep[1] == -10);
  delete (m, d);
}

TEST(an_island_cannot_sleep_in_part_from_the_start) {
  test_rejects(
      "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 .1'/>"
      "<body sleep='init' pos='0 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='0 0 .2998'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>",
      "body 1 cannot sleep from the start");
}
