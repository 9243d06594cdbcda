// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Octree of signed distances of a mesh.
//
// The root is the bounding box of the mesh, larger by a tenth. Cells that a face meets are divided down to MAXDEPTH,
// and then more cells, until leaves that share a face differ by one level at most. Every cell keeps the distances at
// its corners. A corner that lies on the side of a larger leaf has the value which that leaf interpolates there, so
// that the field has no steps. The tree is made on grids with one flag for each cell of a level, and then numbered
// level by level.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/mesh.h"
#include "compile/mesh_distance.h"

enum {
  MAXDEPTH = 6,
  CELLS = 1 << MAXDEPTH,  // of the deepest level along an axis
  POINTS = CELLS + 1,
  FLAGS = 37449,  // cells of the levels above the deepest: (8^6 - 1) / 7
};

typedef struct Tree_ {
  double lo[3], size[3];  // of the root
  const mjiRawMesh* mesh;
  unsigned char divided[FLAGS];
  const mjiMeshDistance* distance;
  double* value;  // (POINTS^3) at the corners of cells, NaN: not known yet
} Tree;

static int flagAt(int level, const int cell[3]) {
  int before = ((1 << 3 * level) - 1) / 7;
  return before + (cell[2] << 2 * level) + (cell[1] << level) + cell[0];
}

static int isDivided(const Tree* t, int level, const int cell[3]) {
  return level < MAXDEPTH && t->divided[flagAt(level, cell)];
}

// ---- which cells are divided

// does a plane with this normal part the triangle from the box?
static int parts(const double normal[3], double v[3][3], const double half[3]) {
  double lo = INFINITY, hi = -INFINITY, reach = 0;
  for (int i = 0; i < 3; i++) {
    double at = mju_dot3(normal, v[i]);
    lo = fmin(lo, at);
    hi = fmax(hi, at);
    reach += fabs(normal[i]) * half[i];
  }
  return lo > reach || hi < -reach;
}

// does a triangle meet a box? They do unless an axis of the box, the normal, or a product of axis and side parts them
static int meets(const mjiRawMesh* mesh, int face, const double center[3], const double half[3]) {
  double v[3][3], side[3][3], normal[3];
  for (int i = 0; i < 3; i++) mju_sub3(v[i], mesh->vert + 3 * mesh->face[3 * face + i], center);
  for (int k = 0; k < 3; k++) {
    double axis[3] = {k == 0, k == 1, k == 2};
    if (parts(axis, v, half)) return 0;
  }
  for (int i = 0; i < 3; i++) mju_sub3(side[i], v[(i + 1) % 3], v[i]);
  mju_cross(normal, side[0], side[1]);
  if (parts(normal, v, half)) return 0;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++) {
      double axis[3] = {k == 0, k == 1, k == 2}, across[3];
      mju_cross(across, axis, side[i]);
      if (parts(across, v, half)) return 0;
    }
  }
  return 1;
}

// Divide a cell that faces meet, of those that its parent meets. `list` has room for those of all levels below.
static void divide(Tree* t, int level, const int cell[3], const int* parent, int nparent, int* list) {
  double center[3], half[3];
  for (int k = 0; k < 3; k++) {
    half[k] = t->size[k] / (2 << level);
    center[k] = t->lo[k] + (2 * cell[k] + 1) * half[k];
  }
  int n = 0;
  for (int i = 0; i < nparent; i++) {
    if (meets(t->mesh, parent[i], center, half)) list[n++] = parent[i];
  }
  if (!n) return;
  t->divided[flagAt(level, cell)] = 1;
  if (level + 1 == MAXDEPTH) return;
  for (int j = 0; j < 8; j++) {
    int child[3] = {2 * cell[0] + (j & 1), 2 * cell[1] + (j >> 1 & 1), 2 * cell[2] + (j >> 2 & 1)};
    divide(t, level + 1, child, list, n, list + n);
  }
}

// make a cell one of the tree: all above it are divided
static void reachCell(Tree* t, int level, const int cell[3]) {
  int up[3] = {cell[0], cell[1], cell[2]};
  for (int l = level - 1; l >= 0; l--) {
    for (int k = 0; k < 3; k++) up[k] >>= 1;
    t->divided[flagAt(l, up)] = 1;
  }
}

// A divided cell has cells of its own size beside it. Deeper levels come first, because they divide higher ones only.
static void balance(Tree* t) {
  for (int level = MAXDEPTH - 1; level > 0; level--) {
    int n = 1 << level;
    for (int i = 0; i < n * n * n; i++) {
      int cell[3] = {i % n, i / n % n, i / n / n};
      if (!isDivided(t, level, cell)) continue;
      for (int side = 0; side < 6; side++) {
        int beside[3] = {cell[0], cell[1], cell[2]};
        beside[side / 2] += side % 2 ? 1 : -1;
        if (beside[side / 2] >= 0 && beside[side / 2] < n) reachCell(t, level, beside);
      }
    }
  }
}

// ---- values at corners

// the leaf that has a cell of the deepest level
static int leafOf(const Tree* t, const int fine[3], int leaf[3]) {
  for (int level = 0;; level++) {
    for (int k = 0; k < 3; k++) leaf[k] = fine[k] >> (MAXDEPTH - level);
    if (!isDivided(t, level, leaf)) return level;
  }
}

// Find the largest leaf around a point that does not have it as a corner. Returns its level, or -1.
static int leafAcross(const Tree* t, const int point[3], int across[3]) {
  int found = -1;
  for (int j = 0; j < 8; j++) {
    int fine[3], leaf[3], outside = 0, corner = 1;
    for (int k = 0; k < 3; k++) {
      fine[k] = point[k] - (j >> k & 1);
      outside |= fine[k] < 0 || fine[k] >= CELLS;
    }
    if (outside) continue;
    int level = leafOf(t, fine, leaf), shift = MAXDEPTH - level;
    for (int k = 0; k < 3; k++) corner &= point[k] == leaf[k] << shift || point[k] == (leaf[k] + 1) << shift;
    if (corner || (found >= 0 && found <= level)) continue;
    found = level;
    memcpy(across, leaf, 3 * sizeof *across);
  }
  return found;
}

static double valueAt(const Tree* t, const int point[3]);

// the value that a leaf interpolates, from those of its corners; these do not lie across smaller leaves
static double interpolated(const Tree* t, int level, const int leaf[3], const int point[3]) {
  int shift = MAXDEPTH - level;
  double value = 0;
  for (int j = 0; j < 8; j++) {
    double weight = 1;
    int corner[3];
    for (int k = 0; k < 3; k++) {
      int up = j >> k & 1;
      double at = (double)(point[k] - (leaf[k] << shift)) / (1 << shift);
      weight *= up ? at : 1 - at;
      corner[k] = (leaf[k] + up) << shift;
    }
    if (weight > 0) value += weight * valueAt(t, corner);
  }
  return value;
}

static double valueAt(const Tree* t, const int point[3]) {
  double* value = t->value + ((size_t)point[2] * POINTS + (size_t)point[1]) * POINTS + (size_t)point[0];
  if (!isnan(*value)) return *value;
  int leaf[3], level = leafAcross(t, point, leaf);
  if (level >= 0) return *value = interpolated(t, level, leaf, point);
  double place[3];
  for (int k = 0; k < 3; k++) place[k] = t->lo[k] + t->size[k] * point[k] / CELLS;
  return *value = mji_meshDistance_at(t->distance, place);
}

// ---- numbering

typedef struct Cell_ {
  int level;
  int at[3];
} Cell;

static int countCells(const Tree* t) {
  int n = 1;
  for (int i = 0; i < FLAGS; i++) n += 8 * t->divided[i];
  return n;
}

static void writeCell(mjiMesh* out, const Tree* t, int id, const Cell* cell) {
  int shift = MAXDEPTH - cell->level;
  double* box = out->octaabb + 6 * (size_t)id;
  out->octdepth[id] = cell->level;
  for (int k = 0; k < 3; k++) {
    double half = t->size[k] / (2 << cell->level);
    box[k] = t->lo[k] + (2 * cell->at[k] + 1) * half;
    box[3 + k] = half;
  }
  for (int j = 0; j < 8; j++) {
    int corner[3];
    for (int k = 0; k < 3; k++) corner[k] = (cell->at[k] + (j >> k & 1)) << shift;
    out->octcoeff[8 * (size_t)id + (size_t)j] = valueAt(t, corner);
  }
}

static int writeTree(mjiMesh* out, const Tree* t) {
  int n = countCells(t), used = 1;
  size_t num = (size_t)n;
  Cell* cell = malloc(num * sizeof *cell);
  out->octdepth = mju_malloc(num * sizeof *out->octdepth);
  out->octchild = mju_malloc(8 * num * sizeof *out->octchild);
  out->octaabb = mju_malloc(6 * num * sizeof *out->octaabb);
  out->octcoeff = mju_malloc(8 * num * sizeof *out->octcoeff);
  int ok = cell && out->octdepth && out->octchild && out->octaabb && out->octcoeff;
  out->noct = ok ? n : 0;
  if (ok) cell[0] = (Cell){0};
  for (int i = 0; i < out->noct; i++) {
    writeCell(out, t, i, cell + i);
    int has = isDivided(t, cell[i].level, cell[i].at);
    for (int j = 0; j < 8; j++) {
      out->octchild[8 * i + j] = has ? used + j : -1;
      if (!has) continue;
      cell[used + j].level = cell[i].level + 1;
      for (int k = 0; k < 3; k++) cell[used + j].at[k] = 2 * cell[i].at[k] + (j >> k & 1);
    }
    used += has ? 8 : 0;
  }
  free(cell);
  return ok ? 0 : -1;
}

int mji_mesh_makeOctree(mjiMesh* out, const mjiRawMesh* mesh) {
  Tree* t = calloc(1, sizeof *t);
  size_t points = (size_t)POINTS * POINTS * POINTS, nface = (size_t)mesh->nface;
  double* value = malloc(points * sizeof *value);
  int* list = malloc((MAXDEPTH + 1) * nface * sizeof *list + 1);
  mjiMeshDistance* distance = mji_meshDistance_new(mesh->nvert, mesh->vert, mesh->nface, mesh->face);
  int bad = !t || !value || !list || !distance;
  if (!bad) {
    for (size_t i = 0; i < points; i++) value[i] = NAN;
    t->mesh = mesh;
    t->distance = distance;
    t->value = value;
    for (int k = 0; k < 3; k++) {
      double half = 1.1 * out->aabb[3 + k];
      t->lo[k] = out->aabb[k] - half;
      t->size[k] = 2 * half;
    }
    for (int i = 0; i < mesh->nface; i++) list[i] = i;
    int root[3] = {0};
    divide(t, 0, root, list, mesh->nface, list + nface);
    balance(t);
    bad = writeTree(out, t);
  }
  mji_meshDistance_free(distance);
  free(list);
  free(value);
  free(t);
  return bad ? -1 : 0;
}
