// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "constraint/tendon_rows.h"

#include "constraint/rows.h"

// one tendon of a sparse or dense ten_J; entry k of a row is at column column(k)
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

static void addRow(mjiRows* rows, int type, int t, int ncol, mjtNum pos, const mjiRowSpec* spec) {
  mjtNum diag = rows->m->tendon_invweight0[t];
  mji_rows_scalar(rows, type, t, &(mjiScalarRows){
      .dim = 1, .ncol = ncol, .pos = &pos, .diag = &diag, .spec = spec});
}

// the first row of a tendon
static void noteRow(mjiRows* rows, int t) {
  if (rows->d->tendon_efcadr[t] == -1) rows->d->tendon_efcadr[t] = rows->nefc;
}

void mji_rows_tendonFriction(mjiRows* rows) {
  const mjModel* m = rows->m;
  for (int i = 0; i < m->ntendon; i++) {
    if (!(m->tendon_frictionloss[i] > 0)) continue;
    noteRow(rows, i);
    int ncol = mji_tendon_difference(m, rows->d, i, -1, 0, rows->col, rows->num);
    addRow(rows, mjCNSTR_FRICTION_TENDON, i, ncol, 0, &(mjiRowSpec){
        .solref = m->tendon_solref_fri + mjNREF * i, .solimp = m->tendon_solimp_fri + mjNIMP * i,
        .loss = m->tendon_frictionloss[i]});
  }
}

void mji_rows_tendonLimit(mjiRows* rows) {
  const mjModel* m = rows->m;
  for (int i = 0; i < m->ntendon; i++) {
    if (!m->tendon_limited[i]) continue;
    for (int side = -1; side <= 1; side += 2) {
      mjtNum dist = side * (m->tendon_range[2 * i + (side > 0)] - rows->d->ten_length[i]);
      if (!(dist < m->tendon_margin[i])) continue;
      noteRow(rows, i);
      int ncol = mji_tendon_difference(m, rows->d, i, -1, 0, rows->col, rows->num);
      if (side > 0) mju_scl(rows->num, rows->num, -1, ncol);
      addRow(rows, mjCNSTR_LIMIT_TENDON, i, ncol, dist, &(mjiRowSpec){
          .solref = m->tendon_solref_lim + mjNREF * i, .solimp = m->tendon_solimp_lim + mjNIMP * i,
          .distance = dist, .margin = m->tendon_margin[i]});
    }
  }
}
