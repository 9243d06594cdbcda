// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rays of one state against primitive geoms.

#include "collide/ray_shapes.h"

mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3], const mjtNum pnt[3],
                   const mjtNum vec[3], int geomtype) {
  return rayGeom(geomtype, size, pos, mat, pnt, vec);
}
