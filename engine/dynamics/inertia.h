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

// Factorization M = L' * D * L that leaves the pattern of M as it is: L is unit triangular and in
// the place of the off-diagonal of each row, D in its diagonal. LD holds M on entry. Then x <- M^-1
// x for n vectors. Dofs first <= i < end, whole trees, are computed.
void LANE(factorLD)(const mjModel* m, V* LD, V* diaginv, int first, int end);
void LANE(solveLD)(const mjModel* m, const V* LD, const V* diaginv, V* x, int n, int first, int end);
#endif

#endif  // SHEAF_DYNAMICS_INERTIA_H_
