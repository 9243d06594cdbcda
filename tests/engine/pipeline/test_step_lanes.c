// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One, four and eight states side by side: the same bits as one alone, whoever the neighbours are.
#include <string.h>

#include "lanes/kernels.h"
#include "model/work.h"
#include "support/test.h"

static const char kModel[] =
    "<mujoco>"
    "  <option timestep='.005' integrator='%s'/>"
    "  <default><geom friction='.8 .01 .01'/></default>"
    "  <worldbody>"
    "    <geom type='plane' size='5 5 1'/>"
    "    <body pos='0 0 .3'><freejoint/><geom type='capsule' size='.1' fromto='-.2 0 0 .2 0 0'/>"
    "      <body pos='.3 0 0'><joint name='a' axis='0 1 0' range='-40 40' damping='.2' stiffness='1'/>"
    "        <geom type='capsule' size='.06' fromto='0 0 0 .3 0 0'/>"
    "        <body pos='.3 0 0' gravcomp='.5'><joint name='b' type='ball' damping='.1' range='0 50'/>"
    "          <geom size='.08' pos='.1 0 0'/></body></body>"
    "      <body pos='-.3 0 0'><joint name='c' axis='0 0 1' frictionloss='.1' armature='.02'/>"
    "        <joint name='d' type='slide' axis='1 0 0' range='-.1 .1' stiffness='30'/>"
    "        <geom type='box' size='.1 .05 .05'/></body>"
    "    </body>"
    "    <body pos='0 1 .2'><joint type='free' damping='.01'/><geom size='.1'/></body>"
    "  </worldbody>"
    "  <actuator>"
    "    <motor joint='a' gear='4'/>"
    "    <general joint='c' dyntype='integrator' actlimited='true' actrange='-1 1'/>"
    "    <position joint='d' kp='40'/>"
    "  </actuator>"
    "</mujoco>";

enum { NSTATE = 8, NSTEP = 60 };

// different starts for all states: some fly, some lie, one goes bad
static void start(const mjModel* m, mjData* d, int s) {
  mj_resetData(m, d);
  d->qpos[2] = s % 3 ? .3 + .02 * s : .11;
  d->qvel[0] = .3 * s;
  d->qvel[4] = 1 - .4 * s;
  d->qvel[7] = 2 - s;
  d->xfrc_applied[6 * 3 + 2] = s == 5 ? 3 : 0;
}

static void control(const mjModel* m, double* ctrl, int s, int k, int stride) {
  for (int i = 0; i < m->nu; i++) ctrl[i * stride] = mju_sin(.1 * (i + 1) * k + s);
}

// states after all steps, one by one
static void runAlone(const mjModel* m, mjtNum* end, int n) {
  mjData* d = mj_makeData(m);
  for (int s = 0; s < NSTATE; s++) {
    start(m, d, s);
    for (int k = 0; k < NSTEP; k++) {
      control(m, d->ctrl, s, k, 1);
      mj_step(m, d);
    }
    mj_getState(m, d, end + s * n, mjSTATE_INTEGRATION);
  }
  mj_deleteData(d);
}

// the same in groups
static void runGroups(const mjModel* m, mjtNum* end, int n, int nlane) {
  const mjiKernels* kernels = mji_kernels(nlane);
  mjData* one = mj_makeData(m);
  mjData* d = mji_makeLaneData(m, nlane);
  mjtNum* state = mju_malloc((size_t)n * sizeof(mjtNum));
  for (int first = 0; first < NSTATE; first += nlane) {
    for (int i = 0; i < nlane; i++) {
      start(m, one, first + i);
      mj_getState(m, one, state, mjSTATE_INTEGRATION);
      mji_putLane(m, d, i, state, mjSTATE_INTEGRATION);
    }
    for (int k = 0; k < NSTEP; k++) {
      for (int i = 0; i < nlane; i++) control(m, d->ctrl + i, first + i, k, nlane);
      kernels->step(m, d, MJI_POSITION, 0);
    }
    for (int i = 0; i < nlane; i++) mji_getLane(m, d, i, end + (first + i) * n, mjSTATE_INTEGRATION);
  }
  mju_free(state);
  mj_deleteData(d);
  mj_deleteData(one);
}

static void compareLanes(const char* integrator, int cone) {
  char xml[4000];
  mju_strncpy(xml, kModel, sizeof xml);
  char* mark = strstr(xml, "%s");
  char rest[4000];
  mju_strncpy(rest, mark + 2, sizeof rest);
  mju_strncpy(mark, integrator, (int)(sizeof xml - (size_t)(mark - xml)));
  strncat(xml, rest, sizeof xml - strlen(xml) - 1);
  mjModel* m = test_model(xml);
  if (!m) return;
  m->opt.cone = cone;

  int n = mj_stateSize(m, mjSTATE_INTEGRATION);
  size_t bytes = (size_t)(NSTATE * n) * sizeof(mjtNum);
  mjtNum* alone = mju_malloc(bytes);
  mjtNum* group = mju_malloc(bytes);
  runAlone(m, alone, n);
  for (int nlane = 1; nlane <= 8; nlane++) {
    if (!mji_kernels(nlane)) continue;
    runGroups(m, group, n, nlane);
    for (int i = 0; i < NSTATE * n; i++) {
      if (!memcmp(group + i, alone + i, sizeof(mjtNum))) continue;
      CHECK_EQ(group[i], alone[i]);
      CHECK_EQ(i, -1);  // tells where
      break;
    }
  }
  mju_free(alone);
  mju_free(group);
  mj_deleteModel(m);
}

TEST(steps_of_euler) { compareLanes("Euler", mjCONE_PYRAMIDAL); }
TEST(steps_of_euler_with_elliptic_cones) { compareLanes("Euler", mjCONE_ELLIPTIC); }
TEST(steps_of_runge_kutta) { compareLanes("RK4", mjCONE_PYRAMIDAL); }
TEST(steps_of_implicit) { compareLanes("implicit", mjCONE_PYRAMIDAL); }
TEST(steps_of_implicitfast) { compareLanes("implicitfast", mjCONE_ELLIPTIC); }

TEST(a_bad_lane_does_not_disturb_its_neighbours) {
  if (!mji_kernels(4)) {
    test_skip("this CPU has no lanes");
    return;
  }
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='plane' size='5 5 1'/>"
      "<body pos='0 0 .1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  if (!m) return;
  mjData* one = mj_makeData(m);
  mjData* d = mji_makeLaneData(m, 4);
  mjtNum state[100];
  one->qvel[0] = 1;
  mj_getState(m, one, state, mjSTATE_INTEGRATION);
  for (int i = 0; i < 4; i++) mji_putLane(m, d, i, state, mjSTATE_INTEGRATION);
  d->qvel[2] = mju_sqrt(-1);  // lane 2
  d->qfrc_applied[1] = 1e13;  // lane 1

  for (int k = 0; k < 5; k++) {
    mj_step(m, one);
    mji_kernels(4)->step(m, d, MJI_POSITION, 0);
  }
  const mjiWork* work = mji_work(d);
  CHECK(!work->bad[0] && work->bad[1] && work->bad[2] && !work->bad[3]);
  CHECK_EQ(work->badcode[1], mjWARN_BADQACC);
  CHECK_EQ(work->badcode[2], mjWARN_BADQVEL);
  for (int i = 0; i < m->nq; i++) {
    CHECK_EQ(d->qpos[4 * i], one->qpos[i]);
    CHECK_EQ(d->qpos[4 * i + 3], one->qpos[i]);
    CHECK(!mju_isBad(d->qpos[4 * i + 2]));
  }
  mj_deleteData(d);
  mj_deleteData(one);
  mj_deleteModel(m);
}
