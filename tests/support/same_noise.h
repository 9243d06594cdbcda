// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Numbers that tests begin with. A file that wants others than these defines NOISE_SEED first, or sets `seed`.
#ifndef SHEAF_TESTS_SUPPORT_SAME_NOISE_H_
#define SHEAF_TESTS_SUPPORT_SAME_NOISE_H_

#include <stdlib.h>

#include <mujoco/mjtnum.h>

#ifndef NOISE_SEED
#define NOISE_SEED 5
#endif

static unsigned long long seed = NOISE_SEED;

// The next of a sequence of numbers in [-1, 1), the same in each run.
static inline mjtNum noise(void) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (mjtNum)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// Zeros, to be freed.
static inline mjtNum* numbers(size_t n) { return calloc(n ? n : 1, sizeof(mjtNum)); }

#endif  // SHEAF_TESTS_SUPPORT_SAME_NOISE_H_
