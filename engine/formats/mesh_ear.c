// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Divide polygons into triangles by cutting ears: an ear is a corner whose triangle turns the way the polygon does and
// has no other corner inside. All is computed in the plane of two coordinates and in floats, as readers of OBJ files
// do, so that the same triangles come in the same order.

#include <float.h>
#include <math.h>

#include <mujoco/mujoco.h>

#include "formats/raw_mesh.h"

typedef struct {
  const float* vert;
  const int* id;  // vertex of each corner
  int axis[2];
  int* left;  // corners that are not cut off yet
  int n;
  float area;  // its sign is the turn of the polygon
} Polygon;

static float coordinate(const Polygon* p, int k, int which) {
  return p->vert[3 * p->id[p->left[k % p->n]] + p->axis[which]];
}

// choose the two coordinates in which the first corner with an angle is widest
static void chooseAxes(Polygon* p) {
  p->axis[0] = 1;
  p->axis[1] = 2;
  for (int k = 0; k < p->n; k++) {
    const float *a = p->vert + 3 * p->id[k], *b = p->vert + 3 * p->id[(k + 1) % p->n],
                *c = p->vert + 3 * p->id[(k + 2) % p->n];
    float e[3], f[3];
    for (int i = 0; i < 3; i++) {
      e[i] = b[i] - a[i];
      f[i] = c[i] - b[i];
    }
    float x = fabsf(e[1] * f[2] - e[2] * f[1]), y = fabsf(e[2] * f[0] - e[0] * f[2]),
          z = fabsf(e[0] * f[1] - e[1] * f[0]);
    if (!(x > FLT_EPSILON || y > FLT_EPSILON || z > FLT_EPSILON)) continue;
    if (x > y && x > z) return;
    p->axis[0] = 0;
    if (z > x && z > y) p->axis[1] = 1;
    return;
  }
}

static void sumArea(Polygon* p) {
  p->area = 0;
  for (int k = 0; k < p->n; k++)
    p->area += (coordinate(p, k, 0) * coordinate(p, k + 1, 1) - coordinate(p, k, 1) * coordinate(p, k + 1, 0)) * 0.5f;
}

// does a ray from the point cross the border of the triangle an odd number of times?
static int isInside(const float x[3], const float y[3], float px, float py) {
  int inside = 0;
  for (int i = 0, j = 2; i < 3; j = i++)
    if ((y[i] > py) != (y[j] > py) && px < (x[j] - x[i]) * (py - y[i]) / (y[j] - y[i]) + x[i]) inside = !inside;
  return inside;
}

static int isEar(const Polygon* p, int at) {
  float x[3], y[3];
  for (int k = 0; k < 3; k++) {
    x[k] = coordinate(p, at + k, 0);
    y[k] = coordinate(p, at + k, 1);
  }
  float turn = (x[1] - x[0]) * (y[2] - y[1]) - (y[1] - y[0]) * (x[2] - x[1]);
  if (turn * p->area < 0) return 0;
  for (int k = 3; k < p->n; k++)
    if (isInside(x, y, coordinate(p, at + k, 0), coordinate(p, at + k, 1))) return 0;
  return 1;
}

static int* cutEar(Polygon* p, int at, int* out) {
  for (int k = 0; k < 3; k++) *out++ = p->left[(at + k) % p->n];
  for (int i = (at + 1) % p->n; i + 1 < p->n; i++) p->left[i] = p->left[i + 1];
  p->n--;
  return out;
}

int mji_mesh_cutEars(int* triangle, const float* vert, const int* id, int n, int64_t* budget) {
  Polygon p = {.vert = vert, .id = id, .n = n, .left = mju_malloc((size_t)n * sizeof(int))};
  if (!p.left) return -1;
  for (int i = 0; i < n; i++) p.left[i] = i;
  chooseAxes(&p);
  sumArea(&p);

  // go around; give up after a round without an ear
  int* out = triangle;
  for (int at = 0, tries = n - 1; p.n > 3 && *budget > 0; tries--) {
    if (at >= p.n) at -= p.n;
    *budget -= p.n;
    if (!isEar(&p, at)) {
      at++;
      if (tries <= 0) break;
      continue;
    }
    out = cutEar(&p, at, out);
    tries = p.n + 1;
  }
  if (p.n == 3)
    for (int k = 0; k < 3; k++) *out++ = p.left[k];
  mju_free(p.left);
  return *budget > 0 ? (int)(out - triangle) / 3 : -1;
}
