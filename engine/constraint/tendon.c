// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "constraint/tendon.h"

// one row of a sparse or dense ten_J
typedef struct {
  int n;
  const int* col;    // NULL: dense
  const mjtNum* J;
} TendonRow;

static TendonRow rowOf(const mjModel* m, const mjData* d, int t) {
  if (t < 0) return (TendonRow){0};
  if (!mj_isSparse(m)) return (TendonRow){.n = m->nv, .J = d->ten_J + (size_t)t * (size_t)m->nv};
  int adr = d->ten_J_rowadr[t];
  return (TendonRow){.n = d->ten_J_rownnz[t], .col = d->ten_J_colind + adr, .J = d->ten_J + adr};
}

static int columnAt(const TendonRow* r, int k) {
  if (k >= r->n) return INT32_MAX;
  return r->col ? r->col[k] : k;
}

int mji_tendon_difference(const mjModel* m, const mjData* d, int t1, int t2, mjtNum slope, int* col,
                          mjtNum* J) {
  TendonRow a = rowOf(m, d, t1), b = rowOf(m, d, t2);
  int n = 0;
  for (int i = 0, j = 0; i < a.n || j < b.n;) {
    int ca = columnAt(&a, i), cb = columnAt(&b, j);
    int c = ca < cb ? ca : cb;
    mjtNum value = (ca == c ? a.J[i] : 0) - (cb == c ? slope * b.J[j] : 0);
    i += ca == c;
    j += cb == c;
    if (!a.col && value == 0) continue;
    col[n] = c;
    J[n++] = value;
  }
  return n;
}
