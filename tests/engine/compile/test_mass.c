// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Mass, inertia and bounds. Numbers: the same models in MuJoCo 3.4.0, unless a formula is given.

#include "support/test.h"

#define PI 3.14159265358979323846

TEST(solids_have_the_textbook_inertia) {
  mjModel* m = test_model(
      "<mujoco><worldbody>"
      "<body><geom size='.3'/></body>"
      "<body><geom type='box' size='.3 .4 .5'/></body>"
      "<body><geom type='ellipsoid' size='.3 .4 .5'/></body>"
      "<body><geom type='cylinder' size='.3 .4'/></body>"
      "<body><geom type='capsule' size='.3 .4'/></body>"
      "</worldbody></mujoco>");
  if (!m) return;
  const double mass[5] = {1000 * 4 * PI * .027 / 3, 480, 1000 * 4 * PI * .06 / 3, 1000 * PI * .09 * .8,
                          1000 * PI * (.09 * .8 + 4 * .027 / 3)};
  CHECK_ARRAY(m->body_mass + 1, mass, 5, 1e-14);
  CHECK_NEAR(m->body_inertia[3], .4 * mass[0] * .09, 1e-13);
  CHECK_NEAR(m->body_inertia[6], 480 * (.16 + .25) / 3, 1e-13);
  CHECK_NEAR(m->body_inertia[9], mass[2] * (.16 + .25) / 5, 1e-13);
  CHECK_NEAR(m->body_inertia[14], mass[3] * .09 / 2, 1e-13);
  CHECK_NEAR(m->body_inertia[15], 49.498933849960764, 1e-13);
  mj_deleteModel(m);
}

TEST(shells_have_area_density) {
  mjModel* m = test_model(
      "<mujoco><default><geom shellinertia='true'/></default><worldbody>"
      "<body><geom size='.3'/></body>"
      "<body><geom type='box' size='.3 .4 .5'/></body>"
      "<body><geom type='ellipsoid' size='.3 .4 .5'/></body>"
      "<body><geom type='cylinder' size='.3 .4'/></body>"
      "<body><geom type='capsule' size='.3 .4'/></body>"
      "</worldbody></mujoco>");
  if (!m) return;
  const double mass[5] = {1130.9733552923256, 3760, 1995.0170443710083, 2073.4511513692637, 2638.9378290154264};
  const double first[5] = {67.85840131753953, 801.8666666666667, 255.27787332981825, 251.48449191986302,
                           532.814114048829};
  const double last[5] = {67.85840131753953, 537.3333333333333, 171.06257816962898, 161.1637031291564,
                          203.5752039526186};
  CHECK_ARRAY(m->body_mass + 1, mass, 5, 1e-13);
  for (int i = 0; i < 5; i++) {
    CHECK_NEAR(m->body_inertia[3 * i + 3], first[i], 1e-10);
    CHECK_NEAR(m->body_inertia[3 * i + 5], last[i], 1e-10);
  }
  mj_deleteModel(m);
}

TEST(inertia_is_collected_from_geoms) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><freejoint/><geom size='.1' pos='1 0 0'/>"
      "<geom type='box' size='.1 .2 .3' euler='10 20 30'/></body></worldbody></mujoco>");
  if (!m) return;
  CHECK_NEAR(m->body_mass[1], 52.1887902047864, 1e-13);
  const double inertia[3] = {5.61010445041673, 4.83946582108175, 1.78587209054514};
  CHECK_ARRAY(m->body_inertia + 3, inertia, 3, 1e-13);
  CHECK_NEAR(m->body_ipos[3], 0.080262259162356, 1e-14);
  const double iquat[4] = {0.53012382266167, 0.500419221839914, 0.440551553058109, 0.523892798345047};
  CHECK_ARRAY(m->body_iquat + 4, iquat, 4, 1e-12);
  CHECK_EQ(m->body_sameframe[1], mjSAMEFRAME_NONE);
  mj_deleteModel(m);
}

TEST(group_range_selects_geoms) {
  mjModel* m = test_model(
      "<mujoco><compiler inertiagrouprange='0 1'/><worldbody><body>"
      "<geom size='.1' mass='2' pos='1 0 0' group='1'/><geom size='.1' mass='3' group='2'/></body>"
      "</worldbody></mujoco>");
  if (!m) return;
  CHECK_EQ(m->body_mass[1], 2);
  CHECK_EQ(m->body_ipos[3], 1);
  mj_deleteModel(m);
}

TEST(masses_are_bounded_balanced_and_scaled) {
  mjModel* m = test_model(
      "<mujoco><compiler boundmass='1' boundinertia='3.5'/><worldbody><body>"
      "<inertial pos='1 2 3' mass='2' diaginertia='3 4 5'/><body><geom size='.001'/></body></body>"
      "</worldbody></mujoco>");
  if (m) {
    const double inertia[6] = {3.5, 4, 5, 3.5, 3.5, 3.5};
    CHECK_ARRAY(m->body_inertia + 3, inertia, 6, 0);
    CHECK_EQ(m->body_mass[2], 1);
    CHECK_EQ(m->body_subtreemass[1], 3);
  }
  mj_deleteModel(m);
  m = test_model(
      "<mujoco><compiler balanceinertia='true' settotalmass='4'/><worldbody><body>"
      "<inertial pos='1 2 3' mass='2' diaginertia='3 4 9'/></body></worldbody></mujoco>");
  if (m) {
    CHECK_NEAR(m->body_inertia[3], 2 * 16. / 3, 1e-14);
    CHECK_EQ(m->body_mass[1], 4);
  }
  mj_deleteModel(m);
}

TEST(aligned_free_body_has_its_center_at_the_origin) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body pos='0 0 1'><freejoint align='true'/>"
      "<geom size='.1' pos='1 0 0' mass='1'/><geom size='.1' mass='1'/><site pos='0 1 0'/></body>"
      "</worldbody></mujoco>");
  if (!m) return;
  CHECK_NEAR(m->body_pos[3], 0.5, 1e-15);
  CHECK_NEAR(m->qpos0[0], 0.5, 1e-15);
  CHECK_EQ(m->body_ipos[3], 0);
  CHECK_EQ(m->body_simple[1], 1);
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  const double site[3] = {0, 1, 1}, geom[3] = {1, 0, 1};
  CHECK_ARRAY(d->site_xpos, site, 3, 1e-14);
  CHECK_ARRAY(d->geom_xpos, geom, 3, 1e-14);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(added_mass_of_an_ellipsoid) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='ellipsoid' size='.1 .2 .3' fluidshape='ellipsoid'/><geom size='1'/>"
      "</worldbody></mujoco>");
  if (!m) return;
  // clang-format off
  const double want[12] = {1, 0.5, 0.25, 1.5, 1, 1, 0.034218923351023, 0.00916196968609334,
                           0.00465600129540255, 3.91419014518704e-05, 0.000355998376259504,
                           9.63256191850468e-05};
  // clang-format on
  CHECK_ARRAY(m->geom_fluid, want, 12, 1e-15);
  CHECK_EQ(m->geom_fluid[mjNFLUID], 0);
  mj_deleteModel(m);
}

TEST(bounds_of_geoms) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom type='capsule' size='.1 .2'/>"
      "<geom type='cylinder' size='.3 .4'/><geom type='box' size='1 2 2'/></worldbody></mujoco>");
  if (!m) return;
  const double radius[4] = {0, 0.3, 0.5, 3}, capsule[6] = {0, 0, 0, 0.1, 0.1, 0.3};
  CHECK_ARRAY(m->geom_rbound, radius, 4, 1e-15);
  CHECK_ARRAY(m->geom_aabb + 6, capsule, 6, 1e-15);
  CHECK_EQ(m->geom_aabb[2], -5e9);
  // four leaves and what joins them
  CHECK_EQ(m->body_bvhnum[0], 7);
  CHECK_EQ(m->bvh_nodeid[0], -1);
  mj_deleteModel(m);
}

// asked of MuJoCo 3.4.0: the frame around the body moves the body, not this
TEST(body_without_mass_has_the_inertial_frame_that_its_pose_was_given_as) {
  mjModel* m = test_model(
      "<mujoco><worldbody><frame pos='1 0 0' euler='30 0 0'><body pos='1 2 3' euler='0 90 "
      "0'/></frame></worldbody></mujoco>");
  if (!m) return;
  for (int k = 0; k < 3; k++) CHECK_EQ(m->body_ipos[3 + k], k + 1);
  CHECK_NEAR(m->body_iquat[4], sqrt(.5), 1e-12);
  CHECK_NEAR(m->body_iquat[6], sqrt(.5), 1e-12);
  CHECK_NEAR(m->body_pos[3], 2, 1e-12);
  mj_deleteModel(m);
}
