// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "constraint/block_ops.h"
#include "constraint/block_lanes.h"

// Products with base rows. The number of rows is a constant where it matters, so that rows share
// the loads of the vector and their sums run side by side.

static inline void mulRows(V* restrict res, const V* restrict J, const V* restrict x, const int* restrict col, int ncol,
                           int dim) {
  V sum[6];
  for (int k = 0; k < dim; k++) sum[k] = v_zero();
  for (int i = 0; i < ncol; i++) {
    V xi = x[col[i]];
    for (int k = 0; k < dim; k++) sum[k] = sum[k] + J[k * ncol + i] * xi;
  }
  for (int k = 0; k < dim; k++) res[k] = sum[k];
}

void LANE(blockMulBase)(const mjiBlock* b, V base[6], const V* x) {
  const V* J = CLANES(b->J);
  switch (b->dim) {
    case 1: mulRows(base, J, x, b->col, b->ncol, 1); break;
    case 3: mulRows(base, J, x, b->col, b->ncol, 3); break;
    case 4: mulRows(base, J, x, b->col, b->ncol, 4); break;
    default: mulRows(base, J, x, b->col, b->ncol, 6); break;
  }
}

void LANE(blockMulJ)(const mjModel* m, const mjData* d, V* res, const V* x) {
  const mjiWork* w = mji_work(d);
  for (int i = 0; i < w->nblock; i++) {
    const mjiBlock* b = w->block + i;
    V* row = res + b->efcadr;
    if (b->type != mjCNSTR_CONTACT_PYRAMIDAL) {
      LANE(blockMulBase)(b, row, x);
      continue;
    }

    // two edges for each axis of friction
    V base[6];
    LANE(blockMulBase)(b, base, x);
    for (int k = 1; k < b->dim; k++) {
      V side = frictionOf(b)[k - 1] * base[k];
      row[2 * k - 2] = base[0] + side;
      row[2 * k - 1] = base[0] - side;
    }
  }
}

static inline void addRows(V* restrict res, const V* restrict J, const V* restrict f, const int* restrict col, int ncol,
                           int dim) {
  for (int i = 0; i < ncol; i++) {
    V sum = J[i] * f[0];
    for (int k = 1; k < dim; k++) sum = sum + J[k * ncol + i] * f[k];
    res[col[i]] = res[col[i]] + sum;
  }
}

void LANE(blockAddBase)(const mjiBlock* b, V* res, const V* f) {
  const V* J = CLANES(b->J);
  switch (b->dim) {
    case 1: addRows(res, J, f, b->col, b->ncol, 1); break;
    case 3: addRows(res, J, f, b->col, b->ncol, 3); break;
    case 4: addRows(res, J, f, b->col, b->ncol, 4); break;
    default: addRows(res, J, f, b->col, b->ncol, 6); break;
  }
}

void LANE(blockBaseForce)(const mjiBlock* b, V base[6], const V* force) {
  // edge forces act along J_0 +- mu_k J_k
  V normal = v_zero();
  for (int k = 1; k < b->dim; k++) {
    V plus = force[2 * k - 2], minus = force[2 * k - 1];
    normal = normal + (plus + minus);
    base[k] = frictionOf(b)[k - 1] * (plus - minus);
  }
  base[0] = normal;
}

void LANE(blockMulJT)(const mjModel* m, const mjData* d, V* res, const V* force) {
  const mjiWork* w = mji_work(d);
  for (int i = 0; i < m->nv; i++) res[i] = v_zero();
  for (int i = 0; i < w->nblock; i++) {
    const mjiBlock* b = w->block + i;
    const V* f = force + b->efcadr;
    V base[6];
    if (b->type == mjCNSTR_CONTACT_PYRAMIDAL) {
      LANE(blockBaseForce)(b, base, f);
      f = base;
    }
    LANE(blockAddBase)(b, res, f);
  }
}
