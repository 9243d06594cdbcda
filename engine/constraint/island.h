// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Islands: sets of kinematic trees that constraints connect. One state at a time.
#ifndef SHEAF_CONSTRAINT_ISLAND_H_
#define SHEAF_CONSTRAINT_ISLAND_H_

#include <mujoco/mujoco.h>

#include "constraint/block.h"

// Trees that a block acts on, ascending, without repetition. Their number; tree has room for all.
int mji_island_trees(const mjModel* m, const mjData* d, const mjiBlock* b, int* tree);

// Copy what the solver found into the arrays of islands (iacc, iefc_force, ...), for users of
// mjData.
void mji_island_gather(const mjModel* m, mjData* d);

#endif  // SHEAF_CONSTRAINT_ISLAND_H_
