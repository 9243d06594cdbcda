// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mujoco.sdf.bolt: a screw of length 1 that points down, with a head at its upper end.

#include <math.h>

#include "plugins/sdf_shape.h"
#include "plugins/sdf_thread.h"

static const char* const names[] = {"radius"};
static const mjtNum initial[] = {0.26};

static mjtNum distance(const mjtNum x[3], const mjtNum* attribute) {
  mjtNum over = sqrt(x[0] * x[0] + x[1] * x[1]) - attribute[0];
  mjtNum tip = mji_thread_cone(over, -x[2] - 1), ends = fabs(x[2] + 0.5) - 0.5;
  mjtNum body = fmax(fmax(mji_thread_screw(x, over), tip), ends);
  return fmin(mji_thread_head(x, over), body);
}

// it holds the head, which does not depend on the radius
static void box(mjtNum box[6], const mjtNum* attribute) { mji_sdfShape_box(box, 0.6, 0.6, 1); }

MJI_SDF_PLUGIN(bolt, names, initial, distance, NULL, box)
