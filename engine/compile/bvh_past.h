// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What fused bodies leave in bounding volumes.
#ifndef SHEAF_COMPILE_BVH_PAST_H_
#define SHEAF_COMPILE_BVH_PAST_H_

#include "compile/bvh_split.h"
#include "compile/compile.h"

// The first geoms of a body that are leaves, in an inertial frame of it. (bvh.c)
void mji_bvh_placeLeaves(mjiLeaf* leaf, int num, const mjiElem* body, const double ipos[3],
                         const double iquat[4]);

// Call before a body is fused into its parent.
void mji_bvh_rememberFusion(mjiElem* parent, const mjiElem* child);

// Rows that fusions into this body left behind.
int mji_bvh_rowsLeft(const mjiElem* body);

// Give inner nodes (-1) of the tree of a body, which has so many leaves, what they held before.
void mji_bvh_fillPast(const mjiElem* body, int nleaf, int* nodeid);

#endif  // SHEAF_COMPILE_BVH_PAST_H_
