// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A Hessian whose values are kept as a dense triangle (solve/hessian.h), over lanes: products that are added to it,
// and its factor.
//
// Each row of the factor gathers the contributions of the rows below it with eight of its columns in registers. A lane
// holds zeros in columns that only other lanes need. The order of sums does not depend on such columns: a product of
// rows is two sums, one over even and one over odd columns. solve/dense_quads.c does the same operations in the same
// order.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "model/block.h"
#include "solve/hessian.h"
#include "solve/primal.h"

// two rows share the loads of J
void LANE(addDense3)(const mjiPattern* s, V* restrict sum, const mjiBlock* b, const V* restrict B) {
  const V* restrict J0 = CLANES(b->J);
  int n = b->ncol, i = 0;
  const V* restrict J1 = J0 + n, * restrict J2 = J1 + n;
  const int* col = b->col;
  for (; i < n; i += 2) {
    int pair = i + 1 < n, k = i + pair;
    V* restrict row = sum + denseRow(s, col[i]);
    V* restrict next = sum + denseRow(s, col[k]);
    V b0 = B[i], b1 = B[n + i], b2 = B[2 * n + i], c0 = B[k], c1 = B[n + k], c2 = B[2 * n + k];
    for (int j = 0; j <= i; j++) {
      V j0 = J0[j], j1 = J1[j], j2 = J2[j];
      row[col[j]] = row[col[j]] + (b0 * j0 + b1 * j1 + b2 * j2);
      if (pair) next[col[j]] = next[col[j]] + (c0 * j0 + c1 * j1 + c2 * j2);
    }
    if (pair) next[col[k]] = next[col[k]] + (c0 * J0[k] + c1 * J1[k] + c2 * J2[k]);
  }
}

// ---- the factor

// a row below the one that is factored: its values, and what it is multiplied with
typedef struct {
  const V* row;
  V ratio;
} Below;

// one tile of up to eight columns of a row, with or without gaps between them
#define TILE(N, INDEX)                                              \
  case N: {                                                         \
    V acc[N];                                                       \
    for (int n = 0; n < N; n++) acc[n] = in[INDEX];                 \
    for (int k = 0; k < nbelow; k++) {                              \
      const V* restrict row = below[k].row;                         \
      V t = below[k].ratio;                                         \
      for (int n = 0; n < N; n++) acc[n] = acc[n] - t * row[INDEX]; \
    }                                                               \
    for (int n = 0; n < N; n++) out[INDEX] = acc[n];                \
    break;                                                          \
  }
#define TILES(INDEX) \
  TILE(1, INDEX)     \
  TILE(2, INDEX) TILE(3, INDEX) TILE(4, INDEX) TILE(5, INDEX) TILE(6, INDEX) TILE(7, INDEX) TILE(8, INDEX)

static inline void factorRow(LANE(Primal)* p, int i, V* const* rows, Below* below) {
  const mjiPattern* s = &p->pattern;
  const int* dep = s->dep + s->depadr[i];
  int nbelow = s->depadr[i + 1] - s->depadr[i];
  const int* col = s->col + s->rowadr[i];
  int ncol = s->rowadr[i + 1] - s->rowadr[i];
  const V *in = p->sum + denseRow(s, i), *dinv = p->dinv;
  V* out = rows[i];
  for (int k = 0; k < nbelow; k++) {
    const V* row = rows[dep[k]];
    below[k].row = row;
    below[k].ratio = row[i] * dinv[dep[k]];
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

// ---- solves
//
// Most columns of a row have their neighbours, so four are taken at once where they follow each other.

static inline int isRun(const int* col, int k, int n) { return k + 3 < n && col[k + 3] - col[k] == 3; }

// sums over even and over odd columns
static inline V dotDense(const V* restrict row, const V* restrict x, const int* restrict col, int n) {
  V even = v_zero(), odd = v_zero();
  for (int k = 0; k < n;) {
    int c = col[k], run = isRun(col, k, n);
    V t = row[c] * x[c];
    if (run && c % 2) {
      odd = odd + t + row[c + 2] * x[c + 2];
      even = even + row[c + 1] * x[c + 1] + row[c + 3] * x[c + 3];
    } else if (run) {
      even = even + t + row[c + 2] * x[c + 2];
      odd = odd + row[c + 1] * x[c + 1] + row[c + 3] * x[c + 3];
    } else if (c % 2) {
      odd = odd + t;
    } else {
      even = even + t;
    }
    k += run ? 4 : 1;
  }
  return even + odd;
}

// x = inv(L') x, and inv(D), by row i
static inline void eliminateRow(const LANE(Primal)* p, V* restrict x, const V* restrict row, int i) {
  const mjiPattern* s = &p->pattern;
  const int* col = s->col + s->rowadr[i];
  int n = s->rowadr[i + 1] - s->rowadr[i] - 1;
  V t = x[i] * p->dinv[i];
  for (int k = 0; k < n;) {
    int c = col[k], run = isRun(col, k, n);
    x[c] = x[c] - row[c] * t;
    for (int j = c + 1; run && j < c + 4; j++) x[j] = x[j] - row[j] * t;
    k += run ? 4 : 1;
  }
  x[i] = t;
}

// x = inv(L) x by row i
static inline void substituteRow(const LANE(Primal)* p, V* restrict x, const V* restrict row, int i) {
  const mjiPattern* s = &p->pattern;
  int n = s->rowadr[i + 1] - s->rowadr[i] - 1;
  V t = dotDense(row, x, s->col + s->rowadr[i], n);
  x[i] = x[i] - t * p->dinv[i];
}

void LANE(solveDense)(LANE(Primal)* p, V* restrict x, int factor) {
  const LANE(Parts)* parts = p->parts;
  Below below[MJI_DENSE_DOFS];
  V* row[MJI_DENSE_DOFS];
  for (int i = 0; i < p->nv; i++) row[i] = p->factor + denseRow(&p->pattern, i);

  // use a row for the elimination right after it is factored, while it is in the cache
  for (int k = parts->nsegment - 1; k >= 0; k--) {
    mjiSegment dofs = parts->segment[k];
    for (int i = dofs.adr + dofs.num - 1; !isIdle(parts, k) && i >= dofs.adr; i--) {
      if (factor && takeStale(&p->pattern, i)) factorRow(p, i, row, below);
      eliminateRow(p, x, row[i], i);
    }
  }
  for (int k = 0; k < parts->nsegment; k++) {
    mjiSegment dofs = parts->segment[k];
    for (int i = dofs.adr; !isIdle(parts, k) && i < dofs.adr + dofs.num; i++) substituteRow(p, x, row[i], i);
  }
}
