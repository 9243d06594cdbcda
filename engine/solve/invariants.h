// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What solvers rely on (model/block.h), for assertions.
//
// Include lanes/lanes.h first.
#ifndef SHEAF_SOLVE_INVARIANTS_H_
#define SHEAF_SOLVE_INVARIANTS_H_

#include <mujoco/mujoco.h>

#include "model/block.h"
#include "model/row_class.h"
#include "model/work.h"

// lanes that have the rows of a block
static inline M blockLanes(const mjiBlock* b) { return b->on ? *(const M*)b->on : m_full(); }

// Zeros; what follows from a given state that is not a number may stand in the lane of that state.
static inline int areZeros(M lanes, const V* x, int n) {
  for (int i = 0; i < n; i++) {
    if (m_any(lanes & ~v_eq(x[i], v_zero()) & v_eq(x[i], x[i]))) return 0;
  }
  return 1;
}

static inline int columnsAscend(const mjModel* m, const mjiBlock* b) {
  for (int c = 0; c < b->ncol; c++) {
    if (b->col[c] < 0 || b->col[c] >= m->nv || (c && b->col[c] <= b->col[c - 1])) return 0;
  }
  return 1;
}

// Blocks follow each other without gaps, their columns ascend, and what a lane does not have are zeros.
static inline int blocksAreSound(const mjModel* m, const mjData* d) {
  const mjiWork* w = mji_work(d);
  int row = 0;
  for (const mjiBlock* b = w->block; b < w->block + w->nblock; b++) {
    M off = ~blockLanes(b);
    if (b->efcadr != row || b->nrow < 1 || !columnsAscend(m, b)) return 0;
    if (!areZeros(off, CLANES(d->efc_D) + row, b->nrow) || !areZeros(off, CLANES(d->efc_aref) + row, b->nrow)) return 0;
    if (mji_isContact(b->type) && !areZeros(off, CLANES(b->J), b->dim * b->ncol)) return 0;
    row += b->nrow;
  }
  return row == d->nefc && d->ne + d->nf <= d->nefc;
}

// No force where a lane does not have the row.
static inline int forcesAreSound(const mjData* d) {
  const mjiWork* w = mji_work(d);
  for (const mjiBlock* b = w->block; b < w->block + w->nblock; b++) {
    if (!areZeros(~blockLanes(b), CLANES(d->efc_force) + b->efcadr, b->nrow)) return 0;
  }
  return 1;
}

#endif  // SHEAF_SOLVE_INVARIANTS_H_
