// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The Newton Hessian at a given acceleration, for derivatives of the solution: they are solutions of linear systems
// with this matrix.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "base/checkpoint.h"
#include "lanes/kernels.h"
#include "model/block.h"
#include "model/work.h"
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

void LANE(hessianSolveAll)(LANE(Primal)* p, V* x, int n) {
  // solves work on blocks of four, the last of which ends with zeros
  size_t nv = (size_t)p->nv, padded = (nv + 3) & ~(size_t)3, top = mji_stackTop(p->d);
  V* one = stackV(p->d, padded);
  for (size_t i = nv; i < padded; i++) one[i] = v_zero();
  for (int k = 0; k < n; k++, x += nv) {
    mji_checkpoint();
    LANE(hessianSolve)(p, one, x, k == 0);
    for (size_t i = 0; i < nv; i++) x[i] = one[i];
  }
  mji_stackBack(p->d, top);
}
