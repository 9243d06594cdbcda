// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How the elements of a flex hang together: edges, layers, the shell.

#include <stdlib.h>
#include <string.h>

#include "compile/compile_flex.h"
#include "model/flex_parts.h"

// ---- edges: in the order in which elements meet them, the lower vertex first

// ids of edges by their vertices: open addressing, -1 is free
typedef struct {
  int* slot;
  unsigned mask;
  mjiFlex* flex;
} EdgeTable;

static int findEdge(EdgeTable* t, int a, int b) {
  mjiFlex* f = t->flex;
  if (a > b) {
    int swap = a;
    a = b;
    b = swap;
  }
  unsigned at = ((unsigned)a * 0x9e3779b1u) ^ ((unsigned)b * 0x85ebca77u);
  for (at &= t->mask; t->slot[at] >= 0; at = (at + 1) & t->mask) {
    const int* edge = f->edge + 2 * t->slot[at];
    if (edge[0] == a && edge[1] == b) return t->slot[at];
  }
  f->edge[2 * f->nedge] = a;
  f->edge[2 * f->nedge + 1] = b;
  t->slot[at] = f->nedge;
  return f->nedge++;
}

static void findEdges(mjiFlex* f) {
  const int each = mji_flexElemEdges(f->dim), most = f->nelem * each;
  unsigned size = 4;
  while (size < 2u * (unsigned)most) size *= 2;
  EdgeTable t = {mji_vec_alloc(size * sizeof(int)), size - 1, f};
  memset(t.slot, -1, size * sizeof(int));
  f->edge = mji_vec_alloc(2 * (size_t)most * sizeof(int));
  f->elemedge = mji_vec_alloc((size_t)most * sizeof(int));
  for (int e = 0; e < f->nelem; e++) {
    const int* v = f->elem + (f->dim + 1) * e;
    for (int k = 0; k < each; k++) {
      int ends[2];
      mji_flexElemEdge(f->dim, k, ends);
      f->elemedge[each * e + k] = findEdge(&t, v[ends[0]], v[ends[1]]);
    }
  }
  free(t.slot);
}

// The vertices opposite to the edges of triangles: of the first triangle at an edge, and of the last other one.
static void findFlaps(mjiFlex* f, int wanted) {
  f->edgeflap = mji_vec_alloc(2 * (size_t)f->nedge * sizeof(int));
  memset(f->edgeflap, -1, 2 * (size_t)f->nedge * sizeof(int));
  if (!wanted || f->dim != 2) return;
  for (int i = 0; i < 3 * f->nelem; i++) {
    // edge k of a triangle lies opposite to its vertex k
    int* flap = f->edgeflap + 2 * f->elemedge[i];
    flap[flap[0] >= 0] = f->elem[i];
  }
}

// ---- faces of elements: what two elements share, or what belongs to the shell

typedef struct {
  int key[3];   // ascending vertices
  int vert[3];  // as they stand around the element
  int elem, opposite;
} Face;

// the vertices of face k; the last entry is the vertex that is not in it
static void faceOf(int dim, int k, int out[4]) {
  static const int of1[2][2] = {{0, 1}, {1, 0}};
  static const int of2[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
  static const int of3[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
  const int* row = dim == 1 ? of1[k] : dim == 2 ? of2[k] : of3[k];
  memcpy(out, row, ((size_t)dim + 1) * sizeof(int));
}

static void sortKey(int* key, int n) {
  for (int i = 1; i < n; i++) {
    for (int k = i; k > 0 && key[k] < key[k - 1]; k--) {
      int swap = key[k];
      key[k] = key[k - 1];
      key[k - 1] = swap;
    }
  }
}

static int compareKeys(const Face* a, const Face* b) {
  for (int k = 0; k < 3; k++) {
    if (a->key[k] != b->key[k]) return a->key[k] < b->key[k] ? -1 : 1;
  }
  return 0;
}

// equal faces stay in the order of their elements
static int compareFaces(const void* a, const void* b) {
  const Face *x = a, *y = b;
  int order = compareKeys(x, y);
  return order ? order : x->elem - y->elem;
}

static Face* collectFaces(const mjiFlex* f) {
  const int dim = f->dim, n = dim + 1;
  Face* face = mji_vec_alloc((size_t)f->nelem * (size_t)n * sizeof(Face));
  for (int e = 0; e < f->nelem; e++) {
    const int* v = f->elem + n * e;
    for (int k = 0; k < n; k++) {
      Face* to = face + n * e + k;
      int at[4];
      faceOf(dim, k, at);
      for (int i = 0; i < dim; i++) to->key[i] = to->vert[i] = v[at[i]];
      sortKey(to->key, dim);
      to->elem = e;
      to->opposite = v[at[dim]];
    }
  }
  qsort(face, (size_t)f->nelem * (size_t)n, sizeof(Face), compareFaces);
  return face;
}

static void addPair(mjiFlex* f, int elem, int vert) {
  f->evpair[2 * f->nevpair] = elem;
  f->evpair[2 * f->nevpair + 1] = vert;
  f->nevpair++;
}

static int isShared(const Face* face, int n, int i) {
  return (i > 0 && !compareKeys(face + i - 1, face + i)) || (i < n - 1 && !compareKeys(face + i, face + i + 1));
}

// A face of one element belongs to the shell. border: the elements with such faces
static void findShell(mjiFlex* f, const Face* face, mjtByte* border) {
  const int n = f->nelem * (f->dim + 1);
  f->shell = mji_vec_alloc((size_t)n * (size_t)f->dim * sizeof(int));
  for (int i = 0; i < n; i++) {
    if (isShared(face, n, i)) continue;
    memcpy(f->shell + f->dim * f->nshell++, face[i].vert, (size_t)f->dim * sizeof(int));
    border[face[i].elem] = 1;
  }
}

// Where two elements share a face and one is at the border, each may meet the vertex of the other that is opposite to
// the face. Elements of solids meet in other ways.
static void findPairs(mjiFlex* f, const Face* face, const mjtByte* border) {
  const int n = f->nelem * (f->dim + 1);
  f->evpair = mji_vec_alloc(4 * (size_t)n * sizeof(int));
  for (int i = 0; i + 1 < n && f->dim < 3; i++) {
    if (compareKeys(face + i, face + i + 1) || !(border[face[i].elem] || border[face[i + 1].elem])) continue;
    addPair(f, face[i + 1].elem, face[i].opposite);
    addPair(f, face[i].elem, face[i + 1].opposite);
  }
}

// ---- layers of a solid: how many elements are between an element and the shell, through faces. Elements that no
// such way leads to have a number that is larger than any.

static void findLayers(mjiFlex* f, const Face* face, const mjtByte* border) {
  const int n = f->nelem * (f->dim + 1);
  f->elemlayer = mji_vec_alloc((size_t)f->nelem * sizeof(int));
  if (f->dim != 3) return;

  // at most two neighbors through each of four faces
  int* next = mji_vec_alloc(8 * (size_t)f->nelem * sizeof(int));
  int* queue = mji_vec_alloc((size_t)f->nelem * sizeof(int));
  int *count = mji_vec_alloc((size_t)f->nelem * sizeof(int)), head = 0, tail = 0;
  for (int i = 0; i + 1 < n; i++) {
    const int a = face[i].elem, b = face[i + 1].elem;
    if (compareKeys(face + i, face + i + 1)) continue;
    next[8 * a + count[a]++] = b;
    next[8 * b + count[b]++] = a;
  }
  for (int e = 0; e < f->nelem; e++) {
    f->elemlayer[e] = border[e] ? 0 : f->nelem + 1;
    if (border[e]) queue[tail++] = e;
  }
  while (head < tail) {
    const int e = queue[head++];
    for (int k = 0; k < count[e]; k++) {
      const int to = next[8 * e + k];
      if (f->elemlayer[to] <= f->nelem) continue;
      f->elemlayer[to] = f->elemlayer[e] + 1;
      queue[tail++] = to;
    }
  }
  free(next);
  free(queue);
  free(count);
}

void mji_flex_connect(mjiFlex* f, int flaps) {
  findEdges(f);
  findFlaps(f, flaps);
  Face* face = collectFaces(f);
  mjtByte* border = mji_vec_alloc((size_t)f->nelem);
  findShell(f, face, border);
  findPairs(f, face, border);
  findLayers(f, face, border);
  free(border);
  free(face);
}
