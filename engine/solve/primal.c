// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Newton and conjugate-gradient iterations on the primal problem (documentation of MuJoCo: Computation, "Algorithms").

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "lanes/kernels.h"
#include "model/block.h"
#include "model/work.h"
#include "solve/primal.h"
#include "solve/scratch.h"

static LANE(Primal) start(const mjModel* m, mjData* d, const LANE(Parts)* parts) {
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
                    .parts = parts};
  size_t n = (size_t)nv, padded = (n + 3) & ~(size_t)3, npart = (size_t)parts->n;
  V* next = stackV(d, 3 * n + padded + (size_t)nefc + 6 * npart);
  p.Mgrad = takeV(&next, padded);  // solves work on whole blocks of four; the last one ends with zeros
  for (size_t i = n; i < padded; i++) p.Mgrad[i] = v_zero();
  p.grad = takeV(&next, n);
  p.search = takeV(&next, n);
  p.Mv = takeV(&next, n);
  p.Jv = takeV(&next, (size_t)nefc);
  p.scratch = takeV(&next, 2 * npart);
  p.cost = takeV(&next, npart);
  p.gauss = takeV(&next, npart);
  p.scale = takeV(&next, npart);
  p.live = (M*)takeV(&next, npart);
  for (int k = 0; k < parts->n; k++) {
    p.scale[k] = 1.0 / v_max(parts->inertia[k], v_set1(mjMINVAL));
    p.live[k] = parts->nsegment == 1 ? parts->on[0] : v_gt(parts->inertia[k], v_zero());
  }
  return p;
}

// products of each part: sum of a_i * (b_i - c_i), c may be NULL
static void dots(const LANE(Primal)* p, V* sum, const V* a, const V* b, const V* c) {
  const LANE(Parts)* parts = p->parts;
  for (int k = 0; k < parts->n; k++) sum[k] = v_zero();
  for (int s = 0; s < parts->nsegment; s++) {
    if (isIdle(parts, s)) continue;
    mjiSegment dofs = parts->segment[s];
    V t = partGet(parts, s, sum);
    if (c) {
      for (int i = dofs.adr; i < dofs.adr + dofs.num; i++) t = t + a[i] * (b[i] - c[i]);
    } else {
      for (int i = dofs.adr; i < dofs.adr + dofs.num; i++) t = t + a[i] * b[i];
    }
    partPut(parts, s, sum, t);
  }
}

// Forces and total cost at the iterate. penalty: NULL, or what the forces cost that are there already.
static void updateCost(LANE(Primal)* p, const V* penalty) {
  mjData* d = p->d;
  const LANE(Parts)* parts = p->parts;
  const V *smooth = CLANES(d->qfrc_smooth), *free = CLANES(d->qacc_smooth);
  V* cost = p->scratch;
  for (int k = 0; k < parts->n; k++) cost[k] = v_zero();
  for (int s = 0; s < parts->nsegment; s++) {
    if (isIdle(parts, s)) continue;
    mjiSegment dofs = parts->segment[s];
    V t = partGet(parts, s, cost);
    for (int i = dofs.adr; i < dofs.adr + dofs.num; i++) {
      t = t + (p->Ma[i] - smooth[i]) * (p->qacc[i] - free[i]);
    }
    partPut(parts, s, cost, t);
  }
  if (penalty) memcpy(p->cost, penalty, (size_t)parts->n * sizeof(V));
  else LANE(penaltyOfParts)(p->m, d, parts, p->Jaref, LANES(d->efc_force), p->cost);
  for (int k = 0; k < parts->n; k++) {
    p->gauss[k] = 0.5 * cost[k];
    p->cost[k] = p->gauss[k] + p->cost[k];
  }
}

// Gradient of the cost; its norms. known: qfrc_constraint is there already.
static void updateGradient(LANE(Primal)* p, V* norm, int known) {
  mjData* d = p->d;
  V* force = LANES(d->qfrc_constraint);
  const V* smooth = CLANES(d->qfrc_smooth);
  if (!known) LANE(blockMulJT)(p->m, d, force, CLANES(d->efc_force));
  for (int i = 0; i < p->nv; i++) p->grad[i] = p->Ma[i] - smooth[i] - force[i];
  dots(p, norm, p->grad, p->grad, NULL);
  for (int k = 0; k < p->parts->n; k++) norm[k] = v_sqrt(norm[k]);
}

// preconditioned gradient: with the Hessian for Newton, with M for conjugate gradients
static void precondition(LANE(Primal)* p, int newton, int first) {
  if (!newton) {
    LANE(solveM)(p->m, p->d, (mjtNum*)p->Mgrad, (const mjtNum*)p->grad, 1);
    return;
  }
  if (first && p->borrows) {
    LANE(hessianSolve)(p, p->Mgrad, p->grad, 0);
    return;
  }
  int nchange = LANE(hessianUpdate)(p);
  LANE(hessianSolve)(p, p->Mgrad, p->grad, first || nchange);
  if (first) LANE(hessianKeep)(p);
}

// move residuals of n rows along the search direction
static inline void moveRows(LANE(Primal)* p, int start, int n, V step, M on) {
  for (int i = start; i < start + n; i++) {
    p->Jaref[i] = v_sel(on, p->Jaref[i] + step * p->Jv[i], p->Jaref[i]);
  }
}

// move along the search direction in lanes of parts that do
static void advance(LANE(Primal)* p, const V* step, const M* moves) {
  const LANE(Parts)* parts = p->parts;
  for (int s = 0; s < parts->nsegment; s++) {
    if (isIdle(parts, s)) continue;
    mjiSegment dofs = parts->segment[s];
    V length = partGet(parts, s, step);
    M on = partMask(parts, s, moves);
    for (int i = dofs.adr; i < dofs.adr + dofs.num; i++) {
      p->qacc[i] = v_sel(on, p->qacc[i] + length * p->search[i], p->qacc[i]);
      p->Ma[i] = v_sel(on, p->Ma[i] + length * p->Mv[i], p->Ma[i]);
    }
  }
  if (parts->nsegment == 1) moveRows(p, 0, p->nefc, step[0], moves[0]);
  for (int k = 0; parts->nsegment > 1 && k < p->nblock; k++) {
    const mjiBlock* b = p->block + k;
    int segment = parts->block[k];
    if (segment < 0) continue;
    moveRows(p, b->efcadr, b->nrow, partGet(parts, segment, step), partMask(parts, segment, moves));
  }
}

// next direction: -Mgrad, plus for conjugate gradients the last direction times the factor of Polak and Ribiere
static void direct(LANE(Primal)* p, const V* oldgrad, const V* oldMgrad) {
  if (!oldgrad) {
    for (int i = 0; i < p->nv; i++) p->search[i] = -p->Mgrad[i];
    return;
  }
  const LANE(Parts)* parts = p->parts;
  V *beta = p->scratch, *bottom = p->scratch + parts->n;
  dots(p, beta, p->grad, p->Mgrad, oldMgrad);
  dots(p, bottom, oldgrad, oldMgrad, NULL);
  for (int k = 0; k < parts->n; k++) {
    beta[k] = v_max(beta[k] / v_max(bottom[k], v_set1(mjMINVAL)), v_zero());
  }
  for (int s = 0; s < parts->nsegment; s++) {
    if (isIdle(parts, s)) continue;
    mjiSegment dofs = parts->segment[s];
    V own = partGet(parts, s, beta);
    for (int i = dofs.adr; i < dofs.adr + dofs.num; i++) {
      p->search[i] = own * p->search[i] - p->Mgrad[i];
    }
  }
}

// one iteration: what it needs to know of each part, and what came of it
typedef struct {
  V *norm, *gtol, *step, *slope, *gradient, *oldcost, *improvement;  // (n)
  M* moves;                                                          // (n)
  int* neval;                                                        // (n)
  int* niter;                                                        // (n) iterations so far
  int* lane;                                                         // (n x lanes) the same, lane by lane
  V *oldgrad, *oldMgrad;                                             // (nv) conjugate gradients
} Iteration;

static Iteration makeIteration(LANE(Primal)* p, int newton) {
  size_t n = (size_t)p->parts->n;
  V* v = stackV(p->d, 8 * n);
  Iteration it = {.norm = v,
                  .gtol = v + n,
                  .step = v + 2 * n,
                  .slope = v + 3 * n,
                  .gradient = v + 4 * n,
                  .oldcost = v + 5 * n,
                  .improvement = v + 6 * n,
                  .moves = (M*)(v + 7 * n)};
  it.neval = mj_stackAllocInt(p->d, (2 + SHEAF_LANES) * n + 1);
  it.niter = it.neval + n;
  it.lane = it.niter + n;
  memset(it.niter, 0, (1 + SHEAF_LANES) * n * sizeof(int));
  if (!newton) {
    it.oldgrad = stackV(p->d, p->nv);
    it.oldMgrad = stackV(p->d, p->nv);
  }
  return it;
}

// active rows of a part
static int countActive(const LANE(Primal)* p, int part) {
  const LANE(Parts)* parts = p->parts;
  int n = 0;
  if (parts->nsegment == 1) {
    for (int i = 0; i < p->nefc; i++) n += p->d->efc_force[i] != 0;
    return n;
  }
  for (int k = 0; k < p->nblock; k++) {
    const mjiBlock* b = p->block + k;
    if (parts->block[k] < 0 || parts->part[parts->block[k]] != part) continue;
    for (int i = b->efcadr; i < b->efcadr + b->nrow; i++) n += p->d->efc_force[i] != 0;
  }
  return n;
}

// statistics of an iteration, for users
static void record(const LANE(Primal)* p, const Iteration* it, int part) {
  int iter = it->niter[part];
  if (iter >= mjNSOLVER || part >= mjNISLAND) return;
  V slope = v_abs(it->slope[part]) * p->scale[part] / it->norm[part];
  p->d->solver[part * mjNSOLVER + iter] = (mjSolverStat){.improvement = v_get(it->improvement[part], 0),
                                                         .gradient = v_get(p->scale[part] * it->gradient[part], 0),
                                                         .lineslope = v_get(slope, 0),
                                                         .nactive = countActive(p, part),
                                                         .neval = it->neval[part]};
}

// Find step lengths. They are 1 for Newton unless rows change state on the way, and 0 where the direction is too short.
// Nonzero if any lane moves.
static int findSteps(LANE(Primal)* p, Iteration* it, int newton) {
  const mjModel* m = p->m;
  LANE(mulM)(m, p->d, (mjtNum*)p->Mv, (const mjtNum*)p->search);
  LANE(blockMulJ)(m, p->d, p->Jv, p->search);
  dots(p, it->norm, p->search, p->search, NULL);
  for (int k = 0; k < p->parts->n; k++) {
    it->norm[k] = v_sqrt(it->norm[k]);
    it->gtol[k] = (m->opt.tolerance * m->opt.ls_tolerance / p->scale[k]) * it->norm[k];
  }
  LANE(lineSearch)(p, newton, it->gtol, it->step, it->slope, it->neval);
  int any = 0;
  for (int k = 0; k < p->parts->n; k++) {
    M still = v_eq(it->step[k], v_zero()) | v_lt(it->norm[k], v_set1(mjMINVAL));
    p->live[k] = it->moves[k] = p->live[k] & ~still;
    any |= m_any(it->moves[k]);
  }
  return any;
}

// Move, measure the progress, and end lanes in which the progress or the gradient is small, or a number is bad. Nonzero
// if any lane goes on.
static int moveAndMeasure(LANE(Primal)* p, Iteration* it) {
  int n = p->parts->n, any = 0;
  memcpy(it->oldcost, p->cost, (size_t)n * sizeof(V));
  if (it->oldgrad) {
    memcpy(it->oldgrad, p->grad, (size_t)p->nv * sizeof(V));
    memcpy(it->oldMgrad, p->Mgrad, (size_t)p->nv * sizeof(V));
  }
  advance(p, it->step, it->moves);
  updateCost(p, NULL);
  updateGradient(p, it->gradient, 0);
  V tol = v_set1(p->m->opt.tolerance);
  for (int k = 0; k < n; k++) {
    if (!m_any(it->moves[k])) continue;
    it->improvement[k] = p->scale[k] * (it->oldcost[k] - p->cost[k]);
    if (ONE_STATE) record(p, it, k);
    it->niter[k]++;
    for (int i = 0; i < SHEAF_LANES; i++) it->lane[k * SHEAF_LANES + i] += m_get(it->moves[k], i) != 0;
    M goes = v_ge(it->improvement[k], tol) & v_ge(p->scale[k] * it->gradient[k], tol);
    p->live[k] = p->live[k] & goes;
    any |= m_any(p->live[k]);
  }
  return any;
}

// Counters for users. In d: with one state, the iterations of each part; with lanes, the most of all parts. And for
// each lane the most of its parts.
static void count(const LANE(Primal)* p, const Iteration* it, int newton) {
  mjData* d = p->d;
  int most = 0;
  for (int k = 0; k < p->parts->n; k++) {
    int* lane = mji_work(d)->niter;
    for (int i = 0; i < SHEAF_LANES; i++) lane[i] = mjMAX(lane[i], it->lane[k * SHEAF_LANES + i]);
    most = it->niter[k] > most ? it->niter[k] : most;
  }
  d->solver_niter[0] = most;
  for (int k = 0; ONE_STATE && k < p->parts->n && k < mjNISLAND; k++) d->solver_niter[k] = it->niter[k];
  d->solver_nnz[0] = newton ? p->pattern.rowadr[p->nv] : 0;
}

void LANE(solvePrimal)(const mjModel* m, mjData* d, const LANE(Parts)* parts, int newton, V* Ma, V* Jaref,
                       const V* penalty) {
  mj_markStack(d);
  LANE(Primal) p = start(m, d, parts);
  p.Ma = Ma;
  p.Jaref = Jaref;
  Iteration it = makeIteration(&p, newton);
  LANE(lineSearchInit)(&p);

  updateCost(&p, penalty);
  updateGradient(&p, it.gradient, penalty != NULL);
  if (newton) LANE(hessianInit)(&p);
  precondition(&p, newton, 1);
  direct(&p, NULL, NULL);
  for (int i = 0; i < m->opt.iterations; i++) {
    if (!findSteps(&p, &it, newton) || !moveAndMeasure(&p, &it)) break;
    precondition(&p, newton, 0);
    direct(&p, it.oldgrad, it.oldMgrad);
  }
  count(&p, &it, newton);
  mj_freeStack(d);
}
