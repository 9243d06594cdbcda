// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/actuator_row.h"
#include "support/test.h"

TEST(every_transmission_has_a_row) {
  for (int type = mjTRN_JOINT; type <= mjTRN_BODY; type++)
    CHECK(mji_transmissionRow(type) && mji_transmissionRow(type)->word);
  CHECK(!mji_transmissionRow(mjTRN_UNDEFINED));
  CHECK(!mji_transmissionRow(-1));
  CHECK_EQ(mji_transmissionRow(mjTRN_SLIDERCRANK)->second, mjiSECOND_REQUIRED);
  CHECK_EQ(mji_transmissionRow(mjTRN_SITE)->second, mjiSECOND_OPTIONAL);
  CHECK_EQ(mji_transmissionRow(mjTRN_TENDON)->object, mjOBJ_TENDON);
}

TEST(joints_store_the_moments_of_their_dofs) {
  CHECK_EQ(mji_momentSize(mjTRN_JOINT, mjJNT_FREE, 20), 6);
  CHECK_EQ(mji_momentSize(mjTRN_JOINTINPARENT, mjJNT_BALL, 20), 3);
  CHECK_EQ(mji_momentSize(mjTRN_JOINT, mjJNT_HINGE, 20), 1);
  CHECK_EQ(mji_momentSize(mjTRN_SITE, -1, 20), 20);
}

TEST(actuators_act_on_bodies) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/><site name='a'/>"
      "  <body><joint/><geom size='.1'/><site name='b'/></body></body></worldbody>"
      "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>"
      "<actuator><motor joint='j'/><motor cranksite='a' slidersite='b' cranklength='1'/><motor tendon='t'/>"
      "  <motor site='b' refsite='a'/></actuator></mujoco>");
  int body[2];
  mji_actuatorBodies(m, 0, body);
  CHECK(body[0] == 1 && body[1] == -1);
  mji_actuatorBodies(m, 1, body);
  CHECK(body[0] == 1 && body[1] == 2);
  mji_actuatorBodies(m, 2, body);
  CHECK(body[0] == -1);
  mji_actuatorBodies(m, 3, body);
  CHECK(body[0] == 2 && body[1] == -1);
  mj_deleteModel(m);
}
