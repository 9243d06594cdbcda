// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Checks, for assertions, the properties of blocks that the solver relies on.
#ifndef SHEAF_CONSTRAINT_BLOCKS_OK_H_
#define SHEAF_CONSTRAINT_BLOCKS_OK_H_

#include <mujoco/mujoco.h>

#ifdef SHEAF_LANES_LANES_H_
// Nonzero if the blocks of d are as model/block.h says: rows one after the other, as many as nefc; columns ascending,
// of dofs of the model; zeros in lanes that do not have a row.
int LANE(blocksOk)(const mjModel* m, const mjData* d);
#endif

#endif  // SHEAF_CONSTRAINT_BLOCKS_OK_H_
