// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Choice of a variant by the CPU that runs this process.
#include "lanes/kernels.h"

#include <stdatomic.h>
#include <unistd.h>

#include "lanes/lane_types.h"

extern const mjiKernels mji_kernels_b1;

#if SHEAF_X86
extern const mjiKernels mji_kernels_v4;
extern const mjiKernels mji_kernels_v4n;

// Tests build libraries that take this machine for one that has less (tests/e2e/CMakeLists.txt).
#ifndef SHEAF_X86_LEVEL
#define SHEAF_X86_LEVEL 4
#endif

// x86-64-v3, as far as the compiler may use it
static int hasV3(void) {
  return SHEAF_X86_LEVEL >= 3 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

#ifdef SHEAF_FEW_VARIANTS
static const mjiKernels* choose(int nlane) {
  if (nlane == 1) return &mji_kernels_b1;
  return nlane == MJI_MAX_LANES / 2 && hasV3() ? &mji_kernels_v4 : NULL;
}

const mjiKernels* mji_kernelsOwn(int nlane) { return nlane == MJI_MAX_LANES / 2 && hasV3() ? &mji_kernels_v4n : NULL; }
#else
extern const mjiKernels mji_kernels_v1;
extern const mjiKernels mji_kernels_w8;
extern const mjiKernels mji_kernels_w8n;

// where the compiler can put eight lanes into two registers (engine/CMakeLists.txt)
#if SHEAF_V8
extern const mjiKernels mji_kernels_v8;
extern const mjiKernels mji_kernels_v8n;
#define V8 (&mji_kernels_v8)
#define V8N (&mji_kernels_v8n)
#else
#define V8 NULL
#define V8N NULL
#endif

static int hasV4(void) {
  return SHEAF_X86_LEVEL >= 4 && hasV3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

static const mjiKernels* choose(int nlane) {
  switch (nlane) {
    case 1: return hasV3() ? &mji_kernels_v1 : &mji_kernels_b1;
    case MJI_MAX_LANES / 2: return hasV3() ? &mji_kernels_v4 : NULL;
    case MJI_MAX_LANES: return hasV4() ? &mji_kernels_w8 : hasV3() ? V8 : NULL;
    default: return NULL;
  }
}

const mjiKernels* mji_kernelsOwn(int nlane) {
  switch (nlane) {
    case MJI_MAX_LANES / 2: return hasV3() ? &mji_kernels_v4n : NULL;
    case MJI_MAX_LANES: return hasV4() ? &mji_kernels_w8n : hasV3() ? V8N : NULL;
    default: return NULL;
  }
}
#endif
#elif SHEAF_ARM64
// every aarch64 has NEON: 128 bits, so that four lanes are two registers
extern const mjiKernels mji_kernels_v4;
extern const mjiKernels mji_kernels_v4n;

static const mjiKernels* choose(int nlane) {
  switch (nlane) {
    case 1: return &mji_kernels_b1;
    case MJI_MAX_LANES / 2: return &mji_kernels_v4;
    default: return NULL;
  }
}

const mjiKernels* mji_kernelsOwn(int nlane) { return nlane == MJI_MAX_LANES / 2 ? &mji_kernels_v4n : NULL; }
#else
static const mjiKernels* choose(int nlane) { return nlane == 1 ? &mji_kernels_b1 : NULL; }

const mjiKernels* mji_kernelsOwn(int nlane) { return NULL; }
#endif

const mjiKernels* mji_kernels1(void) {
  static _Atomic(const mjiKernels*) chosen;
  const mjiKernels* kernels = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (!kernels) {
    kernels = choose(1);
    atomic_store_explicit(&chosen, kernels, memory_order_relaxed);
  }
  return kernels;
}

const mjiKernels* mji_kernels(int nlane) { return nlane == 1 ? mji_kernels1() : choose(nlane); }

// bytes of second-level cache of one core
static size_t cacheSize(void) {
  long size = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return size > 0 ? (size_t)size : (size_t)1 << 20;
}

int mji_bestLanes(size_t bytes) {
  // Stages go through the data of a group from end to end, and vectors of lanes hide what does not fit the cache: 22
  // humanoids in one scene, 20 times the cache in eight lanes, are 3 times faster than in one lane (DECISIONS.md 4).
  // Nothing larger was measured.
  size_t room = 32 * cacheSize();
  for (int nlane = MJI_MAX_LANES; nlane > MJI_MAX_LANES / 4; nlane /= 2) {
    if (mji_kernels(nlane) && nlane * bytes <= room) return nlane;
  }
  return 1;
}
