// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The derivative of a plan's cost by its knots: derivatives of each step of its rollout, side by side, and a pass from
// the last step back to the first. With x' = f(x, u), sensors s(x, u), A, B, C, D their derivatives and c the cost of a
// step, l = dc/dx' + the l of the next step gives
//
//   l of this step = A' l + C' dc/ds,    d cost / du = B' l + D' dc/ds + dc/du .
//
// Where the solver starts does not count.

#include <math.h>
#include <string.h>

#include "base/checkpoint.h"
#include "batch/derivative_job.h"
#include "batch/params.h"
#include "batch/sample_job.h"
#include "derive/derive.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "pool/worker.h"

// ---- derivatives of the steps: row b * nstep + t of the round

static const mjtNum* stateBefore(const mjiSampling* p, int b, int t) {
  if (!t) return mji_row(p->r.state0, p->r.nstate0, b, (size_t)p->nx);
  return p->state + ((size_t)b * (size_t)p->r.nstep + (size_t)t - 1) * (size_t)p->nx;
}

static const mjtNum* controlOf(const mjiSampling* p, int b, int t) {
  return p->control + ((size_t)b * (size_t)p->s.ncontrol + (size_t)(t / p->r.hold)) * (size_t)p->s.nu;
}

static void load(const mjiSampling* p, const sheafJob* job, mjData* d, int first, int count) {
  const mjModel* m = job->m;
  int nlane = job->nlane, T = p->r.nstep;
  for (int lane = 0; lane < nlane; lane++) {
    int row = first + (lane < count ? lane : count - 1), b = row / T, t = row % T;
    mji_putLane(m, d, lane, stateBefore(p, b, t), mjSTATE_FULLPHYSICS);
    mji_scatterLane(d->ctrl, controlOf(p, b, t), (int)m->nu, nlane, lane);
    mji_scatterLane(d->qacc_warmstart, p->solution + (size_t)row * (size_t)m->nv, (int)m->nv, nlane, lane);
  }
}

// the cost of a step by its sensors, as derivatives by state and controls: `sensor` has the columns of a row
static void throughSensors(const mjiSampling* p, const sheafJob* job, int row, const mjtNum* sensor, mjtNum* scratch) {
  size_t ns = (size_t)job->m->nsensordata, ncol = mji_slopeColumns(job->m);
  int T = p->r.nstep, t = row % T;
  const mjiCost* cost = &((const mjiRollout*)job->prepared)->cost;
  memset(scratch, 0, ns * sizeof(mjtNum));
  mji_costSlopes(cost, row / T, t, t + 1 == T, SHEAF_SOURCE_SENSORDATA, p->sensordata + (size_t)row * ns, scratch);
  for (size_t c = 0; c < ncol; c++) p->direct[(size_t)row * ncol + c] = mju_dot(scratch, sensor + c * ns, (int)ns);
}

static void runSlopes(struct mjiWorker_* w, sheafJob* job, int item) {
  mjiSampling* p = job->rounds;
  int nlane = job->nlane, first = mji_groupFirst(job, item), count = mji_groupCount(job, item);
  mjData* d = mji_freshLanes(w, job, item, 0);
  const mjModel* m = mji_groupModel(job, d);
  load(p, job, d, first, count);

  size_t nv = (size_t)m->nv, ns = (size_t)m->nsensordata, ncol = mji_slopeColumns(m), ndx = ncol - (size_t)m->nu;
  mjiStepDerivative s = {.ncol = (int)ncol, .sensors = p->sensors};
  size_t n = mji_stepDerivativeSize(m, &s);
  s.work = mji_workerScratch(w, (n + nv) * (size_t)nlane + (ncol + 1) * ns);
  s.acceleration = s.work + n * (size_t)nlane;
  mjtNum* one = s.acceleration + nv * (size_t)nlane;
  mji_groupKernels(job, d)->stepDerivative(m, d, &s);
  for (int lane = 0; lane < count; lane++) {
    int row = first + lane;
    mji_gatherLane(p->slope + (size_t)row * ncol * ndx, s.next, (int)(ncol * ndx), nlane, lane);
    if (!p->sensors) continue;
    mji_gatherLane(one, s.sensor, (int)(ncol * ns), nlane, lane);
    throughSensors(p, job, row, one, one + ncol * ns);
  }
  mji_jobAdvance(job, count, count);
}

// to: columns of `from`, which has nrow rows of ncol numbers
static void transpose(mjtNum* to, const mjtNum* from, size_t nrow, size_t ncol) {
  for (size_t i = 0; i < nrow; i++) {
    for (size_t j = 0; j < ncol; j++) to[j * nrow + i] = from[i * ncol + j];
  }
}

// the same by differences of the whole step
static void runDifferences(struct mjiWorker_* w, sheafJob* job, int item) {
  mjiSampling* p = job->rounds;
  mjData* d = mji_freshLanes(w, job, item, 0);
  const mjModel* m = mji_groupModel(job, d);
  load(p, job, d, item, 1);
  size_t nu = (size_t)m->nu, ns = (size_t)m->nsensordata, ncol = mji_slopeColumns(m), ndx = ncol - nu;
  mjtNum *A = mji_workerScratch(w, ndx * ncol + 2 * ns * ncol + ns), *B = A + ndx * ndx, *C = A + ndx * ncol;
  mjtNum *D = C + ns * ndx, *sensor = C + ns * ncol, *to = p->slope + (size_t)item * ncol * ndx;
  mjd_transitionFD(m, d, 1e-6, 1, A, B, C, D);
  transpose(to, A, ndx, ndx);
  transpose(to + ndx * ndx, B, ndx, nu);
  if (p->sensors) {
    transpose(sensor, C, ns, ndx);
    transpose(sensor + ns * ndx, D, ns, nu);
    throughSensors(p, job, item, sensor, sensor + ns * ncol);
  }
  mji_jobAdvance(job, 1, 1);
}

static void failSlopes(struct mjiWorker_* w, sheafJob* job, int item) {
  mjiSampling* p = job->rounds;
  int first = mji_groupFirst(job, item), count = mji_groupCount(job, item);
  (void)w;
  for (int i = first; i < first + count; i++) atomic_store(&p->spoiled[i / p->r.nstep], 1);
  mji_jobAdvance(job, count, 0);
}

void mji_startSlopes(sheafJob* job, mjiSampling* p) {
  job->nrow = p->r.nbatch * p->r.nstep;
  const mjiStepDerivative s = {.ncol = (int)mji_slopeColumns(job->m), .sensors = p->sensors};
  size_t numbers = mji_stepDerivativeSize(job->m, &s);
  job->nlane = p->fallback ? 1 : mji_matrixLanes(p->pool, job, 0, numbers);
  job->run = p->fallback ? runDifferences : runSlopes;
  job->fail = job->skip = failSlopes;
  mji_jobColumns(job, p->pool, (int)mji_slopeColumns(job->m));
  mji_shareParams(job, p->r.nstep);
  if (!p->sensors) {
    memset(p->direct, 0, (size_t)job->nrow * mji_slopeColumns(job->m) * sizeof(mjtNum));
  }
}

// ---- the pass back

// the derivative by the numbers of a state, as one in its tangent space
static void addTangent(const mjModel* m, const mjtNum* state, const mjtNum* slope, mjtNum* to) {
  const mjtNum *qpos = state + 1, *by_qpos = slope + 1;
  int nq = (int)m->nq, nv = (int)m->nv;
  for (int j = 0; j < m->njnt; j++) {
    const mjtNum *q = qpos + m->jnt_qposadr[j], *g = by_qpos + m->jnt_qposadr[j];
    mjtNum* at = to + m->jnt_dofadr[j];
    if (m->jnt_type[j] == mjJNT_SLIDE || m->jnt_type[j] == mjJNT_HINGE) {
      at[0] += g[0];
      continue;
    }
    if (m->jnt_type[j] == mjJNT_FREE) {
      for (int k = 0; k < 3; k++) at[k] += g[k];
      q += 3, g += 3, at += 3;
    }
    // a turn by w changes the quaternion by q (0, w) / 2
    at[0] += 0.5 * (-g[0] * q[1] + g[1] * q[0] + g[2] * q[3] - g[3] * q[2]);
    at[1] += 0.5 * (-g[0] * q[2] - g[1] * q[3] + g[2] * q[0] + g[3] * q[1]);
    at[2] += 0.5 * (-g[0] * q[3] + g[1] * q[2] - g[2] * q[1] + g[3] * q[0]);
  }
  for (int k = 0; k < nv + m->na; k++) to[nv + k] += by_qpos[nq + k];
}

// what one step of the pass needs
typedef struct {
  mjtNum *state, *tangent, *next, *control;
  size_t spent;
} Pass;

static void passStep(const sheafJob* job, const mjiSampling* p, int b, int t, Pass* a) {
  const mjModel* m = job->m;
  const mjiCost* cost = &((const mjiRollout*)job->prepared)->cost;
  size_t ncol = mji_slopeColumns(m), ndx = ncol - (size_t)m->nu, row = (size_t)b * (size_t)p->r.nstep + (size_t)t;
  int last = t + 1 == p->r.nstep;
  const mjtNum* after = p->state + row * (size_t)p->nx;
  memset(a->state, 0, (size_t)p->nx * sizeof(mjtNum));
  mji_costSlopes(cost, b, t, last, SHEAF_SOURCE_STATE, after, a->state);
  addTangent(m, after, a->state, a->tangent);
  for (size_t c = 0; c < ncol; c++) {
    mji_rest(&a->spent, ndx);
    a->next[c] = mju_dot(p->slope + (row * ncol + c) * ndx, a->tangent, (int)ndx) + p->direct[row * ncol + c];
  }
  mji_costSlopes(cost, b, t, last, SHEAF_SOURCE_CTRL, controlOf(p, b, t), a->next + ndx);
  for (int k = 0; k < m->nu; k++) a->control[k] += a->next[ndx + (size_t)k];
  memcpy(a->tangent, a->next, ndx * sizeof(mjtNum));
}

static int allFinite(const mjtNum* x, size_t n) {
  mjtNum sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * 0;
  return sum == 0;
}

static void runPass(struct mjiWorker_* w, sheafJob* job, int b) {
  mjiSampling* p = job->rounds;
  mjiControlPlan plan = mji_planOf(p, b);
  size_t nu = (size_t)p->s.nu, ncol = mji_slopeColumns(job->m), n = mji_knotsSize(p);
  size_t nx = (size_t)p->nx, nwork = nx + 2 * ncol + nu;
  mjtNum* gradient = p->gradient + (size_t)b * n;

  mjtNum* work = mji_workerScratch(w, nwork);
  Pass a = {work, work + nx, work + nx + ncol, work + nx + 2 * ncol, 0};
  memset(gradient, 0, n * sizeof(mjtNum));
  memset(work, 0, nwork * sizeof(mjtNum));
  for (int t = p->r.nstep - 1; t >= 0 && !p->row_status[b] && !p->spoiled[b]; t--) {
    passStep(job, p, b, t, &a);
    if (t % p->r.hold) continue;
    mji_samplerToKnots(&p->s, plan.plan, t / p->r.hold, a.control, gradient);
    memset(a.control, 0, nu * sizeof(mjtNum));
  }
  if (!allFinite(gradient, n)) memset(gradient, 0, n * sizeof(mjtNum));
  mji_samplerDirection(&p->s, &plan);
}

void mji_startPasses(sheafJob* job, mjiSampling* p) {
  double ncol = (double)mji_slopeColumns(job->m);
  mji_startPlans(job, p, runPass, p->r.nstep * ncol * ncol);
}
