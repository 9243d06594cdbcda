// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Distance and penetration of two convex shapes, by GJK and EPA on their Minkowski difference.
#ifndef SHEAF_COLLIDE_GJK_H_
#define SHEAF_COLLIDE_GJK_H_

#include "collide/support.h"
#include "collide/vec3.h"

// A vertex of the difference, and where it comes from on both shapes.
typedef struct mjiVertex_ {
  mjtNum v[3];  // a - b
  mjtNum a[3], b[3];
  int ia, ib;  // vertex indices of polytopes
} mjiVertex;

typedef struct mjiGjk_ {
  // in
  int max_iterations;
  mjtNum tolerance;
  mjtNum cutoff;  // largest distance of interest; 0: only penetration
  mjtNum least;   // shapes that overlap by less than this along any direction are apart

  // out
  mjtNum dist;          // negative in penetration, mjMAXVAL beyond the cutoff
  mjtNum gap;           // how far apart the search has shown them to be; 0 in penetration
  mjtNum away[3];       // beyond the cutoff: along which direction
  mjtNum x1[3], x2[3];  // witness points on both shapes
  int turned;           // penetration: nonzero if its direction is not that between the witness points, but
  mjtNum normal[3];     // this one
  mjiVertex simplex[4];
  int nsimplex;
  mjiVertex face_vertex[3];  // penetration: the face of the difference nearest to the origin
} mjiGjk;

// Distance and penetration, with balls and capsules handled by their cores.
void mji_penetration(mjiGjk* g, mjiConvex* a, mjiConvex* b);

// What it does after the search has shown that shapes are apart by less than their dents: g has `gap` and `away`.
void mji_penetrationInDents(mjiGjk* g, const mjiConvex* a, const mjiConvex* b);

// The same in each variant (convex_variant.h), and its parts.
void LANE(penetration)(mjiGjk* g, mjiConvex* a, mjiConvex* b);
void LANE(penetrationInDents)(mjiGjk* g, const mjiConvex* a, const mjiConvex* b);

// Distance; in penetration dist is 0 and the simplex contains the origin.
void LANE(gjk)(mjiGjk* g, mjiConvex* a, mjiConvex* b);

// Penetration depth, from the simplex that the search for the distance left; dist stays as it is if there is none.
void LANE(epa)(mjiGjk* g, mjiConvex* a, mjiConvex* b);

// Vertex in a direction of unit length.
void LANE(gjkSupport)(mjiVertex* vertex, mjiConvex* a, mjiConvex* b, const mjtNum dir[3]);

// How far corners may lie beyond the one at which a climb over the hull ends; 0 if the shapes are not both polytopes.
static inline mjtNum gjkDent(const mjiConvex* a, const mjiConvex* b) {
  return mji_support_discrete(a) && mji_support_discrete(b) ? a->dent + b->dent : 0;
}

// Weights of the vertices of a simplex whose sum is the closest point to the origin; zero for vertices that
// are not needed.
void LANE(gjkClosest)(mjtNum weight[4], const mjiVertex* simplex, int n);

// Weights of three vertices whose sum is the point x of their plane.
void LANE(gjkAffine)(mjtNum weight[3], const mjtNum x[3], const mjiVertex s[3]);

// Foot of the origin on the plane of three points, by the normal at the second or third corner.
int LANE(gjkOtherFoot)(mjtNum foot[3], const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]);

// The same by the normal at the first corner, unless it is of no use; nonzero if the points have no plane.
static inline int gjkPlaneFoot(mjtNum foot[3], const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  mjtNum ab[3], bc[3], n[3];
  sub3(ab, b, a);
  sub3(bc, c, b);
  cross3(n, bc, ab);
  mjtNum nv = dot3(n, b), nn = dot3(n, n);
  if (nn == 0) return 1;
  if (nv == 0 || nn <= mjMINVAL) return LANE(gjkOtherFoot)(foot, a, b, c);
  scale3(foot, n, nv / nn);
  return 0;
}

#endif  // SHEAF_COLLIDE_GJK_H_
