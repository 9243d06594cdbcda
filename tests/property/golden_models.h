// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the property tests share: models, and states of them.
#ifndef SHEAF_TESTS_PROPERTY_GOLDEN_MODELS_H_
#define SHEAF_TESTS_PROPERTY_GOLDEN_MODELS_H_

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/lanes_check.h"
#include "support/test.h"

static const char* const kGolden[] = {"arm", "limb", "stack", "terrain", "walker"};
enum { NGOLDEN = 5 };

static inline mjModel* goldenModel(int i) {
  char path[500], error[500] = "";
  snprintf(path, sizeof path, "%s/golden/models/%s.xml", SHEAF_TEST_DIR, kGolden[i]);
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  if (!m) test_check(0, __FILE__, __LINE__, error);
  return m;
}

// a floating tree with every kind of joint, nothing but inertia and gravity
static const char* const kFloating =
    "<mujoco><option timestep='.001' integrator='RK4'><flag contact='disable'/></option><worldbody>"
    "<body pos='0 0 1'><freejoint/><geom type='box' size='.2 .1 .05'/>"
    "  <body pos='.25 0 0'><joint type='ball'/>"
    "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.04'/>"
    "    <body pos='.3 0 0'><joint axis='0 1 .3'/>"
    "<geom type='ellipsoid' size='.1 .05 .03' pos='.1 0 0'/></body></body>"
    "  <body pos='-.25 0 0'><joint type='slide' axis='1 .2 0' stiffness='40'/>"
    "<joint axis='1 0 0' stiffness='3'/>"
    "    <geom type='cylinder' size='.05 .1' pos='-.1 .05 0'/></body></body></worldbody></mujoco>";

static inline mjtNum* numbers(int n) { return calloc(n > 0 ? n : 1, sizeof(mjtNum)); }

#endif  // SHEAF_TESTS_PROPERTY_GOLDEN_MODELS_H_
