// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of two convex shapes.

#include "collide/convex.h"

#include <string.h>

#include "collide/gjk.h"
#include "collide/pair.h"
#include "collide/vec3.h"

int mji_convex_penetrate(mjiHit* hit, const mjModel* m, mjiConvex* a, mjiConvex* b, mjtNum margin, mjiVertex face[3]) {
  if (m->opt.disableflags & mjDSBL_NATIVECCD) return mji_convex_mpr(hit, m, a, b, margin);
  mjiGjk g = {.max_iterations = m->opt.ccd_iterations, .tolerance = m->opt.ccd_tolerance};
  mji_penetration(&g, a, b);
  if (g.dist >= 0) return 0;
  if (face) memcpy(face, g.face_vertex, sizeof g.face_vertex);
  hit->dist = g.dist + margin;
  sub3(hit->normal, g.x1, g.x2);
  normalize3(hit->normal);
  add3(hit->pos, g.x1, g.x2);
  scale3(hit->pos, hit->pos, 0.5);
  set3(hit->tangent, 0, 0, 0);
  return 1;
}

// second and third axis of the contact frame that belongs to this normal
static void tangents(mjtNum t[2][3], const mjtNum normal[3]) {
  set3(t[0], 0, fabs(normal[1]) < 0.5, fabs(normal[1]) >= 0.5);
  addScaled3(t[0], t[0], normal, -dot3(normal, t[0]));
  normalize3(t[0]);
  cross3(t[1], normal, t[0]);
}

int mji_pair_convex(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  mjiConvex c1, c2;
  mji_support_init(&c1, a, 0.5 * margin);
  mji_support_init(&c2, b, 0.5 * margin);
  mjiVertex face[3];
  int n = mji_convex_penetrate(hit, a->m, &c1, &c2, margin, face);
  if (!n || !(a->m->opt.enableflags & mjENBL_MULTICCD)) return n;

  int native = !(a->m->opt.disableflags & mjDSBL_NATIVECCD);
  if (native && mji_support_discrete(&c1) && mji_support_discrete(&c2)) {
    return mji_convex_faces(hit, a, b, face);
  }

  // balls and ellipsoids touch at one point
  if (a->type == mjGEOM_SPHERE || a->type == mjGEOM_ELLIPSOID || b->type == mjGEOM_ELLIPSOID) return n;
  mjtNum t[2][3];
  tangents(t, hit->normal);
  return mji_convex_tilted(hit, a, b, (const mjtNum(*)[3])t, margin);
}
