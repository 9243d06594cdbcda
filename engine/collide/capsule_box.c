// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Capsule against box: two balls of the capsule against the box.
//
// The first ball sits where the capsule's segment comes nearest to the box. The second is as far
// from it along the segment as the segment stays above the box, so that a capsule can rest on a box
// without rocking. All in the frame of the box; a position on the segment is a number in [-1, 1].

#include "collide/pair.h"
#include "collide/vec3.h"

typedef enum Feature_ { NOTHING, FACE, EDGE, CORNER } Feature;

// the configuration of least distance
typedef struct Nearest_ {
  mjtNum dist2;
  Feature feature;  // of the box
  mjtNum on_segment;
  mjtNum on_edge;  // in [-1, 1], feature == EDGE or CORNER
  int face;        // axis of the face an end is above, -1 if the end is inside of the box
  int edge;        // axis of the edge
  int corner;      // corner, or lower end of the edge: bit k set where coordinate k is positive
} Nearest;

typedef struct Segment_ {
  mjtNum center[3];
  mjtNum half[3];  // from the center to the end at 1
  mjtNum length2;  // |half|^2
  int octant;      // bit k set where half[k] is positive
} Segment;

// ---- first ball

// an end of the segment that projects into a face, or lies inside
static void nearestFace(Nearest* best, const Segment* seg, const mjtNum size[3], int end) {
  mjtNum point[3], dist2 = 0;
  int outside = 0, axis = -1;
  addScaled3(point, seg->center, seg->half, end);
  for (int k = 0; k < 3; k++) {
    mjtNum beyond = fabs(point[k]) - size[k];
    if (beyond > 0) {
      outside++;
      axis = k;
      dist2 = beyond * beyond;
    }
  }
  if (outside > 1 || dist2 >= best->dist2) return;
  best->dist2 = dist2;
  best->feature = FACE;
  best->on_segment = end;
  best->face = axis;
}

// the segment against the edge along an axis that starts at a corner
static void nearestEdge(Nearest* best, const Segment* seg, const mjtNum size[3], int axis, int corner) {
  mjtNum mid[3], offset[3];
  for (int k = 0; k < 3; k++) mid[k] = k == axis ? 0 : corner >> k & 1 ? size[k] : -size[k];
  sub3(offset, mid, seg->center);

  // minimize |offset + x*edge - y*half|^2
  mjtNum aa = size[axis] * size[axis], ab = -size[axis] * seg->half[axis], bb = seg->length2;
  mjtNum u = -size[axis] * offset[axis], v = dot3(seg->half, offset);
  mjtNum det = aa * bb - ab * ab;
  if (fabs(det) < mjMINVAL) return;  // parallel: the ends decide
  mjtNum x = (bb * u - ab * v) / det, y = (aa * v - ab * u) / det;
  int end = 0;  // -1, 1: the nearest point is this end of the edge, also if y is clipped later
  if (fabs(x) > 1) {
    end = x > 0 ? 1 : -1;
    x = end;
    y = (v - x * ab) / bb;
  }
  if (fabs(y) > 1) {
    y = y > 0 ? 1 : -1;
    x = (u - y * ab) / aa;
    if (fabs(x) > 1) {
      end = x > 0 ? 1 : -1;
      x = end;
    }
  }

  mjtNum gap[3];
  addScaled3(gap, offset, seg->half, -y);
  gap[axis] += x * size[axis];
  mjtNum dist2 = dot3(gap, gap);
  if (dist2 >= best->dist2 - mjMINVAL) return;
  best->dist2 = dist2;
  best->feature = end ? CORNER : EDGE;
  best->on_segment = y;
  best->on_edge = x;
  best->edge = axis;
  best->corner = corner | (end > 0) << axis;
}

// ---- second ball: how far along the segment, signed. At a distance of zero it repeats the first.

static const mjtNum NONE = mjMAXVAL;

static mjtNum least(mjtNum a, mjtNum b) { return a < b ? a : b; }

// over a corner: along the edge that the segment follows most, or back across the face
static mjtNum secondOverCorner(const Nearest* near, const Segment* seg, const mjtNum size[3]) {
  int turned = seg->octant ^ near->corner;
  if (turned == 0 || turned == 7) return NONE;  // straight in or out

  // choose the direction in which one coordinate alone leads over the box
  mjtNum sign = 1;
  if (turned != 1 && turned != 2 && turned != 4) {
    sign = -1;
    turned = 7 - turned;
  }
  int axis = turned >> 1, axis1 = (axis + 1) % 3, axis2 = (axis + 2) % 3;
  if (seg->half[axis] * seg->half[axis] > 0.5 * seg->length2) {
    mjtNum reach = 2 * size[axis] / fabs(seg->half[axis]);
    return sign * least(1 - sign * near->on_segment, reach);
  }
  mjtNum reach = 2 * least(size[axis1] / fabs(seg->half[axis1]), size[axis2] / fabs(seg->half[axis2]));
  return -sign * least(1 + sign * near->on_segment, reach);
}

// over an edge: across the face that the segment is flatter to
static mjtNum secondOverEdge(const Nearest* near, const Segment* seg, const mjtNum size[3]) {
  int axis = near->edge;
  int turned = (seg->octant ^ near->corner) & ~(1 << axis);
  if (turned != 1 && turned != 2 && turned != 4) return NONE;
  int axis1 = (axis + 1) % 3, axis2 = (axis + 2) % 3;
  int across = fabs(seg->half[axis1]) > fabs(seg->half[axis2]) ? axis1 : axis2;

  mjtNum sign = turned >> across & 1 ? 1 : -1;
  mjtNum reach = least(1 - sign * near->on_segment, 2 * size[across] / fabs(seg->half[across]));

  // do not pass the end of the edge; a segment at right angles to it never does, also where it begins there
  if (seg->half[axis] == 0) return sign * reach;
  mjtNum along = sign * (seg->octant >> axis & 1 ? 1 : -1);
  mjtNum room = size[axis] * (1 - along * near->on_edge) / fabs(seg->half[axis]);
  return sign * least(reach, room);
}

// over a face: until the segment leaves the face's rectangle
static mjtNum secondOverFace(const Nearest* near, const Segment* seg, const mjtNum size[3]) {
  if (near->face < 0) return NONE;
  mjtNum sign = -near->on_segment, reach = 2, end[3];
  addScaled3(end, seg->center, seg->half, near->on_segment);
  for (int k = 0; k < 3; k++) {
    if (k == near->face) continue;
    for (int side = -1; side <= 1; side += 2) {
      mjtNum cross = (side * size[k] - end[k]) * sign / seg->half[k];
      if (cross > 0 && cross < reach) reach = cross;
    }
  }
  return sign * reach;
}

int mji_pair_capsuleBox(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  mjtNum offset[3], axis[3];
  Segment seg = {.length2 = a->size[1] * a->size[1]};
  sub3(offset, a->pos, b->pos);
  rotateBack3(seg.center, b->mat, offset);
  axis3(axis, a->mat, 2);
  rotateBack3(seg.half, b->mat, axis);
  scale3(seg.half, seg.half, a->size[1]);
  for (int k = 0; k < 3; k++) seg.octant |= (seg.half[k] > 0) << k;

  Nearest near = {.dist2 = mjMAXVAL};
  nearestFace(&near, &seg, b->size, -1);
  nearestFace(&near, &seg, b->size, 1);
  for (int k = 0; k < 3; k++) {
    for (int corner = 0; corner < 8; corner++) {
      if (!(corner >> k & 1)) nearestEdge(&near, &seg, b->size, k, corner);
    }
  }

  mjtNum second = NONE;
  if (near.feature == CORNER) second = secondOverCorner(&near, &seg, b->size);
  if (near.feature == EDGE) second = secondOverEdge(&near, &seg, b->size);
  if (near.feature == FACE) second = secondOverFace(&near, &seg, b->size);

  mjiShape ball = *a;
  axis3(axis, a->mat, 2);
  scale3(axis, axis, a->size[1]);
  addScaled3(ball.pos, a->pos, axis, near.on_segment);
  int n = mji_pair_sphereBox(hit, &ball, b, margin);
  if (second != NONE) {
    addScaled3(ball.pos, a->pos, axis, near.on_segment + second);
    n += mji_pair_sphereBox(hit + n, &ball, b, margin);
  }
  return n;
}
