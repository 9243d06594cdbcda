// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Actuators: what they act on, ranges, activations, muscles.

#include "compile/compile.h"
#include "model/actuator_row.h"

static int compileTransmission(mjiCompile* c, mjiElem* e) {
  mjsActuator* act = &e->as.actuator;
  const mjiTransmissionRow* row = mji_transmissionRow(act->trntype);
  if (!row) return mji_compile_error(c, e, "there is no transmission");
  if (mji_names_resolve(c, e, row->object, act->target) < 0) return -1;
  switch (row->second) {
    case mjiSECOND_REQUIRED:
      if (act->cranklength <= 0) return mji_compile_error(c, e, "cranklength must be positive");
      return mji_names_resolve(c, e, mjOBJ_SITE, act->slidersite) < 0 ? -1 : 0;
    case mjiSECOND_OPTIONAL:
      if (!*mjs_getString(act->refsite)) return 0;
      return mji_names_resolve(c, e, mjOBJ_SITE, act->refsite) < 0 ? -1 : 0;
    default: return 0;  // other transmissions do not use refsite
  }
}

// inheritrange: take the range of the joint or tendon, scaled about its middle
static int inheritRange(mjiCompile* c, mjiElem* e) {
  mjsActuator* act = &e->as.actuator;
  int isServo = act->gaintype == mjGAIN_FIXED && act->biastype == mjBIAS_AFFINE && act->gainprm[0] == -act->biasprm[1];

  // a default class may hand inheritrange to an actuator of another kind, which has no use for it
  if (act->inheritrange <= 0 || !isServo) return 0;
  if (act->dyntype != mjDYN_NONE && act->dyntype != mjDYN_INTEGRATOR && act->dyntype != mjDYN_FILTEREXACT) {
    return mji_compile_error(c, e, "inheritrange needs a position or intvelocity actuator");
  }

  const double* range;
  int id = mji_names_find(c, mji_transmissionRow(act->trntype)->object, mjs_getString(act->target));
  if (act->trntype == mjTRN_JOINT) {
    const mjsJoint* joint = &mji_get(c, mjOBJ_JOINT, id)->as.joint;
    if (joint->type != mjJNT_HINGE && joint->type != mjJNT_SLIDE) {
      return mji_compile_error(c, e, "inheritrange needs a hinge or slide joint");
    }
    range = joint->range;
  } else if (act->trntype == mjTRN_TENDON) {
    range = mji_get(c, mjOBJ_TENDON, id)->as.tendon.range;
  } else {
    return mji_compile_error(c, e, "inheritrange needs a joint or a tendon");
  }
  if (range[0] == range[1]) {
    return mji_compile_error(c, e, "inheritrange: '%.200s' has no range", mjs_getString(act->target));
  }

  double* target = act->dyntype == mjDYN_INTEGRATOR ? act->actrange : act->ctrlrange;
  double mean = 0.5 * (range[0] + range[1]);
  double half = 0.5 * (range[1] - range[0]) * act->inheritrange;
  target[0] = mean - half;
  target[1] = mean + half;
  return 0;
}

static int compileLimits(mjiCompile* c, mjiElem* e) {
  mjsActuator* act = &e->as.actuator;
  act->ctrllimited = mji_limit_resolve(c, e, act->ctrllimited, act->ctrlrange, "ctrl");
  if (act->ctrllimited < 0) return -1;
  act->forcelimited = mji_limit_resolve(c, e, act->forcelimited, act->forcerange, "force");
  if (act->forcelimited < 0) return -1;
  act->actlimited = mji_limit_resolve(c, e, act->actlimited, act->actrange, "act");
  if (act->actlimited < 0) return -1;
  if (act->actlimited && act->dyntype == mjDYN_NONE) {
    return mji_compile_error(c, e, "actrange is given, but the actuator has no activation");
  }
  return 0;
}

static int compileActivation(mjiCompile* c, mjiElem* e) {
  mjsActuator* act = &e->as.actuator;
  // a plugin says itself how many activations it has
  if (act->plugin.active) {
    if (act->actdim < 0) act->actdim = act->dyntype != mjDYN_NONE;
    return 0;
  }
  if (act->actdim > 1 && act->dyntype != mjDYN_USER) {
    return mji_compile_error(c, e, "actdim above 1 needs dyntype user");
  }
  if (act->actdim == 1 && act->dyntype == mjDYN_NONE) {
    return mji_compile_error(c, e, "actdim 1 needs activation dynamics: dyntype is none");
  }
  if (act->actdim == 0 && act->dyntype != mjDYN_NONE) {
    return mji_compile_error(c, e, "actdim 0 needs dyntype none");
  }
  if (act->actdim < 0) act->actdim = act->dyntype != mjDYN_NONE;
  return 0;
}

// range0 range1 force scale lmin lmax vmax fpmax fvmax
static int checkMuscle(mjiCompile* c, mjiElem* e, const double prm[9]) {
  if (prm[0] >= prm[1]) return mji_compile_error(c, e, "muscle: range must be increasing");
  if (prm[4] >= 1 || prm[5] <= 1) return mji_compile_error(c, e, "muscle: lmin < 1 < lmax is needed");
  if (prm[3] <= 0 || prm[6] <= 0 || prm[7] <= 0 || prm[8] <= 0) {
    return mji_compile_error(c, e, "muscle: scale, vmax, fpmax and fvmax must be positive");
  }
  return 0;
}

static int compileActuator(mjiCompile* c, mjiElem* e) {
  mjsActuator* act = &e->as.actuator;
  if (compileTransmission(c, e) || inheritRange(c, e) || compileLimits(c, e) || compileActivation(c, e)) {
    return -1;
  }
  if (act->gaintype == mjGAIN_MUSCLE && checkMuscle(c, e, act->gainprm)) return -1;
  if (act->biastype == mjBIAS_MUSCLE && checkMuscle(c, e, act->biasprm)) return -1;
  return 0;
}

int mji_actuator_compile(mjiCompile* c) {
  for (int i = 0; i < mji_count(c, mjOBJ_ACTUATOR); i++) {
    if (compileActuator(c, mji_get(c, mjOBJ_ACTUATOR, i))) return -1;
  }
  return 0;
}
