// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Shortcuts that fill the general actuator model: force = gain * u + bias, where gain and bias may be
// affine in length and velocity and u is the control or a filtered control. They return an empty
// text, or the reason why the parameters make no sense.

#include <mujoco/mujoco.h>

const char* mjs_setToMotor(mjsActuator* actuator) {
  actuator->dyntype = mjDYN_NONE;
  actuator->gaintype = mjGAIN_FIXED;
  actuator->biastype = mjBIAS_NONE;
  actuator->gainprm[0] = 1;
  return "";
}

// force = kp*(u - length) - kv*velocity. A damping ratio is kept as a positive number in the place of -kv,
// and resolved when the inertia is known.
const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1], double dampratio[1], double timeconst[1],
                              double inheritrange) {
  actuator->gainprm[0] = kp;
  actuator->biasprm[1] = -kp;

  if (kv && dampratio) return "kv and dampratio cannot both be given";
  if (kv) {
    if (*kv < 0) return "kv is negative";
    actuator->biasprm[2] = -*kv;
  }
  if (dampratio) {
    if (*dampratio < 0) return "dampratio is negative";
    actuator->biasprm[2] = *dampratio;
  }
  if (timeconst) {
    if (*timeconst < 0) return "timeconst is negative";
    actuator->dynprm[0] = *timeconst;
    actuator->dyntype = *timeconst == 0 ? mjDYN_NONE : mjDYN_FILTEREXACT;
  }
  actuator->inheritrange = inheritrange;
  if (inheritrange > 0 && (actuator->ctrlrange[0] || actuator->ctrlrange[1])) {
    return "ctrlrange and inheritrange cannot both be given";
  }
  actuator->gaintype = mjGAIN_FIXED;
  actuator->biastype = mjBIAS_AFFINE;
  return "";
}

// The control is the velocity of the set point, so the set point is the activation. As in the
// reference, what would be wrong with a position servo is no error here: it stays half set.
const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                                 double timeconst[1], double inheritrange) {
  mjs_setToPosition(actuator, kp, kv, dampratio, timeconst, inheritrange);
  actuator->dyntype = mjDYN_INTEGRATOR;
  actuator->actlimited = mjLIMITED_TRUE;
  if (inheritrange > 0 && (actuator->actrange[0] || actuator->actrange[1])) {
    return "actrange and inheritrange cannot both be given";
  }
  return "";
}

const char* mjs_setToVelocity(mjsActuator* actuator, double kv) {
  mju_zero(actuator->biasprm, mjNBIAS);
  actuator->dyntype = mjDYN_NONE;
  actuator->gaintype = mjGAIN_FIXED;
  actuator->biastype = mjBIAS_AFFINE;
  actuator->gainprm[0] = kv;
  actuator->biasprm[2] = -kv;
  return "";
}

// force = -kv * velocity * control
const char* mjs_setToDamper(mjsActuator* actuator, double kv) {
  mju_zero(actuator->gainprm, mjNGAIN);
  actuator->dyntype = mjDYN_NONE;
  actuator->gaintype = mjGAIN_AFFINE;
  actuator->biastype = mjBIAS_NONE;
  actuator->ctrllimited = mjLIMITED_TRUE;
  actuator->gainprm[2] = -kv;
  if (kv < 0) return "kv is negative";
  if (actuator->ctrlrange[0] < 0 || actuator->ctrlrange[1] < 0) {
    return "the control range of a damper is negative";
  }
  return "";
}

const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst, double bias, double area, double diameter) {
  actuator->dynprm[0] = timeconst;
  actuator->biasprm[0] = bias;
  actuator->gainprm[0] = diameter >= 0 ? mjPI / 4 * diameter * diameter : area;
  actuator->dyntype = mjDYN_FILTER;
  actuator->gaintype = mjGAIN_FIXED;
  actuator->biastype = mjBIAS_AFFINE;
  return "";
}

// negative parameters keep what is there
const char* mjs_setToMuscle(mjsActuator* actuator, double timeconst[2], double tausmooth, double range[2], double force,
                            double scale, double lmin, double lmax, double vmax, double fpmax, double fvmax) {
  double* prm = actuator->gainprm;
  // the defaults of a muscle, where a parameter still has the general one
  if (actuator->dynprm[0] == 1) actuator->dynprm[0] = 0.01;
  if (actuator->dynprm[1] == 0) actuator->dynprm[1] = 0.04;
  static const double muscle[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  for (int i = 0; i < 9; i++) {
    if (prm[i] == (i == 0)) prm[i] = muscle[i];
  }

  if (tausmooth < 0) return "tausmooth is negative";
  actuator->dynprm[2] = tausmooth;
  for (int i = 0; i < 2; i++) {
    if (timeconst[i] >= 0) actuator->dynprm[i] = timeconst[i];
    if (range[i] >= 0) prm[i] = range[i];
  }
  const double given[7] = {force, scale, lmin, lmax, vmax, fpmax, fvmax};
  for (int i = 0; i < 7; i++) {
    if (given[i] >= 0) prm[2 + i] = given[i];
  }
  mju_copy(actuator->biasprm, prm, 9);

  actuator->dyntype = mjDYN_MUSCLE;
  actuator->gaintype = mjGAIN_MUSCLE;
  actuator->biastype = mjBIAS_MUSCLE;
  return "";
}

const char* mjs_setToAdhesion(mjsActuator* actuator, double gain) {
  actuator->gainprm[0] = gain;
  actuator->ctrllimited = mjLIMITED_TRUE;
  actuator->gaintype = mjGAIN_FIXED;
  actuator->biastype = mjBIAS_NONE;
  if (gain < 0) return "gain is negative";
  if (actuator->ctrlrange[0] < 0 || actuator->ctrlrange[1] < 0) {
    return "the control range of an adhesion actuator is negative";
  }
  return "";
}
