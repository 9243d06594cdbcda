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

static int hasDamping(const mjModel* m) {
  if (m->opt.disableflags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER)) return 0;
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_damping[i] > 0) return 1;
  }
  return 0;
}

// qH = M + h * damping, factored
static void factorDamped(const mjModel* m, mjData* d) {
  V* H = LANES(d->qH);
  const V* inertia = CLANES(d->M);
  for (int i = 0; i < m->nv; i++) {
    int diag = m->M_rowadr[i] + m->M_rownnz[i] - 1;
    H[diag] = inertia[diag] + OPT(timestep)[0] * NUM(dof_damping)[i];
  }
  LANE(factorLD)(m, inertia, H, H, LANES(d->qHDiagInv), 0, (int)m->nv);
}

// Lanes without any damper keep the solver's acceleration, as a model without dampers does.
static void keepUndamped(const mjModel* m, const mjData* d, V* x) {
  M damped = dampedLanes(m, d);
  for (int i = 0; i < m->nv; i++) x[i] = v_sel(damped, x[i], CLANES(d->qacc)[i]);
}

const mjtNum* LANE(eulerAcc)(const mjModel* m, mjData* d, int skipfactor) {
  if (!hasDamping(m)) return d->qacc;
  mjtNum* qacc = mji_stackNum(d, m->nv);
  V* x = LANES(qacc);
  if (!skipfactor) factorDamped(m, d);
  for (int i = 0; i < m->nv; i++) {
    x[i] = CLANES(d->qfrc_smooth)[i] + CLANES(d->qfrc_constraint)[i];
  }
  LANE(solveLD)(m, CLANES(d->qH), CLANES(d->qHDiagInv), x, 1, 0, (int)m->nv);
  if (OWN_NUMBERS) keepUndamped(m, d, x);
  return qacc;
}
