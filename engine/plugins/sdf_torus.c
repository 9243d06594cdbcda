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

// ---- plugin

static const mjiSdfShape shape = {sizeof initial / sizeof *initial, names, initial, distance, gradient};

static int init(const mjModel* m, mjData* d, int instance) { return mji_sdfShape_init(&shape, m, d, instance); }

static void attributes(mjtNum attribute[], const char* name[], const char* value[]) {
  mji_sdfShape_read(&shape, attribute, value);
}

const mjpPlugin mji_plugin_torus = {.name = "mujoco.sdf.torus",
                                    .nattribute = sizeof initial / sizeof *initial,
                                    .attributes = names,
                                    .capabilityflags = mjPLUGIN_SDF,
                                    .nstate = mji_sdfShape_nstate,
                                    .init = init,
                                    .destroy = mji_sdfShape_destroy,
                                    .compute = mji_sdfShape_compute,
                                    .sdf_distance = mji_sdfShape_distance,
                                    .sdf_gradient = mji_sdfShape_gradient,
                                    .sdf_staticdistance = distance,
                                    .sdf_attribute = attributes,
                                    .sdf_aabb = box};
