// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The memory that a model may ask for with `size memory`. The reference keeps arrays of constraints and the scratch of
// its stages in one arena and refuses what cannot be stepped there once, without contacts; this engine keeps scratch
// elsewhere and would do with less, but a model that is refused there shall be refused here. So a first step
// is gone through stage by stage, with counts of bytes alone: what each takes, and what it does where that does not fit.

#include "compile/arena.h"

#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "model/work.h"

enum { SLACK = 1 << 16, MOREMOST = 1 << 26 };

// ---- the arena

// scratch of n elements, each at a multiple of its size
static void take(mjiArena* a, mjtSize size, mjtSize n) {
  mjtSize end = a->top - size * n;
  if (end < a->kept) a->full = 1;
  if (!a->full) a->top = end / size * size;
  if (a->top < a->kept) a->full = 1;
}

void mji_arena_reals(mjiArena* a, mjtSize n) {
  take(a, sizeof(mjtNum), n);
}

void mji_arena_ints(mjiArena* a, mjtSize n) {
  take(a, sizeof(int), n);
}

// a frame takes three words
mjtSize mji_arena_open(mjiArena* a) {
  mjtSize before = a->top;
  take(a, sizeof(void*), 3);
  return before;
}

void mji_arena_close(mjiArena* a, mjtSize before) {
  a->top = before;
}

int mji_arena_keep(mjiArena* a, size_t size, mjtSize n) {
  mjtSize unit = (mjtSize)size, start = (a->kept + unit - 1) / unit * unit;
  if (n == 0) return 1;
  if (start + unit * n > a->top) return 0;
  a->kept = start + unit * n;
  return 1;
}

// ---- stages without rows

static void tendons(mjiArena* a, const mjModel* m) {
  mjtSize nv = m->nv, frame = mji_arena_open(a);
  mji_arena_reals(a, 10 * nv);
  if (mj_isSparse(m)) {
    for (int i = 0; i < 2; i++) mji_arena_ints(a, nv);
    mji_arena_reals(a, nv);
  }
  mji_arena_close(a, frame);
}

// Dense rows over the dofs, while there are nefc rows of constraints. What an actuator needs beyond those of all is taken
// when the first comes that does, and kept for others; but for adhesion it is taken again where there are no rows.
static void transmissions(mjiArena* a, const mjModel* m, mjtSize nefc) {
  if (!m->nu) return;
  mjtSize nv = m->nv, outer = mji_arena_open(a);
  int relative = 0, adhesion = 0;
  mji_arena_reals(a, 9 * nv);
  for (int i = 0; i < m->nu; i++) {
    int type = m->actuator_trntype[i];
    if (type == mjTRN_SITE && m->actuator_trnid[2 * i + 1] >= 0 && !relative++) {
      mji_arena_reals(a, 3 * nv);
    } else if (type == mjTRN_BODY && (!adhesion++ || !nefc)) {
      mji_arena_reals(a, nefc + 10 * nv);
      if (mj_isSparse(m)) mji_arena_ints(a, nv);
    } else if (type == mjTRN_SLIDERCRANK) {
      mjtSize frame = mji_arena_open(a);
      mji_arena_reals(a, 3 * nv);
      mji_arena_close(a, frame);
    }
  }
  mji_arena_close(a, outer);
}

// a wrench on a body
static void wrench(mjiArena* a, const mjModel* m) {
  mjtSize frame = mji_arena_open(a);
  mji_arena_reals(a, 7 * (mjtSize)m->nv);
  if (mj_isSparse(m)) mji_arena_ints(a, m->nv);
  mji_arena_close(a, frame);
}

static int hasPassiveForces(const mjModel* m) {
  int none = mjDSBL_SPRING | mjDSBL_DAMPER;
  return (m->opt.disableflags & none) != none;
}

static int isInMedium(const mjModel* m) {
  return hasPassiveForces(m) && (m->opt.density > 0 || m->opt.viscosity > 0);
}

static int isCompensated(const mjModel* m) {
  int gravity = !(m->opt.disableflags & mjDSBL_GRAVITY) && mju_norm3(m->opt.gravity) > 0;
  return hasPassiveForces(m) && m->ngravcomp && gravity;
}

// the bias force of spatial tendons with armature
static void tendonBias(mjiArena* a, const mjModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    int spatial = m->wrap_type[m->tendon_adr[i]] != mjWRAP_JOINT;
    if (!spatial || !m->tendon_armature[i]) continue;
    mjtSize outer = mji_arena_open(a), inner = mji_arena_open(a);
    mji_arena_reals(a, 11 * (mjtSize)m->nv);
    mji_arena_close(a, inner);
    mji_arena_close(a, outer);
  }
}

// forces: passive ones, of bodies that move, of actuators
static void forces(mjiArena* a, const mjModel* m) {
  if (isInMedium(m) || isCompensated(m)) wrench(a, m);
  mjtSize frame = mji_arena_open(a);
  mji_arena_reals(a, 12 * (mjtSize)m->nbody);
  mji_arena_close(a, frame);
  tendonBias(a, m);
  if (!m->nu) return;
  frame = mji_arena_open(a);
  mji_arena_reals(a, m->nu);
  mji_arena_close(a, frame);
}

// ---- integrators

// one row, added to a dense matrix
static void addRow(mjiArena* a, const mjModel* m) {
  if (mj_isSparse(m)) return;
  mjtSize frame = mji_arena_open(a);
  mji_arena_reals(a, m->nv);
  mji_arena_close(a, frame);
}

static int hasEllipsoid(const mjModel* m, int body) {
  for (int i = 0; i < m->body_geomnum[body]; i++) {
    if (m->geom_fluid[mjNFLUID * (m->body_geomadr[body] + i)] > 0) return 1;
  }
  return 0;
}

static void mediumDerivative(mjiArena* a, const mjModel* m) {
  if (!isInMedium(m)) return;
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_mass[i] < mjMINVAL) continue;
    mjtSize frame = mji_arena_open(a);
    mji_arena_reals(a, (hasEllipsoid(m, i) ? 15 : 12) * (mjtSize)m->nv);
    addRow(a, m);
    mji_arena_close(a, frame);
  }
}

static void tendonDerivative(mjiArena* a, const mjModel* m) {
  if (m->opt.disableflags & mjDSBL_DAMPER) return;
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_damping[i]) addRow(a, m);
  }
}

static void implicitStep(mjiArena* a, const mjModel* m) {
  mjtSize nv = m->nv, outer = mji_arena_open(a);
  mji_arena_reals(a, 2 * nv);
  mediumDerivative(a, m);
  tendonDerivative(a, m);
  if (m->opt.integrator == mjINT_IMPLICIT) {
    mjtSize frame = mji_arena_open(a);
    mji_arena_reals(a, 6 * (mjtSize)m->nD + 18 * (mjtSize)m->nB + nv);
    mji_arena_close(a, frame);
  }
  mji_arena_close(a, outer);
}

// ---- a step

// what is computed of one state; are its rows dropped?
static int forward(mjiArena* a, const mjModel* m, const mjiArenaRows* rows) {
  if (m->ntendon) tendons(a, m);
  int nrow = mji_arena_makeRows(a, m, rows);
  nrow = nrow && mji_arena_findIslands(a, m, rows);
  transmissions(a, m, nrow ? rows->nefc : 0);
  nrow = nrow && mji_arena_project(a, m, rows);
  forces(a, m);
  if (nrow) mji_arena_solve(a, m, rows);
  return rows->nefc && !nrow;
}

// later stages, while the state and what the earlier ones found is held
static void rungeKutta(mjiArena* a, const mjModel* m, const mjiArenaRows* node, int k) {
  mjtSize nq = m->nq, nv = m->nv, na = m->na, frame = mji_arena_open(a);
  mji_arena_reals(a, 4 * nq + 10 * nv + 9 * na);
  for (int i = 1; i < MJI_ARENA_STAGES; i++) k = 2 * k + forward(a, m, node + k);
  mji_arena_close(a, frame);
}

static void step(mjiArena* a, const mjModel* m, const mjiArenaRows* node) {
  int dropped = forward(a, m, node + 1);
  switch (m->opt.integrator) {
    case mjINT_RK4: rungeKutta(a, m, node, 2 + dropped); break;
    case mjINT_IMPLICIT:
    case mjINT_IMPLICITFAST: implicitStep(a, m); break;
    default: break;
  }
}

// constants at qpos0, with the modes of cameras and lights put aside
static void constants(mjiArena* a, const mjModel* m) {
  mjtSize frame = mji_arena_open(a);
  mji_arena_reals(a, 13 * (mjtSize)m->nv);
  mji_arena_ints(a, (mjtSize)m->ncam + m->nlight);
  if (m->ntendon) tendons(a, m);
  transmissions(a, m, 0);
  mji_arena_close(a, frame);
}

static int isEnough(const mjModel* m, const mjiArenaRows* node, mjtSize room) {
  mjiArena a = {.top = room};
  constants(&a, m);
  step(&a, m, node);
  return !a.full;
}

// ---- verdicts

static void freeParts(mjiArenaRows* node) {
  for (int i = 0; i < MJI_ARENA_NODES; i++) free(node[i].part);
}

// the least amount above room that is enough
static mjtSize nextEnough(const mjModel* m, const mjiArenaRows* node, mjtSize room) {
  mjtSize low = room, high = room + SLACK;
  while (!isEnough(m, node, high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    mjtSize middle = low + (high - low) / 2;
    if (isEnough(m, node, middle)) high = middle;
    else low = middle;
  }
  return high;
}

// may rows move three trees, so that the reference may have no room for their edges, whatever its memory is?
static int mayHaveManyEdges(const mjModel* m) {
  int n = 0;
  for (int i = 0; i < m->ntendon; i++) n += m->tendon_limited[i] || m->tendon_frictionloss[i] > 0;
  for (int i = 0; i < m->neq; i++) n += m->eq_type[i] == mjEQ_TENDON;
  return n && m->ntree > 2;
}

// Does the user say how much memory there is? What is chosen otherwise is enough.
static int isGiven(const mjSpec* s) {
  return s->memory >= 0 || s->nstack != -1 || s->njmax != -1 || s->nconmax != -1;
}

// Is it enough for rows that are counted otherwise?
static int isEnoughIf(mjModel* m, mjData* d, mjtSize room, mjiArenaCase how) {
  mjiArenaRows node[MJI_ARENA_NODES] = {{0}};
  int fine = !mji_arena_count(m, d, node, &how) || isEnough(m, node, room);
  freeParts(node);
  return fine;
}

// Where rounding decides what later stages have, a model is refused only if there is no room for either.
static int isTooLittle(mjModel* m, mjData* d, const mjiArenaRows* node, mjtSize room) {
  int close = 0;
  for (int i = 1; i < MJI_ARENA_NODES; i++) close += node[i].close;
  if (isEnough(m, node, room)) return 0;
  if (close && isEnoughIf(m, d, room, (mjiArenaCase){.follow = 1, .inward = 1})) return 0;
  if (close && isEnoughIf(m, d, room, (mjiArenaCase){.follow = 1, .inward = -1})) return 0;
  return !node[1].loose || !isEnoughIf(m, d, room, (mjiArenaCase){.follow = 1, .still = 1});
}

// a step without contacts; the rows are those of a state that has room for them
static int judge(mjiCompile* c, mjData* d, mjiArenaRows* node, mjtSize narena) {
  mjModel* m = c->m;
  mji_work(d)->output |= MJI_QUIET;
  if (!mji_arena_count(m, d, node, &(mjiArenaCase){0})) return 0;
  if (mji_arena_hasTooManyEdges(node + 1)) {
    return mji_compile_error(c, NULL, "a tendon connects too many trees to find islands");
  }
  if (!isGiven(&c->w->pub) || isEnough(m, node, narena)) return 0;
  freeParts(node);
  memset(node, 0, MJI_ARENA_NODES * sizeof *node);
  if (!mji_arena_count(m, d, node, &(mjiArenaCase){.follow = 1}) || !isTooLittle(m, d, node, narena)) return 0;
  return mji_compile_error(c, NULL, "size: memory of %lld bytes is too little, the model needs %lld",
                           (long long)narena, (long long)nextEnough(m, node, narena));
}

int mji_arena_check(mjiCompile* c) {
  mjModel* m = c->m;
  mjtSize narena = m->narena;
  if (!isGiven(&c->w->pub) && !mayHaveManyEdges(m)) return 0;
  mjOption opt = m->opt;
  m->opt.disableflags |= mjDSBL_CONTACT;
  m->narena = narena + mjMIN(narena, MOREMOST) + SLACK;
  mjData* d = mji_makeLaneData(m, 1);
  mjiArenaRows node[MJI_ARENA_NODES] = {{0}};
  int bad = d && judge(c, d, node, narena);
  freeParts(node);
  mj_deleteData(d);
  m->narena = narena;
  m->opt = opt;
  return bad;
}
