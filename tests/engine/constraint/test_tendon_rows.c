// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "rows_table.h"

// two joints share it
TEST(friction_loss_of_a_tendon) {
  static const double qpos[] = {0.3, -0.2, 0.1};
  static const double qvel[] = {1, 0.5, -2};
  static const double rows[] = {
      2, 0, 0, 0.63063741070162, 526.31578947368, -1, 0, 2,
  };
  checkModel(
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 0'/>"
      "<geom size='.1' pos='0 0 -.2'/></body><body name='b' pos='.4 0 1'>"
      "<joint name='b1' axis='0 1 0'/><joint name='b2' type='slide' axis='1 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='.1 0 0'/>"
      "<site name='sb' pos='.1 .1 0' euler='20 30 40'/></body></worldbody><tendon>"
      "<fixed frictionloss='.3'><joint joint='b2' coef='2'/><joint joint='a' coef='-1'/>"
      "</fixed></tendon></mujoco>",
      qpos, qvel, rows, 1);
}

// both sides within the margin; joints are not listed by dof
TEST(limits_of_a_fixed_tendon) {
  static const double qpos[] = {0.3, -0.2, 0.1};
  static const double qvel[] = {1, 0.5, -2};
  static const double rows[] = {
      4, 0.1, 0.5, 0.29872298401656, 1578.9473684211, -1, 0, 2,
      4, 0.2, 0.5, 0.29872298401656, 263.15789473684, 1,  0, -2,
  };
  checkModel(
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 0'/>"
      "<geom size='.1' pos='0 0 -.2'/></body><body name='b' pos='.4 0 1'>"
      "<joint name='b1' axis='0 1 0'/><joint name='b2' type='slide' axis='1 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='.1 0 0'/>"
      "<site name='sb' pos='.1 .1 0' euler='20 30 40'/></body></worldbody><tendon>"
      "<fixed limited='true' range='-.2 .1' margin='.5'><joint joint='b2' coef='2'/>"
      "<joint joint='a' coef='-1'/></fixed></tendon></mujoco>",
      qpos, qvel, rows, 2);
}

// from the world to a site
TEST(limit_of_a_spatial_tendon) {
  static const double qpos[] = {0.3, -0.2, 0.1};
  static const double qvel[] = {1, 0.5, -2};
  static const double rows[] = {
      4, -0.45965570247026, 0, 0.0022171697626419, 1080.9700450156, 0, -0.14993661454439, -0.6485727206902,
  };
  checkModel(
      "<mujoco><worldbody><site name='w' pos='0 0 1.5'/><body name='a' pos='0 0 1'>"
      "<joint name='a' axis='0 1 0'/><geom size='.1' pos='0 0 -.2'/></body>"
      "<body name='b' pos='.4 0 1'><joint name='b1' axis='0 1 0'/>"
      "<joint name='b2' type='slide' axis='1 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='.1 0 0'/>"
      "<site name='sb' pos='.1 .1 0' euler='20 30 40'/></body></worldbody><tendon>"
      "<spatial limited='true' range='0 .3'><site site='w'/><site site='sb'/></spatial>"
      "</tendon></mujoco>",
      qpos, qvel, rows, 1);
}

// its Jacobian is zero
TEST(tendon_without_moment_arm_has_no_row) {
  static const double qpos[] = {0.3, -0.2, 0.1};
  static const double qvel[] = {1, 0.5, -2};
  checkModel(
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 0'/>"
      "<geom size='.1' pos='0 0 -.2'/></body><body name='b' pos='.4 0 1'>"
      "<joint name='b1' axis='0 1 0'/><joint name='b2' type='slide' axis='1 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='.1 0 0'/>"
      "<site name='sb' pos='.1 .1 0' euler='20 30 40'/></body></worldbody><tendon>"
      "<fixed limited='true' range='.1 .2' frictionloss='1'><joint joint='a' coef='0'/></fixed>"
      "</tendon></mujoco>",
      qpos, qvel, NULL, 0);
}
