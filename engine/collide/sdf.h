// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Signed distances of geoms: negative inside. A field belongs to one geom; points are in its frame.
#ifndef SHEAF_COLLIDE_SDF_H_
#define SHEAF_COLLIDE_SDF_H_

#include <mujoco/mujoco.h>

#include "collide/pair.h"

typedef struct mjiField_ {
  const mjModel* m;
  const mjData* d;
  int type;                 // mjtGeom
  const mjpPlugin* plugin;  // computes it if it is not NULL
  int instance;             // of the plugin
  int mesh;                 // of a mesh, or of a geom of type sdf without a plugin
  const mjtNum* size;       // of other types
} mjiField;

void mji_field_init(mjiField* f, const mjiShape* shape);
mjtNum mji_field_distance(const mjiField* f, const mjtNum x[3]);

// Gradient of the distance; zero where it has no direction, as on the axis of a capsule.
void mji_field_gradient(const mjiField* f, mjtNum gradient[3], const mjtNum x[3]);

// Both; returns the distance.
mjtNum mji_field_both(const mjiField* f, mjtNum gradient[3], const mjtNum x[3]);

// Distance of the octree of a mesh; gradient and distance. (sdf_octree.c)
mjtNum mji_octree_distance(const mjModel* m, int mesh, const mjtNum x[3]);
mjtNum mji_octree_gradient(const mjModel* m, int mesh, mjtNum gradient[3], const mjtNum x[3]);

// Two fields and how they are combined: x is in the frame of the first, `pos` and `mat` turn it into that of the
// second.
typedef struct mjiFields_ {
  mjiField field[2];
  mjtSDFType type;
  const mjtNum *pos, *mat;
} mjiFields;

mjtNum mji_fields_distance(const mjiFields* s, const mjtNum x[3]);

// The gradient; returns the distance.
mjtNum mji_fields_gradient(const mjiFields* s, mjtNum gradient[3], const mjtNum x[3]);

#endif  // SHEAF_COLLIDE_SDF_H_
