// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// EPA of all lanes, step by step: each lane has a polytope of its own, and their support points are found together,
// over V. That is faster also because the steps of one polytope wait for each other, and those of several do not.

#include <stdint.h>
#include <string.h>

#include "collide/gjk_lanes.h"

// The point of a vertex, of three numbers, in one lane. Its witness points stay in the vertices of all lanes, because
// in each step every lane that still grows gets the vertex of the same number.
typedef struct Corner_ {
  mjtNum v[4];
} Corner;

#define POLYTOPE_ITERATIONS 48
#define POLYTOPE_VERTEX Corner
#define POLYTOPE_SEVERAL
#include "collide/fan.h"

// the directions of the next supports: normals of faces, where these have them and over V
typedef struct Directions_ {
  const mjtNum* of[SHEAF_LANES];
  V normal[3], length;
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
#ifdef FOUR_AVX2
static void putCorner(Corner* to, const Numbers* x, int lane) {
  __m128d xy = _mm_loadh_pd(_mm_load_sd(x->v[0] + lane), x->v[1] + lane);
  _mm256_storeu_pd(to->v, _mm256_set_m128d(_mm_load_sd(x->v[2] + lane), xy));
}
#else
static void putCorner(Corner* to, const Numbers* x, int lane) {
  for (int k = 0; k < 3; k++) to->v[k] = x->v[k][lane];
  to->v[3] = 0;
}
#endif

static void addCorner(Polytope* p, const LANE(Vertex)* from, int lane) {
  const Numbers* x = (const Numbers*)(const void*)from;
  int to = p->nvertex++;
  putCorner(&p->vertex[to], x, lane);
  p->id[to] = (int64_t)((uint64_t)(uint32_t)x->ib[lane] << 32 | (uint32_t)x->ia[lane]);
}

#ifdef FOUR_AVX2
static int repeated(const Polytope* p, int w) {
  __m256i id = _mm256_set1_epi64x(p->id[w]);
  uint64_t equal = 0;
  for (int i = 0; i < w; i += 4) {
    __m256i same = _mm256_cmpeq_epi64(_mm256_loadu_si256((const __m256i*)(p->id + i)), id);
    equal |= (uint64_t)(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(same)) << i;
  }
  return (equal & (((uint64_t)1 << w) - 1)) != 0;
}

_Static_assert((int)MAXVERTEX < 64, "vertices are bits of a number");
#else
static int repeated(const Polytope* p, int w) {
  int equal = 0;
  for (int i = 0; i < w; i++) equal |= p->id[i] == p->id[w];
  return equal;
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
  p->nface = 0;
  clearCandidates(p);
  for (int i = 0; i < 4; i++) {
    Face* f = newFace(p, TETRAHEDRON[i], TETRAHEDRON_ADJ[i]);
    for (int k = 0; k < 3; k++) f->normal[k] = plane[i][k][lane];
    f->level = plane[i][3][lane];
    makeCandidate(p, i);
  }
  p->ended = 0;
  startGrowing(p);
}

// ---- steps

static void takeNormals(Directions* to) {
  Four x[SHEAF_LANES / FOUR][4], row[3][SHEAF_LANES / FOUR];
  for (int i = 0; i < SHEAF_LANES / FOUR; i++) {
    const mjtNum* const* of = to->of + FOUR * i;
    takeFour(x[i], of[0], of[1], of[2], of[3]);
    for (int k = 0; k < 3; k++) row[k][i] = x[i][k];
  }
  memcpy(to->normal, row, sizeof row);
  to->length = v_sqrt(laneDot(to->normal, to->normal));
}

// choose the next face in each lane of `on`; returns the lanes whose search goes on
static unsigned chooseFaces(Polytope* p, Directions* to, unsigned on) {
  for (unsigned left = on; left;) {
    int lane = nextLane(&left);
    Polytope* q = p + lane;
    int goes_on = chooseFace(q, &q->lower2);
    if (goes_on && !(q->lower2 > 0)) q->lower = q->gap = goes_on = 0;
    on &= ~((unsigned)!goes_on << lane);
    if (goes_on) to->of[lane] = q->face[q->found].normal;
  }
  takeNormals(to);
  return on;
}

// find the supports along the normals of the faces, and grow by them; returns the lanes whose search goes on
static unsigned growLanes(Polytope* p, LANE(Vertex)* w, const Directions* d, LANE(Convex)* a, LANE(Convex)* b,
                          mjtNum tolerance, unsigned on) {
  V dir[3];
  for (int k = 0; k < 3; k++) dir[k] = d->normal[k] / d->length;
  laneSupportBoth(w, a, b, dir, maskOf(on));
  V height = laneDot(d->normal, w->v) / d->length;
  mjtNum heights[SHEAF_LANES], lengths[SHEAF_LANES];
  memcpy(heights, &height, sizeof heights);
  memcpy(lengths, &d->length, sizeof lengths);
  Fans fans;  // without zeros, because it is filled again and again
  fans.n = 0;
  for (unsigned left = on; left;) {
    int lane = nextLane(&left);
    Polytope* q = p + lane;
    int v = q->nvertex;
    addCorner(q, w, lane);
    q->lower = lengths[lane];
    if (fans.n + FANS_OF_HORIZON > MOST_FANS) placeFans(&fans);
    if (!takeSupport(q, v, heights[lane], tolerance) || !joinVertex(&fans, q, v)) q->ended = 1;
  }
  placeFans(&fans);
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
  static const mjtNum none[4];
  for (int lane = 0; lane < SHEAF_LANES; lane++) next.of[lane] = none;
  mjtNum plane[4][4][SHEAF_LANES];
  unsigned done = bitsOf(on & startPlanes(plane, overlap->simplex));
  for (unsigned left = done; left;) {
    int lane = nextLane(&left);
    setShapes(p + lane, SHEAF_OWN_NUMBERS ? a->one + lane : a->like, SHEAF_OWN_NUMBERS ? b->one + lane : b->like);
    p[lane].nvertex = 0;
    for (int i = 0; i < 4; i++) addCorner(p + lane, overlap->simplex + i, lane);
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
