// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The last steps of compilation, which need the dynamics of the model: constants at qpos0, springs
// given by time constant and damping ratio, length ranges, and a first step.

#include <math.h>

#include "base/error.h"
#include "compile/compile.h"
#include "model/work.h"

// a spring of time constant t and damping ratio r, on the inertia that the joint sees:
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
  mjOption saved = m->opt;
  m->opt.disableflags |= mjDSBL_FRICTIONLOSS | mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER |
                         mjDSBL_GRAVITY | mjDSBL_ACTUATION;
  if (opt->timestep > 0) m->opt.timestep = opt->timestep;
  int bad = 0;
  for (int i = 0; i < m->nu && !bad; i++) {
    char reason[300];
    if (mj_setLengthRange(m, d, i, opt, reason, sizeof reason)) continue;
    bad = mji_compile_error(c, mji_get(c, mjOBJ_ACTUATOR, i), "%s", reason);
  }
  m->opt = saved;
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

// the Hessian of the first state, where a step ends in another
static int losesPivotAtFirst(mjModel* m, mjData* d) {
  if (m->opt.integrator != mjINT_RK4 || m->opt.solver != mjSOL_NEWTON || !mj_isSparse(m)) return 0;
  mjiTrap trap;
  if (mji_tryBegin(&trap)) return 0;
  mj_resetData(m, d);
  mj_forward(m, d);
  mji_tryEnd(&trap);
  return mji_pivot_isLost(m, d);
}

static int survives(mjiCompile* c, mjData* d) {
  mjiTrap trap;
  if (mji_tryBegin(&trap)) {
    mji_compile_error(c, NULL, "the model cannot be stepped: %s", trap.text);
    return 0;
  }
  mj_resetData(c->m, d);    // trees that sleep from the start
  mj_step(c->m, d);
  mji_tryEnd(&trap);
  return 1;
}

// the implicit integrator divides by the diagonal of its factor
static int isSingular(const mjModel* m, const mjData* d) {
  if (m->opt.integrator != mjINT_IMPLICIT) return 0;
  for (int i = 0; i < m->nv; i++) {
    if (fabs(d->qLU[m->D_rowadr[i] + m->D_diag[i]]) < mjMINVAL) return 1;
  }
  return 0;
}

// A step from the initial state shows what is wrong with the numbers: warnings become the warning of
// the compiler, and a model that cannot be stepped is refused.
static int tryStep(mjiCompile* c, mjData* d) {
  mji_work(d)->output |= MJI_QUIET;
  int lost = losesPivotAtFirst(c->m, d);
  if (!survives(c, d)) return -1;
  if (c->m->opt.integrator != mjINT_RK4) lost = mji_pivot_isLost(c->m, d);
  if (lost) {
    return mji_compile_error(c, NULL,
                             "the model cannot be stepped: joints move the same, and the Hessian of "
                             "the solver is singular");
  }
  if (isSingular(c->m, d)) {
    return mji_compile_error(c, NULL, "the matrix of the implicit integrator is singular");
  }
  for (int i = 0; i < mjNWARNING; i++) {
    const mjWarningStat* met = d->warning + i;
    if (met->number) mji_compile_warning(c, NULL, "%s", mju_warningText(i, (size_t)met->lastinfo));
  }
  return 0;
}

int mji_finish_model(mjiCompile* c) {
  mjModel* m = c->m;
  const mjSpec* s = &c->w->pub;
  if (s->compiler.settotalmass > 0) mj_setTotalmass(m, s->compiler.settotalmass);

  // without constants nothing can be put to sleep
  int flags = m->opt.enableflags;
  m->opt.enableflags &= ~mjENBL_SLEEP;

  // the memory that the model asks for may be more than there is, which is an error of the model
  mjData* d = mji_makeLaneData(m, 1);
  if (!d) return mji_compile_error(c, NULL, "there is no memory for a state and an arena of %lld bytes",
                                   (long long)m->narena);
  mj_setConst(m, d);
  setSprings(c);
  int bad = setLengthRanges(c, d);
  keepStatistics(m, &s->stat);
  m->opt.enableflags = flags;

  bad = bad || tryStep(c, d) || mji_arena_check(c);
  mj_deleteData(d);
  return bad;
}
