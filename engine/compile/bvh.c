// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Trees of bounding boxes: one per body over the geoms that can collide, in the inertial frame of the
// body, one per mesh over its faces, and one per flex over its elements, divided as they are at qpos0; steps fit the
// boxes of flexes. A tree over n leaves has 2n - 1 nodes, stored parent first, left
// subtree before right.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/bvh_split.h"
#include "compile/compile_flex.h"

// where the next node goes
typedef struct {
  mjModel* m;
  int next;
} Tree;

static int build(Tree* tree, mjiLeaf* leaf, int n, int depth) {
  mjModel* m = tree->m;
  int node = tree->next++;
  double box[6];
  mji_bvh_box(leaf, n, box);
  for (int k = 0; k < 3 && node < m->nbvhstatic; k++) {
    m->bvh_aabb[6 * node + k] = (box[3 + k] + box[k]) / 2;
    m->bvh_aabb[6 * node + 3 + k] = (box[3 + k] - box[k]) / 2;
  }
  m->bvh_depth[node] = depth;
  m->bvh_nodeid[node] = n == 1 ? leaf[0].id : -1;
  m->bvh_child[2 * node] = m->bvh_child[2 * node + 1] = -1;
  if (n == 1) return node;

  mji_bvh_divide(leaf, n, box);
  m->bvh_child[2 * node] = build(tree, leaf, n / 2, depth + 1);
  m->bvh_child[2 * node + 1] = build(tree, leaf + n / 2, n - n / 2, depth + 1);
  return node;
}

// children are numbered from the root of their tree
static void rebase(mjModel* m, int adr, int num) {
  for (int i = 2 * adr; i < 2 * (adr + num); i++) {
    if (m->bvh_child[i] >= 0) m->bvh_child[i] -= adr;
  }
}

// ---- bodies

static int isLeaf(const mjiElem* geom) { return geom->as.geom.contype || geom->as.geom.conaffinity; }

static int countLeaves(const mjiElem* body) {
  int n = 0;
  for (int i = 0; i < body->kid[MJI_KID_GEOM].num; i++) {
    n += isLeaf(mji_elem_at(body->kid + MJI_KID_GEOM, i));
  }
  return n;
}

// box of a geom, through its eight corners
static void placeGeom(mjiLeaf* leaf, const mjiElem* e, const double pos[3], const double quat[4]) {
  const mjsGeom* geom = &e->as.geom;
  const double* aabb = mji_geomInfo(e)->aabb;
  leaf->id = e->id;
  mju_trnVecPose(leaf->place, pos, quat, geom->pos);
  for (int corner = 0; corner < 8; corner++) {
    double v[3];
    for (int k = 0; k < 3; k++) v[k] = aabb[k] + (corner >> k & 1 ? aabb[3 + k] : -aabb[3 + k]);
    mju_trnVecPose(v, geom->pos, geom->quat, v);
    mju_trnVecPose(v, pos, quat, v);
    for (int k = 0; k < 3; k++) {
      leaf->box[k] = corner ? fmin(leaf->box[k], v[k]) : v[k];
      leaf->box[3 + k] = corner ? fmax(leaf->box[3 + k], v[k]) : v[k];
    }
  }
}

static void placeLeaves(mjiLeaf* leaf, const mjiElem* body) {
  double pos[3], quat[4];
  mju_negPose(pos, quat, body->as.body.ipos, body->as.body.iquat);
  for (int i = 0; i < body->kid[MJI_KID_GEOM].num; i++) {
    const mjiElem* geom = mji_elem_at(body->kid + MJI_KID_GEOM, i);
    if (isLeaf(geom)) placeGeom(leaf++, geom, pos, quat);
  }
}

static void packBody(mjiCompile* c, Tree* tree, int id) {
  mjModel* m = c->m;
  const mjiElem* body = mji_get(c, mjOBJ_BODY, id);
  int n = countLeaves(body);
  m->body_bvhnum[id] = n ? 2 * n - 1 : 0;
  m->body_bvhadr[id] = n ? tree->next : -1;
  if (!n) return;

  mjiLeaf* leaf = mji_vec_alloc((size_t)n * sizeof(mjiLeaf));
  placeLeaves(leaf, body);
  build(tree, leaf, n, 0);
  rebase(m, m->body_bvhadr[id], m->body_bvhnum[id]);
  free(leaf);
}

// ---- meshes

// center of the circle through three points; not a number if they lie on a line
static void circumcenter(double center[3], const double a[3], const double b[3], const double c[3]) {
  double ca[3], cb[3], n[3], arm[3], w[3];
  mju_sub3(ca, a, c);
  mju_sub3(cb, b, c);
  mju_cross(n, ca, cb);
  double length = mju_norm3(n), aa = mju_dot3(ca, ca), bb = mju_dot3(cb, cb);
  for (int k = 0; k < 3; k++) arm[k] = aa * cb[k] - bb * ca[k];
  mju_cross(w, arm, n);
  for (int k = 0; k < 3; k++) center[k] = w[k] / (2 * length * length) + c[k];
}

// Faces are divided by the centers of the circles through their corners. Their boxes are made from center and half
// sizes, so that they round as those of geoms do.
static void placeFace(mjiLeaf* leaf, const double* vert, const int face[3]) {
  const double *a = vert + 3 * face[0], *b = vert + 3 * face[1], *c = vert + 3 * face[2];
  for (int k = 0; k < 3; k++) {
    double lo = fmin(fmin(a[k], b[k]), c[k]), hi = fmax(fmax(a[k], b[k]), c[k]);
    double center = (hi + lo) / 2, half = (hi - lo) / 2;
    leaf->box[k] = center - half;
    leaf->box[3 + k] = center + half;
  }
  circumcenter(leaf->place, a, b, c);
}

static void packMesh(mjiCompile* c, Tree* tree, int id) {
  mjModel* m = c->m;
  const mjiMesh* mesh = mji_get(c, mjOBJ_MESH, id)->info;
  m->mesh_bvhnum[id] = mesh->nface ? 2 * mesh->nface - 1 : 0;
  m->mesh_bvhadr[id] = mesh->nface ? tree->next : -1;
  if (!mesh->nface) return;

  mjiLeaf* leaf = mji_vec_alloc((size_t)mesh->nface * sizeof(mjiLeaf));
  for (int f = 0; f < mesh->nface; f++) {
    leaf[f].id = f;
    placeFace(leaf + f, mesh->place, mesh->face + 3 * f);
  }
  build(tree, leaf, mesh->nface, 0);
  rebase(m, m->mesh_bvhadr[id], m->mesh_bvhnum[id]);
  free(leaf);
}

// ---- flexes

static int countElements(const mjiElem* e) {
  const mjiFlex* f = e->info;
  int n = 0;
  for (int i = 0; i < f->nelem; i++) n += mji_flex_isLeaf(e, i);
  return n;
}

// Boxes are wider than the vertices by the radius.
static void placeElement(mjiLeaf* leaf, const mjiFlex* f, int elem, double radius) {
  const int* v = f->elem + (f->dim + 1) * elem;
  for (int k = 0; k < 3; k++) {
    double lo = f->vertpos[3 * v[0] + k], hi = lo;
    for (int i = 1; i <= f->dim; i++) {
      // not fmin and fmax: GCC 12 for aarch64 stops with an internal error where it makes vectors of them
      double x = f->vertpos[3 * v[i] + k];
      lo = x < lo ? x : lo;
      hi = x > hi ? x : hi;
    }
    double center = (hi + lo) / 2, half = (hi - lo) / 2 + radius;
    leaf->box[k] = center - half;
    leaf->box[3 + k] = center + half;
    leaf->place[k] = center;
  }
  leaf->id = elem;
}

static void packFlex(mjiCompile* c, Tree* tree, int id) {
  mjModel* m = c->m;
  const mjiElem* e = mji_get(c, mjOBJ_FLEX, id);
  const mjiFlex* f = e->info;
  const int n = countElements(e);
  m->flex_bvhnum[id] = n ? 2 * n - 1 : 0;
  m->flex_bvhadr[id] = n ? tree->next : -1;
  if (!n) return;

  mjiLeaf *leaf = mji_vec_alloc((size_t)n * sizeof(mjiLeaf)), *to = leaf;
  for (int i = 0; i < f->nelem; i++) {
    if (mji_flex_isLeaf(e, i)) placeElement(to++, f, i, e->as.flex.radius);
  }
  build(tree, leaf, n, 0);
  rebase(m, m->flex_bvhadr[id], m->flex_bvhnum[id]);
  free(leaf);
}

int mji_bvh_countDynamic(const mjiCompile* c) {
  int total = 0;
  for (int i = 0; i < mji_count(c, mjOBJ_FLEX); i++) {
    const int n = countElements(mji_get(c, mjOBJ_FLEX, i));
    mji_sizes_add(&total, n ? 2 * (int64_t)n - 1 : 0);
  }
  return total;
}

int mji_bvh_count(const mjiCompile* c) {
  int total = 0;
  for (int i = 0; i < mji_count(c, mjOBJ_BODY); i++) {
    int n = countLeaves(mji_get(c, mjOBJ_BODY, i));
    total += n ? 2 * n - 1 : 0;
  }
  for (int i = 0; i < mji_count(c, mjOBJ_MESH); i++) {
    const mjiMesh* mesh = mji_get(c, mjOBJ_MESH, i)->info;
    total += mesh->nface ? 2 * mesh->nface - 1 : 0;
  }
  return total;
}

void mji_bvh_pack(mjiCompile* c) {
  Tree tree = {.m = c->m};
  for (int i = 0; i < c->m->nbody; i++) packBody(c, &tree, i);
  for (int i = 0; i < c->m->nmesh; i++) packMesh(c, &tree, i);
  for (int i = 0; i < c->m->nflex; i++) packFlex(c, &tree, i);
}
