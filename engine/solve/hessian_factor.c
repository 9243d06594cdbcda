// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The factor L'DL of the Newton Hessian, and solves with it.
//
// The factor keeps rows D*L rather than L, so no pass of divisions is needed. This file has the sparse factor, with
// values at the places of the pattern; solve/dense_quads.c and solve/dense_lanes.c have the dense one of small
// problems.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "model/work.h"
#include "solve/hessian.h"
#include "solve/primal.h"

static void factorRow(LANE(Primal)* p, int i) {
  const mjiPattern* s = &p->pattern;
  int start = s->rowadr[i], ncol = s->rowadr[i + 1] - start;
  V* out = p->factor + start;
  for (int n = 0; n < ncol; n++) out[n] = p->sum[start + n];
  for (int d = s->depadr[i]; d < s->depadr[i + 1]; d++) {
    int k = s->dep[d];
    const int* col = s->col + s->rowadr[k];
    const V* below = p->factor + s->rowadr[k];

    // columns of the row below, up to i, are a subset of those of row i
    int last = 0;
    while (col[last] != i) last++;
    V t = below[last] * p->dinv[k];
    for (int e = 0, n = 0; e <= last; e++, n++) {
      while (s->col[start + n] != col[e]) n++;
      out[n] = out[n] - t * below[e];
    }
  }
  out[ncol - 1] = v_max(out[ncol - 1], p->bound[2 * i]);
  p->dinv[i] = 1.0 / out[ncol - 1];
}

// x = inv(L') x, and inv(D), by row i
static inline void eliminateRow(const LANE(Primal)* p, V* restrict x, int i) {
  const mjiPattern* s = &p->pattern;
  const V* row = p->factor + s->rowadr[i];
  const int* col = s->col + s->rowadr[i];
  int n = s->rowadr[i + 1] - s->rowadr[i] - 1;
  V t = x[i] * p->dinv[i];
  for (int k = 0; k < n; k++) x[col[k]] = x[col[k]] - row[k] * t;
  x[i] = t;
}

// x = inv(L) x by row i
static inline void substituteRow(const LANE(Primal)* p, V* restrict x, int i) {
  const mjiPattern* s = &p->pattern;
  const V* row = p->factor + s->rowadr[i];
  const int* col = s->col + s->rowadr[i];
  int n = s->rowadr[i + 1] - s->rowadr[i] - 1;
  V t = v_zero();
  for (int k = 0; k < n; k++) t = t + row[k] * x[col[k]];
  x[i] = x[i] - t * p->dinv[i];
}

void LANE(hessianSolve)(LANE(Primal)* p, V* restrict x, const V* restrict y, int factor) {
  for (int i = 0; i < p->nv; i++) x[i] = y[i];
  if (p->pattern.dense) {
    LANE(solveDense)(p, x, factor);
    return;
  }

  // use a row for the elimination right after it is factored, while it is in the cache
  for (int i = p->nv - 1; i >= 0; i--) {
    if (factor) factorRow(p, i);
    eliminateRow(p, x, i);
  }
  for (int i = 0; i < p->nv; i++) substituteRow(p, x, i);
}
