// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The view of a lane is a model with arrays of its own wherever mj_setConst writes. So mj_setConst computes the
// constants of the lane, and what it wrote is copied to where kernels read it. That happens once per rollout, which is
// little beside the steps, and needs no second computation of constants.

#include "load/lane_const.h"

#include "model/geom_size.h"
#include "model/number.h"

int mji_constWrites(mjiNumber number) {
  // of these mj_setConst resolves values that were left open: the second anchor of a connect, resting lengths that are
  // those at qpos_spring, damping ratios
  if (number == mjiNUM_eq_data || number == mjiNUM_tendon_lengthspring || number == mjiNUM_actuator_biasprm) return 1;
  return mji_numberFollows(number) == mjiFOLLOWS_DERIVED && number != mjiNUM_geom_rbound;
}

void mji_setLaneConst(mjData* lanes, int lane, mjData* scratch) {
  mj_setConst(mji_work(lanes)->view + lane, scratch);
  for (int i = 0; i < mjiNNUM; i++) {
    if (!mji_constWrites((mjiNumber)i)) continue;
    mji_setNumber(lanes, (mjiNumber)i, lane, mji_ownNumber(lanes, lane, (mjiNumber)i, &(size_t){0}));
  }
}

void mji_setBounds(mjModel* m) {
  for (int g = 0; g < m->ngeom; g++) {
    int type = m->geom_type[g];
    if (mji_isPrimitive(type)) m->geom_rbound[g] = mji_primitiveRadius(type, m->geom_size + 3 * g);
  }
}

void mji_setLaneBounds(mjData* lanes, int lane) {
  mjModel* view = mji_work(lanes)->view + lane;
  mji_setBounds(view);
  mji_setNumber(lanes, mjiNUM_geom_rbound, lane, view->geom_rbound);
}
