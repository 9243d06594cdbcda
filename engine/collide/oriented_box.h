// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which lanes a pair cannot touch in, by boxes in the frames of the two geoms, over V.
//
// Narrow phases that run lane by lane are dear, and long or flat geoms are often inside of each other's bounding
// spheres without being near. A geom lies inside of an oriented box, rounded by a radius (a capsule is a segment, a
// ball a point). Two boxes are apart if the box of one, in the frame of the other, leaves a gap, or if they are apart
// along a cross product of their axes. The test leaves room for the tolerances of iterative pair functions, so it only
// ever says "no contact" where there is none, and changes no result.
#ifndef SHEAF_COLLIDE_ORIENTED_BOX_H_
#define SHEAF_COLLIDE_ORIENTED_BOX_H_

#include <mujoco/mujoco.h>

#include "collide/round.h"

typedef struct LANE(OrientedBox_) {
  V center[3];
  V half[3];
  V round;
  const V* mat;
} LANE(OrientedBox);

// of the sizes of both boxes: how far beyond the margin a pair must be to be left out
static const mjtNum ORIENTED_BOX_ROOM = 1e-3;

static inline void orientedBox(LANE(OrientedBox)* box, const LANE(Shape)* s) {
  V size[3] = {v_num(s->size[0]), v_num(s->size[1]), v_num(s->size[2])}, none = v_zero();
  box->mat = s->mat;
  box->round = none;
  for (int k = 0; k < 3; k++) {
    box->center[k] = s->pos[k];
    box->half[k] = size[k];
  }
  if (s->type == mjGEOM_SPHERE || s->type == mjGEOM_CAPSULE) {
    box->round = size[0];
    box->half[0] = box->half[1] = none;
    box->half[2] = s->type == mjGEOM_CAPSULE ? size[1] : none;
  } else if (s->type == mjGEOM_CYLINDER) {
    box->half[1] = size[0];
    box->half[2] = size[1];
  } else if (s->type == mjGEOM_MESH) {
    const mjtNum* aabb = s->m->geom_aabb + 6 * s->geom;
    for (int k = 0; k < 3; k++) {
      box->half[k] = v_set1(aabb[3 + k]);
      box->center[k] =
          s->pos[k] + (s->mat[3 * k] * aabb[0] + s->mat[3 * k + 1] * aabb[1] + s->mat[3 * k + 2] * aabb[2]);
    }
  }
}

// does the volume of a geom have such a box? Height fields make contacts with what is over their prisms
static inline int hasOrientedBox(int type) {
  return type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_ELLIPSOID || type == mjGEOM_CYLINDER ||
         type == mjGEOM_BOX || type == mjGEOM_MESH;
}

static inline V sumOf(const V x[3]) { return x[0] + x[1] + x[2]; }

// lanes in which a box may reach a plane
static inline M boxMeetsPlane(const LANE(Shape)* plane, const LANE(OrientedBox)* b, N margin) {
  V normal[3];
  laneAxis(normal, plane->mat, 2);
  V height = heightOver(plane, normal, b->center), reach = b->round + v_num(margin);
  for (int i = 0; i < 3; i++) {
    V axis[3];
    laneAxis(axis, b->mat, i);
    reach = reach + b->half[i] * v_abs(laneDot(axis, normal));
  }
  return ~v_gt(height, reach + ORIENTED_BOX_ROOM * (sumOf(b->half) + b->round));
}

// squared distance of two boxes with the same axes, whose centers are `offset` apart
static inline V alignedGap2(const V offset[3], const V half0[3], const V half1[3]) {
  V gap2 = v_zero();
  for (int k = 0; k < 3; k++) {
    V gap = v_max(v_abs(offset[k]) - half0[k] - half1[k], v_zero());
    gap2 = gap2 + gap * gap;
  }
  return gap2;
}

// lanes in which two boxes may be closer than margin
static inline M boxesMeet(const LANE(OrientedBox)* a, const LANE(OrientedBox)* b, N margin) {
  V offset[3] = {b->center[0] - a->center[0], b->center[1] - a->center[1], b->center[2] - a->center[2]};
  V turn[3][3], size[3][3], in_a[3], in_b[3], around_a[3], around_b[3];
  for (int i = 0; i < 3; i++) {
    V axis[3], other[3];
    laneAxis(axis, a->mat, i);
    in_a[i] = laneDot(axis, offset);
    for (int j = 0; j < 3; j++) {
      laneAxis(other, b->mat, j);
      turn[i][j] = laneDot(axis, other);
      size[i][j] = v_abs(turn[i][j]);
    }
  }
  for (int i = 0; i < 3; i++) {
    V axis[3];
    laneAxis(axis, b->mat, i);
    in_b[i] = laneDot(axis, offset);
    around_b[i] = size[i][0] * b->half[0] + size[i][1] * b->half[1] + size[i][2] * b->half[2];
    around_a[i] = size[0][i] * a->half[0] + size[1][i] * a->half[1] + size[2][i] * a->half[2];
  }

  // the box of each in the frame of the other
  V room = ORIENTED_BOX_ROOM * (sumOf(a->half) + sumOf(b->half) + a->round + b->round);
  V reach = v_max(v_num(margin), v_zero()) + a->round + b->round + room, reach2 = reach * reach;
  M meet = ~(v_gt(alignedGap2(in_a, a->half, around_b), reach2) | v_gt(alignedGap2(in_b, around_a, b->half), reach2));
  if (!m_any(meet)) return meet;

  // cross products of their axes, which are no longer than one: the reach need not be made shorter
  for (int i = 0; i < 3; i++) {
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; j++) {
      int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      V apart = v_abs(in_a[i2] * turn[i1][j] - in_a[i1] * turn[i2][j]);
      V extent = a->half[i1] * size[i2][j] + a->half[i2] * size[i1][j];
      extent = extent + (b->half[j1] * size[i][j2] + b->half[j2] * size[i][j1]);
      meet &= ~v_gt(apart, extent + reach);
    }
  }
  return meet;
}

// The lanes of near in which two geoms may touch. All of them for geoms without such a box.
static inline M orientedBoxesMeet(const LANE(Shape)* a, const LANE(Shape)* b, N margin, M near) {
  if (!hasOrientedBox(b->type) || !(hasOrientedBox(a->type) || a->type == mjGEOM_PLANE)) return near;
  LANE(OrientedBox) box[2];
  orientedBox(&box[1], b);
  if (a->type == mjGEOM_PLANE) return near & boxMeetsPlane(a, &box[1], margin);
  orientedBox(&box[0], a);
  return near & boxesMeet(&box[0], &box[1], margin);
}

#endif  // SHEAF_COLLIDE_ORIENTED_BOX_H_
