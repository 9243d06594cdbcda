// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the pipeline and derivatives call of the integrators.
#ifndef SHEAF_INTEGRATE_INTEGRATE_H_
#define SHEAF_INTEGRATE_INTEGRATE_H_

#include <mujoco/mujoco.h>

#include "lanes/lanes.h"

// Move qpos along velocity qvel for a time h.
void LANE(integratePos)(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, lane_t h);

// Next activations, by their rates.
void LANE(advanceAct)(const mjModel* m, mjData* d, const mjtNum* act_dot);

// Next velocities by qacc, positions by qvel (NULL: the new velocities), time; saves d->qacc for a warm start.
void LANE(advanceMotion)(const mjModel* m, mjData* d, const mjtNum* qacc, const mjtNum* qvel);

// The acceleration that an integrator moves velocities with: d->qacc, or numbers on the stack of d, which the caller
// gives back. With skipfactor the factor of the last call serves again: its matrix must not have changed.
const mjtNum* LANE(eulerAcc)(const mjModel* m, mjData* d, int skipfactor);
const mjtNum* LANE(implicitAcc)(const mjModel* m, mjData* d, int skipfactor);

// LU factorization of a matrix with the pattern of D (each dof with its ancestors and descendants),
// without fill, from the last row to the first; and solution of one system.
void LANE(factorLU)(const mjModel* m, V* LU);
void LANE(solveLU)(const mjModel* m, const V* LU, V* x);

// Derivative of the smooth forces qfrc_actuator + qfrc_passive - qfrc_bias by velocity into qDeriv;
// without that of qfrc_bias if flg_bias is zero.
void LANE(smoothVel)(const mjModel* m, mjData* d, int flg_bias);

// Forces in place of accelerations: res = (M - h * dForce/dVel) * qacc, as the integrator has it.
void LANE(mulImplicit)(const mjModel* m, mjData* d, mjtNum* res, const mjtNum* qacc);
#endif  // SHEAF_INTEGRATE_INTEGRATE_H_
