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

// angle by which the equation of the inside path fails, with the arc sines of the C library
static mjtNum insideGap(mjtNum z, const mjtNum ratio[2], mjtNum angle) {
  return asin(ratio[0] * z) + asin(ratio[1] * z) - 2 * asin(z) + angle;
}

// Newton's method from the right; -1 if there is no root
static mjtNum insideRoot(const mjtNum ratio[2], mjtNum angle) {
  mjtNum z = 1 - 1e-7, gap = insideGap(z, ratio, angle);
  if (gap > 0) return -1;
  while (fabs(gap) > 1e-6) {
    mjtNum slope = -2 / sqrt(1 - z * z);
    for (int k = 0; k < 2; k++) slope += ratio[k] / sqrt(1 - ratio[k] * ratio[k] * z * z);
    z -= gap / slope;
    gap = insideGap(z, ratio, angle);
  }
  return z;
}

// the point of the unit circle: at this angle from the end that comes first counter-clockwise, or between the ends
static void insidePoint(mjtNum point[3], const mjtNum* from, const mjtNum* to) {
  mjtNum length[2] = {mju_norm(from, 2), mju_norm(to, 2)}, ratio[2] = {1 / length[0], 1 / length[1]};
  mjtNum angle = acos((from[0] * to[0] + from[1] * to[1]) * ratio[0] * ratio[1]), z = insideRoot(ratio, angle);
  int second = from[0] * to[1] < from[1] * to[0];
  const mjtNum* first = second ? to : from;
  mjtNum turn = z < 0 ? angle / 2 : asin(z) - asin(ratio[second] * z), start = atan2(first[1], first[0]);
  mju_zero3(point);
  point[0] = cos(start + turn);
  point[1] = sin(start + turn);
  if (z >= 0) return;
  for (int k = 0; k < 2; k++) point[k] = from[k] + to[k];
  mju_normalize3(point);
}

TEST(paths_inside_touch_where_newtons_method_says) {
  unsigned seed = 3;
  const mjtNum inside[3] = {0, 0.1, 0};
  int paths = 0, roots = 0;
  for (int i = 0; i < 3000; i++) {
    mjtNum end[2][3] = {{0}}, touch[6], point[3];
    for (int k = 0; k < 2; k++) {
      mjtNum angle = mjPI * noise(&seed), length = 1 + 1e-3 * pow(3000, 0.5 + 0.5 * noise(&seed));
      end[k][0] = length * cos(angle);
      end[k][1] = length * sin(angle);
    }
    if (wrapUnit(touch, mjWRAP_CYLINDER, end[0], end[1], inside) < 0) continue;
    paths++;
    insidePoint(point, end[0], end[1]);
    for (int k = 0; k < 6; k++) CHECK_NEAR(touch[k], point[k % 3], 1e-9);
    mjtNum between[3];
    mju_add3(between, end[0], end[1]);
    mju_normalize3(between);
    roots += fabs(between[0] - point[0]) + fabs(between[1] - point[1]) > 1e-9;
  }
  CHECK(paths > 500 && roots > 300);
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
