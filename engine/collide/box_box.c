// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Box against box: separating axes, then the patch where the boxes meet.
//
// The axis of least penetration is a face normal of one box or the cross product of two edges. For a face
// normal, faceContacts clips the lowest face, edge or corner of the other box against the rectangle of the
// face. For two edges, edgeContacts takes the face beside the edge of the first box, and projects the face
// beside the edge of the second box onto it along the contact normal. Every point of the patch becomes a
// contact.
//
// Patches are computed in the frame of the rectangle: z is its outward normal, the rectangle lies
// in z = 0 and has half sizes rect[0] and rect[1].

#include "collide/box_box.h"

#include <string.h>

#include "collide/vec3.h"

// ---- frames

// rows are axes of the face frame in the box frame: the third is the outward normal of face 0..2
// (positive side) or 3..5 (negative side), the others permute the remaining axes
static const mjtNum faceFrame[6][9] = {{0, 0, -1, 0, 1, 0, 1, 0, 0}, {1, 0, 0, 0, 0, -1, 0, 1, 0},
                                       {1, 0, 0, 0, 1, 0, 0, 0, 1},  {0, 0, 1, 0, 1, 0, -1, 0, 0},
                                       {1, 0, 0, 0, 0, 1, 0, -1, 0}, {-1, 0, 0, 0, 1, 0, 0, 0, -1}};

static void mulMat(mjtNum r[9], const mjtNum a[9], const mjtNum b[9]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) r[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  }
}

static void transpose(mjtNum r[9], const mjtNum a[9]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) r[3 * i + j] = a[3 * j + i];
  }
}

// the other box relative to the frame of a face, whose rectangle lies in z = 0
void mji_boxBox_enterFace(mjiFaceFrame* f, const mjtNum size[3], int face, const mjtNum pos[3], const mjtNum rot[9]) {
  const mjtNum* turn = faceFrame[face];
  mjtNum turned[3];
  f->turn = turn;
  rotate3(f->pos, turn, pos);
  mulMat(f->rot, turn, rot);
  rotate3(turned, turn, size);
  for (int k = 0; k < 3; k++) f->rect[k] = fabs(turned[k]);
  f->pos[2] -= f->rect[2];
}

// turn the points of a patch into contacts; normal is in the face frame
static int leaveFace(mjiHit* hit, const mjiPatch* patch, const mjiFaceFrame* f, const mjiShape* owner,
                     const mjtNum normal[3]) {
  mjtNum back[9], mat[9];
  transpose(back, f->turn);
  mulMat(mat, owner->mat, back);
  for (int i = 0; i < patch->n; i++) {
    mjtNum point[3];
    copy3(point, patch->point[i]);
    point[2] += f->rect[2];
    hit[i].dist = patch->dist[i];
    rotate3(hit[i].pos, mat, point);
    add3(hit[i].pos, hit[i].pos, owner->pos);
    rotate3(hit[i].normal, mat, normal);
    set3(hit[i].tangent, 0, 0, 0);
  }
  return patch->n;
}

// ---- separating axes

static void relate(mjiBoxes* x, const mjiShape* a, const mjiShape* b) {
  mjtNum offset[3], aT[9];
  x->a = a;
  x->b = b;
  sub3(offset, b->pos, a->pos);
  rotateBack3(x->pos21, a->mat, offset);
  scale3(offset, offset, -1);
  rotateBack3(x->pos12, b->mat, offset);
  transpose(aT, a->mat);
  mulMat(x->rot, aT, b->mat);
  transpose(x->rotT, x->rot);
  for (int i = 0; i < 3; i++) {
    x->reach1[i] = x->reach2[i] = 0;
    for (int k = 0; k < 3; k++) {
      x->reach2[i] += fabs(x->rot[3 * i + k]) * b->size[k];
      x->reach1[i] += fabs(x->rotT[3 * i + k]) * a->size[k];
    }
  }
}

// Least sines of the angle between two edges. Below NOISE, the cross product of the edges consists of rounding errors.
// Below PARALLEL, its direction is uncertain: boxes count as separate only if a face normal separates them.
static const mjtNum NOISE = 1e-12, PARALLEL = 1e-8;

// axis of least penetration
typedef struct Axis_ {
  mjtNum depth;
  int owner;          // face of box 0 (a) or 1 (b); 2 for a pair of edges
  int face;           // 0..5
  mjtNum face_depth;  // of the best face normal, and its owner
  int face_owner;
  mjiEdgePair edges;
} Axis;

// try the face normals of one box; zero if one of them separates the boxes
static int tryFaces(Axis* axis, int owner, const mjtNum pos[3], const mjtNum size[3], const mjtNum reach[3],
                    mjtNum margin) {
  for (int i = 0; i < 3; i++) {
    mjtNum depth = -fabs(pos[i]) + size[i] + reach[i];
    if (depth < -margin) return 0;
    if (depth >= axis->depth) continue;
    axis->depth = depth;
    axis->owner = owner;
    axis->face = i + (pos[i] < 0 ? 3 : 0);
  }
  return 1;
}

// What rounding may add to the overlap along a direction, relative to the sizes that are summed.
static const mjtNum ROUNDING = 1e-13;

// Is the overlap along the cross product of two edges so large that tryEdges would change nothing? Most are, and this
// takes no root and no division: all numbers are those of the unit vector times its length.
static int isDeeper(const Axis* axis, const mjiBoxes* x, int i, int j, mjtNum margin) {
  int u = (i + 1) % 3, v = (i + 2) % 3, next = (j + 1) % 3, last = (j + 2) % 3;
  const mjtNum *R = x->rot, *size1 = x->a->size, *size2 = x->b->size;
  mjtNum nu = R[3 * v + j], nv = R[3 * u + j];  // the first with the other sign
  mjtNum along = fabs(x->pos21[v] * nv - x->pos21[u] * nu), reach = size1[u] * fabs(nu) + size1[v] * fabs(nv);
  reach += size2[next] * fabs(R[3 * i + last]) + size2[last] * fabs(R[3 * i + next]);
  mjtNum depth = reach - along - ROUNDING * (reach + along), least = axis->depth * (1 + 1e-11);
  return margin >= 0 && depth >= 0 && depth * depth >= least * least * (nu * nu + nv * nv);
}

// try the cross product of edge direction i of a and j of b; zero if it separates the boxes
static int tryEdges(Axis* axis, const mjiBoxes* x, int i, int j, mjtNum margin) {
  mjtNum unit[3] = {0}, dirB[3], normal[3];
  unit[i] = 1;
  axis3(dirB, x->rot, j);
  cross3(normal, unit, dirB);
  mjtNum length = norm3(normal);
  if (length < NOISE) return 1;  // parallel edges: the face normals decide
  scale3(normal, normal, 1 / length);

  // the normal in the frame of b: with e_i = unit, (e_i x b_j) . b_k = +-(e_i . b_m), m the third
  // axis
  mjtNum inB[3];
  int next = (j + 1) % 3, last = (j + 2) % 3;
  inB[j] = 0;
  inB[next] = x->rot[3 * i + last] / length;
  inB[last] = -x->rot[3 * i + next] / length;
  mjtNum along = dot3(x->pos21, normal), depth = -fabs(along);
  for (int k = 0; k < 3; k++) {
    depth += x->a->size[k] * fabs(normal[k]) + x->b->size[k] * fabs(inB[k]);
  }
  if (depth < -margin) return length < PARALLEL;
  if (depth >= axis->depth * (1 - 1e-12)) return 1;

  // the edge of each box that meets the other: sides away from the edge's own axis
  mjiEdgePair* e = &axis->edges;
  axis->depth = depth;
  axis->owner = 2;
  e->axis1 = i;
  e->axis2 = j;
  e->flip = along < 0;
  e->side1 = e->side2 = 0;
  copy3(e->normal, normal);
  for (int k = 0; k < 3; k++) {
    if (k != i && (normal[k] > 0) != e->flip) e->side1 |= 1 << k;
    // if the normal is perpendicular to axis k, both sides tie: take the one that a turn about the normal reaches first
    int below = k == next ? inB[k] <= 0 : inB[k] < 0;
    if (k != j && below != e->flip) e->side2 |= 1 << k;
  }
  return 1;
}

static int leastPenetration(Axis* axis, const mjiBoxes* x, mjtNum margin) {
  axis->depth = mjMAXVAL;
  if (!tryFaces(axis, 0, x->pos21, x->a->size, x->reach2, margin)) return 0;
  if (!tryFaces(axis, 1, x->pos12, x->b->size, x->reach1, margin)) return 0;
  axis->face_depth = axis->depth;
  axis->face_owner = axis->owner;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      if (!isDeeper(axis, x, i, j, margin) && !tryEdges(axis, x, i, j, margin)) return 0;
    }
  }
  return 1;
}

// ---- contacts

static int faceContacts(mjiHit* hit, const mjiBoxes* x, const Axis* axis, mjtNum grow, mjtNum margin) {
  int second = axis->owner == 1;
  const mjiShape* owner = second ? x->b : x->a;
  const mjiShape* other = second ? x->a : x->b;
  mjiFaceFrame f;
  mjiPatch patch = {0};
  mji_boxBox_enterFace(&f, owner->size, axis->face, second ? x->pos12 : x->pos21, second ? x->rotT : x->rot);
  for (int k = 0; k < 2; k++) f.rect[k] *= grow;
  mji_boxBox_facePatch(&patch, &f, other->size, margin);
  mjtNum normal[3] = {0, 0, second ? -1 : 1};
  return leaveFace(hit, &patch, &f, owner, normal);
}

static int edgeContacts(mjiHit* hit, const mjiBoxes* x, const Axis* axis, mjtNum grow, mjtNum margin) {
  mjiFaceFrame f;
  mjiPatch patch = {0};
  mjtNum normal[3];
  mji_boxBox_edgePatch(&patch, &f, normal, &axis->edges, x->a->size, x->b->size, x->pos21, x->rot, grow, margin);
  return leaveFace(hit, &patch, &f, x->a, normal);
}

// where a point lies: 1 outside of the box enlarged by one percent, -1 inside of the box shrunk likewise, 0 between
static int outside(const mjtNum point[3], const mjiShape* box, mjtNum margin) {
  mjtNum offset[3], local[3];
  sub3(offset, point, box->pos);
  rotateBack3(local, box->mat, offset);
  int inside = 1;
  for (int k = 0; k < 3; k++) {
    if (fabs(local[k]) > 1.01 * (box->size[k] + margin)) return 1;
    if (fabs(local[k]) > (box->size[k] + margin) / 1.01) inside = 0;
  }
  return inside ? -1 : 0;
}

// drop points far from one box and not deep in the other, and repeated points
static int cleanUp(mjiHit* hit, int n, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  int kept = 0;
  for (int i = 0; i < n; i++) {
    int out1 = outside(hit[i].pos, a, margin), out2 = outside(hit[i].pos, b, margin);
    int bad = (out1 == 1 && out2 != -1) || (out2 == 1 && out1 != -1);
    for (int j = 0; j < kept && !bad; j++) bad = !memcmp(hit[j].pos, hit[i].pos, sizeof hit[i].pos);
    if (!bad) hit[kept++] = hit[i];
  }
  return kept;
}

static int contacts(mjiHit* hit, const mjiBoxes* x, const Axis* axis, mjtNum grow, mjtNum margin) {
  int n = axis->owner < 2 ? faceContacts(hit, x, axis, grow, margin) : edgeContacts(hit, x, axis, grow, margin);
  return cleanUp(hit, n, x->a, x->b, margin);
}

// the axis as a unit vector in the world, from the first box to the second
static void axisNormal(mjtNum normal[3], const mjiBoxes* x, const Axis* axis) {
  if (axis->owner == 2) {
    rotate3(normal, x->a->mat, axis->edges.normal);
    scale3(normal, normal, axis->edges.flip ? -1 : 1);
  } else {
    axis3(normal, axis->owner ? x->b->mat : x->a->mat, axis->face % 3);
    scale3(normal, normal, (axis->face >= 3) == axis->owner ? 1 : -1);
  }
}

// Keep the points that are at most as deep as the boxes, and none at all if none is as deep. Corners beside the
// rectangle of a patch may be deeper, because their distance is not measured along the normal. Where a box is deep in
// another, the patch may lie far from one of them, and its deepest points are dropped.
static int asDeepAs(mjiHit* hit, int n, mjtNum depth, mjtNum rounding) {
  int kept = 0, deepest = 0;
  for (int i = 0; i < n; i++) {
    if (hit[i].dist < -depth - rounding) continue;
    deepest |= hit[i].dist <= -depth + rounding;
    hit[kept++] = hit[i];
  }
  return deepest ? kept : 0;
}

// Drop points that do not lie over a box's face. The lowest corner of a patch may not.
static int overFace(mjiHit* hit, int n, const mjiShape* box, int face, mjtNum rounding) {
  int kept = 0;
  for (int i = 0; i < n; i++) {
    mjtNum offset[3], local[3];
    int over = 1;
    sub3(offset, hit[i].pos, box->pos);
    rotateBack3(local, box->mat, offset);
    for (int k = 0; k < 3; k++) over &= k == face % 3 || fabs(local[k]) <= box->size[k] + rounding;
    if (over) hit[kept++] = hit[i];
  }
  return kept;
}

// Contacts of boxes that are apart. If the nearest point of a face is inside of it, the patch on that face; if two
// edges are nearest, the patch on a face beside one: a wall that leans by a hair's breadth would otherwise stand on a
// point. No point of a patch may be nearer than the boxes are. Otherwise the points where the boxes are nearest: a
// patch would measure along a direction that is not the shortest way.
static int apartContacts(mjiHit* hit, const mjiBoxes* x, const Axis* axis, mjtNum rounding, mjtNum margin) {
  mjiBoxGap gap;
  mjtNum dist = mji_boxBox_gap(&gap, x, rounding), normal[3];
  if (dist > margin) return 0;
  if (!gap.edges && -axis->face_depth >= dist - rounding) {
    Axis face = *axis;
    face.owner = axis->face_owner;
    int n = contacts(hit, x, &face, 1, margin);
    n = asDeepAs(hit, overFace(hit, n, face.owner ? x->b : x->a, face.face, rounding), -dist, rounding);
    if (n) return n;
  }
  if (gap.edges && axis->owner == 2 && -axis->depth >= dist - rounding) {
    int n = asDeepAs(hit, contacts(hit, x, axis, 1, margin), -dist, rounding);
    if (n) return n;
  }
  axisNormal(normal, x, axis);
  return mji_boxBox_nearest(hit, x, &gap, normal, rounding);
}

int mji_pair_boxBox(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  mjiBoxes x;
  Axis axis;
  relate(&x, a, b);
  if (!leastPenetration(&axis, &x, margin)) return 0;
  mjtNum rounding = 1e-9 * (norm3(a->size) + norm3(b->size));
  if (axis.depth < 0) return apartContacts(hit, &x, &axis, rounding, margin);
  int n = asDeepAs(hit, contacts(hit, &x, &axis, 1, margin), axis.depth, rounding);

  // Two boxes of equal width can meet edge on edge. Rounding then decides whether the corners lie in the rectangle, and
  // may leave no contact although the boxes overlap. So try again with a rectangle that is slightly larger.
  if (n || axis.depth == 0) return n;
  n = asDeepAs(hit, contacts(hit, &x, &axis, 1 + 1e-9, margin), axis.depth, rounding);
  if (n) return n;

  // A patch that lies far from one of the boxes has lost its deepest points.
  const mjiEdgePair* e = &axis.edges;
  if (axis.owner == 2 && mji_boxBox_betweenEdges(hit, &x, e->axis1, e->axis2, axis.depth + rounding)) return 1;
  return mji_pair_convex(hit, a, b, margin);
}
