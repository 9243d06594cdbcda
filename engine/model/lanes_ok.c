// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A feature that got a lane path is taken off the lists here. Pairs of geoms do not matter: a pair
// that has no lane path is evaluated lane by lane.
#include "model/lanes_ok.h"

#include "tables/sensor_table.h"

// callbacks and transmissions through tendons and contacts are for one state
static int actuatorOk(const mjModel* m, int i) {
  return m->actuator_trntype[i] != mjTRN_TENDON && m->actuator_trntype[i] != mjTRN_BODY &&
         m->actuator_dyntype[i] != mjDYN_USER && m->actuator_gaintype[i] != mjGAIN_USER &&
         m->actuator_biastype[i] != mjBIAS_USER && m->actuator_plugin[i] < 0;
}

static int optionsOk(const mjModel* m) {
  return !m->opt.noslip_iterations && !mjENABLED(mjENBL_SLEEP) && !mjENABLED(mjENBL_FWDINV);
}

// limits and friction loss of fixed tendons have lanes; their springs and inertia, and paths in
// space, do not
static int tendonOk(const mjModel* m, int i) {
  return m->wrap_type[m->tendon_adr[i]] == mjWRAP_JOINT && m->tendon_stiffness[i] == 0 &&
         m->tendon_damping[i] == 0 && m->tendon_armature[i] == 0;
}

int mji_dynamicsLanesOk(const mjModel* m) {
  if (m->nflex || m->nplugin || !optionsOk(m)) return 0;
  for (int i = 0; i < m->ntendon; i++) {
    if (!tendonOk(m, i)) return 0;
  }
  for (int i = 0; i < m->nu; i++) {
    if (!actuatorOk(m, i)) return 0;
  }
  return 1;
}

int mji_sensorLanesOk(const mjModel* m) {
  enum { ONE = 0, LANES = 1 };
  static const unsigned char ok[] = {
#define S(TYPE, word, dim, datatype, where, evaluator) [mjSENS_##TYPE] = where,
      MJI_POS_SENSORS(S) MJI_VEL_SENSORS(S) MJI_ACC_SENSORS(S)
#undef S
  };
  for (int i = 0; i < m->nsensor; i++) {
    int type = m->sensor_type[i];
    if (type < 0 || type >= (int)sizeof ok || !ok[type]) return 0;

    // lane groups do not keep lengths of tendons
    if (type == mjSENS_TENDONPOS || type == mjSENS_TENDONVEL) return 0;
  }
  return 1;
}

int mji_lanesOk(const mjModel* m) {
  return mji_dynamicsLanesOk(m) && mji_sensorLanesOk(m);
}
