// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Facts about flexes that the compiler, the check and the runtime share.
#ifndef SHEAF_MODEL_FLEX_PARTS_H_
#define SHEAF_MODEL_FLEX_PARTS_H_

#include <mujoco/mujoco.h>

// Edges of an element: of a segment, a triangle, a tetrahedron.
static inline int mji_flexElemEdges(int dim) { return dim == 1 ? 1 : dim == 2 ? 3 : 6; }

// The vertices at the ends of edge k of an element, as places in the element.
static inline void mji_flexElemEdge(int dim, int k, int ends[2]) {
  static const int of1[1][2] = {{0, 1}}, of2[3][2] = {{1, 2}, {2, 0}, {0, 1}};
  static const int of3[6][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};
  const int* row = dim == 1 ? of1[k] : dim == 2 ? of2[k] : of3[k];
  ends[0] = row[0];
  ends[1] = row[1];
}

// Does a flex have edges that change their length? If all its vertices belong to one body, or follow nodes, its edges
// are not computed.
static inline int mji_flexHasEdges(const mjModel* m, int f) { return !m->flex_rigid[f] && !m->flex_interp[f]; }

// Does something need the Jacobian of its edges: an equality, a spring or a damper?
static inline int mji_flexHasJacobian(const mjModel* m, int f) {
  return mji_flexHasEdges(m, f) && (m->flex_edgeequality[f] || m->flex_edgedamping[f] != 0 ||
                                    m->flex_edgestiffness[f] != 0 || m->flex_damping[f] != 0);
}

#endif  // SHEAF_MODEL_FLEX_PARTS_H_
