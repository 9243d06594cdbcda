// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The same bits for any lane count and instruction set, near the ground so that there are contacts.

#include "support/lanes.h"

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

static void forward(const mjiKernels* k, const mjModel* m,
                    mjData* d) { k->forwardSkip(m, d, 0, 0); }

TEST(lanes_sense_like_one_state) {
  mjModel* m = test_model(scene);
  if (!m) return;
  CHECK(mji_plan(m)->lanes_ok);
  const LaneArray array[] = {LANE_ARRAY(sensordata, m->nsensordata),
                             LANE_ARRAY(cacc, 6 * m->nbody)};
  for (int cone = mjCONE_PYRAMIDAL; cone <= mjCONE_ELLIPTIC; cone++) {
    m->opt.cone = cone;
    lanes_check(m, forward, array, 2);
  }
  mj_deleteModel(m);
}
