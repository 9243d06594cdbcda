// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which models have derivatives without differences of whole steps.

#include <mujoco/mujoco.h>

#include "derive/derive.h"
#include "pipeline/pipeline.h"

static int anyTendon(const mjModel* m) {
  for (int t = 0; t < m->ntendon; t++) {
    // inertia that M cannot hold, and forces of several actuators that share one limit
    if (m->tendon_armature[t] || m->tendon_actfrclimited[t]) return 1;
  }
  return 0;
}

static int isCovered(const mjModel* m) {
  return !(m->opt.enableflags & mjENBL_SLEEP) && !m->nplugin && !m->nflex && !mji_hasUserCode() && !anyTendon(m);
}

// the noslip pass does not minimize what the solver does, so its result has other derivatives
int mji_stepIsCovered(const mjModel* m) { return isCovered(m) && m->opt.noslip_iterations <= 0; }

int mji_inverseIsCovered(const mjModel* m) { return isCovered(m) && !(m->opt.enableflags & mjENBL_INVDISCRETE); }

size_t mji_stepDerivativeSize(const mjModel* m, const mjiStepDerivative* r) {
  size_t nv = (size_t)m->nv, ndx = 2 * nv + (size_t)m->na, ns = r->sensors ? (size_t)m->nsensordata : 0;
  size_t stages = m->opt.integrator == mjINT_RK4 ? ndx + nv : 0, all = r->column ? (ndx + (size_t)m->nu) * nv : 0;
  return (size_t)r->ncol * (ndx + 2 * nv + ns + stages + (size_t)r->nout) + all;
}
