// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Actuation of one state: the public functions.

#include "actuate/actuate.h"

#include "lanes/kernels.h"
#include "model/work.h"

void mj_transmission(const mjModel* m, mjData* d) { LANE1(transmission)(m, d); }

void mj_fwdActuation(const mjModel* m, mjData* d) { LANE1(fwdActuation)(m, d); }

int mji_actuator_disabled(const mjModel* m, int actuator) {
  int group = m->actuator_group[actuator];
  return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group));
}
