// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// More contacts of a convex pair (mjENBL_MULTICCD), by tilting: the shapes are turned against each
// other a little about the first contact, around both tangents and both ways, so that another part
// of a common face or edge becomes the deepest.

#include "collide/convex.h"
#include "collide/vec3.h"

static const mjtNum TILT = 1e-3;   // angle
static const mjtNum CLOSE = 1e-3;  // contacts closer than this part of the smaller bounding radius are one

// the shape rotated about an axis through a point
static void tilt(mjiShape* r, const mjiShape* shape, const mjtNum point[3], const mjtNum axis[3], mjtNum angle) {
  mjtNum quat[4], mat[9], offset[3], turned[3];
  mju_axisAngle2Quat(quat, axis, angle);
  mju_quat2Mat(mat, quat);
  *r = *shape;
  sub3(offset, shape->pos, point);
  rotate3(turned, mat, offset);
  add3(r->pos, turned, point);
  mju_mulMatMat(r->mat, mat, shape->mat, 3, 3, 3);
}

static int known(const mjiHit* hit, int n, const mjtNum pos[3], mjtNum close) {
  for (int i = 0; i < n; i++) {
    if (dist3(hit[i].pos, pos) <= close) return 1;
  }
  return 0;
}

int mji_convex_tilted(mjiHit* hit, const mjiShape* a, const mjiShape* b, const mjtNum tangent[2][3], mjtNum margin) {
  const mjModel* m = a->m;
  mjtNum r1 = m->geom_rbound[a->geom], r2 = m->geom_rbound[b->geom];
  mjtNum close = CLOSE * (r1 < r2 ? r1 : r2);
  int n = 1;
  for (int i = 0; i < 4; i++) {
    mjiShape s1, s2;
    mjiConvex c1, c2;
    const mjtNum* axis = tangent[i / 2];
    mjtNum angle = i % 2 ? TILT : -TILT;
    tilt(&s1, a, hit[0].pos, axis, angle);
    tilt(&s2, b, hit[0].pos, axis, -angle);
    mji_support_init(&c1, &s1, 0.5 * margin);
    mji_support_init(&c2, &s2, 0.5 * margin);
    if (!mji_convex_penetrate(hit + n, m, &c1, &c2, margin)) continue;
    if (known(hit, n, hit[n].pos, close)) continue;
    hit[n].dist = hit[0].dist;
    n++;
  }
  return n;
}
