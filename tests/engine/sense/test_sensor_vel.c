// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors of velocities; numbers recorded from the reference, version 3.4.0.

#include <stdio.h>

#include "support/test.h"

static const char* const body =
    "<mujoco><option magnetic='1 2 3'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<camera name='cam' pos='0 0 4' resolution='640 480'/>"
    "<body name='base' pos='0 0 .5'><freejoint/><geom type='box' size='.2 .2 .1'/>"
    "<site name='s' pos='.1 .2 .1' euler='10 20 30'/>"
    "<camera name='eye' pos='.1 0 0' euler='5 6 7'/>"
    "<body name='arm' pos='.3 0 .2'><joint name='b' type='ball'/>"
    "<geom name='g' size='.05' mass='1'/>"
    "<body name='tip' pos='.3 0 0'><joint name='h' axis='0 1 0' range='-.2 .2' limited='true'/>"
    "<geom size='.05' mass='.5'/><site name='e' pos='.1 0 0'/></body></body></body></worldbody>"
    "<actuator><position name='a' joint='h' kp='20' kv='1'/></actuator>"
    "<sensor>";

// one sensor of a body that moves, above the ground
static void checkSensor(const char* sensor, const mjtNum* want) {
  static const mjtNum qpos[12] = {0.1, 0.2, 0.5, 0.98, 0.05, 0.1, 0.15, 0.9, 0.2, -0.3, 0.1, 0.3};
  static const mjtNum qvel[10] = {0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 1, -1, 0.5, 2};
  char xml[3000];
  snprintf(xml, sizeof xml, "%s%s</sensor></mujoco>", body, sensor);
  mjModel* m = test_model(xml);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mju_copy(d->qpos, qpos, m->nq);
  mju_copy(d->qvel, qvel, m->nv);
  d->ctrl[0] = 0.5;
  mj_forward(m, d);
  CHECK_ARRAY(d->sensordata, want, m->nsensordata, 1e-12);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(velocimeter_is_in_the_site_frame) {
  checkSensor("<velocimeter site='s'/>", (mjtNum[]){-0.33703898766798923, 0.10444849315206722, 0.3835865911279827});
}

TEST(gyro_is_in_the_site_frame) {
  checkSensor("<gyro site='e'/>", (mjtNum[]){1.2971525780635849, 0.6157894736842099, 1.3918138818619998});
}

TEST(jointvel) { checkSensor("<jointvel joint='h'/>", (mjtNum[]){2}); }

TEST(actuatorvel) { checkSensor("<actuatorvel actuator='a'/>", (mjtNum[]){2}); }

TEST(ballangvel) { checkSensor("<ballangvel joint='b'/>", (mjtNum[]){1, -1, 0.5}); }

TEST(jointlimitvel_of_an_active_limit) { checkSensor("<jointlimitvel joint='h'/>", (mjtNum[]){-2}); }

TEST(framelinvel_of_a_body_center) {
  checkSensor("<framelinvel objtype='body' objname='tip'/>",
              (mjtNum[]){-0.21544316487421086, -0.19978484185146428, 0.9238113004029058});
}

TEST(framelinvel_seen_from_a_turning_frame) {
  checkSensor("<framelinvel objtype='site' objname='e' reftype='xbody' refname='base'/>",
              (mjtNum[]){-0.2027293100842574, 0.11112845227090443, 0.2022497513691576});
}

TEST(frameangvel_seen_from_a_turning_frame) {
  checkSensor("<frameangvel objtype='site' objname='e' reftype='camera' refname='eye'/>",
              (mjtNum[]){0.18435528146666125, 0.8301437437712077, 1.2356676312313395});
}

TEST(subtree_momenta) {
  checkSensor("<subtreelinvel body='arm'/><subtreeangmom body='base'/>",
              (mjtNum[]){-0.06528435011579586, -0.1638021001871769, 0.6261207449002252, 0.4392846467387336,
                         -0.5070870738277099, 0.47475082163520216});
}
