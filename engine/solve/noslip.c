// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Noslip: sweeps over friction forces alone, on the dual problem without its regularization R. Normal forces stay.
// Dry friction and pyramids are swept over lanes, elliptic contacts lane by lane.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block_lanes.h"
#include "model/number.h"
#include "model/row_class.h"
#include "model/work.h"
#include "solve/dual.h"
#include "solve/primal.h"
#include "solve/scratch.h"
#include "solve/sweep.h"

typedef LANE(Sweep) Sweep;

static inline V entry(const Sweep* s, int i, int j) { return s->A[(size_t)i * (size_t)s->n + (size_t)j]; }
static inline V diagonal(const Sweep* s, int i) { return v_max(entry(s, i, i), v_set1(mjMINVAL)); }

// Set the forces of n rows to `next` in lanes where that does not raise the cost. Returns the change of the cost.
static V take(Sweep* s, int i, int n, const V* next, V change) {
  M on = sweepHas(s, i) & ~v_gt(change, v_set1(1e-10));
  for (int r = 0; r < n; r++) {
    V delta = v_and(on, next[r] - s->force[i + r]);
    s->force[i + r] = v_sel(on, next[r], s->force[i + r]);
    sweepMove(s, i + r, delta);
  }
  return v_and(on, change);
}

static V slipRow(Sweep* s, int i, V limit) {
  V A = diagonal(s, i), old = s->force[i], res = s->res[i];
  V next = v_clip(old - res / A, -limit, limit), delta = next - old;
  return take(s, i, 1, &next, delta * (res + 0.5 * A * delta));
}

// Move two opposite edges of a pyramid: their mean, the normal force, stays; their difference is friction.
static V slipEdges(Sweep* s, int i) {
  V A0 = diagonal(s, i), A1 = entry(s, i, i + 1), A3 = diagonal(s, i + 1);
  V f0 = s->force[i], f1 = s->force[i + 1], r0 = s->res[i], r1 = s->res[i + 1];
  V mid = 0.5 * (f0 + f1), b0 = r0 - A0 * f0 - A1 * f1, b1 = r1 - A1 * f0 - A3 * f1;
  V curvature = A0 + A3 - 2 * A1, slope = mid * (A0 - A3) + b0 - b1;
  M flat = v_lt(curvature, v_set1(mjMINVAL));
  V y = v_and(~flat, v_clip(-slope / v_sel(flat, v_set1(1), curvature), -mid, mid));
  V next[2] = {mid + y, mid - y}, d0 = next[0] - f0, d1 = next[1] - f1;
  V change = d0 * r0 + d1 * r1 + 0.5 * (d0 * A0 * d0 + 2 * d0 * A1 * d1 + d1 * A3 * d1);
  return take(s, i, 2, next, change);
}

static V slipCone(Sweep* s, const mjiBlock* b) {
  V total = v_zero(), delta[MJI_SWEEP_DIM] = {v_zero()};
  int i = b->efcadr + 1, n = b->dim - 1;
  M on = sweepHas(s, b->efcadr);
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (!m_get(on, lane)) continue;
    mjtNum A[MJI_SWEEP_DIM * MJI_SWEEP_DIM], res[MJI_SWEEP_DIM], force[MJI_SWEEP_DIM], friction[MJI_SWEEP_DIM];
    sweepRead(s, lane, i, n, res, force, A);
    n_take(friction, frictionOf(b), n, lane);
    for (int r = 0; r < n; r++) A[r * n + r] = mju_max(A[r * n + r], mjMINVAL);
    v_put(&total, lane, mji_slipCone(force, A, res, friction, v_get(s->force[i - 1], lane), n));
    for (int r = 0; r < n; r++) v_put(&delta[r], lane, force[r] - v_get(s->force[i + r], lane));
    for (int r = 0; r < n; r++) v_put(&s->force[i + r], lane, force[r]);
  }
  for (int r = 0; r < n; r++) sweepMove(s, i + r, delta[r]);
  return total;
}

static V sweep(Sweep* s) {
  const mjiWork* w = mji_work(s->d);
  const V* loss = CLANES(s->d->efc_frictionloss);
  V change = v_zero();
  for (const mjiBlock* b = w->block; b < w->block + w->nblock; b++) {
    int end = b->efcadr + b->nrow;
    if (mji_isFriction(b->type)) {
      for (int i = b->efcadr; i < end; i++) change = change + slipRow(s, i, loss[i]);
    } else if (b->type == mjCNSTR_CONTACT_PYRAMIDAL) {
      for (int i = b->efcadr; i < end; i += 2) change = change + slipEdges(s, i);
    } else if (b->type == mjCNSTR_CONTACT_ELLIPTIC) {
      change = change + slipCone(s, b);
    }
  }
  return change;
}

// Make A without R, and the gradient at the present forces. `cost` receives what R contributed.
static void dropRegularization(Sweep* s, V* cost) {
  const V* R = CLANES(s->d->efc_R);
  *cost = v_zero();
  for (int i = 0; i < s->n; i++) {
    V* diag = s->A + (size_t)i * (size_t)s->n + (size_t)i;
    *diag = *diag - R[i];
    *cost = *cost + 0.5 * s->force[i] * s->force[i] * R[i];
  }
  for (int i = 0; i < s->n; i++) sweepMove(s, i, s->force[i]);
}

// lanes that sweep again after `done` sweeps
static M goesOn(const mjModel* m, V improvement, const int* sweeps, int fixed, int done) {
  if (!fixed) return v_ge(improvement, v_set1(m->opt.noslip_tolerance));
  V count = v_zero();
  for (int lane = 0; lane < SHEAF_LANES; lane++) v_put(&count, lane, sweeps[lane]);
  return v_gt(count, v_set1(done));
}

void LANE(solveNoslip)(const mjModel* m, mjData* d, M live, int* sweeps, int fixed) {
  mj_markStack(d);
  Sweep s;
  V change;
  LANE(sweepBegin)(m, d, live, 1, &s);
  dropRegularization(&s, &change);
  if (ONE_STATE) (void)mji_dualStates(m, d);
  N scale = 1.0 / (STAT(meaninertia)[0] * (mjtNum)(m->nv > 0 ? m->nv : 1));

  // the improvement of the first sweep includes the cost that R contributed
  change = -change;
  for (int iter = 0; iter < m->opt.noslip_iterations && m_any(s.live); iter++) {
    V improvement = -scale * (change + sweep(&s));
    change = v_zero();
    sweepCount(&s, improvement);
    for (int lane = 0; lane < SHEAF_LANES && sweeps && !fixed; lane++) sweeps[lane] += m_get(s.live, lane) != 0;
    s.live = s.live & goesOn(m, improvement, sweeps, fixed, iter + 1);
  }
  mj_freeStack(d);
}
