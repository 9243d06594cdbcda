// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Newton and conjugate-gradient iterations on the primal problem (seed: Computation, "Algorithms").

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "solve/primal.h"

static V* stackV(mjData* d, size_t n) { return LANES(mji_stackNum(d, n ? n : 1)); }

static V dot(const V* a, const V* b, int n) {
  V s = v_zero();
  for (int i = 0; i < n; i++) s = s + a[i] * b[i];
  return s;
}

static LANE(Primal) start(const mjModel* m, mjData* d, M live) {
  const mjiWork* w = mji_work(d);
  int nv = m->nv, nefc = d->nefc;
  LANE(Primal) p = {.m = m,
                    .d = d,
                    .block = w->block,
                    .nblock = w->nblock,
                    .nv = nv,
                    .nefc = nefc,
                    .ne = d->ne,
                    .nf = d->nf,
                    .cone = m->opt.cone == mjCONE_ELLIPTIC,
                    .qacc = LANES(d->qacc),
                    .live = live};
  p.grad = stackV(d, nv);
  p.Mgrad = stackV(d, nv);
  p.search = stackV(d, nv);
  p.Mv = stackV(d, nv);
  p.Jv = stackV(d, nefc);
  return p;
}

// forces and total cost at the iterate
static void updateCost(LANE(Primal)* p) {
  mjData* d = p->d;
  const V *smooth = CLANES(d->qfrc_smooth), *free = CLANES(d->qacc_smooth);
  V cost = v_zero();
  for (int i = 0; i < p->nv; i++) {
    cost = cost + (p->Ma[i] - smooth[i]) * (p->qacc[i] - free[i]);
  }
  p->cost = 0.5 * cost + LANE(penalty)(p->m, d, p->Jaref, LANES(d->efc_force));
}

// gradient of the cost; its norm
static V updateGradient(LANE(Primal)* p) {
  mjData* d = p->d;
  V* force = LANES(d->qfrc_constraint);
  const V* smooth = CLANES(d->qfrc_smooth);
  LANE(blockMulJT)(p->m, d, force, CLANES(d->efc_force));
  for (int i = 0; i < p->nv; i++) p->grad[i] = p->Ma[i] - smooth[i] - force[i];
  return v_sqrt(dot(p->grad, p->grad, p->nv));
}

// preconditioned gradient: with the Hessian for Newton, with M for conjugate gradients
static int precondition(LANE(Primal)* p, int newton, int first) {
  if (!newton) {
    LANE(solveM)(p->m, p->d, (mjtNum*)p->Mgrad, (const mjtNum*)p->grad, 1);
    return 0;
  }
  int nchange = LANE(hessianUpdate)(p);
  LANE(hessianSolve)(p, p->Mgrad, p->grad, first || nchange);
  return nchange;
}

// move live lanes along the search direction
static void advance(LANE(Primal)* p, V step, M moves) {
  for (int i = 0; i < p->nv; i++) {
    p->qacc[i] = v_sel(moves, p->qacc[i] + step * p->search[i], p->qacc[i]);
    p->Ma[i] = v_sel(moves, p->Ma[i] + step * p->Mv[i], p->Ma[i]);
  }
  for (int i = 0; i < p->nefc; i++) {
    p->Jaref[i] = v_sel(moves, p->Jaref[i] + step * p->Jv[i], p->Jaref[i]);
  }
}

// next direction: -Mgrad, for conjugate gradients plus the part of Polak and Ribiere
static void direct(LANE(Primal)* p, const V* oldgrad, const V* oldMgrad) {
  if (!oldgrad) {
    for (int i = 0; i < p->nv; i++) p->search[i] = -p->Mgrad[i];
    return;
  }
  V top = v_zero(), bottom = dot(oldgrad, oldMgrad, p->nv);
  for (int i = 0; i < p->nv; i++) top = top + p->grad[i] * (p->Mgrad[i] - oldMgrad[i]);
  V beta = v_max(top / v_max(bottom, v_set1(mjMINVAL)), v_zero());
  for (int i = 0; i < p->nv; i++) p->search[i] = beta * p->search[i] - p->Mgrad[i];
}

#if SHEAF_LANES == 1
static void record(mjData* d, int iter, V improvement, V gradient, V slope, int nchange,
                   int neval) {
  if (iter >= mjNSOLVER) return;
  mjSolverStat* stat = d->solver + iter;
  *stat = (mjSolverStat){.improvement = improvement,
                         .gradient = gradient,
                         .lineslope = slope,
                         .nchange = nchange,
                         .neval = neval};
  for (int i = 0; i < d->nefc; i++) stat->nactive += d->efc_force[i] != 0;
}
#endif

void LANE(solvePrimal)(const mjModel* m, mjData* d, M live, int newton, V* Ma, V* Jaref) {
  mj_markStack(d);
  LANE(Primal) p = start(m, d, live);
  p.Ma = Ma;
  p.Jaref = Jaref;
  int nv = p.nv, iter = 0;
  double scale = 1.0 / (m->stat.meaninertia * (nv > 0 ? nv : 1));
  V *oldgrad = newton ? NULL : stackV(d, nv), *oldMgrad = newton ? NULL : stackV(d, nv);

  updateCost(&p);
  updateGradient(&p);
  if (newton) LANE(hessianInit)(&p);
  precondition(&p, newton, 1);
  direct(&p, NULL, NULL);

  while (iter < m->opt.iterations && m_any(p.live)) {
    // step length: one for Newton unless rows change state on the way
    LANE(mulM)(m, d, (mjtNum*)p.Mv, (const mjtNum*)p.search);
    LANE(blockMulJ)(m, d, p.Jv, p.search);
    V norm = v_sqrt(dot(p.search, p.search, nv));
    V gtol = (m->opt.tolerance * m->opt.ls_tolerance / scale) * norm;
    V first = v_set1(1);
    int neval = 0;
    if (!newton) {
      V slope, curvature;
      LANE(lineSlope)(&p, v_zero(), &slope, &curvature);
      first = -slope / v_max(curvature, v_set1(mjMINVAL));
    }
    V step = LANE(lineSearch)(&p, first, gtol, &neval);
    M moves = p.live & v_gt(step, v_zero());
    p.live = moves;
    if (!m_any(moves)) break;

    // move, and measure the progress
    V oldcost = p.cost;
    if (!newton) {
      for (int i = 0; i < nv; i++) {
        oldgrad[i] = p.grad[i];
        oldMgrad[i] = p.Mgrad[i];
      }
    }
    advance(&p, step, moves);
    updateCost(&p);
    V gradient = scale * updateGradient(&p), improvement = scale * (oldcost - p.cost);
#if SHEAF_LANES == 1
    record(d, iter, improvement, gradient, step, 0, neval);
#endif
    iter++;

    // lanes whose progress or gradient is small are done (a bad number ends a lane, too)
    V tol = v_set1(m->opt.tolerance);
    p.live = p.live & v_ge(improvement, tol) & v_ge(gradient, tol);
    if (!m_any(p.live)) break;
    precondition(&p, newton, 0);
    direct(&p, oldgrad, oldMgrad);
  }

#if SHEAF_LANES == 1
  d->solver_niter[0] = iter;
  d->solver_nnz[0] = newton ? p.pattern.rowadr[nv] : 0;
#endif
  mj_freeStack(d);
}
