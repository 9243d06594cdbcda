// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The same bits for any lane count and instruction set.

#include <math.h>

#include "support/lanes_check.h"

static const char* const all =
    "<mujoco><option timestep='.01' /><worldbody><site name='w' pos='1 0 1'/>"
    "<body pos='0 0 1'><freejoint name='free'/><geom size='.1'/><site name='s2' pos='.1 .2 0'/>"
    "<body pos='.2 0 0' gravcomp='1'><joint name='ball' type='ball' actuatorgravcomp='true'/>"
    "<geom size='.05'/>"
    "<site name='s1' pos='.1 0 0'/><body pos='.3 0 0'>"
    "<joint name='h' axis='0 1 0' actuatorfrcrange='-1 1'/>"
    "<geom size='.1'/></body></body></body></worldbody>"
    "<actuator><motor joint='free' gear='1 2 3 4 5 6'/>"
    "<motor jointinparent='free' gear='1 2 3 4 5 6'/>"
    "<motor joint='ball' gear='1 2 3'/>"
    "<motor jointinparent='ball' gear='1 2 3' ctrlrange='-.5 .5'/>"
    "<position joint='h' kp='10' kv='2' forcerange='-3 3'/>"
    "<intvelocity joint='h' kp='3' actrange='-.5 .5'/>"
    "<general joint='h' dyntype='filterexact' dynprm='.2' gaintype='affine'"
    " gainprm='1 2 3' actearly='true'/>"
    "<muscle joint='h' lengthrange='-1 1'/><motor site='s1' gear='1 2 3 1 2 3'/>"
    "<motor site='s1' refsite='s2' gear='1 2 3 1 2 3'/>"
    "<motor site='s2' refsite='w' gear='0 1 0 0 0 1'/>"
    "<general cranksite='s1' slidersite='w' cranklength='.9'/></actuator></mujoco>";

static void actuate(const mjiKernels* k, const mjModel* m, mjData* d) {
  k->fwdPosition(m, d, 0);
  k->fwdVelocity(m, d, 0);
  k->fwdActuation(m, d);
}

TEST(lanes_actuate_like_one_state) {
  mjModel* m = test_model(all);
  if (!m) return;
  CHECK(mji_lanesOk(m));
  const LaneArray array[] = {LANE_ARRAY(actuator_length, m->nu), LANE_ARRAY(actuator_velocity, m->nu),
                             LANE_ARRAY(act_dot, m->na), LANE_ARRAY(actuator_force, m->nu),
                             LANE_ARRAY(qfrc_actuator, m->nv)};
  lanes_check(m, actuate, array, 5);
  mj_deleteModel(m);
}

// a bad control of one state does not disturb its neighbours
static void actuateWithBadControls(const mjiKernels* k, const mjModel* m, mjData* d) {
  int nlane = k->nlane;
  for (int lane = 0; lane < nlane; lane++) {
    if (d->ctrl[lane] > 0) d->ctrl[3 * nlane + lane] = INFINITY;
  }
  m->actuator_ctrllimited[3] = 0;
  actuate(k, m, d);
}

static void ignore(const char* text) {}

TEST(lanes_with_bad_controls) {
  mjModel* m = test_model(all);
  if (!m) return;
  void (*handler)(const char*) = mju_user_warning;
  mju_user_warning = ignore;
  const LaneArray array[] = {LANE_ARRAY(actuator_force, m->nu), LANE_ARRAY(qfrc_actuator, m->nv)};
  lanes_check(m, actuateWithBadControls, array, 2);
  mju_user_warning = handler;
  mj_deleteModel(m);
}

// adhesion counts the contacts of each state, those in the gap too
static const char* const sticky =
    "<mujoco><option%s/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body name='foot' pos='0 0 .12'><freejoint/><geom type='box' size='.2 .1 .1' margin='.1' gap='.08'/>"
    "<body name='toe' pos='.3 0 .05'><joint axis='0 1 0'/><geom size='.1' margin='.05'/></body></body>"
    "<body name='block' pos='.1 .25 .2'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody>"
    "<actuator><adhesion body='foot' ctrlrange='0 2' gain='3'/><adhesion body='toe' ctrlrange='0 1'/>"
    "<adhesion body='block' ctrlrange='0 1'/></actuator></mujoco>";

static void forward(const mjiKernels* k, const mjModel* m, mjData* d) {
  k->forward(m, d, MJI_POSITION, MJI_ACCELERATION, MJI_WANT_ALL);
}

TEST(adhesion_runs_in_lanes) {
  static const char* const option[] = {"", " jacobian='sparse' cone='elliptic'"};
  for (int i = 0; i < 2; i++) {
    char xml[2000];
    snprintf(xml, sizeof xml, sticky, option[i]);
    mjModel* m = test_model(xml);
    if (!m) return;
    CHECK(mji_lanesOk(m));
    const LaneArray array[] = {LANE_ARRAY(actuator_velocity, m->nu), LANE_ARRAY(actuator_force, m->nu),
                               LANE_ARRAY(qfrc_actuator, m->nv), LANE_ARRAY(qacc, m->nv)};
    lanes_check(m, forward, array, 4);
    mj_deleteModel(m);
  }
}
