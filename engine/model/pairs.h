// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Candidate geom pairs of the plan: all that pass the filters which need no positions.
#ifndef SHEAF_MODEL_PAIRS_H_
#define SHEAF_MODEL_PAIRS_H_

#include <mujoco/mujoco.h>

// A pair of geoms that may collide. The list is in the order of the contacts of a step: by bodies
// (lower id first), then predefined pairs, then other pairs by geom1 and geom2 (with the midphase
// disabled: as two nested loops over the geoms of body1 and body2 meet them).
typedef struct mjiPair_ {
  int geom1, geom2;  // lower geom type first
  int pair;          // predefined pair (m->pair_*), or -1
  int body1, body2;  // bodies in order of the list
} mjiPair;

// neighbouring pairs of the list that have the same bodies
typedef struct mjiRun_ {
  int start;  // first pair; the next run has the end
  int body1, body2;
  int predefined;  // nonzero if any of them is
} mjiRun;

typedef struct mjiPairCount_ {
  int npair, nrun;
  int weight;      // of the list: pairs of spheres, capsules and planes count one, others four
  int64_t nreach;  // sum over first bodies of the distance from the lowest second body to the highest
  int complete;    // 0: there are too many, and npair is 0
} mjiPairCount;

mjiPairCount mji_countPairs(const mjModel* m);

// Fill in what was counted, and the end of the last run as one more.
void mji_listPairs(const mjModel* m, mjiPair* pair, mjiRun* run, mjiPairCount count);

// Nonzero if geoms of the two bodies never collide unless named in a predefined pair: same rigid
// body, parent and child, or excluded.
int mji_filterBodies(const mjModel* m, int body1, int body2);

#endif  // SHEAF_MODEL_PAIRS_H_
