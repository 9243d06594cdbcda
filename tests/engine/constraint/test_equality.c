// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "rows_table.h"

// the anchor is given in the first body and found in the second at qpos0
TEST(connect_holds_two_anchors_together) {
  static const double qpos[] = {0.3, -0.2, 0.1};
  static const double qvel[] = {1, 0.5, -2};
  // clang-format off
  static const double rows[] = {
      0, -0.25670989675611, 0, 0.005315209962326, 484.93582219668, -0.31615296740382,
      0.33375383951138, -0.98006657784124,
      0, 0, 0, 0.005315209962326, 0, 0, 0, 0,
      0, 0.017600872107569, 0, 0.005315209962326, -80.23964412635, -0.0068775869141587,
      -0.13641251632973, -0.19866933079506,
  };
  // clang-format on
  checkModel(
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 0'/>"
      "<geom size='.1' pos='0 0 -.2'/></body><body name='b' pos='.4 0 1'>"
      "<joint name='b1' axis='0 1 0'/><joint name='b2' type='slide' axis='1 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='.1 0 0'/>"
      "<site name='sb' pos='.1 .1 0' euler='20 30 40'/></body></worldbody><equality>"
      "<connect body1='a' body2='b' anchor='.1 .2 -.3'/></equality></mujoco>",
      qpos, qvel, rows, 3);
}

// one body only
TEST(connect_to_the_world) {
  static const double qpos[] = {0.3, -0.2, 0.1};
  static const double qvel[] = {1, 0.5, -2};
  // clang-format off
  static const double rows[] = {
      0, 0.096013315568248, 0, 0.0015076754385965, 0.21052538145274, 0, 0.039733866159012,
      0.98006657784124,
      0, 0, 0, 0.0015076754385965, 0, 0, 0, 0,
      0, 0.039733866159012, 0, 0.0015076754385965, -3.1508631979578, 0, -0.19601331556825,
      0.19866933079506,
  };
  // clang-format on
  checkModel(
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 0'/>"
      "<geom size='.1' pos='0 0 -.2'/></body><body name='b' pos='.4 0 1'>"
      "<joint name='b1' axis='0 1 0'/><joint name='b2' type='slide' axis='1 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='.1 0 0'/>"
      "<site name='sb' pos='.1 .1 0' euler='20 30 40'/></body></worldbody><equality>"
      "<connect body1='b' anchor='.1 0 0' solref='-200 -10' solimp='.8 .95 .02 .4 3'/>"
      "</equality></mujoco>",
      qpos, qvel, rows, 3);
}

// relative pose and anchor are given; rotations are scaled by torquescale
TEST(weld_has_three_translations_and_three_rotations) {
  static const double qpos[] = {0.3, -0.2, 0.1};
  static const double qvel[] = {1, 0.5, -2};
  // clang-format off
  static const double rows[] = {
      0, -0.16445976617237, 0, 0.005315209962326, 236.09533624739, -0.022674433751975,
      -0.13774052394314, -0.98006657784124,
      0, 0, 0, 0.005315209962326, 0, 0, 0, 0,
      0, -0.16041495769511, 0, 0.005315209962326, 414.38407430102, -0.41168661631638,
      0.17614638248874, -0.19866933079506,
      0, 0.35111529779748, 0, 0.13630678414587, -938.34772263974, 0.27284184028093,
      -0.27284184028093, 0,
      0, 0.85452925944415, 0, 0.13630678414587, -2293.1774528259, 0.84390863148431,
      -0.84390863148431, 0,
      0, 0.54568368056185, 0, 0.13630678414587, -1426.7698094313, -0.17555764889874,
      0.17555764889874, 0,
  };
  // clang-format on
  checkModel(
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 0'/>"
      "<geom size='.1' pos='0 0 -.2'/></body><body name='b' pos='.4 0 1'>"
      "<joint name='b1' axis='0 1 0'/><joint name='b2' type='slide' axis='1 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='.1 0 0'/>"
      "<site name='sb' pos='.1 .1 0' euler='20 30 40'/></body></worldbody><equality><weld"
      " body1='a' body2='b' anchor='.1 0 .1' relpose='.4 0 .1 .9 .1 .2 .3' torquescale='2'/>"
      "</equality></mujoco>",
      qpos, qvel, rows, 6);
}

// sites have their own frames
TEST(weld_of_sites_makes_frames_equal) {
  static const double qpos[] = {0.3, -0.2, 0.1};
  static const double qvel[] = {1, 0.5, -2};
  // clang-format off
  static const double rows[] = {
      0, -0.68466937756665, 0, 0.005315209962326, 1627.6914908738, -0.28660094673768,
      -0.039733866159012, -0.98006657784124,
      0, -0.1, 0, 0.005315209962326, 263.15789473684, 0, 0, 0,
      0, -0.32633481289669, 0, 0.005315209962326, 797.30199379418, 0.088656061998402,
      0.19601331556825, -0.19866933079506,
      0, -0.073120769294795, 0, 0.13630678414587, 186.93997798342, 0.10417888305479,
      -0.10417888305479, 0,
      0, 0.020430985722575, 0, 0.13630678414587, -65.558719229906, 0.22406637923948,
      -0.22406637923948, 0,
      0, -0.20835776610959, 0, 0.13630678414587, 550.23414158562, -0.036560384647398,
      0.036560384647398, 0,
  };
  // clang-format on
  checkModel(
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 0'/>"
      "<geom size='.1' pos='0 0 -.2'/><site name='sa' pos='0 0 -.3'/></body>"
      "<body name='b' pos='.4 0 1'><joint name='b1' axis='0 1 0'/>"
      "<joint name='b2' type='slide' axis='1 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='.1 0 0'/>"
      "<site name='sb' pos='.1 .1 0' euler='20 30 40'/></body></worldbody><equality>"
      "<weld site1='sa' site2='sb' torquescale='.5'/></equality></mujoco>",
      qpos, qvel, rows, 6);
}

// the second joint has the lower dof
TEST(joint_follows_a_polynomial_of_another) {
  static const double qpos[] = {0.3, -0.2, 0.1};
  static const double qvel[] = {1, 0.5, -2};
  static const double rows[] = {
      0, -0.40185, 0, 0.40892035243761, 1061.9210526316, -0.542, 1, 0,
  };
  checkModel(
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 0'/>"
      "<geom size='.1' pos='0 0 -.2'/></body><body name='b' pos='.4 0 1'>"
      "<joint name='b1' axis='0 1 0'/><joint name='b2' type='slide' axis='1 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='.1 0 0'/>"
      "<site name='sb' pos='.1 .1 0' euler='20 30 40'/></body></worldbody><equality>"
      "<joint joint1='b1' joint2='a' polycoef='.1 .2 .3 .4 .5'/></equality></mujoco>",
      qpos, qvel, rows, 1);
}

// measured from qpos0
TEST(joint_alone_is_held_at_a_constant) {
  static const double qpos[] = {0.3, -0.2, 0.1};
  static const double qvel[] = {1, 0.5, -2};
  static const double rows[] = {
      0, 0.05, 0, 0.0032894736842105, 78.947368421053, 0, 0, 1,
  };
  checkModel(
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 0'/>"
      "<geom size='.1' pos='0 0 -.2'/></body><body name='b' pos='.4 0 1'>"
      "<joint name='b1' axis='0 1 0'/><joint name='b2' type='slide' axis='1 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='.1 0 0'/>"
      "<site name='sb' pos='.1 .1 0' euler='20 30 40'/></body></worldbody><equality>"
      "<joint joint1='b2' polycoef='.05 0 0 0 0'/></equality></mujoco>",
      qpos, qvel, rows, 1);
}

// lengths are measured from those at qpos0
TEST(tendon_follows_a_polynomial_of_another) {
  static const double qpos[] = {0.3, -0.2, 0.1};
  static const double qvel[] = {1, 0.5, -2};
  static const double rows[] = {
      0, 0.5, 0, 1.4574307095565, -789.47368421053, 1, 0, 3,
  };
  checkModel(
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 0'/>"
      "<geom size='.1' pos='0 0 -.2'/></body><body name='b' pos='.4 0 1'>"
      "<joint name='b1' axis='0 1 0'/><joint name='b2' type='slide' axis='1 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='.1 0 0'/>"
      "<site name='sb' pos='.1 .1 0' euler='20 30 40'/></body></worldbody><tendon>"
      "<fixed name='s'><joint joint='a' coef='2'/></fixed><fixed name='t'>"
      "<joint joint='a' coef='1'/><joint joint='b2' coef='-3'/></fixed></tendon><equality>"
      "<tendon tendon1='s' tendon2='t' polycoef='.1 1 .5 0 0'/></equality></mujoco>",
      qpos, qvel, rows, 1);
}

// only the second is active
TEST(inactive_equality_has_no_rows) {
  static const double qpos[] = {0.3, -0.2, 0.1};
  static const double qvel[] = {1, 0.5, -2};
  static const double rows[] = {
      0, -0.2, 0, 0.12335526315789, 473.68421052632, 0, 1, 0,
  };
  checkModel(
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 0'/>"
      "<geom size='.1' pos='0 0 -.2'/></body><body name='b' pos='.4 0 1'>"
      "<joint name='b1' axis='0 1 0'/><joint name='b2' type='slide' axis='1 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='.1 0 0'/>"
      "<site name='sb' pos='.1 .1 0' euler='20 30 40'/></body></worldbody><equality>"
      "<joint joint1='a' active='false'/><joint joint1='b1'/></equality></mujoco>",
      qpos, qvel, rows, 1);
}

// by the flag of the model
TEST(disabled_equalities_have_no_rows) {
  static const double qpos[] = {0.3, -0.2, 0.1};
  static const double qvel[] = {1, 0.5, -2};
  checkModel(
      "<mujoco><option><flag equality='disable'/></option><worldbody>"
      "<body name='a' pos='0 0 1'><joint name='a' axis='0 1 0'/><geom size='.1' pos='0 0 -.2'/>"
      "</body><body name='b' pos='.4 0 1'><joint name='b1' axis='0 1 0'/>"
      "<joint name='b2' type='slide' axis='1 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='.1 0 0'/>"
      "<site name='sb' pos='.1 .1 0' euler='20 30 40'/></body></worldbody><equality>"
      "<joint joint1='a'/></equality></mujoco>",
      qpos, qvel, NULL, 0);
}
