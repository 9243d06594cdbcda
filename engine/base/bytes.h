// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The content of a file, wherever it lies: in memory (mjVFS), with a resource provider, on disk.
#ifndef SHEAF_BASE_BYTES_H_
#define SHEAF_BASE_BYTES_H_

#include <stddef.h>

#include <mujoco/mujoco.h>

typedef struct mjiBytes_ {
  const void* data;  // NULL if there is none; never NULL for an empty file
  size_t size;
  void* owned;           // to be freed; NULL if others own the data
  mjResource* resource;  // a provider opened it and owns the data until it is closed; or NULL
  const char* why;       // after a failure: the reason
} mjiBytes;

// Read a file by its whole path; at most so many bytes from disk. Returns 1, or 0 with the reason in out->why; then
// there is nothing to free.
int mji_bytesOpen(mjiBytes* out, const mjVFS* vfs, const char* path, size_t most);

// The same, but what a provider opened is not read yet: data stays NULL.
int mji_bytesOpenUnread(mjiBytes* out, const mjVFS* vfs, const char* path);

// Is there such a file?
int mji_bytesExist(const mjVFS* vfs, const char* path);

// Directory of a file that was read, with its slash. A provider says it itself; without getdir it has none.
void mji_bytesDir(char* out, size_t nout, const mjiBytes* bytes, const char* path);

// Free what mji_bytesOpen allocated, and close what it opened.
void mji_bytesFree(mjiBytes* bytes);

#endif  // SHEAF_BASE_BYTES_H_
