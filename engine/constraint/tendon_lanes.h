// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Lengths and Jacobians of tendons, for the rows that limit and couple them. Include lanes/lanes.h first.
#ifndef SHEAF_CONSTRAINT_TENDON_LANES_H_
#define SHEAF_CONSTRAINT_TENDON_LANES_H_

#include <limits.h>

#include <mujoco/mujoco.h>

#include "constraint/rows.h"
#include "dynamics/tendon_row.h"

static inline V tendonLength(const mjModel* m, const mjData* d, int t) {
  (void)m;
  return CLANES(d->ten_length)[t];
}

// Jacobian of tendon t1 minus slope times that of t2 (if t2 is not -1). Writes the columns, which ascend, and the
// entries; returns their number. With a dense Jacobian, the columns are those with a nonzero entry in some lane; with a
// sparse one, the whole pattern.
static inline int tendonDifference(const mjiRows* rows, int t1, int t2, V slope, int* col, V* J) {
  const mjModel* m = rows->m;
  TendonRow a = tendonRow(m, rows->d, t1), b = {0};
  if (t2 >= 0) b = tendonRow(m, rows->d, t2);
  int n = 0, sparse = mj_isSparse(m);
  for (int i = 0, k = 0; i < a.n || k < b.n;) {
    int ca = i < a.n ? tendonColumn(&a, i) : INT_MAX, cb = k < b.n ? tendonColumn(&b, k) : INT_MAX;
    int c = ca < cb ? ca : cb;
    V value = ca == c ? a.J[i++] : v_zero();
    if (cb == c) value = value - slope * b.J[k++];
    if (!sparse && !m_any(~v_eq(value, v_zero()))) continue;
    col[n] = c;
    J[n++] = value;
  }
  return n;
}

#endif  // SHEAF_CONSTRAINT_TENDON_LANES_H_
