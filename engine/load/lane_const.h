// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constants of one lane that owns its numbers of the model (model/number.h).
#ifndef SHEAF_LOAD_LANE_CONST_H_
#define SHEAF_LOAD_LANE_CONST_H_

#include <mujoco/mujoco.h>

#include "model/number.h"

// Compute again what follows from the numbers of n lanes, as mj_setConst does for a model: for all of them together
// where the model has kernels for that. The state of the lanes is lost, and that of `one`, data of one state of the
// model.
void mji_setLaneConst(const mjModel* m, mjData* lanes, const int* lane, int n, mjData* one);

// Does that write the number?
int mji_constWrites(mjiNumber number);

// Compute again the bounding radii of geoms whose shape is their size, of a model or of a lane.
void mji_setBounds(mjModel* m);
void mji_setLaneBounds(mjData* lanes, int lane);

#endif  // SHEAF_LOAD_LANE_CONST_H_
