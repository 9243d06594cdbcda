// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Meshes of one file are made once.
#ifndef SHEAF_COMPILE_MESH_SHARE_H_
#define SHEAF_COMPILE_MESH_SHARE_H_

#include "compile/compile.h"

// the first mesh of each file, found by full path
typedef struct mjiSharedMeshes_ {
  struct {
    char* path;
    const mjiElem* mesh;
  } * slot;
  int size;
} mjiSharedMeshes;

void mji_share_init(mjiSharedMeshes* shared, int nmesh);
void mji_share_free(mjiSharedMeshes* shared);

// The first mesh of the same file: the mesh itself if it is the first, or has no file.
const mjiElem* mji_share_first(mjiSharedMeshes* shared, const mjiElem* mesh, const mjiAssetSource* source);

// Would a mesh come out as its first mesh did? needhull: it must have a hull; needtree: an octree.
int mji_share_serves(const mjiElem* first, const mjiElem* mesh, int needhull, int needtree);

// Copy a compiled mesh, with its hull and octree if these are needed, without its path. Returns 0, or -1.
int mji_share_copy(mjiMesh* out, const mjiMesh* from, int needhull, int needtree);

#endif  // SHEAF_COMPILE_MESH_SHARE_H_
