// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// MPR over V: mpr.c for all lanes, operation by operation. What rarely happens is left to mpr.c: such lanes become
// unsure.

#include "collide/mpr_lanes.h"

#include "collide/gjk_lanes.h"

// Lanes take steps together until most have ended; those that take more go on alone.
enum { TOGETHER = 100 };

// ---- vectors

static void unit(V r[3]) {
  V scale = 1.0 / v_sqrt(laneDot(r, r));
  for (int k = 0; k < 3; k++) r[k] = r[k] * scale;
}

static void normalOf(V r[3], const V a[3], const V b[3], const V c[3]) {
  V ab[3], ac[3];
  laneSub(ab, b, a);
  laneSub(ac, c, a);
  laneCross(r, ab, ac);
  unit(r);
}

static V triple(const V a[3], const V b[3], const V c[3]) {
  V n[3];
  laneCross(n, a, b);
  return laneDot(n, c);
}

// points need no numbers of vertices
static void copyPoint(M on, LANE(Vertex)* to, const LANE(Vertex)* from) {
  for (int k = 0; k < 3; k++) {
    to->v[k] = v_sel(on, from->v[k], to->v[k]);
    to->a[k] = v_sel(on, from->a[k], to->a[k]);
    to->b[k] = v_sel(on, from->b[k], to->b[k]);
  }
}

static void swapPoints(M on, LANE(Vertex)* a, LANE(Vertex)* b) {
  LANE(Vertex) t = *a;
  copyPoint(on, a, b);
  copyPoint(on, b, &t);
}

// ---- support

static V signOf(V x) {
  V one = v_set1(1), zero = v_zero();
  return v_and(v_gt(x, zero), one) - v_and(v_lt(x, zero), one);
}

static void outermostEllipsoid(V p[3], const LANE(Convex)* c) {
  for (int k = 0; k < 3; k++) p[k] = p[k] * c->size[k];
  V length = v_sqrt(laneDot(p, p));
  M none = v_lt(length, v_set1(mjMINVAL));
  V scale = 1.0 / v_sel(none, v_set1(1), length);
  for (int k = 0; k < 3; k++) p[k] = v_sel(none, v_set1(k == 0), p[k] * scale) * c->size[k];
}

static void outermostCylinder(V p[3], const LANE(Convex)* c) {
  V radial = v_sqrt(p[0] * p[0] + p[1] * p[1]);
  M round = v_gt(radial, v_set1(mjMINVAL));
  radial = v_sel(round, radial, v_set1(1));
  for (int k = 0; k < 2; k++) p[k] = v_and(round, p[k] / radial * c->size[0]);
  p[2] = signOf(p[2]) * c->size[1];
}

static void support(V point[3], LANE(Convex)* c, const V dir[3], M on) {
  M vertex;
  if (c->shape->type == mjGEOM_MESH) {
    laneSupportMesh(point, &vertex, c, dir, on);
    return;
  }
  V local[3];
  laneRotateBack(local, c->shape->mat, dir);
  if (c->shape->type == mjGEOM_ELLIPSOID) {
    outermostEllipsoid(local, c);
  } else if (c->shape->type == mjGEOM_CYLINDER) {
    outermostCylinder(local, c);
  } else {
    for (int k = 0; k < 3; k++) local[k] = signOf(local[k]) * c->size[k];
  }
  lanePlace(point, c, local, dir);
}

static void supportAlong(LANE(Vertex)* w, LANE(Convex)* a, LANE(Convex)* b, const V dir[3], M on) {
  V back[3] = {-dir[0], -dir[1], -dir[2]};
  support(w->a, a, dir, on);
  support(w->b, b, back, on);
  laneSub(w->v, w->a, w->b);
}

// ---- discovery of a portal

static void setCenter(LANE(Vertex)* w, const LANE(Shape)* a, const LANE(Shape)* b) {
  M at_origin = m_full();
  for (int k = 0; k < 3; k++) {
    w->a[k] = a->pos[k];
    w->b[k] = b->pos[k];
    w->v[k] = w->a[k] - w->b[k];
    at_origin &= v_lt(v_abs(w->v[k]), v_set1(MPR_ZERO));
  }
  for (int k = 0; k < 3; k++) w->v[k] = v_sel(at_origin, w->v[k] + v_set1(k ? 0 : 10 * MPR_ZERO), w->v[k]);
}

// Find a support; returns the lanes of `on` that are not apart by it.
static M reach(LANE(Portal)* p, LANE(Vertex)* w, LANE(Convex)* a, LANE(Convex)* b, const V dir[3], M on) {
  supportAlong(w, a, b, dir, on);
  M beyond = on & v_lt(laneDot(w->v, dir), v_set1(MPR_ZERO));
  p->apart |= beyond;
  return on & ~beyond;
}

// Turn the triangle of the center and the first two supports until the origin is between its side and the third.
// Returns the lanes that have a portal.
static M enclose(LANE(Portal)* p, LANE(Convex)* a, LANE(Convex)* b, V dir[3], M on) {
  LANE(Vertex)*s = p->point, w;
  M enclosed = m_none();
  V low = v_set1(-MPR_ZERO);
  for (int i = 0; i < TOGETHER && m_any(on); i++) {
    on = reach(p, &w, a, b, dir, on);
    copyPoint(on, s + 3, &w);
    M second = on & v_le(triple(s[1].v, w.v, s[0].v), low);
    M first = on & ~second & v_le(triple(w.v, s[2].v, s[0].v), low);
    copyPoint(second, s + 2, &w);
    copyPoint(first, s + 1, &w);
    enclosed |= on & ~(first | second);
    on = first | second;
    if (m_any(on)) normalOf(dir, s[0].v, s[1].v, s[2].v);
  }
  p->unsure |= on;
  return enclosed;
}

static M discover(LANE(Portal)* p, LANE(Convex)* a, LANE(Convex)* b, M on) {
  LANE(Vertex)* s = p->point;
  setCenter(s, a->shape, b->shape);
  V dir[3] = {-s[0].v[0], -s[0].v[1], -s[0].v[2]};
  unit(dir);
  on = reach(p, s + 1, a, b, dir, on);
  if (!m_any(on)) return on;
  laneCross(dir, s[0].v, s[1].v);
  M on_line = on & v_lt(laneDot(dir, dir), v_set1(MPR_ZERO));
  p->unsure |= on_line;
  on &= ~on_line;
  unit(dir);
  on = reach(p, s + 2, a, b, dir, on);
  if (!m_any(on)) return on;
  normalOf(dir, s[0].v, s[1].v, s[2].v);
  M turned = v_gt(laneDot(dir, s[0].v), v_zero());
  swapPoints(turned, s + 1, s + 2);
  for (int k = 0; k < 3; k++) dir[k] = v_sel(turned, -dir[k], dir[k]);
  return enclose(p, a, b, dir, on);
}

// ---- refinement

static M reached(const LANE(Portal)* p, const LANE(Vertex)* w) {
  V along = laneDot(w->v, p->dir), least = v_set1(DBL_MAX), one = v_set1(1);
  for (int i = 1; i < 4; i++) least = v_min(along - laneDot(p->point[i].v, p->dir), least);
  V room = v_sel(v_gt(least, p->tolerance), least, p->tolerance);
  room = v_sel(v_gt(room, one), room, one);
  return v_lt(least, p->tolerance) | v_lt(least - p->tolerance, MPR_ZERO * room);
}

// replace the corner such that the origin is still seen through the triangle
static void expand(LANE(Vertex)* s, const LANE(Vertex)* w, M on) {
  V n[3], zero = v_zero();
  laneCross(n, w->v, s[0].v);
  M above[4];
  for (int i = 1; i < 4; i++) above[i] = v_gt(laneDot(s[i].v, n), zero);
  M third = on & above[1] & ~above[2], second = on & ~above[1] & above[3];
  copyPoint(third, s + 3, w);
  copyPoint(second, s + 2, w);
  copyPoint(on & ~(second | third), s + 1, w);
}

// Move the triangle outward: first until the origin is inside, then until it is on the boundary.
static void refine(LANE(Portal)* p, LANE(Convex)* a, LANE(Convex)* b, M on) {
  LANE(Vertex)*s = p->point, w;
  M inside = m_none(), iterations = m_none(), most = m_set1(p->max_iterations);
  V low = v_set1(-MPR_ZERO), dir[3];
  for (int i = 0; i < TOGETHER && m_any(on); i++) {
    normalOf(dir, s[1].v, s[2].v, s[3].v);
    for (int k = 0; k < 3; k++) p->dir[k] = v_sel(on, dir[k], p->dir[k]);
    inside |= on & v_gt(laneDot(p->dir, s[1].v), low);
    supportAlong(&w, a, b, p->dir, on);
    M end = reached(p, &w);
    M apart = on & ~inside & (end | ~v_gt(laneDot(w.v, p->dir), low));
    M found = on & inside & (end | (iterations > most));
    p->apart |= apart;
    p->found |= found;
    on &= ~(apart | found);
    expand(s, &w, on);
    iterations -= inside;
  }
  p->unsure |= on;
}

void LANE(portal)(LANE(Portal)* p, LANE(Convex)* a, LANE(Convex)* b, M on) {
  p->apart = p->found = p->unsure = m_none();
  memset(p->point, 0, sizeof p->point);
  memset(p->dir, 0, sizeof p->dir);
  on = discover(p, a, b, on);
  refine(p, a, b, on);
}

void LANE(portalOf)(mjiPortal* to, const LANE(Portal)* p, int lane) {
  for (int k = 0; k < 3; k++) {
    to->dir[k] = v_get(p->dir[k], lane);
    for (int i = 0; i < 4; i++) {
      to->point[i].v[k] = v_get(p->point[i].v[k], lane);
      to->point[i].a[k] = v_get(p->point[i].a[k], lane);
      to->point[i].b[k] = v_get(p->point[i].b[k], lane);
    }
  }
}
