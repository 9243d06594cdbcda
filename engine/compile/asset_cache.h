// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Meshes of files that were compiled before, for the whole process (mj_getCache).
#ifndef SHEAF_COMPILE_ASSET_CACHE_H_
#define SHEAF_COMPILE_ASSET_CACHE_H_

#include "base/bytes.h"
#include "compile/asset.h"

// all that a compiled mesh depends on beside the bytes of its file; compared as bytes, so padding is zero
typedef struct mjiMeshKey_ {
  double scale[3], refpos[3], refquat[4];
  int format, inertia, smoothnormal, maxhullvert, hull, tree;
} mjiMeshKey;

// Fill a mesh, all but its path, as it came out for the same key and bytes. Returns 0 if it is not known.
int mji_cacheTake(mjiMesh* out, const mjiMeshKey* key, const mjiBytes* bytes);

// Remember a mesh, if there is room for it.
void mji_cachePut(const mjiMesh* mesh, const mjiMeshKey* key, const mjiBytes* bytes);

#endif  // SHEAF_COMPILE_ASSET_CACHE_H_
