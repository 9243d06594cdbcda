// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_DYNAMICS_RNE_H_
#define SHEAF_DYNAMICS_RNE_H_

#include <mujoco/mujoco.h>

#ifdef SHEAF_LANES_LANES_H_
// Forces of gravity and velocities of what takes part in the step, into d->qfrc_bias.
void LANE(biasForce)(const mjModel* m, mjData* d);

// Forces that give bodies the acceleration qacc, without gravity and velocities: what mj_rne adds
// if flg_acc is set.
void LANE(inertialForce)(const mjModel* m, mjData* d, mjtNum* result);

// Add to cfrc_ext of body b a wrench that acts at a point: sign * (torque, force), in the axes of
// the world.
void LANE(addWrench)(const mjModel* m, mjData* d, int b, const V* torque, const V* force, const V* point, lane_t sign);

// Point at which a connect or weld constraint holds its first or second body, in world coordinates;
// returns that body.
int LANE(equalityPoint)(const mjModel* m, const mjData* d, int eq, int second, V pos[3]);

// Add the forces of contacts, and of connect and weld constraints, to cfrc_ext.
void LANE(contactWrenches)(const mjModel* m, mjData* d);
void LANE(equalityWrenches)(const mjModel* m, mjData* d);
#endif

#endif  // SHEAF_DYNAMICS_RNE_H_
