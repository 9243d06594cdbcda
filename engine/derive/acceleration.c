// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of accelerations: of the constraint problem's solution, and of what an integrator makes of it.
//
// The solution a has no residual, r(a, x) = inverse dynamics - applied forces = 0, and dr/da is the Newton Hessian H =
// M + J'SJ. So da/dx = -inv(H) dr/dx: one factor, and one solution for each column.
//
// Integrators that are implicit in the velocity move by b with P b = M a, where P = M - h dForce/dv. With s = P b - M a
// at fixed a and b:  db/dx = inv(P) (M da/dx - ds/dx).

#include "lanes/lanes.h"

#include <sheaf/batch.h>

#include "base/checkpoint.h"
#include "derive/slopes.h"
#include "dynamics/inertia.h"
#include "dynamics/spatial.h"
#include "integrate/integrate.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"
#include "solve/primal.h"
#include "solve/scratch.h"

// columns of activations and controls: the force of each actuator along its moment arms
static void forceColumns(const mjModel* m, mjData* d, const LANE(Slopes)* s, int ncol, V* column) {
  int nv = (int)m->nv, na = (int)m->na;
  V* ctrl = column + (size_t)na * (size_t)nv;
  zeroN(column, (ncol - 2 * nv) * nv);
  for (int i = 0; i < m->nu; i++) {
    int adr = m->actuator_actadr[i];
    if (adr >= 0) {
      int last = adr + m->actuator_actnum[i] - 1;
      LANE(addMoment)(m, d, i, s->actuator.force_act[i], column + (size_t)last * (size_t)nv);
    }
    if (ncol > 2 * nv + na) LANE(addMoment)(m, d, i, s->actuator.force_ctrl[i], ctrl + (size_t)i * (size_t)nv);
  }
  if (LANE(addForcesByCode)(m, d, 2 * nv, ncol - 2 * nv, NULL, 1, column)) {
    tellFallback(s->fallback, m_full(), SHEAF_FALLBACK_FORCE);
  }
}

// is one of the columns from `first` to before `end` chosen?
static int hasColumns(const LANE(Slopes)* s, int first, int end) {
  for (int c = 0; c < s->ncol; c++) {
    int column = mji_columnAt(s->column, c);
    if (column >= first && column < end) return 1;
  }
  return 0;
}

// the chosen ones of all columns
static void choose(const mjModel* m, const LANE(Slopes)* s, V* to) {
  size_t nv = (size_t)m->nv;
  for (int c = 0; c < s->ncol && s->column; c++) {
    copyN(to + (size_t)c * nv, s->all + (size_t)s->column[c] * nv, (int)nv);
  }
}

// The same of Euler, where P = M + h damping:  db/dx = da/dx - inv(P) (h damping da/dx + ds/dx).
static void throughDamping(const mjModel* m, mjData* d, LANE(Slopes)* s) {
  size_t nv = (size_t)m->nv, n = nv * (size_t)s->ncol;
  N h = OPT(timestep)[0];
  for (size_t at = 0; at < n; at += nv) {
    for (size_t i = 0; i < nv; i++) {
      s->move[at + i] = s->move[at + i] + h * NUM(dof_damping)[i] * s->acc[at + i];
    }
  }
  LANE(solveLD)(m, CLANES(d->qH), CLANES(d->qHDiagInv), s->move, s->ncol, 0, (int)nv);
  for (size_t i = 0; i < n; i++) s->move[i] = s->acc[i] - s->move[i];
}

void LANE(throughIntegrator)(const mjModel* m, mjData* d, LANE(Slopes)* s) {
  int nv = (int)m->nv;
  size_t top = mji_stackTop(d);
  V* force = stackV(d, (size_t)nv);
  if (m->opt.integrator == mjINT_EULER) {
    throughDamping(m, d, s);
    return;
  }
  for (int c = 0; c < s->ncol; c++) {
    V* move = s->move + (size_t)c * (size_t)nv;
    mji_checkpoint();
    LANE(mulM)(m, d, (mjtNum*)force, (const mjtNum*)(s->acc + (size_t)c * (size_t)nv));
    for (int i = 0; i < nv; i++) move[i] = force[i] - move[i];
  }
  if (m->opt.integrator == mjINT_IMPLICIT) {
    for (int c = 0; c < s->ncol; c++) {
      mji_checkpoint();
      LANE(solveLU)(m, CLANES(d->qLU), s->move + (size_t)c * (size_t)nv);
    }
  } else {
    LANE(solveLD)(m, CLANES(d->qH), CLANES(d->qHDiagInv), s->move, s->ncol, 0, nv);
  }
  if (OWN_NUMBERS && m->opt.integrator == mjINT_EULER) {
    M damped = dampedLanes(m, d);
    for (int k = 0; k < s->ncol * nv; k++) s->move[k] = v_sel(damped, s->move[k], s->acc[k]);
  }
  mji_stackBack(d, top);
}

const V* LANE(movedBy)(const mjModel* m, mjData* d) {
  switch ((mjtIntegrator)m->opt.integrator) {
    case mjINT_EULER: return CLANES(LANE(eulerAcc)(m, d, 0));
    case mjINT_IMPLICIT:
    case mjINT_IMPLICITFAST: return CLANES(LANE(implicitAcc)(m, d, 0));
    default: return CLANES(d->qacc);
  }
}

// the solution before noslip, in d->qacc; that after it in `slipped`
static void findMain(const mjModel* m, mjData* d, V* slipped) {
  mjModel plain = *m;
  plain.opt.noslip_iterations = 0;
  copyN(slipped, CLANES(d->qacc), (int)m->nv);
  LANE(fwdConstraint)(&plain, d, 0);
}

static void exchange(V* a, V* b, int n) {
  for (int i = 0; i < n; i++) {
    V t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

// from derivatives of the solution before noslip to those after it
static void throughNoslip(const mjModel* m, mjData* d, LANE(Slopes)* s, V* slipped) {
  if (s->main) {
    copyN(s->main, s->acc, s->ncol * (int)m->nv);
    copyN(s->mainacc, CLANES(d->qacc), (int)m->nv);
  }
  LANE(noslipSlopes)(m, d, s);
  tellFallback(s->fallback, m_full(), SHEAF_FALLBACK_NOSLIP);
  copyN(LANES(d->qacc), slipped, (int)m->nv);
}

void LANE(accelerationSlopes)(const mjModel* m, mjData* d, LANE(Slopes)* s) {
  size_t nv = (size_t)m->nv;
  int ncol = s->column ? mji_allColumns(m, s->column, s->ncol) : s->ncol;
  s->moved = LANE(movedBy)(m, d);
  LANE(actuatorSlopes)(m, d, &s->actuator);
  s->actuator.rate = LANE(ratesByCode)(m, d, s->column, s->ncol);
  if (s->actuator.rate) tellFallback(s->fallback, m_full(), SHEAF_FALLBACK_FORCE);
  if (s->moved == CLANES(d->qacc)) s->move = s->acc;
  V *all = s->column ? s->all : s->acc, *shift = s->move == s->acc ? NULL : s->column ? s->all : s->move;

  mj_markStack(d);
  V *jar = stackV(d, (size_t)d->nefc), *inertia = stackV(d, (size_t)m->nC);
  copyN(inertia, CLANES(d->M), (int)m->nC);
  V* slipped = m->opt.noslip_iterations > 0 ? stackV(d, nv) : NULL;
  if (slipped) findMain(m, d, slipped);
  LANE(rowResiduals)(m, d, jar, CLANES(d->qacc));
  if (hasColumns(s, (int)nv, 2 * (int)nv)) LANE(residualByVelocity)(m, d, 1, jar, s->fallback, all + nv * nv);
  forceColumns(m, d, s, ncol, all + 2 * nv * nv);
  LANE(Parts) parts;
  LANE(Primal) p;
  LANE(hessianAt)(m, d, jar, &parts, &p);

  if (hasColumns(s, 0, (int)nv)) {
    const char* wanted = wantedDofs(m, d, s->column, s->ncol);
    LANE(residualByPosition)(m, d, 1, jar, wanted, s->fallback, all);
  }
  choose(m, s, s->acc);
  if (slipped) exchange(LANES(d->qacc), slipped, (int)nv);  // integrators move by what is after noslip
  int bit = shift ? LANE(shiftSlopes)(m, d, ncol, s, shift) : 0;
  if (slipped) exchange(LANES(d->qacc), slipped, (int)nv);
  tellFallback(s->fallback, m_full(), bit);
  if (shift) choose(m, s, s->move);

  // subtracted, so that a zero keeps its sign: which zeros the solution meets depends on the other lanes' contacts
  for (int c = 0; c < s->ncol && mji_columnAt(s->column, c) < 2 * (int)nv; c++) {
    V* acc = s->acc + (size_t)c * nv;
    for (size_t i = 0; i < nv; i++) acc[i] = v_zero() - acc[i];
  }
  LANE(hessianSolveAll)(&p, s->acc, s->ncol);
  if (slipped) throughNoslip(m, d, s, slipped);
  copyN(LANES(d->M), inertia, (int)m->nC);
  if (shift) LANE(throughIntegrator)(m, d, s);
  mj_freeStack(d);
}
