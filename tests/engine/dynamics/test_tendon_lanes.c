// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tendons have the same bits for any lane count and instruction set, also where some lanes wrap around a geom and
// others do not.

#include <string.h>

#include "support/lanes_check.h"

// two trees; paths over pulleys, around a sphere from both sides, around a cylinder with a side site inside and
// outside, around a geom of another tree; a joint that stands twice in a fixed tendon
#define PATHS                                                                                                      \
  "<worldbody><site name='w' pos='0 0 2'/><site name='v' pos='.2 .1 1.6'/>"                                        \
  "<body pos='0 0 1'><joint name='a' axis='0 1 0' damping='.3'/><geom size='.1'/><site name='s1' pos='.3 0 .1'/>"  \
  "<geom name='ball' size='.15' pos='.5 0 0'/><site name='side' pos='.5 0 .3'/>"                                   \
  "<geom name='rod' type='cylinder' size='.08 .3' euler='90 0 0' pos='.7 0 .05'/><site name='in' pos='.7 0 .06'/>" \
  "<body pos='1 0 0'><joint name='b' axis='0 1 0'/><joint name='c' type='slide' axis='1 0 0'/>"                    \
  "<geom size='.1'/><site name='s2' pos='.2 0 0'/><site name='s3' pos='.1 0 .2'/></body></body>"                   \
  "<body pos='.1 0 1.8'><joint name='ball3' type='ball'/><geom name='other' size='.06' pos='.05 0 0'/>"            \
  "<site name='s4' pos='.1 .1 0'/><site name='s5' pos='.6 0 -.5'/></body></worldbody>"
#define TENDONS(armature)                                                                                              \
  "<tendon>"                                                                                                           \
  "<fixed name='f' stiffness='2' springlength='.1 .2' damping='.5'><joint joint='a' coef='2'/>"                        \
  "<joint joint='b' coef='-1'/><joint joint='a' coef='.5'/></fixed>"                                                   \
  "<spatial name='p' limited='true' range='.1 1.2' frictionloss='.3' stiffness='3'" armature                           \
  "><site site='w'/>"                                                                                                  \
  "<site site='s1'/><pulley divisor='2'/><site site='s1'/><site site='s2'/><pulley divisor='3'/><site site='s3'/>"     \
  "<site site='s4'/></spatial>"                                                                                        \
  "<spatial name='q' stiffness='10' damping='2' springlength='.4 .9' limited='true' range='0 1'><site site='s1'/>"     \
  "<geom geom='ball' sidesite='side'/><site site='s2'/><geom geom='rod' sidesite='in'/><site site='s3'/></spatial>"    \
  "<spatial name='r' frictionloss='.1'><site site='w'/><geom geom='other'/><site site='v'/></spatial>"                 \
  "<spatial name='s' actuatorfrcrange='-1 1'><site site='s5'/><geom geom='ball'/><site site='s1'/></spatial></tendon>" \
  "<equality><tendon tendon1='q' tendon2='f' polycoef='.1 .5 .2 0 0'/></equality>"                                     \
  "<actuator><motor tendon='q' gear='2'/><position tendon='s' kp='30' kv='1'/><motor tendon='s' gear='3'/>"            \
  "<muscle tendon='p' lengthrange='.1 2'/></actuator>"                                                                 \
  "<sensor><tendonpos tendon='q'/><tendonvel tendon='r'/><tendonlimitpos tendon='q'/><tendonactuatorfrc tendon='s'/>"  \
  "<e_potential/></sensor>"

static void forward(const mjiKernels* k, const mjModel* m, mjData* d) {
  k->forward(m, d, MJI_POSITION, MJI_ACCELERATION, MJI_WANT_SENSOR);
}

static void inverse(const mjiKernels* k, const mjModel* m, mjData* d) {
  k->inverse(m, d, MJI_POSITION, MJI_ACCELERATION, MJI_WANT_SENSOR);
}

static void step(const mjiKernels* k, const mjModel* m, mjData* d) {
  for (int i = 0; i < 5; i++) k->step(m, d, MJI_POSITION, MJI_WANT_SENSOR);
}

static void checkModel(const char* xml) {
  mjModel* m = test_model(xml);
  if (!m) return;
  CHECK(mji_lanesOk(m));
  // clang-format off
  const LaneArray array[] = {LANE_ARRAY(ten_length, m->ntendon),  LANE_ARRAY(ten_velocity, m->ntendon),
                             LANE_ARRAY(qfrc_spring, m->nv),      LANE_ARRAY(qfrc_damper, m->nv),
                             LANE_ARRAY(qfrc_passive, m->nv),     LANE_ARRAY(qfrc_bias, m->nv),
                             LANE_ARRAY(M, m->nC),                LANE_ARRAY(actuator_length, m->nu),
                             LANE_ARRAY(actuator_velocity, m->nu), LANE_ARRAY(actuator_force, m->nu),
                             LANE_ARRAY(qfrc_actuator, m->nv),    LANE_ARRAY(qacc, m->nv),
                             LANE_ARRAY(sensordata, m->nsensordata), LANE_ARRAY(qpos, m->nq)};
  // clang-format on
  int n = sizeof array / sizeof array[0];
  lanes_check(m, forward, array, n);
  lanes_check(m, step, array, n);
  const LaneArray force = LANE_ARRAY(qfrc_inverse, m->nv);
  lanes_check(m, inverse, &force, 1);
  mj_deleteModel(m);
}

TEST(tendons_in_lanes_have_the_bits_of_one_state) {
  checkModel("<mujoco>" PATHS TENDONS("") "</mujoco>");
  checkModel("<mujoco><option jacobian='sparse'/>" PATHS TENDONS("") "</mujoco>");
}

// velocities of both ends of the path make a bias force, which is computed lane by lane
TEST(armature_along_a_tendon_in_lanes_has_the_bits_of_one_state) {
  checkModel("<mujoco>" PATHS TENDONS(" armature='.2'") "</mujoco>");
  checkModel("<mujoco><option jacobian='sparse' integrator='implicit'/>" PATHS TENDONS(" armature='.2'") "</mujoco>");
}

TEST(implicit_integrators_know_the_dampers_of_tendons_in_lanes) {
  checkModel("<mujoco><option integrator='implicitfast'/>" PATHS TENDONS("") "</mujoco>");
  checkModel("<mujoco><option integrator='implicit' jacobian='sparse'/>" PATHS TENDONS("") "</mujoco>");
}

// the states of lanes_check are of no use if they all wrap or none does
TEST(some_states_wrap_and_others_do_not) {
  mjModel* m = test_model("<mujoco>" PATHS TENDONS("") "</mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  int num[5][2] = {{0}};
  for (int i = 0; i < LANES_STATES; i++) {
    lanes_state(m, d, (uint64_t)i);
    mj_forward(m, d);
    for (int t = 2; t < 5; t++) num[t][d->ten_wrapnum[t] > (t == 2 ? 5 : 2)]++;
  }
  for (int t = 2; t < 5; t++) CHECK(num[t][0] && num[t][1]);
  mj_deleteData(d);
  mj_deleteModel(m);
}
