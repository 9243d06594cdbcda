// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Two boxes that are apart: how far, and where they are nearest. box_box.c has the overview.
//
// The nearest features are a corner of one box and any feature of the other, or the inner points of two edges. So the
// gap is the least of 16 corners and 9 pairs of edges: for each pair of edge directions, only the two edges that face
// each other along the directions' cross product can be nearest with inner points. All of this is the same for both
// orders of the boxes.

#include "collide/box_box.h"
#include "collide/vec3.h"

enum { CORNERS = 8, SIDES = 2 };

// sines of edges below this count as parallel: then corners are as near as the edges, up to this times an edge's length
static const mjtNum PARALLEL = 1e-7;

// the vector to a corner of one box from the nearest point of another, in the other's frame
static void cornerGap(mjtNum gap[3], mjtNum corner[3], const mjiBoxes* x, int second, int which) {
  const mjiShape *box = second ? x->b : x->a, *other = second ? x->a : x->b;
  const mjtNum* rot = second ? x->rot : x->rotT;
  copy3(corner, second ? x->pos21 : x->pos12);
  for (int k = 0; k < 3; k++) {
    mjtNum axis[3];
    axis3(axis, rot, k);
    addScaled3(corner, corner, axis, which >> k & 1 ? box->size[k] : -box->size[k]);
  }
  for (int k = 0; k < 3; k++) gap[k] = corner[k] - clip1(corner[k], -other->size[k], other->size[k]);
}

// Make a contact half way between two boxes; middle and normal are in the frame of a box. The normal goes from the
// first box to the second.
static void setHit(mjiHit* hit, const mjiShape* frame, const mjtNum middle[3], const mjtNum normal[3], mjtNum dist) {
  hit->dist = dist;
  rotate3(hit->pos, frame->mat, middle);
  add3(hit->pos, hit->pos, frame->pos);
  rotate3(hit->normal, frame->mat, normal);
  set3(hit->tangent, 0, 0, 0);
}

// Where two edges have inner points nearest to each other; mjMAXVAL if they do not. Edges that touch may overlap by
// what rounding adds.
static mjtNum edgeGap(mjiHit* hit, const mjiBoxes* x, int i, int j, mjtNum rounding) {
  mjtNum unit[3] = {0}, dirB[3], normal[3], inB[3];
  unit[i] = 1;
  axis3(dirB, x->rot, j);
  cross3(normal, unit, dirB);
  mjtNum length = norm3(normal);
  if (length < PARALLEL) return mjMAXVAL;
  scale3(normal, normal, (dot3(normal, x->pos21) < 0 ? -1 : 1) / length);

  // middles of the edges, in the frame of a: each box's edge that lies furthest towards the other box
  mjtNum edgeA[3] = {0}, edgeB[3], offset[3];
  rotateBack3(inB, x->rot, normal);
  copy3(edgeB, x->pos21);
  for (int k = 0; k < 3; k++) {
    mjtNum axis[3];
    axis3(axis, x->rot, k);
    if (k != i) edgeA[k] = normal[k] > 0 ? x->a->size[k] : -x->a->size[k];
    if (k != j) addScaled3(edgeB, edgeB, axis, inB[k] > 0 ? -x->b->size[k] : x->b->size[k]);
  }
  sub3(offset, edgeB, edgeA);
  mjtNum dist = dot3(offset, normal), cosine = dirB[i], alongA = offset[i], alongB = dot3(offset, dirB);
  mjtNum s = (alongA - cosine * alongB) / (length * length), t = (cosine * alongA - alongB) / (length * length);
  if (dist < -rounding || fabs(s) > x->a->size[i] || fabs(t) > x->b->size[j]) return mjMAXVAL;

  mjtNum middle[3];
  edgeA[i] = s;
  addScaled3(middle, edgeA, normal, 0.5 * dist);
  setHit(hit, x->a, middle, normal, dist);
  return dist;
}

int mji_boxBox_betweenEdges(mjiHit* hit, const mjiBoxes* x, int i, int j, mjtNum depth) {
  return edgeGap(hit, x, i, j, depth) < mjMAXVAL;
}

mjtNum mji_boxBox_gap(mjiBoxGap* gap, const mjiBoxes* x, mjtNum rounding) {
  mjtNum corner[3], vector[3];
  gap->dist = mjMAXVAL;
  for (int second = 0; second < SIDES; second++) {
    for (int i = 0; i < CORNERS; i++) {
      cornerGap(vector, corner, x, second, i);
      gap->corner[second][i] = norm3(vector);
      gap->dist = fmin(gap->dist, gap->corner[second][i]);
    }
  }
  gap->edges = 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      mjiHit hit;
      mjtNum dist = edgeGap(&hit, x, i, j, rounding);
      if (dist >= gap->dist - rounding) continue;
      gap->dist = dist;
      gap->edges = 1;
      gap->between = hit;
    }
  }
  return gap->dist;
}

// nonzero if a contact lies where another one is
static int isRepeated(const mjiHit* hit, int n, mjtNum near) {
  for (int i = 0; i < n; i++) {
    if (dist3(hit[i].pos, hit[n].pos) <= near) return 1;
  }
  return 0;
}

int mji_boxBox_nearest(mjiHit* hit, const mjiBoxes* x, const mjiBoxGap* gap, const mjtNum fallback[3],
                       mjtNum rounding) {
  if (gap->edges) {
    hit[0] = gap->between;
    return 1;
  }
  int n = 0;
  for (int second = 0; second < SIDES; second++) {
    for (int i = 0; i < CORNERS; i++) {
      if (gap->corner[second][i] > gap->dist + rounding) continue;
      const mjiShape* other = second ? x->a : x->b;
      mjtNum corner[3], vector[3], dist = gap->corner[second][i];
      cornerGap(vector, corner, x, second, i);
      addScaled3(corner, corner, vector, -0.5);

      // the vector goes from the other box to the corner's
      scale3(vector, vector, (second ? 1 : -1) / fmax(dist, mjMINVAL));
      setHit(hit + n, other, corner, vector, dist);
      if (dist <= rounding) copy3(hit[n].normal, fallback);  // too short to have a direction
      if (!isRepeated(hit, n, rounding)) n++;
    }
  }
  return n;
}
