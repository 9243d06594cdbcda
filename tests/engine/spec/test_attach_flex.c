// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Flexes of attached bodies and models, and of deleted ones.

#include <string.h>

#include "support/test.h"

#define CLOTH(rest)                                                                                         \
  "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.01' dim='2' material='m' " rest \
  "<edge equality='true'/></flexcomp>"

static mjSpec* parse(const char* text) {
  char error[500] = "";
  mjSpec* s = mj_parseXMLString(text, NULL, error, sizeof error);
  CHECK_TEXT(error, "");
  return s;
}

static mjSpec* host(void) {
  return parse(
      "<mujoco><worldbody><body name='h' pos='0 0 1'><joint/><geom size='.1'/><site name='s' pos='1 0 0'/>"
      "</body></worldbody></mujoco>");
}

static mjSpec* guest(const char* inner) {
  char text[2000] = "<mujoco model='g'><asset><material name='m'/></asset><worldbody>";
  strcat(strcat(text, inner), "</worldbody></mujoco>");
  return parse(text);
}

static mjsElement* site(mjSpec* s) { return mjs_findElement(s, mjOBJ_SITE, "s"); }

static mjModel* compiled(mjSpec* s) {
  mjModel* m = mj_compile(s, NULL);
  CHECK_TEXT(mjs_getError(s), "");
  CHECK(m);
  return m;
}

TEST(a_flex_goes_along_with_its_bodies) {
  mjSpec *s = host(), *g = guest("<body name='p'>" CLOTH(">") "</body><body name='q'/>");
  CHECK(mjs_attach(site(s), mjs_findElement(g, mjOBJ_BODY, "q"), "x_", ""));
  mjModel* m = compiled(s);
  CHECK_EQ(m->nflex, 0);
  mj_deleteModel(m);
  mjs_setDeepCopy(s, 1);
  CHECK(mjs_attach(site(s), mjs_findElement(g, mjOBJ_BODY, "p"), "y_", ""));
  CHECK(mjs_attach(site(s), mjs_findElement(g, mjOBJ_BODY, "p"), "z_", "_1"));
  m = compiled(s);
  CHECK_EQ(m->nflex, 2);
  CHECK_EQ(m->neq, 2);
  CHECK_EQ(m->nmat, 3);
  CHECK_TEXT(mj_id2name(m, mjOBJ_FLEX, 0), "y_f");
  CHECK_TEXT(mj_id2name(m, mjOBJ_FLEX, 1), "z_f_1");
  CHECK_EQ(m->eq_obj1id[1], 1);
  CHECK_EQ(m->flex_matid[1], mj_name2id(m, mjOBJ_MATERIAL, "z_m_1"));
  CHECK_EQ(m->flex_vertbodyid[9], mj_name2id(m, mjOBJ_BODY, "z_f_0_1"));
  mj_deleteModel(m);
  mj_deleteSpec(s);
  mj_deleteSpec(g);
}

TEST(vertices_in_the_world_of_a_guest_stay_where_it_is_attached) {
  mjSpec *s = host(), *g = guest(CLOTH("><pin id='0 8'/>"));
  CHECK(mjs_attach(site(s), g->element, "x_", ""));
  mjModel* m = compiled(s);
  mjData* d = mj_makeData(m);
  d->qpos[0] = mjPI / 2;
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_flex(m, d);
  // the body turns about z: the site is at (0, 1, 1), the corners at (-.1, -.1) and (.1, .1) of it, turned
  const double want[2][3] = {{0.1, 0.9, 1}, {-0.1, 1.1, 1}};
  CHECK_ARRAY(d->flexvert_xpos, want[0], 3, 1e-14);
  CHECK_ARRAY(d->flexvert_xpos + 24, want[1], 3, 1e-14);
  CHECK_EQ(m->flex_vertbodyid[0], mj_name2id(m, mjOBJ_BODY, "x_f_world"));
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  mj_deleteSpec(g);
}

TEST(a_body_takes_its_flex_along_when_it_is_deleted) {
  mjSpec* s = guest("<body name='p'>" CLOTH("><pin id='0'/>") "</body><body name='q'/>");
  CHECK_EQ(mjs_delete(s, mjs_findElement(s, mjOBJ_BODY, "f_1")), 0);
  mjModel* m = compiled(s);
  CHECK_EQ(m->nflex, 0);
  CHECK_EQ(m->neq, 0);
  CHECK_EQ(m->nbody, 10);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}
