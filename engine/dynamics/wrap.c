// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Wrapping of tendons around spheres and cylinders.
//
// Both reduce to a circle in the plane. For a sphere the plane contains its center and the two
// end points; a cylinder is seen along its axis, and the height is added afterwards (its surface
// unrolls). In the plane the path either hugs the outside of the circle between two tangent
// points, or, if the side site lies inside, touches the circle from the inside in one point.

#include "dynamics/wrap.h"

#include <math.h>

static mjtNum dot2(const mjtNum* a, const mjtNum* b) { return a[0] * b[0] + a[1] * b[1]; }

static mjtNum cross2(const mjtNum* a, const mjtNum* b) { return a[0] * b[1] - a[1] * b[0]; }

// point of the segment a-b that is nearest to the origin, as a fraction that may be outside [0, 1]
static mjtNum nearestFraction(const mjtNum a[2], const mjtNum b[2]) {
  mjtNum dif[2] = {b[0] - a[0], b[1] - a[1]};
  return -dot2(dif, a) / dot2(dif, dif);
}

// do the segments a0-a1 and b0-b1 meet?
static int segmentsMeet(const mjtNum a0[2], const mjtNum a1[2], const mjtNum b0[2], const mjtNum b1[2]) {
  mjtNum a[2] = {a1[0] - a0[0], a1[1] - a0[1]};
  mjtNum b[2] = {b1[0] - b0[0], b1[1] - b0[1]};
  mjtNum gap[2] = {b0[0] - a0[0], b0[1] - a0[1]};
  mjtNum det = cross2(a, b);
  if (fabs(det) < mjMINVAL) return 0;

  // a0 + s*a = b0 + t*b
  mjtNum s = cross2(gap, b) / det;
  mjtNum t = cross2(gap, a) / det;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

// length of the arc from p0 to p1, which may be the long way round; sign says which way tangents
// turn
static mjtNum arcLength(const mjtNum p0[2], const mjtNum p1[2], int sign, mjtNum radius) {
  mjtNum u0[2] = {p0[0], p0[1]}, u1[2] = {p1[0], p1[1]};
  mju_normalize(u0, 2);
  mju_normalize(u1, 2);
  mjtNum angle = acos(mju_clip(dot2(u0, u1), -1, 1));
  mjtNum turn = cross2(p0, p1);
  if (sign * turn < 0) angle = 2 * mjPI - angle;
  return radius * angle;
}

// tangent points of the path that goes round with the given sign
static void tangentPoints(mjtNum touch[4], const mjtNum end[4], mjtNum radius, int sign) {
  for (int k = 0; k < 2; k++) {
    const mjtNum* p = end + 2 * k;
    mjtNum sqr = radius * radius, sqrlen = dot2(p, p);
    mjtNum shift = (k == 0 ? sign : -sign) * radius * sqrt(sqrlen - sqr);
    touch[2 * k] = (p[0] * sqr + shift * p[1]) / sqrlen;
    touch[2 * k + 1] = (p[1] * sqr - shift * p[0]) / sqrlen;
  }
}

// outside of the circle: length of the arc, or -1 if the straight segment is free or there is no path
static mjtNum wrapOutside(mjtNum touch[4], const mjtNum end[4], const mjtNum* side, mjtNum radius) {
  mjtNum sqr = radius * radius;
  mjtNum dif[2] = {end[2] - end[0], end[3] - end[1]};
  if (radius < mjMINVAL || dot2(end, end) < sqr || dot2(end + 2, end + 2) < sqr) return -1;
  if (dot2(dif, dif) < mjMINVAL) return -1;

  // the segment misses the circle, and is not asked to pass on the other side
  mjtNum a = mju_clip(nearestFraction(end, end + 2), 0, 1);
  mjtNum nearest[2] = {end[0] + a * dif[0], end[1] + a * dif[1]};
  if (dot2(nearest, nearest) > sqr && (!side || dot2(nearest, side) >= 0)) return -1;

  // of the two ways round: the one next to the side point, else the one with the shorter chord
  mjtNum path[2][4], good[2];
  int crossed[2];
  for (int i = 0; i < 2; i++) {
    tangentPoints(path[i], end, radius, i == 0 ? 1 : -1);
    if (side) {
      mjtNum middle[2] = {path[i][0] + path[i][2], path[i][1] + path[i][3]};
      mju_normalize(middle, 2);
      good[i] = dot2(middle, side);
    } else {
      mjtNum chord[2] = {path[i][0] - path[i][2], path[i][1] - path[i][3]};
      good[i] = -dot2(chord, chord);
    }
    crossed[i] = segmentsMeet(end, path[i], end + 2, path[i] + 2);
    if (crossed[i]) good[i] = -10000;
  }
  int best = good[0] > good[1] ? 0 : 1;
  if (crossed[best]) return -1;

  mju_copy(touch, path[best], 4);
  return arcLength(touch, touch + 2, best == 0 ? -1 : 1, radius);
}

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

// inside of the circle: the path touches the circle in one point, where it is reflected. Returns 0, the length on the
// circle, or -1 if there is no such path.
static mjtNum wrapInside(mjtNum touch[4], const mjtNum end[4], mjtNum radius) {
  mjtNum len0 = mju_norm(end, 2), len1 = mju_norm(end + 2, 2);
  mjtNum dif[2] = {end[2] - end[0], end[3] - end[1]};
  mjtNum sqrdif = dot2(dif, dif);
  if (radius < mjMINVAL || len0 <= radius || len1 <= radius) return -1;

  // the segment passes through the circle
  if (sqrdif > mjMINVAL) {
    mjtNum a = nearestFraction(end, end + 2);
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

// axes of the plane through the center and two points, x-axis towards the first
static void spherePlane(mjtNum x[3], mjtNum y[3], const mjtNum p0[3], const mjtNum p1[3]) {
  mjtNum normal[3];
  mju_copy3(x, p0);
  mju_normalize3(x);
  mju_cross(normal, p0, p1);
  if (mju_normalize3(normal) < mjMINVAL) {
    // center and points on one line: any plane through it
    mjtNum other[3] = {1, 1, 1};
    int largest = fabs(x[1]) > fabs(x[0]);
    if (fabs(x[2]) > fabs(x[largest])) largest = 2;
    other[largest] = 0;
    mju_cross(normal, x, other);
    mju_normalize3(normal);
  }
  mju_cross(y, normal, x);
  mju_normalize3(y);
}

// heights where the path meets a cylinder: it rises evenly over its unrolled length
static mjtNum addHeight(mjtNum touch[6], const mjtNum p0[3], const mjtNum p1[3], mjtNum length) {
  mjtNum before = hypot(p0[0] - touch[0], p0[1] - touch[1]);
  mjtNum after = hypot(p1[0] - touch[3], p1[1] - touch[4]);
  mjtNum rise = (p1[2] - p0[2]) / (before + length + after);
  touch[2] = p0[2] + rise * before;
  touch[5] = p0[2] + rise * (before + length);
  return sqrt(length * length + (touch[5] - touch[2]) * (touch[5] - touch[2]));
}

mjtNum mji_wrap(mjtNum touch[6], const mjtNum from[3], const mjtNum to[3], const mjiWrapObject* object) {
  // end points in the frame of the object
  mjtNum p0[3], p1[3], offset[3];
  mju_sub3(offset, from, object->pos);
  mju_mulMatTVec3(p0, object->mat, offset);
  mju_sub3(offset, to, object->pos);
  mju_mulMatTVec3(p1, object->mat, offset);
  if (mju_norm3(p0) < mjMINVAL || mju_norm3(p1) < mjMINVAL) return -1;

  // end points in the plane of the circle
  mjtNum x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
  if (object->type == mjWRAP_SPHERE) spherePlane(x, y, p0, p1);
  mjtNum end[4] = {mju_dot3(p0, x), mju_dot3(p0, y), mju_dot3(p1, x), mju_dot3(p1, y)};

  // the side point, and the circle point next to it
  mjtNum side[3] = {0}, rim[2] = {0};
  if (object->side) {
    mju_sub3(offset, object->side, object->pos);
    mju_mulMatTVec3(side, object->mat, offset);
    rim[0] = mju_dot3(side, x);
    rim[1] = mju_dot3(side, y);
    mju_normalize(rim, 2);
    mju_scl(rim, rim, object->radius, 2);
  }

  mjtNum flat[4], length;
  if (object->side && mju_norm3(side) < object->radius) {
    length = wrapInside(flat, end, object->radius);
  } else {
    length = wrapOutside(flat, end, object->side ? rim : NULL, object->radius);
  }
  if (length < 0) return -1;

  // back to space
  mjtNum local[6];
  for (int k = 0; k < 3; k++) {
    local[k] = x[k] * flat[0] + y[k] * flat[1];
    local[3 + k] = x[k] * flat[2] + y[k] * flat[3];
  }
  if (object->type == mjWRAP_CYLINDER) length = addHeight(local, p0, p1, length);
  for (int k = 0; k < 2; k++) {
    mju_mulMatVec3(touch + 3 * k, object->mat, local + 3 * k);
    mju_addTo3(touch + 3 * k, object->pos);
  }
  return length;
}
