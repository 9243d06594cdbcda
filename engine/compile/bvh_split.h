// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0
#ifndef SHEAF_COMPILE_BVH_SPLIT_H_
#define SHEAF_COMPILE_BVH_SPLIT_H_

// what a tree of bounding boxes has at its ends: a geom or a face
typedef struct mjiLeaf_ {
  int id;
  double place[3];  // where it is for the division, in the frame of the tree; may be no number
  double box[6];    // lower and upper corner, in the frame of the tree
} mjiLeaf;

// Bring the lower half of n leaves along an axis to the front.
void mji_bvh_split(mjiLeaf* leaf, int n, int axis);

// Box around leaves, and their division at the median along its longest side.
void mji_bvh_box(const mjiLeaf* leaf, int n, double box[6]);
void mji_bvh_divide(mjiLeaf* leaf, int n, const double box[6]);

#endif  // SHEAF_COMPILE_BVH_SPLIT_H_
