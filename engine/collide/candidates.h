// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The list of candidates of a polytope, where several grow in turns. It is read as vectors, and what these read behind
// the list is at mjMAXVAL: the first numbers are so at the start, each addition writes BEHIND of them after its own,
// and each removal writes one. A polytope that grows alone (epa.c) reads its list number by number: a vector that is
// read right after single numbers of it were written waits until they are in the cache.
#ifndef SHEAF_COLLIDE_CANDIDATES_H_
#define SHEAF_COLLIDE_CANDIDATES_H_

#include <stdint.h>

#include "collide/four.h"
#include "collide/polytope.h"

// so many candidates are compared without a branch; and so many numbers behind the list are at mjMAXVAL
enum { FIRST_CANDIDATES = 16, BEHIND = 2 * FOUR };

static void clearCandidates(Polytope* p) {
  p->ncandidate = 0;
  for (int i = 0; i < FIRST_CANDIDATES + BEHIND; i++) p->candidate_dist2[i] = mjMAXVAL;
}

#ifdef FOUR_AVX2
// by the bits of the faces that are candidates: the order that brings these to the front, and their places there
#define PAIR(i) 2 * (i), 2 * (i) + 1
#define ORDER(a, b, c, d) \
  { PAIR(a), PAIR(b), PAIR(c), PAIR(d) }
#define NO INT16_MIN  // less than CLOSED, however many candidates there are before
static const uint8_t CANDIDATE_ORDER[16][8] = {
    ORDER(0, 1, 2, 3), ORDER(0, 1, 2, 3), ORDER(1, 0, 2, 3), ORDER(0, 1, 2, 3), ORDER(2, 0, 1, 3), ORDER(0, 2, 1, 3),
    ORDER(1, 2, 0, 3), ORDER(0, 1, 2, 3), ORDER(3, 0, 1, 2), ORDER(0, 3, 1, 2), ORDER(1, 3, 0, 2), ORDER(0, 1, 3, 2),
    ORDER(2, 3, 0, 1), ORDER(0, 2, 3, 1), ORDER(1, 2, 3, 0), ORDER(0, 1, 2, 3)};
static const int16_t CANDIDATE_PLACE[16][FOUR] = {{NO, NO, NO, NO}, {0, NO, NO, NO}, {NO, 0, NO, NO}, {0, 1, NO, NO},
                                                  {NO, NO, 0, NO},  {0, NO, 1, NO},  {NO, 0, 1, NO},  {0, 1, 2, NO},
                                                  {NO, NO, NO, 0},  {0, NO, NO, 1},  {NO, 0, NO, 1},  {0, 1, NO, 2},
                                                  {NO, NO, 0, 1},   {0, NO, 1, 2},   {NO, 0, 1, 2},   {0, 1, 2, 3}};
#undef NO
#undef ORDER
#undef PAIR

// put those of four faces that are candidates at the end of the list
static void addCandidates(Polytope* p, int first, Four dist2, FourMask are) {
  unsigned bits = bitsOfFour(are);
  int n = p->ncandidate;
  __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)CANDIDATE_ORDER[bits]));
  __m256d limit = _mm256_set1_pd(mjMAXVAL), all = _mm256_blendv_pd(limit, (__m256d)dist2, (__m256d)are);
  _mm256_storeu_si256((__m256i*)(p->candidate_dist2 + n), _mm256_permutevar8x32_epi32(_mm256_castpd_si256(all), order));
  for (int i = FOUR; i <= BEHIND; i += FOUR) _mm256_storeu_pd(p->candidate_dist2 + n + i, limit);
  __m256i face = _mm256_add_epi64(_mm256_set1_epi64x(first), _mm256_setr_epi64x(0, 1, 2, 3));
  face =
      _mm256_permutevar8x32_epi32(_mm256_permutevar8x32_epi32(face, order), _mm256_setr_epi32(0, 2, 4, 6, 0, 0, 0, 0));
  _mm_storeu_si128((__m128i*)(p->candidate + n), _mm256_castsi256_si128(face));
  __m128i place = _mm_loadl_epi64((const __m128i*)CANDIDATE_PLACE[bits]);
  _mm_storel_epi64((__m128i*)(p->index + first), _mm_add_epi16(place, _mm_set1_epi16((short)n)));
  p->ncandidate = n + __builtin_popcount(bits);
}

#ifdef __AVX512F__
enum { WIDE = 8 };
typedef __m512d Wide;

static Wide distancesFrom(const Polytope* p, int i) { return _mm512_loadu_pd(p->candidate_dist2 + i); }
static Wide lessOf(Wide x, Wide y) { return _mm512_min_pd(x, y); }
static mjtNum leastOf(Wide x) { return _mm512_reduce_min_pd(x); }
static unsigned equalIn(Wide x, mjtNum y) { return _mm512_cmp_pd_mask(x, _mm512_set1_pd(y), _CMP_EQ_OQ); }
#else
enum { WIDE = 4 };
typedef __m256d Wide;

static Wide distancesFrom(const Polytope* p, int i) { return _mm256_loadu_pd(p->candidate_dist2 + i); }
static Wide lessOf(Wide x, Wide y) { return _mm256_min_pd(x, y); }

static mjtNum leastOf(Wide x) {
  __m128d two = _mm_min_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd(x, 1));
  return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
}

static unsigned equalIn(Wide x, mjtNum y) {
  return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(x, _mm256_set1_pd(y), _CMP_EQ_OQ));
}
#endif
enum { FIRST = FIRST_CANDIDATES / WIDE };

_Static_assert((int)WIDE <= (int)BEHIND && (int)ROOM >= MAXFACE + FOUR + BEHIND, "a list can be read as vectors");

// Most lists are compared without a branch.
static int nearestCandidate(const Polytope* p, mjtNum* dist2) {
  Wide first[FIRST], least;
  for (int k = 0; k < FIRST; k++) first[k] = distancesFrom(p, k * WIDE);
  least = first[0];
  for (int k = 1; k < FIRST; k++) least = lessOf(least, first[k]);
  for (int i = FIRST_CANDIDATES; i < p->ncandidate; i += WIDE) least = lessOf(least, distancesFrom(p, i));
  *dist2 = leastOf(least);
  if (*dist2 >= mjMAXVAL) return -1;
  unsigned equal = 0;
  for (int k = 0; k < FIRST; k++) equal |= equalIn(first[k], *dist2) << (k * WIDE);
  if (equal) return p->candidate[__builtin_ctz(equal)];
  int i = FIRST_CANDIDATES;
  while (!(equal = equalIn(distancesFrom(p, i), *dist2))) i += WIDE;
  return p->candidate[i + __builtin_ctz(equal)];
}
#else
static void addCandidates(Polytope* p, int first, Four dist2, FourMask are) {
  for (int i = 0; i < FOUR; i++) {
    int n = p->ncandidate;
    p->index[first + i] = (short)(are[i] ? n : CLOSED);
    p->candidate[n] = first + i;
    p->candidate_dist2[n] = dist2[i];
    p->ncandidate = n + (are[i] != 0);
  }
}

static int nearestCandidate(const Polytope* p, mjtNum* dist2) { return nearestInTurn(p, dist2); }
#endif

#endif  // SHEAF_COLLIDE_CANDIDATES_H_
