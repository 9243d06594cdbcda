// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which models have derivatives without differences of whole steps.

#include <mujoco/mujoco.h>

#include "derive/derive.h"
#include "pipeline/pipeline.h"

// forces of several actuators that share one limit
static const char* tendonObstacle(const mjModel* m) {
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_actfrclimited[t]) return "a limit of the actuator forces of a tendon";
  }
  return NULL;
}

static const char* obstacle(const mjModel* m) {
  if (m->opt.enableflags & mjENBL_SLEEP) return "sleep";
  if (m->nplugin) return "plugins";
  if (m->nflex) return "flexes";
  if (mji_hasUserCode()) return "callbacks";
  return tendonObstacle(m);
}

// the noslip pass does not minimize what the solver does, so its result has other derivatives
const char* mji_stepObstacle(const mjModel* m) { return m->opt.noslip_iterations > 0 ? "noslip" : obstacle(m); }

const char* mji_inverseObstacle(const mjModel* m) {
  return m->opt.enableflags & mjENBL_INVDISCRETE ? "discrete-time inverse dynamics" : obstacle(m);
}

size_t mji_stepDerivativeSize(const mjModel* m, const mjiStepDerivative* r) {
  size_t nv = (size_t)m->nv, ndx = 2 * nv + (size_t)m->na, ns = r->sensors ? (size_t)m->nsensordata : 0;
  size_t stages = m->opt.integrator == mjINT_RK4 ? ndx + nv : 0, all = r->column ? (ndx + (size_t)m->nu) * nv : 0;
  return (size_t)r->ncol * (ndx + 2 * nv + ns + stages + (size_t)r->nout) + all;
}
