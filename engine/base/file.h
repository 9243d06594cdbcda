// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Files on disk.
#ifndef SHEAF_BASE_FILE_H_
#define SHEAF_BASE_FILE_H_

#include <stddef.h>

// Content of a file, to be freed with mju_free. NULL if it cannot be read; an empty file has a
// content that is not NULL.
void* mji_readFile(const char* path, size_t* size);

#endif  // SHEAF_BASE_FILE_H_
