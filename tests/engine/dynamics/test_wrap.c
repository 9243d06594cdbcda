// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Paths around spheres and cylinders whose solution is known in closed form.

#include "dynamics/wrap.h"

#include <math.h>

#include "support/test.h"

static const mjtNum origin[3] = {0, 0, 0};
static const mjtNum axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static mjtNum wrapUnit(mjtNum touch[6], int type, const mjtNum* from, const mjtNum* to, const mjtNum* side) {
  mjiWrapObject object = {type, 1, origin, axes, side};
  return mji_wrap(touch, from, to, &object);
}

// ends at distance 2 of a unit circle: tangent points are 60 degrees from the ends
TEST(half_way_round_a_cylinder_on_the_side_that_is_asked_for) {
  const mjtNum from[3] = {-2, 0, 0}, to[3] = {2, 0, 0}, above[3] = {0, 3, 0}, below[3] = {0, -3, 0};
  const mjtNum half = sqrt(3) / 2;
  mjtNum touch[6];
  CHECK_NEAR(wrapUnit(touch, mjWRAP_CYLINDER, from, to, above), mjPI / 3, 1e-14);
  CHECK_ARRAY(touch, ((mjtNum[]){-0.5, half, 0, 0.5, half, 0}), 6, 1e-14);
  CHECK_NEAR(wrapUnit(touch, mjWRAP_CYLINDER, from, to, below), mjPI / 3, 1e-14);
  CHECK_ARRAY(touch, ((mjtNum[]){-0.5, -half, 0, 0.5, -half, 0}), 6, 1e-14);
}

TEST(height_rises_evenly_along_a_cylinder) {
  const mjtNum from[3] = {-2, 0, 0}, to[3] = {2, 0, 1}, above[3] = {0, 3, 0};
  mjtNum touch[6], straight = sqrt(3), arc = mjPI / 3, total = 2 * straight + arc;
  CHECK_NEAR(wrapUnit(touch, mjWRAP_CYLINDER, from, to, above), hypot(arc, arc / total), 1e-14);
  CHECK_NEAR(touch[2], straight / total, 1e-14);
  CHECK_NEAR(touch[5], (straight + arc) / total, 1e-14);
}

TEST(sphere_is_wrapped_in_the_plane_of_its_center) {
  const mjtNum from[3] = {-2, 0, 0.5}, to[3] = {2, 0, 0.5};
  mjtNum touch[6], len = sqrt(4.25);
  mjtNum angle = mjPI - 2 * atan2(0.5, 2) - 2 * acos(1 / len);
  CHECK_NEAR(wrapUnit(touch, mjWRAP_SPHERE, from, to, NULL), angle, 1e-14);
  CHECK_NEAR(touch[1], 0, 1e-15);
  CHECK_NEAR(mju_norm3(touch), 1, 1e-14);
  CHECK_NEAR(touch[0], -touch[3], 1e-14);
  CHECK(touch[2] > 0);
}

TEST(straight_path_is_left_alone) {
  const mjtNum from[3] = {-2, 1.5, 0}, to[3] = {2, 1.5, 0}, above[3] = {0, 3, 0}, below[3] = {0, -3, 0};
  const mjtNum within[3] = {0.5, 0, 0};
  mjtNum touch[6];
  CHECK_EQ(wrapUnit(touch, mjWRAP_CYLINDER, from, to, NULL), -1);
  CHECK_EQ(wrapUnit(touch, mjWRAP_CYLINDER, from, to, above), -1);
  CHECK_EQ(wrapUnit(touch, mjWRAP_SPHERE, within, to, NULL), -1);

  // unless the side point is behind the object
  mjtNum angle = mjPI + 2 * atan2(1.5, 2) - 2 * acos(1 / 2.5);
  CHECK_NEAR(wrapUnit(touch, mjWRAP_CYLINDER, from, to, below), angle, 1e-14);
}

// the path touches the circle from the inside in one point, where it is reflected
TEST(inside_wrap_touches_in_one_point) {
  const mjtNum from[3] = {-2, 2, 0}, to[3] = {2, 2, 0}, inside[3] = {0, 0.1, 0};
  mjtNum touch[6];
  CHECK_EQ(wrapUnit(touch, mjWRAP_CYLINDER, from, to, inside), 0);
  CHECK_ARRAY(touch, ((mjtNum[]){0, 1, 0, 0, 1, 0}), 6, 1e-6);

  const mjtNum low[3] = {3, 1.2, 0};
  CHECK_EQ(wrapUnit(touch, mjWRAP_CYLINDER, from, low, inside), 0);
  mjtNum in[3], out[3];
  mju_sub3(in, touch, from);
  mju_sub3(out, low, touch);
  mju_normalize3(in);
  mju_normalize3(out);
  CHECK_NEAR(mju_norm3(touch), 1, 1e-14);
  CHECK_NEAR(mju_dot3(in, touch), -mju_dot3(out, touch), 1e-5);  // angles are equal

  // a segment through the circle needs no wrap
  const mjtNum across[3] = {2, -2, 0};
  CHECK_EQ(wrapUnit(touch, mjWRAP_CYLINDER, from, across, inside), -1);
}
