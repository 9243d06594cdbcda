// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Length ranges of actuators.

#include <stdio.h>

#include "support/test.h"

// 3.4.0 takes the limits of other joints for all actuators but the first; 4.0.0 is right.
// a limit is copied as it stands, of balls too; without uselimit the ball is turned both ways
TEST(limit_of_a_ball_is_copied) {
  static const char* const options[] = {"uselimit='true'", ""};
  const mjtNum want[2][2] = {{0, 0.8}, {-0.8, 0.8}};
  for (int i = 0; i < 2; i++) {
    char xml[500];
    snprintf(
        xml, sizeof xml,
        "<mujoco><compiler angle='radian'><lengthrange %s/></compiler><worldbody><body><joint name='b' type='ball' "
        "range='0 .8'/><geom size='.1' pos='.1 0 0'/></body></worldbody><actuator><muscle jointinparent='b' "
        "gear='1 0 0'/></actuator></mujoco>",
        options[i]);
    mjModel* m = test_model(xml);
    if (!m) return;
    CHECK_ARRAY(m->actuator_lengthrange, want[i], 2, i ? 1e-2 : 0);
    mj_deleteModel(m);
  }
}

TEST(limits_of_joints_and_tendons_are_those_of_the_own_target) {
  mjModel* m = test_model(
      "<mujoco><compiler angle='radian'><lengthrange mode='all' uselimit='true'/></compiler><worldbody><body>"
      "<joint name='a' range='1 2'/><joint name='b' range='3 4' axis='0 1 0'/><joint name='c' range='5 6' axis='1 0 "
      "0'/>"
      "<geom size='1'/></body></worldbody><tendon><fixed name='t' range='7 8' limited='true'>"
      "<joint joint='a' coef='1'/></fixed></tendon><actuator><motor joint='a'/><motor tendon='t'/>"
      "<motor joint='c'/><motor jointinparent='b'/></actuator></mujoco>");
  if (!m) return;
  CHECK_ARRAY(m->actuator_lengthrange, ((mjtNum[]){1, 2, 7, 8, 5, 6, 3, 4}), 8, 0);
  mj_deleteModel(m);
}
