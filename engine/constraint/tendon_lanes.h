// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Lengths and Jacobians of tendons over lanes. The lanes of a group have fixed tendons only: their
// moment arms are numbers of the model. Those of spatial tendons are in ten_J, for one state.
// Include lanes/lanes.h first.
#ifndef SHEAF_CONSTRAINT_TENDON_LANES_H_
#define SHEAF_CONSTRAINT_TENDON_LANES_H_

#include <mujoco/mujoco.h>

#include "constraint/rows.h"
#include "constraint/tendon.h"

#if SHEAF_LANES == 1

static inline V tendonLength(const mjModel* m, const mjData* d, int t) {
  (void)m;
  return d->ten_length[t];
}

// Jacobian of tendon t1 minus slope times that of t2 (if not -1): its columns, which ascend, and
// entries; returns their number. A dense Jacobian has columns for nonzeros only.
static inline int tendonDifference(const mjiRows* rows, int t1, int t2, V slope, int* col, V* J) {
  return mji_tendon_difference(rows->m, rows->d, t1, t2, slope, col, J);
}

#else

static inline V tendonLength(const mjModel* m, const mjData* d, int t) {
  V length = v_zero();
  for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
    length = length + m->wrap_prm[w] * CLANES(d->qpos)[m->jnt_qposadr[m->wrap_objid[w]]];
  }
  return length;
}

// moment arm of the joint of a wrap object, over all objects of its tendon that have this joint; zero
// if it was counted before
static inline mjtNum fixedArm(const mjModel* m, int t, int w) {
  mjtNum arm = 0;
  for (int i = m->tendon_adr[t]; i < m->tendon_adr[t] + m->tendon_num[t]; i++) {
    if (m->wrap_objid[i] != m->wrap_objid[w]) continue;
    if (i < w) return 0;
    arm += m->wrap_prm[i];
  }
  return arm;
}

// add an entry in ascending order of columns; the new number of columns
static inline int addArm(int n, int* col, V* J, int dof, V arm) {
  int at = n;
  while (at > 0 && col[at - 1] > dof) at--;
  if (at > 0 && col[at - 1] == dof) {
    J[at - 1] = J[at - 1] + arm;
    return n;
  }
  for (int k = n; k > at; k--) {
    col[k] = col[k - 1];
    J[k] = J[k - 1];
  }
  col[at] = dof;
  J[at] = arm;
  return n + 1;
}

static inline int tendonDifference(const mjiRows* rows, int t1, int t2, V slope, int* col, V* J) {
  const mjModel* m = rows->m;
  const int tendon[2] = {t1, t2};
  int n = 0, keep = 0;
  for (int k = 0; k < (t2 < 0 ? 1 : 2); k++) {
    for (int w = m->tendon_adr[tendon[k]], i = 0; i < m->tendon_num[tendon[k]]; i++, w++) {
      V arm = v_set1(fixedArm(m, tendon[k], w));
      if (k) arm = -(slope * arm);
      n = addArm(n, col, J, m->jnt_dofadr[m->wrap_objid[w]], arm);
    }
  }

  // those with zeros count in a sparse Jacobian
  int sparse = mj_isSparse(m);
  for (int k = 0; k < n; k++) {
    if (!sparse && !m_any(~v_eq(J[k], v_zero()))) continue;
    col[keep] = col[k];
    J[keep++] = J[k];
  }
  return keep;
}

#endif

#endif  // SHEAF_CONSTRAINT_TENDON_LANES_H_
