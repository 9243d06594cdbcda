// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Semi-implicit Euler: velocities first, then positions with the new velocities. Joint damping is
// implicit in the velocity, which only adds to the diagonal of M.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/inertia.h"
#include "dynamics/spatial.h"
#include "integrate/integrate.h"
#include "model/number.h"
#include "model/work.h"

// qH = M + h * damping, factored
static void factorDamped(const mjModel* m, mjData* d) {
  V* H = LANES(d->qH);
  copyN(H, CLANES(d->M), m->nC);
  for (int i = 0; i < m->nv; i++) {
    int diag = m->M_rowadr[i] + m->M_rownnz[i] - 1;
    H[diag] = H[diag] + m->opt.timestep * NUM(dof_damping)[i];
  }
  LANE(factorLD)(m, H, LANES(d->qHDiagInv), 0, (int)m->nv);
}

void LANE(EulerSkip)(const mjModel* m, mjData* d, int skipfactor, int want) {
  if (!mji_eulerImplicit(m)) {
    LANE(advance)(m, d, d->act_dot, d->qacc, NULL, want);
    return;
  }

  size_t top = mji_stackTop(d);
  mjtNum* qacc = mji_stackNum(d, m->nv);
  V* x = LANES(qacc);
  if (!skipfactor) factorDamped(m, d);
  for (int i = 0; i < m->nv; i++) {
    x[i] = CLANES(d->qfrc_smooth)[i] + CLANES(d->qfrc_constraint)[i];
  }
  LANE(solveLD)(m, CLANES(d->qH), CLANES(d->qHDiagInv), x, 1, 0, (int)m->nv);
  LANE(advance)(m, d, d->act_dot, qacc, NULL, want);
  mji_stackBack(d, top);
}

void LANE(Euler)(const mjModel* m, mjData* d, int want) { LANE(EulerSkip)(m, d, 0, want); }
