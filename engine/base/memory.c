// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

enum { ALIGN = 64 };

void* (*mju_user_malloc)(size_t) = NULL;
void (*mju_user_free)(void*) = NULL;

static atomic_int_least64_t count;

int64_t mji_countMalloc(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

static void* allocate(size_t size) {
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  if (mju_user_malloc) return mju_user_malloc(size);

  // aligned_alloc wants a multiple of the alignment
  size_t rounded = (size + ALIGN - 1) / ALIGN * ALIGN;
  return rounded < size ? NULL : aligned_alloc(ALIGN, rounded ? rounded : ALIGN);
}

void* mju_malloc(size_t size) {
  void* p = allocate(size);
  if (!p) mju_error("could not allocate %zu bytes", size);
  return p;
}

void* mji_tryMalloc(size_t size) { return allocate(size); }

void* mji_tryCalloc(size_t size) {
  void* p = allocate(size);
  if (p) memset(p, 0, size);
  return p;
}

void mju_free(void* p) {
  if (!p) return;
  if (mju_user_free) {
    mju_user_free(p);
  } else {
    free(p);
  }
}
