// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Islands: sets of kinematic trees that constraints connect.
#ifndef SHEAF_CONSTRAINT_ISLAND_H_
#define SHEAF_CONSTRAINT_ISLAND_H_

#include <mujoco/mujoco.h>

#include "constraint/block.h"

// Trees that a block acts on, ascending, without repetition. Their number; tree has room for all.
// geom is the pair of a contact, NULL for other blocks.
int mji_island_trees(const mjModel* m, const mjiBlock* b, const int* geom, int* tree);

// That pair, of one state.
const int* mji_island_geoms(const mjData* d, const mjiBlock* b);

// Copy what the solver found into the arrays of islands (iacc, iefc_force, ...), for users of
// mjData.
void mji_island_gather(const mjModel* m, mjData* d);

#endif  // SHEAF_CONSTRAINT_ISLAND_H_
