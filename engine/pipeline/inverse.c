// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The stages of inverse dynamics that differ from those of forward dynamics: the forces that go with given
// accelerations.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "base/assert.h"
#include "constraint/blocks_ok.h"
#include "dynamics/rne.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_length.h"
#include "integrate/integrate.h"
#include "model/timer.h"
#include "model/work.h"
#include "pipeline/pipeline.h"

// Is damping implicit in an Euler step? As in the reference, the flag that disables dampers is not asked.
static int isDamped(const mjModel* m) {
  int damped = 0;
  if (m->opt.disableflags & mjDSBL_EULERDAMP) return 0;
  for (int i = 0; i < m->nv; i++) damped |= m->dof_damping[i] > 0;
  return damped;
}

void LANE(invAcceleration)(const mjModel* m, mjData* d, int want) {
  (void)want;
  if (!mjENABLED(mjENBL_INVDISCRETE)) return;
  if (m->opt.integrator == mjINT_RK4) {
    mju_error("mj_inverse: discrete-time inverse dynamics does not support RK4");
  }
  if (m->opt.integrator == mjINT_EULER && !isDamped(m)) return;
  mj_markStack(d);
  mjtNum* force = mji_stackNum(d, m->nv);
  LANE(mulImplicit)(m, d, force, d->qacc);
  LANE(solveM)(m, d, force, force, 1);
  M moves = OWN_NUMBERS && m->opt.integrator == mjINT_EULER ? dampedLanes(m, d) : m_full();
  for (int i = 0; i < m->nv; i++) LANES(d->qacc)[i] = v_sel(moves, CLANES(force)[i], CLANES(d->qacc)[i]);
  mj_freeStack(d);
}

// force = inertia * acceleration + bias - passive - constraint; the bias is that of the velocity
// stage
static void inverseForce(const mjModel* m, mjData* d) {
  V* force = LANES(d->qfrc_inverse);
  LANE(inertialForce)(m, d, d->qfrc_inverse);
  if (m->ntendon) LANE(tendonInertialForce)(m, d, d->qfrc_inverse);
  for (int i = 0; i < m->nv; i++) {
    force[i] = force[i] + NUM(dof_armature)[i] * CLANES(d->qacc)[i] + CLANES(d->qfrc_bias)[i] -
               CLANES(d->qfrc_passive)[i] - CLANES(d->qfrc_constraint)[i];
  }
}

void LANE(invForces)(const mjModel* m, mjData* d, int want) {
  MJ_ASSERT(LANE(blocksOk)(m, d));
  mji_timer_stage(m, d, mjTIMER_CONSTRAINT, LANE(invConstraint), want);
  inverseForce(m, d);
}
