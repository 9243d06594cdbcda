// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Meshes made from a few parameters instead of a file.

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "spec/element.h"

enum { MAX_RESOLUTION = 500, MAX_COUNT = 1000000 };

typedef struct {
  float* vert;
  int* face;
  float* normal;              // three for each vertex, or NULL
  int nvert, nface, nnormal;  // written so far
} Shape;

static void addVertex(Shape* s, double x, double y, double z) {
  float v[3] = {(float)x, (float)y, (float)z};
  memcpy(s->vert + 3 * s->nvert++, v, sizeof v);
}

static void addFace(Shape* s, int a, int b, int c) {
  int f[3] = {a, b, c};
  memcpy(s->face + 3 * s->nface++, f, sizeof f);
}

static void addNormal(Shape* s, double x, double y, double z) {
  float v[3] = {(float)x, (float)y, (float)z};
  memcpy(s->normal + 3 * s->nnormal++, v, sizeof v);
}

// parameters that count are cut to whole numbers; -1: too large, or not a number
static int whole(double x) { return fabs(x) < MAX_COUNT ? (int)x : -1; }

static int allocate(Shape* s, size_t nvert, size_t nface) {
  s->vert = mju_malloc((nvert + 1) * 3 * sizeof *s->vert);
  s->face = mju_malloc((nface + 1) * 3 * sizeof *s->face);
  return s->vert && s->face;
}

// ---- sphere: an icosahedron, each triangle divided in four as often as asked for

enum { MAX_SUBDIVISION = 4 };

// id of the vertex between two others, added when it is new; pair holds the ends of added ones
static int middle(Shape* s, int (*pair)[2], int first, int a, int b) {
  int lo = a < b ? a : b, hi = a < b ? b : a;
  for (int i = s->nvert - 1; i >= first; i--)
    if (pair[i][0] == lo && pair[i][1] == hi) return i;
  float v[3];
  for (int k = 0; k < 3; k++) v[k] = s->vert[3 * a + k] + s->vert[3 * b + k];
  float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int k = 0; k < 3; k++) v[k] /= length;
  pair[s->nvert][0] = lo;
  pair[s->nvert][1] = hi;
  addVertex(s, v[0], v[1], v[2]);
  return s->nvert - 1;
}

static const char* makeSphere(Shape* s, const double* params) {
  int n = whole(params[0]);
  if (n < 0) return "subdivision of a sphere cannot be negative";
  if (n > MAX_SUBDIVISION) return "subdivision of a sphere cannot be greater than 4";
  size_t nface = (size_t)20 << (2 * n), nvert = nface / 2 + 2;
  int(*pair)[2] = mju_malloc(nvert * sizeof *pair);
  int* old = mju_malloc(3 * nface * sizeof *old);
  if (!pair || !old || !allocate(s, nvert, nface)) return mju_free(pair), mju_free(old), "out of memory";

  const double phi = (1 + sqrt(5.0)) / 2, length = sqrt(1 + phi * phi), a = 1 / length, b = phi / length;
  const double corner[12][3] = {{-a, b, 0},  {a, b, 0},  {-a, -b, 0}, {a, -b, 0}, {0, -a, b},  {0, a, b},
                                {0, -a, -b}, {0, a, -b}, {b, 0, -a},  {b, 0, a},  {-b, 0, -a}, {-b, 0, a}};
  static const int side[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                  {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                  {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (int i = 0; i < 12; i++) addVertex(s, corner[i][0], corner[i][1], corner[i][2]);
  for (int i = 0; i < 20; i++) addFace(s, side[i][0], side[i][1], side[i][2]);

  for (int level = 0; level < n; level++) {
    int count = s->nface, first = s->nvert;
    memcpy(old, s->face, 3 * (size_t)count * sizeof *old);
    s->nface = 0;
    for (int f = 0; f < count; f++) {
      const int* v = old + 3 * f;
      int x = middle(s, pair, first, v[0], v[1]);
      int y = middle(s, pair, first, v[1], v[2]);
      int z = middle(s, pair, first, v[2], v[0]);
      addFace(s, v[0], x, z);
      addFace(s, v[1], y, x);
      addFace(s, v[2], z, y);
      addFace(s, x, y, z);
    }
  }
  mju_free(pair);
  mju_free(old);
  return NULL;
}

// ---- hemisphere: half an octahedron, ring k with 4k vertices, closed by the disk below

static const char* makeHemisphere(Shape* s, const double* params) {
  int n = whole(params[0]) + 1;
  if (n < 1) return "resolution of a hemisphere cannot be negative";
  if (n > 11) return "resolution of a hemisphere cannot be greater than 10";
  if (!allocate(s, 2 * n * (n + 1) + 2, 4 * n * n + 4 * n)) return "out of memory";
  addVertex(s, 0, 0, 1);
  for (int k = 1; k <= n; k++)
    for (int i = 0; i < 4 * k; i++) {
      // around the square from +x over +y
      int q = i / k, j = i % k;
      double u = k - j, w = j,
             v[3] = {q == 0   ? u
                     : q == 1 ? -w
                     : q == 2 ? -u
                              : w,
                     q == 0   ? w
                     : q == 1 ? u
                     : q == 2 ? -w
                              : -u,
                     n - k};
      mju_normalize3(v);
      addVertex(s, v[0], v[1], v[2]);
    }
  int center = s->nvert;
  addVertex(s, 0, 0, 0);

  for (int i = 0; i < 4; i++) addFace(s, 0, 1 + i, 1 + (i + 1) % 4);
  int inner = 1;
  for (int k = 1; k < n; k++) {
    int outer = inner + 4 * k;
    for (int q = 0; q < 4; q++)
      for (int j = 0; j <= k; j++) {
        int a = inner + (q * k + j) % (4 * k), c = inner + (q * k + j + 1) % (4 * k);
        int b = outer + q * (k + 1) + j, d = outer + (q * (k + 1) + j + 1) % (4 * (k + 1));
        addFace(s, a, b, d);
        if (j < k) addFace(s, a, d, c);
      }
    inner = outer;
  }
  for (int i = 0; i < 4 * n; i++) addFace(s, inner + i, center, inner + (i + 1) % (4 * n));
  return NULL;
}

// ---- cone: two rings, or a ring and a tip; faces come from the convex hull

static const char* makeCone(Shape* s, const double* params) {
  int n = whole(params[0]);
  if (n < 2) return "a cone needs at least 2 vertices, and at most a million";
  if (!allocate(s, 2 * (size_t)n, 0)) return "out of memory";
  for (int i = 0; i < n; i++) addVertex(s, cos(2 * mjPI * i / n), sin(2 * mjPI * i / n), -1);
  if (params[1] > 0)
    for (int i = n; i < 2 * n; i++)
      addVertex(s, params[1] * cos(2 * mjPI * i / n), params[1] * sin(2 * mjPI * i / n), 1);
  else addVertex(s, 0, 0, 1);
  return NULL;
}

// ---- superquadrics: sine and cosine raised to a power, with their sign

static double power(double x, double exponent) {
  return (x > 0) - (x < 0) == 0 ? 0 : copysign(pow(fabs(x), exponent), x);
}

static const char* makeSupersphere(Shape* s, const double* params) {
  if (params[0] < 3) return "resolution of a supersphere must be greater than 2";
  if (params[0] > MAX_RESOLUTION) return "resolution of a supersphere is too large";
  if (params[1] < 0 || params[2] < 0) return "exponents of a supersphere cannot be negative";
  int n = (int)params[0];
  if (!allocate(s, (size_t)n * n + 2, 2 * (size_t)n * n)) return "out of memory";
  addVertex(s, 0, 0, -1);
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++) {
      double v = -mjPI / 2 + mjPI * i / n, u = -mjPI + 2 * mjPI * j / n;
      double r = power(cos(v), params[2]);
      addVertex(s, r * power(cos(u), params[1]), r * power(sin(u), params[1]), power(sin(v), params[2]));
    }
  int top = s->nvert;
  addVertex(s, 0, 0, 1);

  for (int j = 0; j < n; j++) addFace(s, 0, 1 + (j + 1) % n, 1 + j);
  for (int i = 0; i < n - 2; i++)
    for (int j = 0; j < n; j++) {
      int a = 1 + i * n + j, b = 1 + i * n + (j + 1) % n;
      addFace(s, a, b, a + n);
      addFace(s, b, b + n, a + n);
    }
  for (int j = 0; j < n; j++) addFace(s, top - n + j, top - n + (j + 1) % n, top);
  return NULL;
}

static const char* makeSupertorus(Shape* s, const double* params) {
  if (params[0] < 3) return "resolution of a supertorus must be greater than 2";
  if (params[0] > MAX_RESOLUTION) return "resolution of a supertorus is too large";
  if (!(params[1] > 0 && params[1] <= 1)) return "radius of a supertorus must be in (0, 1]";
  if (params[2] <= 0 || params[3] <= 0) return "exponents of a supertorus must be positive";
  int n = (int)params[0];
  if (!allocate(s, (size_t)n * n, 2 * (size_t)n * n)) return "out of memory";
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double u = 2 * mjPI * i / n, v = 2 * mjPI * j / n;
      double r = 1 + params[1] * power(cos(v), params[2]);
      addVertex(s, r * power(cos(u), params[3]), r * power(sin(u), params[3]), params[1] * power(sin(v), params[2]));
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int a = i * n + j, c = i * n + (j + 1) % n;
      int b = (i + 1) % n * n + j, d = (i + 1) % n * n + (j + 1) % n;
      addFace(s, a, b, c);
      addFace(s, b, d, c);
    }
  return NULL;
}

// ---- grids of touch sensors: a vertex in the center of each cell, seen from the origin along -z

static int allocateGrid(Shape* s, const double* params, int* nx, int* ny, const char** why) {
  enum { MAX_CELLS = 1 << 20 };
  *nx = whole(params[0]);
  *ny = whole(params[1]);
  *why = NULL;
  if (*nx < 1 || *ny < 1) *why = "the resolutions of a grid must be positive";
  else if ((long long)*nx * *ny > MAX_CELLS) *why = "the resolutions of a grid are too large";
  if (*why) return 0;
  size_t n = (size_t)*nx * *ny;
  s->normal = mju_malloc(9 * n * sizeof *s->normal);
  if (s->normal && allocate(s, n, 2 * n)) return 1;
  *why = "out of memory";
  return 0;
}

// center of cell i of n in [-1, 1]; with gamma edges are drawn to the middle
static double center(int i, int n, double gamma) {
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    double edge = 2.0 * (i + k) / n - 1;
    sum += gamma * pow(edge, 5) + (1 - gamma) * edge;
  }
  return sum / 2;
}

// part of a unit sphere; faces come from the convex hull
static const char* makeWedge(Shape* s, const double* params) {
  const double *fov = params + 2, gamma = params[4];
  int nx, ny;
  const char* why;
  if (!(fov[0] > 0 && fov[0] <= 180)) return "horizontal field of view must be in (0, 180]";
  if (!(fov[1] > 0 && fov[1] <= 90)) return "vertical field of view must be in (0, 90]";
  if (!(gamma >= 0 && gamma <= 1)) return "gamma must be in [0, 1]";
  if (!allocateGrid(s, params, &nx, &ny, &why)) return why;
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++) {
      double azimuth = center(i, nx, gamma) * fov[0] * mjPI / 180;
      double elevation = center(j, ny, gamma) * fov[1] * mjPI / 180;
      double sa = sin(azimuth), ca = cos(azimuth), se = sin(elevation), ce = cos(elevation);
      addVertex(s, sa * ce, se, -ca * ce);

      // a frame: outwards, to the right, up
      addNormal(s, sa * ce, se, -ca * ce);
      addNormal(s, ca, 0, sa);
      addNormal(s, -sa * se, ce, ca * se);
    }
  return NULL;
}

static const char* makePlate(Shape* s, const double* params) {
  int nx, ny;
  const char* why;
  if (!allocateGrid(s, params, &nx, &ny, &why)) return why;
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++) {
      addVertex(s, center(i, nx, 0), center(j, ny, 0), -1);
      for (int k = 0; k < 3; k++) addNormal(s, k == 0, k == 1, k == 2);
    }
  for (int i = 0; i < nx - 1; i++)
    for (int j = 0; j < ny - 1; j++) {
      int v = i * ny + j;
      addFace(s, v, v + ny, v + 1);
      addFace(s, v + ny + 1, v + 1, v + ny);
    }
  return NULL;
}

// ---- the generators by type

static const struct {
  const char* name;
  int nparams;
  const char* (*make)(Shape* s, const double* params);
} generators[] = {
    [mjMESH_BUILTIN_SPHERE] = {"sphere", 1, makeSphere},
    [mjMESH_BUILTIN_HEMISPHERE] = {"hemisphere", 1, makeHemisphere},
    [mjMESH_BUILTIN_CONE] = {"cone", 2, makeCone},
    [mjMESH_BUILTIN_SUPERSPHERE] = {"supersphere", 3, makeSupersphere},
    [mjMESH_BUILTIN_SUPERTORUS] = {"supertorus", 4, makeSupertorus},
    [mjMESH_BUILTIN_WEDGE] = {"wedge", 5, makeWedge},
    [mjMESH_BUILTIN_PLATE] = {"plate", 2, makePlate},
};

int mjs_makeMesh(mjsMesh* mesh, mjtMeshBuiltin builtin, double* params, int nparams) {
  mjiSpec* spec = mji_spec(mjs_getSpec(mesh->element));
  const mjiElem* e = (const mjiElem*)mesh->element;
  int known = builtin > mjMESH_BUILTIN_NONE && (size_t)builtin < sizeof generators / sizeof *generators;
  if (!known) {
    mji_spec_error(spec, e, "unsupported mesh type");
    return 1;  // as in the reference; any other error is -1
  }
  const char* name = generators[builtin].name;
  if (nparams != generators[builtin].nparams)
    return mji_spec_error(spec, e, "builtin mesh %s has %d parameters, got %d", name, generators[builtin].nparams,
                          nparams);
  for (int i = 0; i < nparams; i++)
    if (!isfinite(params[i])) return mji_spec_error(spec, e, "parameter %d is not finite", i);

  Shape s = {0};
  const char* why = generators[builtin].make(&s, params);
  if (why) mji_spec_error(spec, e, "%s", why);
  else {
    mjs_setFloat(mesh->uservert, s.vert, 3 * s.nvert);
    if (s.nface) mjs_setInt(mesh->userface, s.face, 3 * s.nface);
    if (builtin == mjMESH_BUILTIN_PLATE) mesh->inertia = mjMESH_INERTIA_SHELL;
    if (s.normal) mjs_setFloat(mesh->usernormal, s.normal, 3 * s.nnormal);
  }
  mju_free(s.normal);
  mju_free(s.vert);
  mju_free(s.face);
  return why ? -1 : 0;
}
