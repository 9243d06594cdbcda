// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sums over the triangles of a mesh: vertex normals, volume, center, inertia.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "compile/mesh.h"

static const double min_area = 0.5e-7;  // a smaller face has no say in normals and edges

// area of a triangle, its unit normal and its center
static double triangle(double normal[3], double center[3], const mjiRawMesh* m, const int* face) {
  const double* v[3] = {m->vert + 3 * face[0], m->vert + 3 * face[1], m->vert + 3 * face[2]};
  double e1[3], e2[3];
  mju_sub3(e1, v[1], v[0]);
  mju_sub3(e2, v[2], v[0]);
  mju_cross(normal, e1, e2);
  if (center)
    for (int i = 0; i < 3; i++) center[i] = (v[0][i] + v[1][i] + v[2][i]) / 3;
  double length = mju_norm3(normal);
  if (length < mjMINVAL) return 0;
  for (int i = 0; i < 3; i++) normal[i] /= length;
  return length / 2;
}

double mji_mesh_area(const mjiRawMesh* m) {
  double area = 0, normal[3];
  for (int f = 0; f < m->nface; f++) area += triangle(normal, NULL, m, m->face + 3 * f);
  return area;
}

static int compareEdges(const void* a, const void* b) {
  const int *e = a, *f = b;
  return e[0] != f[0] ? (e[0] > f[0]) - (e[0] < f[0]) : (e[1] > f[1]) - (e[1] < f[1]);
}

int mji_mesh_isOriented(const mjiRawMesh* m, int edge[2]) {
  size_t n = 3 * (size_t)m->nface;
  int(*edges)[2] = mju_malloc((n + 1) * sizeof *edges);
  if (!edges) return 1;
  n = 0;
  double normal[3];
  for (int f = 0; f < m->nface; f++) {
    const int* face = m->face + 3 * f;
    if (triangle(normal, NULL, m, face) < min_area) continue;
    for (int k = 0; k < 3; k++, n++) {
      edges[n][0] = face[k];
      edges[n][1] = face[(k + 1) % 3];
    }
  }
  qsort(edges, n, sizeof *edges, compareEdges);
  int ok = 1;
  for (size_t i = 1; ok && i < n; i++)
    if (!compareEdges(edges[i - 1], edges[i])) {
      ok = 0;
      memcpy(edge, edges[i], sizeof *edges);
    }
  mju_free(edges);
  return ok;
}

// ---- normals

static const double sharp_dot = 0.8;  // a face bent further away leaves the average

// Direction of a sum of normals. If the sum is too short to have one: 0, and the direction is up.
static int direction(double unit[3], const float sum[3]) {
  for (int i = 0; i < 3; i++) unit[i] = sum[i];
  double length = mju_norm3(unit);
  for (int i = 0; i < 3; i++) unit[i] = length < min_area ? i == 2 : unit[i] / length;
  return length >= min_area;
}

static void addFace(float sum[3], const double normal[3], double area) {
  for (int i = 0; i < 3; i++) sum[i] = (float)(sum[i] + normal[i] * area);
}

// The sums are floats, as in the reference: beside sharp edges their rounding decides what is left.
int mji_mesh_makeNormals(mjiRawMesh* m, int smooth) {
  size_t n = 3 * (size_t)m->nvert;
  float* bent = mju_malloc(n * sizeof *bent);
  m->normal = mju_malloc(n * sizeof *m->normal);
  m->facenormal = mju_malloc(3 * (size_t)m->nface * sizeof *m->facenormal);
  if (!bent || !m->normal || !m->facenormal) return mju_free(bent), -1;
  float* sum = memset(m->normal, 0, n * sizeof *m->normal);
  memset(bent, 0, n * sizeof *bent);
  m->nnormal = m->nvert;

  // average of the faces around each vertex, weighted by area
  double normal[3], avg[3];
  for (int f = 0; f < m->nface; f++) {
    double area = triangle(normal, NULL, m, m->face + 3 * f);
    if (area < min_area) area = 0;
    for (int j = 0; j < 3; j++) {
      m->facenormal[3 * f + j] = m->face[3 * f + j];
      addFace(sum + 3 * m->face[3 * f + j], normal, area);
    }
  }

  // take away the faces on the other side of a sharp edge
  for (int f = 0; !smooth && f < m->nface; f++) {
    double area = triangle(normal, NULL, m, m->face + 3 * f);
    if (area < min_area) continue;
    for (int j = 0; j < 3; j++) {
      int v = m->face[3 * f + j];
      if (!direction(avg, sum + 3 * v) || mju_dot3(normal, avg) < sharp_dot) addFace(bent + 3 * v, normal, area);
    }
  }
  for (size_t i = 0; i < n; i++) sum[i] -= bent[i];

  for (int v = 0; v < m->nvert; v++) {
    direction(avg, sum + 3 * v);
    for (int i = 0; i < 3; i++) m->normal[3 * v + i] = (float)avg[i];
  }
  mju_free(bent);
  return 0;
}

// ---- inertia

// volume of the tetrahedron between a triangle and the origin, or area of the triangle
static double weight(const mjiRawMesh* m, const int* face, const double origin[3], mjtMeshInertia type,
                     double center[3]) {
  double normal[3], arm[3], area = triangle(normal, center, m, face);
  if (type == mjMESH_INERTIA_SHELL) return area;
  mju_sub3(arm, center, origin);
  double volume = mju_dot3(arm, normal) * area / 3;
  return type == mjMESH_INERTIA_LEGACY ? fabs(volume) : volume;
}

int mji_mesh_inertia(mjiRawMesh* m, int nface, const int* face, mjtMeshInertia type, double* amount, double center[3],
                     double inertia[6], char error[500]) {
  // the centroid of the surface is a good origin of tetrahedra, and the center of a shell
  double facecen[3] = {0}, c[3], normal[3], total = 0;
  for (int f = 0; f < nface; f++) {
    double area = triangle(normal, c, m, face + 3 * f);
    mju_addToScl3(facecen, c, area);
    total += area;
  }
  if (total < mjMINVAL) return snprintf(error, 500, "the surface of the mesh has hardly any area"), -1;
  for (int i = 0; i < 3; i++) facecen[i] /= total;

  // center of mass: of a tetrahedron, a quarter of the way from the face to its opposite corner;
  // for a shell the quarters of the centroid cancel but for rounding
  int shell = type == mjMESH_INERTIA_SHELL;
  double volume = 0;
  mju_zero3(center);
  for (int f = 0; f < nface; f++) {
    double w = weight(m, face + 3 * f, facecen, type, c);
    volume += w;
    for (int i = 0; i < 3; i++) center[i] += w * (c[i] * 3.0 / 4.0 + facecen[i] / 4.0);
  }
  if (volume < mjMINVAL)
    return snprintf(error, 500,
                    volume < 0 ? "triangles of the mesh face inward: its volume is negative"
                               : "the mesh has hardly any volume; inertia=\"shell\" would do with its surface"),
           -1;
  for (int i = 0; i < 3; i++) center[i] /= volume;
  for (int v = 0; v < m->nvert; v++) mju_subFrom3(m->vert + 3 * v, center);

  // second moments about the center; the volume again, since the legacy type depends on the origin
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  static const double origin[3] = {0};
  double p[6] = {0};
  *amount = 0;
  for (int f = 0; f < nface; f++) {
    const double* d[3];
    double w = weight(m, face + 3 * f, origin, type, c);
    *amount += w;
    for (int j = 0; j < 3; j++) d[j] = m->vert + 3 * face[3 * f + j];
    for (int k = 0; k < 6; k++) {
      int a = pair[k][0], b = pair[k][1];
      p[k] += w / (shell ? 12 : 20) *
              (2 * (d[0][a] * d[0][b] + d[1][a] * d[1][b] + d[2][a] * d[2][b]) + d[0][a] * d[1][b] + d[0][b] * d[1][a] +
               d[0][a] * d[2][b] + d[0][b] * d[2][a] + d[1][a] * d[2][b] + d[1][b] * d[2][a]);
    }
  }
  double moments[6] = {p[1] + p[2], p[0] + p[2], p[0] + p[1], -p[3], -p[4], -p[5]};
  mju_copy(inertia, moments, 6);
  return 0;
}
