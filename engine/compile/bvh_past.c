// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What fusestatic leaves in the trees of bodies, as in the reference: it makes the tree of a body anew
// after each body that is fused into it, over the nodes that are there. A node that is inner now keeps
// the geom that it had as a leaf of an earlier tree, and every fusion of two trees leaves a row of
// zeros behind all trees.
//
// The earlier trees are not kept, only what they were made of: their leaves are the first ones of the
// last tree, and the shape of a tree depends on their number alone. So from the last to the first, a
// tree is made again as far as it has leaves in nodes that still want a geom.

#include <stdlib.h>
#include <string.h>

#include "compile/bvh_past.h"

typedef struct {
  int nleaf;
  double ipos[3], iquat[4];       // inertial frame of the body
} Past;

// info of a body that others were fused into
typedef struct {
  int nleaf;                      // of the tree that it has now
  int nrow;                       // rows that are left behind
  int num, cap;
  Past past[];
} History;

static History* grow(mjiElem* body, int cap) {
  History* old = body->info;
  History* h = mji_vec_alloc(sizeof *h + (size_t)cap * sizeof *h->past);
  if (old) memcpy(h, old, sizeof *h + (size_t)old->num * sizeof *h->past);
  else h->nleaf = mji_bvh_countLeaves(body);
  h->cap = cap;
  free(old);
  return body->info = h;
}

void mji_bvh_rememberFusion(mjiElem* parent, const mjiElem* child) {
  History* h = parent->info;
  if (!h || h->num == h->cap) h = grow(parent, h ? 2 * h->cap : 4);

  // of trees with as many leaves, the last one counts
  Past* last = h->past + h->num - 1;
  if (!h->num || last->nleaf != h->nleaf) last = h->past + h->num++;
  last->nleaf = h->nleaf;
  mju_copy3(last->ipos, parent->as.body.ipos);
  mju_copy4(last->iquat, parent->as.body.iquat);

  int more = mji_bvh_countLeaves(child);
  h->nrow += more && h->nleaf;
  h->nleaf += more;
}

int mji_bvh_rowsLeft(const mjiElem* body) {
  const History* h = body->info;
  return h ? h->nrow : 0;
}

// ---- nodes that want a geom

// is a node a leaf of a tree with n leaves?
static int isLeafOf(int node, int n) {
  if (node > 2 * n - 2) return 0;
  while (n > 1 && node > 0) {
    int left = n / 2, size = 2 * left - 1;
    node--;
    n = node < size ? left : n - left;
    if (node >= size) node -= size;
  }
  return n == 1;
}

typedef struct {
  int* node;                      // ascending
  int num;
} Wanted;

// make a tree as far as it leads to wanted nodes, all of which are leaves of it
static void findLeaves(mjiLeaf* leaf, int n, int root, Wanted wanted, int* nodeid) {
  if (!wanted.num) return;
  if (n == 1) {
    nodeid[root] = leaf->id;
    return;
  }
  double box[6];
  mji_bvh_box(leaf, n, box);
  mji_bvh_divide(leaf, n, box);
  int left = n / 2, right = root + 2 * left, num = 0;
  while (num < wanted.num && wanted.node[num] < right) num++;
  findLeaves(leaf, left, root + 1, (Wanted){wanted.node, num}, nodeid);
  findLeaves(leaf + left, n - left, right, (Wanted){wanted.node + num, wanted.num - num}, nodeid);
}

// leaves of one tree go to wanted nodes, which leave the list
static void fillFrom(const Past* past, const mjiElem* body, Wanted* wanted, int* here,
                     mjiLeaf* leaf, int* nodeid) {
  int nhere = 0, nleft = 0;
  for (int i = 0; i < wanted->num; i++) {
    int node = wanted->node[i];
    if (isLeafOf(node, past->nleaf)) here[nhere++] = node;
    else wanted->node[nleft++] = node;
  }
  wanted->num = nleft;
  if (!nhere) return;
  mji_bvh_placeLeaves(leaf, past->nleaf, body, past->ipos, past->iquat);
  findLeaves(leaf, past->nleaf, 0, (Wanted){here, nhere}, nodeid);
}

void mji_bvh_fillPast(const mjiElem* body, int nleaf, int* nodeid) {
  const History* h = body->info;
  if (!h || nleaf < 2) return;
  Wanted wanted = {mji_vec_alloc(2 * (size_t)nleaf * sizeof(int)), 0};
  int* here = mji_vec_alloc((size_t)nleaf * sizeof(int));
  mjiLeaf* leaf = mji_vec_alloc((size_t)nleaf * sizeof *leaf);
  for (int node = 0; node < 2 * nleaf - 1; node++)
    if (nodeid[node] < 0) wanted.node[wanted.num++] = node;
  for (int i = h->num - 1; i >= 0 && wanted.num; i--)
    fillFrom(h->past + i, body, &wanted, here, leaf, nodeid);
  free(leaf);
  free(here);
  free(wanted.node);
}
