// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The search of MPR for one state. mpr_lanes.c repeats it operation by operation: whoever changes one changes the
// other.

#include "collide/mpr.h"

#include "collide/mpr_vec.h"
#include "collide/vec3.h"

// ---- support: equal to the reference's in every bit, because the last bit decides the portal of a flat shape

static mjtNum sign(mjtNum x) { return (x > 0) - (x < 0); }

// outermost point of a primitive in a direction of unit length, both in its frame
static void outermost(mjtNum p[3], int type, const mjtNum* size, const mjtNum dir[3]) {
  mjtNum radial = __builtin_sqrt(dir[0] * dir[0] + dir[1] * dir[1]);
  switch (type) {
    case mjGEOM_SPHERE: scale3(p, dir, size[0]); break;
    case mjGEOM_CAPSULE:
      scale3(p, dir, size[0]);
      p[2] += sign(dir[2]) * size[1];
      break;
    case mjGEOM_ELLIPSOID:
      for (int k = 0; k < 3; k++) p[k] = dir[k] * size[k];
      normalize3(p);
      for (int k = 0; k < 3; k++) p[k] *= size[k];
      break;
    case mjGEOM_CYLINDER:
      set3(p, 0, 0, sign(dir[2]) * size[1]);
      for (int k = 0; k < 2 && radial > mjMINVAL; k++) p[k] = dir[k] / radial * size[0];
      break;
    default:
      for (int k = 0; k < 3; k++) p[k] = sign(dir[k]) * size[k];
  }
}

void LANE(mprSupport)(mjtNum q[3], mjiConvex* c, const mjtNum along[3]) {
  mjtNum local[3], p[3];
  int type = c->shape ? c->shape->type : mjGEOM_NONE;
  if (type == mjGEOM_NONE || type == mjGEOM_MESH || type == mjGEOM_SDF || type == mjGEOM_FLEX) {
    c->support(q, c, along);
    return;
  }
  rotateBack3(local, c->shape->mat, along);
  outermost(p, type, c->shape->size, local);
  rotate3(q, c->shape->mat, p);
  add3(q, q, c->shape->pos);
  if (c->inflate > 0) addScaled3(q, q, along, c->inflate);
}

static void setPoint(mjiPortalPoint* w, const mjtNum a[3], const mjtNum b[3]) {
  for (int k = 0; k < 3; k++) {
    w->a[k] = a[k];
    w->b[k] = b[k];
    w->v[k] = w->a[k] - w->b[k];
  }
}

static void supportAlong(mjiPortalPoint* w, mjiConvex* a, mjiConvex* b, const double dir[3]) {
  mjtNum along[3] = {dir[0], dir[1], dir[2]}, back[3] = {-dir[0], -dir[1], -dir[2]}, p[3], q[3];
  if (a->hull && b->hull) {
    LANE(supportBoth)(p, q, a, b, along);
  } else {
    LANE(mprSupport)(p, a, along);
    LANE(mprSupport)(q, b, back);
  }
  setPoint(w, p, q);
}

// ---- discovery of a portal

static int isZero(const double v[3]) { return fabs(v[0]) < MPR_ZERO && fabs(v[1]) < MPR_ZERO && fabs(v[2]) < MPR_ZERO; }

// the center of the difference, a little beside the origin if it is there
static void setCenter(mjiPortalPoint* w, const mjiConvex* a, const mjiConvex* b) {
  setPoint(w, a->center, b->center);
  if (!isZero(w->v)) return;
  for (int k = 0; k < 3; k++) w->v[k] += k ? 0 : 10 * MPR_ZERO;
}

// Find a support; nonzero if the origin is beyond it, so that the shapes are apart.
static int isBeyond(mjiPortalPoint* w, mjiConvex* a, mjiConvex* b, const double dir[3]) {
  supportAlong(w, a, b, dir);
  return mprDot(w->v, dir) < MPR_ZERO;
}

static void swapPoints(mjiPortalPoint* a, mjiPortalPoint* b) {
  mjiPortalPoint t = *a;
  *a = *b;
  *b = t;
}

// Turn the triangle of the center and the first two supports until the origin is between its side and the third.
static int enclose(mjiPortalPoint* s, mjiConvex* a, mjiConvex* b, double dir[3]) {
  for (int i = 0; i < MPR_STEPS; i++) {
    if (isBeyond(s + 3, a, b, dir)) return 0;
    if (mprTriple(s[1].v, s[3].v, s[0].v) <= -MPR_ZERO) s[2] = s[3];
    else if (mprTriple(s[3].v, s[2].v, s[0].v) <= -MPR_ZERO) s[1] = s[3];
    else return 1;
    mprNormal(dir, s[0].v, s[1].v, s[2].v);
  }
  return 0;
}

static mjiMprEnd discover(mjiPortalPoint* s, mjiConvex* a, mjiConvex* b) {
  setCenter(s, a, b);
  double dir[3] = {-s[0].v[0], -s[0].v[1], -s[0].v[2]};
  mprUnit(dir);
  if (isBeyond(s + 1, a, b, dir)) return MPR_APART;
  mprCross(dir, s[0].v, s[1].v);
  if (mprDot(dir, dir) < MPR_ZERO) return isZero(s[1].v) ? MPR_APART : MPR_SEGMENT;
  mprUnit(dir);
  if (isBeyond(s + 2, a, b, dir)) return MPR_APART;
  mprNormal(dir, s[0].v, s[1].v, s[2].v);
  if (mprDot(dir, s[0].v) > 0) {
    swapPoints(s + 1, s + 2);
    mprScale(dir, -1);
  }
  return enclose(s, a, b, dir) ? MPR_PORTAL : MPR_APART;
}

// ---- refinement

// is the point beyond the triangle by no more than the tolerance?
static int isReached(const mjiPortalPoint* s, const mjiPortalPoint* w, const double dir[3], double tolerance) {
  double along = mprDot(w->v, dir), least = DBL_MAX;
  for (int i = 1; i < 4; i++) {
    double gap = along - mprDot(s[i].v, dir);
    least = gap < least ? gap : least;
  }
  double room = least > tolerance ? least : tolerance;
  return least < tolerance || least - tolerance < MPR_ZERO * (room > 1 ? room : 1);
}

// replace the corner such that the origin is still seen through the triangle
static void expand(mjiPortalPoint* s, const mjiPortalPoint* w) {
  double n[3];
  mprCross(n, w->v, s[0].v);
  int corner;
  if (mprDot(s[1].v, n) > 0) corner = mprDot(s[2].v, n) > 0 ? 1 : 3;
  else corner = mprDot(s[3].v, n) > 0 ? 2 : 1;
  s[corner] = *w;
}

// Move the triangle outward: first until the origin is inside, then until it is on the boundary.
static mjiMprEnd refine(mjiPortal* p, mjiConvex* a, mjiConvex* b, const mjOption* opt) {
  mjiPortalPoint *s = p->point, w;
  int inside = 0, iterations = 0;
  for (int outside = 0; outside < MPR_STEPS; outside += !inside) {
    mprNormal(p->dir, s[1].v, s[2].v, s[3].v);
    inside |= mprDot(p->dir, s[1].v) > -MPR_ZERO;
    supportAlong(&w, a, b, p->dir);
    int reached = isReached(s, &w, p->dir, opt->ccd_tolerance);
    if (!inside && (reached || !(mprDot(w.v, p->dir) > -MPR_ZERO))) return MPR_APART;
    if (inside && (reached || iterations > opt->ccd_iterations)) return MPR_PORTAL;
    expand(s, &w);
    iterations += inside;
  }
  return MPR_APART;
}

mjiMprEnd LANE(mprSearch)(mjiPortal* p, mjiConvex* a, mjiConvex* b, const mjOption* opt) {
  mjiMprEnd end = discover(p->point, a, b);
  return end == MPR_PORTAL ? refine(p, a, b, opt) : end;
}
