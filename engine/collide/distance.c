// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Smallest signed distance between two geoms.

#include <string.h>

#include "collide/gjk.h"
#include "collide/pair.h"
#include "collide/vec3.h"

// distance of convex shapes by GJK, or depth by EPA
static mjtNum convexDistance(const mjModel* m, const mjiShape* a, const mjiShape* b, mjtNum distmax, mjtNum fromto[6]) {
  mjiConvex c1, c2;
  mjiGjk g = {.max_iterations = m->opt.ccd_iterations, .tolerance = m->opt.ccd_tolerance, .cutoff = distmax};
  mji_support_init(&c1, a, 0);
  mji_support_init(&c2, b, 0);
  mji_penetration(&g, &c1, &c2);
  if (g.dist < mjMAXVAL && fromto) {
    copy3(fromto, g.x1);
    copy3(fromto + 3, g.x2);
  }
  return g.dist < distmax ? g.dist : distmax;
}

// the deepest of the contacts within distmax
static mjtNum contactDistance(mjiPairFunc func, const mjiShape* a, const mjiShape* b, mjtNum distmax,
                              mjtNum fromto[6]) {
  mjiHit hit[mjMAXCONPAIR];
  int n = func(hit, a, b, distmax), best = -1;
  mjtNum dist = distmax;
  for (int i = 0; i < n; i++) {
    if (hit[i].dist < dist) {
      dist = hit[i].dist;
      best = i;
    }
  }
  if (best >= 0 && fromto) {
    addScaled3(fromto, hit[best].pos, hit[best].normal, -0.5 * dist);
    addScaled3(fromto + 3, hit[best].pos, hit[best].normal, 0.5 * dist);
  }
  return dist;
}

mjtNum mj_geomDistance(const mjModel* m, const mjData* d, int geom1, int geom2, mjtNum distmax, mjtNum fromto[6]) {
  if (fromto) memset(fromto, 0, 6 * sizeof *fromto);
  mjiShape a, b;
  mji_pair_shape(&a, m, d, geom1);
  mji_pair_shape(&b, m, d, geom2);
  int swap = a.type > b.type;
  mjiPairFunc func = swap ? mji_pair_func(b.type, a.type) : mji_pair_func(a.type, b.type);
  if (!func) return distmax;

  // convex pairs take the geoms in any order
  int convex = func == mji_pair_convex || func == mji_pair_boxBox;
  if (convex && !(m->opt.disableflags & mjDSBL_NATIVECCD)) {
    return convexDistance(m, &a, &b, distmax, fromto);
  }
  if (!swap) return contactDistance(func, &a, &b, distmax, fromto);
  mjtNum dist = contactDistance(func, &b, &a, distmax, fromto);
  if (fromto) {
    mjtNum from[3];
    copy3(from, fromto);
    copy3(fromto, fromto + 3);
    copy3(fromto + 3, from);
  }
  return dist;
}
