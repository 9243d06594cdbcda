// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Random numbers that are a function of the place where they are used, so they do not depend on threads or on the order
// of work.
//
// Bits come from Philox-4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"): a block cipher of
// ten rounds that turns a counter of four words of 32 bits into four random words, under a key of two.
//
// A word u becomes a standard normal number by the inverse of the normal distribution at p = (u + 1/2) / 2^32, in the
// rational approximation PPND7 of Wichura (1988, "Algorithm AS 241"), whose relative error is 1e-7. Where
// |p - 1/2| <= 0.425 it takes arithmetic alone, beyond that one logarithm and one root. So a few lines in any language
// make the same numbers; clients/python/README.md has them in numpy.
#ifndef SHEAF_BATCH_NOISE_H_
#define SHEAF_BATCH_NOISE_H_

#include <stdint.h>

typedef struct {
  uint32_t word[4];
} mjiBlock;

mjiBlock mji_philox(mjiBlock counter, const uint32_t key[2]);

// The standard normal number of a word.
double mji_normal(uint32_t word);

#endif  // SHEAF_BATCH_NOISE_H_
