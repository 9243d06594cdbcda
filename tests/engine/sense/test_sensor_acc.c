// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors of forces and accelerations; numbers recorded from the reference, version 3.4.0.

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
  CHECK_ARRAY(d->sensordata, want, m->nsensordata, 1e-7);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(accelerometer_feels_gravity_and_turning) {
  checkSensor("<accelerometer site='s'/><accelerometer site='e'/>",
              (mjtNum[]){-0.20272845756588082, -0.09911199091262723, 0.04657651064651916, -0.43305279499892146,
                         0.5528957614448275, 70.50380038904115});
}

TEST(force_and_torque_on_the_parent) {
  checkSensor("<force site='e'/><torque site='e'/>",
              (mjtNum[]){-0.10070926961726784, -0.017540745534137314, -1.2655608586286518, -0.001446240395757914,
                         -0.49082799891182477, 0.004294574364311909});
}

TEST(actuatorfrc) { checkSensor("<actuatorfrc actuator='a'/>", (mjtNum[]){2}); }

TEST(jointactuatorfrc) { checkSensor("<jointactuatorfrc joint='h'/>", (mjtNum[]){2}); }

TEST(jointlimitfrc) { checkSensor("<jointlimitfrc joint='h'/>", (mjtNum[]){2.3642719130489556}); }

TEST(frame_accelerations) {
  checkSensor("<framelinacc objtype='body' objname='tip'/><frameangacc objtype='body' objname='tip'/>",
              (mjtNum[]){-0.28209846927811455, 1.2168832074755571, -2.210880593684213, 349.97598284522525,
                         -537.0567103321547, -346.2617375143236});
}

// at rest on the ground an accelerometer shows gravity upwards, as does one that is fixed in the world
TEST(accelerometer_at_rest) {
  mjModel* m = test_model(
      "<mujoco><worldbody><site name='w'/><geom type='plane' size='1 1 .1'/>"
      "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='s'/></body>"
      "</worldbody>"
      "<sensor><accelerometer site='s'/><accelerometer site='w'/></sensor></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 500; i++) mj_step(m, d);
  CHECK_ARRAY(d->sensordata, ((mjtNum[]){0, 0, 9.81, 0, 0, 9.81}), 6, 1e-5);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a box of 2 kg on two pads: the sensor around one of them feels half of the weight
TEST(touch_sums_normal_forces_in_its_volume) {
  for (int cone = mjCONE_PYRAMIDAL; cone <= mjCONE_ELLIPTIC; cone++) {
    mjModel* m = test_model(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>"
        "<body pos='0 0 .1'><freejoint/>"
        "<geom type='box' size='.3 .1 .05' mass='2' contype='0' conaffinity='0'/>"
        "<geom size='.05' pos='.2 0 -.05' mass='0'/><geom size='.05' pos='-.2 .05 -.05' mass='0'/>"
        "<geom size='.05' pos='-.2 -.05 -.05' mass='0'/>"
        "<site name='all' type='box' size='.4 .2 .2'/>"
        "<site name='half' type='box' size='.1 .1 .1' pos='.2 0 -.1'/>"
        "<site name='none' size='.05' pos='0 0 .5'/></body></worldbody>"
        "<sensor><touch site='all'/><touch site='half'/><touch site='none'/></sensor></mujoco>");
    if (!m) return;
    m->opt.cone = cone;
    mjData* d = mj_makeData(m);
    for (int i = 0; i < 1000; i++) mj_step(m, d);
    CHECK_ARRAY(d->sensordata, ((mjtNum[]){2 * 9.81, 9.81, 0}), 3, 1e-4);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// a body that nothing holds but a weld: what its free joint transmits is what is left of all forces, none
TEST(weld_torque_is_the_torque_of_its_rows) {
  mjModel* m = test_model(
      "<mujoco><worldbody><site name='w' pos='0 0 1' euler='10 20 30'/><body name='b' pos='.1 .2 .3'><freejoint/>"
      "<geom type='box' size='.1 .2 .3'/><site name='s' pos='.1 0 0' euler='50 -20 70'/><body pos='.5 0 0'><joint/>"
      "<geom size='.1'/></body></body></worldbody><equality><weld site1='s' site2='w' torquescale='.7'/>"
      "<weld body1='world' relpose='.3 .1 0 .8 .1 -.3 .5' body2='b'/></equality></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.3 * i - 1;
  mj_forward(m, d);
  CHECK_EQ(d->nefc, 12);
  mj_rnePostConstraint(m, d);
  mjtNum scale = mju_norm(d->cfrc_ext + 6, 6);
  CHECK(scale > 10);
  for (int k = 0; k < 6; k++) CHECK_NEAR(d->cfrc_int[6 + k] / scale, 0, 1e-9);
  mj_deleteData(d);
  mj_deleteModel(m);
}
