// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What follows from the vertices and edges of flexes, over lanes. LANE(flex) in lanes/kernels.h computes their
// positions, boxes, lengths and Jacobians.
//
// A row of flexedge_J has the format that users of one state know: nv numbers if the model's Jacobians are dense,
// compressed if they are sparse. Rows of several lanes are always compressed. The dofs of a row are in the plan.
#ifndef SHEAF_DYNAMICS_FLEX_H_
#define SHEAF_DYNAMICS_FLEX_H_

#include <mujoco/mujoco.h>

#include "model/flex_parts.h"
#include "model/work.h"

#ifdef SHEAF_LANES_LANES_H_

// Derivative of the length of an edge by the velocities of n dofs. Entry i belongs to dof col[i], and is J[i] if the
// row is compressed, else J[col[i]].
typedef struct {
  int n;
  const int* col;
  const V* J;
  int compressed;
} FlexEdgeRow;

static inline FlexEdgeRow flexEdgeRow(const mjModel* m, const mjData* d, int edge) {
  const mjiPlan* plan = mji_plan(m);
  FlexEdgeRow row = {plan->edge_adr[edge + 1] - plan->edge_adr[edge], plan->edge_col + plan->edge_adr[edge],
                     CLANES(d->flexedge_J), !ONE_STATE || mj_isSparse(m)};
  row.J += row.compressed ? (size_t)plan->edge_adr[edge] : (size_t)edge * (size_t)m->nv;
  return row;
}

static inline V flexEdgeEntry(const FlexEdgeRow* row, int i) { return row->J[row->compressed ? i : row->col[i]]; }

// Positions of the nodes of flex f (flex_nodenum x 3, lanes).
void LANE(flexNodes)(const mjModel* m, const mjData* d, int f, mjtNum* xpos);

// Rates of change of the lengths of all edges into d->flexedge_velocity.
void LANE(flexVelocity)(const mjModel* m, mjData* d);

// Add elastic forces to d->qfrc_spring and damping to d->qfrc_damper, unless disabled.
void LANE(flexPassive)(const mjModel* m, mjData* d);

// Potential energy of the springs of edges; like the reference, without that of elements.
V LANE(flexEnergy)(const mjModel* m, const mjData* d);

#endif  // SHEAF_LANES_LANES_H_

#endif  // SHEAF_DYNAMICS_FLEX_H_
