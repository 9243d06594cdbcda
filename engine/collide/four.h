// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Four numbers side by side, whatever the number of lanes: faces of one polytope are computed four at a time.
#ifndef SHEAF_COLLIDE_FOUR_H_
#define SHEAF_COLLIDE_FOUR_H_

#include "lanes/lanes.h"

enum { FOUR = 4 };
typedef mjtNum Four __attribute__((vector_size(FOUR * sizeof(mjtNum)), may_alias));
typedef __typeof__((Four){0} == (Four){0}) FourMask;

static inline Four fourOf(mjtNum x) { return (Four){x, x, x, x}; }
static inline Four dotFour(const Four a[3], const Four b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

#if defined(__AVX2__) && !defined(MJI_SINGLE)
#define FOUR_AVX2
#include <immintrin.h>

static inline unsigned bitsOfFour(FourMask m) { return (unsigned)_mm256_movemask_pd((__m256d)m); }
static inline Four fourAt(const mjtNum* x) { return (Four)_mm256_loadu_pd(x); }

// rows and columns change places
static inline void transposeFour(Four x[4]) {
  __m256d a = (__m256d)x[0], b = (__m256d)x[1], c = (__m256d)x[2], d = (__m256d)x[3];
  __m256d even = _mm256_unpacklo_pd(a, b), odd = _mm256_unpackhi_pd(a, b);
  __m256d even2 = _mm256_unpacklo_pd(c, d), odd2 = _mm256_unpackhi_pd(c, d);
  x[0] = (Four)_mm256_permute2f128_pd(even, even2, 0x20);
  x[1] = (Four)_mm256_permute2f128_pd(odd, odd2, 0x20);
  x[2] = (Four)_mm256_permute2f128_pd(even, even2, 0x31);
  x[3] = (Four)_mm256_permute2f128_pd(odd, odd2, 0x31);
}

// from four numbers of each of a, b, c and d: x[k] gets number k
static inline void takeFour(Four x[4], const mjtNum* a, const mjtNum* b, const mjtNum* c, const mjtNum* d) {
  x[0] = fourAt(a), x[1] = fourAt(b), x[2] = fourAt(c), x[3] = fourAt(d);
  transposeFour(x);
}
#else
static inline unsigned bitsOfFour(FourMask m) {
  unsigned bits = 0;
  for (int i = 0; i < FOUR; i++) bits |= (unsigned)(m[i] != 0) << i;
  return bits;
}

static inline void takeFour(Four x[4], const mjtNum* a, const mjtNum* b, const mjtNum* c, const mjtNum* d) {
  for (int k = 0; k < FOUR; k++) x[k] = (Four){a[k], b[k], c[k], d[k]};
}
#endif

#endif  // SHEAF_COLLIDE_FOUR_H_
