// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rays against triangulated surfaces: meshes, height fields, skins.

#include "collide/ray_normal.h"
#include "collide/vec3.h"

// a ray with two directions across it
typedef struct Ray_ {
  mjtNum p[3], v[3];
  mjtNum across[2][3];
  mjiRayHit* hit;  // the nearest triangle so far, or NULL
} Ray;

static void setRay(Ray* ray, const mjtNum p[3], const mjtNum v[3]) {
  copy3(ray->p, p);
  copy3(ray->v, v);
  ray->hit = NULL;

  // complement of the largest component, then the cross product
  mjtNum* b = ray->across[0];
  if (fabs(v[0]) >= fabs(v[1]) && fabs(v[0]) >= fabs(v[2])) set3(b, v[1], -v[0], 0);
  else set3(b, 0, v[2], -v[1]);
  normalize3(b);
  cross3(ray->across[1], v, b);
  normalize3(ray->across[1]);
}

// the triangle seen along the ray must contain the origin; then meet its plane
static mjtNum rayTriangle(const Ray* ray, const mjtNum v0[3], const mjtNum v1[3], const mjtNum v2[3]) {
  mjtNum d[3][3], q[3][2];
  sub3(d[0], v0, ray->p);
  sub3(d[1], v1, ray->p);
  sub3(d[2], v2, ray->p);
  int positive = 0, negative = 0;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) q[i][k] = dot3(ray->across[k], d[i]);
  }
  for (int i = 0; i < 3; i++) {
    const mjtNum *a = q[i], *b = q[(i + 1) % 3];
    mjtNum turn = a[0] * b[1] - a[1] * b[0];
    positive |= turn > 0;
    negative |= turn < 0;
  }
  if (positive && negative) return -1;

  mjtNum e1[3], e2[3], normal[3];
  sub3(e1, v1, v0);
  sub3(e2, v2, v0);
  cross3(normal, e1, e2);
  mjtNum slope = dot3(ray->v, normal);
  if (fabs(slope) < mjMINVAL) return -1;
  mjtNum x = dot3(d[0], normal) / slope;
  if (ray->hit && x >= 0 && (ray->hit->x < 0 || x < ray->hit->x)) {
    ray->hit->x = x;
    copy3(ray->hit->normal, normal);
  }
  return x >= 0 ? x : -1;
}

mjtNum mji_rayTriangle(const mjtNum pnt[3], const mjtNum vec[3], const mjtNum v0[3], const mjtNum v1[3],
                       const mjtNum v2[3]) {
  Ray ray;
  setRay(&ray, pnt, vec);
  return rayTriangle(&ray, v0, v1, v2);
}

static mjtNum least(mjtNum a, mjtNum b) { return a < b ? a : b; }
static mjtNum most(mjtNum a, mjtNum b) { return a > b ? a : b; }
static mjtNum nearer(mjtNum best, mjtNum x) { return x >= 0 && (best < 0 || x < best) ? x : best; }

static void vertex(mjtNum r[3], const float* v, int i) { set3(r, v[3 * i], v[3 * i + 1], v[3 * i + 2]); }

// in the frame of a geom
static void localRay(Ray* ray, const mjData* d, int geom, const mjtNum pnt[3], const mjtNum vec[3], mjiRayHit* hit) {
  mjtNum offset[3], p[3], v[3];
  sub3(offset, pnt, d->geom_xpos + 3 * geom);
  rotateBack3(p, d->geom_xmat + 9 * geom, offset);
  rotateBack3(v, d->geom_xmat + 9 * geom, vec);
  setRay(ray, p, v);
  ray->hit = hit;
  if (hit) *hit = (mjiRayHit){-1, {0}};
}

// part lo .. hi of the ray where its coordinate k lies within from .. to; empty if lo > hi
static void clipRay(const Ray* ray, int k, mjtNum from, mjtNum to, mjtNum* lo, mjtNum* hi) {
  if (fabs(ray->v[k]) < mjMINVAL) {
    if (ray->p[k] < from || ray->p[k] > to) *hi = *lo - 1;
    return;
  }
  mjtNum a = (from - ray->p[k]) / ray->v[k], b = (to - ray->p[k]) / ray->v[k];
  *lo = most(*lo, least(a, b));
  *hi = least(*hi, most(a, b));
}

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

mjtNum mji_rayMesh(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3],
                   mjiRayHit* hit) {
  if (m->geom_type[geomid] != mjGEOM_MESH) mju_error("mj_rayMesh: geom %d is not a mesh", geomid);
  const mjtNum* aabb = m->geom_aabb + 6 * geomid;
  int mesh = m->geom_dataid[geomid], tree = m->mesh_bvhadr[mesh];
  Ray ray;
  localRay(&ray, d, geomid, pnt, vec, hit);

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
  return mji_rayMesh(m, d, geomid, pnt, vec, NULL);
}

// ---- height fields

typedef struct Field_ {
  const float* height;
  const mjtNum* size;
  int nrow, ncol;
} Field;

static void fieldPoint(mjtNum p[3], const Field* f, int row, int col) {
  set3(p, 2 * f->size[0] / (f->ncol - 1) * col - f->size[0], 2 * f->size[1] / (f->nrow - 1) * row - f->size[1],
       (mjtNum)f->height[row * f->ncol + col] * f->size[2]);
}

// nearest of 0 .. n; NaN gives 0
static int cellIndex(mjtNum x, int n) { return !(x > 0) ? 0 : x > n ? n : (int)x; }

// cells first .. end-1 of n along axis k that the ray passes over between lo and hi, and one more
// on either side
static void cellsBetween(const Ray* ray, const Field* f, int k, int n, mjtNum lo, mjtNum hi, int* first, int* end) {
  mjtNum scale = n / (2 * f->size[k]);
  mjtNum a = (ray->p[k] + lo * ray->v[k] + f->size[k]) * scale;
  mjtNum b = (ray->p[k] + hi * ray->v[k] + f->size[k]) * scale;
  *first = cellIndex(floor(least(a, b)) - 1, n);
  *end = cellIndex(floor(most(a, b)) + 2, n);
}

static mjtNum rayCell(const Ray* ray, const Field* f, int row, int col) {
  mjtNum p[2][2][3];
  for (int i = 0; i < 4; i++) fieldPoint(p[i / 2][i % 2], f, row + i / 2, col + i % 2);
  return nearer(rayTriangle(ray, p[0][0], p[1][1], p[1][0]), rayTriangle(ray, p[0][0], p[1][1], p[0][1]));
}

// whether the part a .. b of the ray that is over the cell comes between its lowest and its
// highest corner
static int meetsCell(const Ray* ray, const Field* f, int row, int col, mjtNum a, mjtNum b, mjtNum slack) {
  mjtNum width = 2 * f->size[0] / (f->ncol - 1), x = width * col - f->size[0];
  clipRay(ray, 0, x - slack, x + width + slack, &a, &b);
  if (a > b) return 0;
  const float *h = f->height + row * f->ncol + col, *g = h + f->ncol;
  mjtNum low = least(least(h[0], h[1]), least(g[0], g[1])) * f->size[2];
  mjtNum high = most(most(h[0], h[1]), most(g[0], g[1])) * f->size[2];
  mjtNum from = ray->p[2] + a * ray->v[2], to = ray->p[2] + b * ray->v[2];
  return most(from, to) >= low - slack && least(from, to) <= high + slack;
}

// walk the rows; in each, test the cells under the ray if the ray passes at their height
static mjtNum raySurface(const Ray* ray, const Field* f) {
  mjtNum best = -1, lo = 0, hi = mjMAXVAL, slack = 1e-6 * (f->size[0] + f->size[1] + f->size[2]);
  for (int k = 0; k < 2; k++) clipRay(ray, k, -f->size[k] - slack, f->size[k] + slack, &lo, &hi);
  clipRay(ray, 2, -slack, f->size[2] + slack, &lo, &hi);
  if (lo > hi) return -1;

  int row, lastrow;
  mjtNum height = 2 * f->size[1] / (f->nrow - 1);
  for (cellsBetween(ray, f, 1, f->nrow - 1, lo, hi, &row, &lastrow); row < lastrow; row++) {
    int col, lastcol;
    mjtNum a = lo, b = hi, y = height * row - f->size[1];
    clipRay(ray, 1, y - slack, y + height + slack, &a, &b);
    if (a > b) continue;
    for (cellsBetween(ray, f, 0, f->ncol - 1, a, b, &col, &lastcol); col < lastcol; col++) {
      if (meetsCell(ray, f, row, col, a, b, slack)) best = nearer(best, rayCell(ray, f, row, col));
    }
  }
  return best;
}

// height of the surface on its boundary, at coordinate t of axis k; `positive` selects the end of the other
// axis
static mjtNum boundaryHeight(const Field* f, int k, int positive, mjtNum t) {
  int n = k ? f->nrow : f->ncol;
  int stride = k ? f->ncol : 1;
  int start = k ? (positive ? f->ncol - 1 : 0) : positive ? (f->nrow - 1) * f->ncol : 0;
  if (n < 2) return f->height[start] * f->size[2];
  mjtNum at = (t + f->size[k]) / (2 * f->size[k]) * (n - 1);
  int i = cellIndex(at, n - 2);
  mjtNum z0 = f->height[start + i * stride], z1 = f->height[start + (i + 1) * stride];
  return ((1 - (at - i)) * z0 + (at - i) * z1) * f->size[2];
}

// the four walls between the base and the surface
static mjtNum rayWalls(const Ray* ray, const Field* f) {
  mjtNum best = -1;
  for (int k = 0; k < 2; k++) {
    if (fabs(ray->v[k]) <= mjMINVAL) continue;
    for (int side = -1; side <= 1; side += 2) {
      mjtNum x = (side * f->size[k] - ray->p[k]) / ray->v[k];
      mjtNum t = ray->p[1 - k] + x * ray->v[1 - k], z = ray->p[2] + x * ray->v[2];
      if (x < 0 || fabs(t) > f->size[1 - k] || z < 0) continue;
      if (z <= boundaryHeight(f, 1 - k, side > 0, t)) best = nearer(best, x);
    }
  }
  return best;
}

mjtNum mji_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3],
                     mjiRayHit* hit) {
  if (m->geom_type[geomid] != mjGEOM_HFIELD) {
    mju_error("mj_rayHfield: geom %d is not a height field", geomid);
  }
  static const mjtNum eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  int id = m->geom_dataid[geomid];
  Field f = {m->hfield_data + m->hfield_adr[id], m->hfield_size + 4 * id, m->hfield_nrow[id], m->hfield_ncol[id]};
  Ray ray;
  localRay(&ray, d, geomid, pnt, vec, hit);

  // base below z = 0
  mjtNum size[3] = {f.size[0], f.size[1], 0.5 * f.size[3]}, center[3] = {0, 0, -0.5 * f.size[3]};
  mjtNum best = mju_rayGeom(center, eye, size, ray.p, ray.v, mjGEOM_BOX);

  // relief above it
  set3(size, f.size[0], f.size[1], 0.5 * f.size[2] * (1 + 1e-6));
  set3(center, 0, 0, 0.5 * f.size[2]);
  if (mju_rayGeom(center, eye, size, ray.p, ray.v, mjGEOM_BOX) < 0) return best;
  best = nearer(best, raySurface(&ray, &f));
  return nearer(best, rayWalls(&ray, &f));
}

mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3]) {
  return mji_rayHfield(m, d, geomid, pnt, vec, NULL);
}

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
