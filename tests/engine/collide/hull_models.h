// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models of convex hulls beside an ellipsoid, a cylinder and a box: hulls of random points, and of the meshes of a
// model.
#ifndef SHEAF_TESTS_COLLIDE_HULL_MODELS_H_
#define SHEAF_TESTS_COLLIDE_HULL_MODELS_H_

#include <stdio.h>

#include "brute_force.h"

enum { MAXHULL = 6 };

typedef struct {
  int n;
  float (*point)[3];
} hull;

typedef struct {
  int n;
  hull hull[MAXHULL];
} hulls;

static hull* newHull(hulls* h, int n) {
  hull* r = &h->hull[h->n++];
  r->n = n;
  r->point = calloc((size_t)n, sizeof *r->point);
  return r;
}

static void freeHulls(hulls* h) {
  for (int i = 0; i < h->n; i++) free(h->hull[i].point);
}

// half of the extent along each axis
static void extentOf(double half[3], const float* point, int n) {
  for (int k = 0; k < 3; k++) {
    float low = point[k], high = low;
    for (int i = 1; i < n; i++) {
      low = fminf(low, point[3 * i + k]);
      high = fmaxf(high, point[3 * i + k]);
    }
    half[k] = (high - low) / 2;
  }
}

// ---- random hulls

enum { ROUND, FEW_CORNERS, LATTICE, DENTED, NHULLKIND };

// move a point to the nearest face of the box that reaches from -1 to 1
static void toFace(double x[3]) {
  int k = fabs(x[0]) > fabs(x[1]) ? 0 : 1;
  if (fabs(x[2]) > fabs(x[k])) k = 2;
  x[k] = x[k] < 0 ? -1 : 1;
}

// Points on an ellipsoid have many corners; those in a box few; those of a lattice many in one plane and on one line;
// those on faces of a box that is turned are in one plane up to the rounding to floats.
static void randomHull(hulls* h, int kind) {
  double size[3], turned[3], mat[9];
  for (int k = 0; k < 3; k++) size[k] = pow(10, -1.7 + unit());
  mju_quat2Mat(mat, (double[]){.8, .36, .4, .2662});
  hull* r = newHull(h, 8 + (int)(192 * pow(unit(), 2)));
  for (int i = 0; i < r->n; i++) {
    double x[3] = {noise(), noise(), noise()};
    if (kind == ROUND) mju_normalize3(x);
    if (kind == DENTED) toFace(x);
    for (int k = 0; k < 3; k++) x[k] = size[k] * (kind == LATTICE ? round(2 * x[k]) / 2 : x[k]);
    mju_mulMatVec3(turned, mat, x);
    for (int k = 0; k < 3; k++) r->point[i][k] = (float)(kind == DENTED ? turned[k] : x[k]);
  }
  if (kind == LATTICE) {  // never flat
    for (int i = 0; i < 4; i++) {
      for (int k = 0; k < 3; k++) r->point[i][k] = (float)(i == k + 1 ? size[k] : 0);
    }
  }
}

// ---- hulls of a model

static void hullOfMesh(hulls* h, const mjModel* m, int mesh) {
  const int *graph = m->mesh_graph + m->mesh_graphadr[mesh], nvert = graph[0], *global = graph + 2 + nvert;
  hull* r = newHull(h, nvert);
  for (int i = 0; i < nvert; i++) {
    for (int k = 0; k < 3; k++) r->point[i][k] = m->mesh_vert[3 * (m->mesh_vertadr[mesh] + global[i]) + k];
  }
}

// is it thick enough for a volume?
static int isThick(const mjModel* m, int mesh) {
  double half[3];
  extentOf(half, m->mesh_vert + 3 * m->mesh_vertadr[mesh], m->mesh_vertnum[mesh]);
  return fmin(half[0], fmin(half[1], half[2])) > 5e-4;
}

// the first hulls that geoms collide with
static void hullsOfModel(hulls* h, const mjModel* m, int mostfaces) {
  int last = -1;
  for (int i = 0; i < m->ngeom && h->n < MAXHULL; i++) {
    int mesh = m->geom_dataid[i];
    if (m->geom_type[i] != mjGEOM_MESH || mesh <= last || !(m->geom_contype[i] || m->geom_conaffinity[i])) continue;
    if (m->mesh_graphadr[mesh] < 0 || m->mesh_graph[m->mesh_graphadr[mesh] + 1] > mostfaces || !isThick(m, mesh))
      continue;
    hullOfMesh(h, m, mesh);
    last = mesh;
  }
}

// ---- a model of both

static void writeMesh(FILE* f, const hull* h, int i) {
  fprintf(f, "<mesh name='%d' inertia='convex' vertex='", i);
  for (int k = 0; k < h->n; k++) fprintf(f, "%.9g %.9g %.9g ", h->point[k][0], h->point[k][1], h->point[k][2]);
  fprintf(f, "'/>");
}

// hulls, and three other shapes of the size of the first
static mjModel* modelOfHulls(const hulls* h) {
  char* text;
  size_t size;
  double half[3];
  FILE* f = open_memstream(&text, &size);
  fprintf(f, "<mujoco><option ccd_iterations='200'/><asset>");
  for (int i = 0; i < h->n; i++) writeMesh(f, &h->hull[i], i);
  fprintf(f, "</asset><worldbody>");
  extentOf(half, h->hull[0].point[0], h->hull[0].n);
  const char* type[] = {"ellipsoid", "cylinder", "box"};
  for (int i = 0; i < 3; i++) fprintf(f, "<geom type='%s' size='%g %g %g'/>", type[i], half[0], half[1], half[2]);
  for (int i = 0; i < h->n; i++) fprintf(f, "<geom type='mesh' mesh='%d'/>", i);
  fprintf(f, "</worldbody></mujoco>");
  fclose(f);
  mjModel* m = test_model(text);
  free(text);
  return m;
}

// hulls, each a free body
static mjModel* modelOfFreeHulls(const hulls* h) {
  char* text;
  size_t size;
  FILE* f = open_memstream(&text, &size);
  fprintf(f, "<mujoco><option ccd_iterations='200'/><asset>");
  for (int i = 0; i < h->n; i++) writeMesh(f, &h->hull[i], i);
  fprintf(f, "</asset><worldbody>");
  for (int i = 0; i < h->n; i++) fprintf(f, "<body><freejoint/><geom type='mesh' mesh='%d'/></body>", i);
  fprintf(f, "</worldbody></mujoco>");
  fclose(f);
  mjModel* m = test_model(text);
  free(text);
  return m;
}

#endif  // SHEAF_TESTS_COLLIDE_HULL_MODELS_H_
