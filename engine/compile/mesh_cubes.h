// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The surface of a signed distance, as a mesh.
#ifndef SHEAF_COMPILE_MESH_CUBES_H_
#define SHEAF_COMPILE_MESH_CUBES_H_

#include "compile/mesh.h"

// Distances at points of a grid, x first; the first point is at lo, neighbours are `size / (n - 1)` apart.
typedef struct mjiGrid_ {
  int n[3];
  double lo[3], size[3];
  double* value;
} mjiGrid;

// Fill an empty mesh with the surface where the distance is zero, and normals. Returns 0, or -1 without memory.
// (mesh_cubes.c)
int mji_cubes_make(mjiRawMesh* mesh, const mjiGrid* grid);

#endif  // SHEAF_COMPILE_MESH_CUBES_H_
