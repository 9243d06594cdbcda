// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Heap memory: every allocation of the engine goes through mju_malloc.
#ifndef SHEAF_BASE_MEMORY_H_
#define SHEAF_BASE_MEMORY_H_

#include <stddef.h>
#include <stdint.h>

// Memory, or NULL if there is none. For callers that report the failure themselves: mju_malloc raises an error.
void* mji_tryMalloc(size_t size);

// The same, filled with zeros.
void* mji_tryCalloc(size_t size);

// The number of allocations by these functions and mju_malloc so far, in the whole process. A test compares it
// before and after a step, which must not allocate.
int64_t mji_countMalloc(void);

#endif  // SHEAF_BASE_MEMORY_H_
