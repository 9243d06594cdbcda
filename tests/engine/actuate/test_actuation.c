// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From control to joint force; numbers recorded from the reference, version 3.4.0.

#include <math.h>
#include <stdio.h>

#include "support/test.h"

static mjModel* makeModel(const char* joint, const char* actuator) {
  char xml[2000];
  snprintf(xml, sizeof xml,
           "<mujoco><option timestep='.01'/><worldbody><body gravcomp='1'>"
           "<joint name='j' axis='0 1 0' %s/>"
           "<geom pos='.3 0 0' size='.1'/></body></worldbody><actuator>%s</actuator></mujoco>",
           joint, actuator);
  return test_model(xml);
}

// one actuator at qpos 0.3, qvel 0.5, ctrl 0.8
static void checkForce(const char* joint, const char* actuator, mjtNum act, mjtNum force, mjtNum act_dot, mjtNum qfrc) {
  mjModel* m = makeModel(joint, actuator);
  if (!m) return;
  mjData* d = mj_makeData(m);
  d->qpos[0] = 0.3;
  d->qvel[0] = 0.5;
  d->ctrl[0] = 0.8;
  if (m->na) d->act[0] = act;
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  mj_fwdActuation(m, d);
  CHECK_NEAR(d->actuator_force[0], force, 1e-14);
  CHECK_NEAR(d->qfrc_actuator[0], qfrc, 1e-14);
  if (m->na) CHECK_NEAR(d->act_dot[0], act_dot, 1e-14);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(motor_is_limited_by_control_range) {
  checkForce("", "<motor joint='j' gear='2' ctrlrange='-.3 .3'/>", 0, 0.3, 0, 0.6);
}

TEST(position_servo_with_damping) { checkForce("", "<position joint='j' kp='10' kv='2'/>", 0, 4, 0, 4); }

TEST(force_range) { checkForce("", "<position joint='j' kp='10' forcerange='-3 3'/>", 0, 3, 0, 3); }

TEST(velocity_servo) { checkForce("", "<velocity joint='j' kv='2'/>", 0, 0.6000000000000001, 0, 0.6000000000000001); }

TEST(integrated_velocity) { checkForce("", "<intvelocity joint='j' kp='10' actrange='-.5 .5'/>", 0.4, 1, 0.8, 1); }

TEST(damper) {
  checkForce("", "<damper joint='j' kv='3' ctrlrange='0 1'/>", 0, -1.2000000000000002, 0, -1.2000000000000002);
}

TEST(cylinder) {
  mjtNum force = 0.4 + (1 + 2 * 0.3 + 3 * 0.5);  // 3.4.0 leaves the last two numbers of bias out
  checkForce("", "<cylinder joint='j' timeconst='.3' bias='1 2 3'/>", 0.4, force, 1.3333333333333335, force);
}

TEST(exact_filter_uses_the_next_activation) {
  checkForce("", "<general joint='j' dyntype='filterexact' dynprm='.02' gainprm='3' actearly='true'/>", 0.4,
             1.67216320834484, 20, 1.67216320834484);
}

TEST(euler_filter_uses_the_next_activation) {
  checkForce("",
             "<general joint='j' dyntype='filter' dynprm='.02' gainprm='3' actearly='true'"
             " actlimited='true' actrange='-1 .45'/>",
             0.4, 1.35, 20, 1.35);
}

// actuators of disabled groups are clamped, too
TEST(activations_stay_where_actuation_is_disabled) {
  for (int disabled = 0; disabled < 2; disabled++) {
    mjModel* m = makeModel("",
                           "<general joint='j' dyntype='integrator' actrange='.1 .5'/>"
                           "<general joint='j' dyntype='filter' dynprm='.1' actrange='.1 .5'/>");
    if (!m) return;
    mjData* d = mj_makeData(m);
    if (disabled) m->opt.disableflags |= mjDSBL_ACTUATION;
    else m->opt.disableactuator = 1;
    for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
      m->opt.integrator = integrator;
      mjtNum act[] = {.9, -.3}, clamped[] = {.5, .1};
      mju_copy(d->act, act, 2);
      mj_step(m, d);
      CHECK_ARRAY(d->act, disabled ? act : clamped, 2, 0);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

TEST(affine_gain_and_bias) {
  checkForce("", "<general joint='j' gaintype='affine' gainprm='1 2 3' biastype='affine' biasprm='4 5 6'/>", 0, 10.98,
             0, 10.98);
}

TEST(muscle) {
  checkForce("", "<muscle joint='j' lengthrange='-.2 .5' force='20' tausmooth='.2'/>", 0.4, -9.372761349437734,
             36.36363636363636, -9.372761349437734);
}

TEST(joint_force_range) { checkForce("actuatorfrcrange='-.5 .5'", "<motor joint='j'/>", 0, 0.8, 0, 0.5); }

TEST(actuated_gravity_compensation) {
  checkForce("actuatorgravcomp='true'", "<motor joint='j'/>", 0, 0.8, 0, -10.977015248481388);
}

static const char* const two = "<motor joint='j'/><motor joint='j' gear='2' group='3'/>";

static mjtNum totalForce(const mjModel* m, mjData* d) {
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  mj_fwdActuation(m, d);
  return d->qfrc_actuator[0];
}

TEST(groups_and_all_actuators_can_be_disabled) {
  mjModel* m = makeModel("", two);
  if (!m) return;
  mjData* d = mj_makeData(m);
  d->ctrl[0] = d->ctrl[1] = 1;
  CHECK_EQ(totalForce(m, d), 3);
  m->opt.disableactuator = 1 << 3;
  CHECK_EQ(totalForce(m, d), 1);
  CHECK_EQ(d->actuator_force[1], 0);
  m->opt.disableflags = mjDSBL_ACTUATION;
  CHECK_EQ(totalForce(m, d), 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static int nwarning;
static void countWarning(const char* text) { nwarning++; }

TEST(bad_control_zeros_all_controls_and_is_counted) {
  mjModel* m = makeModel("", two);
  if (!m) return;
  mjData* d = mj_makeData(m);
  void (*handler)(const char*) = mju_user_warning;
  mju_user_warning = countWarning;
  const mjtNum bad[3] = {NAN, -INFINITY, 2e10};
  for (int i = 0; i < 3; i++) {
    mj_resetData(m, d);
    d->ctrl[0] = 1;
    d->ctrl[1] = bad[i];
    CHECK_EQ(totalForce(m, d), 0);
    CHECK_EQ(d->warning[mjWARN_BADCTRL].number, 1);
    CHECK_EQ(d->warning[mjWARN_BADCTRL].lastinfo, 1);
  }
  CHECK(nwarning > 0);
  mju_user_warning = handler;
  mj_deleteData(d);
  mj_deleteModel(m);
}

// forces of actuators on one tendon are scaled together
TEST(tendon_force_range_limits_the_sum) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>"
      "<tendon><fixed name='t' actuatorfrclimited='true' actuatorfrcrange='-2 2'>"
      "<joint joint='j' coef='1'/></fixed></tendon>"
      "<actuator><motor tendon='t'/><motor tendon='t'/><motor joint='j'/></actuator></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  mju_copy3(d->ctrl, ((mjtNum[]){1, 4, 1}));
  CHECK_NEAR(totalForce(m, d), 3, 1e-15);
  CHECK_ARRAY(d->actuator_force, ((mjtNum[]){0.4, 1.6, 1}), 3, 1e-15);
  mju_copy3(d->ctrl, ((mjtNum[]){-1, 2.5, 1}));
  CHECK_NEAR(totalForce(m, d), 2.5, 1e-15);
  mj_deleteData(d);
  mj_deleteModel(m);
}
