// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What a bolt and a nut share: a screw thread, and a head with six sides below the plane z = 0.
#ifndef SHEAF_PLUGINS_SDF_THREAD_H_
#define SHEAF_PLUGINS_SDF_THREAD_H_

#include <mujoco/mujoco.h>

// Distance to an endless screw around the z axis; `over` is the distance from the axis less the radius. (sdf_thread.c)
mjtNum mji_thread_screw(const mjtNum x[3], mjtNum over);

// Distance to the head. (sdf_thread.c)
mjtNum mji_thread_head(const mjtNum x[3], mjtNum over);

// Distance to a cone around the z axis with slopes of 45 degrees, from its radius and height.
mjtNum mji_thread_cone(mjtNum radius, mjtNum height);

#endif  // SHEAF_PLUGINS_SDF_THREAD_H_
