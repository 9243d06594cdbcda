// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rays against meshes and skins.

#include "collide/ray_triangle.h"

mjtNum mji_rayTriangle(const mjtNum pnt[3], const mjtNum vec[3], const mjtNum v0[3], const mjtNum v1[3],
                       const mjtNum v2[3]) {
  Ray ray;
  setRay(&ray, pnt, vec);
  return rayTriangle(&ray, v0, v1, v2);
}

static void vertex(mjtNum r[3], const float* v, int i) { set3(r, v[3 * i], v[3 * i + 1], v[3 * i + 2]); }

// ---- meshes

typedef struct Faces_ {
  const float* vert;
  const int* face;
  int nface;
  const mjtNum* box;  // of the nodes of the tree over the faces: centre and half sizes
  const int *child, *leaf;
  int nnode;
  mjtNum slack;  // boxes are enlarged by this, because coordinates have rounding errors
} Faces;

enum { WAITING = 64 };  // a balanced tree needs one place for each level

static mjtNum rayFace(const Ray* ray, const Faces* f, int i) {
  mjtNum v[3][3];
  for (int k = 0; k < 3; k++) vertex(v[k], f->vert, f->face[3 * i + k]);
  return rayTriangle(ray, v[0], v[1], v[2]);
}

static mjtNum rayAllFaces(const Ray* ray, const Faces* f) {
  mjtNum best = -1;
  for (int i = 0; i < f->nface; i++) best = nearer(best, rayFace(ray, f, i));
  return best;
}

// whether the ray enters the box of a node before the nearest hit so far
static int meetsBox(const Ray* ray, const Faces* f, int node, mjtNum best) {
  const mjtNum *center = f->box + 6 * node, *half = center + 3;
  mjtNum lo = 0, hi = best < 0 ? mjMAXVAL : best;
  for (int k = 0; k < 3; k++) {
    mjtNum reach = half[k] + f->slack;
    clipRay(ray, k, center[k] - reach, center[k] + reach, &lo, &hi);
  }
  return lo <= hi;
}

// walk depth first; the right children wait
static mjtNum rayTree(const Ray* ray, const Faces* f) {
  int wait[WAITING] = {0}, nwait = 1;
  mjtNum best = -1;
  while (nwait) {
    int node = wait[--nwait];
    if (!meetsBox(ray, f, node, best)) continue;
    if (f->leaf[node] >= 0) {
      best = nearer(best, rayFace(ray, f, f->leaf[node]));
    } else if (nwait + 2 > WAITING) {
      return rayAllFaces(ray, f);
    } else {
      wait[nwait++] = f->child[2 * node + 1];
      wait[nwait++] = f->child[2 * node];
    }
  }
  return best;
}

mjtNum mji_rayMesh(const mjModel* m, int geomid, const mjtNum pos[3], const mjtNum mat[9], const mjtNum pnt[3],
                   const mjtNum vec[3], mjiRayHit* hit) {
  const mjtNum* aabb = m->geom_aabb + 6 * geomid;
  int mesh = m->geom_dataid[geomid], tree = m->mesh_bvhadr[mesh];
  Ray ray;
  localRay(&ray, pos, mat, pnt, vec, hit);

  // bounding box
  static const mjtNum eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  mjtNum size[3];
  scale3(size, aabb + 3, 1 + 1e-6);
  if (mju_rayGeom(aabb, eye, size, ray.p, ray.v, mjGEOM_BOX) < 0) return -1;

  Faces f = {m->mesh_vert + 3 * m->mesh_vertadr[mesh],
             m->mesh_face + 3 * m->mesh_faceadr[mesh],
             m->mesh_facenum[mesh],
             NULL,
             NULL,
             NULL,
             m->mesh_bvhnum[mesh],
             1e-6 * (aabb[3] + aabb[4] + aabb[5])};
  if (tree < 0 || !f.nnode) return rayAllFaces(&ray, &f);
  f.box = m->bvh_aabb + 6 * tree;
  f.child = m->bvh_child + 2 * tree;
  f.leaf = m->bvh_nodeid + tree;
  return rayTree(&ray, &f);
}

mjtNum mj_rayMesh(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3]) {
  if (m->geom_type[geomid] != mjGEOM_MESH) mju_error("mj_rayMesh: geom %d is not a mesh", geomid);
  return mji_rayMesh(m, geomid, d->geom_xpos + 3 * geomid, d->geom_xmat + 9 * geomid, pnt, vec, NULL);
}

// ---- skins

mjtNum mju_raySkin(int nface, int nvert, const int* face, const float* vert, const mjtNum pnt[3], const mjtNum vec[3],
                   int vertid[1]) {
  (void)nvert;
  Ray ray;
  setRay(&ray, pnt, vec);
  mjtNum best = -1;
  if (vertid) *vertid = -1;
  for (int i = 0; i < nface; i++) {
    mjtNum v[3][3], point[3];
    for (int k = 0; k < 3; k++) vertex(v[k], vert, face[3 * i + k]);
    mjtNum x = rayTriangle(&ray, v[0], v[1], v[2]);
    if (x < 0 || (best >= 0 && x >= best)) continue;
    best = x;

    // the corner nearest to the point that was hit
    addScaled3(point, pnt, vec, x);
    mjtNum closest = mjMAXVAL;
    for (int k = 0; k < 3 && vertid; k++) {
      mjtNum dist = dist3(point, v[k]);
      if (dist < closest) {
        closest = dist;
        *vertid = face[3 * i + k];
      }
    }
  }
  return best;
}
