// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Cables: names, poses and refusals. Numbers are those of MuJoCo 3.4.0 on the same text; the live
// tests compare whole models.

#include <string.h>

#include "support/test.h"

#define GEOM "<geom type='capsule' size='.1'/>"
#define CABLE(attributes, kids) \
  "<mujoco><worldbody>\n<composite type='cable' " attributes ">\n" kids "</composite></worldbody></mujoco>"

static int has(const mjModel* m, mjtObj type, const char* const* names, int n) {
  int found = 0;
  for (int i = 0; i < n; i++) found += mj_name2id(m, type, names[i]) == i + (type == mjOBJ_BODY);
  return found == n;
}

TEST(a_cable_is_a_chain_with_names) {
  mjModel* m = test_model(CABLE("prefix='P' count='5' curve='s'", GEOM));
  if (!m) return;
  static const char* const body[] = {"PB_first", "PB_1", "PB_2", "PB_last"};
  static const char* const joint[] = {"PJ_first", "PJ_1", "PJ_2", "PJ_last"};
  static const char* const geom[] = {"PG0", "PG1", "PG2", "PG3"};
  static const char* const site[] = {"PS_first", "PS_last"};
  CHECK(has(m, mjOBJ_BODY, body, 4));
  CHECK(has(m, mjOBJ_JOINT, joint, 4));
  CHECK(has(m, mjOBJ_GEOM, geom, 4));
  CHECK(has(m, mjOBJ_SITE, site, 2));
  CHECK_EQ(mj_name2id(m, mjOBJ_TEXT, "composite_P"), 0);
  CHECK_TEXT(m->text_data, "rope_P");
  CHECK_EQ(m->nexclude, 3);
  CHECK_EQ(m->jnt_type[0], mjJNT_BALL);
  mj_deleteModel(m);
}

TEST(frames_follow_the_curve_without_twist) {
  mjModel* m = test_model(CABLE("vertex='0 0 0 1 0 0 1 1 0 2 1 1 3 2 1'", GEOM));
  if (!m) return;
  double pos[] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 1.414213562373095, 0, 0};
  // clang-format off
  double quat[] = {1, 0, 0, 0, 0.707106781186548, 0, 0, 0.707106781186548, 0.707106781186548, 0,
                   -0.5, -0.5, 0.866025403784439, 0, 0.492799279826744, 0.0845509893628815};
  // clang-format on
  CHECK_ARRAY(m->body_pos + 3, pos, 12, 1e-12);
  CHECK_ARRAY(m->body_quat + 4, quat, 16, 1e-9);
  mj_deleteModel(m);
}

TEST(a_straight_beginning_has_its_own_frame) {
  mjModel* m = test_model(CABLE("count='4' curve='0 0 s'", GEOM));
  if (!m) return;
  double quat[] = {0, 0.707106781186548, 0, 0.707106781186548, 1, 0, 0, 0};
  CHECK_ARRAY(m->body_quat + 4, quat, 8, 1e-12);
  mj_deleteModel(m);
}

TEST(the_first_segment_may_be_free_or_fixed) {
  mjModel* m =
      test_model(CABLE("count='4' curve='s' initial='free'", GEOM "<joint kind='main' damping='2' range='0 30'/>"));
  if (!m) return;
  double damping[] = {0, 0, 0, 0, 0, 0, 2};
  CHECK_ARRAY(m->dof_damping, damping, 7, 0);
  CHECK_EQ(m->jnt_type[0], mjJNT_FREE);
  CHECK_EQ(m->jnt_limited[0], 0);
  CHECK_EQ(m->jnt_limited[1], 1);
  mj_deleteModel(m);

  m = test_model(CABLE("count='4' curve='s' initial='none'", GEOM));
  if (!m) return;
  CHECK_EQ(m->njnt, 2);
  mj_deleteModel(m);
}

TEST(boxes_have_a_skin) {
  mjModel* m = test_model(
      CABLE("count='4' curve='s'", "<geom type='box' size='.15 .25 .35'/><skin subgrid='1' texcoord='true'/>"));
  if (!m) return;
  CHECK_EQ(m->nskin, 1);
  CHECK_EQ(m->nskinvert, 70);
  CHECK_EQ(m->nskinface, 136);
  CHECK_EQ(m->nskinbone, 12);
  CHECK_EQ(m->nskintexvert, 70);
  CHECK_EQ(m->skin_inflate[0], 0.7f);

  // the first bone: at its own vertex all the weight, beside it the spline
  CHECK_EQ(m->skin_bonevertnum[0], 18);
  int id[] = {0, 35, 1, 36, 5, 40, 6, 41, 3, 38, 8, 43, 15, 50, 16, 51, 18, 53};
  for (int i = 0; i < 18; i++) CHECK_EQ(m->skin_bonevertid[i], id[i]);
  CHECK_EQ(m->skin_bonevertweight[2], 0.4375f);
  CHECK_EQ(m->skin_bonevertweight[8], -0.0625f);

  // weights of a vertex sum to one
  for (int v = 0; v < m->nskinvert; v++) {
    double sum = 0;
    for (int i = 0; i < m->nskinbonevert; i++)
      if (m->skin_bonevertid[i] == v) sum += m->skin_bonevertweight[i];
    CHECK_NEAR(sum, 1, 1e-6);
  }
  mj_deleteModel(m);
}

TEST(cables_that_are_refused) {
  static const struct {
    const char *xml, *error;
  } cases[] = {
      {"<mujoco><worldbody>\n<composite type='rope' count='4'/></worldbody></mujoco>",
       "test.xml:2: composite: type 'rope' is no longer part of the format"},
      {"<mujoco><worldbody><composite count='4'/></worldbody></mujoco>", "composite: type must be given"},
      {CABLE("count='4' curve='s'", "<geom type='sphere' size='1'/>"),
       "test.xml:3: geom: the geoms of a cable must be"},
      {CABLE("count='4' curve='s'", GEOM "<plugin plugin='mujoco.elasticity.cable'/>"),
       "is not declared as an extension"},
      {CABLE("count='4' curve='s'", GEOM "<joint/>"), "joint: kind must be given"},
      {CABLE("count='4' curve='s'", GEOM "<joint kind='twist'/>"), "joint: invalid keyword 'twist'"},
      {CABLE("count='4' curve='s'", GEOM "<joint kind='main'/><joint kind='main'/>"),
       "joint: a cable has one kind of joint"},
      {CABLE("count='3' curve='s'", GEOM), "composite: a cable needs 2 points without a skin"},
      {CABLE("count='1' curve='s'", GEOM), "composite: a cable needs between 2 and 2048 points, got 1"},
      {CABLE("count='2000000000' curve='s'", GEOM), "got 2000000000"},
      {CABLE("count='4 2' curve='s'", GEOM), "composite: a cable has one dimension"},
      {CABLE("count='0' curve='s'", GEOM), "composite: counts must be positive"},
      {CABLE("count='4' curve='s t'", GEOM), "composite: unknown shape 't' in curve"},
      {CABLE("count='4' curve='s s s s'", GEOM), "composite: curve has more than 3 shapes"},
      {CABLE("count='4' curve='s' vertex='0 0 0'", GEOM), "composite: count and vertex cannot both"},
      {CABLE("count='4' curve='s'", "<geom type='box' size='1 1 1'/><skin subgrid='2000000000'/>"),
       "skin: the skin would have more than 1048576 vertices"},
      {CABLE("count='4' curve='s'", "<geom type='box' size='1 1 1'/><skin group='9'/>"),
       "skin: group must be between 0 and 5"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) test_rejects(cases[i].xml, cases[i].error);
}

TEST(a_name_that_is_taken_is_an_error_of_the_cable) {
  test_rejects("<mujoco><worldbody><body name='B_1'/>\n<composite type='cable' count='4' curve='s'>" GEOM
               "</composite></worldbody></mujoco>",
               "test.xml:2: composite: ");
}
