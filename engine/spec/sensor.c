// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Size of a sensor's output.

#include <mujoco/mujoco.h>

#include "tables/sensor_table.h"

// numbers per contact: the sum over the fields that are asked for, in order of mjtConDataField
static int contactDim(const mjsSensor* sensor) {
  static const int size[mjNCONDATA] = {1, 3, 3, 1, 3, 3, 3};
  int dim = 0;
  for (int i = 0; i < mjNCONDATA; i++) {
    if (sensor->intprm[0] & (1 << i)) dim += size[i];
  }
  return dim * sensor->intprm[2];
}

int mjs_sensorDim(const mjsSensor* sensor) {
  switch (sensor->type) {
#define S(TYPE, word, dim, DATATYPE, WHERE, evaluator) case mjSENS_##TYPE: if (dim) return dim; break;
    MJI_POS_SENSORS(S)
    MJI_VEL_SENSORS(S)
    MJI_ACC_SENSORS(S)
#undef S
    default: break;
  }
  return sensor->type == mjSENS_CONTACT ? contactDim(sensor) : sensor->dim;
}
