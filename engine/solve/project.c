// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The inverse inertia seen by constraint rows, AR = J M^-1 J' + diag(R), as users read it in efc_AR. One state at a
// time. dual_matrix.c computes the dense matrix, which PGS and noslip use too; nothing in the engine uses the sparse
// one.
//
// The sparse one: with M = L' D L, half of a solve turns row i of J into b_i = D^-1/2 L'^-1 J_i', and AR_ij = b_i'
// b_j. A half solve spreads a row over the ancestors of its dofs and so to the root of their tree:
// two rows share an entry of AR if they act on a common tree.

#include <math.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "constraint/block_ops.h"
#include "constraint/island.h"
#include "constraint/rows.h"
#include "lanes/kernels.h"

// half-solved rows, one after the other
static void halfSolve(const mjModel* m, mjData* d, mjtNum* B) {
  size_t nv = (size_t)m->nv;
  memset(B, 0, (size_t)d->nefc * nv * sizeof(mjtNum));
  const mjiWork* w = mji_work(d);
  for (const mjiBlock* b = w->block; b < w->block + w->nblock; b++) {
    mjtNum* row = B + (size_t)b->efcadr * nv;
    for (int i = 0; i < b->nrow; i++, row += nv) mji_block_scatter(b, i, row);
  }
  mj_markStack(d);
  mjtNum* scale = mji_stackNum(d, nv);
  for (size_t i = 0; i < nv; i++) scale[i] = sqrt(d->qLDiagInv[i]);
  mj_solveM2(m, d, B, B, scale, d->nefc);
  mj_freeStack(d);
}

// dofs at which a half-solved row is not zero; returns their number
static int dofsOf(const mjtNum* row, int nv, int* dof) {
  int n = 0;
  for (int i = 0; i < nv; i++) {
    if (row[i] != 0) dof[n++] = i;
  }
  return n;
}

// product of two rows, over the dofs of one of them
static mjtNum product(const mjtNum* a, const mjtNum* b, const int* dof, int n) {
  mjtNum sum = 0;
  for (int k = 0; k < n; k++) sum += a[dof[k]] * b[dof[k]];
  return sum;
}

static int projectDense(const mjModel* m, mjData* d) {
  size_t n = (size_t)d->nefc;
  if (!d->efc_AR) d->efc_AR = mji_arenaNum(d, n * n);
  if (!d->efc_AR) return 0;
  d->nA = (int)(n * n);
  LANE1(dualMatrix)(m, d, d->efc_AR);
  return 1;
}

// which blocks act on which trees: (nblock x ntree)
static const mjtByte* markTrees(const mjModel* m, mjData* d) {
  const mjiWork* w = mji_work(d);
  size_t ntree = (size_t)m->ntree;
  mjtByte* acts = mj_stackAllocByte(d, (size_t)w->nblock * ntree, 1);
  int* tree = mj_stackAllocInt(d, ntree);
  memset(acts, 0, (size_t)w->nblock * ntree);
  for (int i = 0; i < w->nblock; i++) {
    int n = mji_island_trees(m, w->block + i, mji_island_geoms(d, w->block + i), tree);
    for (int k = 0; k < n; k++) acts[(size_t)i * ntree + (size_t)tree[k]] = 1;
  }
  return acts;
}

static int shareTree(const mjModel* m, const mjtByte* acts, int a, int b) {
  const mjtByte *p = acts + (size_t)a * (size_t)m->ntree, *q = acts + (size_t)b * (size_t)m->ntree;
  for (int t = 0; t < m->ntree; t++) {
    if (p[t] && q[t]) return 1;
  }
  return 0;
}

// entries in the rows of block a
static int countRow(const mjModel* m, const mjData* d, const mjtByte* acts, int a) {
  const mjiWork* w = mji_work(d);
  int n = 0;
  for (int b = 0; b < w->nblock; b++) n += shareTree(m, acts, a, b) ? w->block[b].nrow : 0;
  return n;
}

static int allocSparse(const mjModel* m, mjData* d, const mjtByte* acts) {
  const mjiWork* w = mji_work(d);
  size_t n = (size_t)d->nefc;
  d->nA = 0;
  for (int a = 0; a < w->nblock; a++) d->nA += w->block[a].nrow * countRow(m, d, acts, a);
  if (d->efc_AR) return 1;
  int* ints = mji_arenaAlloc(d, (2 * n + (size_t)d->nA) * sizeof(int), _Alignof(int));
  d->efc_AR = mji_arenaNum(d, (size_t)d->nA);
  if (!ints || !d->efc_AR) return 0;
  d->efc_AR_rownnz = ints;
  d->efc_AR_rowadr = ints + n;
  d->efc_AR_colind = ints + 2 * n;
  return 1;
}

static int projectSparse(const mjModel* m, mjData* d) {
  const mjiWork* w = mji_work(d);
  mjtNum* B = mji_stackNum(d, (size_t)d->nefc * (size_t)m->nv);
  halfSolve(m, d, B);
  const mjtByte* acts = markTrees(m, d);
  if (!allocSparse(m, d, acts)) return 0;
  int adr = 0, *dof = mj_stackAllocInt(d, (size_t)m->nv), nv = (int)m->nv;
  for (int a = 0; a < w->nblock; a++) {
    for (int r = w->block[a].efcadr; r < w->block[a].efcadr + w->block[a].nrow; r++) {
      const mjtNum* row = B + (size_t)r * (size_t)nv;
      int n = dofsOf(row, nv, dof);
      d->efc_AR_rowadr[r] = adr;
      for (int b = 0; b < w->nblock; b++) {
        if (!shareTree(m, acts, a, b)) continue;
        for (int c = w->block[b].efcadr; c < w->block[b].efcadr + w->block[b].nrow; c++, adr++) {
          d->efc_AR_colind[adr] = c;
          d->efc_AR[adr] = product(row, B + (size_t)c * (size_t)nv, dof, n) + (c == r ? d->efc_R[r] : 0);
        }
      }
      d->efc_AR_rownnz[r] = adr - d->efc_AR_rowadr[r];
    }
  }
  return 1;
}

void mj_projectConstraint(const mjModel* m, mjData* d) {
  if (!d->nefc || !mj_isDual(m)) return;
  mj_markStack(d);
  int ok = mj_isSparse(m) ? projectSparse(m, d) : projectDense(m, d);
  mj_freeStack(d);
  if (!ok) mji_rows_giveUp(d, d->contact + d->ncon);
}
