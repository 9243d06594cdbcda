// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What precedes mjModel.buffer and mjData.buffer in memory: 64 bytes that lead to the plan and the work area. Programs
// may copy the structs mjModel and mjData; the copy has the same buffer pointer, so the head is found from it, too.
#ifndef SHEAF_MODEL_HEAD_H_
#define SHEAF_MODEL_HEAD_H_

#include <stddef.h>
#include <stdint.h>

struct mjiPlan_;
struct mjiWork_;
struct mjiTwin_;

enum { MJI_ALIGN = 64 };

typedef struct mjiHead_ {
  void* block;            // the allocation
  struct mjiPlan_* plan;  // of a model
  struct mjiWork_* work;  // of a data
  struct mjiTwin_* twin;  // of a model: the model in single precision (single/single.h), or NULL
  char pad[MJI_ALIGN - 4 * sizeof(void*)];
} mjiHead;

static inline mjiHead* mji_head(const void* buffer) { return (mjiHead*)buffer - 1; }

// n rounded up to a multiple of align; SIZE_MAX, which means "too much", stays SIZE_MAX
static inline size_t mji_alignUp(size_t n, size_t align) {
  if (n > SIZE_MAX - align) return SIZE_MAX;
  size_t up = n + align - 1;
  return up - (align & (align - 1) ? up % align : up & (align - 1));  // without a division for powers of two
}

// total plus the bytes of an array of nr x nc elements; SIZE_MAX if that is too much or a size is negative
static inline size_t mji_addArray(size_t total, int nr, int nc, size_t size) {
  size_t n;
  int bad = nr < 0 || nc < 0 || __builtin_mul_overflow((size_t)nr * (size_t)nc, size, &n) ||
            __builtin_add_overflow(total, n, &total);
  return bad ? SIZE_MAX : total;
}

// Numbers per element of an array of type t* in data for nlane states: only mjtNum arrays are
// widened.
#define MJI_WIDTH(t, nlane) ((size_t) _Generic((t*)0, mjtNum * : (nlane), default : 1))

// Bytes of such an array of n elements, up to the start of the next.
#define MJI_ARRAY_BYTES(t, n, nlane) mji_alignUp((size_t)(n) * sizeof(t) * MJI_WIDTH(t, nlane), MJI_ALIGN)

#endif  // SHEAF_MODEL_HEAD_H_
