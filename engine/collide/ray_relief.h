// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Height fields as rays see them: a base below z = 0, which is a box, and above it a relief with four walls.
#ifndef SHEAF_COLLIDE_RAY_RELIEF_H_
#define SHEAF_COLLIDE_RAY_RELIEF_H_

#include <mujoco/mujoco.h>

#include "collide/ray_normal.h"

enum { MJI_TILE = 16 };  // a tile is a square of so many cells, along both axes

typedef struct mjiRelief_ {
  const float* height;
  const mjtNum* size;
  int nrow, ncol;     // points
  const float* tile;  // the largest height of each tile, row by row, or NULL if nobody has looked for them
  mjtNum top;         // no height is larger
} mjiRelief;

// Relief of a height field, without tiles.
void mji_relief_init(mjiRelief* relief, const mjModel* m, int geomid);

// Tiles along a side with n points.
static inline int mji_relief_ntile(int n) { return n < 2 ? 0 : (n - 2) / MJI_TILE + 1; }

// Half sizes and center of the base.
static inline void mji_relief_base(mjtNum size[3], mjtNum center[3], const mjtNum fieldsize[4]) {
  for (int k = 0; k < 2; k++) {
    size[k] = fieldsize[k];
    center[k] = 0;
  }
  size[2] = 0.5 * fieldsize[3];
  center[2] = -0.5 * fieldsize[3];
}

// By how much a field is larger where a ray only passes by, because coordinates have rounding errors.
static inline mjtNum mji_relief_slack(const mjtNum fieldsize[4]) {
  return 1e-6 * (fieldsize[0] + fieldsize[1] + fieldsize[2]);
}

// A ray in the frame of the field against the relief and its walls. `best` is the nearest hit so far, or -1: a hit that
// is farther away may be missed. Returns the nearer of `best` and the hit. `hit` may be NULL. (ray_relief.c)
mjtNum mji_rayRelief(const mjiRelief* relief, const mjtNum p[3], const mjtNum v[3], mjtNum best, mjiRayHit* hit);

#endif  // SHEAF_COLLIDE_RAY_RELIEF_H_
