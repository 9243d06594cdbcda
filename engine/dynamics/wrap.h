// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Shortest paths around spheres and cylinders.
#ifndef SHEAF_DYNAMICS_WRAP_H_
#define SHEAF_DYNAMICS_WRAP_H_

#include <mujoco/mujoco.h>

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

// Paths from one point of a plane to another that touch a circle around the origin from the inside, in one point, where
// they are reflected, in some lanes. Returns the lanes of `in` that have such a path; sets the length on the circle, 0,
// and the point, twice, and leaves other lanes as they are.
M LANE(wrapInside)(V touch[4], V* length, const V end[4], V radius, M in);

#endif  // SHEAF_LANES_LANES_H_

#endif  // SHEAF_DYNAMICS_WRAP_H_
