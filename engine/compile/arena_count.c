// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How many numbers the arrays of constraints have in the reference: rows and edges of the graph of trees, what a
// sparse Hessian has before and after it is factorized, and whether the solver changes it on its way.

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compile/arena.h"
#include "compile/compile.h"

enum {
  WORD = 64,
  FOLLOWED = 200,    // iterations of the solver, each of which begins anew: the time grows with the square
};

#define CLOSE 1e-12    // lengths and angles that rounding may make

// ---- islands: edges between trees

typedef struct {
  int from, to, n;    // the last edge, and how many there are
} edgeList;

// the same edge as before is not added again
static void addEdge(edgeList* list, int from, int to) {
  if (from == list->from && to == list->to) return;
  list->from = from;
  list->to = to;
  list->n += from == to ? 1 : 2;
}

// dof of entry k of a row, or -1 where a dense row has a zero
static int columnOf(const mjModel* m, const mjData* d, int row, int k) {
  if (mj_isSparse(m)) return d->efc_J_colind[d->efc_J_rowadr[row] + k];
  return d->efc_J[(size_t)row * (size_t)m->nv + (size_t)k] != 0 ? k : -1;
}

// a row connects the trees that it moves in order, the only one to itself
static void connectColumns(const mjModel* m, const mjData* d, int row, edgeList* list) {
  int width = mj_isSparse(m) ? d->efc_J_rownnz[row] : (int)m->nv, tree = -1, ntree = 0;
  for (int k = 0; k < width; k++) {
    int dof = columnOf(m, d, row, k);
    if (dof < 0 || m->dof_treeid[dof] == tree) continue;
    if (ntree++) addEdge(list, tree, m->dof_treeid[dof]);
    tree = m->dof_treeid[dof];
  }
  if (ntree == 1) addEdge(list, tree, tree);
}

// trees of two bodies, of which at least one moves
static void connectBodies(const mjModel* m, const int body[2], edgeList* list) {
  int from = m->body_treeid[body[0]], to = m->body_treeid[body[1]];
  if (from < 0) from = to;
  if (to < 0) to = from;
  addEdge(list, mjMIN(from, to), mjMAX(from, to));
}

static int isOfBodies(const mjModel* m, const mjData* d, int row) {
  if (d->efc_type[row] != mjCNSTR_EQUALITY) return 0;
  int type = m->eq_type[d->efc_id[row]];
  return type == mjEQ_CONNECT || type == mjEQ_WELD;
}

static int countEdges(const mjModel* m, const mjData* d) {
  edgeList list = {-1, -1, 0};
  for (int row = 0; row < d->nefc; row++) {
    if (!isOfBodies(m, d, row)) {
      connectColumns(m, d, row, &list);
      continue;
    }
    int eq = d->efc_id[row], body[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]};
    for (int i = 0; i < 2 && m->eq_objtype[eq] == mjOBJ_SITE; i++) body[i] = m->site_bodyid[body[i]];
    connectBodies(m, body, &list);
  }
  return list.n;
}

// ---- sparse matrices: patterns as bits, rows of the lower triangle

typedef struct {
  size_t n, width;    // rows; words of one
  uint64_t* bits;
} pattern;

static uint64_t* rowOf(const pattern* p, int i) {
  return p->bits + (size_t)i * p->width;
}

static int hasBit(const uint64_t* row, int i) {
  return row[i / WORD] >> (i % WORD) & 1;
}

static void setBit(uint64_t* row, int i) {
  row[i / WORD] |= (uint64_t)1 << (i % WORD);
}

// the columns 0..last of from
static void addColumns(uint64_t* row, const uint64_t* from, int last) {
  for (int w = 0; w < last / WORD; w++) row[w] |= from[w];
  row[last / WORD] |= from[last / WORD] & (UINT64_MAX >> (WORD - 1 - last % WORD));
}

static int countBits(const pattern* p, int i) {
  int n = 0;
  for (size_t w = 0; w < p->width; w++) n += __builtin_popcountll(rowOf(p, i)[w]);
  return n;
}

static void addSquare(const mjData* d, pattern* p, uint64_t* row) {
  for (int i = 0; i < d->nefc; i++) {
    const int* col = d->efc_J_colind + d->efc_J_rowadr[i];
    memset(row, 0, p->width * sizeof *row);
    for (int k = 0; k < d->efc_J_rownnz[i]; k++) setBit(row, col[k]);
    for (int k = 0; k < d->efc_J_rownnz[i]; k++) addColumns(rowOf(p, col[k]), row, col[k]);
  }
}

static void addInertia(const mjModel* m, pattern* p) {
  for (int i = 0; i < m->nv; i++) {
    for (int k = 0; k < m->M_rownnz[i]; k++) setBit(rowOf(p, i), m->M_colind[m->M_rowadr[i] + k]);
  }
}

// factorized from the last row to the first: the row of the largest column takes what is left of it
static void fill(pattern* p) {
  for (int i = (int)p->n - 1; i > 0; i--) {
    int j = i - 1;
    while (j >= 0 && !hasBit(rowOf(p, i), j)) j--;
    if (j >= 0) addColumns(rowOf(p, j), rowOf(p, i), j);
  }
}

// ---- parts: islands, or one of everything

static int partOfDof(const mjData* d, const mjiArenaRows* rows, int dof) {
  return rows->split ? d->dof_island[dof] : 0;
}

static void addToParts(const mjData* d, mjiArenaRows* rows, const pattern* p, int factor) {
  for (int i = 0; i < (int)p->n; i++) {
    int k = partOfDof(d, rows, i);
    if (k < 0) continue;
    mjtSize* sum = factor ? &rows->part[k].factor : &rows->part[k].hessian;
    *sum += countBits(p, i);
  }
}

// The reference has room for J'J and the inertia one after the other, where that of an island counts from the first.
static void addInertiaToParts(const mjModel* m, const mjData* d, mjiArenaRows* rows) {
  for (int i = 0; i < m->nv; i++) {
    int part = partOfDof(d, rows, i);
    for (int k = part; part >= 0 && k < rows->npart; k++) rows->part[k].hessian += m->M_rownnz[i];
  }
}

static int countHessian(const mjModel* m, const mjData* d, mjiArenaRows* rows) {
  pattern p = {.n = (size_t)m->nv, .width = (size_t)m->nv / WORD + 1};
  p.bits = calloc((p.n + 1) * p.width, sizeof *p.bits);
  if (!p.bits) return 0;
  addSquare(d, &p, p.bits + p.n * p.width);
  addToParts(d, rows, &p, 0);
  addInertiaToParts(m, d, rows);
  addInertia(m, &p);
  fill(&p);
  addToParts(d, rows, &p, 1);
  free(p.bits);
  return 1;
}

// ---- where rounding decides

// Do joints move the same, so that rounding decides where they go?
static int isLoose(const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    if (!(d->qLD[m->M_rowadr[i] + m->M_rownnz[i] - 1] >= 10 * mjMINVAL)) return 1;
  }
  return 0;
}

// Ends of ranges that a value is next to, but not at, where rounding decides whether there is a row: how many, moved inward
// so that there is (1), outward so that there is none (-1), or left (0).
static int moveEnds(mjtNum range[2], double value, double margin, int inward) {
  int n = 0;
  for (int i = 0; i < 2; i++) {
    double room = (i ? range[1] - value : value - range[0]) - margin;
    if (room == 0 || fabs(room) >= CLOSE) continue;
    range[i] += inward * (i ? -2 : 2) * CLOSE;
    n++;
  }
  return n;
}

static int moveLimits(mjModel* m, const mjData* d, int inward) {
  int n = 0;
  for (int i = 0; i < m->njnt; i++) {
    if (!m->jnt_limited[i] || m->jnt_type[i] < mjJNT_SLIDE) continue;
    n += moveEnds(m->jnt_range + 2 * i, d->qpos[m->jnt_qposadr[i]], m->jnt_margin[i], inward);
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (!m->tendon_limited[i]) continue;
    n += moveEnds(m->tendon_range + 2 * i, d->ten_length[i], m->tendon_margin[i], inward);
  }
  return n;
}

// ---- what the solver does

// states of rows as the solver left them, island by island if it works on islands
static const int* statesOf(const mjData* d, const mjiArenaRows* rows) {
  return rows->split ? d->iefc_state : d->efc_state;
}

static int partOfRow(const mjData* d, const mjiArenaRows* rows, int row) {
  return rows->split ? d->efc_island[d->map_iefc2efc[row]] : 0;
}

// one more iteration at a time: which parts move, and in which rows come to the quadratic zone or leave it
static void followIterations(mjModel* m, mjData* d, mjiArenaRows* rows, int* state) {
  int iterations = m->opt.iterations, loose = isLoose(m, d), more = 1;
  for (int k = 0; k <= mjMIN(iterations, FOLLOWED) && more; k++) {
    m->opt.iterations = k;
    mj_fwdConstraint(m, d);
    more = k == 0;
    for (int i = 0; i < rows->npart && i < mjNISLAND; i++) {
      if (k && d->solver_niter[i] == k) more = rows->part[i].moved = 1;
    }
    for (int i = 0; i < d->nefc; i++) {
      int part = partOfRow(d, rows, i), now = statesOf(d, rows)[i] == mjCNSTRSTATE_QUADRATIC;
      if (k && part >= 0 && now != state[i] && !loose) rows->part[part].changed = 1;
      state[i] = now;
    }
  }

  // the reference does not stop at what is no number
  for (int i = 0; i < m->nv && iterations > 0; i++) {
    int part = partOfDof(d, rows, i);
    if (part >= 0 && isnan(d->qacc[i])) rows->part[part].moved = 1;
  }
  m->opt.iterations = iterations;
}

// the solver alone; before noslip it takes all islands as one
static void followSolver(mjModel* m, mjData* d, mjiArenaRows* rows) {
  int noslip = m->opt.noslip_iterations, flags = m->opt.disableflags, nisland = d->nisland;
  int* state = mji_vec_alloc((size_t)d->nefc * sizeof(int));
  m->opt.noslip_iterations = 0;
  if (!rows->split) {
    m->opt.disableflags |= mjDSBL_ISLAND;
    d->nisland = 0;
  }
  followIterations(m, d, rows, state);
  d->nisland = nisland;
  m->opt.disableflags = flags;
  m->opt.noslip_iterations = noslip;
  free(state);
}

static int makeParts(mjModel* m, mjData* d, mjiArenaRows* rows, int follow) {
  rows->split = d->nisland > 0 && m->opt.noslip_iterations <= 0;
  rows->npart = rows->split ? d->nisland : 1;
  rows->part = calloc((size_t)rows->npart, sizeof *rows->part);
  if (!rows->part) return 0;
  if (!rows->split) {
    rows->part[0].nv = (int)m->nv;
    rows->part[0].nefc = d->nefc;
  }
  for (int i = 0; rows->split && i < d->nisland; i++) {
    rows->part[i].nv = d->island_nv[i];
    rows->part[i].nefc = d->island_nefc[i];
  }
  if (m->opt.solver != mjSOL_NEWTON) return 1;
  if (mj_isSparse(m) && !countHessian(m, d, rows)) return 0;
  for (int i = 0; i < rows->npart; i++) rows->part[i].moved = rows->part[i].changed = !follow;
  if (follow) followSolver(m, d, rows);
  return 1;
}

// ---- everything

// J M^-1/2 has entries for all dofs that a column's dof depends on
static mjtSize countProjected(const mjModel* m, const mjData* d) {
  mjtSize n = 0;
  mjtByte* seen = mji_vec_alloc((size_t)m->nv);
  for (int row = 0; row < d->nefc; row++) {
    memset(seen, 0, (size_t)m->nv);
    const int* col = d->efc_J_colind + d->efc_J_rowadr[row];
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
      for (int i = col[k]; i >= 0 && !seen[i]; i = m->dof_parentid[i]) {
        seen[i] = 1;
        n++;
      }
    }
  }
  free(seen);
  return n;
}

// rows of the state of d after a forward pass
static int countRows(mjModel* m, mjData* d, mjiArenaRows* rows, int follow) {
  int sparse = mj_isSparse(m);
  rows->counted = sparse || !m->nv ? d->nefc : d->nJ / (int)m->nv;
  rows->nefc = d->nefc;
  rows->nJ = d->nJ;
  rows->nA = d->nA;
  rows->loose = isLoose(m, d);
  if (!d->nefc) return 1;
  if (!d->nisland && !(m->opt.disableflags & mjDSBL_ISLAND)) mj_island(m, d);
  rows->nisland = d->nisland;
  rows->nidof = d->nidof;
  if (d->nisland) rows->nedge = countEdges(m, d);
  int dual = m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0;
  if (sparse && dual) rows->projected = countProjected(m, d);
  return m->opt.solver == mjSOL_PGS || makeParts(m, d, rows, follow);
}

// ---- the states of a step

// what a stage of the Runge-Kutta integrator starts from
typedef struct {
  mjtNum *qpos, *qvel, *act;               // at the start of the step
  mjtNum *vel, *acc, *actdot;              // (stages) of the stages before
  mjtNum *jointRange, *tendonRange;        // of the model
} stateCopies;

static stateCopies copiesIn(const mjModel* m, mjtNum* x) {
  enum { N = MJI_ARENA_STAGES, NARRAY = 8 };
  mjtNum* a[NARRAY];
  const mjtSize size[NARRAY] = {m->nq,     m->nv,     m->na,       N * m->nv,
                                N * m->nv, N * m->na, 2 * m->njnt, 2 * m->ntendon};
  for (int i = 0; i < NARRAY; i++) {
    a[i] = x;
    x += size[i];
  }
  return (stateCopies){a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]};
}

static void addScaled(mjtNum* res, const mjtNum* x, const mjtNum* rate, mjtNum scale, mjtSize n) {
  for (mjtSize i = 0; i < n; i++) res[i] = x[i] + scale * rate[i];
}

// the state of a stage follows from what was found in the one before
static void setState(const mjModel* m, mjData* d, const stateCopies* s, int stage) {
  static const mjtNum part[MJI_ARENA_STAGES] = {0, 0.5, 0.5, 1};
  mju_copy(d->qpos, s->qpos, (int)m->nq);
  mju_copy(d->qvel, s->qvel, (int)m->nv);
  mju_copy(d->act, s->act, (int)m->na);
  if (!stage) return;
  mjtNum h = part[stage] * m->opt.timestep;
  mjtSize before = stage - 1;
  mj_integratePos(m, d->qpos, s->vel + before * m->nv, h);
  addScaled(d->qvel, s->qvel, s->acc + before * m->nv, h, m->nv);
  addScaled(d->act, s->act, s->actdot + before * m->na, h, m->na);
}

// The reference has no numbers where pivots are so small that accelerations are huge here.
static void keepRates(const mjModel* m, const mjData* d, const stateCopies* s, int stage) {
  mju_copy(s->vel + stage * m->nv, d->qvel, (int)m->nv);
  mjtNum* acc = s->acc + stage * m->nv;
  for (int i = 0; i < m->nv; i++) acc[i] = fabs(d->qacc[i]) <= mjMAXVAL ? d->qacc[i] : NAN;
  mju_copy(s->actdot + stage * m->na, d->act_dot, (int)m->na);
}

static void restoreRanges(mjModel* m, const stateCopies* s) {
  mju_copy(m->jnt_range, s->jointRange, 2 * (int)m->njnt);
  mju_copy(m->tendon_range, s->tendonRange, 2 * (int)m->ntendon);
}

// a forward pass of a stage, with limits that are close in later ones as inward tells
static int forward(mjModel* m, mjData* d, const stateCopies* s, int stage, const mjiArenaCase* how) {
  int inward = how->inward;
  setState(m, d, s, how->still ? 0 : stage);
  mj_forward(m, d);
  int close = stage ? moveLimits(m, d, inward) : 0;
  if (close && inward) {
    mj_forward(m, d);
    restoreRanges(m, s);
  }
  keepRates(m, d, s, stage);
  return close;
}

// which nodes are twice as many in each stage
static int stageOf(int node) {
  int stage = 0;
  while (node >>= 1) stage++;
  return stage;
}

// a stage and those after it, with its rows and without
static int countFrom(mjModel* m, mjData* d, const stateCopies* s, mjiArenaRows* node, int k, const mjiArenaCase* how) {
  int stage = stageOf(k);
  int last = stage + 1 == MJI_ARENA_STAGES || m->opt.integrator != mjINT_RK4;
  node[k].close = forward(m, d, s, stage, how);
  if (!countRows(m, d, node + k, how->follow)) return 0;
  if (last) return 1;
  if (!countFrom(m, d, s, node, 2 * k, how)) return 0;
  if (!node[k].nefc) return 1;

  int flags = m->opt.disableflags;
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  forward(m, d, s, stage, how);
  m->opt.disableflags = flags;
  return countFrom(m, d, s, node, 2 * k + 1, how);
}

int mji_arena_count(mjModel* m, mjData* d, mjiArenaRows* node, const mjiArenaCase* how) {
  mjtSize size = m->nq + 9 * m->nv + 5 * m->na + 2 * (mjtSize)(m->njnt + m->ntendon);
  mjtNum* x = mji_vec_alloc((size_t)size * sizeof(mjtNum));
  stateCopies s = copiesIn(m, x);
  mju_copy(s.qpos, d->qpos, (int)m->nq);
  mju_copy(s.qvel, d->qvel, (int)m->nv);
  mju_copy(s.act, d->act, (int)m->na);
  mju_copy(s.jointRange, m->jnt_range, 2 * (int)m->njnt);
  mju_copy(s.tendonRange, m->tendon_range, 2 * (int)m->ntendon);

  // a state that cannot be computed is not counted
  volatile int fine = 0;
  mjiTrap trap;
  if (!mji_tryBegin(&trap)) {
    fine = countFrom(m, d, &s, node, 1, how);
    mji_tryEnd(&trap);
  }
  restoreRanges(m, &s);
  setState(m, d, &s, 0);
  free(x);
  return fine;
}
