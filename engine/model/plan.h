// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The execution plan: integer facts that follow from the topology of a model and that the kernels
// would otherwise work out in every step. Made with the model, one block of memory, read-only.
//
// It holds nothing that a user may change in a compiled model without recompiling, with one
// exception: the pair list depends on contact bits, group flags and the filter option, so the
// plan keeps copies of what it was made from, and mji_planPairsValid says whether they still hold.
// If not, collision enumerates pairs itself.
#ifndef SHEAF_MODEL_PLAN_H_
#define SHEAF_MODEL_PLAN_H_

#include <mujoco/mujoco.h>

#include "model/pairs.h"

typedef struct mjiPlan_ {
  size_t nbytes;    // of the whole block, this struct included
  uint64_t serial;  // differs between all plans of a process, also when an address is reused

  // dofs that move a body, root first: chain_ind[chain_adr[b] .. + chain_num[b]]   (nbody)
  int* chain_adr;
  int* chain_num;
  int* chain_ind;

  int* dof_last;   // last descendant of a dof; descendants are contiguous   (nv)
  int* dof_depth;  // number of ancestors, itself included                    (nv)

  // pattern of a matrix with the tree of dofs, and its transpose: row i holds the ancestors of dof i, ascending, and i;
  // column j has the descendants of j
  int* tree_rowadr;  // (nv+1)
  int* tree_col;
  int* tree_depadr;  // (nv+1)
  int* tree_dep;
  uint32_t* tree_quads;  // (nv) blocks of four columns that a row has, of the first 128

  // pattern of flexedge_J: the dofs that move either end of an edge, ascending. Edges without a Jacobian have none.
  int* edge_adr;  // (nflexedge+1)
  int* edge_col;

  // candidate pairs
  int npair;
  mjiPair* pair;
  int nrun;
  mjiRun* run;  // (nrun+1)
  int weight;   // these two: see mjiPairCount
  int64_t nreach;
  int pairs_complete;  // 0: too many pairs to list; collision uses its broad phase
  // copies of what the list depends on
  int filterparent;
  int midphase;
  int* contype;      // (ngeom)
  int* conaffinity;  // (ngeom)
} mjiPlan;

// Blocks of four columns that each of nv rows has: bit b for columns 4b .. 4b+3.
void mji_plan_quads(uint32_t* quads, const int* rowadr, const int* col, int nv);

// Make the plan of a model, NULL if out of memory. Free it with mju_free.
mjiPlan* mji_makePlan(const mjModel* m);

// Nonzero if the pair list still describes the model.
int mji_planPairsValid(const mjModel* m, const mjiPlan* plan);

#endif  // SHEAF_MODEL_PLAN_H_
