// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mj_compile: the raw model of compile/, then what needs the dynamics: constants at qpos0, springs given by time
// constant and damping ratio, length ranges, and a first step. The step is there to find out whether the model can be
// stepped at all, in the memory that it asks for.

#include <math.h>

#include "base/error.h"
#include "compile/compile.h"
#include "load/load.h"
#include "load/setconst.h"
#include "model/work.h"

// stiffness and damping of a spring with time constant t and damping ratio r, on the inertia that the joint sees:
// stiffness = inertia / (t^2 r^2), damping = 2 inertia / t
static void setSprings(mjiCompile* c) {
  mjModel* m = c->m;
  for (int j = 0; j < m->njnt; j++) {
    const double* given = mji_get(c, mjOBJ_JOINT, j)->as.joint.springdamper;
    double t = given[0], r = given[1];
    if (t <= 0 || r <= 0) continue;

    mjtJoint type = m->jnt_type[j];
    int adr = m->jnt_dofadr[j], n = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
    double inverse = 0;
    for (int k = 0; k < n; k++) inverse += m->dof_invweight0[adr + k];
    double inertia = n / fmax(mjMINVAL, inverse);
    m->jnt_stiffness[j] = inertia / fmax(mjMINVAL, t * t * r * r);
    for (int k = 0; k < n; k++) m->dof_damping[adr + k] = 2 * inertia / fmax(mjMINVAL, t);
  }
}

static int setLengthRanges(mjiCompile* c, mjData* d) {
  mjModel* m = c->m;
  const mjLROpt* opt = &c->w->pub.compiler.LRopt;
  m->opt.disableflags |=
      mjDSBL_FRICTIONLOSS | mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_GRAVITY | mjDSBL_ACTUATION;
  if (opt->timestep > 0) m->opt.timestep = opt->timestep;
  int bad = 0;
  for (int i = 0; i < m->nu && !bad; i++) {
    char reason[300];
    if (mj_setLengthRange(m, d, i, opt, reason, sizeof reason)) continue;
    bad = mji_compile_error(c, mji_get(c, mjOBJ_ACTUATOR, i), "%s", reason);
  }
  return bad;
}

// statistics that the user gave win over computed ones
static void keepStatistics(mjModel* m, const mjStatistic* given) {
  if (!isnan(given->meaninertia)) m->stat.meaninertia = given->meaninertia;
  if (!isnan(given->meanmass)) m->stat.meanmass = given->meanmass;
  if (!isnan(given->meansize)) m->stat.meansize = given->meansize;
  if (!isnan(given->extent)) m->stat.extent = given->extent;
  if (!isnan(given->center[0])) mju_copy3(m->stat.center, given->center);
}

// ---- a first step

// the implicit integrator divides by the diagonal of its factor
static int isSingular(const mjModel* m, const mjData* d) {
  if (m->opt.integrator != mjINT_IMPLICIT) return 0;
  for (int i = 0; i < m->nv; i++) {
    if (fabs(d->qLU[m->D_rowadr[i] + m->D_diag[i]]) < mjMINVAL) return 1;
  }
  return 0;
}

// Step once from the initial state. What that step warns of becomes the warning of the compiler.
static void tryStep(mjiCompile* c, mjData* d) {
  mj_resetData(c->m, d);  // trees that sleep from the start
  mj_step(c->m, d);
  for (int i = 0; i < mjNWARNING; i++) {
    const mjWarningStat* met = d->warning + i;
    if (met->number) mji_compile_warning(c, NULL, "%s", mju_warningText(i, (size_t)met->lastinfo));
  }
  if (isSingular(c->m, d)) mji_compile_warning(c, NULL, "the matrix of the implicit integrator is singular");
}

// ---- the whole

enum { GENEROUS = 1 << 28 };  // bytes of an arena that almost every model can be stepped in

// STOPPED: an error of the engine ended it
typedef enum { FINE, REFUSED, STOPPED } Outcome;

// use: bytes of the arena that the model took
static Outcome finish(mjiCompile* c, mjData* d, mjtSize* use) {
  mjModel* m = c->m;
  mjOption opt = m->opt;
  m->opt.enableflags &= ~mjENBL_SLEEP;
  mji_const_set(m, d);
  setSprings(c);
  if (setLengthRanges(c, d)) return REFUSED;
  keepStatistics(m, &c->w->pub.stat);
  m->opt = opt;
  *use = d->maxuse_arena;
  tryStep(c, d);
  *use = mjMAX(*use, d->maxuse_arena);
  return FINE;
}

static Outcome finishTrapped(mjiCompile* c, mjData* d, mjtSize* use) {
  mjiTrap trap;
  if (mji_tryBegin(&trap)) {
    mji_compile_error(c, NULL, "the model cannot be stepped: %s", trap.text);
    return STOPPED;
  }
  Outcome outcome = finish(c, d, use);
  mji_tryEnd(&trap);
  return outcome;
}

// data of a model without constants: unlike mj_makeData it runs no forward dynamics, whatever sleeps from the start
static mjData* makeData(const mjModel* m) {
  mjData* d = mji_makeLaneData(m, 1);
  if (d) mji_work(d)->quiet = 1;
  return d;
}

// the same in a compilation: a plugin that cannot be initialized is an error of the model
static mjData* makeTrapped(mjiCompile* c) {
  mjiTrap trap;
  if (mji_tryBegin(&trap)) {
    mji_compile_error(c, NULL, "%s", trap.text);
    return NULL;
  }
  mjData* d = makeData(c->m);
  mji_tryEnd(&trap);
  if (!d) {
    mji_compile_error(c, NULL, "there is no memory for a state and an arena of %lld bytes", (long long)c->m->narena);
  }
  return d;
}

// The arena was too small: is the model fine with a large one? Then the error says how much is enough.
static void askForMemory(mjiCompile* c) {
  mjtSize given = c->m->narena;
  if (given >= GENEROUS) return;
  c->m->narena = GENEROUS;
  mjData* d = makeData(c->m);
  mjtSize use;
  if (d && finishTrapped(c, d, &use) == FINE) {
    mji_compile_error(c, NULL, "size: memory of %lld bytes is too little for a step, %lld bytes are enough",
                      (long long)given, (long long)use);
  }
  mj_deleteData(d);
}

// A model that is refused is deleted, so its options need not be restored.
static int finishModel(mjiCompile* c) {
  mjModel* m = c->m;
  double mass = c->w->pub.compiler.settotalmass;
  if (mass > 0) mj_setTotalmass(m, mass);

  // a model that asks for more memory than there is, is wrong
  mjData* d = makeTrapped(c);
  if (!d) return -1;
  mjOption opt = m->opt;
  mjtSize use;
  Outcome outcome = finishTrapped(c, d, &use);
  mj_deleteData(d);
  m->opt = opt;
  if (outcome == STOPPED) askForMemory(c);
  return outcome == FINE ? 0 : -1;
}

mjModel* mji_load_spec(mjiSpec* s, const mjVFS* vfs) {
  mjiCompile* c = mji_compile_begin(s, vfs);
  if (c->m && finishModel(c)) mji_compile_drop(c);
  return mji_compile_end(c);
}

mjModel* mj_compile(mjSpec* spec, const mjVFS* vfs) {
  mjModel* m = mji_load_spec(mji_spec(spec), vfs);
  if (m) mji_compile_remember(mji_spec(spec));
  return m;
}
