// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One pair of convex shapes in the poses of all lanes. GJK runs over V; lanes that it leaves open are searched one by
// one.

#include "collide/convex_lanes.h"

#include "collide/convex.h"
#include "collide/convex_variant.h"
#include "collide/gjk_lanes.h"

// with fewer lanes, one after the other is faster
enum { FEW = 2 };

// the pair in each lane
typedef struct Pair_ {
  mjiShape shape[2][SHEAF_LANES];
  mjiConvex convex[2][SHEAF_LANES];
  mjtNum margin[SHEAF_LANES];
  int like[SHEAF_LANES];  // an earlier lane with the same pose, or the lane itself; -1: not asked for
} Pair;

// Set the shapes of each lane of near; returns the lanes that differ from the one before. Where rows share positions,
// and in groups that are not full, lanes have the poses of the lane before, and so its hits.
static M setPair(Pair* p, const LANE(Shape)* const s[2], N margin, M near) {
  M alone = m_none();
  int last = -1;
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    p->like[lane] = -1;
    if (!m_get(near, lane)) continue;
    int same = !OWN_NUMBERS && last >= 0;
    p->margin[lane] = n_get(margin, lane);
    for (int i = 0; i < 2; i++) {
      mjiShape* shape = &p->shape[i][lane];
      laneShape(shape, s[i], lane);
      mji_support_init(&p->convex[i][lane], shape, 0.5 * p->margin[lane]);
      same = same && samePose(shape, &p->shape[i][last]);
    }
    if (!same) {
      last = lane;
      m_put(&alone, lane, 1);
    }
    p->like[lane] = last;
  }
  return alone;
}

// Is a small hull as it was laid out? A program may change the vertices of its model.
static int isUnchanged(const mjiHull* h, const int* id, const float* vertex) {
  int stride = mji_hull_stride(h), same = 1;
  for (int i = 0; i < h->nnode; i++) {
    const float* v = vertex + 3 * id[i];
    for (int k = 0; k < 3; k++) same &= h->place[k * stride + i] == (mjtNum)v[k];
  }
  return same;
}

static void setHull(LANE(Convex)* c, const mjiConvex* one) {
  c->hull = one->hull;
  if (!c->hull) return;
  c->mesh = one->mesh;
  c->id = one->graph + 2 + one->graph[0];
  c->node = m_none();
  if (c->hull->place && !isUnchanged(c->hull, c->id, one->mesh)) c->hull = NULL;
}

static void setConvex(LANE(Convex)* c, mjiConvex* one, const LANE(Shape)* s, N margin, M on) {
  c->shape = s;
  c->one = one;
  for (int k = 0; k < 3; k++) c->size[k] = v_num(s->size[k]);
  c->inflate = v_num(0.5 * margin);
  c->inflated = v_gt(c->inflate, v_zero());
  c->hull = NULL;
  int lane = 0;
  while (!m_get(on, lane)) lane++;
  setHull(c, one + lane);
}

static int countOf(M on) {
  int n = 0;
  for (int lane = 0; lane < SHEAF_LANES; lane++) n += m_get(on, lane);
  return n;
}

// lanes in which both shapes are polytopes, so that the search ends exactly
static M exactLanes(const Pair* p, M on) {
  M exact = m_none();
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (m_get(on, lane)) {
      m_put(&exact, lane, mji_support_discrete(&p->convex[0][lane]) && mji_support_discrete(&p->convex[1][lane]));
    }
  }
  return exact;
}

// Search over V in the lanes of `on`; returns those in which shapes are apart or their depth is known.
static M searchTogether(mjiGjk* g, Pair* p, const LANE(Shape)* const s[2], N margin, M on) {
  const mjOption* opt = &s[0]->m->opt;
  LANE(Convex) c[2];
  for (int i = 0; i < 2; i++) setConvex(&c[i], p->convex[i], s[i], margin, on);
  LANE(Overlap) all = {.max_iterations = opt->ccd_iterations, .tolerance = v_set1(opt->ccd_tolerance)};
  all.epsilon = v_and(~exactLanes(p, on), 0.5 * all.tolerance * all.tolerance);
  LANE(overlap)(&all, &c[0], &c[1], on);
  if (m_any(all.inside)) all.apart |= LANE(depth)(g, &all, &c[0], &c[1], all.inside);
  return all.apart;
}

// search in the lanes of `on`
static void search(mjiGjk* g, Pair* p, const LANE(Shape)* const s[2], N margin, M on) {
  const mjOption* opt = &s[0]->m->opt;
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    g[lane].max_iterations = opt->ccd_iterations;
    g[lane].tolerance = opt->ccd_tolerance;
    g[lane].cutoff = 0;
    g[lane].dist = mjMAXVAL;
  }
  M left = on;
  if (countOf(on) > FEW) left &= ~searchTogether(g, p, s, margin, on);
  for (int lane = 0; m_any(left) && lane < SHEAF_LANES; lane++) {
    if (!m_get(left, lane)) continue;
    mjiConvex *a = &p->convex[0][lane], *b = &p->convex[1][lane];
    mji_support_init(a, a->shape, 0.5 * p->margin[lane]);
    mji_support_init(b, b->shape, 0.5 * p->margin[lane]);
    mji_penetration(g + lane, a, b);
  }
}

int LANE(pairConvex)(LANE(Hit)* hit, const LANE(Shape)* a, const LANE(Shape)* b, N margin, M near) {
  const LANE(Shape)* s[2] = {a, b};
  Pair p;
  mjiGjk g[SHEAF_LANES];
  search(g, &p, s, margin, setPair(&p, s, margin, near));
  mjiHit one[mjMAXCONPAIR];
  int nrank = 0, n = 0;
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (p.like[lane] < 0) continue;
    if (p.like[lane] == lane) {
      n = mji_convex_contacts(one, &g[lane], &p.convex[0][lane], &p.convex[1][lane], p.margin[lane]);
    }
    nrank = laneHits(hit, nrank, one, n, lane);
  }
  return nrank;
}
