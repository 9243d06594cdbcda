// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constants at qpos0: what mj_setConst calls, for a model (setconst.c) and for lanes with own numbers (lane_const.c).
#ifndef SHEAF_LOAD_SETCONST_H_
#define SHEAF_LOAD_SETCONST_H_

#include <mujoco/mujoco.h>

// mj_setConst with data that are reset before.
void mji_const_set(mjModel* m, mjData* d);

// Nonzero if the resting length of a tendon was not given.
static inline int mji_const_noSpring(const mjModel* m, int tendon) {
  return m->tendon_lengthspring[2 * tendon] == -1 && m->tendon_lengthspring[2 * tendon + 1] == -1;
}

// How much what is named responds to a force: numbers of lanes, two for each body.
typedef struct mjiInverseWeights_ {
  mjtNum *body, *dof, *tendon, *actuator;
} mjiInverseWeights;

// Room for them on the stack of d.
mjiInverseWeights mji_const_weights(const mjModel* m, mjData* d);

// What needs no pose: whether bodies are compensated, masses of subtrees, inertia of simple dofs.
void mji_const_masses(mjModel* m);

// The diagonal of the mass matrix in a lane of d, before the armature of tendons is added.
void mji_const_M0(mjModel* m, const mjData* d, int nlane, int lane);

// Take inverse weights from a lane, and damping ratios of actuators that follow from its moment arms.
void mji_const_takeWeights(mjModel* m, mjData* d, const mjiInverseWeights* w, int nlane, int lane);

// What follows from poses, lengths and inertia in d, which is data of one state, but for sizes and statistics.
void mji_const_poses(mjModel* m, mjData* d);

// Raises an error if a tree that is told to sleep is kept awake.
void mji_const_checkSleep(const mjModel* m);

// From positions and inertia in d: lengths of dofs and means of sizes and inertia; these and all other statistics.
// statistics.c
void mji_const_sizes(mjModel* m, mjData* d);
void mji_const_statistics(mjModel* m, mjData* d);

// Lengths and inverse weights of flex edges, after those of bodies. flex_const.c
void mji_const_flexes(mjModel* m, mjData* d);

#endif  // SHEAF_LOAD_SETCONST_H_
