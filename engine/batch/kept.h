// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What is kept of a lane group that gives way, so that any worker can go on with it later and get the same bits.
#ifndef SHEAF_BATCH_KEPT_H_
#define SHEAF_BATCH_KEPT_H_

#include <mujoco/mujoco.h>

#include "lanes/lane_types.h"
#include "pool/queue.h"

struct mjiWorker_;

typedef struct {
  int step;                 // the next step
  int open[MJI_MAX_LANES];  // rows that have not ended

  // For most models the integration state of each lane is enough, because a step computes everything else from it.
  // Otherwise (trees that sleep, callbacks, outputs that some steps leave alone) the group keeps its data, and the
  // worker allocates new data when it needs some.
  mjData* d;
  size_t bytes;
  mjtNum state[];  // (nlane) rows of mjSTATE_INTEGRATION, then marks of bad lanes
} mjiKept;

// Keep a group; `whole` says that it needs its data. NULL if out of memory: then the group does not give way.
mjiKept* mji_keep(struct mjiWorker_* w, sheafJob* job, mjData* d, int whole);

// Data of a worker in which the group can go on; frees what was kept. Raises mju_error if out of memory, and then frees
// nothing.
mjData* mji_unkeep(struct mjiWorker_* w, sheafJob* job, int item, mjiKept* kept);

void mji_forget(sheafJob* job, void* kept);

#endif  // SHEAF_BATCH_KEPT_H_
