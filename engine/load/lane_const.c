// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A lane's view is a model with arrays of its own wherever mj_setConst writes, so the public function serves the lane;
// what it wrote then goes to the copies that kernels read. Once per rollout this is small beside the steps, and there
// is one computation of constants and not two.

#include "load/lane_const.h"

#include "model/number.h"

void mji_setLaneConst(const mjModel* m, mjData* lanes, int lane, mjData* scratch) {
  mjModel* view = mji_work(lanes)->view + lane;
  mj_setConst(view, scratch);
  for (int i = 0; i < mjiNNUM; i++) {
    size_t n;
    const mjtNum* value = mji_baseNumber(view, (mjiNumber)i, &n);
    mji_setNumber(m, lanes, (mjiNumber)i, lane, value);
  }
}
