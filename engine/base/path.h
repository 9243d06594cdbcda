// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Paths of files, as text. A name whose scheme belongs to a resource provider ("scheme:rest") is absolute.
#ifndef SHEAF_BASE_PATH_H_
#define SHEAF_BASE_PATH_H_

#include <stddef.h>

// Join a directory and a file name; an absolute name stays alone. Returns 0 when it does not fit.
int mji_pathJoin(char* out, size_t nout, const char* dir, const char* name);

// Does a path stay as it is when it is joined to a directory?
int mji_pathIsAbsolute(const char* path);

// Directory part of a path with its slash, or an empty text.
void mji_pathDir(char* out, size_t nout, const char* path);

// Last part of a path.
const char* mji_pathBase(const char* path);

// Copy a path of a model without "." and, where possible, without "..": as text, so that folders on
// the way need not exist. Backslashes become slashes. out has room for path.
void mji_pathSimplify(char* out, const char* path);

#endif  // SHEAF_BASE_PATH_H_
