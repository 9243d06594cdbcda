// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Heap memory: every allocation of the engine goes through mju_malloc.
#ifndef SHEAF_BASE_MEMORY_H_
#define SHEAF_BASE_MEMORY_H_

#include <stddef.h>
#include <stdint.h>

// Memory, NULL if there is none. (mju_malloc raises an error then, which callers that can report do
// not want.)
void* mji_tryMalloc(size_t size);

// The same, zeroed.
void* mji_tryCalloc(size_t size);

// Allocations by these and mju_malloc so far, in the whole process; tests use it to see that a step
// makes none.
int64_t mji_countMalloc(void);

#endif  // SHEAF_BASE_MEMORY_H_
