// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fans of new faces (collide/fan.h) against one plane and one candidate after the other: the same planes, and
// candidates in the same order, after every vertex, for curved shapes, for points that tie, and for vertices that are
// no supports. This file is compiled as the four lanes are (CMakeLists.txt).

#define SHEAF_LANES 4
#define SHEAF_VARIANT v4

#include "support/test.h"

#include <math.h>
#include <string.h>

#include "collide/gjk_lanes.h"

typedef struct Corner_ {
  mjtNum v[4];
} Corner;

#define POLYTOPE_ITERATIONS 48
#define POLYTOPE_VERTEX Corner
#define POLYTOPE_SEVERAL
#include "collide/fan.h"

static int repeated(const Polytope* p, int w) { return 0; }

static uint64_t seed = 1;

static double draw(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}
static int drawBelow(int n) { return (int)(draw() * n); }

enum { CYLINDER, ELLIPSOID, CLOUD, GRID, NO_SUPPORTS, KINDS };

typedef struct Shape_ {
  int kind, npoint;
  mjtNum point[40][3], offset[3], noise;
} Shape;

static void drawShape(Shape* s, int kind) {
  static const mjtNum noise[] = {0, 0, 1e-15, 1e-12, 1e-6, .01};
  s->kind = kind;
  s->noise = noise[drawBelow(6)];
  s->npoint = 8 + drawBelow(32);
  for (int i = 0; i < s->npoint; i++) {
    for (int k = 0; k < 3; k++) s->point[i][k] = kind == CLOUD ? 2 * draw() - 1 : .5 * (drawBelow(5) - 2);
  }
  for (int k = 0; k < 3; k++) s->offset[k] = .4 * draw() - .2;
}

static void supportOf(mjtNum v[3], const Shape* s, const mjtNum dir[3]) {
  static const mjtNum size[3] = {1, .7, .4};
  if (s->kind == CYLINDER) {  // with a box
    mjtNum radial = hypot(dir[0], dir[1]);
    for (int k = 0; k < 2; k++) v[k] = (radial > 0 ? dir[k] / radial : 0) + copysign(.3, dir[k]);
    v[2] = copysign(.8, dir[2]);
  } else if (s->kind == ELLIPSOID) {
    mjtNum sum = 0;
    for (int k = 0; k < 3; k++) sum += size[k] * size[k] * dir[k] * dir[k];
    for (int k = 0; k < 3; k++) v[k] = size[k] * size[k] * dir[k] / sqrt(sum);
  } else {
    int best = 0;
    for (int i = 1; i < s->npoint; i++) best = dot3(s->point[i], dir) > dot3(s->point[best], dir) ? i : best;
    copy3(v, s->point[best]);
  }
  for (int k = 0; k < 3; k++) v[k] += s->offset[k] + s->noise * (draw() - .5);
}

// now and then what no support is: no number, far away, a point of a grid, an earlier vertex
static void spoil(mjtNum v[3], const Polytope* p) {
  switch (drawBelow(12)) {
    case 0: v[drawBelow(3)] = NAN; break;
    case 1: v[drawBelow(3)] = INFINITY; break;
    case 2: v[drawBelow(3)] *= 1e200; break;
    case 3: scale3(v, v, 1 + 3 * draw()); break;
    case 4: copy3(v, p->vertex[drawBelow(p->nvertex)].v); break;
    case 5:
    case 6:
      for (int k = 0; k < 3; k++) v[k] = drawBelow(5) - 2;
      break;
    default: break;
  }
}

static mjtNum placeOne(Polytope* p, int face) {
  const Corner* v = p->vertex;
  Face* f = p->face + face;
  if (gjkPlaneFoot(f->normal, v[f->vertex[2]].v, v[f->vertex[1]].v, v[f->vertex[0]].v)) return f->level = 0;
  return f->level = dot3(f->normal, f->normal);
}

// joinVertex and placeFans, one face after the other; returns zero where faces have no room
static int joinInTurn(Polytope* p, int w) {
  Horizon h;
  if (!openTo(p, &h, w)) return 0;
  for (int face = joinHorizon(p, &h, w); face < p->nface; face++) {
    mjtNum dist2 = placeOne(p, face);
    if (dist2 >= p->lower2 && dist2 <= p->upper2) makeCandidate(p, face);
    p->ended |= dist2 == 0;
  }
  return 1;
}

static int same(mjtNum a, mjtNum b) { return !memcmp(&a, &b, sizeof a) || (a != a && b != b); }

static void compare(const Polytope* a, const Polytope* b) {
  CHECK_EQ(a->nface, b->nface);
  CHECK_EQ(a->ncandidate, b->ncandidate);
  CHECK_EQ(a->ended, b->ended);
  for (int i = 0; i < a->ncandidate && i < b->ncandidate; i++) {
    CHECK_EQ(a->candidate[i], b->candidate[i]);
    CHECK_EQ(a->index[a->candidate[i]], i);
    CHECK(same(a->candidate_dist2[i], b->candidate_dist2[i]));
  }
  for (int i = 0; i < a->nface && i < b->nface; i++) {
    const Face *f = a->face + i, *g = b->face + i;
    int planes = same(f->level, g->level);
    for (int k = 0; k < 3; k++) {
      CHECK_EQ(f->vertex[k], g->vertex[k]);
      CHECK_EQ(f->adj[k], g->adj[k]);
      planes &= same(f->normal[k], g->normal[k]) || f->level == 0;
    }
    CHECK(planes);
    CHECK_EQ(a->index[i] >= 0, b->index[i] >= 0);
    CHECK_EQ(a->index[i] == DELETED, b->index[i] == DELETED);
  }
}

// a tetrahedron around the origin; zero if it came out flat
static int start(Polytope* p, const Shape* s) {
  static const mjtNum way[4][3] = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}};
  memset(p, 0xa5, sizeof *p);  // what is not set must not count
  p->careful = p->ended = p->nface = p->nvertex = 0;
  p->exact = drawBelow(4) == 0;
  p->slack = mjMINVAL;
  clearCandidates(p);
  for (int i = 0; i < 4; i++) {
    mjtNum dir[3];
    for (int k = 0; k < 3; k++) dir[k] = way[i][k] + .5 * draw() - .25;
    supportOf(p->vertex[p->nvertex++].v, s, dir);
  }
  for (int i = 0; i < 4; i++) {
    newFace(p, TETRAHEDRON[i], TETRAHEDRON_ADJ[i]);
    if (!(placeOne(p, i) >= mjMINVAL * mjMINVAL)) return 0;
    makeCandidate(p, i);
  }
  startGrowing(p);
  return 1;
}

typedef struct Joined_ {
  int one, several;  // vertices of one fan, of several
} Joined;

static void grow(const Shape* s, Joined* all) {
  static Polytope p, q;
  static Fans fans;
  if (!start(&p, s)) return;
  for (int k = 0; k < MAXITER && !p.ended; k++) {
    mjtNum least;
    int in_turn = nearestInTurn(&p, &least);
    int goes_on = chooseFace(&p, &p.lower2);
    CHECK(!goes_on || p.found == in_turn);
    if (!goes_on || !(p.lower2 > 0)) return;
    p.lower = sqrt(p.lower2);
    int w = p.nvertex;
    mjtNum* v = p.vertex[w].v;
    supportOf(v, s, p.face[p.found].normal);
    if (s->kind == NO_SUPPORTS) spoil(v, &p);
    p.nvertex++;
    mjtNum height = dot3(p.face[p.found].normal, v) / p.lower;
    int counts = s->kind != NO_SUPPORTS || drawBelow(2);
    if (counts && !takeSupport(&p, w, height, 1e-10)) return;
    memcpy(&q, &p, sizeof q);
    fans.n = 0;
    int joined = joinVertex(&fans, &p, w), one = fans.n == 1;
    placeFans(&fans);
    CHECK_EQ(joined, joinInTurn(&q, w));
    CHECK_EQ(p.full, q.full);
    if (!joined) return;
    compare(&p, &q);
    all->one += one;
    all->several += !one;
  }
}

TEST(fans_are_faces_one_after_the_other) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2")) return;
#endif
  enum { POLYTOPES = 300 };
  Shape s;
  Joined all = {0};
  for (int kind = 0; kind < KINDS; kind++) {
    for (int i = 0; i < POLYTOPES * (kind == NO_SUPPORTS ? 10 : 1); i++) {
      drawShape(&s, kind);
      grow(&s, &all);
    }
  }
  CHECK(all.one > 1000 && all.several > 1000);
}
