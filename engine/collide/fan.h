// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fans: the faces that join a new vertex to its horizon, four at most, because the planes of four are computed
// together. A horizon of more sides has several.
//
// A vertex of a curved shape sees the nearest face alone, or with one of the three around it, in four cases of five or
// more. openFew finds that out, and makes the one fan, without the walk of deleteSeen, whose branches nobody can
// predict. Faces and candidates are in the same order as after deleteSeen and joinHorizon.
#ifndef SHEAF_COLLIDE_FAN_H_
#define SHEAF_COLLIDE_FAN_H_

#include <stddef.h>
#include <stdint.h>

#include "collide/candidates.h"
#include "collide/four.h"
#include "collide/polytope.h"

typedef struct Fan_ {
  Polytope* p;
  int first;  // face; the others are the next ones
  int n;      // number of faces
} Fan;

enum { MOST_FANS = 96, FANS_OF_HORIZON = MAXHORIZON / FOUR + 1 };

typedef struct Fans_ {
  Fan fan[MOST_FANS];
  int n;
} Fans;

// ---- what a vertex sees

static Face* across(Polytope* p, int side) { return p->face + faceAt(side); }

// bits: which of two faces, or of three, does w see?
#ifdef FOUR_AVX2
static unsigned seesTwo(const Polytope* p, const mjtNum w[3], const Face* a, const Face* b) {
  __m256d one = _mm256_blend_pd((__m256d)fourAt(w), _mm256_set1_pd(1), 8);
  __m256d x = _mm256_mul_pd((__m256d)fourAt(a->normal), one), y = _mm256_mul_pd((__m256d)fourAt(b->normal), one);
  __m256d even = _mm256_unpacklo_pd(x, y), odd = _mm256_unpackhi_pd(x, y);
  __m128d sum = _mm_add_pd(_mm256_castpd256_pd128(even), _mm256_castpd256_pd128(odd));
  __m128d height = _mm_sub_pd(_mm_add_pd(sum, _mm256_extractf128_pd(even, 1)), _mm256_extractf128_pd(odd, 1));
  return (unsigned)_mm_movemask_pd(_mm_cmpgt_pd(height, _mm_set1_pd(p->slack)));
}

static unsigned seesThree(const Polytope* p, const mjtNum w[3], const Face* a, const Face* b, const Face* c) {
  Four x[4], at[3] = {fourOf(w[0]), fourOf(w[1]), fourOf(w[2])};
  takeFour(x, a->normal, b->normal, c->normal, c->normal);
  return bitsOfFour(dotFour(x, at) - x[3] > fourOf(p->slack)) & 7;
}
#else
static unsigned seesTwo(const Polytope* p, const mjtNum w[3], const Face* a, const Face* b) {
  return (unsigned)isSeen(p, a, w) | (unsigned)isSeen(p, b, w) << 1;
}

static unsigned seesThree(const Polytope* p, const mjtNum w[3], const Face* a, const Face* b, const Face* c) {
  return seesTwo(p, w, a, b) | (unsigned)isSeen(p, c, w) << 2;
}
#endif

// ---- joining

// makeFaces makes the faces around face f, and around face g across edge `at` of f, which is `edge` of g, without their
// planes. Face i is between w, corner i - 1 and corner i. With `at` 3 there is no g and no fourth face: in its place
// the last corner comes twice, so that its normal is 0 and its plane is 0 / 0, which no comparison of addFan takes.
#ifdef FOUR_AVX2
#define BYTES(i) 2 * (i), 2 * (i) + 1
#define MIXED(a, b, c, d) \
  { BYTES(a), BYTES(b), BYTES(c), BYTES(d), -1, -1, -1, -1, -1, -1, -1, -1 }
// where sides and corners come from, by `at` and `edge`: 0 to 2 are numbers of f, 4 to 6 are numbers of g
static const int8_t SIDES_OF[4][3][16] = {{MIXED(5, 6, 1, 2), MIXED(6, 4, 1, 2), MIXED(4, 5, 1, 2)},
                                          {MIXED(0, 5, 6, 2), MIXED(0, 6, 4, 2), MIXED(0, 4, 5, 2)},
                                          {MIXED(0, 1, 5, 6), MIXED(0, 1, 6, 4), MIXED(0, 1, 4, 5)},
                                          {MIXED(0, 1, 2, 2), MIXED(0, 1, 2, 2), MIXED(0, 1, 2, 2)}};
static const int8_t CORNERS_OF[4][3][16] = {{MIXED(6, 4, 2, 0), MIXED(4, 5, 2, 0), MIXED(5, 6, 2, 0)},
                                            {MIXED(1, 6, 4, 0), MIXED(1, 4, 5, 0), MIXED(1, 5, 6, 0)},
                                            {MIXED(1, 2, 6, 4), MIXED(1, 2, 4, 5), MIXED(1, 2, 5, 6)},
                                            {MIXED(1, 2, 0, 0), MIXED(1, 2, 0, 0), MIXED(1, 2, 0, 0)}};

#undef MIXED
#undef BYTES

// the sides of new faces toward the one before, and the one after, if the first of them were face 0; of three, of four
static const int16_t SIDE_BEFORE[2][8] = {{SIDE(2, 2), SIDE(0, 2), SIDE(1, 2), SIDE(2, 2)},
                                          {SIDE(3, 2), SIDE(0, 2), SIDE(1, 2), SIDE(2, 2)}};
static const int16_t SIDE_AFTER[2][8] = {{SIDE(1, 0), SIDE(2, 0), SIDE(0, 0), SIDE(0, 0)},
                                         {SIDE(1, 0), SIDE(2, 0), SIDE(3, 0), SIDE(0, 0)}};

static __m128i bytesAt(const void* x) { return _mm_loadu_si128(x); }

static void makeFaces(const Fan* fan, int w, const Face* f, const Face* g, int at, int edge) {
  Polytope* p = fan->p;
  int first = fan->first, whole = at < 3;
  __m128i numbers = bytesAt(f->vertex), others = bytesAt(g->vertex);  // and adj
  __m128i side = _mm_shuffle_epi8(_mm_unpackhi_epi64(numbers, others), bytesAt(SIDES_OF[at][edge]));
  __m128i corner = _mm_shuffle_epi8(_mm_unpacklo_epi64(numbers, others), bytesAt(CORNERS_OF[at][edge]));
  __m128i turned = _mm_or_si128(_mm_slli_epi64(corner, 16), _mm_srli_epi64(corner, 48));
  __m128i base = _mm_set1_epi16((short)SIDE(first, 0)), newest = _mm_set1_epi16((short)w);
  __m128i before = _mm_add_epi16(base, bytesAt(SIDE_BEFORE[whole])),
          after = _mm_add_epi16(base, bytesAt(SIDE_AFTER[whole]));
  __m128i v = _mm_unpacklo_epi16(newest, turned), v2 = _mm_unpacklo_epi16(corner, corner);
  __m128i a = _mm_unpacklo_epi16(before, side), a2 = _mm_unpacklo_epi16(after, after);
  __m128i v01 = _mm_unpacklo_epi32(v, v2), v23 = _mm_unpackhi_epi32(v, v2);
  __m128i a01 = _mm_unpacklo_epi32(a, a2), a23 = _mm_unpackhi_epi32(a, a2);
  Face* made = p->face + first;
  uint64_t sides = (uint64_t)_mm_cvtsi128_si64(side);
  for (int i = FOUR - 1; i >= 0; i--) {  // the fourth may repeat the third, which is therefore written last
    char* to = (char*)p->face + offsetof(Face, adj) + (sides >> 16 * i & 0xffff);
    *(short*)(void*)to = (short)SIDE(first + i, 1);
  }
  _mm_storeu_si128((__m128i*)made[0].vertex, _mm_unpacklo_epi64(v01, a01));
  _mm_storeu_si128((__m128i*)made[1].vertex, _mm_unpackhi_epi64(v01, a01));
  _mm_storeu_si128((__m128i*)made[2].vertex, _mm_unpacklo_epi64(v23, a23));
  _mm_storeu_si128((__m128i*)made[3].vertex, _mm_unpackhi_epi64(v23, a23));
}

_Static_assert(offsetof(Face, adj) == offsetof(Face, vertex) + 8 && sizeof(Face) == SIDE_STRIDE, "numbers of a face");
#else
static void makeFaces(const Fan* fan, int w, const Face* f, const Face* g, int at, int edge) {
  Polytope* p = fan->p;
  int one = AFTER[edge], two = AFTER[one], first = fan->first, last = first + fan->n - 1;
  int side[FOUR], corner[FOUR];
  side[3] = f->adj[2];
  corner[3] = f->vertex[0];
  for (int i = 0; i < 3; i++) {
    side[i + (i > at)] = f->adj[i];
    corner[i + (i > at)] = f->vertex[AFTER[i]];
  }
  if (at < 3) {
    side[at] = g->adj[one];
    side[at + 1] = g->adj[two];
    corner[at] = g->vertex[two];
    corner[at + 1] = g->vertex[edge];
  }
  for (int i = 0; i < FOUR; i++) {
    int before = i ? first + i - 1 : last, after = first + i < last ? first + i + 1 : first;
    if (first + i <= last) across(p, side[i])->adj[edgeAt(side[i])] = (short)SIDE(first + i, 1);
    setFace(p, first + i, w, corner[(i + 3) % FOUR], corner[i], SIDE(before, 2), side[i], SIDE(after, 0));
  }
}
#endif

// Where a vertex sees the face that was found and at most one other, delete these and make the fan that joins it. Zero,
// and nothing is changed, if it sees more, or if there is no room for four faces.
static int openFew(Fan* fan, Polytope* p, int w) {
  const Face* f = &p->face[p->found];
  const mjtNum* v = at(p, w);
  unsigned seen = seesThree(p, v, across(p, f->adj[0]), across(p, f->adj[1]), across(p, f->adj[2]));
  int one = seen != 0, which = __builtin_ctz(seen | 8), side = f->adj[one ? which : 0], edge = edgeAt(side);
  const Face* g = across(p, side);
  int next = AFTER[edge];
  unsigned beyond = seesTwo(p, v, across(p, g->adj[next]), across(p, g->adj[AFTER[next]]));
  if ((seen & (seen - 1)) | (one & (beyond != 0)) | (p->nface + FOUR > MAXFACE)) return 0;
  fan->p = p;
  fan->n = 3 + one;
  fan->first = p->nface;
  deleteFaceIf(p, p->found, 1);
  deleteFaceIf(p, faceAt(side), one);
  makeFaces(fan, w, f, g, which, edge);
  p->nface += fan->n;
  return 1;
}

// Has a horizon several loops? Rounding can make one around a face that is not seen. joinHorizon takes it for one loop,
// and then a new face and the one across do not have the same two corners on their edge, which openFew relies on.
static int hasLoops(Polytope* p, const Horizon* h) {
  for (int i = 0, before = h->corner[h->n - 1]; i < h->n; before = h->corner[i++]) {
    if (across(p, h->side[i])->vertex[AFTER[edgeAt(h->side[i])]] != before) return 1;
  }
  return 0;
}

// Make the fans that join a vertex to any horizon. Faces that the last fan has not repeat its last corner.
static void joinInFans(Fans* s, Polytope* p, const Horizon* h, int w) {
  if (!p->walks) p->walks = hasLoops(p, h);
  int first = joinHorizon(p, h, w), last = h->corner[h->n - 1];
  for (int i = 0; i < FOUR - 1; i++) p->face[p->nface + i].vertex[2] = (short)last;
  for (; first < p->nface; first += FOUR) {
    int left = p->nface - first;
    s->fan[s->n++] = (Fan){p, first, left < FOUR ? left : FOUR};
  }
}

// ---- planes

#ifdef FOUR_AVX2
static void putPlanes(Face f[FOUR], const Four plane[4]) {
  Four x[4] = {plane[0], plane[1], plane[2], plane[3]};
  transposeFour(x);
  for (int i = 0; i < FOUR; i++) _mm256_storeu_pd(f[i].normal, (__m256d)x[i]);  // and the level, which comes next
}
#else
static void putPlanes(Face f[FOUR], const Four plane[4]) {
  for (int i = 0; i < FOUR; i++) {
    for (int k = 0; k < 3; k++) f[i].normal[k] = plane[k][i];
    f[i].level = plane[3][i];
  }
}
#endif

// What the planes of a fan are computed from.
typedef struct Corners_ {
  Four here[4], before[3], newest[3];
} Corners;

static void takeCorners(Corners* c, const Fan* fan) {
  const POLYTOPE_VERTEX* v = fan->p->vertex;
  const Face* f = fan->p->face + fan->first;
  takeFour(c->here, v[f[0].vertex[2]].v, v[f[1].vertex[2]].v, v[f[2].vertex[2]].v, v[f[3].vertex[2]].v);
  for (int k = 0; k < 3; k++) {
    Four before = fourOf(v[f->vertex[1]].v[k]);
    c->before[k] = __builtin_shufflevector(c->here[k], before, 4, 0, 1, 2);
    c->newest[k] = fourOf(v[f->vertex[0]].v[k]);
  }
}

// planes that gjkPlaneFoot finds in another way
static void placeOther(const Fan* fan, Four plane[4], unsigned other) {
  const POLYTOPE_VERTEX* v = fan->p->vertex;
  while (other) {
    int i = __builtin_ctz(other);
    other &= other - 1;
    Face* f = fan->p->face + fan->first + i;
    int none = gjkPlaneFoot(f->normal, v[f->vertex[2]].v, v[f->vertex[1]].v, v[f->vertex[0]].v);
    f->level = plane[3][i] = none ? 0 : dot3(f->normal, f->normal);
  }
}

// faces that are none have no distance: it is NaN
static void addFan(const Fan* fan, Four dist2) {
  Polytope* p = fan->p;
  addCandidates(p, fan->first, dist2, (dist2 >= fourOf(p->lower2)) & (dist2 <= fourOf(p->upper2)));
  p->ended |= (bitsOfFour(dist2 == fourOf(0)) & ((1u << fan->n) - 1)) != 0;
}

// Set the planes of two fans, with the bits of placeFace, and make those faces candidates that can still become the
// nearest. Two, because the steps of one wait for each other.
static void placeTwo(const Fan* const fan[2]) {
  Corners c[2];
  Four ab[2][3], bc[2][3], n[2][3], nv[2], nn[2], scale[2], plane[2][4];
  for (int j = 0; j < 2; j++) takeCorners(&c[j], fan[j]);
  for (int k = 0; k < 3; k++) {
    for (int j = 0; j < 2; j++) ab[j][k] = c[j].before[k] - c[j].here[k];
    for (int j = 0; j < 2; j++) bc[j][k] = c[j].newest[k] - c[j].before[k];
  }
  for (int k = 0; k < 3; k++) {
    int x = (k + 1) % 3, y = (k + 2) % 3;
    for (int j = 0; j < 2; j++) n[j][k] = bc[j][x] * ab[j][y] - bc[j][y] * ab[j][x];
  }
  for (int j = 0; j < 2; j++) nv[j] = dotFour(n[j], c[j].before);
  for (int j = 0; j < 2; j++) nn[j] = dotFour(n[j], n[j]);
  for (int j = 0; j < 2; j++) scale[j] = nv[j] / nn[j];
  for (int k = 0; k < 3; k++) {
    for (int j = 0; j < 2; j++) plane[j][k] = n[j][k] * scale[j];
  }
  for (int j = 0; j < 2; j++) plane[j][3] = dotFour(plane[j], plane[j]);
  for (int j = 0; j < 2; j++) putPlanes(fan[j]->p->face + fan[j]->first, plane[j]);
  for (int j = 0; j < 2; j++) {
    unsigned other = bitsOfFour((nv[j] == fourOf(0)) | (nn[j] <= fourOf(mjMINVAL))) & ((1u << fan[j]->n) - 1);
    if (other) placeOther(fan[j], plane[j], other);
  }
  addFan(fan[0], plane[0][3]);
  if (fan[1] != fan[0]) addFan(fan[1], plane[1][3]);
}

static void placeFans(Fans* s) {
  for (int i = 0; i < s->n; i += 2) {
    const Fan* two[2] = {s->fan + i, s->fan + (i + 1 < s->n ? i + 1 : i)};
    placeTwo(two);
  }
  s->n = 0;
}

// Join a vertex to what it sees, without the planes of the new faces; zero if these have no room. There must be room
// for FANS_OF_HORIZON more fans.
static int joinVertex(Fans* s, Polytope* p, int w) {
  if (!p->walks && openFew(s->fan + s->n, p, w)) {
    s->n++;
    return 1;
  }
  Horizon h;  // without zeros: its list is long, and what counts is its number
  if (!openTo(p, &h, w)) return 0;
  joinInFans(s, p, &h, w);
  return 1;
}

#endif  // SHEAF_COLLIDE_FAN_H_
