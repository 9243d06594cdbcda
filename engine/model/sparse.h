// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Structure of the inertia matrix and its relatives, which follows from the tree of bodies.
#ifndef SHEAF_MODEL_SPARSE_H_
#define SHEAF_MODEL_SPARSE_H_

#include <mujoco/mujoco.h>

// Sizes nM, nC, nD and nB of a model whose tree is complete. Returns 0, or -1 if they are too large.
int mji_sparse_count(const mjModel* m, mjModel* sizes);

// Arrays of a model with these sizes. Returns 0, or -1 without memory.
int mji_sparse_fill(mjModel* m);

#endif  // SHEAF_MODEL_SPARSE_H_
