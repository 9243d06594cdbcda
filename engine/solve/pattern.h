// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The pattern of the Hessian and of its factor, and its supernodes: neighbouring rows that have the same columns left
// of the first of them, and all columns from there to the diagonal. A free body is one, or a chain of joints. Rows of a
// supernode act on others together, as a dense block.
#ifndef SHEAF_SOLVE_PATTERN_H_
#define SHEAF_SOLVE_PATTERN_H_

#include <stdint.h>

#include <mujoco/mujoco.h>

#include "model/block.h"

// Largest nv whose values are kept as a dense triangle: 33 KiB a lane, and 23 blocks of four columns, one bit of
// `quads` each.
enum { MJI_DENSE_DOFS = 92 };

// The columns start..end-1 of the rows of supernode `from` are rows of the supernode that has the link.
typedef struct mjiLink_ {
  int from, start, end;
} mjiLink;

typedef struct mjiSupernodes_ {
  int n;
  int* first;    // (n+1) first row of each
  int* of;       // (nv) supernode of each row
  int* linkadr;  // (n+1) its links, by descending `from`
  mjiLink* link;
  int* stale;  // (n) nonzero if `sum` has changed there since it was factored
  int* place;  // (nv) scratch of the factorization
} mjiSupernodes;

// equal in all lanes
typedef struct mjiPattern_ {
  int nv;
  int* rowadr;  // (nv+1) start of row i in col; its columns ascend and end with i
  int* col;     // (nnz)
  int tree;     // the pattern is that of the tree alone: a row has all columns of the rows above that are its columns
  int dense;    // 1: values of a triangle (solve/hessian.h), 0: at the place of (i, j) in col

  // dense
  int* depadr;      // (nv+1) start of column i in dep
  int* dep;         // (nnz-nv) rows k > i that have column i, ascending
  uint32_t* quads;  // one state: (nv) blocks of four columns that row i has, bit b for columns 4b .. 4b+3
  uint8_t* stale;   // (nv) nonzero if `sum` has changed in the row since it was factored

  mjiSupernodes super;  // sparse
} mjiPattern;

// Symbolic factorization: the tree of dofs plus the columns of every block.
void mji_patternMake(const mjModel* m, mjData* d, const mjiBlock* block, int nblock, mjiPattern* pattern);

// Find the supernodes of a sparse pattern; memory is scratch of d. All are stale. (supernodes.c)
void mji_supernodesMake(mjData* d, mjiPattern* pattern);

// Let the next factorization compute all rows.
void mji_patternAllStale(mjiPattern* pattern);

#endif  // SHEAF_SOLVE_PATTERN_H_
