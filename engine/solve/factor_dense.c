// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The factor of a Hessian whose values are kept as a dense triangle (solve/hessian.h).
//
// Each row gathers the contributions of the rows below it with several of its columns in registers:
// eight vectors of lanes, or, with one lane, four vectors of neighbouring columns. Both do the same
// operations in the same order.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "model/work.h"
#include "solve/hessian.h"
#include "solve/primal.h"

#if SHEAF_LANES == 1

typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

// what the loops below read, in registers
typedef struct {
  const V *sum, *bound;
  V *factor, *dinv;
  const int *rowadr, *col, *depadr, *dep;
  const uint32_t* quads;
  size_t width;    // of a row
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

// Row i of the factor, with zeros from the diagonal to the end of its block, so that products with the row
// need not look where it ends. Returns the diagonal.
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

// x = inv(L) x by row i. Sums of every other column shorten the chain of additions
static inline void substituteQuads(const Dense s, V* x, int i) {
  const V* row = s.factor + (size_t)i * s.width;
  const int* col = s.col + s.rowadr[i];
  int n = s.rowadr[i + 1] - s.rowadr[i] - 1, k = 0;
  V even = 0, odd = 0;
  if (n == i) {
    Pair sum = {0};
    for (; k + 1 < n; k += 2) sum = sum + *(const Pair*)(row + k) * *(const Pair*)(x + k);
    even = sum[0];
    odd = sum[1];
    if (k < n) even = even + row[k] * x[k];
  } else {
    for (; k + 1 < n; k += 2) {
      even = even + row[col[k]] * x[col[k]];
      odd = odd + row[col[k + 1]] * x[col[k + 1]];
    }
    if (k < n) even = even + row[col[k]] * x[col[k]];
  }
  x[i] = x[i] - (even + odd) * s.dinv[i];
}

void LANE(solveDense)(LANE(Primal)* p, V* x, int factor) {
  const mjiPattern* pattern = &p->pattern;
  const Dense s = {p->sum,       p->bound,        p->factor,    p->dinv,        pattern->rowadr,
                   pattern->col, pattern->depadr, pattern->dep, pattern->quads, denseRow(pattern, 1)};
  for (int i = pattern->nv - 1; i >= 0; i--) {
    if (factor) s.dinv[i] = 1.0 / v_max(factorQuads(s, i), s.bound[2 * i]);
    eliminateQuads(s, x, i);
  }
  for (int i = 0; i < pattern->nv; i++) substituteQuads(s, x, i);
}

#else

// one tile of up to eight columns of row i, with or without gaps between them
#define TILE(N, INDEX)                                                         \
  case N: {                                                                    \
    V acc[N];                                                                  \
    for (int n = 0; n < N; n++) acc[n] = in[INDEX];                            \
    for (int k = 0; k < ndep; k++) {                                           \
      const V* restrict below = p->factor + denseRow(s, dep[k]);               \
      V t = ratio[k];                                                          \
      for (int n = 0; n < N; n++) acc[n] = acc[n] - t * below[INDEX];          \
    }                                                                          \
    for (int n = 0; n < N; n++) out[INDEX] = acc[n];                           \
    break;                                                                     \
  }
#define TILES(INDEX)                                                                        \
  TILE(1, INDEX)                                                                            \
  TILE(2, INDEX) TILE(3, INDEX) TILE(4, INDEX) TILE(5, INDEX) TILE(6, INDEX) TILE(7, INDEX) \
      TILE(8, INDEX)

static inline void factorRow(LANE(Primal)* p, int i) {
  const mjiPattern* s = &p->pattern;
  const int* dep = s->dep + s->depadr[i];
  int ndep = s->depadr[i + 1] - s->depadr[i];
  const int* col = s->col + s->rowadr[i];
  int ncol = s->rowadr[i + 1] - s->rowadr[i];
  const V* in = p->sum + denseRow(s, i);
  V* out = p->factor + denseRow(s, i);
  V* ratio = p->temp;
  for (int k = 0; k < ndep; k++) {
    ratio[k] = p->factor[denseRow(s, dep[k]) + (size_t)i] * p->dinv[dep[k]];
  }
  for (int start = 0, size; start < ncol; start += size) {
    const int* c = col + start;
    size = ncol - start < 8 ? ncol - start : 8;
    if (c[size - 1] - c[0] == size - 1) {
      int c0 = c[0];
      switch (size) { TILES(c0 + n) }
    } else {
      switch (size) { TILES(c[n]) }
    }
  }
  out[i] = v_max(out[i], p->bound[2 * i]);
  p->dinv[i] = 1.0 / out[i];
}

// two sums shorten the chain of additions
static inline V dotDense(const V* restrict row, const V* restrict x, const int* restrict col,
                         int n) {
  V even = v_zero(), odd = v_zero();
  int k = 0;
  for (; k + 1 < n; k += 2) {
    even = even + row[col[k]] * x[col[k]];
    odd = odd + row[col[k + 1]] * x[col[k + 1]];
  }
  if (k < n) even = even + row[col[k]] * x[col[k]];
  return even + odd;
}

// x = inv(L') x, and inv(D), by row i
static inline void eliminateRow(const LANE(Primal)* p, V* restrict x, int i) {
  const mjiPattern* s = &p->pattern;
  const V* row = p->factor + denseRow(s, i);
  const int* col = s->col + s->rowadr[i];
  int n = s->rowadr[i + 1] - s->rowadr[i] - 1;
  V t = x[i] * p->dinv[i];
  for (int k = 0; k < n; k++) x[col[k]] = x[col[k]] - row[col[k]] * t;
  x[i] = t;
}

void LANE(solveDense)(LANE(Primal)* p, V* restrict x, int factor) {
  const mjiPattern* s = &p->pattern;

  // a row serves for the elimination while it is still close
  for (int i = p->nv - 1; i >= 0; i--) {
    if (factor) factorRow(p, i);
    eliminateRow(p, x, i);
  }
  for (int i = 0; i < p->nv; i++) {
    int n = s->rowadr[i + 1] - s->rowadr[i] - 1;
    V t = dotDense(p->factor + denseRow(s, i), x, s->col + s->rowadr[i], n);
    x[i] = x[i] - t * p->dinv[i];
  }
}

#endif
