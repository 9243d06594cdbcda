// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Two steps of each integrator, printed by MuJoCo 3.4.0 for the model of every_joint.h.
#include "engine/dynamics/every_joint.h"

static void checkSteps(int integrator, const double* qpos, const double* qvel) {
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  m->opt.integrator = integrator;
  mj_step(m, d);
  mj_step(m, d);
  CHECK_ARRAY(d->qpos, qpos, m->nq, 1e-11);
  CHECK_ARRAY(d->qvel, qvel, m->nv, 1e-11);
  CHECK_NEAR(d->time, .004, 1e-15);
  links_free(m, d);
}

TEST(euler_and_implicitfast) {
  // with joint damping alone the two are the same
  static const double qpos[] = {0.301989201052153,  0.695925067147332, 0.799476101424211, 0.199477710580711,
                                -0.399123925534124, 0.402177446283669, 1.20040936018612,  -0.299180716259358,
                                2.10109835214766,   0.497571337922894, 0.503589865879356, -0.101127422037396,
                                0.698994460044787};
  static const double qvel[] = {0.496405070432711, -1.02513961012498, 0.505464117064959, 0.556989613007113,
                                1.33177170567865,  0.103119449777571, 0.206422589377464, 0.266121751205567,
                                1.07982147701718,  -1.88152069669301, 0.767916075694479};
  checkSteps(mjINT_EULER, qpos, qvel);
  checkSteps(mjINT_IMPLICITFAST, qpos, qvel);
}

TEST(runge_kutta) {
  static const double qpos[] = {0.301992773669432, 0.695951828949555, 0.79973080169801,  0.199613786695593,
                                -0.39903624964023, 0.401690244404273, 1.20040623887893,  -0.299187165575735,
                                2.10113225183213,  0.497679219348981, 0.503624869610903, -0.10111820420391,
                                0.698893764542342};
  static const double qvel[] = {0.496393086219819, -1.02455766478286, 0.506490797932375, 0.555467508671746,
                                1.47748624644189,  0.103117622937404, 0.206406743105781, 0.266134813779843,
                                1.07965108920861,  -1.88178286837835, 0.767898201689295};
  checkSteps(mjINT_RK4, qpos, qvel);
}

TEST(implicit) {
  static const double qpos[] = {0.301989201152934, 0.695925123843069, 0.79947464360428,  0.199480736674437,
                                -0.39912488874969, 0.402177887395841, 1.20040933996988,  -0.299180777184573,
                                2.10109838687346,  0.497571578528158, 0.503590131641788, -0.10112814163167,
                                0.698993993196027};
  static const double qvel[] = {0.49640504102176, -1.02512105058384, 0.507039390696759, 0.555273361168058,
                                1.33171850612166, 0.103112104394349, 0.206402479029855, 0.266133503359582,
                                1.07946680999365, -1.88202966950056, 0.767872664773527};
  checkSteps(mjINT_IMPLICIT, qpos, qvel);
}

TEST(energy_is_kept_without_losses) {
  // a swinging double pendulum for one second: RK4 is good to the fourth order
  mjModel* m = test_model(
      "<mujoco><option integrator='RK4' timestep='.001'><flag energy='enable'/></option><worldbody>"
      "  <body><joint axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/>"
      "    <body pos='.5 0 0'><joint axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/>"
      "    </body></body>"
      "</worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  m->opt.disableflags |= mjDSBL_CONTACT;
  mj_forward(m, d);
  double start = d->energy[0] + d->energy[1];
  for (int i = 0; i < 1000; i++) mj_step(m, d);
  mj_forward(m, d);
  CHECK(d->energy[1] > .1);
  CHECK_NEAR(d->energy[0] + d->energy[1], start, 1e-8);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(quaternions_stay_of_unit_length) {
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  for (int i = 0; i < 300; i++) mj_step(m, d);
  CHECK_NEAR(mju_norm(d->qpos + 2, 4), 1, 1e-14);
  CHECK_NEAR(mju_norm(d->qpos + 9, 4), 1, 1e-14);
  links_free(m, d);
}

// M of a body whose dofs are simple has fewer entries than D
TEST(implicit_solves_its_equation_for_simple_dofs) {
  mjModel* m = test_model(
      "<mujoco><option integrator='implicit' density='50' viscosity='.1'/><worldbody>"
      "<body><freejoint/><geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>");
  if (!m) return;
  enum { NV = 6 };
  CHECK_EQ(m->nC, NV);
  CHECK_EQ(m->nD, NV * NV);
  mjData* d = mj_makeData(m);
  mjtNum before[NV];
  for (int i = 0; i < NV; i++) d->qvel[i] = before[i] = .5 * i - 1;
  mj_forward(m, d);
  mju_copy(before, d->qvel, NV);
  mj_implicit(m, d);

  // (M - h D) times the acceleration of the step is the force
  for (int i = 0; i < NV; i++) {
    mjtNum sum = 0;
    for (int k = 0; k < NV; k++) {
      mjtNum inertia = i == k ? d->M[i] : 0;
      mjtNum acc = (d->qvel[k] - before[k]) / m->opt.timestep;
      sum += (inertia - m->opt.timestep * d->qDeriv[NV * i + k]) * acc;
    }
    CHECK_NEAR(sum, d->qfrc_smooth[i], 1e-9);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}
