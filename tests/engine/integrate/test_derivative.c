// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of smooth forces by velocity: against finite differences, and in lanes.

#include "support/lanes_check.h"

static const char* const swimmer =
    "<mujoco><option density='1.2' viscosity='.5' wind='1 2 -3'/><worldbody>"
    "<body pos='0 0 1'><freejoint/><geom type='ellipsoid' size='.1 .2 .3' fluidshape='ellipsoid'/>"
    "<body pos='.3 0 0'><joint type='ball' damping='.2'/><joint type='slide'/>"
    "<geom type='box' size='.1 .05 .2'/>"
    "<body pos='.3 .1 0'><joint name='h' axis='0 1 0' damping='1'/><joint axis='1 0 0'/>"
    "<geom size='.1'/></body>"
    "<body pos='.1 .1 .1'><joint name='k' axis='1 1 1'/><geom size='.1'/></body></body></body>"
    "</worldbody>"
    "<actuator>"
    "<general joint='h' gaintype='affine' gainprm='1 2 3' biastype='affine' biasprm='4 5 6'/>"
    "<muscle joint='k' lengthrange='-1 1'/><velocity joint='h' kv='2'/></actuator></mujoco>";

// qfrc_actuator + qfrc_passive - qfrc_bias at a velocity
static void smoothForce(const mjModel* m, mjData* d, mjtNum* force) {
  mj_fwdVelocity(m, d);
  mj_fwdActuation(m, d);
  for (int i = 0; i < m->nv; i++) {
    force[i] = d->qfrc_actuator[i] + d->qfrc_passive[i] - d->qfrc_bias[i];
  }
}

static mjtNum entry(const mjModel* m, const mjData* d, int row, int col) {
  for (int k = m->D_rowadr[row]; k < m->D_rowadr[row] + m->D_rownnz[row]; k++) {
    if (m->D_colind[k] == col) return d->qDeriv[k];
  }
  return 0;
}

// qDeriv against finite differences, in five states
static void checkDerivative(const char* xml) {
  mjModel* m = test_model(xml);
  if (!m) return;
  enum { NV = 13 };
  CHECK(m->nv <= NV);
  m->opt.integrator = mjINT_IMPLICIT;
  mjData *d = mj_makeData(m), *probe = mj_makeData(m);
  const mjtNum eps = 1e-6;
  for (int seed = 0; seed < 5; seed++) {
    lanes_state(m, d, seed);
    lanes_state(m, probe, seed);
    mj_forward(m, d);
    mj_implicit(m, d);
    mj_fwdPosition(m, probe);
    for (int col = 0; col < m->nv; col++) {
      mjtNum plus[NV], minus[NV], vel = probe->qvel[col];
      probe->qvel[col] = vel + eps;
      smoothForce(m, probe, plus);
      probe->qvel[col] = vel - eps;
      smoothForce(m, probe, minus);
      probe->qvel[col] = vel;
      // dofs of different branches, outside of the pattern, do not depend on each other
      for (int row = 0; row < m->nv; row++) {
        CHECK_NEAR(entry(m, d, row, col), (plus[row] - minus[row]) / (2 * eps), 1e-6);
      }
    }
  }
  mj_deleteData(d);
  mj_deleteData(probe);
  mj_deleteModel(m);
}

TEST(derivative_is_that_of_the_smooth_forces) { checkDerivative(swimmer); }

// forces at their limits do not follow velocities; gains multiply limited controls, and activations after the step
// where these act early (3.4.0 has none of this)
TEST(derivative_of_forces_at_their_limits) {
  static const char* const limits[] = {
      "<position joint='a' kp='50' kv='3' forcerange='-.6 .5'/><velocity joint='b' kv='2'/>",
      "<position joint='c' kp='50' kv='3'/><velocity joint='c' kv='2'/>",
      "<position tendon='t' kp='50' kv='3'/><velocity tendon='t' kv='2'/>",
      "<damper joint='a' kv='3' ctrlrange='0 .1'/><muscle joint='b' lengthrange='-1 1' forcerange='-.1 .1'/>",
      ("<general joint='a' dyntype='filter' dynprm='.02' gaintype='affine' gainprm='1 2 3' actearly='true' "
       "actrange='-.1 .2'/>")};
  for (int i = 0; i < 5; i++) {
    char xml[2000];
    snprintf(xml, sizeof xml,
             "<mujoco><worldbody><body><joint name='a'/><geom size='.1' pos='.1 0 .2'/><body pos='.3 0 0'>"
             "<joint name='b' axis='0 1 0'/><geom size='.1' pos='0 .1 .2'/><body pos='0 .3 0'>"
             "<joint name='c' actuatorfrcrange='-.2 .3'/><geom size='.1' pos='.1 0 .2'/></body></body></body>"
             "</worldbody><tendon><fixed name='t' actuatorfrcrange='-.2 .3'><joint joint='a' coef='1'/>"
             "<joint joint='b' coef='2'/></fixed></tendon><actuator>%s</actuator></mujoco>",
             limits[i]);
    checkDerivative(xml);
  }
}

static void implicit(const mjiKernels* k, const mjModel* m, mjData* d) {
  k->forward(m, d, MJI_POSITION, MJI_ACCELERATION, MJI_WANT_ALL);
  k->implicit(m, d, 0, MJI_WANT_ALL);
}

TEST(lanes_differentiate_like_one_state) {
  mjModel* m = test_model(swimmer);
  if (!m) return;
  const LaneArray array[] = {LANE_ARRAY(qfrc_fluid, m->nv), LANE_ARRAY(qDeriv, m->nD), LANE_ARRAY(qvel, m->nv)};
  for (int i = mjINT_IMPLICIT; i <= mjINT_IMPLICITFAST; i++) {
    m->opt.integrator = i;
    lanes_check(m, implicit, array, 3);
  }
  mj_deleteModel(m);
}
