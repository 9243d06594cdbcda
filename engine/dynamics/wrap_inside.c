// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The path of a tendon that touches a circle from the inside, for one state: the equation is solved by Newton's method,
// whose steps differ from lane to lane, and few models have such paths.

#include "dynamics/wrap.h"

#include <math.h>

static mjtNum dot2(const mjtNum* a, const mjtNum* b) { return a[0] * b[0] + a[1] * b[1]; }

static mjtNum cross2(const mjtNum* a, const mjtNum* b) { return a[0] * b[1] - a[1] * b[0]; }

// The equation of a path that touches the circle from the inside, in the sine z of the angle of reflection: a root of
// this function is the path. a and b are radius / distance of the two ends, angle is the angle between them.
static mjtNum insideGap(mjtNum z, mjtNum a, mjtNum b, mjtNum angle) {
  return asin(a * z) + asin(b * z) - 2 * asin(z) + angle;
}

static mjtNum insideSlope(mjtNum z, mjtNum a, mjtNum b) {
  return a / fmax(mjMINVAL, sqrt(1 - z * z * a * a)) + b / fmax(mjMINVAL, sqrt(1 - z * z * b * b)) -
         2 / fmax(mjMINVAL, sqrt(1 - z * z));
}

// zero of insideGap by Newton's method from the right, where it is monotone; 0 if it cannot be
// found
static int solveInside(mjtNum* z, mjtNum a, mjtNum b, mjtNum angle) {
  const int maxiter = 20;
  const mjtNum tolerance = 1e-6;

  *z = 1 - 1e-7;
  mjtNum gap = insideGap(*z, a, b, angle);
  if (gap > 0) return 0;
  for (int iter = 0; fabs(gap) > tolerance; iter++) {
    mjtNum slope = insideSlope(*z, a, b);
    if (iter == maxiter || slope > -mjMINVAL) return 0;
    mjtNum next = *z - gap / slope;
    if (next > *z) return 0;
    *z = next;
    gap = insideGap(*z, a, b, angle);
    if (gap > tolerance) return 0;
  }
  return 1;
}

mjtNum mji_wrapInside(mjtNum touch[4], const mjtNum end[4], mjtNum radius) {
  mjtNum len0 = mju_norm(end, 2), len1 = mju_norm(end + 2, 2);
  mjtNum dif[2] = {end[2] - end[0], end[3] - end[1]};
  mjtNum sqrdif = dot2(dif, dif);
  if (radius < mjMINVAL || len0 <= radius || len1 <= radius) return -1;

  // the segment passes through the circle
  if (sqrdif > mjMINVAL) {
    mjtNum a = -dot2(dif, end) / sqrdif;
    mjtNum nearest[2] = {end[0] + a * dif[0], end[1] + a * dif[1]};
    if (a > 0 && a < 1 && mju_norm(nearest, 2) <= radius) return -1;
  }

  // start with the point between the ends, which remains if the equation cannot be solved
  for (int k = 0; k < 2; k++) touch[k] = 0.5 * (end[k] + end[2 + k]);
  mju_normalize(touch, 2);
  mju_scl(touch, touch, radius, 2);
  mju_copy(touch + 2, touch, 2);

  // angle between the end points
  mjtNum cosine = (len0 * len0 + len1 * len1 - sqrdif) / (2 * len0 * len1);
  if (cosine < -1 + mjMINVAL) return -1;
  if (cosine > 1 - mjMINVAL) return 0;
  mjtNum z, ratio0 = radius / len0, ratio1 = radius / len1;
  if (!solveInside(&z, ratio0, ratio1, acos(cosine))) return 0;

  // turn from the end that comes first counter-clockwise
  int first = cross2(end, end + 2) > 0;
  mjtNum direction[2] = {first ? end[0] : end[2], first ? end[1] : end[3]};
  mjtNum turn = asin(z) - asin((first ? ratio0 : ratio1) * z);
  mju_normalize(direction, 2);
  touch[0] = radius * (cos(turn) * direction[0] - sin(turn) * direction[1]);
  touch[1] = radius * (sin(turn) * direction[0] + cos(turn) * direction[1]);
  mju_copy(touch + 2, touch, 2);
  return 0;
}
