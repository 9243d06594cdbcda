// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Eight vertices of a mesh side by side, so that they are compared at once.
#ifndef SHEAF_MODEL_HULL_BLOCK_H_
#define SHEAF_MODEL_HULL_BLOCK_H_

#include <mujoco/mujoco.h>

#if defined(__AVX2__) && !defined(MJI_SINGLE)
#include <immintrin.h>
#endif

enum { HULL_BLOCK = 8, HULL_ALIGN = 64 };  // a cache line

// In the layout of a graph (hull_graph.h): a node, and seven neighbours; if it has fewer, the node is repeated. A node
// is known by the index of its first block.
typedef struct mjiHullBlock_ {
  float x[HULL_BLOCK], y[HULL_BLOCK], z[HULL_BLOCK];
  int first[HULL_BLOCK];  // blocks of these nodes; HULL_MORE is added to that of the node itself. Or numbers of
                          // vertices
} mjiHullBlock;

enum { HULL_NONE = 1 << HULL_BLOCK };  // a bit behind those of a block

#if defined(__AVX2__) && !defined(MJI_SINGLE)
static inline __m256d mji_hull_alongFour(const mjiHullBlock* b, int k, const mjtNum dir[3]) {
  __m256d x = _mm256_mul_pd(_mm256_set1_pd(dir[0]), _mm256_cvtps_pd(_mm_loadu_ps(b->x + k)));
  __m256d y = _mm256_mul_pd(_mm256_set1_pd(dir[1]), _mm256_cvtps_pd(_mm_loadu_ps(b->y + k)));
  __m256d z = _mm256_mul_pd(_mm256_set1_pd(dir[2]), _mm256_cvtps_pd(_mm_loadu_ps(b->z + k)));
  return _mm256_add_pd(_mm256_add_pd(x, y), z);
}
#endif

// The farthest in a block, the first of them if several tie, unless it is not farther than *most: then -1. And the same
// without a condition: the first for a direction that is not finite.
#if defined(__AVX512F__) && !defined(MJI_SINGLE)
static inline __m512d mji_hull_along(const mjiHullBlock* b, const mjtNum dir[3]) {
  __m512d x = _mm512_mul_pd(_mm512_set1_pd(dir[0]), _mm512_cvtps_pd(_mm256_load_ps(b->x)));
  __m512d y = _mm512_mul_pd(_mm512_set1_pd(dir[1]), _mm512_cvtps_pd(_mm256_load_ps(b->y)));
  __m512d z = _mm512_mul_pd(_mm512_set1_pd(dir[2]), _mm512_cvtps_pd(_mm256_load_ps(b->z)));
  return _mm512_add_pd(_mm512_add_pd(x, y), z);
}

static inline int mji_hull_farther(const mjiHullBlock* b, const mjtNum dir[3], mjtNum* most) {
  __m512d along = mji_hull_along(b, dir);
  double top = _mm512_reduce_max_pd(along);
  if (!(top > *most)) return -1;
  *most = top;
  return __builtin_ctz((unsigned)_mm512_cmp_pd_mask(along, _mm512_set1_pd(top), _CMP_EQ_OQ));
}

static inline int mji_hull_farthestOf(const mjiHullBlock* b, const mjtNum dir[3]) {
  __m512d along = mji_hull_along(b, dir);
  __mmask8 equal = _mm512_cmp_pd_mask(along, _mm512_set1_pd(_mm512_reduce_max_pd(along)), _CMP_EQ_OQ);
  return __builtin_ctz((unsigned)equal | HULL_NONE) % HULL_BLOCK;
}
#elif defined(__AVX2__) && !defined(MJI_SINGLE)
static inline __m128d mji_hull_mostOfEight(__m256d low, __m256d high) {
  __m256d four = _mm256_max_pd(low, high);
  __m128d two = _mm_max_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  return _mm_max_sd(two, _mm_unpackhi_pd(two, two));
}

static inline int mji_hull_equal(__m256d low, __m256d high, __m128d one) {
  __m256d top = _mm256_broadcastsd_pd(one);
  int equal = _mm256_movemask_pd(_mm256_cmp_pd(low, top, _CMP_EQ_OQ));
  return equal | _mm256_movemask_pd(_mm256_cmp_pd(high, top, _CMP_EQ_OQ)) << 4;
}

static inline int mji_hull_farther(const mjiHullBlock* b, const mjtNum dir[3], mjtNum* most) {
  __m256d low = mji_hull_alongFour(b, 0, dir), high = mji_hull_alongFour(b, 4, dir);
  __m128d one = mji_hull_mostOfEight(low, high);
  if (!(_mm_cvtsd_f64(one) > *most)) return -1;
  *most = _mm_cvtsd_f64(one);
  return __builtin_ctz((unsigned)mji_hull_equal(low, high, one));
}

static inline int mji_hull_farthestOf(const mjiHullBlock* b, const mjtNum dir[3]) {
  __m256d low = mji_hull_alongFour(b, 0, dir), high = mji_hull_alongFour(b, 4, dir);
  unsigned equal = (unsigned)mji_hull_equal(low, high, mji_hull_mostOfEight(low, high));
  return __builtin_ctz(equal | HULL_NONE) % HULL_BLOCK;
}
#else
static inline int mji_hull_farther(const mjiHullBlock* b, const mjtNum dir[3], mjtNum* most) {
  int best = -1;
  for (int k = 0; k < HULL_BLOCK; k++) {
    mjtNum along = dir[0] * (mjtNum)b->x[k] + dir[1] * (mjtNum)b->y[k] + dir[2] * (mjtNum)b->z[k];
    if (!(along > *most)) continue;
    *most = along;
    best = k;
  }
  return best;
}

static inline int mji_hull_farthestOf(const mjiHullBlock* b, const mjtNum dir[3]) {
  mjtNum most = -mjMAXVAL;
  int best = mji_hull_farther(b, dir, &most);
  return best < 0 ? 0 : best;
}
#endif

// After the last step: code without AVX waits for the upper halves of registers that are in use. gcc 12 does not see
// that they are, and an arm whose shapes went through libccd was half as fast.
static inline void mji_hull_end(void) {
#if defined(__AVX2__) && !defined(MJI_SINGLE)
  _mm256_zeroupper();
#endif
}

#endif  // SHEAF_MODEL_HULL_BLOCK_H_
