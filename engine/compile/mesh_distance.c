// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Signed distance of points to a mesh.
//
// The nearest triangle is found in a tree of bounding boxes. The sign is that of the side of the normal at the nearest
// point. At an edge it is the sum of the normals of both faces, at a vertex the sum weighted by the angles of the faces
// there: with these sums the sign is right for every closed mesh (Baerentzen and Aanaes, 2005).

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "compile/mesh_distance.h"

enum { LEAF = 4, WAITING = 128 };

typedef struct Node_ {
  double lo[3], hi[3];
  int first, num;  // triangles of a leaf; num is 0 for others
  int child;       // the first of two
} Node;

typedef struct Edge_ {
  int a, b;
  int face, side;
} Edge;

struct mjiMeshDistance_ {
  const double* vert;
  const int* face;
  double* normal;      // (nface x 3), of length one, or zero for faces without area
  double* edgenormal;  // (nface x 3 x 3): side k goes from corner k to the next
  double* vertnormal;  // (nvert x 3)
  int* order;          // triangles in the order of the leaves
  Node* node;
  int nnode;
};

// ---- normals

static int compareEdges(const void* x, const void* y) {
  const Edge *a = x, *b = y;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  if (a->b != b->b) return a->b < b->b ? -1 : 1;
  return a->face < b->face ? -1 : a->face > b->face;
}

static void addTo(double sum[3], const double x[3], double weight) { mju_addToScl3(sum, x, weight); }

static void faceNormals(mjiMeshDistance* d, int nface) {
  for (int f = 0; f < nface; f++) {
    const double* v[3] = {d->vert + 3 * d->face[3 * f], d->vert + 3 * d->face[3 * f + 1],
                          d->vert + 3 * d->face[3 * f + 2]};
    double side[3][3], *normal = d->normal + 3 * f;
    for (int k = 0; k < 3; k++) mju_sub3(side[k], v[(k + 1) % 3], v[k]);
    mju_cross(normal, side[0], side[1]);
    double length = mju_norm3(normal);
    mju_scl3(normal, normal, length > 0 ? 1 / length : 0);
    for (int k = 0; k < 3; k++) {
      const double *out = side[k], *in = side[(k + 2) % 3];
      double across[3];
      mju_cross(across, out, in);
      addTo(d->vertnormal + 3 * d->face[3 * f + k], normal, atan2(mju_norm3(across), -mju_dot3(out, in)));
    }
  }
}

// edges that have the same ends share the sum of the normals of their faces
static int edgeNormals(mjiMeshDistance* d, int nface) {
  size_t n = 3 * (size_t)nface;
  Edge* edge = malloc((n + 1) * sizeof *edge);
  if (!edge) return -1;
  for (int i = 0; i < 3 * nface; i++) {
    int a = d->face[i], b = d->face[i / 3 * 3 + (i + 1) % 3];
    edge[i] = (Edge){a < b ? a : b, a < b ? b : a, i / 3, i % 3};
  }
  qsort(edge, n, sizeof *edge, compareEdges);
  for (size_t i = 0, end; i < n; i = end) {
    double sum[3] = {0};
    for (end = i; end < n && edge[end].a == edge[i].a && edge[end].b == edge[i].b; end++) {
      addTo(sum, d->normal + 3 * edge[end].face, 1);
    }
    for (size_t k = i; k < end; k++) mju_copy3(d->edgenormal + 9 * edge[k].face + 3 * edge[k].side, sum);
  }
  free(edge);
  return 0;
}

// ---- tree

typedef struct Middle_ {
  double at;
  int face;
} Middle;

static int compareMiddles(const void* x, const void* y) {
  const Middle *a = x, *b = y;
  if (a->at != b->at) return a->at < b->at ? -1 : 1;
  return a->face < b->face ? -1 : a->face > b->face;
}

static void boundFaces(const mjiMeshDistance* d, Node* node, int first, int num) {
  for (int k = 0; k < 3; k++) node->lo[k] = INFINITY, node->hi[k] = -INFINITY;
  for (int i = 3 * first; i < 3 * (first + num); i++) {
    const double* v = d->vert + 3 * d->face[3 * d->order[i / 3] + i % 3];
    for (int k = 0; k < 3; k++) {
      node->lo[k] = fmin(node->lo[k], v[k]);
      node->hi[k] = fmax(node->hi[k], v[k]);
    }
  }
}

// split at the median along the longest side, so that the tree is no deeper than the logarithm of the faces
static void grow(mjiMeshDistance* d, Middle* middle, int at, int first, int num) {
  Node* node = d->node + at;
  boundFaces(d, node, first, num);
  if (num <= LEAF) {
    node->first = first;
    node->num = num;
    return;
  }
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (node->hi[k] - node->lo[k] > node->hi[axis] - node->lo[axis]) axis = k;
  for (int i = first; i < first + num; i++) {
    const int* f = d->face + 3 * d->order[i];
    middle[i] = (Middle){d->vert[3 * f[0] + axis] + d->vert[3 * f[1] + axis] + d->vert[3 * f[2] + axis], d->order[i]};
  }
  qsort(middle + first, (size_t)num, sizeof *middle, compareMiddles);
  for (int i = first; i < first + num; i++) d->order[i] = middle[i].face;
  int child = node->child = d->nnode;
  d->nnode += 2;
  grow(d, middle, child, first, num / 2);
  grow(d, middle, child + 1, first + num / 2, num - num / 2);
}

static int growTree(mjiMeshDistance* d, int nface) {
  Middle* middle = malloc(((size_t)nface + 1) * sizeof *middle);
  if (!middle) return -1;
  for (int i = 0; i < nface; i++) d->order[i] = i;
  d->nnode = 1;
  grow(d, middle, 0, 0, nface);
  free(middle);
  return 0;
}

mjiMeshDistance* mji_meshDistance_new(int nvert, const double* vert, int nface, const int* face) {
  mjiMeshDistance* d = calloc(1, sizeof *d);
  if (!d) return NULL;
  size_t nf = (size_t)nface;
  d->vert = vert;
  d->face = face;
  d->normal = calloc(3 * nf + 1, sizeof(double));
  d->edgenormal = calloc(9 * nf + 1, sizeof(double));
  d->vertnormal = calloc(3 * (size_t)nvert + 1, sizeof(double));
  d->order = calloc(nf + 1, sizeof(int));
  d->node = calloc(2 * nf + 1, sizeof(Node));
  int ok = d->normal && d->edgenormal && d->vertnormal && d->order && d->node;
  if (ok) faceNormals(d, nface);
  if (ok && !edgeNormals(d, nface) && !growTree(d, nface)) return d;
  mji_meshDistance_free(d);
  return NULL;
}

void mji_meshDistance_free(mjiMeshDistance* d) {
  if (!d) return;
  void* part[] = {d->normal, d->edgenormal, d->vertnormal, d->order, d->node};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) free(part[i]);
  free(d);
}

// ---- nearest point

typedef struct Nearest_ {
  double square;     // of the distance
  double offset[3];  // from the mesh to the point
  const double* normal;
} Nearest;

static void consider(Nearest* best, const double p[3], const double q[3], const double* normal) {
  double offset[3];
  mju_sub3(offset, p, q);
  double square = mju_dot3(offset, offset);
  if (!(square < best->square)) return;
  best->square = square;
  mju_copy3(best->offset, offset);
  best->normal = normal;
}

// the nearest point of a side, which is the next or the last corner where it is at an end
static void considerSide(Nearest* best, const mjiMeshDistance* d, int f, int side, const double p[3]) {
  int a = d->face[3 * f + side], b = d->face[3 * f + (side + 1) % 3];
  double along[3], to[3], q[3];
  mju_sub3(along, d->vert + 3 * b, d->vert + 3 * a);
  mju_sub3(to, p, d->vert + 3 * a);
  double length2 = mju_dot3(along, along), t = mju_dot3(to, along);
  if (t <= 0 || length2 <= 0) consider(best, p, d->vert + 3 * a, d->vertnormal + 3 * a);
  else if (t >= length2) consider(best, p, d->vert + 3 * b, d->vertnormal + 3 * b);
  else {
    mju_addScl3(q, d->vert + 3 * a, along, t / length2);
    consider(best, p, q, d->edgenormal + 9 * f + 3 * side);
  }
}

static void considerFace(Nearest* best, const mjiMeshDistance* d, int f, const double p[3]) {
  const double* normal = d->normal + 3 * f;
  const double* v0 = d->vert + 3 * d->face[3 * f];
  double to[3], q[3];
  mju_sub3(to, p, v0);
  double height = mju_dot3(to, normal);
  if (height * height > best->square) return;
  int inside = mju_dot3(normal, normal) > 0;
  for (int k = 0; k < 3 && inside; k++) {
    const double *a = d->vert + 3 * d->face[3 * f + k], *b = d->vert + 3 * d->face[3 * f + (k + 1) % 3];
    double side[3], from[3], out[3];
    mju_sub3(side, b, a);
    mju_sub3(from, p, a);
    mju_cross(out, side, normal);
    inside = mju_dot3(out, from) <= 0;
  }
  if (inside) {
    mju_addScl3(q, p, normal, -height);
    consider(best, p, q, normal);
  } else {
    for (int k = 0; k < 3; k++) considerSide(best, d, f, k, p);
  }
}

static double boxDistance2(const Node* node, const double p[3]) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    double gap = fmax(0, fmax(node->lo[k] - p[k], p[k] - node->hi[k]));
    square += gap * gap;
  }
  return square;
}

double mji_meshDistance_at(const mjiMeshDistance* d, const double point[3]) {
  Nearest best = {.square = INFINITY, .normal = NULL};
  int wait[WAITING], nwait = 0;
  wait[nwait++] = 0;
  while (nwait) {
    const Node* node = d->node + wait[--nwait];
    if (boxDistance2(node, point) > best.square) continue;
    for (int i = 0; i < node->num; i++) considerFace(&best, d, d->order[node->first + i], point);
    if (node->num) continue;
    // the nearer one is looked at first
    int swap = boxDistance2(d->node + node->child, point) > boxDistance2(d->node + node->child + 1, point);
    wait[nwait++] = node->child + !swap;
    wait[nwait++] = node->child + swap;
  }
  double distance = sqrt(best.square);
  return best.normal && mju_dot3(best.normal, best.offset) < 0 ? -distance : distance;
}
