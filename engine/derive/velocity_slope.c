// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative of the residual of inverse dynamics by velocity: bias - passive - actuator forces - constraint forces.
//
// The integrators' qDeriv keeps what fits the tree of dofs. Here nothing is left out, so tendons and actuators that
// join branches have columns of their own.

#include "lanes/lanes.h"

#include <sheaf/batch.h>

#include "actuate/actuate.h"
#include "derive/bend.h"
#include "derive/actuator_limit.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "integrate/derivative.h"
#include "integrate/integrate.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"

// bias forces, and those of a medium: both act within a tree
static void addTreeForces(const mjModel* m, mjData* d, V* column) {
  zeroN(LANES(d->qDeriv), m->nD);
  LANE(derivBias)(m, d);
  int passive = !mjDISABLED(mjDSBL_SPRING) || !mjDISABLED(mjDSBL_DAMPER);
  if (passive && (m->opt.density > 0 || m->opt.viscosity > 0)) LANE(derivFluid)(m, d, 1);
  size_t nv = (size_t)m->nv;
  for (int i = 0; i < m->nv; i++) {
    for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; k++) {
      V* to = column + (size_t)m->D_colind[k] * nv + i;
      *to = *to - CLANES(d->qDeriv)[k];
    }
  }
}

static void addDampers(const mjModel* m, mjData* d, V* column) {
  size_t nv = (size_t)m->nv;
  if (mjDISABLED(mjDSBL_DAMPER)) return;
  for (size_t i = 0; i < nv; i++) column[i * nv + i] = column[i * nv + i] + NUM(dof_damping)[i];
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_damping[t]) LANE(addAlongTendon)(m, d, t, v_num(NUM(tendon_damping)[t]), column);
  }
}

// forces of actuators that follow the velocity of their transmission
static void addActuators(const mjModel* m, mjData* d, V* column) {
  if (!m->nu || mjDISABLED(mjDSBL_ACTUATION)) return;
  size_t top = mji_stackTop(d), nv = (size_t)m->nv;
  V* input = LANES(mji_stackNum(d, (size_t)m->nu));
  LANE(actuatorInputs)(m, d, input);
  for (int i = 0; i < m->nu; i++) {
    if (!LANE(actuatorDamps)(m, i) || mji_actuator_disabled(m, i)) continue;
    V slope = LANE(slopeInLimits)(m, d, i, LANE(forceByVelocity)(m, d, i, input[i]));
    int adr = d->moment_rowadr[i];
    for (int k = adr; k < adr + d->moment_rownnz[i]; k++) {
      LANE(addMoment)(m, d, i, -slope * CLANES(d->actuator_moment)[k], column + (size_t)d->moment_colind[k] * nv);
    }
  }
  mji_stackBack(d, top);
}

void LANE(residualByVelocity)(const mjModel* m, mjData* d, int actuation, const V* jar, int* fallback, V* column) {
  zeroN(column, (int)(m->nv * m->nv));
  addTreeForces(m, d, column);
  LANE(armatureByVelocity)(m, d, column);
  addDampers(m, d, column);
  if (actuation) addActuators(m, d, column);
  LANE(addBlockSlopes)(m, d, jar, 1, column);
  int nv = (int)m->nv;
  if (actuation && LANE(addForcesByCode)(m, d, nv, nv, NULL, -1, column)) {
    tellFallback(fallback, m_full(), SHEAF_FALLBACK_FORCE);
  }
  if (LANE(termsByVelocity)(m, d, column)) tellFallback(fallback, m_full(), SHEAF_FALLBACK_FORCE);
}
