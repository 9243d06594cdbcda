// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A Hessian whose values are kept as a dense triangle (solve/hessian.h), for one state: products that are added to
// it, and its factor.
//
// Each row of the factor gathers the contributions of the rows below it with four vectors of neighbouring columns in
// registers. A product of rows is two sums, one over even and one over odd columns: two short chains of additions take
// less time than a long one.
// solve/dense_lanes.c does the same operations in the same order.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "model/block.h"
#include "solve/hessian.h"
#include "solve/primal.h"
#include "solve/quad.h"

// The columns of most blocks are one or two runs of neighbouring dofs. Returns the length of the first run, or 0 if
// there are more than two runs.
static inline int firstRun(const mjiBlock* b) {
  int n = b->ncol, run = 1;
  while (run < n && b->col[run] == b->col[0] + run) run++;
  return run == n || b->col[n - 1] - b->col[run] == n - 1 - run ? run : 0;
}

#define ADD_RUNS(TERM)                                                        \
  if (run) {                                                                  \
    V* restrict to = row + col[0];                                            \
    for (int j = 0; j < (i < run ? i + 1 : run); j++) to[j] = to[j] + (TERM); \
    if (i >= run) to = row + col[run] - run;                                  \
    for (int j = run; j <= i; j++) to[j] = to[j] + (TERM);                    \
  } else {                                                                    \
    for (int j = 0; j <= i; j++) row[col[j]] = row[col[j]] + (TERM);          \
  }

void LANE(addDense3)(const mjiPattern* s, V* restrict sum, const mjiBlock* b, const V* restrict B) {
  const V* restrict J0 = CLANES(b->J);
  int n = b->ncol, run = firstRun(b);
  const V* restrict J1 = J0 + n, * restrict J2 = J1 + n;
  const int* col = b->col;
  for (int i = 0; i < n; i++) {
    V* restrict row = sum + denseRow(s, col[i]);
    V b0 = B[i], b1 = B[n + i], b2 = B[2 * n + i];
    ADD_RUNS(b0 * J0[j] + b1 * J1[j] + b2 * J2[j])
  }
}

// ---- the factor

typedef lane_t Pair __attribute__((vector_size(2 * sizeof(lane_t)), aligned(sizeof(lane_t)), may_alias));

// what the loops below read: a local copy, which the compiler can keep in registers
typedef struct {
  const V *sum, *bound;
  V *factor, *dinv;
  const int *rowadr, *col, *depadr, *dep;
  const uint32_t* quads;
  size_t width;  // of a row
} Dense;

// N blocks of columns of row i, from their first columns
#define TILE(N, AT)                                                        \
  {                                                                        \
    Quad acc[N];                                                           \
    for (int n = 0; n < N; n++) acc[n] = CQUAD(in + AT);                   \
    for (int k = s.depadr[i]; k < end; k++) {                              \
      const V* below = s.factor + (size_t)s.dep[k] * s.width;              \
      V t = below[i] * s.dinv[s.dep[k]];                                   \
      for (int n = 0; n < N; n++) acc[n] = acc[n] - t * CQUAD(below + AT); \
    }                                                                      \
    for (int n = 0; n < N; n++) QUAD(out + AT) = acc[n];                   \
    break;                                                                 \
  }

// Compute row i of the factor. Behind the diagonal its block is filled with zeros, so that products with the row can
// take whole blocks. Returns the diagonal.
static inline V factorQuads(const Dense s, int i) {
  const V* in = s.sum + (size_t)i * s.width;
  V* out = s.factor + (size_t)i * s.width;
  uint32_t left = s.quads[i];
  int end = s.depadr[i + 1];

  // most often the blocks are the first ones
  switch (left) {
    case 1: TILE(1, 4 * n)
    case 3: TILE(2, 4 * n)
    case 7: TILE(3, 4 * n)
    case 15: TILE(4, 4 * n)
    default:
      while (left) {
        int at[4], num = 0;
        for (; left && num < 4; left &= left - 1) at[num++] = 4 * __builtin_ctz(left);
        switch (num) {
          case 1: TILE(1, at[n])
          case 2: TILE(2, at[n])
          case 3: TILE(3, at[n])
          default: TILE(4, at[n])
        }
      }
  }
  static const Mask lower[4] = {{0, 0, 0, 0}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}};
  V diagonal = out[i], *last = out + (i & ~3);
  QUAD(last) = (Quad)((Mask)CQUAD(last) & lower[i & 3]);
  return diagonal;
}

// x = inv(L') x, and inv(D), by row i
static inline void eliminateQuads(const Dense s, V* x, int i) {
  const V* row = s.factor + (size_t)i * s.width;
  V t = x[i] * s.dinv[i];
  for (uint32_t left = s.quads[i]; left; left &= left - 1) {
    int j = 4 * __builtin_ctz(left);
    QUAD(x + j) = CQUAD(x + j) - CQUAD(row + j) * t;
  }
  x[i] = t;
}

// x = inv(L) x by row i
static inline void substituteQuads(const Dense s, V* x, int i) {
  const V* row = s.factor + (size_t)i * s.width;
  Pair sum = {0};
  for (uint32_t left = s.quads[i]; left; left &= left - 1) {
    int j = 4 * __builtin_ctz(left);
    sum = sum + *(const Pair*)(row + j) * *(const Pair*)(x + j);
    sum = sum + *(const Pair*)(row + j + 2) * *(const Pair*)(x + j + 2);
  }
  x[i] = x[i] - (sum[0] + sum[1]) * s.dinv[i];
}

void LANE(solveDense)(LANE(Primal)* p, V* x, int factor) {
  const mjiPattern* pattern = &p->pattern;
  const Dense s = {p->sum,       p->bound,        p->factor,    p->dinv,        pattern->rowadr,
                   pattern->col, pattern->depadr, pattern->dep, pattern->quads, denseRow(pattern, 1)};
  const LANE(Parts)* parts = p->parts;
  for (int k = parts->nsegment - 1; k >= 0; k--) {
    mjiSegment dofs = parts->segment[k];
    for (int i = dofs.adr + dofs.num - 1; !isIdle(parts, k) && i >= dofs.adr; i--) {
      if (factor && takeStale(pattern, i)) s.dinv[i] = 1.0 / v_max(factorQuads(s, i), s.bound[2 * i]);
      eliminateQuads(s, x, i);
    }
  }
  for (int k = 0; k < parts->nsegment; k++) {
    mjiSegment dofs = parts->segment[k];
    for (int i = dofs.adr; !isIdle(parts, k) && i < dofs.adr + dofs.num; i++) substituteQuads(s, x, i);
  }
}
