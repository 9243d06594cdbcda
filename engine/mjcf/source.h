// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Where the bytes of a model come from: the virtual file system first, then the disk.
#ifndef SHEAF_MJCF_SOURCE_H_
#define SHEAF_MJCF_SOURCE_H_

#include <stddef.h>
#include <mujoco/mujoco.h>

typedef struct mjiBytes_ {
  const void* data;
  size_t size;
  void* owned;  // to be freed, or NULL when the virtual file system owns the data
} mjiBytes;

// Join a directory and a file name; an absolute name stays alone. Returns 0 when it does not fit.
int mji_pathJoin(char* out, size_t nout, const char* dir, const char* name);

// Directory part of a path with its slash, or an empty text.
void mji_pathDir(char* out, size_t nout, const char* path);

// Last part of a path.
const char* mji_pathBase(const char* path);

// Copy a path of a model without "." and, where possible, without "..": as text, so that folders on
// the way need not exist. Backslashes become slashes. out has room for path.
void mji_pathSimplify(char* out, const char* path);

// Does a content type name this one? Letters may be capitals, and parameters may follow ("image/png; charset=utf-8").
int mji_contentIs(const char* content_type, const char* type);

// Is there a file of that name, relative to a directory?
int mji_fileExists(const mjVFS* vfs, const char* dir, const char* name);

// Path of a file that a document names: relative to the folder in dir, or else, if it is there, to the folder in which
// an included document lies. document: path of the included one from dir, NULL if it is the main document.
// out has room for size bytes; 0 if that is too little.
int mji_pathResolve(char* out, size_t size, const mjVFS* vfs, const char* dir, const char* folder, const char* document,
                    const char* file);

// Read a file named relative to a directory; returns 1, or 0 with the reason in errno.
int mji_bytesRead(mjiBytes* out, const mjVFS* vfs, const char* dir, const char* name);

// Free what mji_bytesRead allocated.
void mji_bytesFree(mjiBytes* bytes);

#endif  // SHEAF_MJCF_SOURCE_H_
