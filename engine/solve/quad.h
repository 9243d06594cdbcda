// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Four neighbouring numbers of one state side by side. Sums add their terms one by one in the order of rows: with
// lanes, rows that this state does not have lie between the four, so any other order would give other bits.
//
// Include lanes/lanes.h first.
#ifndef SHEAF_SOLVE_QUAD_H_
#define SHEAF_SOLVE_QUAD_H_

typedef lane_t Quad __attribute__((vector_size(4 * sizeof(lane_t)), aligned(sizeof(lane_t)), may_alias));
typedef lane_mask_t Mask __attribute__((vector_size(4 * sizeof(lane_t)), aligned(sizeof(lane_t)), may_alias));
#define QUAD(x) (*(Quad*)(x))
#define CQUAD(x) (*(const Quad*)(x))

// the first n < 4 of four numbers, and zeros: *q is all zeros before
#define QUAD_FIRST(q, x, n)       \
  do {                            \
    if ((n) > 0) (q)[0] = (x)[0]; \
    if ((n) > 1) (q)[1] = (x)[1]; \
    if ((n) > 2) (q)[2] = (x)[2]; \
  } while (0)

// q where the comparison m holds, else +0
#define QUAD_AND(m, q) ((Quad)((Mask)(q) & (Mask)(m)))

// add four terms to a sum, in their order
#define QUAD_ADD(sum, q) (((((sum) + (q)[0]) + (q)[1]) + (q)[2]) + (q)[3])

#endif  // SHEAF_SOLVE_QUAD_H_
