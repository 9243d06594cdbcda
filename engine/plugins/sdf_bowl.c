// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mujoco.sdf.bowl: the part of a hollow sphere below a height.
//
// The middle of its wall is an arc in the plane of the axis: a point is nearest to the arc itself, or to its end, the
// rim. The wall is `thickness` on either side.

#include <math.h>

#include "plugins/sdf_shape.h"

enum { HEIGHT, RADIUS, THICKNESS };

static const char* const names[] = {"height", "radius", "thickness"};
static const mjtNum initial[] = {0.4, 1, 0.02};

static mjtNum distance(const mjtNum x[3], const mjtNum* attribute) {
  mjtNum height = attribute[HEIGHT], radius = attribute[RADIUS], square = radius * radius - height * height;
  mjtNum rim = square > 0 ? sqrt(square) : 0, across = sqrt(x[0] * x[0] + x[1] * x[1]), middle;
  if (height * across < rim * x[2]) {
    mjtNum out = across - rim, up = x[2] - height;
    middle = sqrt(out * out + up * up);
  } else {
    middle = fabs(sqrt(across * across + x[2] * x[2]) - radius);
  }
  return middle - attribute[THICKNESS];
}

static void box(mjtNum box[6], const mjtNum* attribute) {
  mjtNum far = attribute[RADIUS] + attribute[THICKNESS];
  mji_sdfShape_box(box, far, far, far);
}

MJI_SDF_PLUGIN(bowl, names, initial, distance, NULL, box)
