// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Friction loss and limits of tendons.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/make_lanes.h"
#include "constraint/row_lanes.h"
#include "constraint/tendon_lanes.h"
#include "model/sleep.h"

// columns and entries of a row, scaled; zero if it has none
static int findRow(mjiRows* rows, int t, double scale, RowSpec* spec) {
#if SHEAF_LANES == 1
  int* first = rows->d->tendon_efcadr + t;
  if (*first == -1) *first = rows->nefc;
#endif
  V* J = LANES(rows->num);
  spec->ncol = tendonDifference(rows, t, -1, v_zero(), rows->col, J);
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
  int sleeping = SHEAF_LANES == 1 && mji_sleep_any(m, rows->d);
  for (int i = 0; i < m->ntendon; i++) {
    if (!(m->tendon_frictionloss[i] > 0)) continue;
    if (sleeping && mji_sleep_ofTendon(m, rows->d, i) == mjS_ASLEEP) continue;
    RowSpec spec = {.type = mjCNSTR_FRICTION_TENDON, .id = i, .diag = m->tendon_invweight0[i],
                    .solref = m->tendon_solref_fri + mjNREF * i,
                    .solimp = m->tendon_solimp_fri + mjNIMP * i};
    if (findRow(rows, i, 1, &spec)) addFriction(rows, &spec, m->tendon_frictionloss[i]);
  }
}

void LANE(tendonLimitRows)(mjiRows* rows) {
  const mjModel* m = rows->m;
  int sleeping = SHEAF_LANES == 1 && mji_sleep_any(m, rows->d);
  for (int i = 0; i < m->ntendon; i++) {
    if (!m->tendon_limited[i]) continue;
    if (sleeping && mji_sleep_ofTendon(m, rows->d, i) == mjS_ASLEEP) continue;
    RowSpec spec = {.type = mjCNSTR_LIMIT_TENDON, .id = i, .diag = m->tendon_invweight0[i],
                    .solref = m->tendon_solref_lim + mjNREF * i,
                    .solimp = m->tendon_solimp_lim + mjNIMP * i, .margin = m->tendon_margin[i]};
    V length = tendonLength(m, rows->d, i);
    for (double side = -1; side <= 1; side += 2) {
      V dist = side * (m->tendon_range[2 * i + (side > 0)] - length);
      if (!m_any(v_lt(dist, v_set1(spec.margin)))) continue;
      if (findRow(rows, i, -side, &spec)) addLimit(rows, &spec, dist);
    }
  }
}
