// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// LU factorization over the tree, for matrices that are not symmetric.
//
// Row i of the pattern D holds the ancestors of dof i, i itself (at D_diag), and its descendants,
// which are consecutive. Eliminating dofs from the last to the first makes no fill. The unit
// factor is above the diagonal.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "integrate/integrate.h"

// place of descendant k in row j
static inline int descendant(const mjModel* m, int j, int k) { return m->D_rowadr[j] + m->D_diag[j] + (k - j); }

void LANE(factorLU)(const mjModel* m, V* restrict LU) {
  for (int i = m->nv - 1; i >= 0; i--) {
    const int* col = m->D_colind + m->D_rowadr[i];
    const V* row = LU + m->D_rowadr[i];
    int depth = m->D_diag[i];
    if (!depth) continue;
    V inv = 1.0 / row[depth];

    // subtract row i from the row of each ancestor j; only columns before i remain
    for (int a = 0; a < depth; a++) {
      int j = col[a];
      V* pivot = LU + descendant(m, j, i);
      V* ancestors = LU + m->D_rowadr[j];
      V scale = *pivot * inv;
      *pivot = scale;
      for (int b = 0; b <= a; b++) ancestors[b] = ancestors[b] - scale * row[b];
      for (int b = a + 1; b < depth; b++) {
        V* entry = LU + descendant(m, j, col[b]);
        *entry = *entry - scale * row[b];
      }
    }
  }
}

void LANE(solveLU)(const mjModel* m, const V* restrict LU, V* restrict x) {
  // unit factor, from the last dof to the first
  for (int i = m->nv - 1; i >= 0; i--) {
    const V* row = LU + m->D_rowadr[i];
    const int* col = m->D_colind + m->D_rowadr[i];
    V sum = x[i];
    for (int k = m->D_diag[i] + 1; k < m->D_rownnz[i]; k++) sum = sum - row[k] * x[col[k]];
    x[i] = sum;
  }

  // lower factor
  for (int i = 0; i < m->nv; i++) {
    const V* row = LU + m->D_rowadr[i];
    const int* col = m->D_colind + m->D_rowadr[i];
    int depth = m->D_diag[i];
    V sum = x[i];
    for (int k = 0; k < depth; k++) sum = sum - row[k] * x[col[k]];
    x[i] = sum / row[depth];
  }
}
