// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tree-sparse factorization M = L' * D * L and back-substitution.
//
// Elimination runs from the leaves to the root and creates no fill. It is written in gather form:
// row i collects the updates of all its descendants, which are contiguous rows, so that row i stays in registers. The
// columns of row i are the first columns of every descendant row, because a row lists all ancestors in order. The code
// below uses no other property of the pattern.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/inertia.h"
#include "dynamics/spatial.h"
#include "model/each_span.h"
#include "model/work.h"

// last dof whose row contains column i
static inline int lastRow(const mjModel* m, const mjiPlan* plan, int i) {
  return m->dof_simplenum[i] ? i : plan->dof_last[i];
}

// rows k..last as far as a tile needs them: the column that tells how much of a row counts, and the columns of the tile
typedef struct {
  const V *head, *tile;
  const V* diaginv;
  const int* rowadr;
  int k, last;
} Updates;

// n entries of row i, less the updates of its descendants: LD[i][j] = A[i][j] - sum of LD[k][i] * LD[k][j] / D[k]. If
// `last` is set, the last of them is the diagonal, A[i][i] = *own.
static inline __attribute__((always_inline)) void gatherTile(V* out, const V* in, const V* own, const Updates* u,
                                                             const int n, const int last) {
  V acc[8];
  for (int j = 0; j < n - last; j++) acc[j] = in[j];
  if (last) acc[n - 1] = *own;
  for (int k = u->k; k <= u->last; k++) {
    size_t adr = (size_t)u->rowadr[k];
    const V* tile = u->tile + adr;
    V t = u->head[adr] * u->diaginv[k];
    for (int j = 0; j < n; j++) acc[j] = acc[j] - t * tile[j];
  }
  for (int j = 0; j < n; j++) out[j] = acc[j];
}

// in: row i of A, but for its diagonal *own. e: the place of column i in the rows
static inline void gatherRow(V* LD, const V* in, const V* own, const V* diaginv, const int* rowadr, int i, int last,
                             int e) {
  V* row = LD + rowadr[i];
  for (int j0 = 0; j0 <= e; j0 += 8) {
    Updates u = {LD + e, LD + j0, diaginv, rowadr, i + 1, last};
    switch (e + 1 - j0) {
      case 1: gatherTile(row + j0, in + j0, own, &u, 1, 1); break;
      case 2: gatherTile(row + j0, in + j0, own, &u, 2, 1); break;
      case 3: gatherTile(row + j0, in + j0, own, &u, 3, 1); break;
      case 4: gatherTile(row + j0, in + j0, own, &u, 4, 1); break;
      case 5: gatherTile(row + j0, in + j0, own, &u, 5, 1); break;
      case 6: gatherTile(row + j0, in + j0, own, &u, 6, 1); break;
      case 7: gatherTile(row + j0, in + j0, own, &u, 7, 1); break;
      case 8: gatherTile(row + j0, in + j0, own, &u, 8, 1); break;
      default: gatherTile(row + j0, in + j0, own, &u, 8, 0);
    }
  }
}

void LANE(factorLD)(const mjModel* m, const V* lower, const V* diagonal, V* LD, V* diaginv, int first, int end) {
  const mjiPlan* plan = mji_plan(m);
  const int* rowadr = m->M_rowadr;
  const int* rownnz = m->M_rownnz;

  // eliminate: rows are complete before an ancestor reads them
  for (int i = end - 1; i >= first; i--) {
    int adr = rowadr[i], e = rownnz[i] - 1, last = lastRow(m, plan, i);
    const V* own = diagonal + adr + e;
    if (last > i) {
      gatherRow(LD, lower + adr, own, diaginv, rowadr, i, last, e);
    } else {
      if (lower != LD) copyN(LD + adr, lower + adr, e);
      LD[adr + e] = *own;
    }
    diaginv[i] = 1.0 / LD[adr + e];
  }

  // unit diagonal
  for (int i = first; i < end; i++) {
    V* row = LD + rowadr[i];
    V scale = diaginv[i];
    int n = rownnz[i] - 1;
    for (int j = 0; j < n; j++) row[j] = row[j] * scale;
  }
}

enum { TOGETHER = 3 };  // vectors

// x <- M^-1 x for n vectors, one after the other in memory; n is a constant where this is called. L is read once for
// all of them, and each result has the same bits as if its vector were alone.
static inline __attribute__((always_inline)) void solve(const mjModel* m, const mjiPlan* plan, const V* restrict LD,
                                                        const V* restrict diaginv, V* restrict x, int n, int first,
                                                        int end) {
  const int nv = (int)m->nv;
  const int* rowadr = m->M_rowadr;
  const int* rownnz = m->M_rownnz;
  V even[TOGETHER], odd[TOGETHER];

  // L' first: x_i -= sum over descendants k of L_ki * x_k; two sums to shorten the chain
  for (int i = end - 1; i >= first; i--) {
    int e = rownnz[i] - 1, last = lastRow(m, plan, i), k = i + 1;
    if (last == i) continue;
    for (int r = 0; r < n; r++) even[r] = x[r * nv + i], odd[r] = v_zero();
    for (; k < last; k += 2) {
      V l0 = LD[rowadr[k] + e], l1 = LD[rowadr[k + 1] + e];
      for (int r = 0; r < n; r++) even[r] = even[r] - l0 * x[r * nv + k];
      for (int r = 0; r < n; r++) odd[r] = odd[r] + l1 * x[r * nv + k + 1];
    }
    if (k <= last) {
      for (int r = 0; r < n; r++) even[r] = even[r] - LD[rowadr[k] + e] * x[r * nv + k];
    }
    for (int r = 0; r < n; r++) x[r * nv + i] = even[r] - odd[r];
  }

  // D, then L: x_i -= sum over ancestors
  for (int i = first; i < end; i++) {
    const V* row = LD + rowadr[i];
    const int* col = m->M_colind + rowadr[i];
    int nnz = rownnz[i] - 1, k = 0;
    for (int r = 0; r < n; r++) even[r] = x[r * nv + i] * diaginv[i], odd[r] = v_zero();
    for (; k + 1 < nnz; k += 2) {
      V l0 = row[k], l1 = row[k + 1];
      for (int r = 0; r < n; r++) even[r] = even[r] - l0 * x[r * nv + col[k]];
      for (int r = 0; r < n; r++) odd[r] = odd[r] + l1 * x[r * nv + col[k + 1]];
    }
    if (k < nnz) {
      for (int r = 0; r < n; r++) even[r] = even[r] - row[k] * x[r * nv + col[k]];
    }
    for (int r = 0; r < n; r++) x[r * nv + i] = even[r] - odd[r];
  }
}

void LANE(solveLD)(const mjModel* m, const V* LD, const V* diaginv, V* x, int n, int first, int end) {
  const mjiPlan* plan = mji_plan(m);
  size_t nv = (size_t)m->nv;
  for (; n >= TOGETHER; n -= TOGETHER, x += TOGETHER * nv) solve(m, plan, LD, diaginv, x, TOGETHER, first, end);
  for (; n > 0; n--, x += nv) solve(m, plan, LD, diaginv, x, 1, first, end);
}

static inline __attribute__((always_inline)) void factorSpan(const mjModel* m, mjData* d, mjiSpan s, V* x) {
  const V* inertia = CLANES(d->M);
  LANE(factorLD)(m, inertia, inertia, LANES(d->qLD), LANES(d->qLDiagInv), s.dof, s.dof_end);
}

void LANE(factorM)(const mjModel* m, mjData* d) { mji_eachSpan(m, d, factorSpan, NULL); }

void LANE(solveM)(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n) {
  if (x != y) copyN(LANES(x), CLANES(y), n * m->nv);
  LANE(solveLD)(m, CLANES(d->qLD), CLANES(d->qLDiagInv), LANES(x), n, 0, (int)m->nv);
}
