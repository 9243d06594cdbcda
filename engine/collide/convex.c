// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of two convex shapes.

#include "collide/convex.h"

#include "collide/gjk.h"
#include "collide/pair.h"
#include "collide/vec3.h"

// the contact of a search that found penetration; returns the number of hits
static int hitOf(mjiHit* hit, const mjiGjk* g, mjtNum margin) {
  if (g->dist >= 0) return 0;
  hit->dist = g->dist + margin;
  if (g->turned) copy3(hit->normal, g->normal);
  else sub3(hit->normal, g->x1, g->x2);
  normalize3(hit->normal);
  add3(hit->pos, g->x1, g->x2);
  scale3(hit->pos, hit->pos, 0.5);
  set3(hit->tangent, 0, 0, 0);
  return 1;
}

int mji_convex_penetrate(mjiHit* hit, const mjModel* m, mjiConvex* a, mjiConvex* b, mjtNum margin) {
  if (m->opt.disableflags & mjDSBL_NATIVECCD) return mji_convex_mpr(hit, m, a, b, margin);
  mjiGjk g = {.max_iterations = m->opt.ccd_iterations, .tolerance = m->opt.ccd_tolerance};
  mji_penetration(&g, a, b);
  return hitOf(hit, &g, margin);
}

// beside the first contact of two shapes with curves, if both have more to touch with than a point
static int tiltedContacts(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  if (a->type == mjGEOM_SPHERE || a->type == mjGEOM_ELLIPSOID || b->type == mjGEOM_ELLIPSOID) return 1;
  mjtNum t[2][3];
  tangents3(t, hit->normal);
  return mji_convex_tilted(hit, a, b, (const mjtNum(*)[3])t, margin);
}

int mji_convex_contacts(mjiHit* hit, const mjiGjk* g, const mjiConvex* a, const mjiConvex* b, mjtNum margin) {
  int n = hitOf(hit, g, margin);
  if (!n || !(a->shape->m->opt.enableflags & mjENBL_MULTICCD)) return n;
  if (mji_support_discrete(a) && mji_support_discrete(b)) {
    return mji_convex_faces(hit, a->shape, b->shape, g->face_vertex);
  }
  return tiltedContacts(hit, a->shape, b->shape, margin);
}

int mji_pair_convex(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  mjiConvex c1, c2;
  mji_support_init(&c1, a, 0.5 * margin);
  mji_support_init(&c2, b, 0.5 * margin);
  const mjOption* opt = &a->m->opt;
  if (opt->disableflags & mjDSBL_NATIVECCD) {
    int n = mji_convex_mpr(hit, a->m, &c1, &c2, margin);
    return n && opt->enableflags & mjENBL_MULTICCD ? tiltedContacts(hit, a, b, margin) : n;
  }
  mjiGjk g = {.max_iterations = opt->ccd_iterations, .tolerance = opt->ccd_tolerance};
  mji_penetration(&g, &c1, &c2);
  return mji_convex_contacts(hit, &g, &c1, &c2, margin);
}
