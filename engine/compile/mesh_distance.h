// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Signed distance of points to a mesh.
#ifndef SHEAF_COMPILE_MESH_DISTANCE_H_
#define SHEAF_COMPILE_MESH_DISTANCE_H_

typedef struct mjiMeshDistance_ mjiMeshDistance;

// Prepare the triangles face (nface x 3) of the points vert (nvert x 3), which must stay. NULL: out of memory.
mjiMeshDistance* mji_meshDistance_new(int nvert, const double* vert, int nface, const int* face);
void mji_meshDistance_free(mjiMeshDistance* mesh);

// Distance of a point to the nearest triangle: negative inside, where faces look outwards.
double mji_meshDistance_at(const mjiMeshDistance* mesh, const double point[3]);

#endif  // SHEAF_COMPILE_MESH_DISTANCE_H_
