// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Absolute paths with '/', without "." and "..". Functions write to buffers of PATH_ROOM bytes; a path that does not
// fit becomes empty, which is the name of no file.
#ifndef SHEAF_CLIENT_PATHS_H_
#define SHEAF_CLIENT_PATHS_H_

#include <stdbool.h>
#include <stddef.h>

enum { PATH_ROOM = 4096 };

// Join a folder and a name to one path; an absolute name is returned as it is. Does not resolve "." and "..".
void path_join(char out[PATH_ROOM], const char* folder, const char* name);

// The same path with "." and ".." resolved. top (may be NULL) is shortened until it holds each folder from which a ".."
// goes on: in "/a/b/../c" that is "/a".
void path_simplify(char out[PATH_ROOM], const char* path, char* top);

// The folder that a path lies in.
void path_folder(char out[PATH_ROOM], const char* path);

// Shorten top, a folder, so that it holds another; an empty one becomes the other.
void path_widen(char top[PATH_ROOM], const char* folder);

// Behind the last '/'.
const char* path_base(const char* path);

bool path_is_file(const char* path);

// The content of a file; NULL with errno if it cannot be read.
void* path_read(const char* path, size_t* size);

#endif  // SHEAF_CLIENT_PATHS_H_
