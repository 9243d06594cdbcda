// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A body that becomes a frame takes its inertia along. Expected: the same calls on MuJoCo 4.0.0; 3.4.0 loses it.

#include "support/test.h"

#define GIVEN "<inertial pos='0 0 1' mass='3' diaginertia='1 1 1'/>"

static mjSpec* parse(const char* xml) {
  char error[500] = "";
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof error);
  CHECK_TEXT(error, "");
  CHECK(s);
  return s;
}

// the model in which body b is a frame; compiled: the specification was before
static mjModel* convert(const char* xml, int compiled) {
  mjSpec* s = parse(xml);
  if (compiled) mj_deleteModel(mj_compile(s, NULL));
  mjsBody* body = mjs_findBody(s, "b");
  CHECK(mjs_bodyToFrame(&body));
  CHECK(!body);
  mjModel* m = mj_compile(s, NULL);
  if (!m) CHECK_TEXT(mjs_getError(s), "(no error)");
  CHECK(m);
  mj_deleteSpec(s);
  return m;
}

TEST(a_given_inertia_is_added_to_that_of_the_parents_geoms) {
  for (int compiled = 0; compiled < 2; compiled++) {
    mjModel* m = convert("<mujoco><worldbody><body name='p'><joint/><geom size='.1'/><body name='b' pos='1 0 0'>" GIVEN
                         "<geom size='.2'/></body></body></worldbody></mujoco>",
                         compiled);
    if (!m) return;
    CHECK_NEAR(m->body_mass[1], 7.18879020478639, 1e-12);
    CHECK_ARRAY(m->body_ipos + 3, ((mjtNum[]){0.417316, 0, 0.417316}), 3, 1e-6);
    CHECK_ARRAY(m->body_inertia + 3, ((mjtNum[]){4.51286, 4.51286, 1.01676}), 3, 1e-5);
    mj_deleteModel(m);
  }
}

// the numbers of one body that has both masses
TEST(given_inertias_are_added_where_they_are) {
  mjModel* m = convert(
      "<mujoco><worldbody><body name='p'><joint/><inertial pos='1 0 0' mass='2' diaginertia='2 3 4'/>"
      "<body name='b' pos='0 1 0' euler='0 0 90'><inertial pos='1 0 0' mass='2' diaginertia='1 2 3'/></body>"
      "</body></worldbody></mujoco>",
      0);
  if (!m) return;
  CHECK_EQ(m->body_mass[1], 4);
  CHECK_ARRAY(m->body_ipos + 3, ((mjtNum[]){0.5, 1, 0}), 3, 1e-12);

  // masses of 2 at (.5, -1) and (-.5, 1) from their center, the second turned by a quarter
  mjtNum rot[9], moment[9] = {0}, turned[9], mat[9];
  const mjtNum want[9] = {2 + 2 + 4, 2, 0, 2, 3 + 1 + 1, 0, 0, 0, 4 + 3 + 5};
  for (int i = 0; i < 3; i++) moment[4 * i] = m->body_inertia[3 + i];
  mju_quat2Mat(rot, m->body_iquat + 4);
  mju_mulMatMat(turned, rot, moment, 3, 3, 3);
  mju_mulMatMatT(mat, turned, rot, 3, 3, 3);
  CHECK_ARRAY(mat, want, 9, 1e-9);
  mj_deleteModel(m);
}

TEST(a_parent_without_mass_gets_it_and_unfinished_links_do_not_matter) {
  mjSpec* s = parse("<mujoco><worldbody><body name='p'><joint/><body name='b' pos='1 0 0'><joint name='j'/>" GIVEN
                    "</body></body></worldbody></mujoco>");
  mjs_setString(mjs_addActuator(s, NULL)->target, "later");
  mjsBody *body = mjs_findBody(s, "b"), *parent = mjs_findBody(s, "p");
  CHECK(mjs_bodyToFrame(&body));
  CHECK_EQ(parent->mass, 3);
  CHECK_ARRAY(parent->ipos, ((double[]){1, 0, 1}), 3, 1e-12);
  mj_deleteSpec(s);
}

TEST(inertia_of_geoms_comes_with_the_geoms) {
  mjModel* m = convert(
      "<mujoco><worldbody><body name='p'><joint/><geom size='.1'/><body name='b' pos='1 0 0'>"
      "<geom size='.2'/></body></body></worldbody></mujoco>",
      1);
  if (!m) return;
  CHECK_NEAR(m->body_mass[1], 9 * 4 / 3. * mjPI, 1e-9);
  CHECK_NEAR(m->body_ipos[3], 8 / 9., 1e-12);
  mj_deleteModel(m);
}

TEST(a_body_whose_parents_inertia_is_not_known_stays) {
  mjSpec* s = parse("<mujoco><worldbody><body name='p'><geom type='mesh' mesh='none'/><body name='b'>" GIVEN
                    "</body></body></worldbody></mujoco>");
  mjsBody* body = mjs_findBody(s, "b");
  CHECK(!mjs_bodyToFrame(&body));
  CHECK(body);
  CHECK_TEXT(mjs_getError(s), "its inertia cannot be added to that of its parent");
  CHECK_TEXT(mjs_getError(s), "there is no mesh named 'none'");
  mj_deleteSpec(s);
}
