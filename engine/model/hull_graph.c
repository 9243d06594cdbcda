// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/hull_graph.h"

#include <string.h>

// How near to the farthest another node ties, relative to the size of a hull. Vertices are floats, so hulls have dents
// as deep as their rounding, and there a climb ends as early as in the reference.
static const mjtNum TIE = 1e-6;

// a graph as mesh_graph has it (compile/mesh_hull.c)
typedef struct Graph_ {
  int nnode, nedge;
  int celled;  // its cells have blocks
  const int *start, *vertex, *edge;
} Graph;

// Hulls of a model whose cells have blocks, 192 KiB for each: a file with thousands of meshes must not take memory that
// nobody counts.
enum { CELLED = 128 };

// The graph of the next mesh that has a layout. ncelled: hulls before it whose cells have blocks.
static Graph nextGraph(const mjModel* m, int mesh, int* ncelled) {
  const int* g = m->mesh_graph + m->mesh_graphadr[mesh];
  Graph r = {.nnode = g[0], .nedge = g[0] + 3 * g[1], .start = g + 2};
  r.vertex = r.start + r.nnode;
  r.edge = r.vertex + r.nnode;
  r.celled = r.nnode >= LARGE_HULL && *ncelled < CELLED;
  *ncelled += r.celled;
  return r;
}

static int degree(const Graph* g, int node) {
  int n = 0;
  while (g->edge[g->start[node] + n] >= 0) n++;
  return n;
}

// one place of each block is that of the node itself
static int blocksFor(int degree) { return degree ? (degree + HULL_BLOCK - 2) / (HULL_BLOCK - 1) : 1; }

// Blocks of all nodes. None if lists of neighbours overlap, which only a damaged file has: they could need any memory.
static int countBlocks(const Graph* g) {
  int nblock = 0, left = g->nedge;
  for (int i = 0; i < g->nnode; i++) {
    int n = degree(g, i);
    left -= n + 1;
    if (left < 0) return 0;
    nblock += blocksFor(n);
  }
  return nblock;
}

static int isOfMesh(const mjModel* m, int geom, int mesh) {
  return (m->geom_type[geom] == mjGEOM_MESH || m->geom_type[geom] == mjGEOM_SDF) && m->geom_dataid[geom] == mesh;
}

static int mayCollide(const mjModel* m, int mesh) {
  for (int i = 0; i < m->ngeom; i++) {
    if ((m->geom_contype[i] || m->geom_conaffinity[i]) && isOfMesh(m, i, mesh)) return 1;
  }
  for (int i = 0; i < 2 * m->npair; i++) {
    int geom = i < m->npair ? m->pair_geom1[i] : m->pair_geom2[i - m->npair];
    if (isOfMesh(m, geom, mesh)) return 1;
  }
  return 0;
}

static int hasLayout(const mjModel* m, int mesh) { return m->mesh_graphadr[mesh] >= 0 && mayCollide(m, mesh); }

// to a multiple of the size of a block, so that no array of one mesh begins in the middle of a cache line
static size_t padded(size_t bytes) {
  return (bytes + sizeof(mjiHullBlock) - 1) / sizeof(mjiHullBlock) * sizeof(mjiHullBlock);
}

static size_t placeBytes(const Graph* g) {
  if (g->nnode >= LARGE_HULL) return 0;
  mjiHull hull = {.nnode = g->nnode};
  return padded(3 * (size_t)mji_hull_stride(&hull) * sizeof(mjtNum));
}

static size_t ncellOf(const Graph* g) { return g->celled ? HULL_CELLS : 0; }

// places, numbers and blocks
static size_t bytesOf(const Graph* g, int nblock) {
  if (!nblock) return 0;
  size_t nint = (size_t)nblock + (size_t)g->nnode + (g->nnode >= LARGE_HULL ? HULL_CELLS : 0);
  return placeBytes(g) + padded(nint * sizeof(int)) + ((size_t)nblock + ncellOf(g)) * sizeof(mjiHullBlock);
}

size_t mji_hull_bytes(const mjModel* m) {
  size_t bytes = padded((size_t)m->nmesh * sizeof(mjiHull));
  int ncelled = 0;
  for (int i = 0; i < m->nmesh; i++) {
    if (!hasLayout(m, i)) continue;
    Graph g = nextGraph(m, i, &ncelled);
    int nblock = countBlocks(&g);
    bytes += bytesOf(&g, nblock) + (nblock ? mji_hull_cornerBytes(m->mesh_vertnum[i]) : 0);
  }
  return bytes;
}

static void setPlace(mjiHullBlock* b, int k, const float v[3], int first) {
  b->x[k] = v[0];
  b->y[k] = v[1];
  b->z[k] = v[2];
  b->first[k] = first;
}

// write the blocks of a node; first: of all nodes
static void fillBlocks(mjiHullBlock* block, const Graph* g, int node, const int* first, const float* vertex) {
  const int* edge = g->edge + g->start[node];
  int n = degree(g, node), nblock = blocksFor(n);
  for (int i = 0; i < nblock; i++) {
    mjiHullBlock* b = block + first[node] + i;
    for (int k = 0; k < HULL_BLOCK; k++) {
      int at = i * (HULL_BLOCK - 1) + k - 1, other = k && at < n ? edge[at] : node;
      setPlace(b, k, vertex + 3 * g->vertex[other], first[other]);
    }
    if (i + 1 < nblock) b->first[0] |= HULL_MORE;
  }
}

// ---- cells of large hulls

// A direction of a cell, see mji_hull_cell: its middle is at (1, 1), its corners at 0 and 2.
static void directionOf(mjtNum dir[3], int cell, int at_u, int at_v) {
  int v = cell % HULL_SIDE, u = cell / HULL_SIDE % HULL_SIDE, face = cell / (HULL_SIDE * HULL_SIDE), axis = face / 2;
  dir[axis] = face % 2 ? -1 : 1;
  dir[axis == 0 ? 1 : 0] = (2 * u + at_u) / (mjtNum)HULL_SIDE - 1;
  dir[axis == 2 ? 1 : 2] = (2 * v + at_v) / (mjtNum)HULL_SIDE - 1;
}

enum { CORNERS = 4, CANDIDATES = 4 * HULL_BLOCK };

// Nodes that may be farthest in a direction of a cell. Directions are sums of the corners, so a node that another is
// beyond at all corners never is. The others are connected by edges of the hull.
typedef struct Candidates_ {
  mjtNum corner[CORNERS][3], tie;
  mjtNum most[CORNERS][CORNERS];  // how far the farthest along a corner is along each of them
  int n, node[CANDIDATES];
  mjtNum along[CANDIDATES][CORNERS];
} Candidates;

static int isAnyBeyond(const mjtNum (*other)[CORNERS], int n, const mjtNum along[CORNERS], mjtNum tie) {
  for (int i = 0; i < n; i++) {
    int beyond = 1;
    for (int k = 0; k < CORNERS; k++) beyond &= other[i][k] > along[k] + tie;
    if (beyond) return 1;
  }
  return 0;
}

static int isBeaten(const Candidates* c, const mjtNum along[CORNERS]) {
  return isAnyBeyond(c->most, CORNERS, along, c->tie) || isAnyBeyond(c->along, c->n, along, c->tie);
}

static int isKnown(const Candidates* c, int node) {
  for (int i = 0; i < c->n; i++) {
    if (c->node[i] == node) return 1;
  }
  return 0;
}

static void alongCorners(mjtNum along[CORNERS], const Candidates* c, const float v[3]) {
  for (int k = 0; k < CORNERS; k++) along[k] = c->corner[k][0] * v[0] + c->corner[k][1] * v[1] + c->corner[k][2] * v[2];
}

static void addCandidate(Candidates* c, int node, const float v[3]) {
  if (isKnown(c, node)) return;
  mjtNum along[CORNERS];
  alongCorners(along, c, v);
  if (isBeaten(c, along)) return;
  c->node[c->n] = node;
  memcpy(c->along[c->n++], along, sizeof along);
}

// Find those of a cell, from the node that is farthest along its middle; nonzero if there are too many. They come in
// the order in which a climb would compare them, which decides where they tie.
static int findCandidates(Candidates* c, const mjiHull* hull, const Graph* g, const float* vertex, int cell, int at) {
  for (int k = 0; k < CORNERS; k++) directionOf(c->corner[k], cell, k & 2, 2 * (k & 1));
  for (int k = 0; k < CORNERS; k++) {
    int node = hull->node[mji_hull_climb(hull->block, at, c->corner[k])];
    alongCorners(c->most[k], c, vertex + 3 * g->vertex[node]);
  }
  c->n = 0;
  addCandidate(c, hull->node[at], vertex + 3 * g->vertex[hull->node[at]]);
  for (int i = 0; i < c->n; i++) {
    for (const int* e = g->edge + g->start[c->node[i]]; *e >= 0; e++) {
      if (c->n == CANDIDATES) return 1;
      addCandidate(c, *e, vertex + 3 * g->vertex[*e]);
    }
  }
  return 0;
}

// Write the block of a cell; nonzero if it has no room for all, or there is none: in a damaged hull the climb along the
// middle may end where others are farther at all corners.
static int fillCell(mjiHullBlock* b, const Candidates* c, const Graph* g, const int* first, const float* vertex) {
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    if (isBeaten(c, c->along[i])) continue;
    if (n == HULL_BLOCK) return 1;
    setPlace(b, n++, vertex + 3 * g->vertex[c->node[i]], first[c->node[i]]);
  }
  if (!n) return 1;
  for (int i = n; i < HULL_BLOCK; i++)
    setPlace(b, i, (float[]){b->x[n - 1], b->y[n - 1], b->z[n - 1]}, b->first[n - 1]);
  return 0;
}

static void fillCells(int* start, mjiHullBlock* block, const mjiHull* hull, const Graph* g, const float* vertex) {
  Candidates c = {.tie = hull->tie};
  int at = 0;
  for (int cell = 0; cell < HULL_CELLS; cell++) {
    mjtNum dir[3];
    directionOf(dir, cell, 1, 1);
    start[cell] = at = mji_hull_climb(hull->block, at, dir);
    if (!block || findCandidates(&c, hull, g, vertex, cell, at)) continue;
    if (!fillCell(block + cell, &c, g, hull->first, vertex)) start[cell] = -1;
  }
}

// ---- all

// the largest coordinate of all nodes
static mjtNum sizeOf(const Graph* g, const float* vertex) {
  mjtNum size = 0;
  for (int i = 0; i < 3 * g->nnode; i++) size = fmax(size, fabs((mjtNum)vertex[3 * g->vertex[i / 3] + i % 3]));
  return size;
}

static void fillPlaces(mjiHull* hull, mjtNum* place, const Graph* g, const float* vertex) {
  int stride = mji_hull_stride(hull);
  for (int i = 0; i < stride; i++) {
    for (int k = 0; k < 3; k++) place[k * stride + i] = (mjtNum)vertex[3 * g->vertex[i < g->nnode ? i : 0] + k];
  }
  hull->place = place;
}

static void fillHull(mjiHull* hull, const Graph* g, const float* vertex, char* at, int nblock) {
  int large = g->nnode >= LARGE_HULL, *node = (int*)(void*)(at + placeBytes(g)), *first = node + nblock;
  int* start = first + g->nnode;
  mjiHullBlock *cell = (mjiHullBlock*)(void*)(at + bytesOf(g, nblock)) - ncellOf(g), *block = cell - nblock;
  for (int i = 0, next = 0; i < g->nnode; i++) {
    first[i] = next;
    for (int end = next + blocksFor(degree(g, i)); next < end; next++) node[next] = i;
  }
  for (int i = 0; i < g->nnode; i++) fillBlocks(block, g, i, first, vertex);
  *hull = (mjiHull){.nblock = nblock, .nnode = g->nnode, .node = node, .first = first, .block = block};
  hull->tie = TIE * sizeOf(g, vertex);
  hull->start = large ? start : NULL;
  hull->cell = g->celled ? cell : NULL;
  if (large) fillCells(start, g->celled ? cell : NULL, hull, g, vertex);
  else fillPlaces(hull, (mjtNum*)(void*)at, g, vertex);
}

void mji_hull_layOut(const mjModel* m, mjiHull* hull) {
  char* at = (char*)hull + padded((size_t)m->nmesh * sizeof *hull);
  int ncelled = 0;
  for (int i = 0; i < m->nmesh; i++) {
    if (!hasLayout(m, i)) continue;
    Graph g = nextGraph(m, i, &ncelled);
    int nblock = countBlocks(&g);
    if (!nblock) continue;
    const float* vertex = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[i];
    fillHull(hull + i, &g, vertex, at, nblock);
    at += bytesOf(&g, nblock);
    mji_hull_layOutCorners(&hull[i].corners, vertex, m->mesh_vertnum[i], at);
    at += mji_hull_cornerBytes(m->mesh_vertnum[i]);
  }
}
