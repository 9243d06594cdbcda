// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The skin of a cable of boxes: two sheets of vertices, above and below, closed by strips at the
// four edges. Bones stand on a grid of nodes: along the cable one at each of its points, across it
// one at each edge and, if the grid is subdivided, one in the middle. Vertices between nodes follow
// the bones around by a cubic spline in each direction.
//
// Vertices are numbered across first; those of the lower sheet follow those of the upper.

#include "mjcf/cable.h"

typedef struct {
  int along, across;  // nodes
  int sub;            // vertices per cell, in each direction
  int nx, ny;         // vertices of a sheet, along and across
} Grid;

static Grid readGrid(mjiReader* r, const mjiCable* cable, const mjiXML* skin) {
  const mjiXML* elem = skin ? skin : cable->elem;
  int subgrid = skin ? mji_readInt(r, skin, "subgrid", 0) : 0;
  if (subgrid < 0) subgrid = 0;
  long long sub = 1LL + subgrid, across = subgrid ? 3 : 2;
  long long nx = (cable->npoint - 1) * sub + 1, ny = (across - 1) * sub + 1;
  if (subgrid > mjiMAX_CABLESKIN || 2 * nx * ny > mjiMAX_CABLESKIN)
    mji_readFail(r, elem, "the skin would have more than %d vertices", mjiMAX_CABLESKIN);
  return (Grid){cable->npoint, (int)across, (int)sub, (int)nx, (int)ny};
}

// ---- faces and coordinates

static int* putFace(int* face, int a, int b, int c) {
  face[0] = a;
  face[1] = b;
  face[2] = c;
  return face + 3;
}

static void addFaces(mjiReader* r, const Grid* g, mjsSkin* skin, const mjiXML* elem) {
  const int nx = g->nx, ny = g->ny, low = nx * ny, right = ny - 1, end = (nx - 1) * ny;
  size_t n = 4 * ((size_t)(nx - 1) * (ny - 1) + nx + ny - 2);
  int *face = mji_readAlloc(r, elem, 3 * n * sizeof *face), *f = face;

  // sheets
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < nx - 1; i++)
      for (int j = 0; j < ny - 1; j++) {
        int v = side * low + i * ny + j;
        f = side ? putFace(f, v, v + ny + 1, v + ny) : putFace(f, v, v + ny, v + ny + 1);
        f = side ? putFace(f, v, v + 1, v + ny + 1) : putFace(f, v, v + ny + 1, v + 1);
      }

  // edges
  for (int v = 0; v < end; v += ny) {
    f = putFace(f, v, low + v + ny, v + ny);
    f = putFace(f, v, low + v, low + v + ny);
  }
  for (int v = right; v < end; v += ny) {
    f = putFace(f, v, v + ny, low + v + ny);
    f = putFace(f, v, low + v + ny, low + v);
  }
  for (int v = 0; v < right; v++) {
    f = putFace(f, v, v + 1, low + v + 1);
    f = putFace(f, v, low + v + 1, low + v);
  }
  for (int v = end; v < end + right; v++) {
    f = putFace(f, v, low + v + 1, v + 1);
    f = putFace(f, v, low + v, low + v + 1);
  }
  mjs_setInt(skin->face, face, (int)(f - face));
}

static void addVertices(mjiReader* r, const Grid* g, mjsSkin* skin, const mjiXML* elem, int texture) {
  size_t n = 2 * (size_t)g->nx * g->ny;
  float* zero = mji_readAlloc(r, elem, 3 * n * sizeof *zero);
  mjs_setFloat(skin->vert, zero, (int)(3 * n));
  if (!texture) return;
  float* coord = mji_readAlloc(r, elem, 2 * n * sizeof *coord);
  for (size_t v = 0; v < n; v++) {
    size_t i = v / g->ny % g->nx, j = v % g->ny;
    coord[2 * v] = i / (float)(g->nx - 1);
    coord[2 * v + 1] = j / (float)(g->ny - 1);
  }
  mjs_setFloat(skin->texcoord, coord, (int)(2 * n));
}

// ---- bones

// slope at a node of n: half the difference of its neighbours, or a one-sided one at an end
static void addSlope(double weight[4], int cell, int node, int n, double factor) {
  int before = node > 0 ? node - 1 : node, after = node < n - 1 ? node + 1 : node;
  factor /= after - before;
  weight[after - cell + 1] += factor;
  weight[before - cell + 1] -= factor;
}

// weights of nodes cell-1 .. cell+2 at a fraction t of a cell
static void spline(double weight[4], double t, int cell, int n) {
  double t2 = t * t, t3 = t2 * t;
  weight[0] = weight[3] = 0;
  weight[1] = 1 - 3 * t2 + 2 * t3;
  weight[2] = 3 * t2 - 2 * t3;
  addSlope(weight, cell, cell, n, t - 2 * t2 + t3);
  addSlope(weight, cell, cell + 1, n, t3 - t2);
}

// List the vertices of one cell that a bone moves, in both sheets, with their weights. Returns how many.
static int holdCell(const Grid* g, int bi, int bj, int ci, int cj, int* id, float* weight) {
  int n = 0, low = g->nx * g->ny;
  int toi = g->sub + (ci == g->along - 2), toj = g->sub + (cj == g->across - 2);
  for (int i = 0; i < toi; i++) {
    double wx[4];
    spline(wx, (double)i / g->sub, ci, g->along);
    for (int j = 0; j < toj; j++) {
      double wy[4];
      spline(wy, (double)j / g->sub, cj, g->across);
      double w = wx[bi - ci + 1] * wy[bj - cj + 1];
      if (w == 0) continue;  // the reference keeps some that are zero but for rounding
      id[n] = (ci * g->sub + i) * g->ny + cj * g->sub + j;
      id[n + 1] = id[n] + low;
      weight[n] = weight[n + 1] = (float)w;
      n += 2;
    }
  }
  return n;
}

// cells from two before a node to one behind it
static int firstCell(int node) { return node > 2 ? node - 2 : 0; }

static int lastCell(int node, int nnode) { return node + 1 < nnode - 1 ? node + 1 : nnode - 2; }

static void addBone(const Grid* g, mjsSkin* skin, int bi, int bj, int* id, float* weight) {
  int n = 0;
  for (int ci = firstCell(bi); ci <= lastCell(bi, g->along); ci++)
    for (int cj = firstCell(bj); cj <= lastCell(bj, g->across); cj++)
      n += holdCell(g, bi, bj, ci, cj, id + n, weight + n);
  mjs_appendIntVec(skin->vertid, id, n);
  mjs_appendFloatVec(skin->vertweight, weight, n);
}

static void addBones(mjiReader* r, const mjiCable* cable, const Grid* g, mjsSkin* skin, const mjiXML* elem) {
  int n = g->along * g->across, last = g->along - 1;
  float* pos = mji_readAlloc(r, elem, 3 * (size_t)n * sizeof *pos);
  float* quat = mji_readAlloc(r, elem, 4 * (size_t)n * sizeof *quat);
  size_t most = 2 * (4 * (size_t)g->sub + 1) * g->ny;
  int* id = mji_readAlloc(r, elem, most * sizeof *id);
  float* weight = mji_readAlloc(r, elem, most * sizeof *weight);

  for (int i = 0; i < g->along; i++)
    for (int j = 0; j < g->across; j++) {
      // the last node belongs to the body before it
      int b = i * g->across + j, body = i < last ? i : last - 1;
      mjs_appendString(skin->bodyname, mji_cablePart(r, cable, 'B', body));
      pos[3 * b] = i < last ? 0 : (float)(-2 * cable->size[0]);
      pos[3 * b + 1] = (float)(cable->size[1] * (2.0 * j / (g->across - 1) - 1));
      quat[4 * b] = 1;
      addBone(g, skin, i, j, id, weight);
    }
  mjs_setFloat(skin->bindpos, pos, 3 * n);
  mjs_setFloat(skin->bindquat, quat, 4 * n);
}

// its attributes; returns whether it has texture coordinates
static int readSkin(mjiReader* r, const mjiXML* given, mjsSkin* skin) {
  if (!given) return 0;
  mji_readSkinRows(r, given, mji_rowsCableSkin, skin);
  return mji_readWord(r, given, "texcoord", mji_wordsBool, 0);
}

void mji_cableNoSkin(mjiReader* r, const mjiXML* given) {
  mjsSkin* skin = mjs_addSkin(r->spec);
  readSkin(r, given, skin);
  mji_readInt(r, given, "subgrid", 0);
  mjs_delete(r->spec, skin->element);
}

void mji_cableSkin(mjiReader* r, const mjiCable* cable, const mjiXML* given) {
  const mjiXML* elem = given ? given : cable->elem;
  Grid grid = readGrid(r, cable, given);
  mjsSkin* skin = mjs_addSkin(r->spec);
  mji_readIdentity(r, elem, skin->element, skin->info);
  mjs_setName(skin->element, mji_cableName(r, cable, "Skin"));
  for (int k = 0; k < 4; k++) skin->rgba[k] = 1;
  int texture = readSkin(r, given, skin);

  // the sheets are as far apart as the boxes are high, whatever inflate says
  skin->inflate = (float)(2 * cable->size[2]);
  addVertices(r, &grid, skin, elem, texture);
  addFaces(r, &grid, skin, elem);
  addBones(r, cable, &grid, skin, elem);
}
