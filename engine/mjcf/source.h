// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The files that a document names: where they are, and their content.
#ifndef SHEAF_MJCF_SOURCE_H_
#define SHEAF_MJCF_SOURCE_H_

#include <stddef.h>
#include <mujoco/mujoco.h>

#include "base/bytes.h"
#include "base/path.h"

// Does a content type name this one? Letters may be capitals, and parameters may follow ("image/png; charset=utf-8").
int mji_contentIs(const char* content_type, const char* type);

// Is there a file of that name, relative to a directory?
int mji_fileExists(const mjVFS* vfs, const char* dir, const char* name);

// Path of a file that a document names: relative to the folder in dir, or else, if it is there, to the folder in which
// an included document lies. beside: that folder, from dir; NULL if it is the main document that names the file.
// out has room for size bytes; 0 if that is too little.
int mji_pathResolve(char* out, size_t size, const mjVFS* vfs, const char* dir, const char* folder, const char* beside,
                    const char* file);

// Path of the file of an asset, from the folder of the model: below the folder for assets of its kind, or of the name
// only the last part. out has room for size bytes; 0 if that is too little.
int mji_pathAsset(char* out, size_t size, const char* folder, int strippath, const char* name);

// Read a file named relative to a directory; returns 1, or 0 with the reason in out->why. See mji_bytesOpen.
int mji_bytesRead(mjiBytes* out, const mjVFS* vfs, const char* dir, const char* name);

#endif  // SHEAF_MJCF_SOURCE_H_
