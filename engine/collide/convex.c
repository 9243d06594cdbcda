// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of two convex shapes.

#include "collide/convex.h"

#include "collide/gjk.h"
#include "collide/pair.h"
#include "collide/vec3.h"

int mji_convex_penetrate(mjiHit* hit, const mjModel* m, mjiConvex* a, mjiConvex* b,
                         mjtNum margin) {
  if (m->opt.disableflags & mjDSBL_NATIVECCD) return mji_convex_mpr(hit, m, a, b, margin);
  mjiGjk g = {.max_iterations = m->opt.ccd_iterations, .tolerance = m->opt.ccd_tolerance};
  mji_penetration(&g, a, b);
  if (g.dist >= 0) return 0;
  hit->dist = g.dist + margin;
  sub3(hit->normal, g.x1, g.x2);
  normalize3(hit->normal);
  add3(hit->pos, g.x1, g.x2);
  scale3(hit->pos, hit->pos, 0.5);
  set3(hit->tangent, 0, 0, 0);
  return 1;
}

int mji_pair_convex(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  mjiConvex c1, c2;
  mji_support_init(&c1, a, 0.5 * margin);
  mji_support_init(&c2, b, 0.5 * margin);
  return mji_convex_penetrate(hit, a->m, &c1, &c2, margin);
}
