// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What contacts inherit, which pairs collide, and what happens when there is no room.

#include "support/test.h"

#include <math.h>
#include <string.h>

#define TWO_BALLS(first, second)              \
  "<mujoco><worldbody><geom size='.1' " first \
  "/><body pos='0 0 .15'><freejoint/>"        \
  "<geom size='.1' " second "/></body></worldbody></mujoco>"

// the only contact of a model at its initial position; con.dim is 0 if there is none
static mjContact onlyContact(const char* xml) {
  mjContact con = {0};
  mjModel* m = test_model(xml);
  if (!m) return con;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  mj_collision(m, d);
  if (d->ncon == 1) con = d->contact[0];
  mj_deleteData(d);
  mj_deleteModel(m);
  return con;
}

// numbers follow from the rules: larger friction and dimension, solmix as weights
TEST(equal_priority_mixes) {
  mjContact con = onlyContact(TWO_BALLS("friction='.5 .02 .003' condim='4' solref='.04 2' solmix='3'",
                                        "friction='.7 .01 .001' condim='3' solref='.02 1'"));
  CHECK_EQ(con.dim, 4);
  CHECK_ARRAY(con.friction, ((mjtNum[]){.7, .7, .02, .003, .003}), 5, 0);
  CHECK_ARRAY(con.solref, ((mjtNum[]){.75 * .04 + .25 * .02, 1.75}), 2, 1e-15);
  CHECK_EQ(con.efc_address, -1);
  CHECK_EQ(con.exclude, 0);
}

TEST(higher_priority_decides_alone) {
  mjContact con =
      onlyContact(TWO_BALLS("friction='.5 .02 .003' condim='1' priority='1'", "friction='.7 .01 .001' condim='3'"));
  CHECK_EQ(con.dim, 1);
  CHECK_ARRAY(con.friction, ((mjtNum[]){.5, .5, .02, .003, .003}), 5, 0);
}

TEST(direct_stiffness_takes_the_smaller) {
  mjContact con = onlyContact(TWO_BALLS("solref='-100 -5'", "solref='.02 1'"));
  CHECK_ARRAY(con.solref, ((mjtNum[]){-100, -5}), 2, 0);
}

TEST(friction_has_a_floor) {
  mjContact con = onlyContact(TWO_BALLS("friction='0 0 0'", "friction='0 0 0'"));
  for (int i = 0; i < 5; i++) CHECK_EQ(con.friction[i], mjMINMU);
}

TEST(gap_keeps_a_contact_out_of_the_constraints) {
  // distance -.05 + .2, margin .3, gap .2
  mjContact con = onlyContact(
      "<mujoco><worldbody><geom size='.1' margin='.3' gap='.2'/><body pos='0 0 .35'><freejoint/>"
      "<geom size='.1'/></body></worldbody></mujoco>");
  CHECK_NEAR(con.dist, .15, 1e-15);
  CHECK_NEAR(con.includemargin, .1, 1e-15);
  CHECK_EQ(con.exclude, 1);
}

TEST(predefined_pair_replaces_the_dynamic_one) {
  mjContact con = onlyContact(
      "<mujoco><worldbody><geom name='a' size='.1'/><body pos='0 0 .15'><freejoint/>"
      "<geom name='b' size='.1'/></body></worldbody><contact>"
      "<pair geom1='b' geom2='a' condim='6' friction='1 2 3 4 5' solreffriction='.1 .2'/>"
      "</contact></mujoco>");
  CHECK_EQ(con.dim, 6);
  CHECK_ARRAY(con.friction, ((mjtNum[]){1, 2, 3, 4, 5}), 5, 0);
  CHECK_ARRAY(con.solreffriction, ((mjtNum[]){.1, .2}), 2, 0);
}

TEST(filters) {
  CHECK_EQ(onlyContact(TWO_BALLS("contype='2' conaffinity='4'", "")).dim, 0);
  CHECK_EQ(onlyContact(TWO_BALLS("contype='2' conaffinity='1'", "")).dim, 3);
  CHECK_EQ(onlyContact("<mujoco><worldbody><body name='p'><freejoint/><geom size='.1'/>"
                       "<body name='c' pos='0 0 .15'><joint/><geom size='.1'/></body></body>"
                       "</worldbody></mujoco>")
               .dim,
           0);
  CHECK_EQ(onlyContact("<mujoco><option><flag filterparent='disable'/></option><worldbody><body>"
                       "<freejoint/><geom size='.1'/><body pos='0 0 .15'><joint/><geom size='.1'/>"
                       "</body></body></worldbody></mujoco>")
               .dim,
           3);
  CHECK_EQ(onlyContact("<mujoco><worldbody><body name='p'><freejoint/><geom size='.1'/></body>"
                       "<body name='c' pos='0 0 .15'><freejoint/><geom size='.1'/></body></worldbody>"
                       "<contact><exclude body1='c' body2='p'/></contact></mujoco>")
               .dim,
           0);
}

static int nasked;

static int rejectAll(const mjModel* m, mjData* d, int geom1, int geom2) {
  nasked++;
  return 1;
}

TEST(filter_callback) {
  CHECK_EQ(onlyContact(TWO_BALLS("", "")).dim, 3);
  mjcb_contactfilter = rejectAll;
  CHECK_EQ(onlyContact(TWO_BALLS("", "")).dim, 0);
  mjcb_contactfilter = NULL;
}

#define ROW "<replicate count='30' offset='.5 0 0'><geom size='.1'/></replicate>"
#define TWO_ROWS(midphase)                                                                    \
  "<mujoco><option><flag midphase='" midphase "'/></option><worldbody><body><freejoint/>" ROW \
  "</body><body pos='0 0 .19'><freejoint/>" ROW "</body></worldbody></mujoco>"

static int filterCalls(const char* xml) {
  mjModel* m = test_model(xml);
  mjData* d = m ? mj_makeData(m) : NULL;
  if (!d) return -1;
  mj_kinematics(m, d);
  nasked = 0;
  mjcb_contactfilter = rejectAll;
  mj_collision(m, d);
  mjcb_contactfilter = NULL;
  CHECK_EQ(d->ncon, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
  return nasked;
}

// each ball of one row meets one of the other
TEST(filter_callback_is_asked_about_near_pairs) {
  CHECK_EQ(filterCalls(TWO_ROWS("enable")), 30);
  CHECK_EQ(filterCalls(TWO_ROWS("disable")), 30 * 30);
}

static int oneFixedContact(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  con->dist = -.25;
  mju_copy3(con->pos, ((mjtNum[]){1, 2, 3}));
  mju_copy3(con->frame, ((mjtNum[]){0, 3, 0}));
  mju_zero(con->frame + 3, 6);
  return 1;
}

TEST(pair_function_of_the_user) {
  mjfCollision saved = mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE];
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = oneFixedContact;
  mjContact con = onlyContact(TWO_BALLS("", ""));
  CHECK_EQ(con.dist, -.25);
  CHECK_ARRAY(con.pos, ((mjtNum[]){1, 2, 3}), 3, 0);
  CHECK_ARRAY(con.frame, ((mjtNum[]){0, 1, 0, 0, 0, 1, 1, 0, 0}), 9, 0);

  // no function, no contact
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = NULL;
  CHECK_EQ(onlyContact(TWO_BALLS("", "")).dim, 0);
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = saved;
}

static void quiet(const char* text) { (void)text; }

TEST(contacts_beyond_the_arena_are_dropped_and_counted) {
  mjModel* m = test_model(TWO_BALLS("", ""));
  if (!m) return;
  mjData* d = mj_makeData(m);
  mjContact con = {0};
  void (*saved)(const char*) = mju_user_warning;
  mju_user_warning = quiet;
  int n = 0;
  mj_kinematics(m, d);
  mj_collision(m, d);
  while (n < 10000000 && !mj_addContact(m, d, &con)) n++;
  mju_user_warning = saved;
  CHECK_EQ(d->ncon, n + 1);
  CHECK_EQ(d->warning[mjWARN_CONTACTFULL].number, 1);

  // the next step starts afresh
  mj_collision(m, d);
  CHECK_EQ(d->ncon, 1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(no_number_makes_no_contact) {
  mjModel* m = test_model(TWO_BALLS("", ""));
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  d->geom_xpos[3] = NAN;
  mj_collision(m, d);
  CHECK_EQ(d->ncon, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}
