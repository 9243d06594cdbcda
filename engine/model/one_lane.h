// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One lane of lane data as the mjData of one state, for what has no kernel over lanes and is computed by a function
// that takes mjData: rays, distances of geoms, contact sensors, tendons that turn. Include
// lanes/lanes.h first.
#ifndef SHEAF_MODEL_ONE_LANE_H_
#define SHEAF_MODEL_ONE_LANE_H_

#include <mujoco/mujoco.h>

// What of the lane is copied. All other numbers are NaN, so that a function that reads more than it asked for cannot
// go unnoticed.
enum {
  MJI_ONE_POSITION = 1,  // qpos, frames of bodies, geoms and sites, centers of mass, motion axes
  MJI_ONE_VELOCITY = 2,  // qvel, velocities of bodies, change of the axes
  MJI_ONE_CONTACT = 4,   // contacts in the order of one state, forces of constraint rows
};

// With one lane d itself. Else data that d owns, valid until the next call; results that are to stay go back to their
// lane by hand.
mjData* LANE(oneLane)(const mjModel* m, mjData* d, int lane, int what);

#endif  // SHEAF_MODEL_ONE_LANE_H_
