// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "lanes/kernels.h"
#include "model/lanes_ok.h"
#include "model/work.h"

TEST(tables_are_complete) {
  static const int lanes[] = {1, 4, 8};
  for (int i = 0; i < 3; i++) {
    const mjiKernels* k = mji_kernels(lanes[i]);
    if (!k) continue;  // this CPU has no such variant
    CHECK_EQ(k->nlane, lanes[i]);
#define K(result, name, params, args) CHECK(k->name != NULL);
    MJI_STAGE_KERNELS MJI_DERIVATIVE_KERNELS MJI_OTHER_KERNELS
#undef K
  }
  CHECK(mji_kernels1() == mji_kernels(1));
  CHECK(!mji_kernels(0) && !mji_kernels(2) && !mji_kernels(16));
}

TEST(large_working_sets_run_in_fewer_lanes) {
  CHECK_EQ(mji_bestLanes((size_t)1 << 40), 1);
  int scene = mji_bestLanes((size_t)5 << 19);  // 22 humanoids
  CHECK(scene >= 4 || !mji_kernels(4));
  int small = mji_bestLanes(1000);
  CHECK_EQ(small, mji_kernels(8) ? 8 : mji_kernels(4) ? 4 : 1);
}

// a little of everything that has a lane path
static const char* const XML =
    "<mujoco><option timestep='.005' integrator='%s' cone='%s'/>"
    "<worldbody><geom type='plane' size='5 5 1'/>"
    "  <body pos='0 0 .3'><freejoint/><geom type='capsule' size='.1 .2' condim='4'/>"
    "    <body pos='.2 0 .1'><joint name='a' type='ball' damping='.1' stiffness='1'/>"
    "      <geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/>"
    "      <body pos='.3 0 0'><joint name='b' axis='0 1 0' range='-30 30' frictionloss='.02'/>"
    "        <geom type='sphere' size='.08'/><site name='s'/></body></body></body>"
    "  <body pos='.1 .1 1'><joint name='c' type='slide' axis='0 0 1' range='-1 1' armature='.1'/>"
    "    <geom type='box' size='.2 .2 .1'/></body>"
    "</worldbody>"
    "<actuator><motor joint='b' gear='2'/><position joint='c' kp='20' timeconst='.1'/></actuator>"
    "<sensor><gyro site='s'/><touch site='s'/><jointpos joint='b'/></sensor></mujoco>";

enum { MAXLANE = 8, NSTEP = 40 };

// a state and controls for each lane, all different
static void start(const mjModel* m, mjData* d, int lane) {
  mj_resetData(m, d);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = sin(1.7 * i + lane);
  mj_integratePos(m, d->qpos, d->qvel, 0.1);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = cos(2.3 * i + lane);
}

// steps of a group against steps of each of its states alone: every bit of state and sensors
static void compareModel(const char* xml, int nlane) {
  const mjiKernels* k = mji_kernels(nlane);
  if (!k) return;
  mjModel* m = test_model(xml);
  if (!m) return;
  CHECK(mji_lanesOk(m));

  mjData* d[MAXLANE];
  mjData* lanes = mji_makeLaneData(m, nlane);
  mjtNum state[1000], alone[1000], together[1000];
  int n = mj_stateSize(m, mjSTATE_INTEGRATION), ns = m->nsensordata;
  CHECK(n + ns <= 1000);
  for (int l = 0; l < nlane; l++) {
    d[l] = mj_makeData(m);
    start(m, d[l], l);
    mj_getState(m, d[l], state, mjSTATE_INTEGRATION);
    mji_putLane(m, lanes, l, state, mjSTATE_INTEGRATION);
  }

  int differ = 0, ncon = 0;
  for (int step = 0; step < NSTEP; step++) {
    k->step(m, lanes, MJI_POSITION, MJI_WANT_ALL);
    for (int l = 0; l < nlane; l++) {
      LANE1(step)(m, d[l], MJI_POSITION, MJI_WANT_ALL);
      ncon += d[l]->ncon;
      mj_getState(m, d[l], alone, mjSTATE_INTEGRATION);
      mji_getLane(m, lanes, l, together, mjSTATE_INTEGRATION);
      mju_copy(alone + n, d[l]->sensordata, ns);
      mji_gatherLane(together + n, lanes->sensordata, ns, nlane, l);
      differ += memcmp(alone, together, (size_t)(n + ns) * sizeof(mjtNum)) != 0;
    }
  }
  CHECK_EQ(differ, 0);
  CHECK(ncon > 0);
  for (int l = 0; l < nlane; l++) mj_deleteData(d[l]);
  mj_deleteData(lanes);
  mj_deleteModel(m);
}

static void compareLanes(const char* integrator, const char* cone, int nlane) {
  char xml[4000];
  snprintf(xml, sizeof xml, XML, integrator, cone);
  compareModel(xml, nlane);
}

TEST(a_lane_has_the_bits_of_its_state_alone) {
  static const char* const integrator[] = {"Euler", "RK4", "implicitfast", "implicit"};
  static const char* const cone[] = {"pyramidal", "elliptic"};
  for (int i = 0; i < 4; i++) {
    for (int c = 0; c < 2; c++) {
      compareLanes(integrator[i], cone[c], 4);
      compareLanes(integrator[i], cone[c], 8);
    }
  }
}

// Contacts of flexes are found lane by lane and share records. States differ, so lanes have different contacts, and
// contacts within a flex come in an order that differs, too.
TEST(flexes_touch_in_lanes_as_alone) {
  static const char* const flex[] = {
      "type='grid' count='4 4 1' dim='2'><contact solref='.01 1' condim='4'/><edge equality='true'/>",
      "type='grid' count='4 4 1' dim='2'><contact passive='true' selfcollide='none'/><edge damping='1'/>",
      "type='grid' count='3 3 3' dim='3'><contact selfcollide='bvh' internal='true'/><elasticity young='1e3'/>",
      "type='grid' count='4 4 4' dim='3' dof='trilinear'><contact selfcollide='none'/><elasticity young='1e3'/>"};
  static const char* const option[] = {"integrator='implicitfast'", "solver='CG' cone='elliptic'", "jacobian='sparse'",
                                       "solver='PGS'"};
  for (int i = 0; i < 4; i++) {
    char xml[2000];
    snprintf(xml, sizeof xml,
             "<mujoco><option timestep='1e-3' %s/><size memory='30M'/><worldbody><geom type='plane' size='2 2 .1'/>"
             "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='s' size='.2'/></body>"
             "<body name='b' pos='0 0 .21'><flexcomp name='f' spacing='.1 .1 .1' mass='3' radius='.02' %s</flexcomp>"
             "</body></worldbody><sensor><touch site='s'/></sensor></mujoco>",
             option[i], flex[i]);
    compareModel(xml, 4);
    compareModel(xml, 8);
  }
}
