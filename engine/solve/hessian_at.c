// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The Newton Hessian at a given acceleration, for derivatives of the solution: they are solutions of linear systems
// with this matrix.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "base/checkpoint.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/block.h"
#include "model/work.h"
#include "solve/hessian.h"
#include "solve/primal.h"
#include "solve/scratch.h"

void LANE(hessianAt)(const mjModel* m, mjData* d, V* jar, LANE(Parts)* parts, LANE(Primal)* p) {
  const mjiWork* w = mji_work(d);
  LANE(partsMake)(m, d, m_full(), 0, parts);
  *p = (LANE(Primal)){.m = m,
                      .d = d,
                      .block = w->block,
                      .nblock = w->nblock,
                      .nv = m->nv,
                      .nefc = d->nefc,
                      .cone = m->opt.cone == mjCONE_ELLIPTIC,
                      .Jaref = jar,
                      .parts = parts};
  p->live = (M*)stackV(d, 1);
  p->live[0] = m_full();
  LANE(hessianInit)(p);
  LANE(hessianUpdate)(p);
  if (p->borrows) LANE(hessianOwn)(p);  // what is borrowed lies with the contacts, which go
}

// ---- four right-hand sides at a time, so that each number of the factor is read once for all. Sums have the order of
// hessianSolve.

static inline void eliminateFour(const LANE(Primal)* p, V* restrict x, size_t nv, int i, int dense) {
  const mjiPattern* s = &p->pattern;
  const V* row = p->factor + rowBase(s, i);
  const int* col = s->col + s->rowadr[i];
  int n = s->rowadr[i + 1] - s->rowadr[i] - 1;
  V t[4];
  for (size_t c = 0; c < 4; c++) x[c * nv + (size_t)i] = t[c] = x[c * nv + (size_t)i] * p->dinv[i];
  for (int k = 0; k < n; k++) {
    size_t j = (size_t)col[k];
    V r = row[dense ? (int)j : k];
    for (size_t c = 0; c < 4; c++) x[c * nv + j] = x[c * nv + j] - r * t[c];
  }
}

static inline void substituteFour(const LANE(Primal)* p, V* restrict x, size_t nv, int i, int dense) {
  const mjiPattern* s = &p->pattern;
  const V* row = p->factor + rowBase(s, i);
  const int* col = s->col + s->rowadr[i];
  int n = s->rowadr[i + 1] - s->rowadr[i] - 1;
  V even[4], odd[4];
  zeroN(even, 4);
  zeroN(odd, 4);
  for (int k = 0; k < n; k++) {
    size_t j = (size_t)col[k];
    V r = row[dense ? (int)j : k];
    if (dense && j % 2) {
      for (size_t c = 0; c < 4; c++) odd[c] = odd[c] + r * x[c * nv + j];
    } else {
      for (size_t c = 0; c < 4; c++) even[c] = even[c] + r * x[c * nv + j];
    }
  }
  for (size_t c = 0; c < 4; c++) {
    V t = even[c];
    if (dense) t = t + odd[c];
    x[c * nv + (size_t)i] = x[c * nv + (size_t)i] - t * p->dinv[i];
  }
}

static void solveFour(const LANE(Primal)* p, V* x) {
  size_t nv = (size_t)p->nv;
  if (p->pattern.dense) {
    for (int i = p->nv - 1; i >= 0; i--) eliminateFour(p, x, nv, i, 1);
    for (int i = 0; i < p->nv; i++) substituteFour(p, x, nv, i, 1);
    return;
  }
  for (int i = p->nv - 1; i >= 0; i--) eliminateFour(p, x, nv, i, 0);
  for (int i = 0; i < p->nv; i++) substituteFour(p, x, nv, i, 0);
}

void LANE(hessianSolveAll)(LANE(Primal)* p, V* x, int n) {
  // solves work on blocks of four, the last of which ends with zeros
  size_t nv = (size_t)p->nv, padded = (nv + 3) & ~(size_t)3, top = mji_stackTop(p->d);
  V* one = stackV(p->d, padded);
  for (size_t i = nv; i < padded; i++) one[i] = v_zero();
  for (int k = 0, size; k < n; k += size, x += (size_t)size * nv) {
    mji_checkpoint();
    size = !ONE_STATE && k && n - k >= 4 ? 4 : 1;
    if (size == 4) {
      solveFour(p, x);
      continue;
    }
    LANE(hessianSolve)(p, one, x, k == 0);
    for (size_t i = 0; i < nv; i++) x[i] = one[i];
  }
  mji_stackBack(p->d, top);
}
