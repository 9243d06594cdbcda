// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Pieces of the dual problem: minimize 1/2 f' AR f + f' b over forces f in their cones, with AR = J inv(M) J' + R and
// b = J a0 - aref. One state at a time.
#ifndef SHEAF_SOLVE_DUAL_H_
#define SHEAF_SOLVE_DUAL_H_

#include <mujoco/mujoco.h>

// Minimize 1/2 x'Ax + x'b subject to sum (x_i/scale_i)^2 <= radius^2, for n <= 5. Nonzero if the
// bound is active.
int mji_boundedQP(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* scale, mjtNum radius, int n);

// One Gauss-Seidel move of the forces of an elliptic contact, with its block A of the dual matrix
// and its gradient. Returns the change of the cost.
mjtNum mji_coneSweep(mjtNum* force, const mjtNum* A, const mjtNum* res, const mjtNum* friction, int dim);

// The same move for the n friction forces alone, under a given normal force.
mjtNum mji_slipCone(mjtNum* force, const mjtNum* A, const mjtNum* res, const mjtNum* friction, mjtNum normal, int n);

// Constraint states for residuals jar; cone Hessians of contacts if `hessian` is set.
void mji_rowStates(const mjModel* m, mjData* d, const mjtNum* jar, int hessian);

// Write efc_state after solvers that work on forces: the state of a row says whether its force is at a bound. Counts
// the rows that are active, and the rows whose state has changed.
mjSolverStat mji_dualStates(const mjModel* m, mjData* d);

// Append the statistics of a sweep to those of earlier iterations.
void mji_dualRecord(const mjModel* m, mjData* d, mjtNum improvement);

#endif  // SHEAF_SOLVE_DUAL_H_
