// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Pieces of the path of a spatial tendon, for its moment arms and their derivatives. Include lanes/lanes.h first.
#ifndef SHEAF_DYNAMICS_TENDON_PIECE_H_
#define SHEAF_DYNAMICS_TENDON_PIECE_H_

#include <mujoco/mujoco.h>

// part of a path between two consecutive sites
typedef struct LANE(TendonPiece_) {
  V point[12];  // its ends, and between them the ends of the curve
  int body[4];  // to which the points are attached
  V length;
  int geom;   // the geom between the sites, or -1
  int entry;  // of the geom in the wrap list
  M wraps;    // lanes in which the path goes around it
} LANE(TendonPiece);

// The piece that starts at entry w of the wrap list, a site; the entry after it is a site or a geom.
void LANE(tendonPiece)(const mjModel* m, const mjData* d, int w, LANE(TendonPiece)* piece);

// Lay a path between two points around the object of wrap entry w in one lane. Returns the length of the curve and its
// ends, or -1 if the path is straight.
mjtNum LANE(wrapInLane)(const mjModel* m, const mjData* d, int w, int lane, const mjtNum from[3], const mjtNum to[3],
                        mjtNum touch[6]);

#endif  // SHEAF_DYNAMICS_TENDON_PIECE_H_
