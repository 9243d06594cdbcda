// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/plan.h"

#include <string.h>

#include "base/memory.h"
#include "model/flex_parts.h"
#include "model/hull_graph.h"

// dof that moves body b most directly, -1 if it is fixed to the world
static int lastDof(const mjModel* m, int b) {
  while (b && !m->body_dofnum[b]) b = m->body_parentid[b];
  return b ? m->body_dofadr[b] + m->body_dofnum[b] - 1 : -1;
}

// depth of each dof, and the last of its descendants
static void fillDofs(const mjModel* m, mjiPlan* plan) {
  for (int i = 0; i < m->nv; i++) {
    int parent = m->dof_parentid[i];
    plan->dof_depth[i] = parent < 0 ? 1 : plan->dof_depth[parent] + 1;
    plan->dof_last[i] = i;
  }
  for (int i = m->nv - 1; i >= 0; i--) {
    int parent = m->dof_parentid[i];
    if (parent >= 0 && plan->dof_last[parent] < plan->dof_last[i]) {
      plan->dof_last[parent] = plan->dof_last[i];
    }
  }
}

void mji_plan_quads(uint32_t* quads, const int* rowadr, const int* col, int nv) {
  for (int i = 0; i < nv; i++) {
    quads[i] = 0;
    for (int k = rowadr[i]; k < rowadr[i + 1]; k++) quads[i] |= (uint32_t)1 << (col[k] / 4 & 31);
  }
}

static void fillTree(const mjModel* m, mjiPlan* plan) {
  int row = 0, dep = 0;
  for (int i = 0; i < m->nv; i++) {
    plan->tree_rowadr[i] = row;
    row += plan->dof_depth[i];
    for (int j = i, k = row - 1; j >= 0; j = m->dof_parentid[j]) plan->tree_col[k--] = j;
    plan->tree_depadr[i] = dep;
    for (int j = i + 1; j <= plan->dof_last[i]; j++) plan->tree_dep[dep++] = j;
  }
  plan->tree_rowadr[m->nv] = row;
  plan->tree_depadr[m->nv] = dep;
  mji_plan_quads(plan->tree_quads, plan->tree_rowadr, plan->tree_col, (int)m->nv);
}

// depth of a dof, for use before the plan has it
static int countChain(const mjModel* m, int dof) {
  int n = 0;
  for (; dof >= 0; dof = m->dof_parentid[dof]) n++;
  return n;
}

// entries of the tree pattern
static size_t countTree(const mjModel* m) {
  size_t total = 0;
  for (int i = 0; i < m->nv; i++) total += (size_t)countChain(m, i);
  return total;
}

// numbers in all chains: bodies without dofs share the chain of their parent
static int countChains(const mjModel* m) {
  int total = 0;
  for (int b = 1; b < m->nbody; b++) {
    if (m->body_dofnum[b]) total += countChain(m, lastDof(m, b));
  }
  return total;
}

static void fillChains(const mjModel* m, mjiPlan* plan) {
  int next = 0;
  plan->chain_adr[0] = plan->chain_num[0] = 0;
  for (int b = 1; b < m->nbody; b++) {
    if (!m->body_dofnum[b]) {
      plan->chain_adr[b] = plan->chain_adr[m->body_parentid[b]];
      plan->chain_num[b] = plan->chain_num[m->body_parentid[b]];
      continue;
    }

    // from the last dof to the root, written backwards
    int dof = lastDof(m, b);
    plan->chain_adr[b] = next;
    plan->chain_num[b] = plan->dof_depth[dof];
    next += plan->dof_depth[dof];
    for (int i = next - 1; dof >= 0; dof = m->dof_parentid[dof]) plan->chain_ind[i--] = dof;
  }
}

// ---- edges of flexes

// Merge the ascending dofs that move two bodies into col, unless it is NULL; returns how many there are.
static int mergeChains(const mjModel* m, int b0, int b1, int* col) {
  int i = lastDof(m, b0), j = lastDof(m, b1), n = 0;
  for (; i >= 0 || j >= 0; n++) {
    int dof = i > j ? i : j;
    if (col) col[n] = dof;
    if (i == dof) i = m->dof_parentid[i];
    if (j == dof) j = m->dof_parentid[j];
  }
  for (int k = 0; col && k < n / 2; k++) {
    int swap = col[k];
    col[k] = col[n - 1 - k];
    col[n - 1 - k] = swap;
  }
  return n;
}

// Walk all edges; with a plan, write the pattern. Returns the number of entries.
static size_t edgePattern(const mjModel* m, mjiPlan* plan) {
  size_t total = 0;
  for (int f = 0; f < m->nflex; f++) {
    const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      if (plan) plan->edge_adr[e] = (int)total;
      if (!mji_flexHasJacobian(m, f)) continue;
      const int* edge = m->flex_edge + 2 * e;
      total += (size_t)mergeChains(m, body[edge[0]], body[edge[1]], plan ? plan->edge_col + total : NULL);
    }
  }
  if (plan) plan->edge_adr[m->nflexedge] = (int)total;
  return total;
}

mjiPlan* mji_makePlan(const mjModel* m) {
  // pairs are counted first, then listed into the block
  mjiPairCount count = mji_countPairs(m);
  size_t nchain = (size_t)countChains(m);
  size_t ntree = countTree(m);
  size_t nedge = edgePattern(m, NULL);
  if (nedge > INT32_MAX) return NULL;
  size_t nint = (size_t)m->nflexedge + 1 + nedge + 2 * (size_t)m->nbody + nchain + 5 * (size_t)m->nv + 2 + 2 * ntree +
                2 * (size_t)m->ngeom;
  size_t end = sizeof(mjiPlan) + nint * sizeof(int) + (size_t)count.npair * sizeof(mjiPair) +
               (size_t)(count.nrun + 1) * sizeof(mjiRun);
  size_t nbytes = end + HULL_ALIGN + mji_hull_bytes(m);
  mjiPlan* plan = mji_tryCalloc(nbytes);
  if (!plan) return NULL;

  static _Atomic uint64_t serial = 0;
  plan->nbytes = nbytes;
  plan->serial = ++serial;
#ifdef MJI_SINGLE
  plan->serial |= (uint64_t)1 << 63;  // workers keep data of both precisions under these numbers
#endif
  int* p = (int*)(void*)(plan + 1);
#define TAKE(name, n)    \
  plan->name = (void*)p; \
  p += (n);
  TAKE(chain_adr, m->nbody)
  TAKE(chain_num, m->nbody)
  TAKE(chain_ind, nchain)
  TAKE(dof_last, m->nv)
  TAKE(dof_depth, m->nv)
  TAKE(tree_rowadr, m->nv + 1)
  TAKE(tree_col, ntree)
  TAKE(tree_depadr, m->nv + 1)
  TAKE(tree_dep, ntree)
  TAKE(tree_quads, m->nv)
  TAKE(edge_adr, m->nflexedge + 1)
  TAKE(edge_col, nedge)
  TAKE(contype, m->ngeom)
  TAKE(conaffinity, m->ngeom)
#undef TAKE
  plan->pair = (mjiPair*)(void*)p;
  plan->run = (mjiRun*)(void*)(plan->pair + count.npair);

  fillDofs(m, plan);
  fillTree(m, plan);
  fillChains(m, plan);
  edgePattern(m, plan);
  plan->npair = count.npair;
  plan->pairs_complete = count.complete;
  plan->nrun = count.nrun;
  plan->nreach = count.nreach;
  plan->weight = count.weight;
  mji_listPairs(m, plan->pair, plan->run, count);
  mji_hull_layOut(m, mji_planHulls(plan));
  plan->filterparent = !mjDISABLED(mjDSBL_FILTERPARENT);
  plan->midphase = !mjDISABLED(mjDSBL_MIDPHASE);
  memcpy(plan->contype, m->geom_contype, (size_t)m->ngeom * sizeof(int));
  memcpy(plan->conaffinity, m->geom_conaffinity, (size_t)m->ngeom * sizeof(int));
  return plan;
}

// hulls follow the runs of pairs, from the next cache line on
mjiHull* mji_planHulls(const mjiPlan* plan) {
  uintptr_t end = (uintptr_t)(plan->run + plan->nrun + 1);
  return (mjiHull*)((end + HULL_ALIGN - 1) / HULL_ALIGN * HULL_ALIGN);
}

int mji_planPairsValid(const mjModel* m, const mjiPlan* plan) {
  size_t n = (size_t)m->ngeom * sizeof(int);
  return plan->pairs_complete && plan->filterparent == !mjDISABLED(mjDSBL_FILTERPARENT) &&
         plan->midphase == !mjDISABLED(mjDSBL_MIDPHASE) && !memcmp(plan->contype, m->geom_contype, n) &&
         !memcmp(plan->conaffinity, m->geom_conaffinity, n);
}
