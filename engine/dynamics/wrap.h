// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Shortest paths around spheres and cylinders.
#ifndef SHEAF_DYNAMICS_WRAP_H_
#define SHEAF_DYNAMICS_WRAP_H_

#include <mujoco/mujoco.h>

// What a tendon wraps around: a sphere, or a cylinder of infinite length along the z-axis of mat.
typedef struct mjiWrapObject_ {
  int type;  // mjWRAP_SPHERE or mjWRAP_CYLINDER
  mjtNum radius;
  const mjtNum* pos;
  const mjtNum* mat;
  const mjtNum* side;  // the path passes next to this point, inside of the object if the point is inside; or NULL
} mjiWrapObject;

// Path from one point to another around an object. Returns the length on the surface and the points
// where the path meets and leaves it, or -1 if the straight segment is the path.
mjtNum mji_wrap(mjtNum touch[6], const mjtNum from[3], const mjtNum to[3], const mjiWrapObject* object);

#endif  // SHEAF_DYNAMICS_WRAP_H_
