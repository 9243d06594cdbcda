// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A mesh as its file or the specification gives it. Positions are doubles until the end; the model keeps floats.
#ifndef SHEAF_FORMATS_RAW_MESH_H_
#define SHEAF_FORMATS_RAW_MESH_H_

#include <stddef.h>
#include <stdint.h>

// faces that the specification gives stay as they are, those of files are kept right side out
typedef enum { MJI_MIRROR_NOTHING, MJI_MIRROR_FACES, MJI_MIRROR_ALL } mjiMirror;

typedef struct mjiRawMesh_ {
  int nvert, nnormal, ntexcoord, nface;
  double* vert;       // (nvert x 3)
  float* normal;      // (nnormal x 3)
  float* texcoord;    // (ntexcoord x 2)
  int* face;          // (nface x 3)
  int* facenormal;    // (nface x 3), or NULL
  int* facetexcoord;  // (nface x 3), or NULL
  int fixed;          // its frame is that of the geom, wherever its center of mass is
  int mirror;         // whether a negative scale turns faces, a mjiMirror
} mjiRawMesh;

// ---- mesh_obj.c, mesh_file.c: each fills an empty mesh, or returns -1 with the reason in error

int mji_mesh_readOBJ(mjiRawMesh* mesh, const char* text, size_t size, char error[500]);
int mji_mesh_readSTL(mjiRawMesh* mesh, const void* data, size_t size, char error[500]);
int mji_mesh_readMSH(mjiRawMesh* mesh, const void* data, size_t size, char error[500]);

// ---- mesh_join.c

// One vertex for all that are at the same place, in the order in which they come first. Vertices must be finite, and
// faces must name vertices that are there. Returns 0, or -1 without memory.
int mji_mesh_joinVertices(mjiRawMesh* mesh);

// Free the arrays.
void mji_mesh_freeRaw(mjiRawMesh* mesh);

// ---- mesh_ear.c

// Cut a polygon of n corners, vertices with these ids, into at most n - 2 triangles: three positions
// in id each. Counts tests against the budget. Returns their number, or -1 if the budget is spent.
int mji_mesh_cutEars(int* triangle, const float* vert, const int* id, int n, int64_t* budget);

#endif  // SHEAF_FORMATS_RAW_MESH_H_
