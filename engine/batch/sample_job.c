// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Requests `sample`: checks, sizes and memory.

#include "batch/sample_job.h"

#include <stdlib.h>

#include "derive/derive.h"

// of the plans, their samples and the rollouts of the last round
static const double most_bytes = 2147483648.0;

// ---- sizes

static int rowsOfLast(const sheafSample* r) {
  return (mji_hasPlanRow(r) != 0) + (r->top_state || r->noutput ? r->ntop : 0);
}

static int rowsOf(const sheafSample* r, int nlast) { return r->nsample > nlast ? r->nsample : nlast; }

static int controlRows(const sheafSample* r) { return (int)(((int64_t)r->nstep + r->hold - 1) / r->hold); }

static int hasSlopes(const sheafSample* r) { return r->method == SHEAF_METHOD_GRADIENT; }

// numbers of the derivatives of one plan in one step
static double numbersOfSlope(const mjModel* m) {
  double nv = (double)m->nv, ncol = (double)mji_slopeColumns(m);
  return ncol * (2 * nv + (double)m->na) + ncol + mj_stateSize(m, mjSTATE_FULLPHYSICS) + (double)m->nsensordata + nv;
}

// numbers of one plan
static double numbersOfPlan(const mjModel* m, const sheafSample* r, int nlast) {
  double knots = (double)r->nknot * (double)m->nu, nx = mj_stateSize(m, mjSTATE_FULLPHYSICS), nv = (double)m->nv;
  double row = knots + (double)controlRows(r) * (double)m->nu + 4 + nx + nv;
  double numbers = 4 * knots + 1 + rowsOf(r, nlast) * row + nlast * (knots + (double)r->nstep * (nx + nv));
  return numbers + (hasSlopes(r) ? (double)r->nstep * numbersOfSlope(m) : 0);
}

static double numbersOfAll(const sheafSample* r) { return r->nknot + r->nsample + 6.0 * controlRows(r) + 64; }

// the samples of an iteration that are rolled out
static int countOf(const sheafSample* r) { return r->sample_cost ? 0 : r->sample_count ? r->sample_count : r->nsample; }

void mji_sampleSize(const mjModel* m, const sheafSample* r, double* units, double* bytes) {
  int nlast = r->ntop + 1;
  *units = (double)r->nstep * ((double)(countOf(r) + (hasSlopes(r) ? 2 : 0)) * r->niteration + nlast);
  *bytes = sizeof(double) * (numbersOfPlan(m, r, nlast) + numbersOfAll(r));
}

// ---- memory: one block

static double* take(double** at, size_t n) {
  double* p = *at;
  *at += n;
  return p;
}

static void layOut(mjiSampling* p) {
  double* at = p->numbers;
  const mjiSampler* s = &p->s;
  size_t B = (size_t)p->r.nbatch, rows = B * (size_t)rowsOf(&p->r, p->nlast), knots = mji_knotsSize(p);
  size_t nx = (size_t)p->nx, nv = (size_t)s->m->nv, T = (size_t)p->r.nstep, ncol = mji_slopeColumns(s->m);
  p->s.time = take(&at, (size_t)s->nknot);
  p->s.length = take(&at, (size_t)s->nsample);
  p->s.at = (mjiSpline*)(void*)take(&at, (size_t)s->ncontrol * sizeof(mjiSpline) / sizeof(double));
  p->plan = take(&at, B * knots);
  p->spread = take(&at, B * knots);
  p->gradient = take(&at, B * knots);
  p->direction = take(&at, B * knots);
  p->knots = take(&at, rows * knots);
  p->control = take(&at, rows * (size_t)s->ncontrol * (size_t)s->nu);
  p->cost = take(&at, rows);
  p->rows_cost = take(&at, rows);
  p->state0 = take(&at, rows * nx);
  p->warmstart0 = take(&at, rows * nv);
  p->last_knots = take(&at, B * (size_t)p->nlast * knots);
  p->last_state = take(&at, B * (size_t)p->nlast * T * nx);
  p->last_solution = take(&at, B * (size_t)p->nlast * T * nv);
  if (hasSlopes(&p->r)) {
    p->state = take(&at, B * T * nx);
    p->sensordata = take(&at, B * T * (size_t)s->m->nsensordata);
    p->solution = take(&at, B * T * nv);
    p->slope = take(&at, B * T * ncol * (ncol - (size_t)s->nu));
    p->direct = take(&at, B * T * ncol);
  }
  p->order = (int*)(void*)take(&at, rows);
  p->row_status = (int32_t*)(void*)take(&at, rows);
  p->spoiled = (_Atomic int*)(void*)take(&at, B);
}

mjiSampling* mji_makeSampling(const sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafSample* r = job->request;
  const mjModel* m = job->m;
  int nlast = rowsOfLast(r);
  double bytes = sizeof(mjiSampling) + sizeof(double) * (r->nbatch * numbersOfPlan(m, r, nlast) + numbersOfAll(r));
  if (bytes > most_bytes) {
    mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "nsample",
               "expected samples and results of at most %.3g bytes, got %.3g", most_bytes, bytes);
    return NULL;
  }
  mjiSampling* p = malloc((size_t)bytes);
  if (!p) {
    mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
    return NULL;
  }
  *p = (mjiSampling){.r = *r,
                     .pool = pool,
                     .nx = mj_stateSize(m, mjSTATE_FULLPHYSICS),
                     .nlast = nlast,
                     .begin = r->sample_begin,
                     .count = r->sample_count ? r->sample_count : r->nsample,
                     .iteration = r->first_iteration,
                     .fallback = mji_stepObstacle(m) != NULL};
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

mjiControlPlan mji_planOf(const mjiSampling* p, int b) {
  size_t n = mji_knotsSize(p), at = (size_t)b * n, first = (size_t)b * (size_t)p->r.nsample;
  uint64_t seed = p->r.seed ? (uint64_t)*mji_row(p->r.seed, p->r.nseed, b, 1) : 0;
  return (mjiControlPlan){.plan = p->plan + at,
                          .spread = p->spread + at,
                          .gradient = p->gradient + at,
                          .direction = p->direction + at,
                          .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
                          .knots = p->knots + first * n,
                          .cost = p->cost + first,
                          .order = p->order + first};
}

// ---- checks

// a part of the samples, or costs that were computed elsewhere
static int checkPart(const sheafSample* r, sheafStatus* status) {
  if (!r->sample_count && r->sample_begin) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "sample_count", "expected 1 or more with sample_begin, got 0");
  }
  if ((int64_t)r->sample_begin + r->sample_count > r->nsample) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "sample_count", "expected at most %d after sample_begin, got %d",
                      r->nsample - r->sample_begin, r->sample_count);
  }
  if (!r->sample_count && !r->sample_cost) return 0;
  if (r->sample_count && r->sample_cost) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "sample_cost", "expected NULL for a part of the samples");
  }
  if (r->niteration != 1) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "niteration", "expected 1 where samples are divided, got %d",
                      r->niteration);
  }
  if (r->sample_count && (r->ntop || mji_hasPlanRow(r))) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, r->ntop ? "ntop" : "outputs",
                      "expected nothing of the improved plan for a part of the samples");
  }
  return 0;
}

static int checkGradient(const sheafJob* job, sheafStatus* status) {
  const sheafSample* r = job->request;
  if (!hasSlopes(r)) {
    if (!r->gradient) return 0;
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "gradient", "expected method 4 with this output, got %d",
                      r->method);
  }
  const char* obstacle = mji_stepObstacle(job->m);
  if (!obstacle || job->m->opt.integrator != mjINT_RK4) return 0;
  return mji_status(status, SHEAF_FAILED_PRECONDITION, "model", "RK4 steps of a model with %s have no derivatives",
                    obstacle);
}

int mji_checkSample(const sheafJob* job, sheafStatus* status) {
  const sheafSample* r = job->request;
  if (job->m->nu < 1) return mji_status(status, SHEAF_FAILED_PRECONDITION, "model", "expected actuators, got none");
  if (r->ntop > r->nsample) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "ntop", "expected 0 to nsample (%d), got %d", r->nsample,
                      r->ntop);
  }
  double rows = (double)r->nbatch * (r->nsample > r->ntop ? r->nsample : r->ntop + 1);
  if (rows > INT32_MAX || (hasSlopes(r) && (double)r->nbatch * r->nstep > INT32_MAX)) {
    return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "nsample",
                      "expected fewer than 2^31 samples, or steps along the gradient, of all plans, got more");
  }
  int err = checkPart(r, status);
  if (!err) err = checkGradient(job, status);
  if (err) return err;
  double units, bytes;
  mji_sampleSize(job->m, r, &units, &bytes);
  if (units * r->nbatch > 4e18) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "nstep",
                      "expected fewer than 4e18 steps of all samples, got %.3g", units * r->nbatch);
  }
  return 0;
}
