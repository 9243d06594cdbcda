// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rounds of a request `sample` whose items are plans: each plan changes by its samples, and results are copied.

#include <math.h>
#include <string.h>

#include "base/checkpoint.h"
#include "batch/sample_job.h"

// ---- items

// Without this plan the iterations that follow would be others, so that the job is given up (nextRound in sample.c).
static void failPlan(struct mjiWorker_* w, sheafJob* job, int b) {
  mjiSampling* p = job->rounds;
  (void)w;
  (void)b;
  atomic_store(&p->failed, 1);
}

void mji_startPlans(sheafJob* job, mjiSampling* p, mjiItemFunc run, double numbers) {
  job->nrow = p->r.nbatch;
  job->nlane = 1;
  job->run = run;
  job->fail = job->skip = failPlan;
  mji_jobStrands(job, p->pool, numbers * sizeof(double));
}

// ---- results

static void copyPlan(const mjiSampling* p, int b) {
  const sheafSample* r = &p->r;
  mjiControlPlan plan = mji_planOf(p, b);
  size_t n = mji_knotsSize(p), N = (size_t)r->nsample, top = (size_t)b * (size_t)r->ntop;
  if (r->knots) memcpy(r->knots + (size_t)b * n, plan.plan, n * sizeof(double));
  if (r->spread) memcpy(r->spread + (size_t)b * n, plan.spread, n * sizeof(double));
  if (r->gradient) memcpy(r->gradient + (size_t)b * n, plan.gradient, n * sizeof(double));
  if (r->cost) memcpy(r->cost + (size_t)b * N, plan.cost, N * sizeof(double));
  size_t spent = 0;
  for (int k = 0; k < r->ntop; k++, mji_rest(&spent, n)) {
    int i = plan.order[k];
    if (r->top_cost) r->top_cost[top + (size_t)k] = plan.cost[i];
    if (r->top_knots) memcpy(r->top_knots + (top + (size_t)k) * n, plan.knots + (size_t)i * n, n * sizeof(double));
  }
}

// knots of a plan's rows in the last round: the plan itself, and its best samples
static void fillLast(mjiSampling* p, int b) {
  mjiControlPlan plan = mji_planOf(p, b);
  size_t n = mji_knotsSize(p);
  int own = mji_hasPlanRow(&p->r) != 0;
  double* to = p->last_knots + (size_t)b * (size_t)p->nlast * n;
  if (own) memcpy(to, plan.plan, n * sizeof(double));
  size_t spent = 0;
  for (int k = own; k < p->nlast; k++, mji_rest(&spent, n)) {
    memcpy(to + (size_t)k * n, plan.knots + (size_t)plan.order[k - own] * n, n * sizeof(double));
  }
}

static void copyLast(const mjiSampling* p, int b) {
  const sheafSample* r = &p->r;
  size_t n = mji_recordsOf(r) * (size_t)p->nx * (size_t)r->dtype, nv = (size_t)r->nstep * (size_t)p->s.m->nv;
  size_t first = (size_t)b * (size_t)p->nlast, own = mji_hasPlanRow(r) != 0, at = (size_t)b;
  const char* state = (const char*)p->last_state + first * n;
  if (r->plan_cost) r->plan_cost[b] = p->rows_cost[first];
  if (r->plan_state) memcpy((char*)r->plan_state + at * n, state, n);
  if (r->plan_solution) memcpy(r->plan_solution + at * nv, p->last_solution + first * nv, nv * sizeof(double));
  if (r->top_state) {
    size_t rows = (size_t)r->ntop, spent = 0;
    for (size_t k = 0; k < rows; k++, mji_rest(&spent, n / sizeof(double))) {
      memcpy((char*)r->top_state + (at * rows + k) * n, state + (own + k) * n, n);
    }
  }
}

// ---- rounds

// by the costs of its samples
static void changePlan(mjiSampling* p, int b) {
  mjiControlPlan plan = mji_planOf(p, b);
  size_t n = (size_t)p->r.nsample, first = (size_t)b * (size_t)p->count;
  for (size_t i = 0; i < n; i++) p->cost[(size_t)b * n + i] = NAN;
  memcpy(p->cost + (size_t)b * n + p->begin, p->rows_cost + first, (size_t)p->count * sizeof(double));
  int ok = !p->r.sample_count && mji_samplerUpdate(&p->s, &plan);
  if (p->r.status) p->r.status[b] = ok ? SHEAF_ROW_OK : p->row_status[first];
}

static void runUpdate(struct mjiWorker_* w, sheafJob* job, int b) {
  mjiSampling* p = job->rounds;
  (void)w;
  changePlan(p, b);
  if (!mji_isLastIteration(p)) return;
  copyPlan(p, b);
  fillLast(p, b);
}

void mji_startUpdates(sheafJob* job, mjiSampling* p) {
  enum { SORT = 32 };  // about as many numbers for each sample
  mji_startPlans(job, p, runUpdate, (double)p->r.nsample * ((double)mji_knotsSize(p) + SORT));
}

static void runCopy(struct mjiWorker_* w, sheafJob* job, int b) {
  (void)w;
  copyLast(job->rounds, b);
}

void mji_startCopies(sheafJob* job, mjiSampling* p) {
  mji_startPlans(job, p, runCopy, (double)p->nlast * p->r.nstep * (p->nx + (double)p->s.m->nv));
}
