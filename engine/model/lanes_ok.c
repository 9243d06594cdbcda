// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A feature that got a lane path is taken off the lists here. Pairs of geoms do not matter: a pair that has no
// lane path is evaluated lane by lane.
#include "model/lanes_ok.h"

static int actuatorOk(const mjModel* m, int i) {
  int trn = m->actuator_trntype[i], dyn = m->actuator_dyntype[i];
  int gain = m->actuator_gaintype[i], bias = m->actuator_biastype[i];
  return (trn == mjTRN_JOINT || trn == mjTRN_JOINTINPARENT) &&
         (dyn == mjDYN_NONE || dyn == mjDYN_INTEGRATOR || dyn == mjDYN_FILTER || dyn == mjDYN_FILTEREXACT) &&
         (gain == mjGAIN_FIXED || gain == mjGAIN_AFFINE) && (bias == mjBIAS_NONE || bias == mjBIAS_AFFINE);
}

// Newton only: its blocks are what the lane solver factors
static int optionsOk(const mjModel* m) {
  return m->opt.solver == mjSOL_NEWTON && !m->opt.noslip_iterations && !mjENABLED(mjENBL_SLEEP) &&
         !mjENABLED(mjENBL_FWDINV) && m->opt.density == 0 && m->opt.viscosity == 0;
}

int mji_lanesOk(const mjModel* m) {
  if (m->ntendon || m->neq || m->nflex || m->nplugin || m->nmocap || m->nsensor) return 0;
  for (int i = 0; i < m->nu; i++) {
    if (!actuatorOk(m, i)) return 0;
  }
  return optionsOk(m);
}
