// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "engine/dynamics/every_joint.h"

TEST(frames_of_bodies_joints_and_sites) {
  static const double xpos[] = {0.460177655999331, -0.0794256258422041, 1.30502362907269};
  static const double xquat[] = {0.74337631424757, 0.482208217858252, -0.0848485506713525, 0.455705621530651};
  static const double xmat[] = {0.570266219908668, -0.759350867444884, 0.313341185517928,
                                0.59569219381653,  0.119615242270663,  -0.794256258422041,
                                0.565638796987201, 0.639592412343386,  0.520551916157879};
  static const double xipos[] = {1.184, -0.3036, 2.1152};
  static const double anchor[] = {0.428843537447538, 0, 1.2529684374569};
  static const double axis[] = {0, 1, 0};
  static const double site[] = {-0.644217687237691, 0, 0.764842187284488, 0, 1, 0,
                                -0.764842187284488, 0, -0.644217687237691};
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  mj_kinematics(m, d);
  CHECK_ARRAY(d->xpos + 6, xpos, 3, 1e-12);
  CHECK_ARRAY(d->xquat + 8, xquat, 4, 1e-12);
  CHECK_ARRAY(d->xmat + 18, xmat, 9, 1e-12);
  CHECK_ARRAY(d->xipos + 9, xipos, 3, 1e-12);
  CHECK_ARRAY(d->xanchor + 6, anchor, 3, 1e-12);
  CHECK_ARRAY(d->xaxis + 3, axis, 3, 1e-12);
  CHECK_ARRAY(d->site_xmat, site, 9, 1e-12);
  links_free(m, d);
}

TEST(com_frame) {
  static const double com[] = {0.333526955759145, -0.026475208614068, 1.12405900512112};
  static const double cinert[] = {
      0.0454395486920548, 0.0532943227543039, 0.0269859062490562,  0.00922076586004729, -0.0245673264337187,
      0.0137595738706944, 0.126650700240186,  -0.0529504172281361, 0.180964623951569,   1};
  static const double cdof[] = {0.570266219908668,   0.59569219381653,   0.565638796987201,
                                -0.0618149374012986, 0.0195979380895429, 0.0416814265154138};
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  mj_kinematics(m, d);
  mj_comPos(m, d);
  CHECK_ARRAY(d->subtree_com + 3, com, 3, 1e-12);
  CHECK_ARRAY(d->cinert + 20, cinert, 10, 1e-12);
  CHECK_ARRAY(d->cdof + 12, cdof, 6, 1e-12);
  links_free(m, d);
}

TEST(a_quaternion_of_no_length_is_the_identity) {
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  static const double identity[] = {1, 0, 0, 0};
  mju_zero(d->qpos + 2, 4);
  mju_zero(d->qpos + 9, 4);
  mj_kinematics(m, d);
  CHECK_ARRAY(d->xquat + 12, identity, 4, 0);
  CHECK_NEAR(mju_norm(d->xquat + 8, 4), 1, 1e-15);
  links_free(m, d);
}

TEST(cameras_look_at_their_targets) {
  mjModel* m = test_model(
      "<mujoco><worldbody>"
      "  <camera mode='targetbody' target='b' pos='0 0 3'/>"
      "  <camera mode='targetbody' target='b' pos='3 0 0'/>"
      "  <light mode='targetbody' target='b' pos='0 -2 0'/>"
      "  <body name='b'><freejoint/><geom size='.1'/></body>"
      "</worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_camlight(m, d);

  // straight down there is no horizontal direction: x stays x
  static const double down[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const double side[] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
  static const double dir[] = {0, 1, 0};
  CHECK_ARRAY(d->cam_xmat, down, 9, 1e-15);
  CHECK_ARRAY(d->cam_xmat + 9, side, 9, 1e-15);
  CHECK_ARRAY(d->light_xdir, dir, 3, 1e-15);
  mj_deleteData(d);
  mj_deleteModel(m);
}
