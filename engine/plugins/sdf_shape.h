// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the built-in shapes with signed distances have in common: attributes that are numbers with defaults, kept for
// each instance, and gradients by differences.
#ifndef SHEAF_PLUGINS_SDF_SHAPE_H_
#define SHEAF_PLUGINS_SDF_SHAPE_H_

#include "plugins/plugins.h"

enum { MJI_SHAPE_MAXATTRIBUTE = 5 };

typedef struct mjiSdfShape_ {
  int nattribute;
  const char* const* attribute;  // names
  const mjtNum* initial;         // their values if a model does not give them
  mjtNum (*distance)(const mjtNum x[3], const mjtNum* attribute);
  void (*gradient)(mjtNum gradient[3], const mjtNum x[3], const mjtNum* attribute);  // NULL: differences
} mjiSdfShape;

// Attributes from texts; the initial value where a text is empty or no number.
void mji_sdfShape_read(const mjiSdfShape* shape, mjtNum* attribute, const char* const* text);

// Functions of an instance: init keeps its shape and attributes.
int mji_sdfShape_init(const mjiSdfShape* shape, const mjModel* m, mjData* d, int instance);
void mji_sdfShape_destroy(mjData* d, int instance);
int mji_sdfShape_nstate(const mjModel* m, int instance);
mjtNum mji_sdfShape_distance(const mjtNum x[3], const mjData* d, int instance);
void mji_sdfShape_gradient(mjtNum gradient[3], const mjtNum x[3], const mjData* d, int instance);
void mji_sdfShape_compute(const mjModel* m, mjData* d, int instance, int capability);

// box around the origin
void mji_sdfShape_box(mjtNum box[6], mjtNum x, mjtNum y, mjtNum z);

// Defines the plugin mujoco.sdf.NAME: names and initial values of its attributes, its functions, its bounding box.
// Callbacks of plugins that get no instance cannot look their shape up, so each shape has callbacks of its own.
#define MJI_SDF_PLUGIN(NAME, NAMES, INITIAL, DISTANCE, GRADIENT, BOX)                                             \
  static const mjiSdfShape shape_##NAME = {sizeof INITIAL / sizeof *INITIAL, NAMES, INITIAL, DISTANCE, GRADIENT}; \
  static int init_##NAME(const mjModel* m, mjData* d, int instance) {                                             \
    return mji_sdfShape_init(&shape_##NAME, m, d, instance);                                                      \
  }                                                                                                               \
  static void read_##NAME(mjtNum attribute[], const char* name[], const char* value[]) {                          \
    mji_sdfShape_read(&shape_##NAME, attribute, value);                                                           \
  }                                                                                                               \
  const mjpPlugin mji_plugin_##NAME = {.name = "mujoco.sdf." #NAME,                                               \
                                       .nattribute = sizeof INITIAL / sizeof *INITIAL,                            \
                                       .attributes = NAMES,                                                       \
                                       .capabilityflags = mjPLUGIN_SDF,                                           \
                                       .nstate = mji_sdfShape_nstate,                                             \
                                       .init = init_##NAME,                                                       \
                                       .destroy = mji_sdfShape_destroy,                                           \
                                       .compute = mji_sdfShape_compute,                                           \
                                       .sdf_distance = mji_sdfShape_distance,                                     \
                                       .sdf_gradient = mji_sdfShape_gradient,                                     \
                                       .sdf_staticdistance = DISTANCE,                                            \
                                       .sdf_attribute = read_##NAME,                                              \
                                       .sdf_aabb = BOX};

#endif  // SHEAF_PLUGINS_SDF_SHAPE_H_
