// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Moment arms of one tendon over lanes, and products with them.
//
// The rows d->ten_J of one state have the format that its users know: nv numbers each if the model's Jacobians are
// dense, compressed if they are sparse. Rows of several lanes are always compressed, with the dofs that any of the
// lanes needs: wrapping around a geom adds the dofs of its body in the lanes that wrap, and dense rows would be mostly
// zeros, as a tendon moves few dofs. An arm that a lane does not have is an exact zero, so sums keep their bits.
#ifndef SHEAF_DYNAMICS_TENDON_ROW_H_
#define SHEAF_DYNAMICS_TENDON_ROW_H_

#include <mujoco/mujoco.h>

#include "lanes/lanes.h"

typedef struct {
  int n;
  const int* col;  // (n) dofs, ascending; NULL: all dofs
  const V* J;      // (n) moment arms
} TendonRow;

static inline int tendonRowsCompressed(const mjModel* m) { return !ONE_STATE || mj_isSparse(m); }

static inline TendonRow tendonRow(const mjModel* m, const mjData* d, int t) {
  const V* J = CLANES(d->ten_J);
  if (!tendonRowsCompressed(m)) return (TendonRow){.n = (int)m->nv, .J = J + (size_t)t * (size_t)m->nv};
  int adr = d->ten_J_rowadr[t];
  return (TendonRow){.n = d->ten_J_rownnz[t], .col = d->ten_J_colind + adr, .J = J + adr};
}

static inline int tendonColumn(const TendonRow* row, int k) { return row->col ? row->col[k] : k; }

// Product of the moment arms with a vector over dofs. With dense Jacobians it has the order of mju_dot: four sums
// side by side, then the dofs that are left.
static inline V tendonDot(const mjModel* m, const TendonRow* row, const V* x) {
  if (!row->col) return v_set1(mju_dot((const mjtNum*)row->J, (const mjtNum*)x, row->n));
  V part[4] = {v_zero(), v_zero(), v_zero(), v_zero()};
  int k = 0, joined = mj_isSparse(m) ? 0 : (int)m->nv & ~3;
  for (; k < row->n && row->col[k] < joined; k++) {
    V* sum = part + (row->col[k] & 3);
    *sum = *sum + row->J[k] * x[row->col[k]];
  }
  V sum = (part[0] + part[2]) + (part[1] + part[3]);
  for (; k < row->n; k++) sum = sum + row->J[k] * x[row->col[k]];
  return sum;
}

// Add the moment arms, times a factor, to a vector over dofs. With dense Jacobians dofs without a moment arm get a zero
// added, too, because that may change the sign of a zero in the vector.
static inline void tendonAddTo(const mjModel* m, const TendonRow* row, V factor, V* res) {
  if (row->col && mj_isSparse(m)) {
    for (int k = 0; k < row->n; k++) res[row->col[k]] = res[row->col[k]] + factor * row->J[k];
    return;
  }
  for (int i = 0, k = 0; i < m->nv; i++) {
    V arm = k < row->n && tendonColumn(row, k) == i ? row->J[k++] : v_zero();
    res[i] = res[i] + factor * arm;
  }
}

// Moment arms and their dofs as a list; returns how many (at most nv): the stored row with sparse Jacobians, with dense
// ones what is not zero in some lane.
static inline int tendonArms(const mjModel* m, const TendonRow* row, int* ind, V* arm) {
  int sparse = mj_isSparse(m), n = 0;
  for (int k = 0; k < row->n; k++) {
    if (!sparse && !m_any(~v_eq(row->J[k], v_zero()))) continue;
    ind[n] = tendonColumn(row, k);
    arm[n++] = row->J[k];
  }
  return n;
}

#endif  // SHEAF_DYNAMICS_TENDON_ROW_H_
