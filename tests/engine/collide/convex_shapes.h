// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Convex geoms as corners, faces and edges, and how far two of them overlap along a direction.
#ifndef SHEAF_TESTS_COLLIDE_CONVEX_SHAPES_H_
#define SHEAF_TESTS_COLLIDE_CONVEX_SHAPES_H_

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

enum { MAXFACE = 4000, MAXEDGE = 6000 };

typedef struct {
  int polytope, nvertex, nface, nedge;
  double (*vertex)[3], (*face)[3];  // corners and outward normals
  int (*edge)[2], (*side)[2];       // corners of an edge, and the faces on both sides
} shape;

typedef struct {
  const mjModel* m;
  mjData* d;
  int geom[2];
  const shape* shape[2];
} pair;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void addEdge(shape* s, int from, int to, int face) {
  for (int i = 0; i < s->nedge; i++) {
    if (s->edge[i][0] == to && s->edge[i][1] == from) {
      s->side[i][1] = face;
      return;
    }
  }
  s->edge[s->nedge][0] = from;
  s->edge[s->nedge][1] = to;
  s->side[s->nedge][0] = s->side[s->nedge][1] = face;
  s->nedge++;
}

// a triangle of a shape around the origin, whichever way its corners go
static void addTriangle(shape* s, int i, int j, int k, const double middle[3]) {
  double ab[3], ac[3], out[3], *n = s->face[s->nface];
  mju_sub3(ab, s->vertex[j], s->vertex[i]);
  mju_sub3(ac, s->vertex[k], s->vertex[i]);
  mju_sub3(out, s->vertex[i], middle);
  mju_cross(n, ab, ac);
  mju_normalize3(n);
  int turned = mju_dot3(n, out) < 0, corner[3] = {i, turned ? k : j, turned ? j : k};
  if (turned) mju_scl3(n, n, -1);
  for (int c = 0; c < 3; c++) addEdge(s, corner[c], corner[(c + 1) % 3], s->nface);
  s->nface++;
}

static void makeRoom(shape* s, int nvertex, int nface) {
  s->polytope = 1;
  s->nvertex = nvertex;
  s->vertex = calloc((size_t)nvertex, sizeof *s->vertex);
  s->face = calloc((size_t)nface, sizeof *s->face);
  s->edge = calloc(3 * (size_t)nface, sizeof *s->edge);
  s->side = calloc(3 * (size_t)nface, sizeof *s->side);
}

static void freeShape(shape* s) {
  free(s->vertex);
  free(s->face);
  free(s->edge);
  free(s->side);
}

static void makeBox(shape* s, const mjtNum size[3]) {
  static const int quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  makeRoom(s, 8, 12);
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 3; k++) s->vertex[i][k] = i >> k & 1 ? size[k] : -size[k];
  }
  for (int i = 0; i < 6; i++) {
    addTriangle(s, quad[i][0], quad[i][1], quad[i][2], (double[3]){0});
    addTriangle(s, quad[i][0], quad[i][2], quad[i][3], (double[3]){0});
  }
}

static void makeMesh(shape* s, const mjModel* m, int mesh) {
  const int *graph = m->mesh_graph + m->mesh_graphadr[mesh], nnode = graph[0], nface = graph[1];
  const int* face = graph + 2 + 3 * nnode + 3 * nface;
  makeRoom(s, m->mesh_vertnum[mesh], nface);
  for (int i = 0; i < 3 * s->nvertex; i++) s->vertex[i / 3][i % 3] = m->mesh_vert[3 * m->mesh_vertadr[mesh] + i];
  double middle[3] = {0};
  for (int i = 0; i < s->nvertex; i++) mju_addToScl3(middle, s->vertex[i], 1.0 / s->nvertex);
  for (int i = 0; i < nface; i++) addTriangle(s, face[3 * i], face[3 * i + 1], face[3 * i + 2], middle);
}

static void makeShape(shape* s, const mjModel* m, int geom) {
  memset(s, 0, sizeof *s);
  if (m->geom_type[geom] == mjGEOM_BOX) makeBox(s, m->geom_size + 3 * geom);
  if (m->geom_type[geom] == mjGEOM_MESH) makeMesh(s, m, m->geom_dataid[geom]);
}

// ---- overlap along a direction

static double reachLocal(const pair* p, int i, const double n[3]) {
  const mjtNum* size = p->m->geom_size + 3 * p->geom[i];
  double most = -1e30;
  switch (p->m->geom_type[p->geom[i]]) {
    case mjGEOM_ELLIPSOID:
      return sqrt(n[0] * n[0] * size[0] * size[0] + n[1] * n[1] * size[1] * size[1] + n[2] * n[2] * size[2] * size[2]);
    case mjGEOM_CYLINDER: return size[0] * sqrt(n[0] * n[0] + n[1] * n[1]) + size[1] * fabs(n[2]);
    case mjGEOM_CAPSULE: return size[0] + size[1] * fabs(n[2]);
    default:
      for (int k = 0; k < p->shape[i]->nvertex; k++) {
        double reach = dot(p->shape[i]->vertex[k], n);
        most = reach > most ? reach : most;
      }
      return most;
  }
}

// how far the second shape must go along a unit direction to leave the first; negative: the gap between them
static double overlap(const pair* p, const double n[3]) {
  double local[2][3], back[3] = {-n[0], -n[1], -n[2]}, offset[3];
  mju_mulMatTVec3(local[0], p->d->geom_xmat + 9 * p->geom[0], n);
  mju_mulMatTVec3(local[1], p->d->geom_xmat + 9 * p->geom[1], back);
  mju_sub3(offset, p->d->geom_xpos + 3 * p->geom[1], p->d->geom_xpos + 3 * p->geom[0]);
  return reachLocal(p, 0, local[0]) + reachLocal(p, 1, local[1]) - mju_dot3(offset, n);
}

typedef struct {
  double depth, normal[3];
} least;

static void tryDirection(least* r, const pair* p, const double n[3]) {
  double length = mju_norm3(n), u[3];
  if (length < 1e-12) return;
  mju_scl3(u, n, 1 / length);
  double o = overlap(p, u);
  if (o >= r->depth) return;
  r->depth = o;
  mju_copy3(r->normal, u);
}

#endif  // SHEAF_TESTS_COLLIDE_CONVEX_SHAPES_H_
