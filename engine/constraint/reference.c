// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Velocities of constraint rows, and the accelerations that their springs and dampers ask for:
// aref = -B*vel - K*I*(pos-margin).

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block_lanes.h"
#include "constraint/block_ops.h"
#include "lanes/kernels.h"

// bias of row i of a block
static inline V biasOf(const mjiBlock* b, int i) {
  if (!b->bias) return v_zero();
  const V* bias = CLANES(b->bias);
  switch (b->type) {
    case mjCNSTR_EQUALITY: return bias[i];
    case mjCNSTR_CONTACT_ELLIPTIC: return i ? v_zero() : bias[0];
    default: return bias[0];
  }
}

void LANE(referenceConstraint)(const mjModel* m, mjData* d) {
  const mjiWork* w = mji_work(d);
  V *vel = LANES(d->efc_vel), *aref = LANES(d->efc_aref);
  LANE(blockMulJ)(m, d, vel, CLANES(d->qvel));
  for (int i = 0; i < w->nblock; i++) {
    const mjiBlock* b = w->block + i;
    M on = b->on ? *(const M*)b->on : m_full();
    for (int k = 0; k < b->nrow; k++) {
      int r = b->efcadr + k;
      N damping = dampingOf(b, k);
      aref[r] = v_and(on, -damping * vel[r] - biasOf(b, k));
    }
  }
}
