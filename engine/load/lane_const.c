// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The view of a lane is a model with arrays of its own wherever mj_setConst writes. So mj_setConst computes the
// constants of the lane, and what it wrote is copied to where kernels read it. That happens once per rollout, which is
// little beside the steps, and needs no second computation of constants.

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
