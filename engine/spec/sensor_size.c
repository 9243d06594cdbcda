// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Size of a sensor's output.

#include <mujoco/mujoco.h>

#include "model/sensor_row.h"

int mjs_sensorDim(const mjsSensor* sensor) {
  const mjiSensorRow* row = mji_sensorRow(sensor->type);
  if (row && row->dim) return row->dim;
  return sensor->type == mjSENS_CONTACT ? mjMAX(0, mji_sensorContactDim(sensor->intprm)) : sensor->dim;
}
