// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the built-in shapes with signed distances have in common.

#include "plugins/sdf_shape.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  const mjiSdfShape* shape;
  mjtNum attribute[MJI_SHAPE_MAXATTRIBUTE];
} Kept;

static const mjtNum STEP = 1e-8;  // of differences, as in the reference

void mji_sdfShape_read(const mjiSdfShape* shape, mjtNum* attribute, const char* const* text) {
  for (int i = 0; i < shape->nattribute; i++) {
    char* end = NULL;
    mjtNum x = text[i] && *text[i] ? strtod(text[i], &end) : 0;
    int given = end && end != text[i] && isfinite(x);
    attribute[i] = given ? x : shape->initial[i];
  }
}

int mji_sdfShape_init(const mjiSdfShape* shape, const mjModel* m, mjData* d, int instance) {
  const char* text[MJI_SHAPE_MAXATTRIBUTE];
  for (int i = 0; i < shape->nattribute; i++) text[i] = mj_getPluginConfig(m, instance, shape->attribute[i]);
  Kept* kept = mju_malloc(sizeof *kept);
  if (!kept) return -1;
  kept->shape = shape;
  mji_sdfShape_read(shape, kept->attribute, text);
  d->plugin_data[instance] = (uintptr_t)kept;
  return 0;
}

void mji_sdfShape_destroy(mjData* d, int instance) {
  mju_free((void*)d->plugin_data[instance]);
  d->plugin_data[instance] = 0;
}

int mji_sdfShape_nstate(const mjModel* m, int instance) { return 0; }

void mji_sdfShape_compute(const mjModel* m, mjData* d, int instance, int capability) {}

mjtNum mji_sdfShape_distance(const mjtNum x[3], const mjData* d, int instance) {
  const Kept* kept = (const Kept*)d->plugin_data[instance];
  return kept->shape->distance(x, kept->attribute);
}

void mji_sdfShape_gradient(mjtNum gradient[3], const mjtNum x[3], const mjData* d, int instance) {
  const Kept* kept = (const Kept*)d->plugin_data[instance];
  const mjiSdfShape* shape = kept->shape;
  if (shape->gradient) {
    shape->gradient(gradient, x, kept->attribute);
    return;
  }
  mjtNum here = shape->distance(x, kept->attribute);
  for (int k = 0; k < 3; k++) {
    mjtNum beside[3] = {x[0], x[1], x[2]};
    beside[k] += STEP;
    gradient[k] = (shape->distance(beside, kept->attribute) - here) / STEP;
  }
}

void mji_sdfShape_box(mjtNum box[6], mjtNum x, mjtNum y, mjtNum z) {
  const mjtNum around[6] = {0, 0, 0, x, y, z};
  mju_copy(box, around, 6);
}
