// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Names like a name that does not exist, for error messages.
#ifndef SHEAF_BATCH_NEAREST_H_
#define SHEAF_BATCH_NEAREST_H_

#include <stddef.h>

// Name i of a list, NULL behind its end; names that are NULL or empty before that are passed over.
typedef const char* (*mjiNameOf)(const void* user, int i);

// Write "a, b, c, ...": of n names as many as fit, those first that differ least from the word.
void mji_nearest(char* out, size_t size, const char* word, mjiNameOf name, const void* user, int n);

#endif  // SHEAF_BATCH_NEAREST_H_
