// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What follows from the lengths and moment arms of tendons, which LANE(tendon) computes (tendon_row.h says how moment
// arms are stored). Vectors hold lanes.
#ifndef SHEAF_DYNAMICS_TENDON_LENGTH_H_
#define SHEAF_DYNAMICS_TENDON_LENGTH_H_

#include <mujoco/mujoco.h>

#ifdef SHEAF_LANES_LANES_H_

// Velocities of all tendons into d->ten_velocity.
void LANE(tendonVelocity)(const mjModel* m, mjData* d);

// Force of a tendon's spring at its present length.
V LANE(tendonSpringForce)(const mjModel* m, const mjData* d, int tendon);

// Add spring and damper forces of tendons to d->qfrc_spring and d->qfrc_damper, unless disabled.
void LANE(tendonPassive)(const mjModel* m, mjData* d);

// Potential energy of the springs of all tendons that take part.
V LANE(tendonEnergy)(const mjModel* m, const mjData* d);

// Add the inertia that tendon armature gives to joint space, armature * J' * J, to d->M. Only
// entries that exist in the sparse structure of M (between a dof and its ancestors) are added.
void LANE(tendonArmature)(const mjModel* m, mjData* d);

// Add this inertia times d->qacc to qfrc (nv).
void LANE(tendonInertialForce)(const mjModel* m, mjData* d, mjtNum* qfrc);

// Add armature * J' * dJ/dt * qvel, the bias force that goes with this inertia, to qfrc (nv).
void LANE(tendonBias)(const mjModel* m, mjData* d, mjtNum* qfrc);

// dJ/dt * qvel: the second derivative of a tendon's length while joints do not accelerate. An error for one that wraps
// around geoms. (tendon_dot.c)
V LANE(tendonLengthBias)(const mjModel* m, const mjData* d, int tendon);

#endif  // SHEAF_LANES_LANES_H_

#endif  // SHEAF_DYNAMICS_TENDON_LENGTH_H_
