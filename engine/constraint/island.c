// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Finds islands in a graph: trees are its nodes, constraint blocks its edges. Islands are the connected components with
// at least one block, numbered by their first tree. Sleeping needs only the trees of each island, which this file
// finds; island_export.c writes all other arrays of islands that programs may read. The solver finds its own parts, in
// lanes (../solve/parts.h).
#include "constraint/island.h"

#include <string.h>

#include <mujoco/mjxmacro.h>

#include "constraint/rows.h"
#include "model/contact_side.h"
#include "model/equality_row.h"
#include "model/row_class.h"

// add a tree to n others, in ascending order and once; returns how many there are
static int insertTree(int* tree, int n, int t) {
  int at = n;
  while (at > 0 && tree[at - 1] > t) at--;
  if (t < 0 || (at > 0 && tree[at - 1] == t)) return n;
  memmove(tree + at + 1, tree + at, (size_t)(n - at) * sizeof *tree);
  tree[at] = t;
  return n + 1;
}

int mji_island_trees(const mjModel* m, const mjiBlock* b, const int* geom, int* tree) {
  int n = 0;
  if (geom && geom[0] >= 0 && geom[1] >= 0) {
    // use the bodies of both sides, because the columns leave out dofs that move both
    for (int i = 0; i < 2; i++) {
      mjiSide side = mji_contactSide(m, geom, i);
      for (int k = 0; k < side.n; k++) n = insertTree(tree, n, m->body_treeid[side.body[k]]);
    }
    return n;
  }
  for (int c = 0; c < b->ncol; c++) {
    int t = m->dof_treeid[b->col[c]];
    if (!n || tree[n - 1] != t) tree[n++] = t;
  }
  return n;
}

const int* mji_island_geoms(const mjData* d, const mjiBlock* b) {
  return mji_isContact(b->type) ? d->contact[b->id].geom : NULL;
}

// ---- which island

// smallest tree that is connected to t
static int findRoot(int* link, int t) {
  while (link[t] != t) t = link[t] = link[link[t]];
  return t;
}

static int isOfBodies(const mjModel* m, const mjiBlock* b) {
  if (b->type != mjCNSTR_EQUALITY) return mji_isContact(b->type);
  return mji_equalityOfPoints(m, b->id);
}

// Trees that a block connects. With a dense Jacobian, these are the trees with a nonzero entry; with a sparse one, and
// for blocks between bodies, all trees that the block acts on.
static int connectedTrees(const mjModel* m, const mjData* d, const mjiBlock* b, int* tree) {
  if (mj_isSparse(m) || isOfBodies(m, b)) return mji_island_trees(m, b, mji_island_geoms(d, b), tree);
  int n = 0;
  for (int c = 0; c < b->ncol; c++) {
    int t = m->dof_treeid[b->col[c]], moves = 0;
    for (int i = 0; i < b->nrow; i++) moves |= mji_block_entry(b, i, c) != 0;
    if (moves && (!n || tree[n - 1] != t)) tree[n++] = t;
  }
  return n;
}

// find tree_island and the first tree of each block, or -1; returns the number of islands
static int findIslands(const mjModel* m, const mjData* d, int* island, int* first) {
  const mjiWork* w = mji_work(d);
  mj_markStack((mjData*)d);
  int* link = mj_stackAllocInt((mjData*)d, (size_t)m->ntree);
  int* tree = mj_stackAllocInt((mjData*)d, (size_t)m->ntree);
  for (int t = 0; t < m->ntree; t++) {
    link[t] = t;
    island[t] = -1;
  }

  // connect; a tree with a block is marked by 0
  for (int i = 0; i < w->nblock; i++) {
    int n = connectedTrees(m, d, w->block + i, tree);
    first[i] = n ? tree[0] : -1;
    for (int k = 0; k < n; k++) {
      int a = findRoot(link, tree[0]), b = findRoot(link, tree[k]);
      link[a > b ? a : b] = a > b ? b : a;
      island[tree[k]] = 0;
    }
  }

  // number them; roots come before the others
  int n = 0;
  for (int t = 0; t < m->ntree; t++) {
    if (island[t] < 0) continue;
    int root = findRoot(link, t);
    island[t] = root == t ? n++ : island[root];
  }
  mj_freeStack((mjData*)d);
  return n;
}

// nonzero if the model has one tree and every block acts on it
static int coversTree(const mjModel* m, const mjData* d) {
  const mjiWork* w = mji_work(d);
  int tree[2];
  if (m->ntree != 1) return 0;
  for (const mjiBlock* b = w->block; b < w->block + w->nblock; b++) {
    if (b->ncol) continue;
    const int* geom = mji_island_geoms(d, b);
    if (!geom || !mji_island_trees(m, b, geom, tree)) return 0;
  }
  return 1;
}

// ---- elements grouped by island; elements without an island come last

int mji_island_group(const int* island, int n, int nisland, int* count, int* adr, int* map, int* inverse) {
  int nin = 0;
  for (int i = 0; i < nisland; i++) count[i] = 0;
  for (int i = 0; i < n; i++) {
    if (island[i] < 0) continue;
    count[island[i]]++;
    nin++;
  }
  for (int i = 0, sum = 0; i < nisland; i++) {
    adr[i] = sum;
    sum += count[i];
    count[i] = 0;
  }
  for (int i = 0, none = nin; i < n; i++) {
    int to = island[i] < 0 ? none++ : adr[island[i]] + count[island[i]]++;
    if (map) map[i] = to;
    inverse[to] = i;
  }
  return nin;
}

void mji_island_clear(mjData* d) {
  d->nisland = d->nidof = 0;
#define X(type, name, nr, nc) d->name = NULL;
  MJDATA_ARENA_POINTERS_ISLAND
#undef X
}

int mji_island_ofTrees(const mjModel* m, mjData* d, int* first, int* one) {
  if (d->tree_island) mji_island_clear(d);
  d->nisland = d->nidof = *one = 0;
  if (!d->nefc || mjDISABLED(mjDSBL_ISLAND)) return 1;
  size_t ntree = (size_t)m->ntree;
  d->tree_island = mji_arenaAlloc(d, 2 * ntree * sizeof(int), _Alignof(int));
  if (!d->tree_island) return 0;
  d->map_itree2tree = d->tree_island + ntree;
  *one = coversTree(m, d);
  d->nisland = *one ? 1 : findIslands(m, d, d->tree_island, first);
  d->island_ntree = mji_arenaAlloc(d, 2 * (size_t)d->nisland * sizeof(int), _Alignof(int));
  if (!d->island_ntree) return 0;
  d->island_itreeadr = d->island_ntree + d->nisland;
  if (*one) {
    d->tree_island[0] = d->map_itree2tree[0] = d->island_itreeadr[0] = 0;
    d->island_ntree[0] = 1;
    return 1;
  }
  mji_island_group(d->tree_island, m->ntree, d->nisland, d->island_ntree, d->island_itreeadr, NULL, d->map_itree2tree);
  return 1;
}

void mji_island_find(const mjModel* m, mjData* d) {
  int one;
  mj_markStack(d);
  int ok = mji_island_ofTrees(m, d, mj_stackAllocInt(d, (size_t)mji_work(d)->nblock), &one);
  mj_freeStack(d);
  if (!ok) mji_island_giveUp(d);
}

void mji_island_giveUp(mjData* d) {
  mji_warn(d, mjWARN_CNSTRFULL, (int)d->narena);
  mji_island_clear(d);
}
