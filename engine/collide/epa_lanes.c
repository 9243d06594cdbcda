// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// EPA of all lanes, step by step: each lane has a polytope of its own, and their support points are found together,
// over V. That is faster also because the steps of one polytope wait for each other, and those of several do not.

#include <string.h>

#define POLYTOPE_ITERATIONS 48
#include "collide/gjk_lanes.h"
#include "collide/polytope.h"

// the directions of the next supports, lane innermost
typedef struct Directions_ {
  _Alignas(V) mjtNum normal[3][SHEAF_LANES], length[SHEAF_LANES];
} Directions;

// numbers of a vertex in the order of mjiVertex, lane innermost
typedef struct Numbers_ {
  mjtNum number[9][SHEAF_LANES];
  lane_mask_t ia[SHEAF_LANES], ib[SHEAF_LANES];
} __attribute__((may_alias)) Numbers;

_Static_assert(sizeof(Numbers) == sizeof(LANE(Vertex)), "a vertex of all lanes is an array of numbers");
_Static_assert(offsetof(mjiVertex, ia) == 9 * sizeof(mjtNum), "a vertex begins with nine numbers");

// Four numbers of a lane. They are written together because planes read them together: a read that covers several
// writes would wait for them.
#if defined(__AVX2__) && !defined(MJI_SINGLE)
static void takeFour(mjtNum* to, const mjtNum (*x)[SHEAF_LANES], int lane) {
  _mm256_storeu_pd(to, _mm256_setr_pd(x[0][lane], x[1][lane], x[2][lane], x[3][lane]));
}
#else
static void takeFour(mjtNum* to, const mjtNum (*x)[SHEAF_LANES], int lane) {
  for (int k = 0; k < 4; k++) to[k] = x[k][lane];
}
#endif

static void takeVertex(mjiVertex* to, const LANE(Vertex)* from, const LANE(Convex)* a, const LANE(Convex)* b,
                       int lane) {
  const Numbers* x = (const Numbers*)(const void*)from;
  mjtNum* number = to->v;
  takeFour(number, x->number, lane);
  takeFour(number + 4, x->number + 4, lane);
  number[8] = x->number[8][lane];
  to->ia = laneVertexId(a, (int)x->ia[lane]);
  to->ib = laneVertexId(b, (int)x->ib[lane]);
}

// Make the polytope of a lane; nonzero if epa.c must look for a better start.
static int startLane(Polytope* p, const LANE(Overlap)* overlap, const LANE(Convex)* a, const LANE(Convex)* b,
                     int lane) {
  mjiVertex s[4];
  for (int i = 0; i < 4; i++) takeVertex(s + i, overlap->simplex + i, a, b, lane);
  if (startFaces(p, s) >= 0 || !startHasOrigin(p)) return 1;
  startGrowing(p);
  return 0;
}

// Lanes as bits: the loops here go from lane to lane, and a mask that lanes leave one by one would be written and read
// again each time.
static unsigned bitsOf(M on) {
  unsigned bits = 0;
  for (int lane = 0; lane < SHEAF_LANES; lane++) bits |= (unsigned)m_get(on, lane) << lane;
  return bits;
}

static M maskOf(unsigned bits) {
  lane_mask_t on[SHEAF_LANES];
  for (int lane = 0; lane < SHEAF_LANES; lane++) on[lane] = -(lane_mask_t)(bits >> lane & 1);
  M r;
  memcpy(&r, on, sizeof r);
  return r;
}

static int nextLane(unsigned* left) {
  int lane = __builtin_ctz(*left);
  *left &= *left - 1;
  return lane;
}

// choose the next face in each lane of `on`; returns the lanes whose search goes on
static unsigned chooseFaces(Polytope* p, Directions* to, unsigned on) {
  for (unsigned left = on; left;) {
    int lane = nextLane(&left);
    if (!chooseFace(p + lane)) {
      on &= ~(1u << lane);
      continue;
    }
    const Face* f = &p[lane].face[p[lane].found];
    for (int k = 0; k < 3; k++) to->normal[k][lane] = f->normal[k];
    to->length[lane] = normalLength(p + lane);
  }
  return on;
}

// find the supports along the normals of the faces, and grow by them; returns the lanes whose search goes on
static unsigned growLanes(Polytope* p, const Directions* d, LANE(Convex)* a, LANE(Convex)* b, mjtNum tolerance,
                          unsigned on) {
  V length = *CLANES(d->length), dir[3], normal[3];
  for (int k = 0; k < 3; k++) {
    normal[k] = *CLANES(d->normal[k]);
    dir[k] = normal[k] / length;
  }
  LANE(Vertex) w;
  laneSupportBoth(&w, a, b, dir, maskOf(on));
  V height = laneDot(normal, w.v) / length;
  mjtNum heights[SHEAF_LANES];
  memcpy(heights, &height, sizeof heights);
  for (unsigned left = on; left;) {
    int lane = nextLane(&left);
    takeVertex(&p[lane].vertex[p[lane].nvertex], &w, a, b, lane);
    if (!growBy(p + lane, p[lane].nvertex++, heights[lane], tolerance)) on &= ~(1u << lane);
  }
  return on;
}

M LANE(depth)(mjiGjk* g, const LANE(Overlap)* overlap, LANE(Convex)* a, LANE(Convex)* b, M on) {
  Polytope p[SHEAF_LANES];
  Directions next;
  memset(&next, 0, sizeof next);
  unsigned done = bitsOf(on);
  for (unsigned left = done; left;) {
    int lane = nextLane(&left);
    p[lane].a = SHEAF_OWN_NUMBERS ? a->one + lane : a->like;
    p[lane].b = SHEAF_OWN_NUMBERS ? b->one + lane : b->like;
    if (startLane(p + lane, overlap, a, b, lane)) done &= ~(1u << lane);
  }
  unsigned growing = done;
  int limit = overlap->max_iterations < MAXITER ? overlap->max_iterations : MAXITER;
  for (int k = 0; k < limit && growing; k++) {
    growing = chooseFaces(p, &next, growing);
    if (growing) growing = growLanes(p, &next, a, b, g->tolerance, growing);
  }
  done &= ~growing;  // these need more room, or all their iterations
  for (unsigned left = done; left;) {
    int lane = nextLane(&left);
    const Polytope* q = p + lane;
    if (q->found < 0 || q->full || !isOnBoundary(q)) done &= ~(1u << lane);
    else setResult(g + lane, q, &q->face[q->found]);
  }
  return maskOf(done);
}
