// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Friction loss and limits of tendons. The lanes of a group have fixed tendons only: their moment
// arms are numbers of the model. Those of spatial tendons are in ten_J, for one state.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/make_lanes.h"
#include "constraint/row_lanes.h"
#include "constraint/tendon.h"

#if SHEAF_LANES == 1

static V lengthOf(const mjModel* m, const mjData* d, int t) {
  return d->ten_length[t];
}

static int momentArms(const mjiRows* rows, int t, int* col, V* J) {
  return mji_tendon_difference(rows->m, rows->d, t, -1, 0, col, J);
}

#else

static V lengthOf(const mjModel* m, const mjData* d, int t) {
  V length = v_zero();
  for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
    length = length + m->wrap_prm[w] * CLANES(d->qpos)[m->jnt_qposadr[m->wrap_objid[w]]];
  }
  return length;
}

// columns ascend; those with zeros count in a sparse Jacobian
static int momentArms(const mjiRows* rows, int t, int* col, V* J) {
  const mjModel* m = rows->m;
  int n = 0, keep = 0;
  for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
    int dof = m->jnt_dofadr[m->wrap_objid[w]], at = n;
    V arm = v_set1(m->wrap_prm[w]);
    while (at > 0 && col[at - 1] > dof) at--;
    if (at > 0 && col[at - 1] == dof) {
      J[at - 1] = J[at - 1] + arm;
      continue;
    }
    for (int k = n++; k > at; k--) {
      col[k] = col[k - 1];
      J[k] = J[k - 1];
    }
    col[at] = dof;
    J[at] = arm;
  }
  int sparse = mj_isSparse(m);
  for (int k = 0; k < n; k++) {
    if (!sparse && !m_any(~v_eq(J[k], v_zero()))) continue;
    col[keep] = col[k];
    J[keep++] = J[k];
  }
  return keep;
}

#endif

// columns and entries of a row, scaled; zero if it has none
static int findRow(mjiRows* rows, int t, double scale, RowSpec* spec) {
#if SHEAF_LANES == 1
  int* first = rows->d->tendon_efcadr + t;
  if (*first == -1) *first = rows->nefc;
#endif
  V* J = LANES(rows->num);
  spec->ncol = momentArms(rows, t, rows->col, J);
  if (!spec->ncol) {
    rows->ndropped++;
    return 0;
  }
  for (int k = 0; k < spec->ncol; k++) J[k] = scale * J[k];
  spec->J = J;
  spec->col = rows->col;
  mji_rows_num(rows, spec->ncol);
  rows->col += spec->ncol;
  return 1;
}

void LANE(tendonFrictionRows)(mjiRows* rows) {
  const mjModel* m = rows->m;
  for (int i = 0; i < m->ntendon; i++) {
    if (!(m->tendon_frictionloss[i] > 0)) continue;
    RowSpec spec = {.type = mjCNSTR_FRICTION_TENDON, .id = i, .diag = m->tendon_invweight0[i],
                    .solref = m->tendon_solref_fri + mjNREF * i,
                    .solimp = m->tendon_solimp_fri + mjNIMP * i};
    if (findRow(rows, i, 1, &spec)) addFriction(rows, &spec, m->tendon_frictionloss[i]);
  }
}

void LANE(tendonLimitRows)(mjiRows* rows) {
  const mjModel* m = rows->m;
  for (int i = 0; i < m->ntendon; i++) {
    if (!m->tendon_limited[i]) continue;
    RowSpec spec = {.type = mjCNSTR_LIMIT_TENDON, .id = i, .diag = m->tendon_invweight0[i],
                    .solref = m->tendon_solref_lim + mjNREF * i,
                    .solimp = m->tendon_solimp_lim + mjNIMP * i, .margin = m->tendon_margin[i]};
    V length = lengthOf(m, rows->d, i);
    for (double side = -1; side <= 1; side += 2) {
      V dist = side * (m->tendon_range[2 * i + (side > 0)] - length);
      if (!m_any(v_lt(dist, v_set1(spec.margin)))) continue;
      if (findRow(rows, i, -side, &spec)) addLimit(rows, &spec, dist);
    }
  }
}
