// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The same bits for any lane count and instruction set, near the ground so that there are contacts.

#include "support/lanes_check.h"

static const char* const scene =
    "<mujoco><option magnetic='1 2 3'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<camera name='cam' pos='0 0 4' resolution='640 480'/>"
    "<body name='base' pos='0 0 .1'><freejoint/><site name='zone' type='box' size='.5 .3 .3'/>"
    "<geom type='box' size='.2 .2 .1'/>"
    "<site name='s' pos='.1 .2 .1' euler='10 20 30'/>"
    "<camera name='eye' pos='.1 0 0' euler='5 6 7'/>"
    "<body name='arm' pos='.3 0 .2'><joint name='b' type='ball'/>"
    "<geom name='g' size='.05' mass='1'/>"
    "<body name='tip' pos='.3 0 0'><joint name='h' axis='0 1 0' range='-.2 .2' limited='true'/>"
    "<geom size='.05' mass='.5'/><site name='e' pos='.1 0 0'/></body></body></body></worldbody>"
    "<actuator><position name='a' joint='h' kp='20' kv='1'/></actuator>"
    "<sensor><magnetometer site='s'/><jointpos joint='h'/><jointlimitpos joint='h'/>"
    "<jointlimitvel joint='h'/>"
    "<jointlimitfrc joint='h'/><actuatorpos actuator='a'/><actuatorfrc actuator='a'/>"
    "<jointactuatorfrc joint='h'/>"
    "<ballquat joint='b'/><ballangvel joint='b'/><camprojection site='e' camera='cam'/><clock/>"
    "<e_potential/><e_kinetic/>"
    "<framepos objtype='body' objname='tip'/>"
    "<framequat objtype='geom' objname='g' reftype='camera' refname='eye'/>"
    "<framezaxis objtype='site' objname='s' reftype='site' refname='e'/>"
    "<framelinvel objtype='site' objname='e' reftype='xbody' refname='base'/>"
    "<framelinacc objtype='site' objname='e'/><frameangacc objtype='site' objname='e'/>"
    "<accelerometer site='s' cutoff='20'/><velocimeter site='s'/><gyro site='e'/><force site='e'/>"
    "<torque site='e'/>"
    "<touch site='s'/><touch site='zone'/><subtreecom body='arm'/><subtreelinvel body='arm'/>"
    "<subtreeangmom body='base'/>"
    "<insidesite site='zone' objtype='body' objname='tip'/></sensor></mujoco>";

static void forward(const mjiKernels* k, const mjModel* m, mjData* d) {
  k->forward(m, d, MJI_POSITION, MJI_ACCELERATION, MJI_WANT_ALL);
}

TEST(lanes_sense_like_one_state) {
  mjModel* m = test_model(scene);
  if (!m) return;
  CHECK(mji_lanesOk(m));
  const LaneArray array[] = {LANE_ARRAY(sensordata, m->nsensordata), LANE_ARRAY(cacc, 6 * m->nbody)};
  for (int cone = mjCONE_PYRAMIDAL; cone <= mjCONE_ELLIPTIC; cone++) {
    m->opt.cone = cone;
    lanes_check(m, forward, array, 2);
  }
  mj_deleteModel(m);
}

// what takes one state at a time is computed lane by lane: rays, distances of geoms, contacts with a gap
static const char* const lookers =
    "<mujoco><worldbody><geom name='floor' type='plane' size='5 5 .1'/>"
    "<body name='base' pos='0 0 .16'><freejoint/><geom name='box' type='box' size='.2 .2 .1' margin='.1' gap='.08'/>"
    "<site name='down' pos='0 0 -.11' euler='180 0 0'/><site name='zone' type='box' size='.5 .3 .3'/>"
    "<body name='arm' pos='.3 0 .1'><joint axis='0 1 0'/><geom name='g' type='ellipsoid' size='.05 .1 .1' mass='1'/>"
    "</body></body><body name='other' pos='.5 .1 .2'><freejoint/><geom name='h' type='capsule' size='.1 .1'/>"
    "<site name='ahead' euler='0 90 0'/></body></worldbody>"
    "<sensor><rangefinder site='down'/><rangefinder site='ahead' cutoff='.3'/>"
    "<distance geom1='g' geom2='h' cutoff='1'/><normal body1='base' body2='other' cutoff='1'/>"
    "<fromto geom1='box' body2='other' cutoff='2'/>"
    "<contact geom1='box' num='3' data='found force torque dist pos normal tangent'/>"
    "<contact body1='base' body2='other' reduce='mindist' num='2' data='found dist pos normal'/>"
    "<contact subtree1='base' reduce='maxforce' data='force normal'/>"
    "<contact site='zone' reduce='netforce' data='found force torque pos'/></sensor></mujoco>";

TEST(sensors_of_one_state_at_a_time_run_in_lanes) {
  mjModel* m = test_model(lookers);
  if (!m) return;
  CHECK(mji_lanesOk(m));
  const LaneArray array[] = {LANE_ARRAY(sensordata, m->nsensordata), LANE_ARRAY(qacc, m->nv)};
  for (int cone = mjCONE_PYRAMIDAL; cone <= mjCONE_ELLIPTIC; cone++) {
    m->opt.cone = cone;
    lanes_check(m, forward, array, 2);
  }
  mj_deleteModel(m);
}
