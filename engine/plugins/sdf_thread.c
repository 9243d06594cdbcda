// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What a bolt and a nut share.

#include "plugins/sdf_thread.h"

#include <math.h>

static const mjtNum TURNS = 12;          // of the thread, for each unit of length
static const mjtNum HALF_WIDTH = 0.5;    // of the head, between opposite sides
static const mjtNum HALF_HEIGHT = 0.25;  // of the head

mjtNum mji_thread_cone(mjtNum radius, mjtNum height) { return sqrt(0.5) * (radius + height); }

mjtNum mji_thread_screw(const mjtNum x[3], mjtNum over) {
  mjtNum turn = x[2] * TURNS - atan2(x[1], x[0]) / (2 * mjPI);
  mjtNum flank = fabs(turn - floor(turn) - 0.5);  // a triangle wave along the axis
  return mji_thread_cone(over, -flank / TURNS);
}

mjtNum mji_thread_head(const mjtNum x[3], mjtNum over) {
  // turn the point to the nearest of six sides, the first of which faces along x
  mjtNum angle = floor(atan2(x[1], x[0]) * 3 / mjPI + 0.5) * mjPI / 3;
  mjtNum side = x[0] * cos(angle) + x[1] * sin(angle) - HALF_WIDTH;
  mjtNum ends = fabs(x[2] + HALF_HEIGHT) - HALF_HEIGHT;
  mjtNum edge = mji_thread_cone(over, x[2] - 0.22);
  return fmax(fmax(side, ends), edge);
}
