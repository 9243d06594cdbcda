// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Data in which perturbed copies of one state are evaluated: the lanes of a group, or, if the state cannot be computed
// over lanes, the user's own data, one copy after the other. After each evaluation mji_restoreGroup sets the nominal
// inputs again; the results of stages that were skipped stay.
#ifndef SHEAF_PIPELINE_FD_GROUP_H_
#define SHEAF_PIPELINE_FD_GROUP_H_

#include <mujoco/mujoco.h>

#include "lanes/kernels.h"

typedef struct mjiGroup_ {
  const mjModel* m;
  mjData* d;  // lane data, or the user's data with one lane
  const mjiKernels* kernels;
  int nlane;
  int want;       // what evaluations compute: sensors if asked for; in the user's data also what users read
  mjtNum* saved;  // nominal inputs, on the stack of d
  int* asleep;    // which trees sleep there, or NULL if none may
} mjiGroup;

// Open a group on the state of d for ncolumn evaluations; one at a time if `lanes` is zero.
void mji_openGroup(mjiGroup* g, const mjModel* m, mjData* d, int ncolumn, int lanes, int sensors);

// Set the nominal inputs again.
void mji_restoreGroup(mjiGroup* g);

// Leave the group with the nominal inputs set.
void mji_closeGroup(mjiGroup* g);

// Numbers of one lane.
void mji_takeLane(const mjiGroup* g, mjtNum* dst, const mjtNum* src, int n, int lane);

// Move qpos of a lane by eps along dof i.
void mji_nudgePos(mjiGroup* g, int lane, int i, mjtNum eps);

#endif  // SHEAF_PIPELINE_FD_GROUP_H_
