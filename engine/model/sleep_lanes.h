// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Trees of a lane group that come to rest. Sleeping trees are handled for one state at a time: a group runs while all
// trees of all lanes are awake, and counts for how many steps each has been slow. Before a step in which a tree may
// fall asleep the group stops, and its lanes are computed one by one from there (batch/apart.h). Include lanes/lanes.h
// first.
#ifndef SHEAF_MODEL_SLEEP_LANES_H_
#define SHEAF_MODEL_SLEEP_LANES_H_

#include <mujoco/mujoco.h>

// At the end of a step, before the state changes: count trees that are slow. Nonzero if one of them may fall asleep in
// this step; then nothing was counted, mjiWork.stopped is set, and the step has to be left with the state as it is.
int LANE(sleepStops)(const mjModel* m, mjData* d);

#endif  // SHEAF_MODEL_SLEEP_LANES_H_
