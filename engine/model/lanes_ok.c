// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A feature that got a lane path is taken off the lists here. Pairs of geoms do not matter: a pair that has no
// lane path is evaluated lane by lane.
#include "model/lanes_ok.h"

#include "tables/sensor_table.h"

static int actuatorOk(const mjModel* m, int i) {
  int trn = m->actuator_trntype[i];
  return trn != mjTRN_TENDON && trn != mjTRN_BODY && m->actuator_dyntype[i] != mjDYN_USER &&
         m->actuator_gaintype[i] != mjGAIN_USER && m->actuator_biastype[i] != mjBIAS_USER;
}

// the table of sensors says which have an evaluator over lanes
static int sensorOk(int type) {
  enum { LANES = 1, ONE = 0 };
#define S(name, word, dim, datatype, where, eval) [mjSENS_##name] = where,
  static const unsigned char ok[mjSENS_USER + 1] = {MJI_POS_SENSORS(S) MJI_VEL_SENSORS(S) MJI_ACC_SENSORS(S)};
#undef S
  return type >= 0 && type <= mjSENS_USER && ok[type];
}

// Newton only: its blocks are what the lane solver factors
static int optionsOk(const mjModel* m) {
  return m->opt.solver == mjSOL_NEWTON && !m->opt.noslip_iterations && !mjENABLED(mjENBL_SLEEP) &&
         !mjENABLED(mjENBL_FWDINV) && m->opt.density == 0 && m->opt.viscosity == 0;
}

int mji_lanesOk(const mjModel* m) {
  if (m->ntendon || m->neq || m->nflex || m->nplugin || m->nmocap) return 0;
  for (int i = 0; i < m->nu; i++) {
    if (!actuatorOk(m, i)) return 0;
  }
  for (int i = 0; i < m->nsensor; i++) {
    if (!sensorOk(m->sensor_type[i])) return 0;
  }
  return optionsOk(m);
}
