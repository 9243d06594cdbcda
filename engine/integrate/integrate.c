// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Public names of the integrators, for one state.

#include "integrate/integrate.h"

#include "lanes/kernels.h"
#include "model/timer.h"

void mj_Euler(const mjModel* m, mjData* d) { mji_timer_stage(m, d, mjTIMER_ADVANCE, LANE1(Euler), MJI_WANT_ALL); }

void mj_implicit(const mjModel* m, mjData* d) {
  if (m->opt.integrator != mjINT_IMPLICIT && m->opt.integrator != mjINT_IMPLICITFAST) {
    mju_error("mj_implicit: the model's integrator is neither implicit nor implicitfast");
  }
  mji_timer_stage(m, d, mjTIMER_ADVANCE, LANE1(implicit), MJI_WANT_ALL);
}

void mj_RungeKutta(const mjModel* m, mjData* d, int N) {
  LANE1(RungeKutta)(m, d, N, mji_hidesStages(m) ? 0 : MJI_WANT_ALL, MJI_WANT_ALL);
}

int mji_eulerImplicit(const mjModel* m) {
  if (m->opt.disableflags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER)) return 0;
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_damping[i] > 0) return 1;
  }
  return 0;
}
