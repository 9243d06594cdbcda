// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Where the primal solvers start: from the last acceleration or from the unconstrained one, part by part.
//
// The last acceleration nearly always has the lower cost. Yet Newton's method often needs fewer iterations from the
// unconstrained acceleration: what it has to find are the rows that act, and those that unconstrained motion violates
// are often nearer to them than those that act at an acceleration which is no longer right. The last acceleration is
// the better start where its constraint forces still account for it. There the gradient of the cost,
//
//   M (a - a0) - f  with the constraint force  f = -J' s'(J a - aref),
//
// is smaller than f; at the solution it is zero. Squares are weighed with the inverse of the diagonal of M, so that
// forces and torques can be added.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "lanes/kernels.h"
#include "model/work.h"
#include "solve/primal.h"
#include "solve/scratch.h"

// With fewer iterations than these the result depends on the start. Then, and for conjugate gradients, it is that of
// lower cost for all parts together, as in the reference.
enum { FEW_ITERATIONS = 20 };

// largest gradient, in constraint forces, with which the last acceleration is the start, for a part of one tree and for
// one of several: in a pile forces pass from tree to tree, which unconstrained motion does not tell
#define BALANCE 0.9
#define BALANCE_OF_TREES 2.0

void LANE(residuals)(const mjModel* m, const mjData* d, V* jar, const V* qacc) {
  const V* aref = CLANES(d->efc_aref);
  LANE(blockMulJ)(m, d, jar, qacc);
  for (int i = 0; i < d->nefc; i++) jar[i] = jar[i] - aref[i];
}

// the last acceleration, and for each part what is known of it
typedef struct {
  const V *Ma, *jar;
  V *cost, *gradient, *force;  // (n) cost; squares of the gradient and of the constraint force
  V* tree;                     // (n) how many trees the part has
} Last;

static void chooseByCost(const mjModel* m, const mjData* d, int n, const Last* last, const V* cold, M* use) {
  const V *smooth = CLANES(d->qfrc_smooth), *free = CLANES(d->qacc_smooth), *qacc = CLANES(d->qacc_warmstart);
  V gauss = v_zero();
  for (int i = 0; i < m->nv; i++) gauss = gauss + (last->Ma[i] - smooth[i]) * (qacc[i] - free[i]);
  V cost = LANE(penalty)(m, d, last->jar, NULL) + 0.5 * gauss;
  M lower = v_le(cost, LANE(penalty)(m, d, cold, NULL));
  for (int k = 0; k < n; k++) use[k] = lower;
}

// Add the sums over dofs: to the cost the part without constraints, and the squares.
static void measureDofs(const mjModel* m, const mjData* d, const LANE(Parts)* parts, const Last* last) {
  const V *smooth = CLANES(d->qfrc_smooth), *free = CLANES(d->qacc_smooth), *inertia = CLANES(d->M);
  const V *qacc = CLANES(d->qacc_warmstart), *force = CLANES(d->qfrc_constraint);
  for (int s = 0; s < parts->nsegment; s++) {
    if (isIdle(parts, s)) continue;
    mjiSegment dofs = parts->segment[s];
    M on = parts->on[s];
    V gauss = partGet(parts, s, last->cost), g2 = partGet(parts, s, last->gradient),
      f2 = partGet(parts, s, last->force);
    for (int i = dofs.adr; i < dofs.adr + dofs.num; i++) {
      V pull = v_and(on, last->Ma[i] - smooth[i]), g = pull - force[i];
      V weight = 1.0 / inertia[m->M_rowadr[i] + m->M_rownnz[i] - 1];
      gauss = gauss + 0.5 * pull * (qacc[i] - free[i]);
      g2 = g2 + g * g * weight;
      f2 = f2 + force[i] * force[i] * weight;
    }
    partPut(parts, s, last->cost, gauss);
    partPut(parts, s, last->gradient, g2);
    partPut(parts, s, last->force, f2);
    partPut(parts, s, last->tree, partGet(parts, s, last->tree) + v_and(on, v_set1(1)));
  }
}

// On return d has the constraint force of the last acceleration, and `penalty` its cost.
static void chooseByBalance(const mjModel* m, mjData* d, const LANE(Parts)* parts, const Last* last, const V* cold,
                            M* use, V* penalty) {
  V *force = LANES(d->efc_force), *coldcost = last->gradient;
  LANE(penaltyOfParts)(m, d, parts, cold, force, coldcost);
  LANE(penaltyOfParts)(m, d, parts, last->jar, force, penalty);
  LANE(blockMulJT)(m, d, LANES(d->qfrc_constraint), force);
  for (int k = 0; k < parts->n; k++) {
    last->cost[k] = penalty[k] - coldcost[k];
    last->gradient[k] = last->force[k] = last->tree[k] = v_zero();
  }
  measureDofs(m, d, parts, last);
  for (int k = 0; k < parts->n; k++) {
    M lower = v_le(last->cost[k], v_zero()), pile = v_gt(last->tree[k], v_set1(1));
    V most = v_sel(pile, v_set1(BALANCE_OF_TREES * BALANCE_OF_TREES), v_set1(BALANCE * BALANCE));
    use[k] = lower & v_lt(last->gradient[k], most * last->force[k]);
  }
}

// Take the residuals of the unconstrained acceleration for rows whose part starts there.
static void chooseRows(const mjData* d, const LANE(Parts)* parts, const M* use, V* jar, const V* cold) {
  const mjiWork* w = mji_work(d);
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    M warm = parts->block[k] < 0 ? m_none() : partMask(parts, parts->block[k], use);
    for (int i = b->efcadr; i < b->efcadr + b->nrow; i++) jar[i] = v_sel(warm, jar[i], cold[i]);
  }
}

// dofs that are in no part keep the unconstrained acceleration, because no constraint acts on them
static void chooseDofs(mjData* d, const LANE(Parts)* parts, const M* use, V* Ma) {
  V* qacc = LANES(d->qacc);
  const V *smooth = CLANES(d->qfrc_smooth), *free = CLANES(d->qacc_smooth), *last = CLANES(d->qacc_warmstart);
  for (int s = 0; s < parts->nsegment; s++) {
    mjiSegment dofs = parts->segment[s];
    M warm = partMask(parts, s, use);
    for (int i = dofs.adr; i < dofs.adr + dofs.num; i++) {
      qacc[i] = v_sel(warm, last[i], free[i]);
      Ma[i] = v_sel(warm, Ma[i], smooth[i]);  // M a0 is the smooth force
    }
  }
}

// Do all parts start from the last acceleration, in all lanes in which they have constraints?
static int allWarm(const LANE(Parts)* parts, const M* use) {
  M cold = m_none();
  for (int s = 0; s < parts->nsegment; s++) cold = cold | (parts->on[s] & ~partMask(parts, s, use));
  return !m_any(cold);
}

int LANE(startPrimal)(const mjModel* m, mjData* d, const LANE(Parts)* parts, V* Ma, V* jar, V* cold, V* penalty) {
  int known = 0;
  LANE(residuals)(m, d, cold, CLANES(d->qacc_smooth));
  if (mjDISABLED(mjDSBL_WARMSTART)) {
    memcpy(d->qacc, d->qacc_smooth, (size_t)m->nv * sizeof(V));
    memcpy(Ma, d->qfrc_smooth, (size_t)m->nv * sizeof(V));
    memcpy(jar, cold, (size_t)d->nefc * sizeof(V));
    return 0;
  }
  mj_markStack(d);
  size_t n = (size_t)parts->n;
  V* next = stackV(d, 5 * n);
  Last last = {.Ma = Ma, .jar = jar, .cost = takeV(&next, n), .gradient = takeV(&next, n), .force = takeV(&next, n)};
  last.tree = takeV(&next, n);
  M* use = (M*)takeV(&next, n);
  LANE(residuals)(m, d, jar, CLANES(d->qacc_warmstart));
  LANE(mulM)(m, d, (mjtNum*)Ma, d->qacc_warmstart);
  if (m->opt.solver == mjSOL_NEWTON && m->opt.iterations >= FEW_ITERATIONS) {
    chooseByBalance(m, d, parts, &last, cold, use, penalty);
    known = allWarm(parts, use);
  } else {
    chooseByCost(m, d, parts->n, &last, cold, use);
  }
  chooseRows(d, parts, use, jar, cold);
  chooseDofs(d, parts, use, Ma);
  mj_freeStack(d);
  return known;
}
