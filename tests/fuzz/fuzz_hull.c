// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fuzz target: convex hulls of chosen vertices, as meshes give them to qhull. A hull that is accepted is closed, its
// graph leads nowhere else, and no vertex lies outside.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/mesh.h"

enum { MOST_VERTICES = 300, COORDINATES = 3 };

// in units of the largest coordinate: qhull merges facets that are nearly flat
static const double outside_by = 1e-6;

// the first two bytes choose scale and largest number of vertices; each vertex has three small numbers or, where the
// scale says so, doubles
static int read_vertices(double* vert, const uint8_t* bytes, size_t n, int* most) {
  static const double scales[] = {1, 1e-3, 1e3, 1e-9, 1e9, 1e-30, 1e30, 1e-40};  // of floats
  if (n < 2) return 0;
  double scale = scales[bytes[0] % 8];
  int raw = bytes[0] & 8, bytes_each = raw ? (int)sizeof(double) : 1, count = 0;
  *most = bytes[1] & 1 ? bytes[1] >> 1 : -1;
  for (size_t at = 2; at + (size_t)(COORDINATES * bytes_each) <= n && count < COORDINATES * MOST_VERTICES;
       at += (size_t)bytes_each) {
    if (raw) memcpy(&vert[count], bytes + at, sizeof(double));
    else vert[count] = scale * (int8_t)bytes[at];
    // who reads meshes refuses numbers that floats do not have
    if (!isfinite((float)vert[count])) vert[count] = 0;
    count++;
  }
  return count / COORDINATES;
}

static void check_indices(const int* graph, int size, int nvert) {
  int n = graph[0], nface = graph[1], nedge = n + 3 * nface;
  const int *adr = graph + 2, *id = adr + n, *edge = id + n, *face = edge + nedge;
  if (n < 4 || nface < 4 || size != 2 + 2 * n + nedge + 3 * nface || nface != 2 * n - 4) abort();
  for (int i = 0; i < n; i++) {
    if (id[i] < 0 || id[i] >= nvert || adr[i] < 0 || adr[i] >= nedge) abort();
  }
  for (int i = 0; i < nedge; i++) {
    if (edge[i] < -1 || edge[i] >= n) abort();
  }
  for (int i = 0; i < 3 * nface; i++) {
    if (face[i] < 0 || face[i] >= nvert) abort();
  }
}

// a vertex in front of a face that has an area
static void check_faces(const int* graph, const double* vert, int nvert) {
  const int* face = mji_hull_faces(graph);
  double largest = 0;
  for (int i = 0; i < 3 * nvert; i++) largest = fmax(largest, fabs(vert[i]));
  for (int f = 0; f < mji_hull_faceNum(graph); f++) {
    const double *a = vert + 3 * face[3 * f], *b = vert + 3 * face[3 * f + 1], *c = vert + 3 * face[3 * f + 2];
    double u[3], v[3], n[3];
    for (int k = 0; k < 3; k++) u[k] = (b[k] - a[k]) / largest, v[k] = (c[k] - a[k]) / largest;
    mju_cross(n, u, v);
    double area = mju_norm3(n);
    if (area < 1e-3) continue;
    for (int i = 0; i < nvert; i++) {
      double out = 0;
      for (int k = 0; k < 3; k++) out += n[k] / area * (vert[3 * i + k] - a[k]) / largest;
      if (out > outside_by) {
        fprintf(stderr, "vertex %d is %g outside of face %d\n", i, out, f);
        abort();
      }
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n) {
  static double vert[COORDINATES * MOST_VERTICES];
  int* graph = NULL;
  int most = -1;
  char error[500] = "";
  mjiRawMesh mesh = {.nvert = read_vertices(vert, bytes, n, &most), .vert = vert};
  if (mesh.nvert < 4) return 0;
  int size = mji_hull_make(&graph, &mesh, most, error);
  if (size < 0 && (graph || !error[0])) abort();
  if (size < 0) return 0;
  check_indices(graph, size, mesh.nvert);
  if (most < 0) check_faces(graph, vert, mesh.nvert);
  mju_free(graph);
  return 0;
}
