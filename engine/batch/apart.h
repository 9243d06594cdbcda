// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A lane group whose rows are computed one after the other for a while, because trees sleep in some of them. Each lane
// is then a state of its own, and gets the same bits as if it had been computed alone from the start.
#ifndef SHEAF_BATCH_APART_H_
#define SHEAF_BATCH_APART_H_

#include <mujoco/mujoco.h>

#include "model/work.h"

// Where the state of a lane is: in the data of the group, or in its own.
typedef struct {
  mjData* d;  // NULL: the row had ended when lanes were taken apart, so it has no data
  int lane, nlane;
} mjiPlace;

static inline mjiPlace mji_placeOf(mjData* d, int lane) {
  const mjiWork* w = mji_work(d);
  return w->isapart ? (mjiPlace){w->apart[lane], 0, 1} : (mjiPlace){d, lane, w->nlane};
}

// Begin with the first n lanes apart: the data of each is reset, and has its integration state. Raises mju_error if out
// of memory, or if trees cannot sleep from the start.
void mji_startApart(const mjModel* m, mjData* d, int n);

// Give each open lane among the first n data of its own, with its state, its results and the counters of its trees.
// Raises mju_error if out of memory.
void mji_setApart(const mjModel* m, mjData* d, const int* open, int n);

// Put lanes together again if they are apart and the model allows it, all trees are awake in all that are open, and
// none will soon sleep.
void mji_tryTogether(const mjModel* m, mjData* d, const int* open, int n);

#endif  // SHEAF_BATCH_APART_H_
