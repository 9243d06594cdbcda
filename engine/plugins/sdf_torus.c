// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mujoco.sdf.torus: a ring around the z axis; radius1 of the ring, radius2 of its section.

#include <math.h>

#include "plugins/sdf_shape.h"

static const char* const names[] = {"radius1", "radius2"};
static const mjtNum initial[] = {0.35, 0.15};

static mjtNum distance(const mjtNum x[3], const mjtNum* attribute) {
  mjtNum across = sqrt(x[0] * x[0] + x[1] * x[1]) - attribute[0];
  return sqrt(across * across + x[2] * x[2]) - attribute[1];
}

static void gradient(mjtNum gradient[3], const mjtNum x[3], const mjtNum* attribute) {
  mjtNum radius = sqrt(x[0] * x[0] + x[1] * x[1]), across = radius - attribute[0];
  mjtNum length = sqrt(across * across + x[2] * x[2]);
  mjtNum outward = radius > 0 && length > 0 ? across / (length * radius) : 0;
  gradient[0] = outward * x[0];
  gradient[1] = outward * x[1];
  gradient[2] = length > 0 ? x[2] / length : 0;
}

static void box(mjtNum box[6], const mjtNum* attribute) {
  mjtNum far = attribute[0] + attribute[1];
  mji_sdfShape_box(box, far, far, attribute[1]);
}

MJI_SDF_PLUGIN(torus, names, initial, distance, gradient, box)
