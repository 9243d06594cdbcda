// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "lanes/lanes.h"

#include "constraint/blocks_ok.h"

#include "model/block.h"
#include "model/row_class.h"
#include "model/work.h"

static int columnsAscend(const mjModel* m, const mjiBlock* b) {
  for (int c = 0; c < b->ncol; c++) {
    if (b->col[c] < (c ? b->col[c - 1] + 1 : 0) || b->col[c] >= m->nv) return 0;
  }
  return b->ncol >= 0;
}

// Are n numbers zero in these lanes? A lane whose given state is not a number, which a request may send, has what
// follows from it in its own rows: such a row is reported and its numbers are not used.
static int areZero(const mjtNum* x, int n, M lanes) {
  for (int i = 0; i < n; i++) {
    V v = CLANES(x)[i];
    if (m_any(lanes & ~v_eq(v, v_zero()) & v_eq(v, v))) return 0;
  }
  return 1;
}

static int zerosWhereOff(const mjData* d, const mjiBlock* b) {
  if (!b->on) return 1;
  M off = ~*(const M*)b->on;
  size_t adr = (size_t)b->efcadr * SHEAF_LANES;
  int contact = mji_isContact(b->type);
  return areZero(d->efc_D + adr, b->nrow, off) && areZero(d->efc_aref + adr, b->nrow, off) &&
         (!contact || areZero(b->J, b->dim * b->ncol, off));
}

int LANE(blocksOk)(const mjModel* m, const mjData* d) {
  const mjiWork* w = mji_work(d);
  int nefc = 0;
  for (const mjiBlock* b = w->block; b < w->block + w->nblock; b++) {
    if (b->efcadr != nefc || b->dim < 1 || b->nrow < 1) return 0;
    if (!columnsAscend(m, b) || !zerosWhereOff(d, b)) return 0;
    nefc += b->nrow;
  }
  return nefc == d->nefc;
}
