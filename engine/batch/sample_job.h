// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the files of requests `sample` share: sample.c makes rounds of rollouts, sample_job.c has their memory,
// plan_gradient.c the derivative of a plan's cost, sampler.c the arithmetic of one plan.
#ifndef SHEAF_BATCH_SAMPLE_JOB_H_
#define SHEAF_BATCH_SAMPLE_JOB_H_

#include "batch/evaluator.h"
#include "batch/rollout.h"
#include "batch/sampler.h"

// Rounds of a job. An iteration is a round of samples, and one in which each plan changes by its samples; along the
// gradient first come rounds of the plans, of the derivatives at their states, and of the passes back over these. Last
// rounds, if the request asks for their results, roll out the improved plans and the best samples, and copy what came.
// Each work that grows with the request is items of a round, so that it gives way to others and can be cancelled.
typedef enum {
  MJI_ROUND_PLANS,
  MJI_ROUND_SLOPES,
  MJI_ROUND_PASSES,
  MJI_ROUND_SAMPLES,
  MJI_ROUND_UPDATES,
  MJI_ROUND_LAST,
  MJI_ROUND_COPIES,
} mjiRound;

typedef struct {
  sheafSample r;
  mjiSampler s;
  const sheafPool* pool;
  int nx;
  int begin, count;  // samples that are rolled out
  int iteration;     // the current iteration
  mjiRound round;
  int nlast;     // rows of each plan in the last round
  int sensors;   // costs weigh sensors
  int fallback;  // derivatives are differences of steps
  mjiItemFunc run;
  double *plan, *spread;                            // (B x nknot x nu)
  double *gradient, *direction;                     // the same
  double *knots, *cost;                             // of the samples (B x nsample)
  double *control, *rows_cost;                      // of the rows of a round
  double *last_knots, *last_state, *last_solution;  // (B x nlast)
  double *state0, *warmstart0;                      // of rows, if plans have their own
  double *state, *sensordata, *solution;            // (B x nstep) of the plans
  double *slope, *direct;                           // (B x nstep) plan_gradient.c
  int* order;                                       // (B x nsample)
  int32_t* row_status;
  _Atomic int* spoiled;  // (B) there is no gradient
  _Atomic int failed;    // some plan could not be changed
  double numbers[];
} mjiSampling;

// ---- sample_job.c

// Memory for a job; NULL with the reason in status.
mjiSampling* mji_makeSampling(const sheafJob* job, const sheafPool* pool, sheafStatus* status);

static inline size_t mji_knotsSize(const mjiSampling* p) { return (size_t)p->s.nknot * (size_t)p->s.nu; }
static inline int mji_hasPlanRow(const sheafSample* r) {
  return r->plan_cost || r->plan_state || r->plan_solution || r->noutput;
}

// Rows of results of a rollout of the last round.
static inline size_t mji_recordsOf(const sheafSample* r) { return r->every < 0 ? 1 : (size_t)(r->nstep / r->every); }

static inline int mji_isLastIteration(const mjiSampling* p) {
  return p->iteration - p->r.first_iteration + 1 >= p->r.niteration;
}

// Row b of the batch.
mjiControlPlan mji_planOf(const mjiSampling* p, int b);

// The option is refused where its value does not suit the others. 0, or the code that is also in status.
int mji_checkSample(const sheafJob* job, sheafStatus* status);

// ---- plan_gradient.c

// Numbers that the derivatives of one plan need: in each step, a derivative of the next state and one of the cost by
// sensors, with as many columns as a step's derivative.
static inline size_t mji_slopeColumns(const mjModel* m) { return (size_t)(2 * m->nv + m->na + m->nu); }

// Make the job's rows the steps of all plans, with derivatives as their work.
void mji_startSlopes(sheafJob* job, mjiSampling* p);

// Make the job's items the plans: the derivative of a plan's cost by its knots, and the direction of its samples.
void mji_startPasses(sheafJob* job, mjiSampling* p);

// ---- plan_update.c

// Make the job's items the plans: this work, on so many numbers for each.
void mji_startPlans(sheafJob* job, mjiSampling* p, mjiItemFunc run, double numbers);

// Make the job's items the plans: change a plan by its samples; after the last iteration, results and the rows of the
// last rollouts.
void mji_startUpdates(sheafJob* job, mjiSampling* p);

// The same: results of the last rollouts.
void mji_startCopies(sheafJob* job, mjiSampling* p);

#endif  // SHEAF_BATCH_SAMPLE_JOB_H_
