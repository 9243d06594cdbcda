// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Requests `sample` (sheaf/sampling.h): rounds of rollouts. In each iteration the rows of the job are the samples of
// all plans; after it, the worker that finished the last row changes the plans. A last round, if the request asks for
// its results, rolls out the improved plans and the best samples, and keeps their states.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch/evaluator.h"
#include "batch/sampler.h"
#include "pool/worker.h"

// of the plans, their samples and the rollouts of the last round
static const double most_bytes = 2147483648.0;

typedef struct {
  sheafSample r;
  mjiSampler s;
  int nx;
  int iteration;   // the current iteration
  int evaluating;  // set in the last round
  int nlast;       // rows of each plan in the last round
  mjiItemFunc run;
  mjtNum *plan, *spread;            // (B x nknot x nu)
  mjtNum *knots, *control, *cost;   // of the samples (B x nsample) or rows of the last round
  mjtNum *last_knots, *last_state;  // (B x nlast)
  mjtNum *state0, *warmstart0;      // of rows, if plans have their own
  int* order;                       // (B x nsample)
  int32_t* row_status;
  mjtNum numbers[];
} Sampling;

// ---- sizes

static int hasPlanRow(const sheafSample* r) { return r->plan_cost || r->plan_state; }

static int rowsOfLast(const sheafSample* r) { return (hasPlanRow(r) != 0) + (r->top_state ? r->ntop : 0); }

static int rowsOf(const Sampling* p) { return p->r.nsample > p->nlast ? p->r.nsample : p->nlast; }

static int controlRows(const sheafSample* r) { return (int)(((int64_t)r->nstep + r->hold - 1) / r->hold); }

// numbers of one plan
static double numbersOfPlan(const mjModel* m, const sheafSample* r, int nlast) {
  double knots = (double)r->nknot * (double)m->nu, nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  double rows = r->nsample > nlast ? r->nsample : nlast;
  double row = knots + (double)controlRows(r) * (double)m->nu + 3 + nx + (double)m->nv;
  return 2 * knots + rows * row + nlast * (knots + (double)r->nstep * nx);
}

static double numbersOfAll(const sheafSample* r) { return r->nknot + 6.0 * controlRows(r) + 64; }

void mji_sampleSize(const mjModel* m, const sheafSample* r, double* units, double* bytes) {
  int nlast = r->ntop + 1;
  *units = (double)r->nstep * ((double)r->nsample * r->niteration + nlast);
  *bytes = sizeof(mjtNum) * (numbersOfPlan(m, r, nlast) + numbersOfAll(r));
}

// ---- memory: one block

static mjtNum* take(mjtNum** at, size_t n) {
  mjtNum* p = *at;
  *at += n;
  return p;
}

static void layOut(Sampling* p) {
  mjtNum* at = p->numbers;
  const mjiSampler* s = &p->s;
  size_t B = (size_t)p->r.nbatch, rows = B * (size_t)rowsOf(p), knots = (size_t)s->nknot * (size_t)s->nu;
  p->s.time = take(&at, (size_t)s->nknot);
  p->s.at = (mjiSpline*)(void*)take(&at, (size_t)s->ncontrol * sizeof(mjiSpline) / sizeof(mjtNum));
  p->plan = take(&at, B * knots);
  p->spread = take(&at, B * knots);
  p->knots = take(&at, rows * knots);
  p->control = take(&at, rows * (size_t)s->ncontrol * (size_t)s->nu);
  p->cost = take(&at, rows);
  p->state0 = take(&at, rows * (size_t)p->nx);
  p->warmstart0 = take(&at, rows * (size_t)s->m->nv);
  p->last_knots = take(&at, B * (size_t)p->nlast * knots);
  p->last_state = take(&at, B * (size_t)p->nlast * (size_t)p->r.nstep * (size_t)p->nx);
  p->order = (int*)(void*)take(&at, rows);
  p->row_status = (int32_t*)(void*)take(&at, rows);
}

static Sampling* makeSampling(const sheafJob* job, sheafStatus* status) {
  const sheafSample* r = job->request;
  const mjModel* m = job->m;
  int nlast = rowsOfLast(r);
  double bytes = sizeof(Sampling) + sizeof(mjtNum) * (r->nbatch * numbersOfPlan(m, r, nlast) + numbersOfAll(r));
  if (bytes > most_bytes) {
    mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "nsample",
               "expected samples and results of at most %.3g bytes, got %.3g", most_bytes, bytes);
    return NULL;
  }
  Sampling* p = malloc((size_t)bytes);
  if (!p) {
    mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
    return NULL;
  }
  *p = (Sampling){.r = *r, .nx = mj_stateSize(m, mjSTATE_FULLPHYSICS), .nlast = nlast};
  p->s = (mjiSampler){.m = m,
                      .method = r->method,
                      .order = r->spline,
                      .nknot = r->nknot,
                      .nu = (int)m->nu,
                      .nsample = r->nsample,
                      .nelite = r->nelite,
                      .temperature = r->temperature,
                      .least_noise = r->least_noise,
                      .ncontrol = controlRows(r)};
  layOut(p);
  return p;
}

// ---- plans

static size_t knotsSize(const Sampling* p) { return (size_t)p->s.nknot * (size_t)p->s.nu; }

static mjtNum seedOf(const Sampling* p, int b) { return p->r.seed ? *mji_row(p->r.seed, p->r.nseed, b, 1) : 0; }

static mjiPlan planOf(const Sampling* p, int b) {
  size_t n = knotsSize(p), first = (size_t)b * (size_t)p->r.nsample;
  uint64_t seed = (uint64_t)seedOf(p, b);
  return (mjiPlan){.plan = p->plan + (size_t)b * n,
                   .spread = p->spread + (size_t)b * n,
                   .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
                   .knots = p->knots + first * n,
                   .cost = p->cost + first,
                   .order = p->order + first};
}

static int checkSeeds(const Sampling* p, sheafStatus* status) {
  for (int b = 0; b < p->r.nbatch; b++) {
    mjtNum seed = seedOf(p, b);
    if (seed >= 0 && seed <= 9007199254740992.0 && seed == floor(seed)) continue;
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "seed", "expected an integer from 0 to 2^53, got %.17g", seed);
  }
  return 0;
}

static void beginPlans(Sampling* p) {
  size_t n = knotsSize(p);
  mji_samplerTimes(&p->s, p->r.nstep, p->r.hold);
  for (int b = 0; b < p->r.nbatch; b++) {
    mjiPlan plan = planOf(p, b);
    // if no plan was given it is zero; the samples' memory, which is zero still, serves as this plan
    memset(p->knots, 0, n * sizeof(mjtNum));
    const mjtNum* from = p->r.plan ? mji_row(p->r.plan, p->r.nplan, b, n) : p->knots;
    mji_samplerShift(&p->s, plan.plan, from, p->r.shift);
    memcpy(plan.spread, mji_row(p->r.noise, p->r.nnoise, b, n), n * sizeof(mjtNum));
  }
}

// ---- rows

static void copyRows(mjtNum* to, const mjtNum* from, int count, int nplan, int each, size_t n) {
  for (int i = 0; i < nplan * each; i++) {
    memcpy(to + (size_t)i * n, mji_row(from, count, i / each, n), n * sizeof(mjtNum));
  }
}

// the rollouts of a round: `each` rows for every plan
static sheafRollout rolloutsOf(const Sampling* p, int each) {
  const sheafSample* r = &p->r;
  sheafRollout o = {.size = sizeof o,
                    .nbatch = r->nbatch * each,
                    .nstep = r->nstep,
                    .state0 = r->state0,
                    .nstate0 = 1,
                    .warmstart0 = r->warmstart0,
                    .nwarmstart0 = 1,
                    .control = p->control,
                    .ncontrol = r->nbatch * each,
                    .ncontrolstep = p->s.ncontrol,
                    .hold = r->hold,
                    .status = p->row_status,
                    .cost_term = r->cost_term,
                    .ncost_term = r->ncost_term,
                    .ncost = r->ncost,
                    .cost_target = r->cost_target,
                    .ncost_target = r->ncost_target,
                    .ntarget = r->ntarget,
                    .discount = r->discount,
                    .cost = p->cost};
  mji_resolveOptions(SHEAF_ROLLOUT, &o);
  if (r->nstate0 > 1) {
    copyRows(p->state0, r->state0, r->nstate0, r->nbatch, each, (size_t)p->nx);
    o.state0 = p->state0, o.nstate0 = o.nbatch;
  }
  if (r->warmstart0 && r->nwarmstart0 > 1) {
    copyRows(p->warmstart0, r->warmstart0, r->nwarmstart0, r->nbatch, each, (size_t)p->s.m->nv);
    o.warmstart0 = p->warmstart0, o.nwarmstart0 = o.nbatch;
  }
  return o;
}

// controls of a row, before its first step
static void beginRow(Sampling* p, int row) {
  size_t n = knotsSize(p), ncontrol = (size_t)p->s.ncontrol * (size_t)p->s.nu;
  mjtNum* knots = (p->evaluating ? p->last_knots : p->knots) + (size_t)row * n;
  if (!p->evaluating) {
    mjiPlan plan = planOf(p, row / p->r.nsample);
    mji_samplerDraw(&p->s, &plan, row % p->r.nsample, p->iteration, knots);
  }
  mji_samplerControls(&p->s, knots, p->control + (size_t)row * ncontrol);
}

static void runGroup(struct mjiWorker_* w, sheafJob* job, int item) {
  Sampling* p = job->rounds;
  int first = mji_groupFirst(job, item);
  for (int i = 0; i < mji_groupCount(job, item) && !w->saved; i++) beginRow(p, first + i);
  p->run(w, job, item);
}

// ---- results

static void copyPlan(const Sampling* p, int b) {
  const sheafSample* r = &p->r;
  mjiPlan plan = planOf(p, b);
  size_t n = knotsSize(p), N = (size_t)r->nsample, top = (size_t)b * (size_t)r->ntop;
  if (r->knots) memcpy(r->knots + (size_t)b * n, plan.plan, n * sizeof(mjtNum));
  if (r->spread) memcpy(r->spread + (size_t)b * n, plan.spread, n * sizeof(mjtNum));
  if (r->cost) memcpy(r->cost + (size_t)b * N, plan.cost, N * sizeof(mjtNum));
  for (int k = 0; k < r->ntop; k++) {
    int i = plan.order[k];
    if (r->top_cost) r->top_cost[top + (size_t)k] = plan.cost[i];
    if (r->top_knots) memcpy(r->top_knots + (top + (size_t)k) * n, plan.knots + (size_t)i * n, n * sizeof(mjtNum));
  }
}

// knots of a plan's rows in the last round: the plan itself, and its best samples
static void fillLast(Sampling* p, int b) {
  mjiPlan plan = planOf(p, b);
  size_t n = knotsSize(p);
  int own = hasPlanRow(&p->r) != 0;
  mjtNum* to = p->last_knots + (size_t)b * (size_t)p->nlast * n;
  if (own) memcpy(to, plan.plan, n * sizeof(mjtNum));
  for (int k = own; k < p->nlast; k++) {
    memcpy(to + (size_t)k * n, plan.knots + (size_t)plan.order[k - own] * n, n * sizeof(mjtNum));
  }
}

static void copyLast(const Sampling* p, int b) {
  const sheafSample* r = &p->r;
  size_t n = (size_t)r->nstep * (size_t)p->nx, first = (size_t)b * (size_t)p->nlast;
  size_t own = hasPlanRow(r) != 0;
  const mjtNum* state = p->last_state + first * n;
  if (r->plan_cost) r->plan_cost[b] = p->cost[first];
  if (r->plan_state) memcpy(r->plan_state + (size_t)b * n, state, n * sizeof(mjtNum));
  if (r->top_state) {
    size_t rows = (size_t)r->ntop;
    memcpy(r->top_state + (size_t)b * rows * n, state + own * n, rows * n * sizeof(mjtNum));
  }
}

// ---- rounds

static int startLast(sheafJob* job, Sampling* p) {
  int needs;
  for (int b = 0; b < p->r.nbatch; b++) fillLast(p, b);
  sheafRollout o = rolloutsOf(p, p->nlast);
  o.state = p->last_state;
  job->nrow = o.nbatch;
  if (mji_makeRollouts(job, &o, p->nlast, &needs, NULL)) return 0;
  p->run = job->run;
  job->run = runGroup;
  p->evaluating = 1;
  return 1;
}

// nothing more is computed
static int giveUp(sheafJob* job, const Sampling* p, int status) {
  mji_fillRows(job, 0, p->r.nbatch, status);
  mji_jobAdvance(job, job->total - atomic_load(&job->ndone), 0);
  return 0;
}

static void updatePlan(Sampling* p, int b) {
  mjiPlan plan = planOf(p, b);
  int ok = mji_samplerUpdate(&p->s, &plan);
  if (p->r.status) p->r.status[b] = ok ? SHEAF_ROW_OK : p->row_status[b * p->r.nsample];
}

static int nextRound(sheafJob* job) {
  Sampling* p = job->rounds;
  int B = p->r.nbatch, more = 0;
  if (atomic_load(&job->cancel)) return giveUp(job, p, SHEAF_ROW_CANCELLED);
  for (int b = 0; b < B && p->evaluating; b++) copyLast(p, b);
  if (p->evaluating) return 0;
  for (int b = 0; b < B; b++) updatePlan(p, b);
  if (++p->iteration < p->r.niteration) {
    more = 1;
  } else {
    for (int b = 0; b < B; b++) copyPlan(p, b);
    if (p->nlast && !startLast(job, p)) return giveUp(job, p, SHEAF_ROW_ERROR);
    more = p->nlast > 0;
  }
  job->nitem = mji_jobItems(job);
  return more;
}

// ---- requests

static int checkSample(const sheafJob* job, sheafStatus* status) {
  const sheafSample* r = job->request;
  if (job->m->nu < 1) return mji_status(status, SHEAF_FAILED_PRECONDITION, "model", "expected actuators, got none");
  if (r->ntop > r->nsample) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "ntop", "expected 0 to nsample (%d), got %d", r->nsample,
                      r->ntop);
  }
  if ((int64_t)r->nbatch * (r->nsample > r->ntop ? r->nsample : r->ntop + 1) > INT32_MAX) {
    return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "nsample",
                      "expected fewer than 2^31 samples of all plans, got more");
  }
  double units, bytes;
  mji_sampleSize(job->m, r, &units, &bytes);
  if (units * r->nbatch > 4e18) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "nstep",
                      "expected fewer than 4e18 steps of all samples, got %.3g", units * r->nbatch);
  }
  return 0;
}

int mji_prepareSample(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  int err = checkSample(job, status), needs;
  if (err) return err;
  Sampling* p = job->rounds = makeSampling(job, status);
  if (!p) return SHEAF_RESOURCE_EXHAUSTED;
  if ((err = checkSeeds(p, status))) return err;
  beginPlans(p);
  sheafRollout o = rolloutsOf(p, p->r.nsample);
  job->nrow = o.nbatch;
  if ((err = mji_makeRollouts(job, &o, p->r.nsample, &needs, status))) return err;
  p->run = job->run;
  job->run = runGroup;
  job->round = nextRound;
  int64_t rows = (int64_t)p->r.nbatch * ((int64_t)p->r.nsample * p->r.niteration + p->nlast);
  mji_jobOptions(job, needs, 0);
  mji_jobGroups(job, pool, mji_groupLanes(pool, job, needs), rows * p->r.nstep);
  return 0;
}
