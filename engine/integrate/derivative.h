// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Parts of the derivative of smooth forces by velocity. Each adds to d->qDeriv, which has the
// pattern of D: a dof's row holds its ancestors, itself and its descendants.
#ifndef SHEAF_INTEGRATE_DERIVATIVE_H_
#define SHEAF_INTEGRATE_DERIVATIVE_H_

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

// Add row' * factor * row where the pattern has an entry; the row's n columns are in ascending
// order.
void LANE(derivAddRow)(const mjModel* m, mjData* d, int n, const int* col, const V* row, V factor);

// Subtract the derivative of qfrc_bias.
void LANE(derivBias)(const mjModel* m, mjData* d);

// Add the derivative of qfrc_fluid, symmetrized if the integrator wants it.
void LANE(derivFluid)(const mjModel* m, mjData* d);

#endif  // SHEAF_INTEGRATE_DERIVATIVE_H_
