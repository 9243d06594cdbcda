// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/contact_side.h"

#include "support/test.h"

static const char* const kTwoBalls =
    "<mujoco><option gravity='0 0 0'/><worldbody><geom name='floor' type='plane' size='1 1 1' pos='0 0 -9'/>"
    "<body><freejoint/><geom size='.1' mass='1'/></body><body pos='1 0 0'><freejoint/><geom size='.1' mass='1'/></body>"
    "</worldbody></mujoco>";

TEST(a_geom_is_one_body_with_weight_one) {
  mjModel* m = test_model(kTwoBalls);
  if (!m) return;
  const int geom[2] = {0, 2};
  for (int i = 0; i < 2; i++) {
    mjiSide side = mji_contactSide(m, geom, i);
    CHECK_EQ(side.n, 1);
    CHECK_EQ(side.body[0], m->geom_bodyid[geom[i]]);
    CHECK_EQ(side.weight[0], 1);
  }
  CHECK(mji_contactHasSides(m, geom));
  CHECK(mji_sideHasBody(mji_contactSide(m, geom, 1), 2));
  CHECK(!mji_sideHasBody(mji_contactSide(m, geom, 1), 1));
  mj_deleteModel(m);
}

TEST(a_side_without_geom_has_no_body) {
  mjModel* m = test_model(kTwoBalls);
  if (!m) return;
  const int geom[2] = {-1, 1};
  mjiSide side = mji_contactSide(m, geom, 0);
  CHECK_EQ(side.n, 0);
  CHECK(!mji_sideHasBody(side, 0));
  CHECK(!mji_contactHasSides(m, geom));
  mj_deleteModel(m);
}

// a program adds a contact of the first ball with nothing: the ball is pushed, as by the world
TEST(a_contact_added_with_one_side_moves_that_side) {
  mjModel* m = test_model(kTwoBalls);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  CHECK_EQ(d->ncon, 0);
  mjContact con = {.dist = -.01, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}, .dim = 1, .geom1 = -1, .geom2 = 1};
  con.geom[0] = con.flex[0] = con.flex[1] = con.elem[0] = con.elem[1] = con.vert[0] = con.vert[1] = -1;
  con.geom[1] = 1;
  mju_copy(con.solref, m->geom_solref, mjNREF);
  mju_copy(con.solimp, m->geom_solimp, mjNIMP);
  CHECK_EQ(mj_addContact(m, d, &con), 0);
  mj_makeConstraint(m, d);
  CHECK_EQ(d->nefc, 1);
  mj_projectConstraint(m, d);
  mj_referenceConstraint(m, d);
  mj_fwdConstraint(m, d);
  CHECK(d->qacc[2] > .1);
  CHECK_EQ(d->qacc[8], 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}
