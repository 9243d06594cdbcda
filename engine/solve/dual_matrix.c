// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The dense matrix of the dual problem, A = J inv(M) J' + R.
//
// With M = L'DL, A = Y' inv(D) Y where Y = inv(L') J'. Y is computed for base rows only and over
// the dofs that a block reaches; the edges of pyramids are combined at the end.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block_lanes.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "solve/scratch.h"

enum { MAXDIM = 6 };

// Y of all base rows, and the dofs of each block: its columns and all their ancestors
typedef struct {
  int* adr;  // (nblock+1) start of a block's list in dof
  int* dof;
  V* Y;  // (base rows x nv)
} Factor;

static void listDofs(const mjModel* m, mjData* d, const mjiBlock* b, int* n, int* dof) {
  int nv = (int)m->nv;
  mj_markStack(d);
  int* mark = mj_stackAllocInt(d, nv);
  memset(mark, 0, sizeof(int) * nv);
  for (int c = 0; c < b->ncol; c++) mark[b->col[c]] = 1;

  // descending, so that elimination meets dofs in this order
  for (int i = nv - 1; i >= 0; i--) {
    if (!mark[i]) continue;
    dof[(*n)++] = i;
    for (int k = m->M_rowadr[i], end = k + m->M_rownnz[i]; k < end; k++) mark[m->M_colind[k]] = 1;
  }
  mj_freeStack(d);
}

// Rows y = inv(L') times n base rows of a block, side by side; entries outside the list are zero.
static inline __attribute__((always_inline)) void eliminateRows(const mjModel* m, const mjData* d, const int* dof,
                                                                int ndof, V* restrict y, int n) {
  const V* restrict L = CLANES(d->qLD);
  size_t nv = (size_t)m->nv;
  V pivot[MAXDIM];
  for (int c = 0; c < ndof; c++) {
    int i = dof[c], adr = m->M_rowadr[i];
    for (int r = 0; r < n; r++) pivot[r] = y[(size_t)r * nv + (size_t)i];
    for (int k = adr; k < adr + m->M_rownnz[i] - 1; k++) {
      V* restrict to = y + m->M_colind[k];
      for (int r = 0; r < n; r++) to[(size_t)r * nv] = to[(size_t)r * nv] - L[k] * pivot[r];
    }
  }
}

static void eliminate(const mjModel* m, const mjData* d, const mjiBlock* b, const int* dof, int ndof, V* y) {
  const V* J = CLANES(b->J);
  int nv = (int)m->nv, dim = b->dim;
  for (int i = 0; i < dim * nv; i++) y[i] = v_zero();
  for (int r = 0; r < dim; r++) {
    for (int c = 0; c < b->ncol; c++) y[(size_t)r * nv + b->col[c]] = J[(size_t)r * b->ncol + c];
  }
  switch (dim) {
    case 1: eliminateRows(m, d, dof, ndof, y, 1); return;
    case 3: eliminateRows(m, d, dof, ndof, y, 3); return;
    default: eliminateRows(m, d, dof, ndof, y, dim); return;
  }
}

static Factor makeFactor(const mjModel* m, mjData* d) {
  const mjiWork* w = mji_work(d);
  int nv = (int)m->nv, nbase = 0, ndof = 0;
  for (int k = 0; k < w->nblock; k++) nbase += w->block[k].dim;
  Factor f = {.adr = mj_stackAllocInt(d, w->nblock + 1),
              .dof = mj_stackAllocInt(d, (size_t)w->nblock * nv + 1),
              .Y = stackV(d, (size_t)nbase * nv)};
  V* y = f.Y;
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    f.adr[k] = ndof;
    listDofs(m, d, b, &ndof, f.dof);
    eliminate(m, d, b, f.dof + f.adr[k], ndof - f.adr[k], y);
    y += (size_t)b->dim * nv;
  }
  f.adr[w->nblock] = ndof;
  return f;
}

// constraint row r of a block from its base rows, `stride` apart
static inline V combine(const mjiBlock* b, int r, const V* x, int stride) {
  if (b->type != mjCNSTR_CONTACT_PYRAMIDAL) return x[(size_t)r * stride];
  int k = r / 2 + 1;
  N mu = r % 2 ? -frictionOf(b)[k - 1] : frictionOf(b)[k - 1];
  return x[0] + mu * x[(size_t)k * stride];
}

// n rows of Y, scaled, against another row: products, `stride` apart
static inline __attribute__((always_inline)) void multiplyRows(V* product, int stride, const V* restrict scaled,
                                                               const V* restrict y, const int* dof, int ndof, int n) {
  V sum[MAXDIM] = {v_zero()};
  for (int r = 1; r < n; r++) sum[r] = v_zero();
  for (int i = 0; i < ndof; i++) {
    V t = y[dof[i]];
    for (int r = 0; r < n; r++) sum[r] = sum[r] + scaled[(size_t)r * ndof + i] * t;
  }
  for (int r = 0; r < n; r++) product[r * stride] = sum[r];
}

static inline void multiply(V* product, int stride, const V* scaled, const V* y, const int* dof, int ndof, int n) {
  switch (n) {
    case 1: multiplyRows(product, stride, scaled, y, dof, ndof, 1); return;
    case 3: multiplyRows(product, stride, scaled, y, dof, ndof, 3); return;
    default: multiplyRows(product, stride, scaled, y, dof, ndof, n); return;
  }
}

// entries of A for the rows of block a and the columns of block b, and the same entries below or above the diagonal
static void fillPair(V* A, int n, const mjiBlock* a, const mjiBlock* b, const V* gram) {
  V row[MAXDIM];
  for (int r = 0; r < a->nrow; r++) {
    for (int c = 0; c < b->dim; c++) row[c] = combine(a, r, gram + c, b->dim);
    for (int c = 0; c < b->nrow; c++) {
      int i = a->efcadr + r, j = b->efcadr + c;
      V t = combine(b, c, row, 1);
      A[(size_t)i * n + j] = t;
      A[(size_t)j * n + i] = t;
    }
  }
}

void LANE(dualMatrix)(const mjModel* m, mjData* d, mjtNum* matrix) {
  const mjiWork* w = mji_work(d);
  const V *R = CLANES(d->efc_R), *Dinv = CLANES(d->qLDiagInv);
  V* A = LANES(matrix);
  int nv = (int)m->nv, nefc = d->nefc;
  mj_markStack(d);
  Factor f = makeFactor(m, d);
  V *scaled = stackV(d, (size_t)MAXDIM * nv), gram[MAXDIM * MAXDIM];
  const V* Ya = f.Y;
  for (int ka = 0; ka < w->nblock; ka++) {
    const mjiBlock* a = w->block + ka;
    const int* dof = f.dof + f.adr[ka];
    int n = f.adr[ka + 1] - f.adr[ka];
    for (int r = 0; r < a->dim; r++) {
      for (int i = 0; i < n; i++) scaled[r * n + i] = Ya[(size_t)r * nv + dof[i]] * Dinv[dof[i]];
    }

    // products with this and all earlier blocks
    const V* Yb = f.Y;
    for (int kb = 0; kb <= ka; kb++) {
      const mjiBlock* b = w->block + kb;
      if (a->nrow == 1 && b->nrow == 1) {
        int i = a->efcadr, j = b->efcadr;
        multiply(gram, 1, scaled, Yb, dof, n, 1);
        A[(size_t)i * nefc + j] = A[(size_t)j * nefc + i] = gram[0];
        Yb += nv;
        continue;
      }
      for (int c = 0; c < b->dim; c++) multiply(gram + c, b->dim, scaled, Yb + (size_t)c * nv, dof, n, a->dim);
      fillPair(A, nefc, a, b, gram);
      Yb += (size_t)b->dim * nv;
    }
    Ya += (size_t)a->dim * nv;
  }
  for (int i = 0; i < nefc; i++) {
    V* diag = A + (size_t)i * nefc + i;
    *diag = *diag + R[i];
  }
  mj_freeStack(d);
}
