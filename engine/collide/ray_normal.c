// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Normals of surfaces at points that rays hit. All is in the frame of the geom; q is the point.

#include <math.h>

#include "collide/ray_normal.h"

#include "collide/pair.h"
#include "collide/vec3.h"

// the face of a box that the point is nearest to
static void boxNormal(mjtNum normal[3], const mjtNum size[3], const mjtNum q[3]) {
  int best = 0;
  for (int k = 1; k < 3; k++) {
    if (fabs(fabs(q[k]) - size[k]) < fabs(fabs(q[best]) - size[best])) best = k;
  }
  set3(normal, 0, 0, 0);
  normal[best] = q[best] < 0 ? -1 : 1;
}

static void cylinderNormal(mjtNum normal[3], const mjtNum size[3], const mjtNum q[3]) {
  mjtNum side = fabs(sqrt(q[0] * q[0] + q[1] * q[1]) - size[0]), end = fabs(fabs(q[2]) - size[1]);
  if (end < side) set3(normal, 0, 0, q[2] < 0 ? -1 : 1);
  else set3(normal, q[0], q[1], 0);
}

// what is hit of a height field beside its triangles: the walls above the base, or the base
static void fieldNormal(mjtNum normal[3], const mjtNum size[4], const mjtNum q[3]) {
  mjtNum half[3] = {size[0], size[1], q[2] > 0 ? mjMAXVAL : 0.5 * size[3]};
  mjtNum point[3] = {q[0], q[1], q[2] > 0 ? 0 : q[2] + half[2]};
  boxNormal(normal, half, point);
}

static void shapeNormal(mjtNum normal[3], int type, const mjtNum size[3], const mjtNum q[3]) {
  copy3(normal, q);
  switch (type) {
    case mjGEOM_PLANE: set3(normal, 0, 0, 1); break;
    case mjGEOM_CAPSULE: normal[2] = q[2] - clip1(q[2], -size[1], size[1]); break;
    case mjGEOM_CYLINDER: cylinderNormal(normal, size, q); break;
    case mjGEOM_BOX: boxNormal(normal, size, q); break;
    case mjGEOM_ELLIPSOID:
      for (int k = 0; k < 3; k++) normal[k] /= size[k] * size[k];
      break;
    default: break;
  }
}

static void geomNormal(mjtNum normal[3], const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
                       const mjtNum vec[3], mjtNum x) {
  const mjtNum *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  int type = m->geom_type[geom], field = type == mjGEOM_HFIELD;
  mjtNum hit[3], offset[3], q[3], local[3];
  addScaled3(hit, pnt, vec, x);
  sub3(offset, hit, pos);
  rotateBack3(q, mat, offset);
  if (type == mjGEOM_SDF) {
    mjiShape shape;
    mji_pair_shape(&shape, m, d, geom);
    mji_raySdf(&shape, pnt, vec, local);
  } else if (field || type == mjGEOM_MESH) {
    mjiRayHit triangle;
    if (field) mji_rayHfield(m, d, geom, pnt, vec, -1, &triangle);
    else mji_rayMesh(m, geom, pos, mat, pnt, vec, &triangle);
    if (field && triangle.x != x) fieldNormal(local, m->hfield_size + 4 * m->geom_dataid[geom], q);
    else scale3(local, triangle.normal, field && triangle.normal[2] < 0 ? -1 : 1);
  } else {
    shapeNormal(local, type, m->geom_size + 3 * geom, q);
  }
  normalize3(local);
  rotate3(normal, mat, local);
}

mjtNum mji_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3], int bodyexclude,
               int geomid[1], mjtNum normal[3]) {
  mjtNum x = mj_ray(m, d, pnt, vec, NULL, 1, bodyexclude, geomid);
  set3(normal, 0, 0, 0);
  if (x >= 0) geomNormal(normal, m, d, *geomid, pnt, vec, x);
  return x;
}
