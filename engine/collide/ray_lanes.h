// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rays of all lanes, from sites along their z-axes. Include lanes/lanes.h first.
#ifndef SHEAF_COLLIDE_RAY_LANES_H_
#define SHEAF_COLLIDE_RAY_LANES_H_

#include <mujoco/mujoco.h>

#include "lanes/lanes.h"

typedef struct LANE(SiteRay_) {
  int site;
  V* dist;  // to the nearest visible geom that does not belong to the body of the site, or -1
} LANE(SiteRay);

enum { MJI_BUNDLE = 64 };  // so many rays at a time, so that scratch has a bound

// The distances are those of mj_ray, to the bit, for any n up to MJI_BUNDLE.
void LANE(siteRays)(const mjModel* m, mjData* d, const LANE(SiteRay)* ray, int n);

#endif  // SHEAF_COLLIDE_RAY_LANES_H_
