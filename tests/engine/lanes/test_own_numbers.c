// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Lanes with numbers of the model of their own against states of models that have these numbers: every bit of states
// and sensors. Each number is moved alone, so that a failure names the number that a kernel still takes from the model.

#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "lanes/kernels.h"
#include "model/number.h"
#include "support/lanes_check.h"

// everything that a number can belong to
static const char* const XML =
    "<mujoco><option timestep='.004' density='1.2' viscosity='.1' wind='.1 .2 0' magnetic='0 -.5 .1' integrator='%s' "
    "cone='%s'/>"
    "<worldbody><geom type='plane' size='5 5 1' margin='.01'/>"
    "  <light pos='0 0 3' dir='0 .1 -1' mode='trackcom'/>"
    "  <body pos='0 0 .15'><freejoint/><geom name='hip' type='capsule' size='.1 .2' pos='.01 0 0' quat='1 .1 0 0' "
    "condim='4'/>"
    "    <geom type='sphere' size='.05' pos='.1 0 .2' fluidshape='ellipsoid'/><site name='fixed' pos='0 .1 .1' quat='1 "
    ".2 .1 0'/>"
    "    <body pos='.2 0 .1' quat='1 0 .1 0' gravcomp='.3'><joint name='a' type='ball' pos='.01 0 .02' damping='.1' "
    "stiffness='1' range='0 30'/>"
    "      <geom type='capsule' size='.05' fromto='0 0 0 .3 0 0' friction='.7 .01 .001'/>"
    "      <body pos='.3 0 0'><joint name='b' axis='0 1 .2' pos='0 .01 0' range='-10 10' frictionloss='.02' "
    "springref='.1' stiffness='.5'"
    "         armature='.02' damping='.03' actuatorfrcrange='-1.5 1.5'/>"
    "        <geom type='sphere' size='.08' pos='.02 0 0'/><site name='s' pos='.01 .02 0' quat='1 0 .3 0'/>"
    "        <camera name='eye' pos='0 0 .1' quat='1 .1 0 .2'/></body></body></body>"
    "  <body pos='.1 .1 1'><joint name='c' type='slide' axis='0 .1 1' range='-1 1' margin='.01' armature='.1'/>"
    "    <geom name='box' type='box' size='.2 .2 .1' pos='0 0 .01' solimp='.8 .9 .002' solref='.03 1.1' margin='.005' "
    "gap='.001'/></body>"
    "  <body name='d' pos='-.4 0 .3'><joint name='e' axis='1 0 0' damping='.2'/><geom type='ellipsoid' size='.1 .05 "
    ".07' pos='0 .05 0'/></body>"
    "</worldbody>"
    "<contact><pair geom1='hip' geom2='box' friction='.6 .6 .01 .001 .001' margin='.003' solref='.025 1' "
    "solreffriction='.02 1.2'/></contact>"
    "<tendon><fixed name='f' limited='true' range='-.05 .05' margin='.002' frictionloss='.03' stiffness='.4' "
    "damping='.05' armature='.01'"
    "    springlength='.01 .02'><joint joint='b' coef='1.1'/><joint joint='c' coef='-.7'/></fixed></tendon>"
    "<equality><connect body1='d' body2='world' anchor='0 .1 .02' solref='.03 1'/>"
    "  <joint joint1='e' joint2='c' polycoef='.1 .5 .02 0 0'/></equality>"
    "<actuator><motor joint='b' gear='2' ctrlrange='-.5 .5' ctrllimited='true'/>"
    "  <general joint='c' dyntype='filterexact' dynprm='.1' gainprm='20 .1 .2' gaintype='affine' biastype='affine' "
    "biasprm='.1 -20 -.3'"
    "    forcelimited='true' forcerange='-4 4' actlimited='true' actrange='-.4 .4'/>"
    "  <motor site='s' refsite='fixed' gear='1 .2 .1 0 .3 0'/><motor tendon='f' gear='.6'/>"
    "  <muscle joint='e' lengthrange='-1 1' force='3'/></actuator>"
    "<sensor><gyro site='s'/><touch site='s'/><jointpos joint='b'/><framequat objtype='site' "
    "objname='s'/><magnetometer site='s'/>"
    "  <camprojection site='fixed' camera='eye'/><accelerometer site='fixed'/><torque site='s'/><subtreeangmom "
    "body='d'/>"
    "  <framepos objtype='geom' objname='hip'/><e_potential/><e_kinetic/></sensor></mujoco>";

enum { NSTEP = 12 };

// a model that does not say that frames coincide: with other numbers they do not
static mjModel* looseModel(const char* xml) {
  mjModel* m = test_model(xml);
  memset(m->body_sameframe, mjSAMEFRAME_NONE, (size_t)m->nbody);
  memset(m->geom_sameframe, mjSAMEFRAME_NONE, (size_t)m->ngeom);
  memset(m->site_sameframe, mjSAMEFRAME_NONE, (size_t)m->nsite);
  return m;
}

// values of a number for one lane: moved a little, of the same sign
static void moveNumber(mjModel* m, mjData* lanes, mjiNumber number, int lane, uint64_t* seed) {
  size_t n;
  mjtNum* value = (mjtNum*)mji_baseNumber(m, number, &n);
  for (size_t i = 0; i < n; i++) value[i] *= 1 + 0.05 * lanes_random(seed);
  mji_setNumber(lanes, number, lane, value);
}

// nonzero if the number makes a difference to some lane
static int compareNumber(const mjModel* m, mjiNumber number, int nlane) {
  const mjiKernels* k = mji_kernelsOwn(nlane);
  mjModel* own[8];
  mjData* d[8];
  mjData* lanes = mji_makeLaneData(m, nlane);
  mjData* shared = mji_makeLaneData(m, nlane);
  mjtNum state[300], alone[300], together[300];
  int n = mj_stateSize(m, mjSTATE_INTEGRATION), ns = m->nsensordata;
  uint64_t seed = 7 + (uint64_t)number;
  CHECK(mji_ownNumbers(m, lanes));
  for (int l = 0; l < nlane; l++) {
    own[l] = mj_copyModel(NULL, m);  // of each lane
    d[l] = mj_makeData(own[l]);
    if (mji_numberShared(number)) seed = 7;  // lanes agree in it
    moveNumber(own[l], lanes, number, l, &seed);
    lanes_state(own[l], d[l], (uint64_t)l);
    mj_getState(own[l], d[l], state, mjSTATE_INTEGRATION);
    mji_putLane(m, lanes, l, state, mjSTATE_INTEGRATION);
    mji_putLane(m, shared, l, state, mjSTATE_INTEGRATION);
  }

  int differ = 0;
  const mjModel* common = mji_numberShared(number) ? mji_commonModel(m, lanes) : m;
  for (int step = 0; step < NSTEP; step++) {
    k->step(common, lanes, MJI_POSITION, MJI_WANT_SENSOR);
    mji_kernels(nlane)->step(m, shared, MJI_POSITION, MJI_WANT_SENSOR);
    for (int l = 0; l < nlane; l++) {
      mji_kernels1()->step(own[l], d[l], MJI_POSITION, MJI_WANT_SENSOR);
      mj_getState(m, d[l], alone, mjSTATE_INTEGRATION);
      mji_getLane(m, lanes, l, together, mjSTATE_INTEGRATION);
      mju_copy(alone + n, d[l]->sensordata, ns);
      mji_gatherLane(together + n, lanes->sensordata, ns, nlane, l);
      differ += memcmp(alone, together, (size_t)(n + ns) * sizeof(mjtNum)) != 0;
    }
  }
  if (differ) {
    char what[100];
    snprintf(what, sizeof what, "%s: %d of %d lane steps differ", mji_numberName(number), differ, NSTEP * nlane);
    test_check(0, __FILE__, __LINE__, what);
  }
  size_t bytes = (size_t)(m->nq * nlane) * sizeof(mjtNum), sensors = (size_t)(ns * nlane) * sizeof(mjtNum);
  int matters = memcmp(lanes->qpos, shared->qpos, bytes) || memcmp(lanes->sensordata, shared->sensordata, sensors);
  for (int l = 0; l < nlane; l++) {
    mj_deleteData(d[l]);
    mj_deleteModel(own[l]);
  }
  mj_deleteData(lanes);
  mj_deleteData(shared);
  return matters;
}

static void compareAll(const char* integrator, const char* cone) {
  char xml[6000];
  snprintf(xml, sizeof xml, XML, integrator, cone);
  mjModel* m = looseModel(xml);
  if (!m) return;
  for (int nlane = 4; nlane <= 8; nlane += 4) {
    if (!mji_kernelsOwn(nlane)) continue;  // this CPU has no such variant
    int matter = 0;
    for (int i = 0; i < mjiNNUM; i++) matter += compareNumber(m, (mjiNumber)i, nlane);
    CHECK(matter > 50);  // others need what this model or a step does not have: lights, cranks, gaps
  }
  mj_deleteModel(m);
}

TEST(a_lane_with_numbers_of_its_own_has_the_bits_of_a_model_with_them) {
  compareAll("Euler", "pyramidal");
  if (!SANITIZED) compareAll("implicitfast", "elliptic");
}

TEST(numbers_are_found_by_name) {
  CHECK_EQ(mji_findNumber("body_mass"), mjiNUM_body_mass);
  CHECK_EQ(mji_findNumber("opt.gravity"), mjiNUM_opt_gravity);
  CHECK_EQ(mji_findNumber("nbody"), -1);
  CHECK_EQ(mji_findNumber(""), -1);
}

TEST(every_number_is_an_array_of_the_model) {
  mjModel* m = test_model("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
  size_t n;
  for (int i = 0; i < mjiNNUM; i++) mji_baseNumber(m, (mjiNumber)i, &n);
  const mjtNum* mass = mji_baseNumber(m, mjiNUM_body_mass, &n);
  CHECK(mass == m->body_mass);
  CHECK_EQ(n, 2);
  mj_deleteModel(m);
}

TEST(numbers_that_change_structure_are_told) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='a' damping='.1'/><joint name='b' axis='1 0 0'/>"
      "  <geom size='.1' pos='.1 0 0'/></body>"
      "  <body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  mjtNum damping[8], ipos[9];
  mju_copy(damping, m->dof_damping, 8);
  damping[0] = 0.2;
  CHECK_EQ(mji_numberBreaks(m, mjiNUM_dof_damping, damping), -1);
  CHECK(!mji_numberRaises(m, mjiNUM_dof_damping, damping, NULL));
  damping[1] = 0.2;  // has no damper in the model
  mjtNum base[8] = {0};
  CHECK_EQ(mji_numberBreaks(m, mjiNUM_dof_damping, damping), -1);
  CHECK(mji_numberRaises(m, mjiNUM_dof_damping, damping, base));
  CHECK(base[0] == 0 && base[1] == 0.2 && base[2] == 0);

  // the center of a body with a diagonal inertia stays
  mju_copy(ipos, m->body_ipos, 9);
  ipos[3] += 0.1;
  CHECK_EQ(mji_numberBreaks(m, mjiNUM_body_ipos, ipos), -1);
  ipos[7] += 0.1;
  CHECK(m->body_simple[2]);
  CHECK_EQ(mji_numberBreaks(m, mjiNUM_body_ipos, ipos), 7);
  CHECK_EQ(mji_numberBreaks(m, mjiNUM_opt_gravity, (mjtNum[]){1, 2, 3}), -1);
  mj_deleteModel(m);
}
