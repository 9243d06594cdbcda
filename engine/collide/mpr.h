// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Penetration by Minkowski portal refinement, for models that turn the native GJK and EPA off. Steps, tests and the
// order of sums are those of libccd, whose bits decide which portal of a flat shape is found. Both precisions search in
// double.
#ifndef SHEAF_COLLIDE_MPR_H_
#define SHEAF_COLLIDE_MPR_H_

#include <float.h>

#include "collide/pair.h"
#include "collide/support.h"

// A point of the difference, and where it comes from on both shapes.
typedef struct mjiPortalPoint_ {
  double v[3];  // a - b
  double a[3], b[3];
} mjiPortalPoint;

// The first point is the center of the difference; the others are supports, and the origin is seen through their
// triangle from the center.
typedef struct mjiPortal_ {
  mjiPortalPoint point[4];
  double dir[3];  // of unit length, outward from the triangle
} mjiPortal;

typedef enum mjiMprEnd_ {
  MPR_APART,    // or the shapes touch in a point
  MPR_SEGMENT,  // the origin is on the line from the center to point[1]
  MPR_PORTAL    // the triangle is on the boundary, up to the tolerance
} mjiMprEnd;

// numbers below are zero
#define MPR_ZERO DBL_EPSILON

// each of the first two searches takes a few steps; a pose that takes more has no contact
enum { MPR_STEPS = 1000 };

// Search for the portal between the origin and the boundary. (mpr.c)
mjiMprEnd mji_mpr_search(mjiPortal* p, mjiConvex* a, mjiConvex* b, const mjOption* opt);

// The same in each variant (convex_variant.h), and the support of a shape.
void LANE(mprSupport)(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]);
mjiMprEnd LANE(mprSearch)(mjiPortal* p, mjiConvex* a, mjiConvex* b, const mjOption* opt);

// The contact that a search has found; returns the number of hits. (mpr_hit.c)
int mji_mpr_hit(mjiHit* hit, const mjiPortal* p, mjiMprEnd end, const mjiConvex* a, const mjiConvex* b, mjtNum margin);

#endif  // SHEAF_COLLIDE_MPR_H_
