// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Paths around spheres and cylinders whose solution is known in closed form.

#include "lanes/lanes.h"

#include "dynamics/wrap.h"

#include "support/test.h"

static const mjtNum origin[3] = {0, 0, 0};
static const mjtNum axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static mjtNum wrapUnit(mjtNum touch[6], int type, const mjtNum* from, const mjtNum* to, const mjtNum* side) {
  LANE(WrapObject) object = {type, 1, origin, axes, side};
  mjtNum length;
  return LANE(wrap)(touch, &length, from, to, &object, m_full()) ? length : -1;
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

static mjtNum noise(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (mjtNum)(*seed >> 8) / (1 << 23) - 1;
}

// the segment from an end to the surface is at right angles to the radius there; no other path is as short
static void checkTangent(const mjtNum* end, const mjtNum* touch, int type) {
  mjtNum radial[3] = {touch[0], touch[1], type == mjWRAP_SPHERE ? touch[2] : 0}, segment[3];
  mju_sub3(segment, end, touch);
  CHECK_NEAR(mju_norm3(radial), 1, 1e-12);
  CHECK_NEAR(mju_dot3(radial, segment), 0, 1e-11);
}

TEST(any_path_outside_leaves_the_surface_along_a_tangent) {
  unsigned seed = 5;
  int wrapped[2] = {0, 0};
  for (int i = 0; i < 4000; i++) {
    int type = i % 2 ? mjWRAP_SPHERE : mjWRAP_CYLINDER;
    mjtNum end[6], side[3], touch[6];
    for (int k = 0; k < 6; k++) end[k] = 3 * noise(&seed);
    for (int k = 0; k < 3; k++) side[k] = 3 * noise(&seed);
    if (mju_norm(side, 2) < 1.1) continue;  // inside of the cylinder: a path of another kind
    mjtNum length = wrapUnit(touch, type, end, end + 3, i % 3 ? side : NULL);
    if (length < 0) continue;
    wrapped[i % 2]++;
    checkTangent(end, touch, type);
    checkTangent(end + 3, touch + 3, type);
  }
  CHECK(wrapped[0] > 200 && wrapped[1] > 200);
}

TEST(no_path_is_laid_in_lanes_that_nobody_asks_for) {
  const mjtNum from[3] = {-2, 0, 0}, to[3] = {2, 0, 0};
  LANE(WrapObject) object = {mjWRAP_SPHERE, 1, origin, axes, NULL};
  mjtNum touch[6], length;
  CHECK(m_any(LANE(wrap)(touch, &length, from, to, &object, m_full())));
  CHECK(!m_any(LANE(wrap)(touch, &length, from, to, &object, m_none())));
  CHECK_EQ(length, 0);
  for (int k = 0; k < 6; k++) CHECK_EQ(touch[k], 0);
}
