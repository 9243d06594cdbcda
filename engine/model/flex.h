// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What is asked of a flex in several folders.
#ifndef SHEAF_MODEL_FLEX_H_
#define SHEAF_MODEL_FLEX_H_

#include <mujoco/mujoco.h>

// Does a flex have edges that change their length? If all its vertices belong to one body, or follow nodes, its edges
// are not computed.
static inline int mji_flexHasEdges(const mjModel* m, int f) { return !m->flex_rigid[f] && !m->flex_interp[f]; }

// Does something need the Jacobian of its edges: an equality, a spring or a damper?
static inline int mji_flexHasJacobian(const mjModel* m, int f) {
  return mji_flexHasEdges(m, f) && (m->flex_edgeequality[f] || m->flex_edgedamping[f] != 0 ||
                                    m->flex_edgestiffness[f] != 0 || m->flex_damping[f] != 0);
}

#endif  // SHEAF_MODEL_FLEX_H_
