// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the reader makes of correct documents. Numbers agree with MuJoCo 3.4.0 on the same text; the
// live tests compare whole models.

#include <string.h>

#include "support/test.h"

TEST(classes_inherit_whatever_their_order) {
  mjModel* m = test_model(
      "<mujoco><default><default class='small'><geom contype='0'/><default class='red'><geom "
      "rgba='1 0 0 1'/>"
      "</default></default><geom size='3' conaffinity='2'/></default><worldbody>"
      "<geom class='red'/><geom class='small' size='1'/><geom/></worldbody></mujoco>");
  if (!m) return;
  double size[] = {3, 1, 3};
  int contype[] = {0, 0, 1};
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(m->geom_size[3 * i], size[i]);
    CHECK_EQ(m->geom_contype[i], contype[i]);
    CHECK_EQ(m->geom_conaffinity[i], 2);
  }
  CHECK_EQ(m->geom_rgba[1], 0);
  mj_deleteModel(m);
}

TEST(childclass_reaches_through_bodies_and_frames) {
  mjModel* m = test_model(
      "<mujoco><default><geom size='1'/><default class='a'><geom size='2'/></default><default "
      "class='b'>"
      "<geom size='3'/></default></default><worldbody><body childclass='a'><geom/><frame "
      "childclass='b'><geom/>"
      "<body><geom/></body></frame><body><geom/><geom "
      "class='main'/></body></body></worldbody></mujoco>");
  if (!m) return;
  double size[] = {2, 3, 3, 2, 1};
  CHECK_EQ(m->ngeom, 5);
  for (int i = 0; i < m->ngeom; i++) CHECK_EQ(m->geom_size[3 * i], size[i]);
  mj_deleteModel(m);
}

TEST(sections_may_be_repeated) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom size='1'/></worldbody><option timestep='0.5'/>"
      "<option gravity='0 0 -1'><flag contact='disable' energy='enable'/></option>"
      "<worldbody><geom size='2'/></worldbody></mujoco>");
  if (!m) return;
  CHECK_EQ(m->ngeom, 2);
  CHECK_EQ(m->opt.timestep, 0.5);
  CHECK_EQ(m->opt.gravity[2], -1);
  CHECK_EQ(m->opt.disableflags, mjDSBL_CONTACT);
  CHECK_EQ(m->opt.enableflags, mjENBL_ENERGY);
  mj_deleteModel(m);
}

TEST(comments_may_hold_dashes) {
  mjModel* m = test_model(
      "\n  <?xml version='1.0'?>\n<mujoco><!-- a -- b --><worldbody><!---- --><geom size='1'/>"
      "<!-- <geom size='1'/> --></worldbody></mujoco>");
  if (!m) return;
  CHECK_EQ(m->ngeom, 1);
  mj_deleteModel(m);
}

TEST(lists_may_be_shorter_where_the_language_says_so) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom size='1' friction='2' solimp='.5' "
      "margin=''/></worldbody></mujoco>");
  if (!m) return;
  double friction[] = {2, 0.005, 0.0001}, solimp[] = {0.5, 0.95, 0.001, 0.5, 2};
  CHECK_ARRAY(m->geom_friction, friction, 3, 0);
  CHECK_ARRAY(m->geom_solimp, solimp, 5, 0);
  mj_deleteModel(m);
}

TEST(copies_move_and_turn) {
  mjModel* m = test_model(
      "<mujoco><worldbody><replicate count='3' offset='1 0 0' euler='0 0 90' sep='_'>"
      "<geom name='g' size='1'/></replicate></worldbody></mujoco>");
  if (!m) return;
  double pos[] = {0, 0, 0, 1, 0, 0, 1, 1, 0};
  CHECK_EQ(m->ngeom, 3);
  CHECK_ARRAY(m->geom_pos, pos, 9, 1e-15);
  CHECK_EQ(mj_name2id(m, mjOBJ_GEOM, "g_2"), 2);
  mj_deleteModel(m);
}

TEST(copies_take_along_what_refers_to_them) {
  mjModel* m = test_model(
      "<mujoco><worldbody><replicate count='2' offset='3 0 0'><body><joint name='j'/><geom "
      "size='1'/>"
      "<site name='s'/></body></replicate></worldbody><actuator><motor name='m' "
      "joint='j'/></actuator>"
      "<sensor><gyro site='s'/></sensor></mujoco>");
  if (!m) return;
  CHECK_EQ(m->nu, 2);
  CHECK_EQ(m->nsensor, 2);
  CHECK_EQ(m->actuator_trnid[2 * mj_name2id(m, mjOBJ_ACTUATOR, "m1")], mj_name2id(m, mjOBJ_JOINT, "j1"));
  mj_deleteModel(m);
}

// a motor has no bias: what the class says about one stays, unused
TEST(shortcuts_start_from_the_class) {
  mjModel* m = test_model(
      "<mujoco><default><position kp='7'/></default><worldbody><body><joint name='j'/><geom "
      "size='1'/></body></worldbody>"
      "<actuator><position joint='j'/><position joint='j' kp='3' kv='2'/><motor joint='j'/>"
      "<velocity joint='j' kv='5'/></actuator></mujoco>");
  if (!m) return;
  double gain[] = {7, 3, 1, 5}, bias1[] = {-7, -3, -7, 0}, bias2[] = {0, -2, 0, -5};
  for (int i = 0; i < 4; i++) {
    CHECK_EQ(m->actuator_gainprm[mjNGAIN * i], gain[i]);
    CHECK_EQ(m->actuator_biasprm[mjNBIAS * i + 1], bias1[i]);
    CHECK_EQ(m->actuator_biasprm[mjNBIAS * i + 2], bias2[i]);
  }
  mj_deleteModel(m);
}

TEST(elevation_is_listed_from_the_far_edge) {
  mjModel* m = test_model(
      "<mujoco><asset><hfield name='h' size='1 1 1 1' nrow='2' ncol='3' elevation='1 2 3 4 5 6'/>"
      "</asset></mujoco>");
  if (!m) return;
  double want[] = {0.6, 0.8, 1, 0, 0.2, 0.4};
  for (int i = 0; i < 6; i++) CHECK_NEAR(m->hfield_data[i], want[i], 1e-7);
  mj_deleteModel(m);
}

TEST(memory_has_suffixes) {
  mjModel* m = test_model("<mujoco><size memory=' 12K '/></mujoco>");
  if (!m) return;
  CHECK_EQ(m->narena, 12 * 1024);
  mj_deleteModel(m);
}

TEST(text_parses_without_a_file) {
  char error[200] = "";
  mjSpec* spec = mj_parseXMLString("<mujoco model='m'><worldbody><body name='b'/></worldbody></mujoco>", NULL, error,
                                   sizeof error);
  CHECK(spec);
  if (!spec) return;
  CHECK(!strcmp(mjs_getString(spec->modelname), "m"));
  CHECK(mjs_findBody(spec, "b"));
  CHECK(!strcmp(mjs_getString(mjs_findBody(spec, "b")->info), "line 1"));
  mj_deleteSpec(spec);
}

TEST(a_camera_has_the_user_values_of_its_class) {
  mjModel* m = test_model(
      "<mujoco><default><default class='c'><camera user='1 2'/></default></default><worldbody><camera class='c'/>"
      "<camera class='c' user='3'/><camera/></worldbody></mujoco>");
  if (!m) return;
  CHECK_EQ(m->nuser_cam, 2);
  CHECK_ARRAY(m->cam_user, ((mjtNum[]){1, 2, 3, 0, 0, 0}), 6, 0);
  mj_deleteModel(m);
}
