// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rays against signed distance fields: go on by the distance until there is none left, or the ray has left the box
// around the geom. A ray that starts inside meets nothing, as in the reference.

#include "collide/ray_normal.h"
#include "collide/sdf.h"
#include "collide/vec3.h"

enum { STEPS = 1000 };  // of a ray along a surface

mjtNum mji_raySdf(const mjiShape* shape, const mjtNum pnt[3], const mjtNum vec[3], mjtNum normal[3]) {
  static const mjtNum eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const mjtNum* aabb = shape->m->geom_aabb + 6 * shape->geom;
  mjiField field;
  mjtNum offset[3], p[3], v[3], size[3], x[3];
  sub3(offset, pnt, shape->pos);
  rotateBack3(p, shape->mat, offset);
  rotateBack3(v, shape->mat, vec);
  scale3(size, aabb + 3, 1 + 1e-6);
  if (mju_rayGeom(aabb, eye, size, p, v, mjGEOM_BOX) < 0) return -1;

  mji_field_init(&field, shape);
  mjtNum length = normalize3(v), reach = dist3(p, aabb) + norm3(size), tolerance = 1e-9 * norm3(size), far = 0;
  for (int i = 0; i < STEPS && far <= reach; i++) {
    addScaled3(x, p, v, far);
    mjtNum dist = mji_field_distance(&field, x);
    if (!(dist >= (i ? -mjMAXVAL : 0))) return -1;
    if (fabs(dist) < tolerance) {
      if (normal) mji_field_gradient(&field, normal, x);
      return far / length;
    }
    far += dist;
  }
  return -1;
}
