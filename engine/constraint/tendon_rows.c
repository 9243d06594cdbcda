// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Friction loss and limits of tendons.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/make_lanes.h"
#include "constraint/row_lanes.h"
#include "constraint/tendon_lanes.h"
#include "model/active.h"
#include "model/number.h"

// Find columns and scaled entries of the row of tendon t, and the lanes that have an entry. Zero if no lane has one.
static int findRow(mjiRows* rows, int t, lane_t scale, RowSpec* spec, M* on) {
  int* first = rows->d->tendon_efcadr + t;
  if (ONE_STATE && *first == -1) *first = rows->nefc;
  V* J = LANES(rows->num);
  spec->ncol = tendonDifference(rows, t, -1, v_zero(), rows->col, J);
  *on = lanesWithEntries(rows->m, J, spec->ncol);
  if (!m_any(*on)) {
    rows->ndropped++;
    return 0;
  }
  for (int k = 0; k < spec->ncol; k++) J[k] = scale * J[k];
  spec->J = J;
  spec->on = on;
  spec->col = rows->col;
  mji_rows_num(rows, spec->ncol);
  rows->col += spec->ncol;
  return 1;
}

void LANE(tendonFrictionRows)(mjiRows* rows) {
  const mjModel* m = rows->m;
  mjData* d = rows->d;
  mjiList tendons = mji_listOf(m, d, MJI_TENDONS);
  for (int k = 0; k < tendons.n; k++) {
    int i = mji_listed(tendons, k);
    if (!(m->tendon_frictionloss[i] > 0)) continue;
    RowSpec spec = {.type = mjCNSTR_FRICTION_TENDON,
                    .id = i,
                    .diag = NUM(tendon_invweight0)[i],
                    .solref = NUM(tendon_solref_fri) + mjNREF * i,
                    .solimp = NUM(tendon_solimp_fri) + mjNIMP * i};
    M on;
    if (findRow(rows, i, 1, &spec, &on)) addFriction(rows, &spec, NUM(tendon_frictionloss)[i]);
  }
}

void LANE(tendonLimitRows)(mjiRows* rows) {
  const mjModel* m = rows->m;
  mjData* d = rows->d;
  mjiList tendons = mji_listOf(m, d, MJI_TENDONS);
  for (int k = 0; k < tendons.n; k++) {
    int i = mji_listed(tendons, k);
    if (!m->tendon_limited[i]) continue;
    RowSpec spec = {.type = mjCNSTR_LIMIT_TENDON,
                    .id = i,
                    .diag = NUM(tendon_invweight0)[i],
                    .solref = NUM(tendon_solref_lim) + mjNREF * i,
                    .solimp = NUM(tendon_solimp_lim) + mjNIMP * i,
                    .margin = NUM(tendon_margin)[i]};
    V length = tendonLength(m, d, i);
    for (lane_t side = -1; side <= 1; side += 2) {
      V dist = side * (NUM(tendon_range)[2 * i + (side > 0)] - length);
      if (!m_any(v_lt(dist, v_num(spec.margin)))) continue;
      M on;
      if (findRow(rows, i, -side, &spec, &on)) addLimit(rows, &spec, dist);
    }
  }
}
