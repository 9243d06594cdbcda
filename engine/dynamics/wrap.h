// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Shortest paths around spheres and cylinders.
#ifndef SHEAF_DYNAMICS_WRAP_H_
#define SHEAF_DYNAMICS_WRAP_H_

#include <mujoco/mujoco.h>

// Path from one point of a plane to another that touches a circle around the origin from the inside, in one point,
// where it is reflected. Returns 0, the length on the circle, and the point twice; or -1 if there is no such path.
mjtNum mji_wrapInside(mjtNum touch[4], const mjtNum end[4], mjtNum radius);

#ifdef SHEAF_LANES_LANES_H_

#include "model/number.h"

// What a tendon wraps around: a sphere, or a cylinder of infinite length along the z-axis of mat.
typedef struct LANE(WrapObject_) {
  int type;  // mjWRAP_SPHERE or mjWRAP_CYLINDER
  N radius;
  const V* pos;
  const V* mat;
  const V* side;  // the path passes next to this point, inside of the object if the point is inside; or NULL
} LANE(WrapObject);

// Paths from one point to another around an object, in some lanes. Returns the lanes of `in` whose path goes around it,
// the lengths on the surface and the points where the paths meet and leave it, zero in the other lanes.
M LANE(wrap)(V touch[6], V* length, const V from[3], const V to[3], const LANE(WrapObject)* object, M in);

#endif  // SHEAF_LANES_LANES_H_

#endif  // SHEAF_DYNAMICS_WRAP_H_
