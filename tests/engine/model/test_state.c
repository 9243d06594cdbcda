// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include "base/error.h"
#include "model/state_lanes.h"
#include "model/work.h"

static const char* const XML =
    "<mujoco><size nuserdata='2'/><worldbody><body mocap='true'/>"
    "  <body><joint name='a'/><geom size='1'/></body></worldbody>"
    "<actuator><intvelocity joint='a' kp='1' actrange='-1 1'/></actuator>"
    "<equality><joint joint1='a'/></equality></mujoco>";

TEST(state_sizes) {
  mjModel* m = test_model(XML);
  if (!m) return;
  CHECK_EQ(mj_stateSize(m, 0), 0);
  CHECK_EQ(mj_stateSize(m, mjSTATE_PHYSICS), 3);
  CHECK_EQ(mj_stateSize(m, mjSTATE_FULLPHYSICS), 4);
  CHECK_EQ(mj_stateSize(m, mjSTATE_USER), 1 + 1 + 18 + 1 + 3 + 4 + 2);
  CHECK_EQ(mj_stateSize(m, mjSTATE_INTEGRATION), 4 + 1 + 30);
  mj_deleteModel(m);
}

TEST(state_goes_in_and_out_in_order) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mjtNum state[40], back[40];
  int n = mj_stateSize(m, mjSTATE_INTEGRATION);
  for (int i = 0; i < n; i++) state[i] = 1 + i;
  mj_setState(m, d, state, mjSTATE_INTEGRATION);
  CHECK(d->time == 1 && d->qpos[0] == 2 && d->qvel[0] == 3 && d->act[0] == 4 && d->qacc_warmstart[0] == 5);
  CHECK(d->ctrl[0] == 6 && d->qfrc_applied[0] == 7 && d->xfrc_applied[17] == 25 && d->eq_active[0] == 26);
  CHECK(d->mocap_pos[0] == 27 && d->mocap_quat[3] == 33 && d->userdata[1] == 35);
  mj_getState(m, d, back, mjSTATE_INTEGRATION);
  CHECK_ARRAY(back, state, n, 0);

  // parts of a state, from the vector and from the data
  unsigned int part = mjSTATE_QVEL | mjSTATE_CTRL | mjSTATE_USERDATA;
  mj_extractState(m, state, mjSTATE_INTEGRATION, back, part);
  CHECK_ARRAY(back, ((mjtNum[]){3, 6, 34, 35}), 4, 0);
  mjData* other = mj_makeData(m);
  mj_copyState(m, d, other, part | mjSTATE_EQ_ACTIVE);
  CHECK(other->qvel[0] == 3 && other->userdata[1] == 35 && other->eq_active[0] == 26 && other->qpos[0] == 0);
  mj_deleteData(other);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// numbers of lanes go to rows that are apart and back, for odd numbers too
TEST(rows_of_lanes_go_in_and_out) {
  for (int nlane = 1; nlane <= 8; nlane *= 2) {
    for (int n = 0; n < 6; n++) {
      mjtNum lanes[8 * 6], rows[8 * 9], back[8 * 9];
      const mjtNum* row[8];
      for (int i = 0; i < 8 * 9; i++) rows[i] = i + 1, back[i] = -1;
      for (int l = 0; l < nlane; l++) row[l] = rows + 9 * l;
      mji_fromRequests(lanes, row, n, nlane);
      for (int i = 0; i < n * nlane; i++) CHECK_EQ(lanes[i], rows[9 * (i % nlane) + i / nlane]);
      int count = nlane > 1 ? nlane - 1 : 1;
      mji_toRequests(back, 9, lanes, n, nlane, count);
      for (int i = 0; i < 8 * 9; i++) CHECK_EQ(back[i], i % 9 < n && i / 9 < count ? rows[i] : -1);
    }
  }
}

TEST(unknown_bits_are_an_error) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjiTrap trap;
  if (mji_tryBegin(&trap)) {
    CHECK_TEXT(trap.text, "mj_stateSize");
  } else {
    mj_stateSize(m, 1u << mjNSTATE);
    mji_tryEnd(&trap);
    CHECK(!"an error comes back");
  }
  mj_deleteModel(m);
}

TEST(positions_integrate_and_differ) {
  mjModel* m = test_model(
      "<mujoco><worldbody>"
      "<body><freejoint/><geom size='1'/></body><body><joint type='ball'/><geom size='1'/></body>"
      "<body><joint type='slide'/><joint/><geom size='1'/></body></worldbody></mujoco>");
  if (!m) return;
  const mjtNum vel[11] = {1, -2, 0.5, 0.3, -0.4, 1.2, 2, 0.1, -0.3, 4, -5};
  mjtNum q[13], back[11];
  mju_copy(q, m->qpos0, m->nq);
  mj_integratePos(m, q, vel, 0.25);
  CHECK_ARRAY(q, ((mjtNum[]){0.25, -0.5, 0.125}), 3, 0);
  mj_differentiatePos(m, back, 0.25, m->qpos0, q);
  CHECK_ARRAY(back, vel, 11, 1e-14);

  mju_scl(q + 3, q + 3, 3, 4);
  mj_normalizeQuat(m, q);
  CHECK_NEAR(mju_norm(q + 3, 4), 1, 1e-15);
  mj_deleteModel(m);
}

TEST(total_mass) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint/><geom size='1' mass='2'/></body>"
      "<body><geom size='1' mass='3'/></body></worldbody></mujoco>");
  if (!m) return;
  CHECK_NEAR(mj_getTotalmass(m), 5, 1e-15);
  mjtNum inertia = m->body_inertia[3];
  mj_setTotalmass(m, 10);
  CHECK_NEAR(m->body_mass[1], 4, 1e-15);
  CHECK_NEAR(m->body_inertia[3], 2 * inertia, 1e-15);
  mj_deleteModel(m);
}
