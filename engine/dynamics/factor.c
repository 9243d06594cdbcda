// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tree-sparse factorization M = L' * D * L and back-substitution.
//
// Elimination runs from the leaves to the root and creates no fill. It is written in gather form:
// row i collects the updates of all its descendants, which are contiguous rows, so that the row
// stays in registers. The columns of row i are the first columns of every descendant row, because a
// row lists all ancestors in order; that is the only fact about the pattern used here.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/inertia.h"
#include "dynamics/spatial.h"
#include "model/work.h"

// last dof whose row contains column i
static inline int lastRow(const mjModel* m, const mjiPlan* plan, int i) {
  return m->dof_simplenum[i] ? i : plan->dof_last[i];
}

// subtract from N entries of row i, starting at column j0, the updates of its descendants:
// LD[i][j] -= LD[k][i] * LD[k][j] / D[k]; e is the place of column i in the rows
#define GATHER(N)                                                       \
  case N: {                                                             \
    V acc[N];                                                           \
    for (int j = 0; j < N; j++) acc[j] = row[j0+j];                     \
    for (int k = i + 1; k <= last; k++) {                               \
      const V* update = LD + rowadr[k];                                 \
      V t = update[e] * diaginv[k];                                     \
      update += j0;                                                     \
      for (int j = 0; j < N; j++) acc[j] = acc[j] - t * update[j];      \
    }                                                                   \
    for (int j = 0; j < N; j++) row[j0+j] = acc[j];                     \
    break;                                                              \
  }

static inline void gatherRow(V* restrict LD, const V* restrict diaginv, const int* rowadr, int i,
                             int last, int e) {
  V* row = LD + rowadr[i];
  for (int j0 = 0; j0 <= e; j0 += 8) {
    switch (e + 1 - j0) {
      GATHER(1)
      GATHER(2)
      GATHER(3)
      GATHER(4)
      GATHER(5)
      GATHER(6)
      GATHER(7)
      default:
      GATHER(8)
    }
  }
}

void LANE(factorLD)(const mjModel* m, V* restrict LD, V* restrict diaginv) {
  const mjiPlan* plan = mji_plan(m);
  const int* rowadr = m->M_rowadr;
  const int* rownnz = m->M_rownnz;

  // eliminate: rows are complete before an ancestor reads them
  for (int i = m->nv - 1; i >= 0; i--) {
    int e = rownnz[i] - 1, last = lastRow(m, plan, i);
    if (last > i) gatherRow(LD, diaginv, rowadr, i, last, e);
    diaginv[i] = 1.0 / LD[rowadr[i] + e];
  }

  // unit diagonal
  for (int i = 0; i < m->nv; i++) {
    V* row = LD + rowadr[i];
    V scale = diaginv[i];
    int n = rownnz[i] - 1;
    for (int j = 0; j < n; j++) row[j] = row[j] * scale;
  }
}

// x <- M^-1 x for one vector
static inline void solveOne(const mjModel* m, const mjiPlan* plan, const V* restrict LD,
                            const V* restrict diaginv, V* restrict x) {
  const int* rowadr = m->M_rowadr;
  const int* rownnz = m->M_rownnz;

  // L' first: x_i -= sum over descendants k of L_ki * x_k; two sums to shorten the chain
  for (int i = m->nv - 1; i >= 0; i--) {
    int e = rownnz[i] - 1, last = lastRow(m, plan, i), k = i + 1;
    if (last == i) continue;
    V even = x[i], odd = v_zero();
    for (; k < last; k += 2) {
      even = even - LD[rowadr[k] + e] * x[k];
      odd = odd + LD[rowadr[k+1] + e] * x[k+1];
    }
    if (k <= last) even = even - LD[rowadr[k] + e] * x[k];
    x[i] = even - odd;
  }

  // D, then L: x_i -= sum over ancestors
  for (int i = 0; i < m->nv; i++) {
    const V* row = LD + rowadr[i];
    const int* col = m->M_colind + rowadr[i];
    int n = rownnz[i] - 1, k = 0;
    V even = x[i] * diaginv[i], odd = v_zero();
    for (; k + 1 < n; k += 2) {
      even = even - row[k] * x[col[k]];
      odd = odd + row[k+1] * x[col[k+1]];
    }
    if (k < n) even = even - row[k] * x[col[k]];
    x[i] = even - odd;
  }
}

void LANE(solveLD)(const mjModel* m, const V* LD, const V* diaginv, V* x, int n) {
  const mjiPlan* plan = mji_plan(m);
  for (int i = 0; i < n; i++) solveOne(m, plan, LD, diaginv, x + i * m->nv);
}

void LANE(factorM)(const mjModel* m, mjData* d) {
  copyN(LANES(d->qLD), CLANES(d->M), m->nC);
  LANE(factorLD)(m, LANES(d->qLD), LANES(d->qLDiagInv));
}

void LANE(solveM)(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n) {
  if (x != y) copyN(LANES(x), CLANES(y), n * m->nv);
  LANE(solveLD)(m, CLANES(d->qLD), CLANES(d->qLDiagInv), LANES(x), n);
}
