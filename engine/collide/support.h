// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Support points: the point of a convex shape that is farthest in a direction.
#ifndef SHEAF_COLLIDE_SUPPORT_H_
#define SHEAF_COLLIDE_SUPPORT_H_

#include "collide/pair.h"
#include "lanes/variant.h"
#include "model/hull_graph.h"

typedef struct mjiConvex_ mjiConvex;
typedef void (*mjiSupportFunc)(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]);

struct mjiConvex_ {
  const mjiShape* shape;
  mjiSupportFunc support;
  mjtNum inflate;            // the shape is grown by this much in all directions
  mjtNum center[3];          // a point inside
  int vertex;                // last support vertex of a box, mesh or prism; -1 if there was none
  int node;                  // last support vertex of a mesh, as a node of its hull graph
  int block;                 // and as a block of the layout of that graph
  const float* mesh;         // vertices of a mesh
  const int* graph;          // its hull graph, NULL to search all vertices
  const mjiHull* hull;       // the layout of the graph, NULL if it has none
  mjtNum dent;               // how far a corner may lie beyond the one at which a climb ends
  const mjtNum (*prism)[3];  // 6 vertices, of a piece of a height field
};

// Support of a shape (not planes or height fields).
void mji_support_init(mjiConvex* c, const mjiShape* shape, mjtNum inflate);

// Support of a prism given by six points.
void mji_support_prism(mjiConvex* c, const mjtNum (*prism)[3], mjtNum inflate);

// The same in each variant (convex_variant.h).
void LANE(supportInit)(mjiConvex* c, const mjiShape* shape, mjtNum inflate);
void LANE(supportPrism)(mjiConvex* c, const mjtNum (*prism)[3], mjtNum inflate);

// Support of one shape along a direction, and of another against it.
void LANE(supportBoth)(mjtNum point1[3], mjtNum point2[3], mjiConvex* a, mjiConvex* b, const mjtNum dir[3]);

// The core of a ball or capsule: its center or segment. Returns the radius that was taken off; zero
// for other shapes, which stay as they are.
mjtNum LANE(supportCore)(mjiConvex* c);

// Compare all corners of a mesh from now on, instead of climbing its hull.
void LANE(supportAll)(mjiConvex* c);

// Nonzero if the shape is a polytope, so that its support points are vertices.
static inline int mji_support_discrete(const mjiConvex* c) {
  if (c->inflate != 0) return 0;
  return c->prism || c->shape->type == mjGEOM_BOX || c->shape->type == mjGEOM_MESH || c->shape->type == mjGEOM_SDF;
}

#endif  // SHEAF_COLLIDE_SUPPORT_H_
