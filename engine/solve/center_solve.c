// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Solves that start from a center (solve/center.h).
//
// With the laws of the center for all rows the problem is linear: one solution with the factor of the center. Then
// rows whose residuals lie where another law holds get it, and the problem is linear again: with z the residuals of
// those rows, G = J H^-1 J' and a force dshift - dweight * z that each of them adds,
//   z = linear + G (dshift - dweight * z)
// is a small system, lane by lane. This is Newton's method, at first with full steps, later with a line search. It ends
// when no row changes its law, most often after one or two rounds. What has come of it is accepted where the gradient
// of the cost meets the tolerance of the solver, as at the end of any other solve; other lanes are left to the solver.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block_lanes.h"
#include "constraint/block_ops.h"
#include "lanes/kernels.h"
#include "model/row_class.h"
#include "model/work.h"
#include "solve/center.h"
#include "solve/primal.h"
#include "solve/scratch.h"

// Rounds, and rows that differ from the center in a lane, beyond which the lane is left to the solver. Rounds with full
// steps, and evaluations in a line search.
enum { MOSTROUNDS = 16, MOSTROWS = 64, FULLSTEPS = 1, MOSTEVAL = 6 };

typedef struct {
  mjiCenter* c;
  const mjModel* m;
  mjData* d;
  V* qacc;      // (nv)
  V* step;      // (nv) from the center
  V* linear;    // (nefc) residuals if all rows keep the laws of the center
  V* residual;  // (nefc)
  V* weight;    // (nefc) laws
  V* shift;     // (nefc)
  V* force;     // (nefc) what a row adds to the force of its law at the center
  V* before;    // (2 x nefc) force and residual before a round
  int* row;     // (nefc) rows that have another law than at the center in some lane
  int nrow;
  M open;  // lanes in which laws may still change
  M lost;  // lanes that are left to the solver
} Way;

// ---- products with the numbers of the center, which are the same in all lanes

static inline void mulRows(V* restrict base, const mjtNum* restrict J, const V* restrict x, const int* restrict col,
                           int ncol, int dim) {
  V sum[6];
  for (int r = 0; r < dim; r++) sum[r] = v_zero();
  for (int k = 0; k < ncol; k++) {
    V t = x[col[k]];
    for (int r = 0; r < dim; r++) sum[r] = sum[r] + J[r * ncol + k] * t;
  }
  for (int r = 0; r < dim; r++) base[r] = sum[r];
}

static inline void mulBase(V base[6], const mjtNum* J, const mjiBlock* b, const V* x) {
  switch (b->dim) {
    case 1: mulRows(base, J, x, b->col, b->ncol, 1); break;
    case 3: mulRows(base, J, x, b->col, b->ncol, 3); break;
    default: mulRows(base, J, x, b->col, b->ncol, b->dim); break;
  }
}

// residual = Ja - aref + J step
static void residuals(const Way* w, V* residual) {
  const mjiCenter* c = w->c;
  const mjiWork* work = mji_work(w->d);
  const V* aref = CLANES(w->d->efc_aref);
  for (int k = 0; k < work->nblock; k++) {
    const mjiBlock* b = work->block + k;
    V base[6];
    mulBase(base, c->J + c->Jadr[k], b, w->step);
    V* to = residual + b->efcadr;
    const V* from = aref + b->efcadr;
    const mjtNum* Ja = c->Ja + b->efcadr;
    if (b->type != mjCNSTR_CONTACT_PYRAMIDAL) {
      for (int r = 0; r < b->dim; r++) to[r] = (Ja[r] - from[r]) + base[r];
      continue;
    }
    for (int r = 1; r < b->dim; r++) {
      V side = frictionOf(b)[r - 1] * base[r];
      to[2 * r - 2] = (Ja[2 * r - 2] - from[2 * r - 2]) + (base[0] + side);
      to[2 * r - 1] = (Ja[2 * r - 1] - from[2 * r - 1]) + (base[0] - side);
    }
  }
}

static inline void addRows(V* restrict res, const mjtNum* restrict J, const V* restrict f, const int* restrict col,
                           int ncol, int dim) {
  for (int k = 0; k < ncol; k++) {
    V sum = J[k] * f[0];
    for (int r = 1; r < dim; r++) sum = sum + J[r * ncol + k] * f[r];
    res[col[k]] = res[col[k]] + sum;
  }
}

// res += J' force
static void addForces(const Way* w, V* res, const V* force) {
  const mjiCenter* c = w->c;
  const mjiWork* work = mji_work(w->d);
  for (int k = 0; k < work->nblock; k++) {
    const mjiBlock* b = work->block + k;
    const mjtNum* J = c->J + c->Jadr[k];
    const V* f = force + b->efcadr;
    V base[6];
    if (b->type == mjCNSTR_CONTACT_PYRAMIDAL) {
      LANE(blockBaseForce)(b, base, f);
      f = base;
    }
    switch (b->dim) {
      case 1: addRows(res, J, f, b->col, b->ncol, 1); break;
      case 3: addRows(res, J, f, b->col, b->ncol, 3); break;
      default: addRows(res, J, f, b->col, b->ncol, b->dim); break;
    }
  }
}

// x_i - (row i of s) x; two sums to shorten the chain
static inline V subtract(const mjiSparse* s, int i, const V* x, V start) {
  V even = start, odd = v_zero();
  int k = s->adr[i], end = s->adr[i + 1];
  for (; k + 1 < end; k += 2) {
    even = even - s->value[k] * x[s->col[k]];
    odd = odd + s->value[k + 1] * x[s->col[k + 1]];
  }
  if (k < end) even = even - s->value[k] * x[s->col[k]];
  return even - odd;
}

// x = H^-1 x
static void solve(const mjiCenter* c, V* x) {
  for (int i = c->nv - 1; i >= 0; i--) x[i] = subtract(&c->after, i, x, x[i]);
  for (int i = 0; i < c->nv; i++) x[i] = subtract(&c->below, i, x, x[i] * c->dinv[i]);
}

// ---- laws

// The laws at the residuals, in open lanes. Returns the lanes in which a row has another law than before.
static M findLaws(Way* w) {
  const mjData* d = w->d;
  const V *D = CLANES(d->efc_D), *R = CLANES(d->efc_R), *loss = CLANES(d->efc_frictionloss), *x = w->residual;
  M changed = m_none();
  for (int i = d->ne; i < d->ne + d->nf; i++) {
    V edge = R[i] * loss[i];
    M below = v_le(x[i], -edge), above = v_le(edge, x[i]) & ~below;
    V weight = v_sel(w->open, v_and(~(below | above), D[i]), w->weight[i]);
    V shift = v_sel(w->open, v_sel(below, loss[i], v_and(above, -loss[i])), w->shift[i]);
    changed = changed | ~v_eq(weight, w->weight[i]) | ~v_eq(shift, w->shift[i]);
    w->weight[i] = weight;
    w->shift[i] = shift;
  }
  for (int i = d->ne + d->nf; i < d->nefc; i++) {
    V weight = v_sel(w->open, v_and(v_lt(x[i], v_zero()), D[i]), w->weight[i]);
    changed = changed | ~v_eq(weight, w->weight[i]);
    w->weight[i] = weight;
  }
  return changed;
}

// rows that have another law than at the center in some lane
static void listRows(Way* w) {
  const mjiCenter* c = w->c;
  w->nrow = 0;
  for (int i = w->d->ne; i < c->nefc; i++) {
    M other = ~v_eq(w->weight[i], v_set1(c->weight[i])) | ~v_eq(w->shift[i], v_set1(c->shift[i]));
    if (m_any(other)) w->row[w->nrow++] = i;
  }
}

static inline mjtNum at(const V* x, int i, int lane) {
  return ((const mjtNum*)x)[(size_t)i * SHEAF_LANES + (size_t)lane];
}

// Rows of a lane that have other laws: first those with other weights, of which there are `nweight`. Returns how many
// there are; more than MOSTROWS count as MOSTROWS + 1.
static int rowsOfLane(const Way* w, int lane, int* row, int* nweight) {
  const mjiCenter* c = w->c;
  int n = 0, shifted[MOSTROWS], nshift = 0;
  for (int k = 0; k < w->nrow; k++) {
    int i = w->row[k], weighs = at(w->weight, i, lane) != c->weight[i];
    if (!weighs && at(w->shift, i, lane) == c->shift[i]) continue;
    if (n + nshift == MOSTROWS) return MOSTROWS + 1;
    if (weighs) row[n++] = i;
    else shifted[nshift++] = i;
  }
  memcpy(row + n, shifted, (size_t)nshift * sizeof(int));
  *nweight = n;
  return n + nshift;
}

// x = S^-1 x for a symmetric matrix, of which the upper triangle is given. No pivots: with the diagonal matrix of
// differences of weights, S is a product whose leading minors are quotients of determinants of two Hessians.
static void solveSmall(mjtNum S[MOSTROWS][MOSTROWS], mjtNum* x, int n) {
  mjtNum inverse[MOSTROWS];
  for (int p = 0; p < n; p++) {
    const mjtNum* restrict pivot = S[p];
    inverse[p] = 1 / pivot[p];
    for (int i = p + 1; i < n; i++) {
      mjtNum t = pivot[i] * inverse[p];
      mjtNum* restrict row = S[i];
      for (int j = i; j < n; j++) row[j] -= t * pivot[j];
      x[i] -= t * x[p];
    }
  }
  for (int p = n - 1; p >= 0; p--) {
    mjtNum t = x[p];
    for (int j = p + 1; j < n; j++) t -= S[p][j] * x[j];
    x[p] = t * inverse[p];
  }
}

// The forces of a lane that follow from its laws: z = -force / dweight in the formula at the top, so that the matrix is
// symmetric.
static void solveLane(Way* w, int lane) {
  mjiCenter* c = w->c;
  int row[MOSTROWS], nweight, n = rowsOfLane(w, lane, row, &nweight);
  if (n > MOSTROWS) {
    m_put(&w->lost, lane, 1);
    return;
  }
  mjtNum S[MOSTROWS][MOSTROWS], y[MOSTROWS], shift[MOSTROWS];
  for (int k = 0; k < n; k++) {
    mji_centerRespond(c, w->d, row[k]);
    shift[k] = at(w->shift, row[k], lane) - c->shift[row[k]];
  }
  for (int p = 0; p < nweight; p++) {
    const mjtNum* gain = c->gain + (size_t)row[p] * (size_t)c->nefc;
    y[p] = -at(w->linear, row[p], lane);
    for (int q = 0; q < n; q++) y[p] -= gain[row[q]] * shift[q];
    for (int q = p; q < nweight; q++) S[p][q] = gain[row[q]];
    S[p][p] += 1 / (at(w->weight, row[p], lane) - c->weight[row[p]]);
  }
  solveSmall(S, y, nweight);
  for (int k = 0; k < n; k++) v_put(w->force + row[k], lane, k < nweight ? shift[k] + y[k] : shift[k]);
}

// drop the rows that only lanes have which are lost: nobody has computed what a force on them does
static void dropUnknown(Way* w) {
  int n = 0;
  for (int k = 0; k < w->nrow; k++) {
    if (w->c->known[w->row[k]]) w->row[n++] = w->row[k];
  }
  w->nrow = n;
}

// residual = linear + G force, in the order of rows; four rows share the loads and stores of residuals
static void addGains(Way* w) {
  size_t n = (size_t)w->c->nefc;
  V* restrict residual = w->residual;
  memcpy(residual, w->linear, n * sizeof(V));
  int k = 0;
  for (; k + 3 < w->nrow; k += 4) {
    const int* row = w->row + k;
    const mjtNum* gain[4];
    for (int r = 0; r < 4; r++) gain[r] = w->c->gain + (size_t)row[r] * n;
    V f0 = w->force[row[0]], f1 = w->force[row[1]], f2 = w->force[row[2]], f3 = w->force[row[3]];
    for (size_t i = 0; i < n; i++) {
      residual[i] = (((residual[i] + gain[0][i] * f0) + gain[1][i] * f1) + gain[2][i] * f2) + gain[3][i] * f3;
    }
  }
  for (; k < w->nrow; k++) {
    V force = w->force[w->row[k]];
    const mjtNum* gain = w->c->gain + (size_t)w->row[k] * n;
    for (size_t i = 0; i < n; i++) residual[i] = residual[i] + gain[i] * force;
  }
}

// one round: forces of the laws that were found, and the residuals that they make
static void goRound(Way* w) {
  listRows(w);
  for (int i = 0; i < w->c->nefc; i++) w->force[i] = v_and(~w->open, w->force[i]);
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (m_get(w->open, lane)) solveLane(w, lane);
  }
  w->open = w->open & ~w->lost;
  dropUnknown(w);
  addGains(w);
}

// Slope and curvature of the cost at a point between the iterate before a round and the one after it. With y the forces
// that rows add, z their residuals and f(z) what their laws ask for, the gradient is J'(y - f(z)).
static void slopeAt(const Way* w, V at, V* slope, V* curvature) {
  const mjiCenter* c = w->c;
  const mjData* d = w->d;
  const V *D = CLANES(d->efc_D), *R = CLANES(d->efc_R), *loss = CLANES(d->efc_frictionloss);
  *slope = *curvature = v_zero();
  for (int i = d->ne; i < c->nefc; i++) {
    V y = w->before[i], dy = w->force[i] - y, z = w->before[c->nefc + i], dz = w->residual[i] - z;
    y = y + at * dy;
    z = z + at * dz;
    M linear = v_lt(z, v_zero());
    V f = v_zero();
    if (i < d->ne + d->nf) {
      V edge = R[i] * loss[i];
      linear = v_lt(v_abs(z), edge);
      f = v_and(~linear, v_sel(v_lt(z, v_zero()), loss[i], -loss[i]));
    }
    V weight = v_and(linear, D[i]);
    f = (f - weight * z) + (c->weight[i] * z - c->shift[i]);
    *slope = *slope + (y - f) * dz;
    *curvature = *curvature + (dy - (c->weight[i] - weight) * dz) * dz;
  }
}

// Go back towards the iterate before the round, in open lanes, where the full step was too long.
static void shorten(Way* w) {
  int n = w->c->nefc;
  V low = v_zero(), high = v_set1(1), at = high, slope, curvature;
  for (int k = 0; k < MOSTEVAL; k++) {
    slopeAt(w, at, &slope, &curvature);
    M beyond = v_gt(slope, v_zero());
    high = v_sel(beyond, at, high);
    low = v_sel(beyond, low, at);
    V next = at - slope / v_max(curvature, v_set1(mjMINVAL));
    M within = v_lt(low, next) & v_lt(next, high);
    at = v_sel(within, next, v_sel(v_lt(low, high), 0.5 * (low + high), high));
  }
  at = v_sel(w->open, at, v_set1(1));
  for (int i = 0; i < n; i++) {
    V y = w->before[i], z = w->before[n + i];
    w->force[i] = v_sel(w->open, y + at * (w->force[i] - y), w->force[i]);
    w->residual[i] = v_sel(w->open, z + at * (w->residual[i] - z), w->residual[i]);
  }
}

// Give rows their laws until none changes; then the step that follows.
static int settleLaws(Way* w) {
  mjiCenter* c = w->c;
  int rounds = 0, n = c->nefc;
  w->open = m_full();
  for (int i = 0; i < c->nefc; i++) {
    w->weight[i] = v_set1(c->weight[i]);
    w->shift[i] = v_set1(c->shift[i]);
    w->residual[i] = w->linear[i];
    w->force[i] = v_zero();
  }
  w->open = findLaws(w);
  for (; m_any(w->open) && rounds < MOSTROUNDS; rounds++) {
    memcpy(w->before, w->force, (size_t)n * sizeof(V));
    memcpy(w->before + n, w->residual, (size_t)n * sizeof(V));
    for (int lane = 0; lane < SHEAF_LANES; lane++) mji_work(w->d)->niter[lane] += m_get(w->open, lane) != 0;
    goRound(w);
    w->open = findLaws(w);
    if (rounds < FULLSTEPS || !m_any(w->open)) continue;
    shorten(w);
    findLaws(w);
  }
  w->lost = w->lost | w->open;
  if (!rounds) return 0;
  for (int k = 0; k < w->nrow; k++) {
    V force = w->force[w->row[k]];
    const mjtNum* response = c->response + (size_t)w->row[k] * (size_t)c->nv;
    for (int i = 0; i < c->nv; i++) w->step[i] = w->step[i] + response[i] * force;
  }
  residuals(w, w->residual);
  return rounds;
}

// ---- start and end

// The first step, with the laws of the center. Returns the lanes whose inputs are those of the center: they stay there.
static M stepAside(Way* w) {
  mjiCenter* c = w->c;
  const V *smooth = CLANES(w->d->qfrc_smooth), *aref = CLANES(w->d->efc_aref);
  M aside = m_none(), away = m_none();
  for (int i = 0; i < c->nv; i++) away = away | ~v_eq(smooth[i], v_set1(c->smooth[i]));
  for (int i = 0; i < c->nefc; i++) {
    M other = ~v_eq(aref[i], v_set1(c->aref[i]));
    aside = aside | other;
    w->force[i] = c->weight[i] * (aref[i] - c->aref[i]);
  }
  away = away | aside;
  for (int i = 0; i < c->nv; i++) w->step[i] = smooth[i] + c->rest[i];
  if (m_any(aside)) addForces(w, w->step, w->force);
  solve(c, w->step);
  for (int i = 0; i < c->nv; i++) w->step[i] = v_and(away, w->step[i]);
  return ~away;
}

// Lanes whose gradient meets the tolerance of the solver. The measure of an island is the sum of those of its trees, so
// a tree that meets it alone meets it as a part of an island.
static M isSolved(const Way* w, const V* qfrc) {
  const mjModel* m = w->m;
  const mjiSparse* s = &w->c->M;
  const V* smooth = CLANES(w->d->qfrc_smooth);
  int islands = !mjDISABLED(mjDSBL_ISLAND), nsegment = islands ? (int)m->ntree : 1;
  M solved = m_full();
  for (int t = 0; t < nsegment; t++) {
    int start = islands ? m->tree_dofadr[t] : 0, end = islands ? start + m->tree_dofnum[t] : m->nv;
    V norm = v_zero();
    mjtNum inertia = 0;
    for (int i = start; i < end; i++) {
      V sum = v_zero();
      for (int k = s->adr[i]; k < s->adr[i + 1]; k++) {
        sum = sum + s->value[k] * w->qacc[s->col[k]];
        if (s->col[k] == i) inertia += s->value[k];
      }
      V grad = sum - smooth[i] - qfrc[i];
      norm = norm + grad * grad;
    }
    if (!islands) inertia = m->stat.meaninertia * m->nv;
    mjtNum most = m->opt.tolerance * (inertia > mjMINVAL ? inertia : mjMINVAL);
    solved = solved & v_lt(norm, v_set1(most * most));
  }
  return solved;
}

static Way begin(const mjModel* m, mjData* d) {
  size_t nv = (size_t)m->nv, nefc = (size_t)d->nefc;
  V* next = stackV(d, nv + 7 * nefc);
  Way w = {.c = mji_work(d)->center, .m = m, .d = d, .qacc = LANES(d->qacc)};
  w.step = takeV(&next, nv);
  w.linear = takeV(&next, nefc);
  w.residual = takeV(&next, nefc);
  w.weight = takeV(&next, nefc);
  w.shift = takeV(&next, nefc);
  w.force = takeV(&next, nefc);
  w.before = takeV(&next, 2 * nefc);
  w.row = mj_stackAllocInt(d, nefc);
  w.lost = m_none();
  return w;
}

M LANE(solveFromCenter)(const mjModel* m, mjData* d) {
  mj_markStack(d);
  Way w = begin(m, d);
  M same = stepAside(&w);
  residuals(&w, w.linear);
  for (int lane = 0; lane < SHEAF_LANES; lane++) mji_work(d)->niter[lane] = !m_get(same, lane);
  int rounds = settleLaws(&w);

  // Results are never -0 but where the center is: whether a sum of zeros is -0 depends on terms that other lanes need.
  const mjiCenter* c = w.c;
  for (int i = 0; i < c->nv; i++) w.qacc[i] = v_sel(same, v_set1(c->qacc[i]), (c->qacc[i] + w.step[i]) + 0.0);
  V *force = LANES(d->efc_force), *qfrc = LANES(d->qfrc_constraint);
  LANE(penalty)(m, d, w.residual, force);
  for (int i = 0; i < c->nv; i++) qfrc[i] = v_zero();
  addForces(&w, qfrc, force);
  for (int i = 0; i < c->nv; i++) qfrc[i] = v_sel(same, v_set1(c->qfrc[i]), qfrc[i] + 0.0);
  M solved = (isSolved(&w, qfrc) & ~w.lost) | same;
  d->solver_niter[0] = 1 + rounds;
  mj_freeStack(d);
  return solved;
}
