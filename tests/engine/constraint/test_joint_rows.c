// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "rows_table.h"

// both dofs of two joints; a row of no stiffness
TEST(friction_loss_is_a_damped_row_per_dof) {
  static const double qpos[] = {0.1, 0.2};
  static const double qvel[] = {1, -2};
  static const double rows[] = {
      1, 0, 0, 1.8947017034749, -105.26315789474, 1, 0, 1, 0, 0, 59.683103659461, 133.33333333333, 0, 1,
  };
  checkModel(
      "<mujoco><worldbody><body><joint axis='0 1 0' frictionloss='.5'/><joint axis='1 0 0'"
      " frictionloss='2' solreffriction='.05 .7' solimpfriction='.5 .6 .1'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, rows, 2);
}

// below the range
TEST(lower_limit_of_a_hinge) {
  static const double qpos[] = {-0.2};
  static const double qvel[] = {0.5};
  static const double rows[] = {
      3, -0.025467074800567, 0, 0.8974902805934, 14.387038948861, 1,
  };
  checkModel(
      "<mujoco><worldbody><body><joint axis='0 1 0' range='-10 10' limited='true'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, rows, 1);
}

// a margin wider than the range gives both rows
TEST(both_limits_within_their_margin) {
  static const double qpos[] = {0.05};
  static const double qvel[] = {0.5};
  static const double rows[] = {
      3, 0.15, 0.3, 0.012564863928308, 342.10526315789, 1, 3, 0.15, 0.3, 0.012564863928308, 447.36842105263, -1,
  };
  checkModel(
      "<mujoco><worldbody><body>"
      "<joint type='slide' axis='0 1 0' range='-.1 .2' limited='true' margin='.3'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, rows, 2);
}

// the quaternion is not normalized
TEST(ball_limit_acts_along_the_axis_of_the_turn) {
  static const double qpos[] = {1.2, 0.4, -0.6, 0.9};
  static const double qvel[] = {0.5, 1, -2};
  static const double rows[] = {
      3, -0.83294298996382, 0, 1.6453988477546, 1991.1508227518, -0.34684398780965, 0.52026598171447, -0.78039897257171,
  };
  checkModel(
      "<mujoco><worldbody><body><joint type='ball' range='0 40' limited='true'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, rows, 1);
}

// the shorter turn counts
TEST(ball_limit_beyond_half_a_turn) {
  static const double qpos[] = {-0.8, 0.2, 0.3, -0.1};
  static const double qvel[] = {0.5, 1, -2};
  static const double rows[] = {
      3, -0.17683079863982, 0, 1.6453988477546, 296.54763310747, 0.53452248382485, 0.80178372573727, -0.26726124191242,
  };
  checkModel(
      "<mujoco><worldbody><body><joint type='ball' range='0 40' limited='true'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, rows, 1);
}

// by the flags of the model
TEST(disabled_limits_and_friction_have_no_rows) {
  static const double qpos[] = {-0.5};
  static const double qvel[] = {0.5};
  checkModel(
      "<mujoco><option><flag limit='disable' frictionloss='disable'/></option><worldbody><body>"
      "<joint axis='0 1 0' range='-10 10' limited='true' frictionloss='1'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, NULL, 0);
}
