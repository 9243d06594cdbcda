// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What precedes mjModel.buffer and mjData.buffer in memory: 64 bytes that struct copies made by
// users keep leading to, because they copy the pointer.
#ifndef SHEAF_MODEL_HEAD_H_
#define SHEAF_MODEL_HEAD_H_

#include <mujoco/mujoco.h>

#include "model/work.h"

enum { MJI_ALIGN = 64 };

typedef struct mjiHead_ {
  void* block;       // the allocation
  mjiPlan* plan;     // of a model
  mjiWork* work;     // of a data
  char pad[MJI_ALIGN - 3 * sizeof(void*)];
} mjiHead;

static inline mjiHead* mji_head(const void* buffer) {
  return (mjiHead*)buffer - 1;
}

static inline size_t mji_alignUp(size_t n, size_t align) {
  return (n + align - 1) / align * align;
}

// Numbers per element of an array of type t* in data for nlane states: only mjtNum arrays are
// widened.
#define MJI_WIDTH(t, nlane) ((size_t)_Generic((t*)0, mjtNum*: (nlane), default: 1))

// Bytes of such an array of n elements, up to the start of the next.
#define MJI_ARRAY_BYTES(t, n, nlane) \
  mji_alignUp((size_t)(n) * sizeof(t) * MJI_WIDTH(t, nlane), MJI_ALIGN)

#endif  // SHEAF_MODEL_HEAD_H_
