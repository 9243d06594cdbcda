// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constraint rows while they are being made.
//
// makeConstraint counts what the position may need at most (mjiRowCount), reserves it in the arena,
// and the row makers (equality.c, joint_rows.c, tendon_rows.c, contact_rows.c) each append their
// blocks and fill their rows.
#ifndef SHEAF_CONSTRAINT_ROWS_H_
#define SHEAF_CONSTRAINT_ROWS_H_

#include <mujoco/mujoco.h>

#include "model/block.h"
#include "model/work.h"

// upper bounds
typedef struct mjiRowCount_ {
  size_t block;  // blocks
  size_t row;    // constraint rows
  size_t num;    // Jacobian entries, masks and biases, with lanes
  size_t col;    // column indices that are not part of the plan
} mjiRowCount;

typedef struct mjiRows_ {
  const mjModel* m;
  mjData* d;
  const mjiPlan* plan;
  mjiBlock* block;  // the next block
  mjtNum* num;      // the next free numbers
  int* col;         // the next free column indices
  int nefc;         // rows so far
  int ndropped;     // rows that were left out because they have no nonzero entry
  int mixed;        // nonzero if a solref mixes its two formats
} mjiRows;

// Forget the constraints of the last position and give back the arena from `end` on.
void mji_rows_clear(mjData* d, const void* end);

// Count the rows of friction loss, limits and equalities; contactCount counts those of contacts.
void mji_rows_count(const mjModel* m, const mjData* d, mjiRowCount* count);

// Reserve the first rows of tendons, all -1; zero if the arena is too small.
int mji_rows_beginTendons(const mjModel* m, mjData* d);

// Reserve memory; zero if the arena is too small.
int mji_rows_begin(mjiRows* rows, const mjModel* m, mjData* d, const mjiRowCount* count);

// Append a block of dim base rows; the caller fills in the rest. Numbers come from rows->num.
mjiBlock* mji_rows_append(mjiRows* rows, int type, int id, int dim);

// n numbers per lane that live as long as the rows.
mjtNum* mji_rows_num(mjiRows* rows, int n);

// Columns that are consecutive dofs of one body, as a list.
const int* mji_rows_dofs(const mjiRows* rows, int dof);

// Copy the blocks into efc_J and its pattern, for users of mjData; if the arena is full, call mji_rows_giveUp. A dense
// efc_J keeps room for the rows that were left out, as in the reference. (jacobian.c)
void mji_exportRows(const mjModel* m, mjData* d);

// Entry of constraint row i of a block in its column c. One state.
static inline mjtNum mji_block_entry(const mjiBlock* b, int i, int c) {
  if (b->type != mjCNSTR_CONTACT_PYRAMIDAL) return b->J[i * b->ncol + c];
  int axis = i / 2 + 1;
  mjtNum mu = i % 2 ? -b->friction[axis - 1] : b->friction[axis - 1];
  return b->J[c] + mu * b->J[axis * b->ncol + c];
}

// Write the entries of row i of a block into a dense row. (jacobian.c)
void mji_block_scatter(const mjiBlock* b, int i, mjtNum* row);

// For each row, the number of rows right after it that have the same columns.
void mji_findSupernodes(int nrow, const int* rownnz, const int* rowadr, const int* colind, int* rowsuper);

// The arena is too small: warn, and go on without the constraints of this position.
void mji_rows_giveUp(mjData* d, const void* end);

#endif  // SHEAF_CONSTRAINT_ROWS_H_
