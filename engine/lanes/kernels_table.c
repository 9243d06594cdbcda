// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The table of kernels of one variant; see kernels.h.
#include "lanes/lanes.h"

#include "lanes/kernels.h"

#if defined(__AVX512F__)
#define ISA "x86-64-v4"
#elif defined(__AVX2__)
#define ISA "x86-64-v3"
#elif defined(__aarch64__)
#define ISA "aarch64"
#else
#define ISA "baseline"
#endif

// The engine of floats refuses derivatives before it looks here (batch/prepare.c).
#ifdef MJI_SINGLE
#define KERNELS MJI_STAGE_KERNELS MJI_OTHER_KERNELS
#else
#define KERNELS MJI_STAGE_KERNELS MJI_DERIVATIVE_KERNELS MJI_OTHER_KERNELS
#endif

const mjiKernels LANE(kernels) = {.nlane = SHEAF_LANES,
                                  .isa = ISA,
#define K(result, name, params, args) .name = LANE(name),
                                  KERNELS
#undef K
};
