// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tendons: lengths and moment arms (mj_tendon), and what follows from them. One state at a time.
//
// Moment arms d->ten_J are rows of nv numbers if the model's Jacobians are dense, and compressed
// rows (ten_J_rownnz, ten_J_rowadr, ten_J_colind) if they are sparse. The functions here hide
// which.
#ifndef SHEAF_DYNAMICS_TENDON_H_
#define SHEAF_DYNAMICS_TENDON_H_

#include <mujoco/mujoco.h>

// Product of the moment arms of a tendon with a vector over dofs.
mjtNum mji_tendon_dot(const mjModel* m, const mjData* d, int tendon, const mjtNum* vec);

// Add the moment arms of a tendon, times a factor, to a vector over dofs.
void mji_tendon_addTo(const mjModel* m, const mjData* d, int tendon, mjtNum factor, mjtNum* res);

// Moment arms of a tendon and their dofs in ascending order; returns how many (at most nv): the
// stored row if rows are compressed, else the nonzeros.
int mji_tendon_row(const mjModel* m, const mjData* d, int tendon, int* ind, mjtNum* val);

// Velocities of all tendons into d->ten_velocity.
void mji_tendon_velocity(const mjModel* m, mjData* d);

// Force of a tendon's spring at its present length.
mjtNum mji_tendon_springForce(const mjModel* m, const mjData* d, int tendon);

// Add spring and damper forces of tendons to d->qfrc_spring and d->qfrc_damper, unless disabled.
void mji_tendon_passive(const mjModel* m, mjData* d);

// Potential energy of all tendon springs that are not asleep.
mjtNum mji_tendon_energy(const mjModel* m, const mjData* d);

// Add the inertia that tendon armature gives to joint space, armature * J' * J, to d->M. Only
// entries that exist in the sparse structure of M (between a dof and its ancestors) are added.
void mji_tendon_armature(const mjModel* m, mjData* d);

// Add armature * J' * dJ/dt * qvel, the bias force that goes with this inertia, to qfrc.
void mji_tendon_bias(const mjModel* m, mjData* d, mjtNum* qfrc);

// Time derivative of the moment arms of a tendon, nv numbers. An error for one that wraps around
// geoms.
void mji_tendon_jacDot(const mjModel* m, mjData* d, int tendon, mjtNum* rowdot);

#endif  // SHEAF_DYNAMICS_TENDON_H_
