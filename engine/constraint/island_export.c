// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Writes the arrays of islands that programs may read: dofs and constraint rows listed island by island (idof, iefc),
// those of no island last, and the quantities of a solver that works on islands, in the same order. mj_forward, mj_step
// and mj_island write them; batches do not. mji_island_gather adds the results of the solver.
#include <string.h>

#include <mujoco/mjxmacro.h>

#include "constraint/island.h"
#include "constraint/rows.h"

// ---- memory: one range of the arena for all arrays that are not there yet

#undef MJ_M
#undef MJ_D
#define MJ_M(n) (m->n)
#define MJ_D(n) (d->n)

#define BYTES(type, nr, nc) mji_alignUp((size_t)(nr) * (size_t)(nc) * sizeof(type), sizeof(mjtNum))

static int allocArrays(const mjModel* m, mjData* d) {
  char *start = (char*)d->arena + mji_alignUp(d->parena, sizeof(mjtNum)), *p = start;
#define X(type, name, nr, nc)  \
  if (!d->name) {              \
    d->name = (type*)(void*)p; \
    p += BYTES(type, nr, nc);  \
  }
  MJDATA_ARENA_POINTERS_ISLAND
#undef X
  return mji_arenaAlloc(d, (size_t)(p - start), sizeof(mjtNum)) != NULL;
}

// Names of the arrays of rows. The PATTERN arrays exist only for sparse Jacobians.
#define ROWS X(type) X(id) X(J) X(frictionloss) X(D) X(R) X(aref) X(force)
#define PATTERN X(J_rownnz) X(J_rowadr) X(J_rowsuper) X(J_colind)

// If one island has everything, as in models with one tree, its arrays of rows are those of all constraints. Only the
// states of rows differ: see solve/constraint_stage.c.
static void shareRows(mjData* d) {
#define X(name) d->iefc_##name = d->efc_##name;
  ROWS PATTERN
#undef X
}

static int isOne(const mjModel* m, const mjData* d) {
  return d->nisland == 1 && d->nidof == m->nv && d->island_nefc[0] == d->nefc;
}

// nonzero if one island will have everything; asked before its rows are counted
static int isToBeOne(const mjModel* m, const mjData* d, const int* first) {
  int one = d->nisland == 1 && d->nidof == m->nv;
  for (int i = 0; one && i < mji_work(d)->nblock; i++) one = first[i] >= 0;
  return one;
}

static int makeArrays(const mjModel* m, mjData* d, int one) {
  int dense = !mj_isSparse(m);
  if (one) shareRows(d);
#define X(name) \
  if (dense) d->iefc_##name = d->arena;  // dense: no pattern; allocArrays skips arrays that are set
  PATTERN
#undef X
  int ok = allocArrays(m, d);
#define X(name) \
  if (dense) d->iefc_##name = NULL;
  PATTERN
#undef X
  return ok;
}

// ---- which dofs and rows

static void countUp(int* x, int n) {
  for (int i = 0; i < n; i++) x[i] = i;
}

// one island of everything
static void groupAll(const mjModel* m, mjData* d) {
  int nv = (int)m->nv, nefc = d->nefc;
  memset(d->dof_island, 0, (size_t)nv * sizeof(int));
  memset(d->efc_island, 0, (size_t)nefc * sizeof(int));
  countUp(d->map_dof2idof, nv);
  countUp(d->map_idof2dof, nv);
  countUp(d->map_efc2iefc, nefc);
  countUp(d->map_iefc2efc, nefc);
  d->island_nv[0] = nv;
  d->island_ne[0] = d->ne;
  d->island_nf[0] = d->nf;
  d->island_nefc[0] = nefc;
  d->island_idofadr[0] = d->island_dofadr[0] = d->island_iefcadr[0] = 0;
}

static void groupDofs(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) d->dof_island[i] = d->tree_island[m->dof_treeid[i]];
  mji_island_group(d->dof_island, m->nv, d->nisland, d->island_nv, d->island_idofadr, d->map_dof2idof, d->map_idof2dof);
  for (int i = 0; i < d->nisland; i++) d->island_dofadr[i] = d->map_idof2dof[d->island_idofadr[i]];
}

static void groupRows(mjData* d, const int* first) {
  const mjiWork* w = mji_work(d);
  for (int i = 0; i < w->nblock; i++) {
    const mjiBlock* b = w->block + i;
    int island = first[i] < 0 ? -1 : d->tree_island[first[i]];
    for (int k = 0; k < b->nrow; k++) d->efc_island[b->efcadr + k] = island;
  }
  mji_island_group(d->efc_island, d->nefc, d->nisland, d->island_nefc, d->island_iefcadr, d->map_efc2iefc,
                   d->map_iefc2efc);
  for (int i = 0; i < d->nisland; i++) d->island_ne[i] = d->island_nf[i] = 0;
  for (int r = 0; r < d->ne + d->nf; r++) {
    if (d->efc_island[r] < 0) continue;
    (r < d->ne ? d->island_ne : d->island_nf)[d->efc_island[r]]++;
  }
}

// ---- copies

static void gatherNum(mjtNum* res, const mjtNum* x, const int* index, int n) {
  for (int i = 0; i < n; i++) res[i] = x[index[i]];
}

static void gatherInt(int* res, const int* x, const int* index, int n) {
  for (int i = 0; i < n; i++) res[i] = x[index[i]];
}

// inertia and its factor, columns counted from the start of the island
static void gatherInertia(const mjModel* m, mjData* d) {
  int adr = 0;
  for (int i = 0; i < d->nidof; i++) {
    int dof = d->map_idof2dof[i], from = m->M_rowadr[dof];
    int start = d->island_idofadr[d->dof_island[dof]];
    d->iM_rownnz[i] = m->M_rownnz[dof];
    d->iM_rowadr[i] = adr;
    for (int k = 0; k < m->M_rownnz[dof]; k++, adr++) {
      d->iM_colind[adr] = d->map_dof2idof[m->M_colind[from + k]] - start;
      d->iM[adr] = d->M[from + k];
      d->iLD[adr] = d->qLD[from + k];
    }
  }
  gatherNum(d->iLDiagInv, d->qLDiagInv, d->map_idof2dof, d->nidof);
}

// the same if one island has everything
static void copyInertia(const mjModel* m, mjData* d) {
  size_t nv = (size_t)m->nv, nC = (size_t)m->nC;
  memcpy(d->iM_rownnz, m->M_rownnz, nv * sizeof(int));
  memcpy(d->iM_rowadr, m->M_rowadr, nv * sizeof(int));
  memcpy(d->iM_colind, m->M_colind, nC * sizeof(int));
  memcpy(d->iM, d->M, nC * sizeof(mjtNum));
  memcpy(d->iLD, d->qLD, nC * sizeof(mjtNum));
  memcpy(d->iLDiagInv, d->qLDiagInv, nv * sizeof(mjtNum));
}

// Copy the rows of one island, with columns counted from its start. A dense island has only its own dofs as columns,
// but starts where it would if all rows had nidof columns.
static void denseIsland(const mjModel* m, mjData* d, int island) {
  int start = d->island_iefcadr[island], ncol = d->island_nv[island];
  mjtNum* J = d->iefc_J + (size_t)start * (size_t)d->nidof;
  const int* dof = d->map_idof2dof + d->island_idofadr[island];
  for (int i = start; i < start + d->island_nefc[island]; i++, J += ncol) {
    gatherNum(J, d->efc_J + (size_t)d->map_iefc2efc[i] * (size_t)m->nv, dof, ncol);
  }
}

// returns the end of the entries
static int sparseIsland(mjData* d, int island, int adr) {
  int start = d->island_iefcadr[island], n = d->island_nefc[island];
  for (int i = start; i < start + n; i++) {
    int r = d->map_iefc2efc[i];
    d->iefc_J_rownnz[i] = d->efc_J_rownnz[r];
    d->iefc_J_rowadr[i] = adr;
    for (int k = 0; k < d->efc_J_rownnz[r]; k++, adr++) {
      int from = d->efc_J_rowadr[r] + k;
      d->iefc_J_colind[adr] = d->map_dof2idof[d->efc_J_colind[from]] - d->island_idofadr[island];
      d->iefc_J[adr] = d->efc_J[from];
    }
  }
  mji_findSupernodes(n, d->iefc_J_rownnz + start, d->iefc_J_rowadr + start, d->iefc_J_colind,
                     d->iefc_J_rowsuper + start);
  return adr;
}

static void gatherJacobian(const mjModel* m, mjData* d) {
  int sparse = mj_isSparse(m);
  for (int i = 0, adr = 0; i < d->nisland; i++) {
    if (sparse) {
      adr = sparseIsland(d, i, adr);
    } else {
      denseIsland(m, d, i);
    }
  }
}

static void gatherRows(const mjModel* m, mjData* d) {
  const int* index = d->map_iefc2efc;
  gatherInt(d->iefc_type, d->efc_type, index, d->nefc);
  gatherInt(d->iefc_id, d->efc_id, index, d->nefc);
  gatherNum(d->iefc_frictionloss, d->efc_frictionloss, index, d->nefc);
  gatherNum(d->iefc_D, d->efc_D, index, d->nefc);
  gatherNum(d->iefc_R, d->efc_R, index, d->nefc);
  if (d->efc_J) gatherJacobian(m, d);
}

// ---- public

static int makeIslands(const mjModel* m, mjData* d, int* first) {
  int one;
  if (!mji_island_ofTrees(m, d, first, &one)) return 0;
  if (!d->nisland) return 1;
  if (one) d->nidof = (int)m->nv;
  for (int t = 0; !one && t < m->ntree; t++) d->nidof += d->tree_island[t] < 0 ? 0 : m->tree_dofnum[t];
  one = one || isToBeOne(m, d, first);
  if (!makeArrays(m, d, one)) return 0;
  if (one) {
    groupAll(m, d);
    copyInertia(m, d);
  } else {
    groupDofs(m, d);
    groupRows(d, first);
    gatherInertia(m, d);
    gatherRows(m, d);
  }
  return 1;
}

void mj_island(const mjModel* m, mjData* d) {
  mj_markStack(d);
  int ok = makeIslands(m, d, mj_stackAllocInt(d, (size_t)mji_work(d)->nblock));
  mj_freeStack(d);
  if (!ok) mji_island_giveUp(d);
}

void mji_island_gather(const mjModel* m, mjData* d) {
  if (!d->nisland) return;
  if (isOne(m, d)) {
    mju_copy(d->ifrc_smooth, d->qfrc_smooth, m->nv);
    mju_copy(d->iacc_smooth, d->qacc_smooth, m->nv);
    mju_copy(d->iacc, d->qacc, m->nv);
    mju_copy(d->ifrc_constraint, d->qfrc_constraint, m->nv);
    memcpy(d->iefc_state, d->efc_state, (size_t)d->nefc * sizeof(int));
    return;
  }
  const int *dof = d->map_idof2dof, *row = d->map_iefc2efc;
  gatherNum(d->ifrc_smooth, d->qfrc_smooth, dof, d->nidof);
  gatherNum(d->iacc_smooth, d->qacc_smooth, dof, d->nidof);
  gatherNum(d->iacc, d->qacc, dof, d->nidof);
  gatherNum(d->ifrc_constraint, d->qfrc_constraint, dof, d->nidof);
  gatherInt(d->iefc_state, d->efc_state, row, d->nefc);
  gatherNum(d->iefc_aref, d->efc_aref, row, d->nefc);
  gatherNum(d->iefc_force, d->efc_force, row, d->nefc);
}
