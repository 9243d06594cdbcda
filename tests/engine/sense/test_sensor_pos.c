// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors of positions; numbers recorded from the reference, version 3.4.0.

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

TEST(magnetometer_is_the_field_in_the_site_frame) {
  checkSensor("<magnetometer site='s'/>", (mjtNum[]){1.286851580205439, 2.132886911689551, 2.7919180561875696});
}

TEST(camprojection_by_field_of_view) {
  checkSensor("<camprojection site='e' camera='cam'/>", (mjtNum[]){458.52411737841027, 167.71745534181898});
}

TEST(jointpos) { checkSensor("<jointpos joint='h'/>", (mjtNum[]){0.3}); }

TEST(actuatorpos) { checkSensor("<actuatorpos actuator='a'/>", (mjtNum[]){0.3}); }

TEST(ballquat_is_normalized) {
  checkSensor("<ballquat joint='b'/>",
              (mjtNum[]){0.9233805168766386, 0.2051956704170308, -0.3077935056255462, 0.1025978352085154});
}

TEST(jointlimitpos_is_negative_beyond_the_limit) {
  checkSensor("<jointlimitpos joint='h'/>", (mjtNum[]){-0.2965093414960113});
}

TEST(framepos_of_a_body_is_its_center) {
  checkSensor("<framepos objtype='body' objname='tip'/>",
              (mjtNum[]){0.6776001184395588, 0.3557746687393589, 0.7783536901325043});
}

TEST(framepos_in_another_frame) {
  checkSensor("<framepos objtype='site' objname='e' reftype='xbody' refname='base'/>",
              (mjtNum[]){0.627817102123671, 0.0380461764363473, 0.4200196022206872});
}

TEST(framequat_in_another_frame) {
  checkSensor("<framequat objtype='geom' objname='g' reftype='camera' refname='eye'/>",
              (mjtNum[]){0.9202048530967071, 0.13668480970527525, -0.36037503429378215, 0.06833831861302653});
}

TEST(frameyaxis) {
  checkSensor("<frameyaxis objtype='site' objname='s'/>",
              (mjtNum[]){-0.6064498838616882, 0.6165524519105798, 0.5020772972433599});
}

TEST(framezaxis_in_another_frame) {
  checkSensor("<framezaxis objtype='site' objname='s' reftype='site' refname='e'/>",
              (mjtNum[]){0.6211125127881418, 0.03823095371604385, 0.7827883753837696});
}

TEST(subtreecom) {
  checkSensor("<subtreecom body='arm'/>", (mjtNum[]){0.5077366411810116, 0.3038972959825724, 0.6864018696530355});
}

TEST(energies_without_the_energy_flag) {
  checkSensor("<e_potential/><e_kinetic/>", (mjtNum[]){167.06040351194446, 2.8662145214234793});
}

TEST(insidesite_tells_every_volume) {
  static const struct {
    const char* shape;
    mjtNum in[3], out[3];
  } row[5] = {{"sphere' size='.5", {0.3, 0.3, 0.2}, {0.3, 0.3, 0.3}},
              {"capsule' size='.2 .3", {0, 0.1, 0.45}, {0, 0.15, 0.45}},
              {"ellipsoid' size='.2 .3 .4", {0.1, 0.2, 0.2}, {0.1, 0.2, 0.3}},
              {"cylinder' size='.2 .3", {0.1, 0.1, 0.29}, {0.1, 0.1, 0.31}},
              {"box' size='.1 .2 .3", {0.09, 0.19, 0.29}, {0.09, 0.21, 0.29}}};
  for (int i = 0; i < 5; i++) {
    char xml[600];
    snprintf(xml, sizeof xml,
             "<mujoco><worldbody><site name='v' type='%s'/><body name='b'><freejoint/>"
             "<geom size='.1'/></body>"
             "</worldbody><sensor><insidesite site='v' objtype='xbody' objname='b'/></sensor>"
             "</mujoco>",
             row[i].shape);
    mjModel* m = test_model(xml);
    if (!m) continue;
    mjData* d = mj_makeData(m);
    mju_copy3(d->qpos, row[i].in);
    mj_forward(m, d);
    CHECK_EQ(d->sensordata[0], 1);
    mju_copy3(d->qpos, row[i].out);
    mj_forward(m, d);
    CHECK_EQ(d->sensordata[0], 0);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

TEST(clock_and_cutoff) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><sensor>"
      "<clock/><clock cutoff='.5'/><jointpos joint='j' cutoff='.2'/></sensor></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  d->time = 2.5;
  d->qpos[0] = -1;
  mj_forward(m, d);
  CHECK_ARRAY(d->sensordata, ((mjtNum[]){2.5, 0.5, -0.2}), 3, 0);

  // not computed: stays as it is
  d->sensordata[0] = 7;
  m->opt.disableflags = mjDSBL_SENSOR;
  mj_forward(m, d);
  CHECK_EQ(d->sensordata[0], 7);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static int calls;
static void userSensor(const mjModel* m, mjData* d, int stage) {
  CHECK_EQ(stage, mjSTAGE_VEL);
  CHECK_EQ(d->sensordata[1], 0);
  d->sensordata[0] = d->sensordata[1] = -9;
  calls++;
}

TEST(user_sensor_is_zeroed_called_in_its_stage_and_cut_off) {
  mjModel* m = test_model("<mujoco><sensor><clock/><user dim='1' needstage='vel' cutoff='3'/></sensor></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  d->sensordata[1] = 5;
  mjcb_sensor = userSensor;
  mj_forward(m, d);
  mjcb_sensor = NULL;
  CHECK_EQ(calls, 1);
  CHECK_ARRAY(d->sensordata, ((mjtNum[]){-9, -3}), 2, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}
