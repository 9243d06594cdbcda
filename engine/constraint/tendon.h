// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tendon Jacobians of one state as lists of columns.
#ifndef SHEAF_CONSTRAINT_TENDON_H_
#define SHEAF_CONSTRAINT_TENDON_H_

#include <mujoco/mujoco.h>

// Jacobian of tendon t1 minus slope times that of t2 (if not -1): its columns and values. Number of
// columns. A dense Jacobian has columns for nonzeros only, a sparse one for its whole pattern.
int mji_tendon_difference(const mjModel* m, const mjData* d, int t1, int t2, mjtNum slope, int* col,
                          mjtNum* J);

#endif  // SHEAF_CONSTRAINT_TENDON_H_
