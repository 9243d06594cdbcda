// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "rows_table.h"

// friction, solref and solimp of the contact; impratio 4
TEST(frictionless_contact_of_dimension_1) {
  static const double qpos[] = {0.1, 0.2, 0.08, 0.92338051687664, 0.10259783520852, 0.20519567041703, 0.30779350562555};
  static const double qvel[] = {0.1, 0.2, -0.3, 0.4, 0.5, 0.6};
  static const double rows[] = {
      5, -0.02, 0, 0.13438531952735, 47.850155004939, 0, 0, 1, 0, 0, 0,
  };
  checkModel(
      "<mujoco><option cone='pyramidal' impratio='4'/><worldbody><geom type='plane'"
      " size='1 1 .1' condim='1' friction='.8 .05 .002' solref='.03 .9'"
      " solimp='.8 .95 .04 .4 1.5'/><body pos='0 0 .09'><freejoint/><geom size='.1' mass='1'"
      " condim='1' friction='.8 .05 .002' solref='.03 .9' solimp='.8 .95 .04 .4 1.5'/></body>"
      "</worldbody></mujoco>",
      qpos, qvel, rows, 1);
}

// friction, solref and solimp of the contact; impratio 4
TEST(pyramidal_contact_of_dimension_3) {
  static const double qpos[] = {0.1, 0.2, 0.08, 0.92338051687664, 0.10259783520852, 0.20519567041703, 0.30779350562555};
  static const double qvel[] = {0.1, 0.2, -0.3, 0.4, 0.5, 0.6};
  // clang-format off
  static const double rows[] = {
      6, -0.02, 0, 0.070525415687951, 35.143525272714, 0, 0.8, 1, 0.052294736842105,
      -0.037894736842105, 0.031831578947368,
      6, -0.02, 0, 0.070525415687951, 60.556784737164, 0, -0.8, 1, -0.052294736842105,
      0.037894736842105, -0.031831578947368,
      6, -0.02, 0, 0.070525415687951, 50.427292585733, -0.8, 0, 1, 0.043957894736842,
      0.056842105263158, -0.0045473684210526,
      6, -0.02, 0, 0.070525415687951, 45.273017424145, 0.8, 0, 1, -0.043957894736842,
      -0.056842105263158, 0.0045473684210526,
  };
  // clang-format on
  checkModel(
      "<mujoco><option cone='pyramidal' impratio='4'/><worldbody><geom type='plane'"
      " size='1 1 .1' condim='3' friction='.8 .05 .002' solref='.03 .9'"
      " solimp='.8 .95 .04 .4 1.5'/><body pos='0 0 .09'><freejoint/><geom size='.1' mass='1'"
      " condim='3' friction='.8 .05 .002' solref='.03 .9' solimp='.8 .95 .04 .4 1.5'/></body>"
      "</worldbody></mujoco>",
      qpos, qvel, rows, 4);
}

// friction, solref and solimp of the contact; impratio 4
TEST(pyramidal_contact_of_dimension_4) {
  static const double qpos[] = {0.1, 0.2, 0.08, 0.92338051687664, 0.10259783520852, 0.20519567041703, 0.30779350562555};
  static const double qvel[] = {0.1, 0.2, -0.3, 0.4, 0.5, 0.6};
  // clang-format off
  static const double rows[] = {
      6, -0.02, 0, 0.070525415687951, 35.143525272714, 0, 0.8, 1, 0.052294736842105,
      -0.037894736842105, 0.031831578947368,
      6, -0.02, 0, 0.070525415687951, 60.556784737164, 0, -0.8, 1, -0.052294736842105,
      0.037894736842105, -0.031831578947368,
      6, -0.02, 0, 0.070525415687951, 50.427292585733, -0.8, 0, 1, 0.043957894736842,
      0.056842105263158, -0.0045473684210526,
      6, -0.02, 0, 0.070525415687951, 45.273017424145, 0.8, 0, 1, -0.043957894736842,
      -0.056842105263158, 0.0045473684210526,
      6, -0.02, 0, 0.070525415687951, 45.855695171144, 0, 0, 1, -0.015789473684211,
      0.015789473684211, 0.044736842105263,
      6, -0.02, 0, 0.070525415687951, 49.844614838734, 0, 0, 1, 0.015789473684211,
      -0.015789473684211, -0.044736842105263,
  };
  // clang-format on
  checkModel(
      "<mujoco><option cone='pyramidal' impratio='4'/><worldbody><geom type='plane'"
      " size='1 1 .1' condim='4' friction='.8 .05 .002' solref='.03 .9'"
      " solimp='.8 .95 .04 .4 1.5'/><body pos='0 0 .09'><freejoint/><geom size='.1' mass='1'"
      " condim='4' friction='.8 .05 .002' solref='.03 .9' solimp='.8 .95 .04 .4 1.5'/></body>"
      "</worldbody></mujoco>",
      qpos, qvel, rows, 6);
}

// friction, solref and solimp of the contact; impratio 4
TEST(pyramidal_contact_of_dimension_6) {
  static const double qpos[] = {0.1, 0.2, 0.08, 0.92338051687664, 0.10259783520852, 0.20519567041703, 0.30779350562555};
  static const double qvel[] = {0.1, 0.2, -0.3, 0.4, 0.5, 0.6};
  // clang-format off
  static const double rows[] = {
      6, -0.02, 0, 0.070525415687951, 35.143525272714, 0, 0.8, 1, 0.052294736842105,
      -0.037894736842105, 0.031831578947368,
      6, -0.02, 0, 0.070525415687951, 60.556784737164, 0, -0.8, 1, -0.052294736842105,
      0.037894736842105, -0.031831578947368,
      6, -0.02, 0, 0.070525415687951, 50.427292585733, -0.8, 0, 1, 0.043957894736842,
      0.056842105263158, -0.0045473684210526,
      6, -0.02, 0, 0.070525415687951, 45.273017424145, 0.8, 0, 1, -0.043957894736842,
      -0.056842105263158, 0.0045473684210526,
      6, -0.02, 0, 0.070525415687951, 45.855695171144, 0, 0, 1, -0.015789473684211,
      0.015789473684211, 0.044736842105263,
      6, -0.02, 0, 0.070525415687951, 49.844614838734, 0, 0, 1, 0.015789473684211,
      -0.015789473684211, -0.044736842105263,
      6, -0.02, 0, 0.070525415687951, 47.765796740858, 0, 0, 1, 0.0012210526315789,
      0.0015789473684211, -0.00012631578947368,
      6, -0.02, 0, 0.070525415687951, 47.93451326902, 0, 0, 1, -0.0012210526315789,
      -0.0015789473684211, 0.00012631578947368,
      6, -0.02, 0, 0.070525415687951, 47.891226103739, 0, 0, 1, -0.0014526315789474,
      0.0010526315789474, -0.00088421052631579,
      6, -0.02, 0, 0.070525415687951, 47.80908390614, 0, 0, 1, 0.0014526315789474,
      -0.0010526315789474, 0.00088421052631579,
  };
  // clang-format on
  checkModel(
      "<mujoco><option cone='pyramidal' impratio='4'/><worldbody><geom type='plane'"
      " size='1 1 .1' condim='6' friction='.8 .05 .002' solref='.03 .9'"
      " solimp='.8 .95 .04 .4 1.5'/><body pos='0 0 .09'><freejoint/><geom size='.1' mass='1'"
      " condim='6' friction='.8 .05 .002' solref='.03 .9' solimp='.8 .95 .04 .4 1.5'/></body>"
      "</worldbody></mujoco>",
      qpos, qvel, rows, 10);
}

// friction, solref and solimp of the contact; impratio 4
TEST(elliptic_contact_of_dimension_3) {
  static const double qpos[] = {0.1, 0.2, 0.08, 0.92338051687664, 0.10259783520852, 0.20519567041703, 0.30779350562555};
  static const double qvel[] = {0.1, 0.2, -0.3, 0.4, 0.5, 0.6};
  // clang-format off
  static const double rows[] = {
      7, -0.02, 0, 0.13438531952735, 47.850155004939, 0, 0, 1, 0, 0, 0,
      7, 0, 0, 0.033596329881837, -15.883287165282, 0, 1, 0, 0.065368421052632,
      -0.047368421052632, 0.039789473684211,
      7, 0, 0, 0.033596329881837, 3.2214219759926, -1, 0, 0, 0.054947368421053, 0.071052631578947,
      -0.0056842105263158,
  };
  // clang-format on
  checkModel(
      "<mujoco><option cone='elliptic' impratio='4'/><worldbody><geom type='plane'"
      " size='1 1 .1' condim='3' friction='.8 .05 .002' solref='.03 .9'"
      " solimp='.8 .95 .04 .4 1.5'/><body pos='0 0 .09'><freejoint/><geom size='.1' mass='1'"
      " condim='3' friction='.8 .05 .002' solref='.03 .9' solimp='.8 .95 .04 .4 1.5'/></body>"
      "</worldbody></mujoco>",
      qpos, qvel, rows, 3);
}

// friction, solref and solimp of the contact; impratio 4
TEST(elliptic_contact_of_dimension_4) {
  static const double qpos[] = {0.1, 0.2, 0.08, 0.92338051687664, 0.10259783520852, 0.20519567041703, 0.30779350562555};
  static const double qvel[] = {0.1, 0.2, -0.3, 0.4, 0.5, 0.6};
  // clang-format off
  static const double rows[] = {
      7, -0.02, 0, 0.13438531952735, 47.850155004939, 0, 0, 1, 0, 0, 0,
      7, 0, 0, 0.033596329881837, -15.883287165282, 0, 1, 0, 0.065368421052632,
      -0.047368421052632, 0.039789473684211,
      7, 0, 0, 0.033596329881837, 3.2214219759926, -1, 0, 0, 0.054947368421053, 0.071052631578947,
      -0.0056842105263158,
      7, 0, 0, 8.6006604497502, -39.8891966759, 0, 0, 0, -0.31578947368421, 0.31578947368421,
      0.89473684210526,
  };
  // clang-format on
  checkModel(
      "<mujoco><option cone='elliptic' impratio='4'/><worldbody><geom type='plane'"
      " size='1 1 .1' condim='4' friction='.8 .05 .002' solref='.03 .9'"
      " solimp='.8 .95 .04 .4 1.5'/><body pos='0 0 .09'><freejoint/><geom size='.1' mass='1'"
      " condim='4' friction='.8 .05 .002' solref='.03 .9' solimp='.8 .95 .04 .4 1.5'/></body>"
      "</worldbody></mujoco>",
      qpos, qvel, rows, 4);
}

// friction, solref and solimp of the contact; impratio 4
TEST(elliptic_contact_of_dimension_6) {
  static const double qpos[] = {0.1, 0.2, 0.08, 0.92338051687664, 0.10259783520852, 0.20519567041703, 0.30779350562555};
  static const double qvel[] = {0.1, 0.2, -0.3, 0.4, 0.5, 0.6};
  // clang-format off
  static const double rows[] = {
      7, -0.02, 0, 0.13438531952735, 47.850155004939, 0, 0, 1, 0, 0, 0,
      7, 0, 0, 0.033596329881837, -15.883287165282, 0, 1, 0, 0.065368421052632,
      -0.047368421052632, 0.039789473684211,
      7, 0, 0, 0.033596329881837, 3.2214219759926, -1, 0, 0, 0.054947368421053, 0.071052631578947,
      -0.0056842105263158,
      7, 0, 0, 8.6006604497502, -39.8891966759, 0, 0, 0, -0.31578947368421, 0.31578947368421,
      0.89473684210526,
      7, 0, 0, 5375.4127810939, -42.179132040628, 0, 0, 0, 0.61052631578947, 0.78947368421053,
      -0.063157894736842,
      7, 0, 0, 5375.4127810939, 20.535549399815, 0, 0, 0, -0.72631578947368, 0.52631578947368,
      -0.44210526315789,
  };
  // clang-format on
  checkModel(
      "<mujoco><option cone='elliptic' impratio='4'/><worldbody><geom type='plane'"
      " size='1 1 .1' condim='6' friction='.8 .05 .002' solref='.03 .9'"
      " solimp='.8 .95 .04 .4 1.5'/><body pos='0 0 .09'><freejoint/><geom size='.1' mass='1'"
      " condim='6' friction='.8 .05 .002' solref='.03 .9' solimp='.8 .95 .04 .4 1.5'/></body>"
      "</worldbody></mujoco>",
      qpos, qvel, rows, 6);
}

// only an elliptic cone can use it
TEST(solreffriction_damps_the_friction_rows) {
  static const double qpos[] = {0.1, 0.2, 0.08, 0.92338051687664, 0.10259783520852, 0.20519567041703, 0.30779350562555};
  static const double qvel[] = {0.1, 0.2, -0.3, 0.4, 0.5, 0.6};
  // clang-format off
  static const double rows[] = {
      7, -0.02, 0, 0.052631578947368, 84.210526315789, 0, 0, 1, 0, 0, 0,
      7, 0, 0, 0.052631578947368, -4.7649861495845, 0, 1, 0, 0.065368421052632,
      -0.047368421052632, 0.039789473684211,
      7, 0, 0, 0.052631578947368, 0.96642659279778, -1, 0, 0, 0.054947368421053,
      0.071052631578947, -0.0056842105263158,
  };
  // clang-format on
  checkModel(
      "<mujoco><option cone='elliptic'/><worldbody><geom name='p' type='plane' size='1 1 .1'/>"
      "<body pos='0 0 .09'><freejoint/><geom name='s' size='.1' mass='1'/></body></worldbody>"
      "<contact><pair geom1='p' geom2='s' condim='3' solreffriction='.1 2'/></contact></mujoco>",
      qpos, qvel, rows, 3);
}

// dofs that move both bodies have zeros
TEST(contact_between_two_bodies_of_a_branch) {
  static const double qpos[] = {0.1, -0.9, 0.3};
  static const double qvel[] = {1, 2, 3};
  static const double rows[] = {
      6, -0.075499456136324, 0, 0.020336573935486, 168.2015490406,  0, 0.14978488020534,  -0.0033326909627484,
      6, -0.075499456136324, 0, 0.020336573935486, 166.09669159044, 0, 0.14978488020534,  0.0033326909627484,
      6, -0.075499456136324, 0, 0.020336573935486, 152.35315873984, 0, 0.22006569768981,  0,
      6, -0.075499456136324, 0, 0.020336573935486, 181.9450818912,  0, 0.079504062720869, 0,
  };
  checkModel(
      "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1'/><body pos='.2 0 0'>"
      "<joint axis='0 1 0'/><geom size='.1'/><body pos='0 0 .15'><joint axis='1 0 0'/>"
      "<geom size='.1'/></body></body></body></worldbody></mujoco>",
      qpos, qvel, rows, 4);
}

// columns of both bodies ascend, the second geom is in the lower branch
TEST(contact_between_branches) {
  static const double qpos[] = {0.1, 0, 0.2};
  static const double qvel[] = {1, 2, 3};
  static const double rows[] = {
      6, -0.1, 0, 0.0085696955034302, 242.10526315789, 0, 0.1,  0,
      6, -0.1, 0, 0.0085696955034302, 242.10526315789, 0, 0.1,  0,
      6, -0.1, 0, 0.0085696955034302, 215.78947368421, 0, 0.15, 0.05,
      6, -0.1, 0, 0.0085696955034302, 268.42105263158, 0, 0.05, -0.05,
  };
  checkModel(
      "<mujoco><worldbody><body><joint type='slide' axis='0 0 1'/><geom size='.1'/>"
      "<body name='a' pos='.2 0 0'><joint axis='0 1 0'/>"
      "<geom size='.1 .1 .1' type='box' contype='2' conaffinity='1'/></body>"
      "<body name='b' pos='.3 0 .1'><joint axis='0 1 0'/>"
      "<geom size='.1' contype='1' conaffinity='2'/></body></body></worldbody></mujoco>",
      qpos, qvel, rows, 4);
}

// within the margin, outside the gap
TEST(margin_and_gap) {
  static const double qpos[] = {0, 0, 0.12, 1, 0, 0, 0};
  static const double qvel[] = {0.1, 0.2, -0.3, 0.4, 0.5, 0.6};
  static const double rows[] = {
      5, 0.02, 0.05, 0.052631578947368, 110.52631578947, 0, 0, 1, 0, 0, 0,
  };
  checkModel(
      "<mujoco><option /><worldbody>"
      "<geom type='plane' size='1 1 .1' condim='1' margin='.1' gap='.05'/><body pos='0 0 .09'>"
      "<freejoint/><geom size='.1' mass='1' condim='1' margin='.1' gap='.05'/></body>"
      "</worldbody></mujoco>",
      qpos, qvel, rows, 1);
}

TEST(a_model_without_dofs_has_no_rows) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom name='a' size='.1'/><body pos='.1 0 0'><geom name='b' size='.1'/></body></worldbody>"
      "<contact><pair geom1='a' geom2='b'/></contact></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_step(m, d);
  CHECK_EQ(d->ncon, 1);
  CHECK_EQ(d->nefc, 0);
  CHECK_EQ(d->contact[0].efc_address, -1);
  mj_deleteData(d);
  mj_deleteModel(m);
}
