// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Requests `sample` (sheaf/sampling.h): rounds of rollouts, and of work on the plans (sample_job.h lists the rounds).
// The worker that finishes the last item of a round starts the next one.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch/output.h"
#include "batch/params.h"
#include "batch/sample_job.h"
#include "pool/worker.h"

// ---- plans

static int checkSeeds(const sheafSample* r, sheafStatus* status) {
  for (int b = 0; b < r->nbatch && r->seed; b++) {
    double seed = *mji_row(r->seed, r->nseed, b, 1);
    if (seed >= 0 && seed <= 9007199254740992.0 && seed == floor(seed)) continue;
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "seed", "expected an integer from 0 to 2^53, got %.17g", seed);
  }
  return 0;
}

static void beginPlans(mjiSampling* p) {
  size_t n = mji_knotsSize(p);
  mji_samplerTimes(&p->s, p->r.nstep, p->r.hold);
  mji_samplerLengths(&p->s, p->r.step, p->r.step_ratio);
  for (int b = 0; b < p->r.nbatch; b++) {
    mjiControlPlan plan = mji_planOf(p, b);
    // if no plan was given it is zero; the samples' memory, which is zero still, serves as this plan
    memset(p->knots, 0, n * sizeof(double));
    const double* from = p->r.plan ? mji_row(p->r.plan, p->r.nplan, b, n) : p->knots;
    mji_samplerShift(&p->s, plan.plan, from, p->r.shift);
    memcpy(plan.spread, mji_row(p->r.noise, p->r.nnoise, b, n), n * sizeof(double));
    memset(p->gradient + (size_t)b * n, 0, n * sizeof(double));
    memset(plan.direction, 0, n * sizeof(double));
    p->spoiled[b] = 0;
  }
}

// ---- rows

// rows of each plan in a round of rollouts
static int rowsOf(const mjiSampling* p, mjiRound round) {
  return round == MJI_ROUND_PLANS ? 1 : round == MJI_ROUND_SAMPLES ? p->count : p->nlast;
}

// the rollouts of a round: `each` rows for every plan
static sheafRollout rolloutsOf(const mjiSampling* p, int each) {
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
                    .cost = p->rows_cost,
                    .warmstart = r->warmstart,
                    .nwarmstart = r->nwarmstart,
                    .nwarmstep = r->nwarmstep,
                    .shift = r->shift};
  mji_resolveOptions(SHEAF_ROLLOUT, &o);
  if (r->nstate0 > 1) {
    o.state0 = p->state0, o.nstate0 = o.nbatch;
  }
  if (r->warmstart0 && r->nwarmstart0 > 1) {
    o.warmstart0 = p->warmstart0, o.nwarmstart0 = o.nbatch;
  }
  return o;
}

// knots of a row
static const double* knotsOf(mjiSampling* p, int row) {
  size_t n = mji_knotsSize(p);
  if (p->round == MJI_ROUND_PLANS) return p->plan + (size_t)row * n;
  if (p->round == MJI_ROUND_LAST) return p->last_knots + (size_t)row * n;
  int b = row / p->count, sample = p->begin + row % p->count;
  mjiControlPlan plan = mji_planOf(p, b);
  double* knots = p->knots + ((size_t)b * (size_t)p->r.nsample + (size_t)sample) * n;
  mji_samplerDraw(&p->s, &plan, sample, p->iteration, knots);
  return knots;
}

// where plans have starts of their own, the start of a row
static void copyStart(mjiSampling* p, int row) {
  const sheafSample* r = &p->r;
  size_t nx = (size_t)p->nx, nv = (size_t)p->s.m->nv, at = (size_t)row;
  int b = row / rowsOf(p, p->round);
  if (r->nstate0 > 1) memcpy(p->state0 + at * nx, mji_row(r->state0, r->nstate0, b, nx), nx * sizeof(double));
  if (!r->warmstart0 || r->nwarmstart0 < 2) return;
  memcpy(p->warmstart0 + at * nv, mji_row(r->warmstart0, r->nwarmstart0, b, nv), nv * sizeof(double));
}

static void runGroup(struct mjiWorker_* w, sheafJob* job, int item) {
  mjiSampling* p = job->rounds;
  int first = mji_groupFirst(job, item);
  size_t ncontrol = (size_t)p->s.ncontrol * (size_t)p->s.nu;
  for (int row = first; row < first + mji_groupCount(job, item) && !w->saved; row++) {
    copyStart(p, row);
    mji_samplerControls(&p->s, knotsOf(p, row), p->control + (size_t)row * ncontrol);
  }
  p->run(w, job, item);
}

// samples whose costs were given
static void runGiven(struct mjiWorker_* w, sheafJob* job, int item) {
  mjiSampling* p = job->rounds;
  int first = mji_groupFirst(job, item), count = mji_groupCount(job, item);
  (void)w;
  for (int row = first; row < first + count; row++) {
    double cost = mji_row(p->r.sample_cost, p->r.nsample_cost, row / p->count, (size_t)p->count)[row % p->count];
    knotsOf(p, row);
    p->rows_cost[row] = isfinite(cost) ? cost : INFINITY;
    p->row_status[row] = SHEAF_ROW_ERROR;  // the plan's, if all samples diverge
  }
  mji_jobAdvance(job, count, 0);
}

// ---- rounds

// what the last round keeps of its rollouts; their rows have the order that outputs have in the request
static void askLast(const sheafSample* r, const mjiSampling* p, sheafRollout* o) {
  if (r->plan_state || r->top_state) o->state = p->last_state;
  if (r->plan_solution) o->solution = p->last_solution;
  o->output = r->output;
  o->noutput = r->noutput;
  o->every = r->every;
  o->aligned = r->aligned;
  o->dtype = r->dtype;
}

static int startRollouts(sheafJob* job, mjiSampling* p, mjiRound round, sheafStatus* status) {
  int needs, each = rowsOf(p, round);
  sheafRollout o = rolloutsOf(p, each);
  if (round == MJI_ROUND_LAST) askLast(&p->r, p, &o);
  if (round == MJI_ROUND_PLANS) o.state = p->state, o.sensordata = p->sensordata, o.solution = p->solution;
  p->round = round;
  job->nrow = o.nbatch;
  mji_shareParams(job, each);
  int err = mji_makeRollouts(job, &o, each, &needs, status);
  if (err) return err;
  mji_jobOptions(job, needs, 0);
  p->sensors = (((const mjiRollout*)job->prepared)->cost.needs & MJI_NEED_SENSOR) != 0;
  p->run = job->run;
  job->run = p->r.sample_cost && round == MJI_ROUND_SAMPLES ? runGiven : runGroup;
  job->nlane = mji_groupLanes(p->pool, job, needs);
  job->strands = 0;
  return 0;
}

static int startRound(sheafJob* job, mjiSampling* p, mjiRound round, sheafStatus* status) {
  void (*start)(sheafJob*, mjiSampling*) = round == MJI_ROUND_SLOPES    ? mji_startSlopes
                                           : round == MJI_ROUND_PASSES  ? mji_startPasses
                                           : round == MJI_ROUND_UPDATES ? mji_startUpdates
                                           : round == MJI_ROUND_COPIES  ? mji_startCopies
                                                                        : NULL;
  if (!start) return startRollouts(job, p, round, status);
  p->round = round;
  start(job, p);
  return 0;
}

// nothing more is computed
static int giveUp(sheafJob* job, const mjiSampling* p, int status) {
  mji_fillRows(job, 0, p->r.nbatch, status);
  mji_jobAdvance(job, job->total - atomic_load(&job->ndone), 0);
  return 0;
}

// the first round of an iteration, and the round that follows another (most are listed in their order); -1: none
static int firstRound(const mjiSampling* p) {
  return p->r.method == SHEAF_METHOD_GRADIENT ? MJI_ROUND_PLANS : MJI_ROUND_SAMPLES;
}

static int roundAfter(const mjiSampling* p) {
  if (p->round == MJI_ROUND_COPIES) return -1;
  if (p->round != MJI_ROUND_UPDATES) return (int)p->round + 1;
  if (!mji_isLastIteration(p)) return firstRound(p);
  return p->nlast ? MJI_ROUND_LAST : -1;
}

static int nextRound(sheafJob* job) {
  mjiSampling* p = job->rounds;
  if (atomic_load(&job->cancel)) return giveUp(job, p, SHEAF_ROW_CANCELLED);
  if (atomic_load(&p->failed)) return giveUp(job, p, SHEAF_ROW_ERROR);
  int next = roundAfter(p);
  if (p->round == MJI_ROUND_UPDATES) p->iteration++;
  if (next < 0) return 0;
  if (startRound(job, p, (mjiRound)next, NULL)) return giveUp(job, p, SHEAF_ROW_ERROR);
  job->nitem = mji_jobItems(job);
  return 1;
}

// ---- requests

int mji_prepareSample(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafSample* r = job->request;
#ifdef MJI_SINGLE
  if (r->method == SHEAF_METHOD_GRADIENT) {
    return mji_status(status, SHEAF_UNIMPLEMENTED, "precision", "expected double precision for gradients, got single");
  }
#endif
  int err = mji_checkSample(job, status);
  if (!err) err = checkSeeds(r, status);
  if (err) return err;
  mjiSampling* p = job->rounds = mji_makeSampling(job, pool, status);
  if (!p) return SHEAF_RESOURCE_EXHAUSTED;
  beginPlans(p);
  if ((err = startRound(job, p, (mjiRound)firstRound(p), status))) return err;
  job->round = nextRound;

  // a step of a rollout is a unit, and so is one that is differentiated; samples whose costs are given have one each
  int64_t slopes = r->method == SHEAF_METHOD_GRADIENT ? 2 * (int64_t)r->nstep : 0;
  int64_t samples = (int64_t)p->count * (r->sample_cost ? 1 : r->nstep);
  int64_t units = (samples + slopes) * r->niteration + (int64_t)p->nlast * r->nstep;
  mji_jobGroups(job, pool, job->nlane, units * r->nbatch);
  return 0;
}
