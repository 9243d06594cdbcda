// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constraint rows of the current position, in the order equalities, friction loss, limits,
// contacts.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/make_lanes.h"
#include "lanes/kernels.h"

static void frictionRows(mjiRows* rows) {
  if (rows->m->opt.disableflags & mjDSBL_FRICTIONLOSS) return;
  LANE(jointFrictionRows)(rows);
  if (rows->m->ntendon) LANE(tendonFrictionRows)(rows);
}

static void limitRows(mjiRows* rows) {
  if (rows->m->opt.disableflags & mjDSBL_LIMIT) return;
  LANE(jointLimitRows)(rows);
  if (rows->m->ntendon) LANE(tendonLimitRows)(rows);
}

static void recordUse(mjData* d) {
  if (!ONE_STATE) return;
  if (d->ncon > d->maxuse_con) d->maxuse_con = d->ncon;
  if (d->nefc > d->maxuse_efc) d->maxuse_efc = d->nefc;
}

static void makeRows(const mjModel* m, mjData* d) {
  mjiRowCount count = {0};
  const void* end = LANE(contactCount)(m, d, &count);
  mji_rows_clear(d, end);
  if (!m->nv || (m->opt.disableflags & mjDSBL_CONSTRAINT)) return;

  // set the first row of each tendon even if there are no rows, because users may read it
  mjiRows rows;
  mji_rows_count(m, d, &count);
  int room = !m->ntendon || mji_rows_beginTendons(m, d);
  if (room && !count.block) return;
  if (!room || !mji_rows_begin(&rows, m, d, &count)) {
    mji_rows_giveUp(d, end);
    return;
  }

  if (m->neq) LANE(equalityRows)(&rows);
  d->ne = rows.nefc;
  frictionRows(&rows);
  d->nf = rows.nefc - d->ne;
  limitRows(&rows);
  d->nl = rows.nefc - d->ne - d->nf;
  if (!(m->opt.disableflags & mjDSBL_CONTACT)) LANE(contactRows)(&rows);

  mjiWork* w = mji_work(d);
  w->nblock = (int)(rows.block - w->block);
  w->ndropped = rows.ndropped;
  w->mixed = rows.mixed;
  d->nefc = rows.nefc;
}

void LANE(makeConstraint)(const mjModel* m, mjData* d) {
  makeRows(m, d);
  recordUse(d);
}
