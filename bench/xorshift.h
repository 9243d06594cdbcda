// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Numbers that look random and are the same in each run, so that all libraries see the same ones.
#ifndef BENCH_XORSHIFT_H_
#define BENCH_XORSHIFT_H_

// uniform in [-1, 1], by xorshift
static double noise(void) {
  static unsigned long long seed = 88172645463325252ULL;
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

#endif  // BENCH_XORSHIFT_H_
