// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Symbolic factorization of the Hessian M + J'WJ, without looking at numbers.
//
// Elimination runs from the last dof to the first, so M alone (a tree of dofs) causes no fill. A block adds its columns
// to the row of its last column; eliminating a row adds its columns to the row of the last of them, and so on. There is
// no other fill. Rows are bit sets while this happens.

#include <stdint.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "model/block.h"
#include "model/plan.h"
#include "model/work.h"
#include "solve/pattern.h"

static void setBit(uint64_t* set, int i) { set[i >> 6] |= (uint64_t)1 << (i & 63); }

static int lastBit(const uint64_t* set, int nw) {
  for (int w = nw - 1; w >= 0; w--) {
    if (set[w]) return 64 * w + 63 - __builtin_clzll(set[w]);
  }
  return -1;
}

// nonzero if the columns are a dof and ancestors of it, which elimination of the tree covers
static int withinChain(const mjModel* m, const mjiBlock* b) {
  const mjiPlan* plan = mji_plan(m);
  int dof = b->col[b->ncol - 1];
  size_t n = (size_t)b->ncol;
  if (plan->dof_depth[dof] == b->ncol && !memcmp(plan->tree_col + plan->tree_rowadr[dof], b->col, n * sizeof(int))) {
    return 1;  // all of them, as of a contact with the world
  }
  for (int c = b->ncol - 2; c >= 0; c--) {
    while (dof > b->col[c]) dof = m->dof_parentid[dof];
    if (dof != b->col[c]) return 0;
  }
  return 1;
}

// columns below the diagonal of each row of the factor; returns their number
static inline __attribute__((always_inline)) int fillWords(const mjModel* m, const mjiBlock* block, int nblock,
                                                           uint64_t* row, int nw) {
  int nv = m->nv, count = 0;

  // the tree: ancestors
  for (int i = 0; i < nv; i++) {
    uint64_t* r = row + (size_t)i * nw;
    int parent = m->dof_parentid[i];
    for (int w = 0; w < nw; w++) r[w] = parent < 0 ? 0 : row[(size_t)parent * nw + w];
    if (parent >= 0) setBit(r, parent);
  }

  // blocks
  for (int k = 0; k < nblock; k++) {
    const mjiBlock* b = block + k;
    if (b->ncol < 2) continue;
    uint64_t* r = row + (size_t)b->col[b->ncol - 1] * nw;
    for (int c = 0; c < b->ncol - 1; c++) setBit(r, b->col[c]);
  }

  // elimination: a row hands its columns to the row of its last one
  for (int i = nv - 1; i >= 0; i--) {
    const uint64_t* r = row + (size_t)i * nw;
    int parent = lastBit(r, nw);
    for (int w = 0; w < nw; w++) count += __builtin_popcountll(r[w]);
    if (parent < 0) continue;
    uint64_t* p = row + (size_t)parent * nw;
    for (int w = 0; w < nw; w++) p[w] |= r[w];
    p[parent >> 6] &= ~((uint64_t)1 << (parent & 63));
  }
  return count;
}

// in most models a row is one word
static int fillRows(const mjModel* m, const mjiBlock* block, int nblock, uint64_t* row, int nw) {
  return nw == 1 ? fillWords(m, block, nblock, row, 1) : fillWords(m, block, nblock, row, nw);
}

// most often no block joins two branches, and the pattern is that of the tree
static int treePattern(const mjModel* m, const mjiBlock* block, int nblock, mjiPattern* pattern) {
  for (int k = 0; k < nblock; k++) {
    if (block[k].ncol > 1 && !withinChain(m, block + k)) return 0;
  }
  const mjiPlan* plan = mji_plan(m);
  pattern->rowadr = plan->tree_rowadr;
  pattern->col = plan->tree_col;
  pattern->depadr = plan->tree_depadr;
  pattern->dep = plan->tree_dep;
  pattern->quads = plan->tree_quads;
  return 1;
}

// columns as lists of the rows that have them, in order; `count` has the entries of each column, in the next place
static void listDependents(mjData* d, mjiPattern* pattern, int* count) {
  int nv = pattern->nv;
  pattern->depadr = count;
  for (int j = 0; j < nv; j++) count[j + 1] += count[j];
  pattern->dep = mj_stackAllocInt(d, count[nv] ? count[nv] : 1);
  for (int i = 0; i < nv; i++) {
    for (int k = pattern->rowadr[i]; k < pattern->rowadr[i + 1] - 1; k++) {
      pattern->dep[count[pattern->col[k]]++] = i;
    }
  }
  for (int j = nv; j > 0; j--) count[j] = count[j - 1];
  count[0] = 0;
}

static void filledPattern(const mjModel* m, mjData* d, const mjiBlock* block, int nblock, mjiPattern* pattern) {
  int nv = pattern->nv, nw = (nv + 63) / 64;
  uint64_t* row = mj_stackAllocByte(d, sizeof(uint64_t) * (size_t)nw * nv, sizeof(uint64_t));
  int below = fillRows(m, block, nblock, row, nw);

  // rows as lists, the diagonal last; count the entries of each column
  int* count = mj_stackAllocInt(d, nv + 1);
  memset(count, 0, sizeof(int) * (nv + 1));
  pattern->rowadr = mj_stackAllocInt(d, nv + 1);
  pattern->col = mj_stackAllocInt(d, below + nv);
  int n = 0;
  for (int i = 0; i < nv; i++) {
    pattern->rowadr[i] = n;
    for (int w = 0; w < nw; w++) {
      for (uint64_t bits = row[(size_t)i * nw + w]; bits; bits &= bits - 1) {
        int j = 64 * w + __builtin_ctzll(bits);
        pattern->col[n++] = j;
        count[j + 1]++;
      }
    }
    pattern->col[n++] = i;
  }
  pattern->rowadr[nv] = n;
  if (!pattern->dense) return;
  listDependents(d, pattern, count);
  if (mji_work(d)->nlane > 1) return;
  pattern->quads = mj_stackAllocByte(d, sizeof(uint32_t) * (size_t)nv, _Alignof(uint32_t));
  mji_plan_quads(pattern->quads, pattern->rowadr, pattern->col, nv);
}

void mji_patternMake(const mjModel* m, mjData* d, const mjiBlock* block, int nblock, mjiPattern* pattern) {
  pattern->nv = m->nv;
  pattern->dense = m->nv <= MJI_DENSE_DOFS;
  pattern->tree = treePattern(m, block, nblock, pattern);
  if (!pattern->tree) filledPattern(m, d, block, nblock, pattern);
  if (pattern->dense) {
    pattern->stale = mj_stackAllocByte(d, (size_t)m->nv, 1);
    mji_patternAllStale(pattern);
  } else {
    mji_supernodesMake(d, pattern);
  }
}

void mji_patternAllStale(mjiPattern* s) {
  if (s->dense) {
    memset(s->stale, 1, (size_t)s->nv);
  } else {
    for (int i = 0; i < s->super.n; i++) s->super.stale[i] = 1;
  }
}
