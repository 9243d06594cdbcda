// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What a lane group that gives way needs to go on later, on any worker, with the same bits.
#ifndef SHEAF_BATCH_KEPT_H_
#define SHEAF_BATCH_KEPT_H_

#include <mujoco/mujoco.h>

#include "pool/queue.h"

struct mjiWorker_;

typedef struct {
  int step;     // the next
  int open[8];  // rows that have not ended

  // A step starts from the integration state of each lane, and computes the rest. Where that is not so (trees that
  // sleep, plugins and callbacks, outputs that some steps leave alone) the group keeps its data, and the worker makes
  // itself another.
  mjData* d;
  size_t bytes;
  mjtNum state[];  // (nlane) rows of mjSTATE_INTEGRATION, then marks of bad lanes
} mjiKept;

// Keep a group. NULL without memory: it has to go on.
mjiKept* mji_keep(struct mjiWorker_* w, sheafJob* job, mjData* d, int whole);

// The group's data as it was, in a worker's hands; frees what was kept. Raises mju_error if out of memory; then
// nothing was freed.
mjData* mji_unkeep(struct mjiWorker_* w, sheafJob* job, int item, mjiKept* kept);

void mji_forget(sheafJob* job, void* kept);

#endif  // SHEAF_BATCH_KEPT_H_
