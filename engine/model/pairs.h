// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Candidate geom pairs of the plan: all that pass the filters which need no positions.
#ifndef SHEAF_MODEL_PAIRS_H_
#define SHEAF_MODEL_PAIRS_H_

#include <mujoco/mujoco.h>

#include "model/plan.h"

typedef struct mjiPairCount_ {
  int npair;
  int complete;  // 0: there are too many, and npair is 0
} mjiPairCount;

mjiPairCount mji_countPairs(const mjModel* m);

// Fill in what was counted.
void mji_listPairs(const mjModel* m, mjiPair* pair, mjiPairCount count);

// Nonzero if geoms of the two bodies never collide unless named in a predefined pair: same rigid
// body, parent and child, or excluded.
int mji_filterBodies(const mjModel* m, int body1, int body2);

#endif  // SHEAF_MODEL_PAIRS_H_
