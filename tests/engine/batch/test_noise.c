// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/noise.c.

#include <math.h>

#include "batch/noise.h"
#include "support/test.h"

static void known(mjiBlock counter, uint32_t k0, uint32_t k1, mjiBlock want) {
  mjiBlock got = mji_philox(counter, (uint32_t[]){k0, k1});
  for (int i = 0; i < 4; i++) CHECK_EQ(got.word[i], want.word[i]);
}

TEST(philox_gives_the_known_answers_of_its_authors) {
  // kat_vectors of Random123
  known((mjiBlock){{0, 0, 0, 0}}, 0, 0, (mjiBlock){{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
  known((mjiBlock){{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u, (mjiBlock){{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
  known((mjiBlock){{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0,
        (mjiBlock){{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

TEST(normal_numbers_invert_the_normal_distribution) {
  for (uint64_t u = 0; u < UINT64_C(1) << 32; u += 999983) {
    mjtNum p = ((mjtNum)u + 0.5) * 0x1p-32, x = mji_normal((uint32_t)u);
    // an error of 1e-7 of x moves the distribution by the density times that
    mjtNum density = exp(-x * x / 2) / sqrt(2 * mjPI);
    CHECK(fabs(0.5 * erfc(-x / sqrt(2)) - p) <= 2e-7 * fabs(x) * density + 1e-16);
  }
  CHECK(mji_normal(0) == -mji_normal(~0u));
  CHECK(mji_normal(0) < -6.2 && mji_normal(0) > -6.4);
}

TEST(normal_numbers_have_mean_zero_and_variance_one) {
  enum { N = 400000 };
  mjtNum moment[5] = {0};
  for (uint32_t i = 0; i < N / 4; i++) {
    mjiBlock b = mji_philox((mjiBlock){{i, 0, 0, 0}}, (uint32_t[]){7, 0});
    for (int k = 0; k < 4; k++) {
      mjtNum x = mji_normal(b.word[k]);
      for (int j = 1; j < 5; j++) moment[j] += pow(x, j) / N;
    }
  }
  // four standard errors of each
  CHECK(fabs(moment[1]) < 4 / sqrt(N));
  CHECK(fabs(moment[2] - 1) < 4 * sqrt(2. / N));
  CHECK(fabs(moment[3]) < 4 * sqrt(15. / N));
  CHECK(fabs(moment[4] - 3) < 4 * sqrt(96. / N));
}
