// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Wrapping of tendons around spheres and cylinders.
//
// Both reduce to a circle in the plane. For a sphere the plane contains its center and the two
// end points; a cylinder is seen along its axis, and the height is added afterwards (its surface
// unrolls). In the plane the path either hugs the outside of the circle between two tangent
// points, or, if the side site lies inside, touches the circle from the inside in one point.
//
// Conditions that end a path are written so that a number that is not finite ends none: it stays in the lengths.

#include "lanes/lanes.h"

#include "dynamics/wrap.h"

#include "dynamics/spatial.h"
#include "dynamics/wrap_circle.h"

// x in [lo, hi]; what is no number stays so
static inline V between(V x, lane_t lo, lane_t hi) {
  return v_sel(v_lt(x, v_set1(lo)), v_set1(lo), v_sel(v_gt(x, v_set1(hi)), v_set1(hi), x));
}

static inline V direct3(V x[3]) {
  V length = v_sqrt(dot3(x, x));
  direct(x, 3, length);
  return length;
}

static inline V hypotIn(V x, V y, M in) {
  for (int i = 0; i < SHEAF_LANES; i++) {
    if (m_get(in, i)) v_put(&x, i, hypot(v_get(x, i), v_get(y, i)));
  }
  return x;
}

// ---- the plane

// do the segments a0-a1 and b0-b1 meet?
static M segmentsMeet(const V a0[2], const V a1[2], const V b0[2], const V b1[2]) {
  V a[2] = {a1[0] - a0[0], a1[1] - a0[1]};
  V b[2] = {b1[0] - b0[0], b1[1] - b0[1]};
  V gap[2] = {b0[0] - a0[0], b0[1] - a0[1]};
  V det = cross2(a, b);

  // a0 + s*a = b0 + t*b
  V s = cross2(gap, b) / det, t = cross2(gap, a) / det;
  M on_both = v_ge(s, v_zero()) & v_le(s, v_set1(1)) & v_ge(t, v_zero()) & v_le(t, v_set1(1));
  return on_both & ~v_lt(v_abs(det), v_set1(mjMINVAL));
}

// length of the arc from p0 to p1, which may be the long way round; sign says which way tangents
// turn
static V arcLength(const V p0[2], const V p1[2], V sign, V radius, M in) {
  V u0[2] = {p0[0], p0[1]}, u1[2] = {p1[0], p1[1]};
  direct2(u0);
  direct2(u1);
  V angle = acosIn(between(dot2(u0, u1), -1, 1), in);
  V turn = cross2(p0, p1);
  angle = v_sel(v_lt(sign * turn, v_zero()), 2 * mjPI - angle, angle);
  return radius * angle;
}

// tangent points of the path that goes round with the given sign
static void tangentPoints(V touch[4], const V end[4], V radius, lane_t sign) {
  for (int k = 0; k < 2; k++) {
    const V* p = end + 2 * k;
    V sqr = radius * radius, sqrlen = dot2(p, p);
    V shift = (k == 0 ? sign : -sign) * radius * v_sqrt(sqrlen - sqr);
    touch[2 * k] = (p[0] * sqr + shift * p[1]) / sqrlen;
    touch[2 * k + 1] = (p[1] * sqr - shift * p[0]) / sqrlen;
  }
}

// lanes in which the straight segment is free, or there is no path outside of the circle
static M isFree(const V end[4], const V* side, V radius) {
  V sqr = radius * radius, dif[2] = {end[2] - end[0], end[3] - end[1]}, dif2 = dot2(dif, dif);
  M no = v_lt(radius, v_set1(mjMINVAL)) | v_lt(dot2(end, end), sqr) | v_lt(dot2(end + 2, end + 2), sqr);
  no |= v_lt(dif2, v_set1(mjMINVAL));

  // the segment misses the circle, and is not asked to pass on the other side
  V a = between(-dot2(dif, end) / dif2, 0, 1);
  V nearest[2] = {end[0] + a * dif[0], end[1] + a * dif[1]};
  M misses = v_gt(dot2(nearest, nearest), sqr);
  if (side) misses &= v_ge(dot2(nearest, side), v_zero());
  return no | misses;
}

// outside of the circle: the lanes of `in` that have an arc, its ends and its length
static M wrapOutside(V touch[4], V* length, const V end[4], const V* side, V radius, M in) {
  in &= ~isFree(end, side, radius);
  if (!m_any(in)) return in;

  // of the two ways round: the one next to the side point, else the one with the shorter chord
  V path[2][4], good[2];
  M crossed[2];
  for (int i = 0; i < 2; i++) {
    tangentPoints(path[i], end, radius, i == 0 ? 1 : -1);
    if (side) {
      V middle[2] = {path[i][0] + path[i][2], path[i][1] + path[i][3]};
      direct2(middle);
      good[i] = dot2(middle, side);
    } else {
      V chord[2] = {path[i][0] - path[i][2], path[i][1] - path[i][3]};
      good[i] = -dot2(chord, chord);
    }
    crossed[i] = segmentsMeet(end, path[i], end + 2, path[i] + 2);
    good[i] = v_sel(crossed[i], v_set1(-10000), good[i]);
  }
  M first = v_gt(good[0], good[1]);
  in &= ~((first & crossed[0]) | (~first & crossed[1]));
  if (!m_any(in)) return in;
  for (int k = 0; k < 4; k++) touch[k] = v_sel(first, path[0][k], path[1][k]);
  *length = arcLength(touch, touch + 2, v_sel(first, v_set1(-1), v_set1(1)), radius, in);
  return in;
}

// ---- from space to the plane, and back

// any direction across x
static void across(V normal[3], const V x[3]) {
  M second = v_gt(v_abs(x[1]), v_abs(x[0]));
  M third = v_gt(v_abs(x[2]), v_sel(second, v_abs(x[1]), v_abs(x[0])));
  second &= ~third;
  V one = v_set1(1);
  V other[3] = {v_sel(second | third, one, v_zero()), v_sel(second, v_zero(), one), v_sel(third, v_zero(), one)};
  cross3(normal, x, other);
  direct3(normal);
}

// axes of the plane through the center and two points, x-axis towards the first
static void spherePlane(V x[3], V y[3], const V p0[3], const V p1[3]) {
  V normal[3];
  copy3(x, p0);
  direct3(x);
  cross3(normal, p0, p1);

  // center and points on one line: any plane through it
  M line = v_lt(direct3(normal), v_set1(mjMINVAL));
  if (m_any(line)) {
    V any[3];
    across(any, x);
    for (int k = 0; k < 3; k++) normal[k] = v_sel(line, any[k], normal[k]);
  }
  cross3(y, normal, x);
  direct3(y);
}

// heights where the path meets a cylinder: it rises evenly over its unrolled length
static V addHeight(V touch[6], const V p0[3], const V p1[3], V length, M in) {
  V before = hypotIn(p0[0] - touch[0], p0[1] - touch[1], in);
  V after = hypotIn(p1[0] - touch[3], p1[1] - touch[4], in);
  V rise = (p1[2] - p0[2]) / (before + length + after);
  touch[2] = p0[2] + rise * before;
  touch[5] = p0[2] + rise * (before + length);
  return v_sqrt(length * length + (touch[5] - touch[2]) * (touch[5] - touch[2]));
}

// a point in the frame of the object
static inline void intoObject(V r[3], const V point[3], const LANE(WrapObject)* object) {
  V offset[3] = {point[0] - object->pos[0], point[1] - object->pos[1], point[2] - object->pos[2]};
  mulMatT3(r, object->mat, offset);
}

// paths in the plane around a circle, next to the side point if there is one
static M wrapCircle(V flat[4], V* length, const V end[4], const LANE(WrapObject)* object, const V x[3], const V y[3],
                    M in) {
  V radius = v_num(object->radius);
  if (!object->side) return wrapOutside(flat, length, end, NULL, radius, in);

  // the point of the circle next to the side point
  V side[3];
  intoObject(side, object->side, object);
  V rim[2] = {dot3(side, x), dot3(side, y)};
  direct2(rim);
  for (int k = 0; k < 2; k++) rim[k] = rim[k] * radius;
  M within = v_lt(v_sqrt(dot3(side, side)), radius), outside = in & ~within;
  if (m_any(outside)) outside = wrapOutside(flat, length, end, rim, radius, outside);
  within &= in;
  if (m_any(within)) outside |= LANE(wrapInside)(flat, length, end, radius, within);
  return outside;
}

M LANE(wrap)(V touch[6], V* length, const V from[3], const V to[3], const LANE(WrapObject)* object, M in) {
  *length = v_zero();
  zeroN(touch, 6);

  // end points in the frame of the object
  V p0[3], p1[3];
  intoObject(p0, from, object);
  intoObject(p1, to, object);
  V none = v_set1(mjMINVAL);
  in &= ~(v_lt(v_sqrt(dot3(p0, p0)), none) | v_lt(v_sqrt(dot3(p1, p1)), none));

  // end points in the plane of the circle
  V x[3] = {v_set1(1), v_zero(), v_zero()}, y[3] = {v_zero(), v_set1(1), v_zero()};
  if (object->type == mjWRAP_SPHERE) spherePlane(x, y, p0, p1);
  V end[4] = {dot3(p0, x), dot3(p0, y), dot3(p1, x), dot3(p1, y)}, flat[4], curve = v_zero();
  zeroN(flat, 4);
  in = wrapCircle(flat, &curve, end, object, x, y, in);
  if (!m_any(in)) return in;

  // back to space
  V local[6], point[3];
  for (int k = 0; k < 3; k++) {
    local[k] = x[k] * flat[0] + y[k] * flat[1];
    local[3 + k] = x[k] * flat[2] + y[k] * flat[3];
  }
  if (object->type == mjWRAP_CYLINDER) curve = addHeight(local, p0, p1, curve, in);
  for (int i = 0; i < 6; i += 3) {
    mulMat3(point, object->mat, local + i);
    for (int k = 0; k < 3; k++) touch[i + k] = v_and(in, point[k] + object->pos[k]);
  }
  *length = v_and(in, curve);
  return in;
}
