// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A lane group whose rows are computed one after the other for a while, because trees sleep in some of them: each lane
// is a state of its own then, and has the bits that it would have had from the start.
#ifndef SHEAF_BATCH_APART_H_
#define SHEAF_BATCH_APART_H_

#include <mujoco/mujoco.h>

#include "model/work.h"

// Where a lane of a group is at present.
typedef struct {
  mjData* d;  // NULL: the lane has ended and is nowhere
  int lane, nlane;
} mjiPlace;

static inline mjiPlace mji_placeOf(mjData* d, int lane) {
  const mjiWork* w = mji_work(d);
  return w->isapart ? (mjiPlace){w->apart[lane], 0, 1} : (mjiPlace){d, lane, w->nlane};
}

// Begin with the first n lanes apart: the data of each is reset, and has its integration state. Raises mju_error if out
// of memory, or if trees cannot sleep from the start.
void mji_startApart(const mjModel* m, mjData* d, int n);

// Take the open ones of the first n lanes apart: the data of each has its state, its results and its counters of trees.
// Raises mju_error if out of memory.
void mji_setApart(const mjModel* m, mjData* d, const int* open, int n);

// Put lanes together again if they are apart and the model allows it, all trees are awake in all that are open, and
// none will soon sleep.
void mji_tryTogether(const mjModel* m, mjData* d, const int* open, int n);

#endif  // SHEAF_BATCH_APART_H_
