// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The Hessian with which a solve began, and its factor, for later solves at the same positions. Grids of controls and
// velocities and finite differences start all solves from one solution, where the same rows are active. M, J and D are
// functions of positions, so equal weights give the same sum to the bit, and later solves need not compute it again.
//
// A caller that repeats solves sets mjiWork.repeats. The values live in the arena with the constraint rows.
#ifndef SHEAF_SOLVE_KEPT_HESSIAN_H_
#define SHEAF_SOLVE_KEPT_HESSIAN_H_

#include <mujoco/mujoco.h>

typedef struct mjiKeptHessian_ {
  mjtNum *sum, *factor, *dinv, *weight;  // as in Primal; weight has the weights of rows, then of elliptic contacts
  mjtNum* other;                         // memory for a factor of other weights; zero outside of the pattern
  int misses;                            // consecutive solves that began with other weights
} mjiKeptHessian;

#endif  // SHEAF_SOLVE_KEPT_HESSIAN_H_
