// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Functions of this folder that the pipeline calls, and that its files share.
#ifndef SHEAF_INTEGRATE_INTEGRATE_H_
#define SHEAF_INTEGRATE_INTEGRATE_H_

#include <mujoco/mujoco.h>

#include "lanes/lanes.h"
#include "model/number.h"

// Lanes with a joint damper. Where all lanes share the numbers of the model, callers ask the model instead.
static inline M dampedLanes(const mjModel* m, const mjData* d) {
  M damped = m_none();
  for (int i = 0; i < m->nv; i++) damped = damped | ~n_nonnegative(-NUM(dof_damping)[i]);
  return damped;
}

// Move qpos along velocity qvel for a time h.
void LANE(integratePos)(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, N h);

// Advance the activations by their rates.
void LANE(advanceAct)(const mjModel* m, mjData* d, const mjtNum* act_dot);

// Advance velocities by qacc, positions by qvel (NULL: the new velocities), and time. Saves d->qacc for the warm start.
void LANE(advanceMotion)(const mjModel* m, mjData* d, const mjtNum* qacc, const mjtNum* qvel);

// The acceleration by which an integrator advances velocities: d->qacc, or numbers on the stack of d, which the caller
// frees. With skipfactor the factor of the last call is used again: its matrix must not have changed.
const mjtNum* LANE(eulerAcc)(const mjModel* m, mjData* d, int skipfactor);
const mjtNum* LANE(implicitAcc)(const mjModel* m, mjData* d, int skipfactor);

// LU factorization of a matrix with the pattern of D (each dof with its ancestors and descendants),
// without fill, from the last row to the first; and solution of one system.
void LANE(factorLU)(const mjModel* m, V* LU);
void LANE(solveLU)(const mjModel* m, const V* LU, V* x);

// Derivative of the smooth forces qfrc_actuator + qfrc_passive - qfrc_bias by velocity into qDeriv;
// without that of qfrc_bias if flg_bias is zero.
void LANE(smoothVel)(const mjModel* m, mjData* d, int flg_bias);

// Forces from accelerations: res = (M - h * dForce/dVel) * qacc, with the matrix that the model's integrator uses.
void LANE(mulImplicit)(const mjModel* m, mjData* d, mjtNum* res, const mjtNum* qacc);
#endif  // SHEAF_INTEGRATE_INTEGRATE_H_
