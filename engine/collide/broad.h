// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Candidate body pairs where the plan has no valid list of geom pairs: large models, changed
// filters, a filter callback.
#ifndef SHEAF_COLLIDE_BROAD_H_
#define SHEAF_COLLIDE_BROAD_H_

#include <stdint.h>

#include <mujoco/mujoco.h>

#include "lanes/lanes.h"

// A body pair as one number that sorts like the contacts: lower body in the high half.
static inline uint32_t mji_broad_signature(int body1, int body2) {
  return body1 < body2 ? ((uint32_t)body1 << 16) + (uint32_t)body2 : ((uint32_t)body2 << 16) + (uint32_t)body1;
}

// Signatures of the bodies that pass the body filters and whose boxes overlap in any lane,
// ascending, in scratch of d.
uint32_t* LANE(broadPairs)(const mjModel* m, mjData* d, int* npair);

#endif  // SHEAF_COLLIDE_BROAD_H_
