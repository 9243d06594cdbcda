// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Parts of the integrators that the pipeline and derivatives call.
#ifndef SHEAF_INTEGRATE_INTEGRATE_H_
#define SHEAF_INTEGRATE_INTEGRATE_H_

#include <mujoco/mujoco.h>

// Nonzero if the Euler integrator treats joint damping implicitly.
int mji_eulerImplicit(const mjModel* m);

// Nonzero if the user has set callbacks or replaced pair functions: they see one state at a time.
int mji_hasUserCode(void);

// Nonzero if a step may leave out what only users look at in all stages but the last: the
// integrator has several, and nobody can look at the others or end the step before the last.
int mji_hidesStages(const mjModel* m);

#ifdef SHEAF_LANES_LANES_H_
// Move qpos along velocity qvel for a time h.
void LANE(integratePos)(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, double h);

// Next state: activations by act_dot, velocities by qacc, positions by qvel (NULL: the new
// velocities), time; saves the acceleration for a warm start. What trees that fall asleep leave behind is computed
// as `want` says.
void LANE(advance)(const mjModel* m, mjData* d, const mjtNum* act_dot, const mjtNum* qacc, const mjtNum* qvel,
                   int want);

// Integrators that can keep the factor of their last call: its matrix must not have changed.
void LANE(EulerSkip)(const mjModel* m, mjData* d, int skipfactor, int want);
void LANE(implicitSkip)(const mjModel* m, mjData* d, int skipfactor, int want);

// LU factorization of a matrix with the pattern of D (each dof with its ancestors and descendants),
// without fill, from the last row to the first; and solution of one system.
void LANE(factorLU)(const mjModel* m, V* LU);
void LANE(solveLU)(const mjModel* m, const V* LU, V* x);

// Derivative of the smooth forces qfrc_actuator + qfrc_passive - qfrc_bias by velocity into qDeriv;
// without that of qfrc_bias if flg_bias is zero.
void LANE(smoothVel)(const mjModel* m, mjData* d, int flg_bias);

// Forces in place of accelerations: res = (M - h * dForce/dVel) * qacc, as the integrator has it.
void LANE(mulImplicit)(const mjModel* m, mjData* d, mjtNum* res, const mjtNum* qacc);
#endif

#endif  // SHEAF_INTEGRATE_INTEGRATE_H_
