// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What PGS and noslip share: Gauss-Seidel sweeps over constraint forces. Each move of a force updates the gradient, so
// that a sweep does not have to multiply every row with all forces.
//
// Include lanes/lanes.h first.
#ifndef SHEAF_SOLVE_SWEEP_H_
#define SHEAF_SOLVE_SWEEP_H_

#include <mujoco/mujoco.h>

#include "model/block.h"
#include "model/work.h"
#include "solve/dual.h"

enum { MJI_SWEEP_DIM = 6 };  // rows of an elliptic contact at most

typedef struct LANE(Sweep_) {
  const mjModel* m;
  mjData* d;
  int n;     // rows
  V* A;      // (n x n) symmetric
  V* b;      // (n)
  V* res;    // (n) gradient A f + b
  V* force;  // (n) efc_force
  M live;    // lanes that still sweep
} LANE(Sweep);

// Make A = J inv(M) J' + R and b = J a0 - aref in scratch of d, and the gradient at zero forces. The caller may change
// A only if `own` is set; else A may be d->efc_AR.
void LANE(sweepBegin)(const mjModel* m, mjData* d, M live, int own, LANE(Sweep)* sweep);

// Update the gradient: force i moves by delta. A is symmetric, so its row i is the column. Moves add up in their order,
// and rows that a lane does not have add zeros, so the sum does not depend on neighbours.
static inline void sweepMove(LANE(Sweep)* s, int i, V delta) {
  if (!m_any(~v_eq(delta, v_zero()))) return;
  const V* restrict row = s->A + (size_t)i * (size_t)s->n;
  V* restrict res = s->res;
  for (int j = 0; j < s->n; j++) res[j] = res[j] + row[j] * delta;
}

// lanes that sweep and have row i
static inline M sweepHas(const LANE(Sweep)* s, int i) { return s->live & v_gt(CLANES(s->d->efc_D)[i], v_zero()); }

// count a sweep, and note its statistics for users
static inline void sweepCount(const LANE(Sweep)* s, V improvement) {
  if (ONE_STATE) mji_dualRecord(s->m, s->d, v_get(improvement, 0));
  else s->d->solver_niter[0]++;
  for (int i = 0; i < SHEAF_LANES; i++) mji_work(s->d)->niter[i] += m_get(s->live, i) != 0;
}

// copy one lane out: gradient, forces and diagonal block of A at rows i .. i+n-1
static inline void sweepRead(const LANE(Sweep)* s, int lane, int i, int n, mjtNum* res, mjtNum* force, mjtNum* A) {
  for (int r = 0; r < n; r++) {
    res[r] = v_get(s->res[i + r], lane);
    force[r] = v_get(s->force[i + r], lane);
    for (int c = 0; c < n; c++) A[r * n + c] = v_get(s->A[(size_t)(i + r) * (size_t)s->n + (size_t)(i + c)], lane);
  }
}

#endif  // SHEAF_SOLVE_SWEEP_H_
