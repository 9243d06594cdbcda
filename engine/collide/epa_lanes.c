// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// EPA of all lanes, step by step: each lane has a polytope of its own, and their support points are found together,
// over V. That is faster also because the steps of one polytope wait for each other, and those of several do not.

#include <stdint.h>
#include <string.h>

#include "collide/gjk_lanes.h"

// A vertex of one lane, small so that those of all lanes have room in the nearest cache. Its witness points stay in the
// vertices of all lanes, because in each step every lane that still grows gets the vertex of the same number.
typedef struct Corner_ {
  mjtNum v[3];
  int ia, ib;
} Corner;

#define POLYTOPE_ITERATIONS 48
#define POLYTOPE_VERTEX Corner
#define POLYTOPE_SEVERAL
#include "collide/polytope.h"

// the directions of the next supports, lane innermost
typedef struct Directions_ {
  _Alignas(V) mjtNum normal[3][SHEAF_LANES], length[SHEAF_LANES], length2[SHEAF_LANES];
} Directions;

// a vertex of all lanes as numbers, lane innermost
typedef struct Numbers_ {
  mjtNum v[3][SHEAF_LANES], a[3][SHEAF_LANES], b[3][SHEAF_LANES];
  lane_mask_t ia[SHEAF_LANES], ib[SHEAF_LANES];
} __attribute__((may_alias)) Numbers;

_Static_assert(sizeof(Numbers) == sizeof(LANE(Vertex)), "a vertex of all lanes is an array of numbers");

static void takeVertex(mjiVertex* to, const LANE(Vertex)* from, int lane) {
  const Numbers* x = (const Numbers*)(const void*)from;
  for (int k = 0; k < 3; k++) {
    to->v[k] = x->v[k][lane];
    to->a[k] = x->a[k][lane];
    to->b[k] = x->b[k][lane];
  }
  to->ia = (int)x->ia[lane];  // setNumbers makes them those of gjk.c
  to->ib = (int)x->ib[lane];
}

// A corner is written at once because planes read it at once: a read that covers several writes would wait for them.
#if defined(__AVX2__) && !defined(MJI_SINGLE)
static void takeCorner(Corner* to, const LANE(Vertex)* from, int lane) {
  const Numbers* x = (const Numbers*)(const void*)from;
  uint64_t ids = (uint64_t)(uint32_t)x->ib[lane] << 32 | (uint32_t)x->ia[lane];
  __m128d id = _mm_castsi128_pd(_mm_cvtsi64_si128((int64_t)ids));
  __m128d xy = _mm_loadh_pd(_mm_load_sd(x->v[0] + lane), x->v[1] + lane);
  __m128d z = _mm_unpacklo_pd(_mm_load_sd(x->v[2] + lane), id);
  _mm256_storeu_pd(to->v, _mm256_set_m128d(z, xy));
}

_Static_assert(offsetof(Corner, ia) == 24 && offsetof(Corner, ib) == 28, "the numbers follow the point");
#else
static void takeCorner(Corner* to, const LANE(Vertex)* from, int lane) {
  const Numbers* x = (const Numbers*)(const void*)from;
  for (int k = 0; k < 3; k++) to->v[k] = x->v[k][lane];
  to->ia = (int)x->ia[lane];
  to->ib = (int)x->ib[lane];
}
#endif

static void setNumbers(mjiVertex v[3], const LANE(Convex)* a, const LANE(Convex)* b) {
  for (int i = 0; i < 3; i++) {
    v[i].ia = laneVertexId(a, v[i].ia);
    v[i].ib = laneVertexId(b, v[i].ib);
  }
}

// Lanes as bits: the loops here go from lane to lane, and a mask that lanes leave one by one would be written and read
// again each time.
static unsigned bitsOf(M on) {
#ifdef M_BITS
  return M_BITS(on);
#else
  unsigned bits = 0;
  for (int lane = 0; lane < SHEAF_LANES; lane++) bits |= (unsigned)m_get(on, lane) << lane;
  return bits;
#endif
}

static M maskOf(unsigned bits) {
  _Alignas(M) static const lane_mask_t bit[] = {1,   2,   4,    8,    16,   32,   64,      128,
                                                256, 512, 1024, 2048, 4096, 8192, 1 << 14, 1 << 15};
  return (M)((*(const M*)(const void*)bit & m_set1((int)bits)) != m_none());
}

static int nextLane(unsigned* left) {
  int lane = __builtin_ctz(*left);
  *left &= *left - 1;
  return lane;
}

// ---- start

static M sameSideAs(const V a[3], const V b[3], const V c[3], const V d[3]) {
  V ab[3], ac[3], ad[3], n[3];
  laneSub(ab, b, a);
  laneSub(ac, c, a);
  laneSub(ad, d, a);
  laneCross(n, ab, ac);
  return laneSameSign(laneDot(n, ad), -laneDot(n, a));
}

// Planes of the first four faces, lane innermost: their normals and levels. Returns the lanes in which a polytope can
// start from them; in others, epa.c must look for a better start.
static M startPlanes(mjtNum plane[4][4][SHEAF_LANES], const LANE(Vertex) s[4]) {
  M good = m_full();
  for (int i = 0; i < 4; i++) {
    const int* corner = TETRAHEDRON[i];
    V foot[4];
    good &= ~lanePlaneFoot(foot, s[corner[2]].v, s[corner[1]].v, s[corner[0]].v);
    foot[3] = laneDot(foot, foot);
    good &= v_ge(foot[3], v_set1(mjMINVAL * mjMINVAL));
    memcpy(plane[i], foot, sizeof foot);
    good &= sameSideAs(s[i].v, s[(i + 1) % 4].v, s[(i + 2) % 4].v, s[(i + 3) % 4].v);
  }
  return good;
}

// the tetrahedron of a lane
static void startLane(Polytope* p, const mjtNum plane[4][4][SHEAF_LANES], int lane) {
  p->careful = 0;
  p->slack = mjMINVAL;
  p->nvertex = 4;
  p->nface = p->ncandidate = 0;
  for (int i = 0; i < 4; i++) {
    Face* f = newFace(p, TETRAHEDRON[i], TETRAHEDRON_ADJ[i]);
    for (int k = 0; k < 3; k++) f->normal[k] = plane[i][k][lane];
    f->level = plane[i][3][lane];
    makeCandidate(p, i);
  }
  p->ended = 0;
  startGrowing(p);
}

// ---- planes of new faces: those of all lanes come one after the other, and as many as there are lanes are computed
// together

typedef struct Places_ {
  Polytope* of[SHEAF_LANES];
  Face* face[SHEAF_LANES];
  const Corner* corner[3][SHEAF_LANES];
  int n;
} Places;

#if defined(__AVX512F__) && !defined(MJI_SINGLE)
// two points, each with the number behind it
static __m512d twoPoints(const Corner* a, const Corner* b) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(a->v)), _mm256_loadu_pd(b->v), 1);
}

static void takePoints(V x[3], const Corner* const v[SHEAF_LANES]) {
  __m512d a = twoPoints(v[0], v[2]), b = twoPoints(v[1], v[3]), c = twoPoints(v[4], v[6]), d = twoPoints(v[5], v[7]);
  __m512d ab = _mm512_unpacklo_pd(a, b), cd = _mm512_unpacklo_pd(c, d);
  x[0] = (V)_mm512_shuffle_f64x2(ab, cd, 0x88);
  x[1] = (V)_mm512_shuffle_f64x2(_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d), 0x88);
  x[2] = (V)_mm512_shuffle_f64x2(ab, cd, 0xdd);
}

// halves of the normals and levels of faces that are two apart
static void putHalves(double* to[4], int at, __m512d x) {
  _mm_storeu_pd(to[0] + at, _mm512_castpd512_pd128(x));
  _mm_storeu_pd(to[1] + at, _mm512_extractf64x2_pd(x, 1));
  _mm_storeu_pd(to[2] + at, _mm512_extractf64x2_pd(x, 2));
  _mm_storeu_pd(to[3] + at, _mm512_extractf64x2_pd(x, 3));
}

static void putPlanes(Face* const f[SHEAF_LANES], const V plane[4]) {
  double* even[4] = {f[0]->normal, f[2]->normal, f[4]->normal, f[6]->normal};
  double* odd[4] = {f[1]->normal, f[3]->normal, f[5]->normal, f[7]->normal};
  for (int i = 0; i < 4; i += 2) {
    putHalves(even, i, _mm512_unpacklo_pd((__m512d)plane[i], (__m512d)plane[i + 1]));
    putHalves(odd, i, _mm512_unpackhi_pd((__m512d)plane[i], (__m512d)plane[i + 1]));
  }
}
#elif defined(__AVX2__) && !defined(MJI_SINGLE)
// rows and columns of four times four numbers change places
static void transpose(__m256d x[4]) {
  __m256d even = _mm256_unpacklo_pd(x[0], x[1]), odd = _mm256_unpackhi_pd(x[0], x[1]);
  __m256d even2 = _mm256_unpacklo_pd(x[2], x[3]), odd2 = _mm256_unpackhi_pd(x[2], x[3]);
  x[0] = _mm256_permute2f128_pd(even, even2, 0x20);
  x[1] = _mm256_permute2f128_pd(odd, odd2, 0x20);
  x[2] = _mm256_permute2f128_pd(even, even2, 0x31);
  x[3] = _mm256_permute2f128_pd(odd, odd2, 0x31);
}

static void takePoints(V x[3], const Corner* const v[SHEAF_LANES]) {
  mjtNum number[3][SHEAF_LANES];
  for (int i = 0; i < SHEAF_LANES; i += 4) {
    __m256d four[4] = {pointOf(v[i]), pointOf(v[i + 1]), pointOf(v[i + 2]), pointOf(v[i + 3])};
    transpose(four);
    for (int k = 0; k < 3; k++) _mm256_storeu_pd(number[k] + i, four[k]);
  }
  memcpy(x, number, sizeof number);
}

static void putPlanes(Face* const f[SHEAF_LANES], const V plane[4]) {
  mjtNum number[4][SHEAF_LANES];
  memcpy(number, plane, sizeof number);
  for (int i = 0; i < SHEAF_LANES; i += 4) {
    __m256d four[4];
    for (int k = 0; k < 4; k++) four[k] = _mm256_loadu_pd(number[k] + i);
    transpose(four);
    for (int k = 0; k < 4; k++) _mm256_storeu_pd(f[i + k]->normal, four[k]);
  }
}
#else
static void takePoints(V x[3], const Corner* const v[SHEAF_LANES]) {
  mjtNum number[3][SHEAF_LANES];
  for (int i = 0; i < SHEAF_LANES; i++) {
    for (int k = 0; k < 3; k++) number[k][i] = v[i]->v[k];
  }
  memcpy(x, number, sizeof number);
}

static void putPlanes(Face* const f[SHEAF_LANES], const V plane[4]) {
  for (int i = 0; i < SHEAF_LANES; i++) {
    for (int k = 0; k < 3; k++) f[i]->normal[k] = v_get(plane[k], i);
    f[i]->level = v_get(plane[3], i);
  }
}
#endif

// Set the planes, with the bits of placeFace, and make those faces candidates that can still become the nearest.
static void placeTogether(Places* s) {
  V corner[3][3], plane[4];
  mjtNum level[SHEAF_LANES];
  for (int i = 0; i < 3; i++) takePoints(corner[i], s->corner[i]);
  unsigned other = bitsOf(lanePlaneFoot(plane, corner[2], corner[1], corner[0])) & ((1u << s->n) - 1);
  plane[3] = laneDot(plane, plane);
  putPlanes(s->face, plane);
  memcpy(level, &plane[3], sizeof level);
  while (other) {
    int i = nextLane(&other);
    Face* f = s->face[i];
    if (setPlane(f, s->corner[2][i], s->corner[1][i], s->corner[0][i])) f->level = 0;
    level[i] = f->level;
  }
  for (int i = 0; i < s->n; i++) {
    Face* f = s->face[i];
    Polytope* p = s->of[i];
    mjtNum dist2 = level[i];
    int n = p->ncandidate, can = (dist2 >= p->lower2) & (dist2 <= p->upper2);
    f->index = (short)(can ? n : CLOSED);
    p->candidate[n] = (int)(f - p->face);
    p->candidate_dist2[n] = dist2;
    p->ncandidate = n + can;
    p->ended |= dist2 == 0;
  }
  s->n = 0;
}

// join a vertex to the horizon; planes are computed as soon as there are enough
static void joinLater(Places* s, Polytope* p, const Horizon* h, int w) {
  int first = p->nface, n = s->n, nside = h->n;
  const Corner *newest = p->vertex + w, *before = p->vertex + h->corner[nside - 1];
  p->nface += nside;
  for (int i = 0; i < nside; i++) {
    s->of[n] = p;
    s->face[n] = join(p, h, w, first, i);
    s->corner[0][n] = newest;
    s->corner[1][n] = before;
    s->corner[2][n] = before = p->vertex + h->corner[i];
    if (++n < SHEAF_LANES) continue;
    s->n = n;
    placeTogether(s);
    n = 0;
  }
  s->n = n;
}

// place those that are left; the last is repeated
static void placeRest(Places* s) {
  if (!s->n) return;
  for (int i = s->n; i < SHEAF_LANES; i++) {
    s->face[i] = s->face[s->n - 1];
    for (int k = 0; k < 3; k++) s->corner[k][i] = s->corner[k][s->n - 1];
  }
  placeTogether(s);
}

// ---- steps

// choose the next face in each lane of `on`; returns the lanes whose search goes on
static unsigned chooseFaces(Polytope* p, Directions* to, unsigned on) {
  for (unsigned left = on; left;) {
    int lane = nextLane(&left);
    Polytope* q = p + lane;
    int goes_on = chooseFace(q, &to->length2[lane]);
    if (goes_on && !(to->length2[lane] > 0)) q->lower = q->gap = goes_on = 0;
    on &= ~((unsigned)!goes_on << lane);
    for (int k = 0; goes_on && k < 3; k++) to->normal[k][lane] = q->face[q->found].normal[k];
  }
  *LANES(to->length) = v_sqrt(*LANES(to->length2));
  return on;
}

// find the supports along the normals of the faces, and grow by them; returns the lanes whose search goes on
static unsigned growLanes(Polytope* p, LANE(Vertex)* w, const Directions* d, LANE(Convex)* a, LANE(Convex)* b,
                          mjtNum tolerance, unsigned on) {
  V length = *CLANES(d->length), dir[3], normal[3];
  for (int k = 0; k < 3; k++) {
    normal[k] = *CLANES(d->normal[k]);
    dir[k] = normal[k] / length;
  }
  laneSupportBoth(w, a, b, dir, maskOf(on));
  V height = laneDot(normal, w->v) / length;
  mjtNum heights[SHEAF_LANES];
  memcpy(heights, &height, sizeof heights);
  Places places;  // without zeros, because it is filled again and again
  places.n = 0;
  for (unsigned left = on; left;) {
    int lane = nextLane(&left);
    Polytope* q = p + lane;
    int v = q->nvertex++;
    Horizon h;  // without zeros: its list is long, and what counts is its number
    takeCorner(&q->vertex[v], w, lane);
    q->lower = d->length[lane];
    q->lower2 = d->length2[lane];
    if (growBy(q, &h, v, heights[lane], tolerance)) joinLater(&places, q, &h, v);
    else q->ended = 1;
  }
  placeRest(&places);
  for (unsigned left = on; left;) {
    int lane = nextLane(&left);
    on &= ~((unsigned)p[lane].ended << lane);
  }
  return on;
}

M LANE(depth)(mjiGjk* g, const LANE(Overlap)* overlap, LANE(Convex)* a, LANE(Convex)* b, M on) {
  Polytope p[SHEAF_LANES];
  LANE(Vertex) joined[MAXITER];
  Directions next;
  memset(&next, 0, sizeof next);
  mjtNum plane[4][4][SHEAF_LANES];
  unsigned done = bitsOf(on & startPlanes(plane, overlap->simplex));
  for (unsigned left = done; left;) {
    int lane = nextLane(&left);
    setShapes(p + lane, SHEAF_OWN_NUMBERS ? a->one + lane : a->like, SHEAF_OWN_NUMBERS ? b->one + lane : b->like);
    for (int i = 0; i < 4; i++) takeCorner(&p[lane].vertex[i], overlap->simplex + i, lane);
    startLane(p + lane, plane, lane);
  }
  unsigned growing = done;
  int limit = overlap->max_iterations < MAXITER ? overlap->max_iterations : MAXITER;
  for (int k = 0; k < limit && growing; k++) {
    growing = chooseFaces(p, &next, growing);
    if (growing) growing = growLanes(p, joined + k, &next, a, b, g->tolerance, growing);
  }
  done &= ~growing;  // these need more room, or all their iterations
  for (unsigned left = done; left;) {
    int lane = nextLane(&left);
    const Polytope* q = p + lane;
    if (q->found < 0 || q->full || !isOnBoundary(q) || isUnfinished(g + lane, q)) {
      done &= ~(1u << lane);
      continue;
    }
    const Face* f = &q->face[q->found];
    for (int i = 0; i < 3; i++) {
      int v = f->vertex[i];
      takeVertex(&g[lane].face_vertex[i], v < 4 ? overlap->simplex + v : joined + v - 4, lane);
    }
    setResult(g + lane, q, f);
    setNumbers(g[lane].face_vertex, a, b);
  }
  return maskOf(done);
}
