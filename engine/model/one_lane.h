// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One lane of lane data as the mjData of one state, for what has no kernel over lanes and is computed by a function
// that takes mjData: rays of requests, distances of geoms, contact sensors, rates of the moment arms of tendons,
// outputs of requests. Lane sources include lanes/lanes.h first; others call it by mjiKernels.
#ifndef SHEAF_MODEL_ONE_LANE_H_
#define SHEAF_MODEL_ONE_LANE_H_

#include <mujoco/mujoco.h>

// What is copied of the lane. All other numbers are NaN, so that a function that reads more than it asked for is
// noticed.
enum {
  MJI_ONE_FLEX = 8,      // vertices of flexes, and the boxes around their elements
  MJI_ONE_POSITION = 1,  // qpos, frames of bodies, geoms and sites, centers of mass, motion axes
  MJI_ONE_VELOCITY = 2,  // qvel, velocities of bodies, change of the axes
  MJI_ONE_CONTACT = 4,   // contacts in the order of one state, forces of constraint rows
};

#ifdef SHEAF_LANES_LANES_H_
// With one lane, returns d itself. Otherwise returns data that d owns, valid until the next call; the caller copies
// results that it wants to keep back to the lane.
mjData* LANE(oneLane)(const mjModel* m, mjData* d, int lane, int what);
#endif

#endif  // SHEAF_MODEL_ONE_LANE_H_
