// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Public functions that are kernels of one state.

#include <mujoco/mujoco.h>

#include "constraint/rows.h"
#include "lanes/kernels.h"

void mj_makeConstraint(const mjModel* m, mjData* d) {
  LANE1(makeConstraint)(m, d);
  mji_exportRows(m, d);
}

void mj_referenceConstraint(const mjModel* m, mjData* d) { LANE1(referenceConstraint)(m, d); }
