// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which pairs of the plan's list may touch, by boxes along the axes of the world: one for each geom in each lane, and
// one for each body around its geoms in all lanes. Long lists are mostly pairs that are far apart, and a row of bodies
// is compared with another at once.
//
// As for oriented boxes there is room for the tolerances of iterative pair functions. So what is left out has no
// contact, and no result changes.
#ifndef SHEAF_COLLIDE_NEAR_H_
#define SHEAF_COLLIDE_NEAR_H_

#include <mujoco/mujoco.h>

#include "lanes/lanes.h"
#include "model/plan.h"

typedef struct {
  V center[3], half[3];
} LANE(GeomBox);

typedef struct {
  LANE(GeomBox)* geom;      // (ngeom) of those that may collide
  float *low[3], *high[3];  // (nbody) rounded outwards
  int* hit;                 // (nbody) nonzero where a body may touch the one that was asked for last
} LANE(Near);

// Is the list so long that boxes are worth the time to make them?
static inline int nearIsWorthIt(const mjModel* m, const mjiPlan* plan) {
  return plan->weight > 10 * m->ngeom && plan->nreach <= 8 * plan->nrun;
}

// Make the boxes, in scratch of d.
void LANE(nearMake)(LANE(Near)* near, const mjModel* m, mjData* d);

// Set hit for the bodies first..last.
void LANE(nearBodies)(LANE(Near)* near, int body, int first, int last);

// lanes in which the boxes of two geoms meet
static inline M nearGeoms(const LANE(Near)* near, int geom1, int geom2) {
  const LANE(GeomBox)*a = near->geom + geom1, *b = near->geom + geom2;
  M apart = m_none();
  for (int k = 0; k < 3; k++) apart = apart | v_gt(v_abs(a->center[k] - b->center[k]), a->half[k] + b->half[k]);
  return ~apart;
}

#endif  // SHEAF_COLLIDE_NEAR_H_
