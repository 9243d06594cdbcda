// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rays against flexes: balls around vertices, capsules around edges, and the faces of elements, which have no
// thickness.

#include "collide/ray_normal.h"
#include "collide/vec3.h"
#include "model/flex_parts.h"

// a ray, and its nearest hit so far
typedef struct {
  const mjtNum *pnt, *vec;
  mjtNum best;
  int vert;
} Ray;

// keep a hit if it is nearer; its vertex is the one of n that is nearest to the point
static void offer(Ray* ray, mjtNum x, const mjtNum* xpos, const int* vert, int n) {
  if (x < 0 || (ray->best >= 0 && x >= ray->best)) return;
  ray->best = x;
  mjtNum point[3], closest = mjMAXVAL;
  addScaled3(point, ray->pnt, ray->vec, x);
  for (int i = 0; i < n; i++) {
    mjtNum dist = dist3(point, xpos + 3 * vert[i]);
    if (dist >= closest) continue;
    closest = dist;
    ray->vert = vert[i];
  }
}

static void vertices(Ray* ray, const mjModel* m, int f, const mjtNum* xpos) {
  for (int v = 0; v < m->flex_vertnum[f]; v++) {
    offer(ray, mju_rayGeom(xpos + 3 * v, NULL, &m->flex_radius[f], ray->pnt, ray->vec, mjGEOM_SPHERE), xpos, &v, 1);
  }
}

static void edges(Ray* ray, const mjModel* m, int f, const mjtNum* xpos) {
  for (int e = 0; e < m->flex_edgenum[f]; e++) {
    const int* vert = m->flex_edge + 2 * (m->flex_edgeadr[f] + e);
    const mjtNum *a = xpos + 3 * vert[0], *b = xpos + 3 * vert[1];
    mjtNum axis[3], quat[4], mat[9], middle[3];
    sub3(axis, b, a);
    add3(middle, a, b);
    scale3(middle, middle, 0.5);
    mjtNum size[3] = {m->flex_radius[f], 0.5 * normalize3(axis), 0};
    mju_quatZ2Vec(quat, axis);
    mju_quat2Mat(mat, quat);
    offer(ray, mju_rayGeom(middle, mat, size, ray->pnt, ray->vec, mjGEOM_CAPSULE), xpos, vert, 2);
  }
}

// faces of triangles, and of the tetrahedra of one layer
static void faces(Ray* ray, const mjModel* m, int f, int layer, const mjtNum* xpos) {
  static const int kFace[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
  int dim = m->flex_dim[f], nface = dim == 3 ? 4 : 1;
  const int* elem = m->flex_elem + m->flex_elemdataadr[f];
  for (int e = 0; e < m->flex_elemnum[f]; e++, elem += dim + 1) {
    if (dim == 3 && m->flex_elemlayer[m->flex_elemadr[f] + e] != layer) continue;
    for (int i = 0; i < nface; i++) {
      int vert[3];
      for (int k = 0; k < 3; k++) vert[k] = elem[kFace[i][k]];
      mjtNum x = mji_rayTriangle(ray->pnt, ray->vec, xpos + 3 * vert[0], xpos + 3 * vert[1], xpos + 3 * vert[2]);
      offer(ray, x, xpos, vert, 3);
    }
  }
}

mjtNum mju_rayFlex(const mjModel* m, const mjData* d, int flex_layer, mjtByte flg_vert, mjtByte flg_edge,
                   mjtByte flg_face, mjtByte flg_skin, int flexid, const mjtNum pnt[3], const mjtNum vec[3],
                   int vertid[1]) {
  if (flexid < 0 || flexid >= m->nflex) {
    mju_error("mju_rayFlex: there is no flex %d", flexid);
    return -1;
  }
  if (norm3(vec) < mjMINVAL) {
    mju_error("mju_rayFlex: ray direction is too small");
    return -1;
  }
  Ray ray = {pnt, vec, -1, -1};
  const mjtNum* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flexid];

  // the skin is the outer faces and all edges; ropes have neither
  int skin = flg_skin && m->flex_dim[flexid] > 1, face = flg_face && m->flex_dim[flexid] > 1;
  if (flg_vert) vertices(&ray, m, flexid, xpos);
  if (flg_edge || skin) edges(&ray, m, flexid, xpos);
  if (face || skin) faces(&ray, m, flexid, skin ? 0 : flex_layer, xpos);
  if (vertid && ray.vert >= 0) *vertid = ray.vert;
  return ray.best;
}
