// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Support points: the point of a convex shape that is farthest in a direction.
#ifndef SHEAF_COLLIDE_SUPPORT_H_
#define SHEAF_COLLIDE_SUPPORT_H_

#include "collide/pair.h"

typedef struct mjiConvex_ mjiConvex;
typedef void (*mjiSupportFunc)(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]);

struct mjiConvex_ {
  const mjiShape* shape;
  mjiSupportFunc support;
  mjtNum inflate;            // the shape is grown by this much in all directions
  mjtNum center[3];          // a point inside
  int vertex;                // last support vertex of a box, mesh or prism; -1 if there was none
  int climb;                 // use the hull graph of small meshes too
  int node;                  // last support vertex of a mesh, as a node of its hull graph
  int large;                 // a hull with many nodes: where its climbs start is for the caller to choose
  const mjtNum (*prism)[3];  // 6 vertices, of a piece of a height field
};

// Support of a shape (not planes or height fields).
void mji_support_init(mjiConvex* c, const mjiShape* shape, mjtNum inflate);

// Support of a prism given by six points.
void mji_support_prism(mjiConvex* c, const mjtNum (*prism)[3], mjtNum inflate);

// The core of a ball or capsule: its center or segment. Returns the radius that was taken off; zero
// for other shapes, which stay as they are.
mjtNum mji_support_core(mjiConvex* c);

// Nonzero if the shape is a polytope, so that its support points are vertices.
int mji_support_discrete(const mjiConvex* c);

#endif  // SHEAF_COLLIDE_SUPPORT_H_
