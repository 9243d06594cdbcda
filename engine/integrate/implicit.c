// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Integrators that are implicit in the velocity: (M - h * dForce/dVel) * qacc = force.
//
// The integrator "implicit" takes the derivatives of all smooth forces; the matrix is not symmetric and is factored by
// LU. "implicitfast" leaves out those of Coriolis and centripetal forces and uses the lower triangle for both halves,
// so that the matrix is factored like M.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/inertia.h"
#include "dynamics/spatial.h"
#include "integrate/integrate.h"
#include "model/number.h"
#include "model/work.h"

static void factorFull(const mjModel* m, mjData* d) {
  V* LU = LANES(d->qLU);
  N h = OPT(timestep)[0];
  LANE(smoothVel)(m, d, 1);

  // M of simple dofs is diagonal: it lacks some entries
  for (int k = 0; k < m->nD; k++) {
    int from = m->mapM2D[k];
    LU[k] = (from < 0 ? v_zero() : CLANES(d->M)[from]) - h * CLANES(d->qDeriv)[k];
  }
  LANE(factorLU)(m, LU);
}

// lower triangle of M - h * qDeriv
static void fastMatrix(const mjModel* m, mjData* d, V* H) {
  N h = OPT(timestep)[0];
  LANE(smoothVel)(m, d, 0);
  for (int k = 0; k < m->nC; k++) {
    H[k] = CLANES(d->M)[k] - h * CLANES(d->qDeriv)[m->mapD2M[k]];
  }
}

static void factorFast(const mjModel* m, mjData* d) {
  V* H = LANES(d->qH);
  fastMatrix(m, d, H);
  LANE(factorLD)(m, H, H, H, LANES(d->qHDiagInv), 0, (int)m->nv);
}

const mjtNum* LANE(implicitAcc)(const mjModel* m, mjData* d, int skipfactor) {
  mjtNum* qacc = mji_stackNum(d, m->nv);
  V* x = LANES(qacc);
  for (int i = 0; i < m->nv; i++) {
    x[i] = CLANES(d->qfrc_smooth)[i] + CLANES(d->qfrc_constraint)[i];
  }

  if (m->opt.integrator == mjINT_IMPLICIT) {
    if (!skipfactor) factorFull(m, d);
    LANE(solveLU)(m, CLANES(d->qLU), x);
  } else {
    if (!skipfactor) factorFast(m, d);
    LANE(solveLD)(m, CLANES(d->qH), CLANES(d->qHDiagInv), x, 1, 0, (int)m->nv);
  }
  return qacc;
}

// res -= h * qDeriv * x
static void subDeriv(const mjModel* m, const mjData* d, V* res, const V* x) {
  N h = OPT(timestep)[0];
  for (int i = 0; i < m->nv; i++) {
    V sum = v_zero();
    int adr = m->D_rowadr[i];
    for (int k = adr; k < adr + m->D_rownnz[i]; k++) {
      sum = sum + CLANES(d->qDeriv)[k] * x[m->D_colind[k]];
    }
    res[i] = res[i] - h * sum;
  }
}

void LANE(mulImplicit)(const mjModel* m, mjData* d, mjtNum* res, const mjtNum* qacc) {
  if (m->opt.integrator == mjINT_IMPLICITFAST) {
    mj_markStack(d);
    mjtNum* H = mji_stackNum(d, m->nC);
    fastMatrix(m, d, LANES(H));
    LANE(mulTree)(m, CLANES(H), LANES(res), CLANES(qacc));
    mj_freeStack(d);
    return;
  }

  LANE(mulM)(m, d, res, qacc);
  if (m->opt.integrator == mjINT_IMPLICIT) {
    LANE(smoothVel)(m, d, 1);
    subDeriv(m, d, LANES(res), CLANES(qacc));
  } else if (!(m->opt.disableflags & mjDSBL_EULERDAMP)) {
    // as in the reference, also if dampers are disabled
    for (int i = 0; i < m->nv; i++) {
      LANES(res)[i] = LANES(res)[i] + OPT(timestep)[0] * NUM(dof_damping)[i] * CLANES(qacc)[i];
    }
  }
}
