// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts and constraint rows of one lane, as one state would have them: a lane group holds the union over its lanes.
#ifndef SHEAF_CONSTRAINT_LANE_ROWS_H_
#define SHEAF_CONSTRAINT_LANE_ROWS_H_

#include <mujoco/mujoco.h>

// what to write for each row
typedef enum {
  MJI_ROWS_NUMBER,  // its number in an array over rows, such as efc_pos
  MJI_ROWS_J,       // its nv entries of the Jacobian
  MJI_ROWS_TYPE,    // mjtConstraint
  MJI_ROWS_ID,      // of the equality, dof, joint, tendon, or contact of the lane
} mjiRowsWhat;

// Where rows are written to.
typedef struct mjiLaneRows_ {
  mjiRowsWhat what;
  const mjtNum* array;  // NUMBER: of the lane group
  int most;             // rows that there is room for
  mjtNum* to;           // zeros, for J
  int ncon, nefc;       // out: contacts and rows of the lane
} mjiLaneRows;

#endif  // SHEAF_CONSTRAINT_LANE_ROWS_H_
