// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Numbers recorded from the reference, version 3.4.0, at the same model and state.

#include <stdio.h>

#include "support/test.h"

#include "lanes/lanes.h"

#include "dynamics/tendon_length.h"
#include "dynamics/tendon_row.h"

static const char* const arm =
    "<mujoco><worldbody><site name='w' pos='0 0 2'/>"
    "<body pos='0 0 1'><joint name='a' axis='0 1 0'/><geom size='.1'/>"
    "<site name='s1' pos='.3 0 .1'/>"
    "<geom name='ball' size='.15' pos='.5 0 0'/><site name='side' pos='.5 0 .3'/>"
    "<body pos='1 0 0'><joint name='b' axis='0 1 0'/><joint name='c' type='slide' axis='1 0 0'/>"
    "<geom size='.1'/><site name='s2' pos='.2 0 0'/></body></body></worldbody>"
    "<tendon>"
    "<fixed stiffness='2' springlength='.1 .2' damping='.5'><joint joint='a' coef='2'/>"
    "<joint joint='b' coef='-1'/></fixed>"
    "<spatial stiffness='3' damping='2' armature='.4'><site site='w'/><site site='s1'/>"
    "<pulley divisor='2'/>"
    "<site site='s1'/><site site='s2'/></spatial>"
    "<spatial><site site='s1'/><geom geom='ball' sidesite='side'/><site site='s2'/></spatial>"
    "</tendon></mujoco>";

// two arms with all kinds of tendons, in motion
static mjData* makeArm(mjModel** m) {
  static const mjtNum qpos[3] = {0.3, -0.4, 0.1}, qvel[3] = {1, -0.5, 0.7};
  *m = test_model(arm);
  if (!*m) return NULL;
  mjData* d = mj_makeData(*m);
  mju_copy(d->qpos, qpos, 3);
  mju_copy(d->qvel, qvel, 3);
  mj_fwdPosition(*m, d);
  mj_fwdVelocity(*m, d);
  return d;
}

static void drop(mjModel* m, mjData* d) {
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(lengths_moment_arms_and_velocities) {
  mjModel* m;
  mjData* d = makeArm(&m);
  if (!d) return;
  CHECK_ARRAY(d->ten_length, ((mjtNum[]){1, 1.5304623320097148, 0.9836100250491684}), 3, 1e-14);
  CHECK_ARRAY(d->ten_J,
              ((mjtNum[]){2, -1, 0, 0.3033425980018228, 0.05602344968183281, 0.46381717046635174, 0,
                          0.12856426466008278, 0.9035192296570869}),
              9, 1e-14);
  CHECK_ARRAY(d->ten_velocity, ((mjtNum[]){2.5, 0.6000028924873526, 0.5681813284299193}), 3, 1e-14);
  drop(m, d);
}

TEST(path_lists_sites_pulleys_and_touched_geoms) {
  mjModel* m;
  mjData* d = makeArm(&m);
  if (!d) return;
  static const int wrapnum[3] = {0, 5, 4};
  static const int obj[9] = {-1, -1, -2, -1, -1, -1, 1, 1, -1};
  for (int i = 0; i < 3; i++) CHECK_EQ(d->ten_wrapnum[i], wrapnum[i]);
  for (int i = 0; i < 9; i++) CHECK_EQ(d->wrap_obj[i], obj[i]);

  // where the last one meets the sphere
  CHECK_ARRAY(d->wrap_xpos + 3 * (d->ten_wrapadr[2] + 1),
              ((mjtNum[]){0.4819176493896534, 0, 1.0021796931164961, 0.5280990222287308, 0, 0.9935082111068209}), 6,
              1e-14);
  drop(m, d);
}

TEST(compressed_rows_hold_the_same_moment_arms) {
  mjModel* m;
  mjData* d = makeArm(&m);
  if (!d) return;
  mjtNum dense[9], row[3];
  mju_copy(dense, d->ten_J, 9);
  m->opt.jacobian = mjJAC_SPARSE;
  mj_tendon(m, d);
  for (int i = 0; i < 3; i++) {
    mju_zero(row, 3);
    TendonRow arms = tendonRow(m, d, i);
    tendonAddTo(m, &arms, 1, row);
    CHECK_ARRAY(row, dense + 3 * i, 3, 1e-15);
    CHECK_NEAR(tendonDot(m, &arms, d->qvel), d->ten_velocity[i], 1e-14);
  }
  drop(m, d);
}

TEST(springs_pull_outside_of_their_slack_range) {
  mjModel* m;
  mjData* d = makeArm(&m);
  if (!d) return;
  CHECK_ARRAY(d->qfrc_spring, ((mjtNum[]){-3.3174024828160698, 1.5783172817405329, -0.1795108492647203}), 3, 1e-13);
  CHECK_ARRAY(d->qfrc_damper, ((mjtNum[]){-2.8640128724314438, 1.1827715362875613, -0.556583287730221}), 3, 1e-13);

  // energy and force agree with  k * x^2 / 2
  d->ten_length[0] = 0.15;
  CHECK_EQ(LANE(tendonSpringForce)(m, d, 0), 0);
  d->ten_length[0] = 0.5;
  CHECK_NEAR(LANE(tendonSpringForce)(m, d, 0), -2 * 0.3, 1e-15);
  d->ten_length[0] = -0.1;
  CHECK_NEAR(LANE(tendonSpringForce)(m, d, 0), 2 * 0.2, 1e-15);
  d->ten_length[1] = m->tendon_lengthspring[2];
  CHECK_NEAR(LANE(tendonEnergy)(m, d), 0.5 * 2 * 0.2 * 0.2, 1e-15);
  drop(m, d);
}

TEST(moment_arms_are_derivatives_of_length) {
  mjModel* m;
  mjData* d = makeArm(&m);
  if (!d) return;
  const mjtNum eps = 1e-6;
  mjtNum arms[9], length[3];
  mju_copy(arms, d->ten_J, 9);
  for (int i = 0; i < 3; i++) {
    d->qpos[i] -= eps;
    mj_fwdPosition(m, d);
    mju_copy(length, d->ten_length, 3);
    d->qpos[i] += 2 * eps;
    mj_fwdPosition(m, d);
    d->qpos[i] -= eps;
    for (int t = 0; t < 3; t++) {
      CHECK_NEAR((d->ten_length[t] - length[t]) / (2 * eps), arms[3 * t + i], 1e-8);
    }
  }
  drop(m, d);
}

// armature adds J' * J to the inertia, and the bias force of its change
TEST(armature_is_inertia_along_the_tendon) {
  mjModel* m;
  mjData* d = makeArm(&m);
  if (!d) return;
  mjtNum with[9], without[9], bias[3], rate[3];
  mj_fullM(m, with, d->qM);
  mju_copy(bias, d->qfrc_bias, 3);
  m->tendon_armature[1] = 0;
  mj_makeM(m, d);
  mj_fwdVelocity(m, d);
  mj_fullM(m, without, d->qM);
  const mjtNum* J = d->ten_J + 3;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      CHECK_NEAR(with[3 * i + k] - without[3 * i + k], 0.4 * J[i] * J[k], 1e-14);
    }
    bias[i] = (bias[i] - d->qfrc_bias[i]) / J[i];
  }

  // the rate of change of J by central differences
  const mjtNum eps = 1e-5;
  mju_zero(rate, 3);
  for (int side = 1; side >= -1; side -= 2) {
    mju_addToScl(d->qpos, d->qvel, side > 0 ? eps : -2 * eps, 3);
    mj_fwdPosition(m, d);
    mju_addToScl(rate, d->ten_J + 3, side / (2 * eps), 3);
  }
  CHECK(fabs(mju_dot(rate, d->qvel, 3)) > 0.01);
  for (int i = 0; i < 3; i++) CHECK_NEAR(bias[i], 0.4 * mju_dot(rate, d->qvel, 3), 1e-9);
  drop(m, d);
}

// 3.4.0 has the length of both coefficients, and the moment arm of the last if the Jacobian is dense
TEST(coefficients_of_a_joint_that_stands_twice_add_up) {
  static const char* const jacobian[] = {"dense", "sparse"};
  for (int i = 0; i < 2; i++) {
    char xml[500];
    snprintf(xml, sizeof xml,
             "<mujoco><option jacobian='%s'/><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>"
             "<tendon><fixed name='t'><joint joint='j' coef='1'/><joint joint='j' coef='2'/></fixed></tendon>"
             "<actuator><motor tendon='t'/></actuator></mujoco>",
             jacobian[i]);
    mjModel* m = test_model(xml);
    if (!m) return;
    mjData* d = mj_makeData(m);
    d->qpos[0] = 0.5;
    d->qvel[0] = 0.25;
    mj_forward(m, d);
    CHECK_NEAR(d->ten_length[0], 1.5, 1e-15);
    CHECK_NEAR(d->ten_velocity[0], 0.75, 1e-15);
    CHECK_NEAR(d->actuator_moment[0], 3, 1e-15);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}
