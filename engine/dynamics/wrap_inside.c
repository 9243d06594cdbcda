// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Paths of tendons that touch a circle from the inside: an equation is solved by Newton's method, which lanes leave
// when they have their root.

#include "lanes/lanes.h"

#include "dynamics/wrap.h"

#include "dynamics/wrap_circle.h"

// The arc sine for |x| <= 1, within 2e-16 of it (1e-7 in single precision): from 0 by a polynomial in the square,
// beyond 1/2 from the half of the complement. Newton's method takes most of its time in three of them.
static V arcSine(V x) {
  V size = v_abs(x);
  M large = v_gt(size, v_set1(0.5));
  V t = v_sel(large, 0.5 * (1.0 - size), x * x), s = v_sel(large, v_sqrt(t), size);
  V t2 = t * t, t4 = t2 * t2;
  V low = (0.16666666666666646 + 0.07500000000021978 * t) + (0.04464285710146497 + 0.030381947490254527 * t) * t2;
  V middle = (0.022372043664706378 + 0.017355334434132383 * t) + (0.013928781847841392 + 0.011882032645784928 * t) * t2;
  V high = (0.0077714397645414456 + 0.016129764409156828 * t) + (-0.010908304349000406 + 0.028285381520428275 * t) * t2;
  V y = s + s * t * (low + t4 * (middle + t4 * high));
  y = v_sel(large, 0.5 * mjPI - 2.0 * y, y);
  return v_sel(v_lt(x, v_zero()), -y, y);
}

// The equation of a path that touches the circle from the inside, in the sine z of the angle of reflection: a root of
// this function is the path. a and b are radius / distance of the two ends, angle is the angle between them.
static V insideGap(V z, V a, V b, V angle) { return arcSine(a * z) + arcSine(b * z) - 2.0 * arcSine(z) + angle; }

// x / cosine of the arc sine of z
static V perCosine(V x, V z) { return x / v_max(v_set1(mjMINVAL), v_sqrt(1.0 - z * z)); }

static V insideSlope(V z, V a, V b) { return perCosine(a, z * a) + perCosine(b, z * b) - perCosine(v_set1(2), z); }

// Zero of insideGap by Newton's method from the right, where it is monotone. Returns the lanes of `on` in which it is
// found.
static M solveInside(V* z, V a, V b, V angle, M on) {
  const int maxiter = 20;
  V tolerance = v_set1(1e-6);
  *z = v_set1(1 - 1e-7);
  V gap = insideGap(*z, a, b, angle);
  on &= ~v_gt(gap, v_zero());
  M going = on & v_gt(v_abs(gap), tolerance);
  for (int iter = 0; m_any(going); iter++) {
    V slope = insideSlope(*z, a, b), next = *z - gap / slope;
    M lost = going & (v_gt(slope, v_set1(-mjMINVAL)) | v_gt(next, *z));
    if (iter == maxiter) lost = going;
    on &= ~lost;
    going &= ~lost;
    *z = v_sel(going, next, *z);
    gap = insideGap(*z, a, b, angle);
    on &= ~(going & v_gt(gap, tolerance));
    going &= on & v_gt(v_abs(gap), tolerance);
  }
  return on;
}

// where the path of this root touches the circle of radius one: turned from the end that comes first counter-clockwise
static void pointOfRoot(V point[2], const V end[4], V z, V ratio0, V ratio1) {
  M first = v_gt(cross2(end, end + 2), v_zero());
  V from[2] = {v_sel(first, end[0], end[2]), v_sel(first, end[1], end[3])};
  direct2(from);

  // by the angle of reflection less that at this end
  V other = z * v_sel(first, ratio0, ratio1);
  V cosine = v_sqrt((1.0 - z) * (1.0 + z)), cosine_other = v_sqrt((1.0 - other) * (1.0 + other));
  V sine_turn = z * cosine_other - cosine * other, cosine_turn = cosine * cosine_other + z * other;
  point[0] = cosine_turn * from[0] - sine_turn * from[1];
  point[1] = sine_turn * from[0] + cosine_turn * from[1];
}

M LANE(wrapInside)(V touch[4], V* length, const V end[4], V radius, M in) {
  V len0 = v_sqrt(dot2(end, end)), len1 = v_sqrt(dot2(end + 2, end + 2));
  V dif[2] = {end[2] - end[0], end[3] - end[1]}, sqrdif = dot2(dif, dif);
  in &= ~(v_lt(radius, v_set1(mjMINVAL)) | v_le(len0, radius) | v_le(len1, radius));

  // the segment passes through the circle
  V a = -dot2(dif, end) / sqrdif, nearest[2] = {end[0] + a * dif[0], end[1] + a * dif[1]};
  M between = v_gt(sqrdif, v_set1(mjMINVAL)) & v_gt(a, v_zero()) & v_lt(a, v_set1(1));
  in &= ~(between & v_le(v_sqrt(dot2(nearest, nearest)), radius));

  // angle between the end points
  V cosine = (len0 * len0 + len1 * len1 - sqrdif) / (2.0 * len0 * len1);
  in &= ~v_lt(cosine, v_set1(-1 + mjMINVAL));
  if (!m_any(in)) return in;

  // start with the point between the ends, which remains if the equation cannot be solved
  V point[2] = {end[0] + end[2], end[1] + end[3]}, z, ratio0 = radius / len0, ratio1 = radius / len1;
  direct2(point);
  M solved = in & ~v_gt(cosine, v_set1(1 - mjMINVAL));
  solved = solveInside(&z, ratio0, ratio1, acosIn(cosine, solved), solved);
  if (m_any(solved)) {
    V root[2];
    pointOfRoot(root, end, z, ratio0, ratio1);
    for (int k = 0; k < 2; k++) point[k] = v_sel(solved, root[k], point[k]);
  }
  for (int k = 0; k < 4; k++) touch[k] = v_sel(in, radius * point[k % 2], touch[k]);
  *length = v_sel(in, v_zero(), *length);
  return in;
}
