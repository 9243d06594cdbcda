// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The convex search exists once per variant of one lane: for any processor of its kind, and for one that compares more
// numbers at once. Both compute the same bits. Ordinary sources and groups of lanes, which run these pairs lane by
// lane, call it by the names of support.h, gjk.h and mpr.h, which choose by the processor.
#ifndef SHEAF_COLLIDE_CONVEX_VARIANT_H_
#define SHEAF_COLLIDE_CONVEX_VARIANT_H_

#include "collide/gjk.h"
#include "collide/mpr.h"
#include "collide/support.h"

typedef struct mjiConvexVariant_ {
  void (*init)(mjiConvex* c, const mjiShape* shape, mjtNum inflate);
  void (*prism)(mjiConvex* c, const mjtNum (*prism)[3], mjtNum inflate);
  void (*penetration)(mjiGjk* g, mjiConvex* a, mjiConvex* b);
  void (*penetration_in_dents)(mjiGjk* g, const mjiConvex* a, const mjiConvex* b);
  mjiMprEnd (*mpr)(mjiPortal* p, mjiConvex* a, mjiConvex* b, const mjOption* opt);
} mjiConvexVariant;

// convex_search.c
extern const mjiConvexVariant LANE(convexVariant);

#endif  // SHEAF_COLLIDE_CONVEX_VARIANT_H_
