// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A mesh on its way into the model: raw data as read, which the steps of mji_mesh_compile change in
// place.
#ifndef SHEAF_COMPILE_MESH_H_
#define SHEAF_COMPILE_MESH_H_

#include <stddef.h>
#include <stdint.h>

#include "compile/asset.h"
#include "formats/raw_mesh.h"

// ---- mesh.c

// mji_mesh_compile from a raw mesh on; frees it.
int mji_mesh_finish(mjiMesh* out, mjiRawMesh* raw, const mjsMesh* mesh, int needhull, int needtree,
                    mjiAssetSource* source);

// ---- mesh_hull.c

// Convex hull of the vertices as a graph (see mesh_graph in mjmodel.h); at most maxvert of them
// unless that is negative. Returns its size, or -1.
int mji_hull_make(int** graph, const mjiRawMesh* mesh, int maxvert, char error[500]);

// Faces of a hull.
int mji_hull_faceNum(const int* graph);
const int* mji_hull_faces(const int* graph);

// ---- mesh_polygon.c

// Polygons: coplanar triangles merged, of the hull or else of the mesh; fills the poly arrays of
// out.
int mji_mesh_makePolygons(mjiMesh* out, const mjiRawMesh* mesh, int nface, const int* face);

// Their normals, once the vertices have their final place.
void mji_mesh_polygonNormals(mjiMesh* out, const mjiRawMesh* mesh);

// ---- mesh_field.c

// Fill an empty mesh with the surface of the signed distances of its plugin; 0, or -1 with an error of the compiler.
struct mjiCompile_;
struct mjiElem_;
int mji_mesh_askPlugin(struct mjiCompile_* c, const struct mjiElem_* e, mjiRawMesh* mesh);

// ---- mesh_octree.c

// Octree of distances to a mesh in its final frame; fills noct and the oct arrays of out. Returns 0, or -1 without
// memory.
int mji_mesh_makeOctree(mjiMesh* out, const mjiRawMesh* mesh);

// ---- mesh_inertia.c

// Normals at vertices: averages of the faces around, without those that are bent away by more than
// a sharp edge unless smooth.
int mji_mesh_makeNormals(mjiRawMesh* mesh, int smooth);

// Volume or area, center and inertia (xx yy zz xy xz yz) about it, of these faces of a mesh, whose
// vertices are moved so that the center is the origin.
int mji_mesh_inertia(mjiRawMesh* mesh, int nface, const int* face, mjtMeshInertia type, double* amount,
                     double center[3], double inertia[6], char error[500]);

// Area of the surface.
double mji_mesh_area(const mjiRawMesh* mesh);

// Is each edge of a face with area passed once in each direction at most? If not, the ends of one
// that is not.
int mji_mesh_isOriented(const mjiRawMesh* mesh, int edge[2]);

#endif  // SHEAF_COMPILE_MESH_H_
