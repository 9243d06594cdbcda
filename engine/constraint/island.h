// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Islands: sets of kinematic trees that constraints connect.
#ifndef SHEAF_CONSTRAINT_ISLAND_H_
#define SHEAF_CONSTRAINT_ISLAND_H_

#include <mujoco/mujoco.h>

#include "model/block.h"

// List the trees that a block acts on, ascending and each once. Returns how many there are; tree has room for all.
// geom is the pair of a contact, NULL for other blocks.
int mji_island_trees(const mjModel* m, const mjiBlock* b, const int* geom, int* tree);

// The geom pair of a contact block, of one state; NULL for other blocks.
const int* mji_island_geoms(const mjData* d, const mjiBlock* b);

// Find the trees of each island: tree_island, map_itree2tree, island_ntree, island_itreeadr. Sleeping needs no more.
void mji_island_find(const mjModel* m, mjData* d);

// ---- for island_export.c

// Does the same, and writes the first tree of each block, or -1, to `first`; returns zero if the arena is full. If
// every block acts on the model's only tree, sets `one` and does not write `first`.
int mji_island_ofTrees(const mjModel* m, mjData* d, int* first, int* one);

// Order n elements by their island; elements without an island (-1) come last. Writes for each island the number of its
// elements and the place of the first, the place of each element (NULL: not wanted), and the element at each place.
// Returns the number of elements in islands.
int mji_island_group(const int* island, int n, int nisland, int* count, int* adr, int* map, int* inverse);

// The arena is too small: warn, and go on without islands.
void mji_island_giveUp(mjData* d);

// Forget the islands of the last position.
void mji_island_clear(mjData* d);

// ---- for the solver

// Copy what the solver found into the arrays of islands (iacc, iefc_force, ...), for users of
// mjData.
void mji_island_gather(const mjModel* m, mjData* d);

#endif  // SHEAF_CONSTRAINT_ISLAND_H_
