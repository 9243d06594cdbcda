// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Spheres and capsules against boxes, over V, as round.h has the other pairs.
//
// A capsule touches a box with two balls. The first sits where the capsule's segment comes nearest to the box. The
// second is as far from it along the segment as the segment stays above the box, so that a capsule can rest on a box
// without rocking. All in the frame of the box; a position on the segment is a number in [-1, 1].
#ifndef SHEAF_COLLIDE_CAPSULE_BOX_H_
#define SHEAF_COLLIDE_CAPSULE_BOX_H_

#include <mujoco/mujoco.h>

#include "collide/round.h"

// ---- one ball

// the way out of a box for a ball whose center is inside: through the nearest face; returns the depth of the center
static inline V laneNearestFace(V normal[3], const V center[3], const V size[3]) {
  V least = v_zero();
  for (int i = 0; i < 6; i++) {
    lane_t sign = i % 2 ? 1 : -1;
    V depth = v_abs(sign * size[i / 2] - center[i / 2]);
    M less = i ? v_lt(depth, least) : m_full();
    least = v_sel(less, depth, least);
    for (int k = 0; k < 3; k++) normal[k] = i ? v_sel(less, v_zero(), normal[k]) : v_zero();
    normal[i / 2] = v_sel(less, v_set1(-sign), normal[i / 2]);
  }
  return least;
}

// a ball against a box in the lanes of `near`; returns those that have a contact
static inline M ballBox(LANE(Hit)* hit, const V ball[3], N radius, const LANE(Shape)* box, N margin, M near) {
  V size[3], offset[3], center[3], normal[3], local[3];
  for (int k = 0; k < 3; k++) {
    size[k] = v_num(box->size[k]);
    offset[k] = ball[k] - box->pos[k];
  }
  laneRotateBack(center, box->mat, offset);
  for (int k = 0; k < 3; k++) normal[k] = v_clip(center[k], -size[k], size[k]) - center[k];
  V dist = v_sqrt(laneDot(normal, normal));
  M on = near & ~v_gt(dist - radius, v_num(margin));
  if (!m_any(on)) return on;

  M inside = v_le(dist, v_set1(mjMINVAL));
  V scale = 1.0 / v_sel(inside, v_set1(1), dist);
  for (int k = 0; k < 3; k++) normal[k] = normal[k] * scale;
  hit->dist = dist - radius;
  V reach = radius + 0.5 * hit->dist;
  if (m_any(on & inside)) {
    V way[3], depth = laneNearestFace(way, center, size);
    for (int k = 0; k < 3; k++) normal[k] = v_sel(inside, way[k], normal[k]);
    hit->dist = v_sel(inside, -depth - radius, hit->dist);
    reach = v_sel(inside, 0.5 * (radius - depth), reach);
  }
  for (int k = 0; k < 3; k++) local[k] = center[k] + reach * normal[k];
  laneRotate(hit->normal, box->mat, normal);
  laneRotate(hit->pos, box->mat, local);
  for (int k = 0; k < 3; k++) {
    hit->pos[k] = hit->pos[k] + box->pos[k];
    hit->tangent[k] = v_zero();
  }
  return on;
}

static inline int laneSphereBox(LANE(Hit)* hit, const LANE(Shape)* a, const LANE(Shape)* b, N margin, M near) {
  hit->on = ballBox(hit, a->pos, a->size[0], b, margin, near);
  return m_any(hit->on);
}

// ---- where the segment is nearest

typedef struct LANE(Segment_) {
  V center[3];
  V half[3];    // from the center to the end at 1
  V length2;    // |half|^2
  M upward[3];  // lanes in which this coordinate of half is positive
} LANE(Segment);

// The nearest features of box and segment: of the box a face (with its inside), an edge or a corner.
typedef struct LANE(Nearest_) {
  V dist2;
  M on_face, on_edge, on_corner;
  V segment;   // place on the segment
  V along;     // edges and corners: place on the edge, in [-1, 1]
  M face[3];   // axis of the face that an end is above; none of them if it is inside of the box
  M edge[3];   // axis of the edge
  M upper[3];  // the corner, or the lower end of the edge: lanes in which this coordinate is positive
} LANE(Nearest);

static inline void enterBox(LANE(Segment)* seg, const LANE(Shape)* capsule, const LANE(Shape)* box) {
  V offset[3], axis[3];
  for (int k = 0; k < 3; k++) offset[k] = capsule->pos[k] - box->pos[k];
  laneRotateBack(seg->center, box->mat, offset);
  laneAxis(axis, capsule->mat, 2);
  laneRotateBack(seg->half, box->mat, axis);
  for (int k = 0; k < 3; k++) {
    seg->half[k] = seg->half[k] * capsule->size[1];
    seg->upward[k] = v_gt(seg->half[k], v_zero());
  }
  seg->length2 = v_num(capsule->size[1] * capsule->size[1]);
}

// an end of the segment that projects into a face, or lies inside
static inline void nearestFaceOf(LANE(Nearest)* best, const LANE(Segment)* seg, const V size[3], lane_t end) {
  M beside[3];
  V dist2 = v_zero();
  for (int k = 0; k < 3; k++) {
    V beyond = v_abs(seg->center[k] + end * seg->half[k]) - size[k];
    beside[k] = v_gt(beyond, v_zero());
    dist2 = v_sel(beside[k], beyond * beyond, dist2);
  }
  M two = (beside[0] & beside[1]) | (beside[0] & beside[2]) | (beside[1] & beside[2]);
  M nearer = ~two & ~v_ge(dist2, best->dist2);
  best->dist2 = v_sel(nearer, dist2, best->dist2);
  best->segment = v_sel(nearer, v_set1(end), best->segment);
  best->on_face |= nearer;
  for (int k = 0; k < 3; k++) best->face[k] = m_sel(nearer, beside[k], best->face[k]);
}

static inline V signOf(V x) { return v_sel(v_gt(x, v_zero()), v_set1(1), v_set1(-1)); }

// the segment against the edge along an axis that starts at a corner; det: of the equations of both, if they are skew
static inline void nearestEdgeAt(LANE(Nearest)* best, const LANE(Segment)* seg, const V size[3], int axis, int corner,
                                 V det, M skew) {
  V offset[3], one = v_set1(1);
  for (int k = 0; k < 3; k++) {
    V middle = k == axis ? v_zero() : corner >> k & 1 ? size[k] : -size[k];
    offset[k] = middle - seg->center[k];
  }

  // minimize |offset + x*edge - y*half|^2
  V aa = size[axis] * size[axis], ab = -size[axis] * seg->half[axis], bb = seg->length2;
  V u = -size[axis] * offset[axis], v = laneDot(seg->half, offset);
  V x = (bb * u - ab * v) / det, y = (aa * v - ab * u) / det;

  // `end`: the nearest point is an end of the edge, the upper one in the lanes of `high`, also if y is clipped later
  M end = skew & v_gt(v_abs(x), one), high = end & v_gt(x, v_zero());
  if (m_any(end)) {
    x = v_sel(end, signOf(x), x);
    y = v_sel(end, (v - x * ab) / bb, y);
  }
  M past = skew & v_gt(v_abs(y), one);
  if (m_any(past)) {
    y = v_sel(past, signOf(y), y);
    x = v_sel(past, (u - y * ab) / aa, x);
    M again = past & v_gt(v_abs(x), one);
    high = m_sel(again, v_gt(x, v_zero()), high);
    x = v_sel(again, signOf(x), x);
    end |= again;
  }

  V gap[3];
  for (int k = 0; k < 3; k++) gap[k] = offset[k] + -y * seg->half[k];
  gap[axis] = gap[axis] + x * size[axis];
  V dist2 = laneDot(gap, gap);
  M nearer = skew & ~v_ge(dist2, best->dist2 - mjMINVAL);
  if (!m_any(nearer)) return;
  best->dist2 = v_sel(nearer, dist2, best->dist2);
  best->on_face &= ~nearer;
  best->on_edge = m_sel(nearer, ~end, best->on_edge);
  best->on_corner = m_sel(nearer, end, best->on_corner);
  best->segment = v_sel(nearer, y, best->segment);
  best->along = v_sel(nearer, x, best->along);
  M is[2] = {m_none(), m_full()};
  for (int k = 0; k < 3; k++) {
    best->edge[k] = m_sel(nearer, is[k == axis], best->edge[k]);
    best->upper[k] = m_sel(nearer, is[corner >> k & 1], best->upper[k]);
  }
  best->upper[axis] |= nearer & high;
}

static inline void nearestEdges(LANE(Nearest)* best, const LANE(Segment)* seg, const V size[3], int axis) {
  V aa = size[axis] * size[axis], ab = -size[axis] * seg->half[axis], det = aa * seg->length2 - ab * ab;
  M skew = ~v_lt(v_abs(det), v_set1(mjMINVAL));  // where they are parallel, the ends decide
  det = v_sel(skew, det, v_set1(1));
  for (int corner = 0; corner < 8; corner++) {
    if (!(corner >> axis & 1)) nearestEdgeAt(best, seg, size, axis, corner, det, skew);
  }
}

static inline void nearestFeatures(LANE(Nearest)* best, const LANE(Segment)* seg, const V size[3]) {
  memset(best, 0, sizeof *best);
  best->dist2 = v_set1(mjMAXVAL);
  nearestFaceOf(best, seg, size, -1);
  nearestFaceOf(best, seg, size, 1);
  for (int axis = 0; axis < 3; axis++) nearestEdges(best, seg, size, axis);
}

// ---- the second ball: how far along the segment, signed. These return the lanes that have one. At a distance of zero
// it repeats the first.

// the one of three numbers whose lanes are given; `turn` places further, as in 0 1 2 0
static inline V pick(const M axis[3], const V x[3], int turn) {
  return v_sel(axis[0], x[turn], v_sel(axis[1], x[(1 + turn) % 3], x[(2 + turn) % 3]));
}

static inline M oneOf(const M x[3]) { return (x[0] & ~x[1] & ~x[2]) | (~x[0] & x[1] & ~x[2]) | (~x[0] & ~x[1] & x[2]); }

// over a corner: along the edge that the segment follows most, or back across the face
static inline M secondOverCorner(V* second, const LANE(Nearest)* near, const LANE(Segment)* seg, const V size[3]) {
  M turned[3];
  for (int k = 0; k < 3; k++) turned[k] = seg->upward[k] ^ near->upper[k];
  M none = turned[0] | turned[1] | turned[2], all = turned[0] & turned[1] & turned[2];
  M sideways = none & ~all;  // otherwise straight in or out

  // choose the direction in which one coordinate alone leads over the box
  M one = oneOf(turned);
  for (int k = 0; k < 3; k++) turned[k] ^= ~one;
  V sign = v_sel(one, v_set1(1), v_set1(-1)), half = pick(turned, seg->half, 0);
  V along = 2 * pick(turned, size, 0) / v_abs(half);
  V across = 2 * v_min(pick(turned, size, 1) / v_abs(pick(turned, seg->half, 1)),
                       pick(turned, size, 2) / v_abs(pick(turned, seg->half, 2)));
  M most = v_gt(half * half, 0.5 * seg->length2);
  *second = v_sel(most, sign * v_min(1 - sign * near->segment, along), -sign * v_min(1 + sign * near->segment, across));
  return sideways;
}

// over an edge: across the face that the segment is flatter to
static inline M secondOverEdge(V* second, const LANE(Nearest)* near, const LANE(Segment)* seg, const V size[3]) {
  M turned[3], across[3];
  for (int k = 0; k < 3; k++) turned[k] = (seg->upward[k] ^ near->upper[k]) & ~near->edge[k];
  M first = v_gt(v_abs(pick(near->edge, seg->half, 1)), v_abs(pick(near->edge, seg->half, 2)));
  for (int k = 0; k < 3; k++) across[k] = m_sel(first, near->edge[(k + 2) % 3], near->edge[(k + 1) % 3]);
  M same = (turned[0] & across[0]) | (turned[1] & across[1]) | (turned[2] & across[2]);
  V sign = v_sel(same, v_set1(1), v_set1(-1));
  V reach = v_min(1 - sign * near->segment, 2 * pick(across, size, 0) / v_abs(pick(across, seg->half, 0)));

  // do not pass the end of the edge; a segment at right angles to it never does, also where it begins there
  V half = pick(near->edge, seg->half, 0);
  M up = (seg->upward[0] & near->edge[0]) | (seg->upward[1] & near->edge[1]) | (seg->upward[2] & near->edge[2]);
  V along = sign * v_sel(up, v_set1(1), v_set1(-1));
  V room = pick(near->edge, size, 0) * (1 - along * near->along) / v_abs(half);
  *second = sign * v_sel(v_eq(half, v_zero()), reach, v_min(reach, room));
  return oneOf(turned);
}

// over a face: until the segment leaves the face's rectangle
static inline M secondOverFace(V* second, const LANE(Nearest)* near, const LANE(Segment)* seg, const V size[3]) {
  V sign = -near->segment, reach = v_set1(2);
  for (int k = 0; k < 3; k++) {
    V end = seg->center[k] + near->segment * seg->half[k];
    for (int side = -1; side <= 1; side += 2) {
      V cross = ((lane_t)side * size[k] - end) * sign / seg->half[k];
      reach = v_sel(~near->face[k] & v_gt(cross, v_zero()) & v_lt(cross, reach), cross, reach);
    }
  }
  *second = sign * reach;
  return near->face[0] | near->face[1] | near->face[2];
}

static inline M secondBall(V* second, const LANE(Nearest)* near, const LANE(Segment)* seg, const V size[3], M on) {
  M corner = on & near->on_corner, edge = on & near->on_edge, face = on & near->on_face, have = m_none();
  V place;
  *second = v_zero();
  if (m_any(corner)) {
    have |= corner & secondOverCorner(&place, near, seg, size);
    *second = v_sel(corner, place, *second);
  }
  if (m_any(edge)) {
    have |= edge & secondOverEdge(&place, near, seg, size);
    *second = v_sel(edge, place, *second);
  }
  if (m_any(face)) {
    have |= face & secondOverFace(&place, near, seg, size);
    *second = v_sel(face, place, *second);
  }
  return have;
}

static inline void moveHit(M on, LANE(Hit)* to, const LANE(Hit)* from) {
  to->dist = v_sel(on, from->dist, to->dist);
  for (int k = 0; k < 3; k++) {
    to->pos[k] = v_sel(on, from->pos[k], to->pos[k]);
    to->normal[k] = v_sel(on, from->normal[k], to->normal[k]);
    to->tangent[k] = v_zero();
  }
}

static inline int laneCapsuleBox(LANE(Hit)* hit, const LANE(Shape)* a, const LANE(Shape)* b, N margin, M near) {
  LANE(Segment) seg;
  LANE(Nearest) nearest;
  V size[3], axis[3], second, ball[3];
  for (int k = 0; k < 3; k++) size[k] = v_num(b->size[k]);
  enterBox(&seg, a, b);
  nearestFeatures(&nearest, &seg, size);
  M two = secondBall(&second, &nearest, &seg, size, near);

  laneAxis(axis, a->mat, 2);
  for (int k = 0; k < 3; k++) {
    axis[k] = axis[k] * a->size[1];
    ball[k] = a->pos[k] + nearest.segment * axis[k];
  }
  M on = ballBox(&hit[0], ball, a->size[0], b, margin, near);
  for (int k = 0; k < 3; k++) ball[k] = a->pos[k] + (nearest.segment + second) * axis[k];
  two = ballBox(&hit[1], ball, a->size[0], b, margin, two);

  // where the first ball has no contact, the second takes its place
  M only = two & ~on;
  if (m_any(only)) moveHit(only, &hit[0], &hit[1]);
  hit[0].on = on | two;
  hit[1].on = on & two;
  return m_any(hit[1].on) ? 2 : m_any(hit[0].on);
}

#endif  // SHEAF_COLLIDE_CAPSULE_BOX_H_
