// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The spring-damper of a constraint row: its parameters, computed from solref and solimp once per block.
//
// Stiffness and damping do not depend on the state; the impedance is a sigmoid of the distance to
// the margin, and the only part that is evaluated over lanes (spring_lanes.h).
#ifndef SHEAF_CONSTRAINT_SPRING_H_
#define SHEAF_CONSTRAINT_SPRING_H_

#include <mujoco/mujoco.h>

typedef struct mjiSpring_ {
  mjtNum K, B;        // stiffness and damping, before the scaling by impedance
  mjtNum dmin, dmax;  // impedance at the margin, and a width away from it
  mjtNum invwidth;    // zero: the impedance is constant, equal to dmin
  mjtNum midpoint, power;
  mjtNum low, high;  // coefficients of the two power laws that meet at the midpoint
} mjiSpring;

// Read solver parameters, replacing values out of range as documented. Nonzero if solref mixes its
// two formats; then the default stands in for it.
int mji_spring_init(const mjModel* m, const mjtNum solref[mjNREF], const mjtNum solimp[mjNIMP], mjiSpring* spring);

// Set only stiffness and damping, for the impedance that the spring has already.
int mji_spring_stiffness(const mjModel* m, const mjtNum solref[mjNREF], mjiSpring* spring);

#endif  // SHEAF_CONSTRAINT_SPRING_H_
