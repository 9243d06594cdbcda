// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Actuator shortcuts and orientations. Numbers: the same calls on MuJoCo 3.4.0.

#include "support/test.h"

static mjsActuator* blank(mjSpec** s) {
  *s = mj_makeSpec();
  return mjs_addActuator(*s, NULL);
}

TEST(position_keeps_a_damping_ratio_as_a_positive_number) {
  mjSpec* s;
  mjsActuator* a = blank(&s);
  double kv = 3, ratio = 0.5, negative = -1;
  CHECK_EQ(*mjs_setToPosition(a, 4, NULL, &ratio, NULL, 0), 0);
  CHECK_EQ(a->gainprm[0], 4);
  CHECK_EQ(a->biasprm[1], -4);
  CHECK_EQ(a->biasprm[2], 0.5);
  CHECK_EQ(*mjs_setToPosition(a, 4, &kv, NULL, NULL, 0), 0);
  CHECK_EQ(a->biasprm[2], -3);
  CHECK_TEXT(mjs_setToPosition(a, 4, &kv, &ratio, NULL, 0), "both");
  CHECK_TEXT(mjs_setToPosition(a, 4, &negative, NULL, NULL, 0), "kv is negative");
  a->ctrlrange[0] = -1;
  CHECK_TEXT(mjs_setToPosition(a, 4, NULL, NULL, NULL, 0.5), "inheritrange");
  mj_deleteSpec(s);
}

TEST(time_constant_makes_a_filter) {
  mjSpec* s;
  mjsActuator* a = blank(&s);
  double timeconst = 0.2;
  mjs_setToPosition(a, 4, NULL, NULL, &timeconst, 0);
  CHECK_EQ(a->dyntype, mjDYN_FILTEREXACT);
  CHECK_EQ(a->dynprm[0], 0.2);
  mjs_setToIntVelocity(a, 4, NULL, NULL, NULL, 0);
  CHECK_EQ(a->dyntype, mjDYN_INTEGRATOR);
  CHECK_EQ(a->actlimited, mjLIMITED_TRUE);
  mj_deleteSpec(s);
}

TEST(muscle_fills_in_its_defaults) {
  mjSpec* s;
  mjsActuator* a = blank(&s);
  double keep[2] = {-1, -1};
  CHECK_EQ(*mjs_setToMuscle(a, keep, 0, keep, -1, -1, -1, -1, -1, -1, -1), 0);
  const double want[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  CHECK_ARRAY(a->gainprm, want, 9, 0);
  CHECK_ARRAY(a->biasprm, want, 9, 0);
  CHECK_EQ(a->dynprm[0], 0.01);
  CHECK_EQ(a->dynprm[1], 0.04);
  CHECK_TEXT(mjs_setToMuscle(a, keep, -1, keep, -1, -1, -1, -1, -1, -1, -1), "tausmooth");
  mj_deleteSpec(s);
}

TEST(damper_and_adhesion_need_a_range_that_is_not_negative) {
  mjSpec* s;
  mjsActuator* a = blank(&s);
  CHECK_EQ(*mjs_setToDamper(a, 4), 0);
  CHECK_EQ(a->gaintype, mjGAIN_AFFINE);
  CHECK_EQ(a->gainprm[2], -4);
  CHECK_EQ(*mjs_setToAdhesion(a, 4), 0);
  a->ctrlrange[0] = -1;
  CHECK_TEXT(mjs_setToDamper(a, 4), "control range");
  CHECK_TEXT(mjs_setToAdhesion(a, 4), "control range");
  mj_deleteSpec(s);
}

TEST(cylinder_prefers_the_diameter) {
  mjSpec* s;
  mjsActuator* a = blank(&s);
  mjs_setToCylinder(a, 0.1, 0.2, 0.3, -1);
  CHECK_EQ(a->gainprm[0], 0.3);
  mjs_setToCylinder(a, 0.1, 0.2, 0.3, 2);
  CHECK_NEAR(a->gainprm[0], 3.141592653589793, 1e-15);
  mj_deleteSpec(s);
}

// ---- orientations

static void checkQuat(const mjsOrientation* alt, int degree, const char* sequence, const double want[4]) {
  double quat[4] = {7, 8, 9, 10};
  CHECK(!mjs_resolveOrientation(quat, (mjtByte)degree, sequence, alt));
  CHECK_ARRAY(quat, want, 4, 1e-14);
}

TEST(orientations_become_quaternions) {
  mjsOrientation o;
  mjs_defaultOrientation(&o);
  const double untouched[4] = {7, 8, 9, 10};
  checkQuat(&o, 1, "xyz", untouched);

  o = (mjsOrientation){.type = mjORIENTATION_AXISANGLE, .axisangle = {1, 2, 2, 30}};
  const double axisangle[4] = {0.965925826289068, 0.0862730150341736, 0.172546030068347, 0.172546030068347};
  checkQuat(&o, 1, "xyz", axisangle);

  o = (mjsOrientation){.type = mjORIENTATION_XYAXES, .xyaxes = {1, 1, 0, 0, 2, 1}};
  const double xyaxes[4] = {0.880476239217149, 0.279848142333121, 0.115916895959295, 0.364705199631001};
  checkQuat(&o, 1, "xyz", xyaxes);

  o = (mjsOrientation){.type = mjORIENTATION_ZAXIS, .zaxis = {1, 2, -3}};
  const double zaxis[4] = {0.314814448733478, -0.848948461506886, 0.424474230753443, 0};
  checkQuat(&o, 1, "xyz", zaxis);

  o = (mjsOrientation){.type = mjORIENTATION_EULER, .euler = {10, 20, 30}};
  const double intrinsic[4] = {0.943714364147489, 0.127679440695781, 0.144878125417369, 0.268535822751569};
  const double extrinsic[4] = {0.951548524643788, 0.0381345764748501, 0.189307857412, 0.23929833774473};
  checkQuat(&o, 1, "xyz", intrinsic);
  checkQuat(&o, 1, "XYZ", extrinsic);
}

TEST(orientations_without_direction_are_errors) {
  double quat[4];
  mjsOrientation o = {.type = mjORIENTATION_AXISANGLE};
  CHECK_TEXT(mjs_resolveOrientation(quat, 1, "xyz", &o), "axis is too short");
  o = (mjsOrientation){.type = mjORIENTATION_XYAXES, .xyaxes = {1, 1, 0, 2, 2, 0}};
  CHECK_TEXT(mjs_resolveOrientation(quat, 1, "xyz", &o), "y axis");
  o = (mjsOrientation){.type = mjORIENTATION_EULER};
  CHECK_TEXT(mjs_resolveOrientation(quat, 1, "xyw", &o), "sequence");
}
