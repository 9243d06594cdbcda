// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Outputs of batch requests by name: every mjData array of numbers with a fixed size, a few
// scalars, and the dense inertia matrix.
#ifndef SHEAF_BATCH_OUTPUT_H_
#define SHEAF_BATCH_OUTPUT_H_

#include <mujoco/mujoco.h>

// what an output needs beyond the stages that are always computed
enum {
  MJI_NEED_SENSOR = 1,   // sensors
  MJI_NEED_ENERGY = 2,   // mjENBL_ENERGY
  MJI_NEED_RNEPOST = 4,  // mj_rnePostConstraint
  MJI_NEED_SUBTREE = 8,  // mj_subtreeVel
  MJI_NEED_SCALAR = 16,  // no stage over lanes makes it: one state at a time
};

// Index of a named output, -1 if there is none.
int mji_outputFind(const char* name);

// Size in numbers per state; shape (may be NULL) receives two dimensions.
int mji_outputShape(const mjModel* m, int output, int shape[2]);

// MJI_NEED_* of an output; MJI_NEED_SCALAR unless a stage over lanes is known to make it.
int mji_outputNeeds(int output);

// Copy an output of one lane.
void mji_outputCopy(const mjModel* m, const mjData* d, int output, int lane, mjtNum* dst);

#endif  // SHEAF_BATCH_OUTPUT_H_
