// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the stages of constraints take of the reference's arena. Where arrays of rows do not fit, all rows are dropped
// and the step goes on, so more memory may be worse than less: there may be room for the rows but not for the
// scratch of the stages after them.

#include "compile/arena.h"

#include <mujoco/mjxmacro.h>

static int isDisabled(const mjModel* m, int flag) {
  return (m->opt.disableflags & flag) != 0;
}

static int isDual(const mjModel* m) {
  return m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0;
}

// ---- arrays that are kept

#undef MJ_M
#undef MJ_D
#undef XNV
#define MJ_M(n) (m->n)
#define MJ_D(n) (r->n)
#define X(type, name, dim0, dim1) fits = fits && mji_arena_keep(a, sizeof(type), (mjtSize)(dim0) * (dim1));
#define XNV X

static int keepRows(mjiArena* a, const mjModel* m, const mjiArenaRows* rows) {
  mjiArenaRows counted = *rows, *r = &counted;
  r->nefc = rows->counted;
  int fits = 1;
  MJDATA_ARENA_POINTERS_SOLVER
  return fits;
}

static int keepIslands(mjiArena* a, const mjModel* m, const mjiArenaRows* r) {
  int fits = 1;
  MJDATA_ARENA_POINTERS_ISLAND
  return fits;
}

#undef X
#undef XNV
#undef MJ_M
#undef MJ_D

// ---- making rows

static void equalityScratch(mjiArena* a, const mjModel* m) {
  mjtSize nv = m->nv, frame = mji_arena_open(a);
  for (int i = 0; i < 3; i++) mji_arena_reals(a, 6 * nv);
  if (mj_isSparse(m)) {
    for (int i = 0; i < 3; i++) mji_arena_ints(a, nv);
    mji_arena_reals(a, nv);
  }
  mji_arena_close(a, frame);
}

static void oneRow(mjiArena* a, const mjModel* m) {
  mjtSize frame = mji_arena_open(a);
  mji_arena_reals(a, m->nv);
  mji_arena_close(a, frame);
}

int mji_arena_makeRows(mjiArena* a, const mjModel* m, const mjiArenaRows* rows) {
  a->kept = 0;
  if (isDisabled(m, mjDSBL_CONSTRAINT)) return 0;
  int equalities = m->neq && !isDisabled(m, mjDSBL_EQUALITY);
  if (equalities) {
    mjtSize frame = mji_arena_open(a);
    for (int i = 0; i < 2 && mj_isSparse(m); i++) mji_arena_ints(a, m->nv);
    mji_arena_close(a, frame);
  }
  if (!keepRows(a, m, rows)) {
    a->kept = 0;
    return 0;
  }
  if (equalities) equalityScratch(a, m);
  if (!isDisabled(m, mjDSBL_FRICTIONLOSS) || !isDisabled(m, mjDSBL_LIMIT)) oneRow(a, m);
  return rows->nefc > 0;
}

// ---- islands

int mji_arena_findIslands(mjiArena* a, const mjModel* m, const mjiArenaRows* rows) {
  if (isDisabled(m, mjDSBL_ISLAND)) return 1;
  mjtSize frame = mji_arena_open(a), before = a->kept;
  mji_arena_ints(a, 2 * (mjtSize)rows->nJ);
  for (int i = 0; i < 2; i++) mji_arena_ints(a, m->ntree);
  if (mji_arena_hasTooManyEdges(rows)) a->full = 1;
  mji_arena_ints(a, rows->nedge);
  mji_arena_ints(a, m->ntree);
  mji_arena_ints(a, rows->nedge);
  int fits = keepIslands(a, m, rows);
  if (!fits) a->kept = before;
  for (int i = 0; fits && i < 2; i++) mji_arena_ints(a, rows->nisland + 1);
  mji_arena_close(a, frame);
  return fits;
}

// ---- the matrix of the dual problem

// A A' of a sparse A with n rows and nc columns: numbers are counted first
static void countSquare(mjiArena* a, mjtSize n) {
  mjtSize frame = mji_arena_open(a);
  mji_arena_ints(a, 2 * n);
  mji_arena_close(a, frame);
}

static void makeSquare(mjiArena* a, mjtSize n, mjtSize nc) {
  mjtSize frame = mji_arena_open(a);
  mji_arena_ints(a, n);
  mji_arena_reals(a, 8 * n);
  mji_arena_ints(a, n);
  mji_arena_ints(a, nc);
  mji_arena_close(a, frame);
}

static int projectDense(mjiArena* a, mjtSize nv, mjtSize e) {
  if (!mji_arena_keep(a, sizeof(mjtNum), e * e)) return 0;
  for (int i = 0; i < 2; i++) mji_arena_reals(a, e * nv);
  return 1;
}

static int projectSparse(mjiArena* a, mjtSize nv, const mjiArenaRows* rows) {
  mjtSize e = rows->nefc, n = rows->projected;
  for (int i = 0; i < 2; i++) mji_arena_ints(a, e);
  mji_arena_ints(a, nv);
  mji_arena_reals(a, n);
  mji_arena_ints(a, n);

  // its transpose
  mji_arena_ints(a, e);
  for (int i = 0; i < 2; i++) mji_arena_ints(a, nv);
  mji_arena_ints(a, n);
  mji_arena_reals(a, n);
  if (!mji_arena_keep(a, sizeof(int), e) || !mji_arena_keep(a, sizeof(int), e)) return 0;
  countSquare(a, e);
  if (!mji_arena_keep(a, sizeof(mjtNum), rows->nA) || !mji_arena_keep(a, sizeof(int), rows->nA)) return 0;
  mji_arena_ints(a, e);
  makeSquare(a, e, nv);
  return 1;
}

int mji_arena_project(mjiArena* a, const mjModel* m, const mjiArenaRows* rows) {
  if (!isDual(m)) return 1;
  mjtSize nv = m->nv, frame = mji_arena_open(a);
  mji_arena_reals(a, nv);
  int fits = mj_isSparse(m) ? projectSparse(a, nv, rows) : projectDense(a, nv, rows->nefc);
  mji_arena_close(a, frame);
  if (!fits) a->kept = 0;
  return fits;
}

// ---- solvers

static void warmstart(mjiArena* a, const mjModel* m, const mjiArenaRows* rows) {
  if (isDisabled(m, mjDSBL_WARMSTART)) return;
  mjtSize frame = mji_arena_open(a);
  mji_arena_reals(a, rows->nefc);
  mji_arena_reals(a, m->opt.solver == mjSOL_PGS ? rows->nefc : m->nv);
  mji_arena_close(a, frame);
}

static void solveDual(mjiArena* a, mjtSize e) {
  mjtSize frame = mji_arena_open(a);
  mji_arena_reals(a, e);
  mji_arena_ints(a, e);
  mji_arena_close(a, frame);
}

static void denseHessian(mjiArena* a, const mjModel* m, mjtSize n) {
  mji_arena_reals(a, n * n);
  if (m->opt.cone == mjCONE_ELLIPTIC) mji_arena_reals(a, n * n);
}

static void sparseHessian(mjiArena* a, const mjModel* m, const mjiArenaPart* part) {
  mjtSize n = part->nv;
  countSquare(a, n);
  mji_arena_ints(a, part->hessian);
  mji_arena_reals(a, part->hessian);
  makeSquare(a, n, part->nefc);
  mji_arena_ints(a, part->factor);
  mji_arena_reals(a, part->factor);
  if (m->opt.cone == mjCONE_ELLIPTIC) mji_arena_reals(a, part->factor);
  mjtSize frame = mji_arena_open(a);
  mji_arena_reals(a, n);
  mji_arena_ints(a, n);
  mji_arena_close(a, frame);
}

// the factor follows rows that change state
static void updateHessian(mjiArena* a, const mjModel* m, const mjiArenaPart* part) {
  mjtSize frame = mji_arena_open(a);
  mji_arena_reals(a, part->nv);
  mji_arena_ints(a, part->nv);
  if (mj_isSparse(m) && part->changed) {
    mjtSize inner = mji_arena_open(a);
    mji_arena_ints(a, part->nv);
    mji_arena_reals(a, part->nv);
    mji_arena_close(a, inner);
  }
  mji_arena_close(a, frame);
}

static void solvePrimal(mjiArena* a, const mjModel* m, const mjiArenaRows* rows, const mjiArenaPart* part) {
  mjtSize n = part->nv, e = part->nefc, frame = mji_arena_open(a);
  int sparse = mj_isSparse(m);
  mji_arena_reals(a, 5 * e + 5 * n);
  if (sparse) {
    for (int i = 0; i < 3; i++) mji_arena_ints(a, n);
    mji_arena_ints(a, rows->nJ);
    mji_arena_reals(a, rows->nJ);
  }
  if (m->opt.solver == mjSOL_CG) {
    mji_arena_reals(a, 3 * n);
    mji_arena_ints(a, e);
  } else {
    mji_arena_reals(a, e);
    if (sparse) {
      for (int i = 0; i < 5; i++) mji_arena_ints(a, n);
      mji_arena_reals(a, n);
      mji_arena_ints(a, n);
    }
    mji_arena_ints(a, e);
    if (sparse) sparseHessian(a, m, part);
    else denseHessian(a, m, n);
    if (part->moved) updateHessian(a, m, part);
  }
  mji_arena_close(a, frame);
}

void mji_arena_solve(mjiArena* a, const mjModel* m, const mjiArenaRows* rows) {
  warmstart(a, m, rows);
  if (m->opt.solver == mjSOL_PGS) {
    solveDual(a, rows->nefc);
    return;
  }
  for (int i = 0; i < rows->npart; i++) solvePrimal(a, m, rows, rows->part + i);
}
