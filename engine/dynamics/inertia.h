// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_DYNAMICS_INERTIA_H_
#define SHEAF_DYNAMICS_INERTIA_H_

#include <mujoco/mujoco.h>

// Write M in the layout of qM, which lists every dof with all its ancestors, itself first.
void mji_legacyM(const mjModel* m, mjData* d);

#ifdef SHEAF_LANES_LANES_H_
// res = mat * x for a symmetric matrix whose lower triangle has the pattern of M.
void LANE(mulTree)(const mjModel* m, const V* mat, V* res, const V* x);

// factorLD: factor A = L' * D * L, with the pattern of M. Off the diagonal A is `lower`, on it `diagonal`; either may
// be LD. On return the diagonal of each row of LD holds D, the rest of the row the unit triangular L. diaginv receives
// 1/D. solveLD: x <- M^-1 x for n vectors. Both compute dofs first <= i < end, which are whole trees.
void LANE(factorLD)(const mjModel* m, const V* lower, const V* diagonal, V* LD, V* diaginv, int first, int end);
void LANE(solveLD)(const mjModel* m, const V* LD, const V* diaginv, V* x, int n, int first, int end);
#endif

#endif  // SHEAF_DYNAMICS_INERTIA_H_
