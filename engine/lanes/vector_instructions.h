// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The two vector instructions that lanes use by name, where V fills a register of the processor that the variant is
// compiled for, or two. Elsewhere V_SQRT and M_BITS are not defined.
//
//   V_SQRT(x)   square roots of the lanes of a V
//   M_BITS(m)   bit i of the result is set if lane i of an M is
//
// Where V takes two registers, V_HALF(x, i) is what one of them has, the lower lanes with i = 0; V_JOIN(low, high) is
// the V of two halves.
//
// They are built-in functions of the compiler. <immintrin.h> has them under other names, and thousands more: reading it
// took a quarter of the time of compiling a lane source. Compilers that lack the built-in functions read it all the
// same.
#ifndef SHEAF_LANES_VECTOR_INSTRUCTIONS_H_
#define SHEAF_LANES_VECTOR_INSTRUCTIONS_H_

#if defined(MJI_SINGLE) && SHEAF_LANES == 8 && defined(__AVX__)
#if __has_builtin(__builtin_ia32_sqrtps256) && __has_builtin(__builtin_ia32_movmskps256)
#define V_SQRT(x) __builtin_ia32_sqrtps256(x)
#define M_BITS(m) __builtin_ia32_movmskps256((V)(m))
#else
#include <immintrin.h>
#define V_SQRT(x) (V) _mm256_sqrt_ps((__m256)(x))
#define M_BITS(m) _mm256_movemask_ps((__m256)(m))
#endif

#elif defined(MJI_SINGLE) && SHEAF_LANES == 16 && defined(__AVX512F__)
#if __has_builtin(__builtin_ia32_sqrtps512_mask) && __has_builtin(__builtin_ia32_ptestmd512)
#define V_SQRT(x) __builtin_ia32_sqrtps512_mask((x), (x), (unsigned short)-1, 4)
#define M_BITS(m) (unsigned short)__builtin_ia32_ptestmd512((m), (m), (unsigned short)-1)
#else
#include <immintrin.h>
#define V_SQRT(x) (V) _mm512_sqrt_ps((__m512)(x))
#define M_BITS(m) _mm512_test_epi32_mask((__m512i)(m), (__m512i)(m))
#endif

#elif !defined(MJI_SINGLE) && SHEAF_LANES == 4 && defined(__AVX__)
#if __has_builtin(__builtin_ia32_sqrtpd256) && __has_builtin(__builtin_ia32_movmskpd256)
#define V_SQRT(x) __builtin_ia32_sqrtpd256(x)
#define M_BITS(m) __builtin_ia32_movmskpd256((V)(m))
#else
#include <immintrin.h>
#define V_SQRT(x) (V) _mm256_sqrt_pd((__m256d)(x))
#define M_BITS(m) _mm256_movemask_pd((__m256d)(m))
#endif

#elif !defined(MJI_SINGLE) && SHEAF_LANES == 8 && defined(__AVX512F__)
#if __has_builtin(__builtin_ia32_sqrtpd512_mask) && __has_builtin(__builtin_ia32_ptestmq512)
#define V_SQRT(x) __builtin_ia32_sqrtpd512_mask((x), (x), (unsigned char)-1, 4)
typedef long long mjiTestedLanes __attribute__((vector_size(64)));  // not int64_t, which is long
#define M_BITS(m) (unsigned char)__builtin_ia32_ptestmq512((mjiTestedLanes)(m), (mjiTestedLanes)(m), (unsigned char)-1)
#else
#include <immintrin.h>
#define V_SQRT(x) (V) _mm512_sqrt_pd((__m512d)(x))
#define M_BITS(m) _mm512_test_epi64_mask((__m512i)(m), (__m512i)(m))
#endif

#elif defined(MJI_SINGLE) && SHEAF_LANES == 16 && defined(__AVX__)
#define V_SQRT(x) V_JOIN(__builtin_ia32_sqrtps256(V_HALF(x, 0)), __builtin_ia32_sqrtps256(V_HALF(x, 1)))
#define M_BITS(m) (__builtin_ia32_movmskps256(V_HALF(m, 0)) | __builtin_ia32_movmskps256(V_HALF(m, 1)) << 8)
#define V_HALF(x, i)                                                                                                \
  __builtin_shufflevector((V)(x), (V)(x), 8 * (i), 8 * (i) + 1, 8 * (i) + 2, 8 * (i) + 3, 8 * (i) + 4, 8 * (i) + 5, \
                          8 * (i) + 6, 8 * (i) + 7)
#define V_JOIN(low, high) __builtin_shufflevector((low), (high), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

#elif !defined(MJI_SINGLE) && SHEAF_LANES == 8 && defined(__AVX__)
#define V_SQRT(x) V_JOIN(__builtin_ia32_sqrtpd256(V_HALF(x, 0)), __builtin_ia32_sqrtpd256(V_HALF(x, 1)))
#define M_BITS(m) (__builtin_ia32_movmskpd256(V_HALF(m, 0)) | __builtin_ia32_movmskpd256(V_HALF(m, 1)) << 4)
#define V_HALF(x, i) __builtin_shufflevector((V)(x), (V)(x), 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3)
#define V_JOIN(low, high) __builtin_shufflevector((low), (high), 0, 1, 2, 3, 4, 5, 6, 7)
#endif

#endif  // SHEAF_LANES_VECTOR_INSTRUCTIONS_H_
