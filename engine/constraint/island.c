// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Trees are nodes of a graph and constraint blocks its edges; islands are its connected components
// with at least one block, numbered by their first tree. Dofs and constraint rows are listed island
// by island (idof, iefc), those of no island last, and the quantities of a solver that works on
// islands are copied in that order.
//
// The solver finds its own parts, in lanes (../solve/parts.h); this is for users who look at
// islands.
#include "constraint/island.h"

#include <string.h>

#include "constraint/rows.h"

int mji_island_trees(const mjModel* m, const mjiBlock* b, const int* geom, int* tree) {
  int n = 0;
  if (geom) {
    // bodies, because columns leave out what moves both
    int t[2];
    for (int i = 0; i < 2; i++) t[i] = m->body_treeid[m->geom_bodyid[geom[i]]];
    int low = t[0] < t[1] ? t[0] : t[1], high = t[0] < t[1] ? t[1] : t[0];
    if (low >= 0) tree[n++] = low;
    if (high >= 0 && high != low) tree[n++] = high;
    return n;
  }
  for (int c = 0; c < b->ncol; c++) {
    int t = m->dof_treeid[b->col[c]];
    if (!n || tree[n - 1] != t) tree[n++] = t;
  }
  return n;
}

const int* mji_island_geoms(const mjData* d, const mjiBlock* b) {
  return b->type >= mjCNSTR_CONTACT_FRICTIONLESS ? d->contact[b->id].geom : NULL;
}

// ---- which island

// smallest tree that is connected to t
static int findRoot(int* link, int t) {
  while (link[t] != t) t = link[t] = link[link[t]];
  return t;
}

static int isOfBodies(const mjModel* m, const mjiBlock* b) {
  if (b->type != mjCNSTR_EQUALITY) return b->type >= mjCNSTR_CONTACT_FRICTIONLESS;
  return m->eq_type[b->id] == mjEQ_CONNECT || m->eq_type[b->id] == mjEQ_WELD;
}

// Trees that a block connects: in a dense Jacobian those for which it has numbers, but for blocks of bodies.
static int connectedTrees(const mjModel* m, const mjData* d, const mjiBlock* b, int* tree) {
  if (mj_isSparse(m) || isOfBodies(m, b)) return mji_island_trees(m, b, mji_island_geoms(d, b), tree);
  int n = 0;
  for (int c = 0; c < b->ncol; c++) {
    int t = m->dof_treeid[b->col[c]], moves = 0;
    for (int i = 0; i < b->nrow; i++) moves |= mji_block_entry(b, i, c) != 0;
    if (moves && (!n || tree[n - 1] != t)) tree[n++] = t;
  }
  return n;
}

// tree_island, and the first tree of each block, or -1; number of islands
static int findIslands(const mjModel* m, const mjData* d, int* island, int* first) {
  const mjiWork* w = mji_work(d);
  mj_markStack((mjData*)d);
  int* link = mj_stackAllocInt((mjData*)d, (size_t)m->ntree);
  int* tree = mj_stackAllocInt((mjData*)d, (size_t)m->ntree);
  for (int t = 0; t < m->ntree; t++) {
    link[t] = t;
    island[t] = -1;
  }

  // connect; a tree with a block is marked by 0
  for (int i = 0; i < w->nblock; i++) {
    int n = connectedTrees(m, d, w->block + i, tree);
    first[i] = n ? tree[0] : -1;
    for (int k = 0; k < n; k++) {
      int a = findRoot(link, tree[0]), b = findRoot(link, tree[k]);
      link[a > b ? a : b] = a > b ? b : a;
      island[tree[k]] = 0;
    }
  }

  // number them; roots come before the others
  int n = 0;
  for (int t = 0; t < m->ntree; t++) {
    if (island[t] < 0) continue;
    int root = findRoot(link, t);
    island[t] = root == t ? n++ : island[root];
  }
  mj_freeStack((mjData*)d);
  return n;
}

// ---- lists: elements grouped by island, those of none last

typedef struct {
  int* count;      // (nisland) elements of each island
  int* adr;        // (nisland) position of its first
  int* map;        // element -> position, or NULL
  int* inverse;    // position -> element
} Group;

// stable; island is that of each of n elements, or -1
static void group(const int* island, int n, int nisland, const Group* g) {
  int* count = g->count, *adr = g->adr;
  for (int i = 0; i < nisland; i++) count[i] = 0;
  int nin = 0;
  for (int i = 0; i < n; i++) {
    if (island[i] < 0) continue;
    count[island[i]]++;
    nin++;
  }
  for (int i = 0, sum = 0; i < nisland; i++) {
    adr[i] = sum;
    sum += count[i];
    count[i] = 0;
  }
  for (int i = 0; i < n; i++) {
    int to = island[i] < 0 ? nin++ : adr[island[i]] + count[island[i]]++;
    if (g->map) g->map[i] = to;
    g->inverse[to] = i;
  }
}

// ---- one island of everything, as in models with one tree

static int coversTree(const mjModel* m, const mjData* d) {
  const mjiWork* w = mji_work(d);
  int tree[2];
  if (m->ntree != 1) return 0;
  for (const mjiBlock* b = w->block; b < w->block + w->nblock; b++) {
    const int* geom = mji_island_geoms(d, b);
    if (geom ? !mji_island_trees(m, b, geom, tree) : !b->ncol) return 0;
  }
  return 1;
}

static void countUp(int* x, int n) {
  for (int i = 0; i < n; i++) x[i] = i;
}

static void groupAll(const mjModel* m, mjData* d) {
  int nv = (int)m->nv, nefc = d->nefc;
  d->tree_island[0] = d->map_itree2tree[0] = 0;
  memset(d->dof_island, 0, (size_t)nv * sizeof(int));
  memset(d->efc_island, 0, (size_t)nefc * sizeof(int));
  countUp(d->map_dof2idof, nv);
  countUp(d->map_idof2dof, nv);
  countUp(d->map_efc2iefc, nefc);
  countUp(d->map_iefc2efc, nefc);
  d->island_ntree[0] = 1;
  d->island_nv[0] = d->nidof = nv;
  d->island_ne[0] = d->ne;
  d->island_nf[0] = d->nf;
  d->island_nefc[0] = nefc;
  d->island_itreeadr[0] = d->island_idofadr[0] = d->island_dofadr[0] = d->island_iefcadr[0] = 0;
}

// ---- any number of them

static void groupTrees(const mjModel* m, mjData* d) {
  group(d->tree_island, m->ntree, d->nisland,
        &(Group){d->island_ntree, d->island_itreeadr, NULL, d->map_itree2tree});
}

static void groupDofs(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) d->dof_island[i] = d->tree_island[m->dof_treeid[i]];
  group(d->dof_island, m->nv, d->nisland,
        &(Group){d->island_nv, d->island_idofadr, d->map_dof2idof, d->map_idof2dof});
  d->nidof = 0;
  for (int i = 0; i < d->nisland; i++) {
    d->island_dofadr[i] = d->map_idof2dof[d->island_idofadr[i]];
    d->nidof += d->island_nv[i];
  }
}

static void groupRows(mjData* d, const int* first) {
  const mjiWork* w = mji_work(d);
  for (int i = 0; i < w->nblock; i++) {
    const mjiBlock* b = w->block + i;
    int island = first[i] < 0 ? -1 : d->tree_island[first[i]];
    for (int k = 0; k < b->nrow; k++) d->efc_island[b->efcadr + k] = island;
  }
  group(d->efc_island, d->nefc, d->nisland,
        &(Group){d->island_nefc, d->island_iefcadr, d->map_efc2iefc, d->map_iefc2efc});
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

// the same where one island is everything
static void copyInertia(const mjModel* m, mjData* d) {
  size_t nv = (size_t)m->nv, nC = (size_t)m->nC;
  memcpy(d->iM_rownnz, m->M_rownnz, nv * sizeof(int));
  memcpy(d->iM_rowadr, m->M_rowadr, nv * sizeof(int));
  memcpy(d->iM_colind, m->M_colind, nC * sizeof(int));
  memcpy(d->iM, d->M, nC * sizeof(mjtNum));
  memcpy(d->iLD, d->qLD, nC * sizeof(mjtNum));
  memcpy(d->iLDiagInv, d->qLDiagInv, nv * sizeof(mjtNum));
}

// Rows of one island, columns counted from its start. A dense island has the dofs of the island as
// columns, and starts where it would if rows had all nidof columns.
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

static void gatherRows(mjData* d) {
  const int* index = d->map_iefc2efc;
  gatherInt(d->iefc_type, d->efc_type, index, d->nefc);
  gatherInt(d->iefc_id, d->efc_id, index, d->nefc);
  gatherNum(d->iefc_frictionloss, d->efc_frictionloss, index, d->nefc);
  gatherNum(d->iefc_D, d->efc_D, index, d->nefc);
  gatherNum(d->iefc_R, d->efc_R, index, d->nefc);
}

// ---- memory

static int* takeInts(int** from, int n) {
  int* p = *from;
  *from += n;
  return p;
}

static mjtNum* takeNums(mjtNum** from, int n) {
  mjtNum* p = *from;
  *from += n;
  return p;
}

// what can be allocated before the number of islands is known
static int allocMaps(const mjModel* m, mjData* d) {
  size_t n = 2 * (size_t)m->ntree + 3 * (size_t)m->nv + 3 * (size_t)d->nefc;
  int* p = mji_arenaAlloc(d, n * sizeof(int), _Alignof(int));
  if (!p) return 0;
  d->tree_island = takeInts(&p, m->ntree);
  d->map_itree2tree = takeInts(&p, m->ntree);
  d->dof_island = takeInts(&p, m->nv);
  d->map_dof2idof = takeInts(&p, m->nv);
  d->map_idof2dof = takeInts(&p, m->nv);
  d->efc_island = takeInts(&p, d->nefc);
  d->map_efc2iefc = takeInts(&p, d->nefc);
  d->map_iefc2efc = takeInts(&p, d->nefc);
  return 1;
}

static int allocIslands(mjData* d) {
  int n = d->nisland;
  int* p = mji_arenaAlloc(d, 9 * (size_t)n * sizeof(int), _Alignof(int));
  if (!p) return 0;
  d->island_ntree = takeInts(&p, n);
  d->island_itreeadr = takeInts(&p, n);
  d->island_nv = takeInts(&p, n);
  d->island_idofadr = takeInts(&p, n);
  d->island_dofadr = takeInts(&p, n);
  d->island_ne = takeInts(&p, n);
  d->island_nf = takeInts(&p, n);
  d->island_nefc = takeInts(&p, n);
  d->island_iefcadr = takeInts(&p, n);
  return 1;
}

static int allocDofs(const mjModel* m, mjData* d) {
  int n = d->nidof, nC = m->nC;
  int* p = mji_arenaAlloc(d, (2 * (size_t)n + (size_t)nC) * sizeof(int), _Alignof(int));
  mjtNum* x = mji_arenaNum(d, 5 * (size_t)n + 2 * (size_t)nC);
  if (!p || !x) return 0;
  d->iM_rownnz = takeInts(&p, n);
  d->iM_rowadr = takeInts(&p, n);
  d->iM_colind = takeInts(&p, nC);
  d->iM = takeNums(&x, nC);
  d->iLD = takeNums(&x, nC);
  d->iLDiagInv = takeNums(&x, n);
  d->ifrc_smooth = takeNums(&x, n);
  d->iacc_smooth = takeNums(&x, n);
  d->iacc = takeNums(&x, n);
  d->ifrc_constraint = takeNums(&x, n);
  return 1;
}

static int allocRows(const mjModel* m, mjData* d) {
  int n = d->nefc, ncol = mj_isSparse(m) ? d->nJ : 0;
  int* p = mji_arenaAlloc(d, (6 * (size_t)n + (size_t)ncol) * sizeof(int), _Alignof(int));
  mjtNum* x = mji_arenaNum(d, 5 * (size_t)n + (size_t)d->nJ);
  if (!p || !x) return 0;
  d->iefc_type = takeInts(&p, n);
  d->iefc_id = takeInts(&p, n);
  d->iefc_state = takeInts(&p, n);
  if (ncol) {
    d->iefc_J_rownnz = takeInts(&p, n);
    d->iefc_J_rowadr = takeInts(&p, n);
    d->iefc_J_rowsuper = takeInts(&p, n);
    d->iefc_J_colind = takeInts(&p, ncol);
  }
  d->iefc_J = takeNums(&x, d->nJ);
  d->iefc_frictionloss = takeNums(&x, n);
  d->iefc_D = takeNums(&x, n);
  d->iefc_R = takeNums(&x, n);
  d->iefc_aref = takeNums(&x, n);
  d->iefc_force = takeNums(&x, n);
  return 1;
}

// one island of everything: its rows are the rows; their states are not, see solve/forward.c
static int shareRows(mjData* d) {
  d->iefc_type = d->efc_type;
  d->iefc_id = d->efc_id;
  d->iefc_state = mji_arenaAlloc(d, (size_t)d->nefc * sizeof(int), _Alignof(int));
  d->iefc_J_rownnz = d->efc_J_rownnz;
  d->iefc_J_rowadr = d->efc_J_rowadr;
  d->iefc_J_rowsuper = d->efc_J_rowsuper;
  d->iefc_J_colind = d->efc_J_colind;
  d->iefc_J = d->efc_J;
  d->iefc_frictionloss = d->efc_frictionloss;
  d->iefc_D = d->efc_D;
  d->iefc_R = d->efc_R;
  d->iefc_aref = d->efc_aref;
  d->iefc_force = d->efc_force;
  return d->iefc_state != NULL;
}

// ---- public

static int isOne(const mjModel* m, const mjData* d) {
  return d->nisland == 1 && d->nidof == m->nv && d->island_nefc[0] == d->nefc;
}

// maps between everything and islands
static int groupIslands(const mjModel* m, mjData* d) {
  if (!allocMaps(m, d)) return 0;
  if (coversTree(m, d)) {
    d->nisland = 1;
    if (!allocIslands(d)) return 0;
    groupAll(m, d);
    return 1;
  }
  mj_markStack(d);
  int* first = mj_stackAllocInt(d, (size_t)mji_work(d)->nblock);
  d->nisland = findIslands(m, d, d->tree_island, first);
  int ok = allocIslands(d);
  if (ok) {
    groupTrees(m, d);
    groupDofs(m, d);
    groupRows(d, first);
  }
  mj_freeStack(d);
  return ok;
}

static int makeIslands(const mjModel* m, mjData* d) {
  if (!groupIslands(m, d) || !allocDofs(m, d)) return 0;
  if (isOne(m, d)) {
    copyInertia(m, d);
    return shareRows(d);
  }
  gatherInertia(m, d);
  if (!allocRows(m, d)) return 0;
  gatherRows(d);
  if (d->efc_J) gatherJacobian(m, d);
  return 1;
}

void mj_island(const mjModel* m, mjData* d) {
  d->nisland = d->nidof = 0;
  if (!d->nefc || (m->opt.disableflags & mjDSBL_ISLAND)) return;
  if (!makeIslands(m, d)) {
    mji_warn(d, mjWARN_CNSTRFULL, (int)d->narena);
    d->nisland = d->nidof = 0;
  }
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
  const int* dof = d->map_idof2dof, *row = d->map_iefc2efc;
  gatherNum(d->ifrc_smooth, d->qfrc_smooth, dof, d->nidof);
  gatherNum(d->iacc_smooth, d->qacc_smooth, dof, d->nidof);
  gatherNum(d->iacc, d->qacc, dof, d->nidof);
  gatherNum(d->ifrc_constraint, d->qfrc_constraint, dof, d->nidof);
  gatherInt(d->iefc_state, d->efc_state, row, d->nefc);
  gatherNum(d->iefc_aref, d->efc_aref, row, d->nefc);
  gatherNum(d->iefc_force, d->efc_force, row, d->nefc);
}
