// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Where the values of the Hessian and of its factor are.
//
// Dense values with more than one lane are a packed triangle. With one lane rows begin at multiples of
// four columns and are handled in blocks of four, which are vectors; what a block holds beyond the
// diagonal is not used.
//
// Include lanes/lanes.h first.
#ifndef SHEAF_SOLVE_HESSIAN_H_
#define SHEAF_SOLVE_HESSIAN_H_

#include "solve/primal.h"

// rows of a supernode that are factored side by side
enum { MJI_NODE_ROWS = 8 };

static inline size_t denseRow(const mjiPattern* s, int i) {
  size_t row = (size_t)i;
  return ONE_STATE ? row * (size_t)((s->nv + 3) & ~3) : row * (row + 1) / 2;
}

// place of row i in the value arrays: column j is at [rowBase + j] (dense) or [rowBase + index]
// (sparse)
static inline size_t rowBase(const mjiPattern* s, int i) { return s->dense ? denseRow(s, i) : (size_t)s->rowadr[i]; }

static inline size_t valueCount(const mjiPattern* s) { return rowBase(s, s->nv); }

// Must row i of a dense factor be computed again? Then so must the row of its last column: all columns of a row are
// columns of that row, too, so rows that depend on a changed one lie on one path.
static inline int takeStale(const mjiPattern* s, int i) {
  if (!s->stale[i]) return 0;
  s->stale[i] = 0;
  if (s->rowadr[i + 1] - s->rowadr[i] > 1) s->stale[s->col[s->rowadr[i + 1] - 2]] = 1;
  return 1;
}

// sum += J' B for the columns of a block of three rows with dense values; B = W J is 3 x ncol.
void LANE(addDense3)(const mjiPattern* s, V* sum, const mjiBlock* b, const V* B);

// What rows first..end-1 of a sparse factor contribute to rows above.
typedef struct {
  const V* factor;
  const V* ratio;     // factors of the rows below, for each row above
  const int* rowadr;  // where rows begin
  const int* place;   // of the columns of the rows below in those above; NULL if they are the same
  int first, end;
} LANE(Below);

// Subtract it from the first ncol[i] columns of nrow rows, the last row below first. ncol ascends.
void LANE(subtractBelow)(V* const out[], const int ncol[], int nrow, const LANE(Below)* s);

#endif  // SHEAF_SOLVE_HESSIAN_H_
