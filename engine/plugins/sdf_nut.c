// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mujoco.sdf.nut: the head of a bolt with a screw cut out of it; the hole has a cone at either end.

#include <math.h>

#include "plugins/sdf_shape.h"
#include "plugins/sdf_thread.h"

static const char* const names[] = {"radius"};
static const mjtNum initial[] = {0.26};

static mjtNum distance(const mjtNum x[3], const mjtNum* attribute) {
  mjtNum over = sqrt(x[0] * x[0] + x[1] * x[1]) - attribute[0];
  mjtNum upper = mji_thread_cone(over, -x[2] - 0.05), lower = mji_thread_cone(over, -x[2] - 0.5);
  mjtNum hole = fmax(fmin(mji_thread_screw(x, over), upper), lower);
  return fmax(mji_thread_head(x, over), -hole);
}

static void box(mjtNum box[6], const mjtNum* attribute) { mji_sdfShape_box(box, 0.6, 0.6, 1); }

MJI_SDF_PLUGIN(nut, names, initial, distance, NULL, box)
