// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rows of a contact whose sides are several bodies with weights. The point of a side moves with each of its bodies, in
// proportion to the weight. contact_rows.c has a shorter way for sides of one body. Include lanes/lanes.h first.
#ifndef SHEAF_CONSTRAINT_SIDE_ROWS_H_
#define SHEAF_CONSTRAINT_SIDE_ROWS_H_

#include <mujoco/mujoco.h>

#include "model/side_lanes.h"

// Columns of the rows, ascending: dofs that move some of the bodies. Dofs that move all of them do not move the sides
// against each other and are left out. col has room for the chains of all bodies; returns the number.
int LANE(sideColumns)(const mjModel* m, const LANE(Side) side[2], int* col);

// Base rows J (dim x ncol): velocity of the second side at a point, less that of the first, along the axes of a frame,
// then rotation about them. Weighted sums over the bodies.
void LANE(sideRows)(const mjModel* m, const mjData* d, const V pos[3], const V frame[9], int dim,
                    const LANE(Side) side[2], const int* col, int ncol, V* J);

#endif  // SHEAF_CONSTRAINT_SIDE_ROWS_H_
