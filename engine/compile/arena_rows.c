// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Memory for a first step with rows of constraints. The reference drops rows and islands that do not fit, and goes on:
// more memory may be worse than less, when it has room for the rows but not for the scratch of the stages
// after them. So a model is refused within bands of memory, one per group of arrays that may or may not fit.
// Where a count is not a function of sizes (what the factor of a sparse Hessian takes, or a Hessian that is
// brought up to date), the band is taken smaller than it is: no model is refused that the reference steps.

#include "base/error.h"
#include "compile/arena.h"
#include "compile/compile.h"
#include "model/work.h"

enum { FRAME = MJI_ARENA_FRAME, MAXCOUNTED = 1 << 26 };

// what groups of arrays take, and the scratch of stages
typedef struct {
  mjtSize rows, islands, dual;
  mjtSize making;               // making the rows
  mjtSize searching, found;     // finding islands, at least and at most
  mjtSize preparing, prepared;  // before the matrix of the dual problem is there, at least and at most
  mjtSize projecting;           // making it
  mjtSize solving;              // the solver, on everything or on one island at a time
  mjtSize late;                 // other stages
} arenaNeeds;

static mjtSize reals(mjtSize n) {
  return n * (mjtSize)sizeof(mjtNum);
}

static mjtSize integers(mjtSize n) {
  return (n * (mjtSize)sizeof(int) + 7) / 8 * 8;
}

// one array after the other, each at a multiple of its type's size
static mjtSize append(mjtSize used, size_t size, mjtSize count) {
  mjtSize unit = (mjtSize)size;
  return (used + unit - 1) / unit * unit + unit * count;
}

#undef MJ_M
#undef MJ_D
#undef XNV
#define MJ_M(n) (m->n)
#define MJ_D(n) (d->n)
#define X(type, name, dim0, dim1) used = append(used, sizeof(type), (mjtSize)(dim0) * (dim1));
#define XNV X

static mjtSize rowArrays(const mjModel* m, const mjData* d) {
  mjtSize used = 0;
  MJDATA_ARENA_POINTERS_SOLVER
  return integers((used + 3) / 4);
}

static mjtSize islandArrays(const mjModel* m, const mjData* d) {
  mjtSize used = 0;
  MJDATA_ARENA_POINTERS_ISLAND
  return integers((used + 3) / 4);
}

// a dense matrix has no columns beside it
static mjtSize dualArrays(const mjModel* m, const mjData* d) {
  mjtSize used = 0;
  if (!mj_isSparse(m)) return reals((mjtSize)d->nefc * d->nefc);
  MJDATA_ARENA_POINTERS_DUAL
  return integers((used + 3) / 4);
}

#undef X
#undef XNV
#undef MJ_M
#undef MJ_D

// a path may go where its limit has no row in the end
static int hasSpatialRows(const mjModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    if (m->wrap_type[m->tendon_adr[i]] != mjWRAP_JOINT && m->tendon_limited[i]) return 1;
  }
  return 0;
}

// Rows of equalities that are there while rows are made: those that move nothing are dropped then.
static int equalityRows(const mjModel* m, const mjData* d) {
  int n = 0;
  for (int i = 0; i < m->neq && !(m->opt.disableflags & mjDSBL_EQUALITY); i++) {
    int type = m->eq_type[i];
    if (d->eq_active[i]) n += type == mjEQ_WELD ? 6 : type == mjEQ_CONNECT ? 3 : 1;
  }
  return n;
}

static mjtSize makingRows(const mjModel* m, const mjData* d) {
  mjtSize nv = m->nv;
  if (!d->ne) return FRAME + reals(nv);
  return FRAME + reals(18 * nv) + (mj_isSparse(m) ? integers(5 * nv) : 0);
}

// Newton or CG on n dofs, e rows, J numbers of the Jacobian, M of the inertia
static mjtSize solving(const mjModel* m, mjtSize n, mjtSize e, mjtSize J, mjtSize M) {
  int sparse = mj_isSparse(m);
  if (m->opt.solver == mjSOL_CG) {
    return FRAME + reals(8 * n + 5 * e) + 4 * e + (sparse ? 12 * (n + J) : 0);
  }
  if (!sparse) return FRAME + reals(5 * n + 6 * e + n * n) + integers(e);
  return FRAME + 156 * n + 52 * e + 12 * J + 12 * M;
}

// the island that takes most
static mjtSize largestIsland(const mjModel* m, const mjData* d) {
  mjtSize most = 0;
  for (int i = 0; i < d->nisland; i++) {
    mjtSize n = d->island_nv[i], e = d->island_nefc[i];
    most = mjMAX(most, solving(m, n, e, e, n));
  }
  return most;
}

static arenaNeeds needs(const mjModel* m, const mjData* d) {
  mjtSize nv = m->nv, e = d->nefc, J = d->nJ, warmstart = FRAME + reals(2 * e);
  int dual = m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0;
  arenaNeeds n = {
      .rows = rowArrays(m, d),
      .making = makingRows(m, d),
      .searching = FRAME + 12 * (mjtSize)m->ntree + 8 * J,
      .found = FRAME + integers(5 * (mjtSize)m->ntree) + 8 * J,
      .solving = m->opt.solver == mjSOL_PGS ? 0 : solving(m, nv, e, J, m->nC),
      .late = mjMAX(warmstart, mji_arena_late(m)),
  };
  if (d->nisland) n.islands = islandArrays(m, d);
  if (d->nisland && !dual) n.solving = largestIsland(m, d);
  if (!dual) return n;
  int sparse = mj_isSparse(m);
  n.dual = dualArrays(m, d);
  n.preparing = FRAME + reals(mjMIN(nv, e));
  n.projecting = sparse ? 0 : FRAME + reals(2 * e * nv + nv);
  n.prepared = sparse ? 64 + 24 * nv + 88 * e + 24 * e * nv : FRAME + reals(mjMAX(nv, e));
  return n;
}

// A forward pass with room bytes: 0 if the reference comes to an end of its memory; what it keeps in *kept. Where it
// is not known whether arrays fit, they count as if they brought no harm.
static int passes(const arenaNeeds* n, mjtSize room, mjtSize* kept) {
  mjtSize used = n->rows;
  *kept = 0;
  if (room < used) return 1;
  if (room < used + n->making) return 0;

  // rows without the islands that there should be are not solved
  if (n->islands && room < used + n->islands + n->searching) return room >= used + n->late;
  used += n->islands;
  if (n->islands && room < used + n->found) return 1;
  if (n->dual) {
    if (room < used + n->preparing) return 0;
    if (room < used + n->dual + n->prepared) return 1;
    used += n->dual;
    if (room < used + n->projecting) return 0;
  }
  *kept = used;
  return room >= used + mjMAX(n->late, n->solving);
}

static int isEnough(const mjModel* m, const arenaNeeds* n, mjtSize room) {
  mjtSize kept, held = mji_arena_rungeKutta(m);
  if (!passes(n, room, &kept)) return 0;
  if (!held) return 1;
  if (room < kept + held) return 0;

  // equalities may lose rows in later stages
  return m->neq || passes(n, room - held, &kept);
}

// Counts what the initial state needs without contacts: 0 if it has no rows, or rows were dropped, which are not
// known any more, or it cannot be computed.
static int count(const mjModel* m, mjData* d, arenaNeeds* n) {
  mjiTrap trap;
  if (mji_tryBegin(&trap)) return 0;
  mji_work(d)->output |= MJI_QUIET;
  mj_forward(m, d);
  if (d->nefc && !d->nisland && !(m->opt.disableflags & mjDSBL_ISLAND)) mj_island(m, d);
  *n = needs(m, d);
  mji_tryEnd(&trap);
  return d->nefc > 0 && d->ne == equalityRows(m, d) && !hasSpatialRows(m);
}

int mji_arena_checkRows(mjiCompile* c) {
  mjModel* m = c->m;
  mjtSize narena = m->narena;
  if (c->w->pub.memory < 0 || narena > MAXCOUNTED) return 0;

  // the rows are those of a state that has room for them
  int flags = m->opt.disableflags;
  m->opt.disableflags |= mjDSBL_CONTACT;
  m->narena = 2 * narena + (1 << 16);
  mjData* d = mji_makeLaneData(m, 1);
  arenaNeeds n;
  int bad = d && count(m, d, &n) && !isEnough(m, &n, narena);
  mj_deleteData(d);
  m->narena = narena;
  m->opt.disableflags = flags;
  if (!bad) return 0;
  return mji_compile_error(c, NULL, "size: memory of %lld bytes is too little for the rows of constraints",
                           (long long)narena);
}
