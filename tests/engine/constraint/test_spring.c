// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "rows_table.h"

// both numbers are negated
TEST(negative_solref_is_stiffness_and_damping) {
  static const double qpos[] = {-0.2};
  static const double qvel[] = {0.5};
  static const double rows[] = {
      3, -0.2, 0, 0.012564863928308, 59.473684210526, 1,
  };
  checkModel(
      "<mujoco><worldbody><body>"
      "<joint type='slide' axis='0 1 0' range='0 1' limited='true' solreflimit='-300 -7'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, rows, 1);
}

// one number is positive, the other not
TEST(mixed_solref_is_replaced_by_the_default) {
  static const double qpos[] = {-0.2};
  static const double qvel[] = {0.5};
  static const double rows[] = {
      3, -0.2, 0, 0.012564863928308, 473.68421052632, 1,
  };
  checkModel(
      "<mujoco><worldbody><body>"
      "<joint type='slide' axis='0 1 0' range='0 1' limited='true' solreflimit='.05 -7'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, rows, 1);
}

// refsafe is on by default
TEST(short_time_constant_is_raised_to_two_steps) {
  static const double qpos[] = {-0.2};
  static const double qvel[] = {0.5};
  static const double rows[] = {
      3, -0.2, 0, 0.012564863928308, 52368.421052632, 1,
  };
  checkModel(
      "<mujoco><worldbody><body>"
      "<joint type='slide' axis='0 1 0' range='0 1' limited='true' solreflimit='.001 .5'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, rows, 1);
}

// the hinge is .2 below its range
TEST(impedance_of_power_one_is_linear) {
  static const double qpos[] = {-0.2};
  static const double qvel[] = {0.5};
  static const double rows[] = {
      3, -0.2, 0, 0.1591549430919, 406.25, 1,
  };
  checkModel(
      "<mujoco><worldbody><body><joint type='slide' axis='0 1 0' range='0 1' limited='true'"
      " solimplimit='.2 .8 .3 .4 1'/><geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, rows, 1);
}

// the hinge is .2 below its range
TEST(impedance_of_power_two_below_the_midpoint) {
  static const double qpos[] = {-0.2};
  static const double qvel[] = {0.5};
  static const double rows[] = {
      3, -0.2, 0, 0.42441318157839, 218.75, 1,
  };
  checkModel(
      "<mujoco><worldbody><body><joint type='slide' axis='0 1 0' range='0 1' limited='true'"
      " solimplimit='.2 .8 .5 .6 2'/><geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, rows, 1);
}

// the hinge is .2 below its range
TEST(impedance_of_power_two_above_the_midpoint) {
  static const double qpos[] = {-0.2};
  static const double qvel[] = {0.5};
  static const double rows[] = {
      3, -0.2, 0, 0.075389183569845, 531.25, 1,
  };
  checkModel(
      "<mujoco><worldbody><body><joint type='slide' axis='0 1 0' range='0 1' limited='true'"
      " solimplimit='.2 .8 .25 .4 2'/><geom size='.1' pos='.1 0 0'/></body></worldbody>"
      "</mujoco>",
      qpos, qvel, rows, 1);
}

// the hinge is .2 below its range
TEST(impedance_of_any_power) {
  static const double qpos[] = {-0.2};
  static const double qvel[] = {0.5};
  static const double rows[] = {
      3, -0.2, 0, 0.18945646156583, 373.07810419881, 1,
  };
  checkModel(
      "<mujoco><worldbody><body><joint type='slide' axis='0 1 0' range='0 1' limited='true'"
      " solimplimit='.2 .8 .3 .7 3.3'/><geom size='.1' pos='.1 0 0'/></body></worldbody>"
      "</mujoco>",
      qpos, qvel, rows, 1);
}

// the hinge is .2 below its range
TEST(impedance_saturates_past_its_width) {
  static const double qpos[] = {-0.2};
  static const double qvel[] = {0.5};
  static const double rows[] = {
      3, -0.2, 0, 0.059683103659461, 562.5, 1,
  };
  checkModel(
      "<mujoco><worldbody><body><joint type='slide' axis='0 1 0' range='0 1' limited='true'"
      " solimplimit='.2 .8 .1 .5 2'/><geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, rows, 1);
}

// the hinge is .2 below its range
TEST(impedance_of_no_width_is_the_mean) {
  static const double qpos[] = {-0.2};
  static const double qvel[] = {0.5};
  static const double rows[] = {
      3, -0.2, 0, 0.23873241463784, 328.125, 1,
  };
  checkModel(
      "<mujoco><worldbody><body><joint type='slide' axis='0 1 0' range='0 1' limited='true'"
      " solimplimit='.2 .8 0 .5 2'/><geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, rows, 1);
}

// dmin, dmax, midpoint and power
TEST(impedance_numbers_are_clipped) {
  static const double qpos[] = {-0.2};
  static const double qvel[] = {0.5};
  static const double rows[] = {
      3, -0.2, 0, 0.35806878189694, 150.04500750105, 1,
  };
  checkModel(
      "<mujoco><worldbody><body><joint type='slide' axis='0 1 0' range='0 1' limited='true'"
      " solimplimit='-1 2 .5 1.5 .3'/><geom size='.1' pos='.1 0 0'/></body></worldbody>"
      "</mujoco>",
      qpos, qvel, rows, 1);
}

// a time constant below two steps stays
TEST(refsafe_can_be_disabled) {
  static const double qpos[] = {-0.2};
  static const double qvel[] = {0.5};
  static const double rows[] = {
      3, -0.2, 0, 0.012564863928308, 841052.63157895, 1,
  };
  checkModel(
      "<mujoco><option><flag refsafe='disable'/></option><worldbody><body>"
      "<joint type='slide' axis='0 1 0' range='0 1' limited='true' solreflimit='.001 .5'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
      qpos, qvel, rows, 1);
}
