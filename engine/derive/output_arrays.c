// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The arrays that have derivatives: those that sensor_slope.c computes again along each direction.

#include "derive/output_arrays.h"

#include "derive/derive.h"

int mji_outputHasSlope(size_t offset) {
#define X(name) \
  if (offset == offsetof(mjData, name)) return 1;
  MJI_SLOPED_ARRAYS
#undef X
  return offset == 0;
}
