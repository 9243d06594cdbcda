// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One pair of convex shapes in the poses of all lanes. GJK runs over V; lanes that it leaves open are searched one by
// one.

#include "collide/convex_lanes.h"

#include <string.h>

#include "collide/convex.h"
#include "collide/convex_variant.h"
#include "collide/gjk_lanes.h"
#include "collide/mpr_lanes.h"

// with fewer lanes, one after the other is faster
enum { FEW = 2 };

// The pair, and its shapes in single lanes, which are made when they are needed.
typedef struct Pair_ {
  const LANE(Shape)* lanes[2];
  N margin;
  mjiShape shape[2][SHEAF_LANES];
  mjiConvex convex[2][SHEAF_LANES];
} Pair;

static void setLane(Pair* p, int lane) {
  for (int i = 0; i < 2; i++) {
    laneShape(&p->shape[i][lane], p->lanes[i], lane);
    mji_support_init(&p->convex[i][lane], &p->shape[i][lane], 0.5 * n_get(p->margin, lane));
  }
}

static M equalTo(V x, V y) { return mji_bits(x) == mji_bits(y); }

// a number of the lane before
static V before(V x) {
  mjtNum t[SHEAF_LANES + 1] = {0};
  memcpy(t + 1, &x, sizeof x);
  memcpy(&x, t, sizeof x);
  return x;
}

// Lanes whose shapes have the poses of the lane before, and so its hits: where rows share positions, and in groups that
// are not full.
static M repeatedLanes(const LANE(Shape)* const s[2], M near) {
  if (OWN_NUMBERS) return m_none();
  M same = near & mji_bits(before(mji_unbits(near)));
  for (int i = 0; i < 2 && m_any(same); i++) {
    for (int k = 0; k < 3; k++) same &= equalTo(s[i]->pos[k], before(s[i]->pos[k]));
    for (int k = 0; k < 9 && m_any(same); k++) same &= equalTo(s[i]->mat[k], before(s[i]->mat[k]));
  }
  return same;
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
  c->node = m_none();
  c->hull = one->hull;
  if (!c->hull) return;
  c->mesh = one->mesh;
  c->id = one->graph + 2 + one->graph[0];
  if (c->hull->place && !isUnchanged(c->hull, c->id, one->mesh)) c->hull = NULL;
}

// Set the shapes for all lanes. Where meshes have no hull that lanes can use, and where lanes have own numbers, also
// those for each lane of `on`; lane `first` has them already.
static void setConvex(LANE(Convex)* c, Pair* p, int first, M on) {
  int each = OWN_NUMBERS;
  for (int i = 0; i < 2; i++) {
    c[i].shape = p->lanes[i];
    c[i].one = p->convex[i];
    for (int k = 0; k < 3; k++) c[i].size[k] = v_num(c[i].shape->size[k]);
    c[i].inflate = v_num(0.5 * p->margin);
    c[i].inflated = v_gt(c[i].inflate, v_zero());
    c[i].like = &p->convex[i][first];
    setHull(&c[i], c[i].like);
    each |= c[i].shape->type == mjGEOM_MESH && !c[i].hull;
  }
  for (int lane = 0; each && lane < SHEAF_LANES; lane++) {
    if (m_get(on, lane)) setLane(p, lane);
  }
}

static int countOf(M on) {
  int n = 0;
  for (int lane = 0; lane < SHEAF_LANES; lane++) n += m_get(on, lane);
  return n;
}

static int isPolytope(int type) { return type == mjGEOM_BOX || type == mjGEOM_MESH; }

static void searchInDents(mjiGjk* g, Pair* p, const LANE(Overlap)* all, int lane) {
  setLane(p, lane);
  g->gap = v_get(all->gap, lane);
  for (int k = 0; k < 3; k++) g->away[k] = v_get(all->away[k], lane);
  mji_penetrationInDents(g, &p->convex[0][lane], &p->convex[1][lane]);
}

// Search over V in the lanes of `on`; returns those in which shapes are apart or their depth is known.
static M searchTogether(mjiGjk* g, Pair* p, int first, M on) {
  LANE(Convex) c[2];
  setConvex(c, p, first, on);
  LANE(Overlap) all = {.max_iterations = g[first].max_iterations, .tolerance = v_set1(g[first].tolerance)};

  // polytopes that do not grow are searched exactly
  M exact = v_eq(c[0].inflate, v_zero());
  if (!isPolytope(c[0].shape->type) || !isPolytope(c[1].shape->type)) exact = m_none();
  all.epsilon = v_and(~exact, 0.5 * all.tolerance * all.tolerance);
  all.dent = v_and(exact, v_set1(c[0].like->dent + c[1].like->dent));
  LANE(overlap)(&all, &c[0], &c[1], on);
  if (m_any(all.inside)) all.apart |= LANE(depth)(g, &all, &c[0], &c[1], all.inside);
  for (int lane = 0; m_any(all.hidden) && lane < SHEAF_LANES; lane++) {
    if (m_get(all.hidden, lane)) searchInDents(g + lane, p, &all, lane);
  }
  return all.apart | all.hidden;
}

// search in the lanes of `on`, whose first has its shapes already
static void search(mjiGjk* g, Pair* p, int first, M on) {
  const mjOption* opt = &p->shape[0][first].m->opt;
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    g[lane].max_iterations = opt->ccd_iterations;
    g[lane].tolerance = opt->ccd_tolerance;
    g[lane].cutoff = g[lane].least = 0;
    g[lane].dist = mjMAXVAL;
    g[lane].turned = 0;
  }
  M left = on;
  if (countOf(on) > FEW) left &= ~searchTogether(g, p, first, on);
  for (int lane = 0; m_any(left) && lane < SHEAF_LANES; lane++) {
    if (!m_get(left, lane)) continue;
    setLane(p, lane);
    mji_penetration(g + lane, &p->convex[0][lane], &p->convex[1][lane]);
  }
}

// Contacts of one lane; more than one only with multiccd, which needs the shapes of the lane.
static int contactsOf(mjiHit* hit, Pair* p, const mjiGjk* g, int first, int lane) {
  if (g->dist >= 0) return 0;
  int each = p->shape[0][first].m->opt.enableflags & mjENBL_MULTICCD;
  if (each) setLane(p, lane);
  const mjiConvex *a = p->convex[0] + (each ? lane : first), *b = p->convex[1] + (each ? lane : first);
  return mji_convex_contacts(hit, g, a, b, n_get(p->margin, lane));
}

// ---- GJK and EPA turned off

// Is the surface of a shape curved, so that the normal of a hit is taken from there?
static int isCurved(const LANE(Shape)* s) { return s->type == mjGEOM_ELLIPSOID || s->type == mjGEOM_CYLINDER; }

// the hit of a lane whose portal was found over V
static int hitOfPortal(mjiHit* hit, Pair* p, const LANE(Portal)* portal, int first, int lane) {
  mjiPortal one;
  int each = isCurved(p->lanes[0]) || isCurved(p->lanes[1]) ? lane : first;
  if (each != first) setLane(p, each);
  LANE(portalOf)(&one, portal, lane);
  return mji_mpr_hit(hit, &one, MPR_PORTAL, &p->convex[0][each], &p->convex[1][each], n_get(p->margin, lane));
}

static int hitOfSearch(mjiHit* hit, Pair* p, int lane) {
  setLane(p, lane);
  const mjModel* m = p->shape[0][lane].m;
  return mji_convex_mpr(hit, m, &p->convex[0][lane], &p->convex[1][lane], n_get(p->margin, lane));
}

// The hits of a lane, by the portal that was found over V or by a search of its own.
static int hitsByMpr(mjiHit* hit, Pair* p, const LANE(Portal)* portal, int first, int lane) {
  if (m_get(portal->apart, lane)) return 0;
  return m_get(portal->found, lane) ? hitOfPortal(hit, p, portal, first, lane) : hitOfSearch(hit, p, lane);
}

static int pairMpr(LANE(Hit)* hit, Pair* p, int first, M near, M repeated) {
  LANE(Convex) c[2];
  LANE(Portal) portal;
  const mjOption* opt = &p->shape[0][first].m->opt;
  M on = near & ~repeated;
  portal.max_iterations = opt->ccd_iterations;
  portal.tolerance = v_set1(opt->ccd_tolerance);
  portal.apart = portal.found = m_none();
  if (countOf(on) > FEW) {
    setConvex(c, p, first, on);
    LANE(portal)(&portal, &c[0], &c[1], on);
  }
  int nrank = 0, n = 0;
  mjiHit one;
  for (int lane = first; lane < SHEAF_LANES; lane++) {
    if (!m_get(near, lane)) continue;
    if (!m_get(repeated, lane)) n = hitsByMpr(&one, p, &portal, first, lane);  // else those of the lane before
    nrank = laneHits(hit, nrank, &one, n, lane);
  }
  return nrank;
}

int LANE(pairConvex)(LANE(Hit)* hit, const LANE(Shape)* a, const LANE(Shape)* b, N margin, M near) {
  Pair p;
  p.lanes[0] = a;
  p.lanes[1] = b;
  p.margin = margin;
  mjiGjk g[SHEAF_LANES];
  int nrank = 0, n = 0, first = 0;
  while (!m_get(near, first)) first++;
  setLane(&p, first);
  M repeated = repeatedLanes(p.lanes, near);
  if (p.shape[0][first].m->opt.disableflags & mjDSBL_NATIVECCD) return pairMpr(hit, &p, first, near, repeated);
  search(g, &p, first, near & ~repeated);
  mjiHit one[mjMAXCONPAIR];
  for (int lane = first; lane < SHEAF_LANES; lane++) {
    if (!m_get(near, lane)) continue;
    if (!m_get(repeated, lane)) n = contactsOf(one, &p, &g[lane], first, lane);
    nrank = laneHits(hit, nrank, one, n, lane);
  }
  return nrank;
}
