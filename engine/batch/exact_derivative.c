// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of the step and of inverse dynamics in groups of states side by side (engine/derive), and by differences
// of whole steps, state by state, where that is asked for or nothing else is there.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch/evaluator.h"
#include "batch/params.h"
#include "derive/derive.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "pool/worker.h"

enum { AUTO, EXACT, DIFFERENCES };  // the option mode

// ---- results

static mjtNum* slice(mjtNum* x, int row, size_t n) { return x ? x + (size_t)row * n : NULL; }

static void undefined(mjtNum* x, int row, size_t n) {
  x = slice(x, row, n);
  for (size_t i = 0; x && i < n; i++) x[i] = NAN;
}

// Columns first to first + ncol - 1 of one lane, nrow numbers each from row `top` of `stride` on, as the rows of a
// matrix. Some columns at a time, so that what is written lies together.
static void takeColumns(mjtNum* to, const mjtNum* from, int first, int ncol, int nrow, int nlane, int lane) {
  enum { TOGETHER = 8 };
  if (!to) return;
  for (int start = 0; start < ncol; start += TOGETHER) {
    int end = mjMIN(start + TOGETHER, ncol);
    for (int i = 0; i < nrow; i++) {
      for (int j = start; j < end; j++) {
        to[(size_t)i * (size_t)ncol + (size_t)j] =
            from[((size_t)(first + j) * (size_t)nrow + (size_t)i) * (size_t)nlane + (size_t)lane];
      }
    }
  }
}

// a bad number in what a row starts from
static int inputStatus(const mjModel* m, mjData* d, int nlane, int lane) {
  if (!mji_laneGood(d->qpos, (int)m->nq, nlane, lane)) return SHEAF_ROW_BADQPOS;
  if (!mji_laneGood(d->qvel, (int)m->nv, nlane, lane)) return SHEAF_ROW_BADQVEL;
  if (!mji_laneGood(d->ctrl, (int)m->nu, nlane, lane)) return SHEAF_ROW_BADCTRL;
  return isfinite(mji_time(d)[lane]) ? SHEAF_ROW_OK : SHEAF_ROW_BADTIME;
}

// a bad number that came up within the step; a single state counts warnings
static int stepStatus(const mjData* d, int nlane, int lane) {
  const mjiWork* w = mji_work(d);
  if (nlane > 1) return w->bad[lane] ? 1 + w->badcode[lane] : SHEAF_ROW_OK;
  for (int k = mjWARN_BADQPOS; k <= mjWARN_BADQACC; k++) {
    if (d->warning[k].number) return 1 + k;
  }
  return SHEAF_ROW_OK;
}

// ---- transition

static void loadStates(const sheafTransitionDerivatives* r, const sheafJob* job, mjData* d, int first, int count) {
  const mjModel* m = job->m;
  int nlane = job->nlane, nstate = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  for (int lane = 0; lane < nlane; lane++) {
    size_t row = (size_t)(first + (lane < count ? lane : count - 1));
    mji_putLane(m, d, lane, r->state + row * (size_t)nstate, mjSTATE_FULLPHYSICS);
  }
  mji_putRows(d->ctrl, r->ctrl, r->nctrl, first, count, (int)m->nu, nlane);
  mji_putRows(d->qacc_warmstart, r->warmstart, r->nwarmstart, first, count, (int)m->nv, nlane);
}

static void undefinedRow(const mjModel* m, const sheafTransitionDerivatives* r, int row) {
  size_t nv = (size_t)m->nv, nu = (size_t)m->nu, ndx = 2 * nv + (size_t)m->na, ns = (size_t)m->nsensordata;
  undefined(r->A, row, ndx * ndx);
  undefined(r->B, row, ndx * nu);
  undefined(r->C, row, ns * ndx);
  undefined(r->D, row, ns * nu);
  undefined(r->next_state, row, (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS));
  undefined(r->qacc, row, nv);
  undefined(r->qacc_x, row, nv * ndx);
  undefined(r->qacc_u, row, nv * nu);
}

// write the results of one lane; the data has the next state
static void takeTransition(const sheafJob* job, mjData* d, const mjiStepDerivative* s, int lane, int row) {
  const sheafTransitionDerivatives* r = job->request;
  const mjModel* m = job->m;
  int nv = (int)m->nv, nu = (int)m->nu, ndx = 2 * nv + (int)m->na, ns = (int)m->nsensordata, nlane = job->nlane;
  size_t nx = (size_t)ndx;
  takeColumns(slice(r->A, row, nx * nx), s->next, 0, ndx, ndx, nlane, lane);
  takeColumns(slice(r->B, row, nx * (size_t)nu), s->next, ndx, nu, ndx, nlane, lane);
  takeColumns(slice(r->qacc_x, row, (size_t)nv * nx), s->qacc, 0, ndx, nv, nlane, lane);
  takeColumns(slice(r->qacc_u, row, (size_t)(nv * nu)), s->qacc, ndx, nu, nv, nlane, lane);
  if (s->sensors) {
    takeColumns(slice(r->C, row, (size_t)ns * nx), s->sensor, 0, ndx, ns, nlane, lane);
    takeColumns(slice(r->D, row, (size_t)(ns * nu)), s->sensor, ndx, nu, ns, nlane, lane);
  }
  mjtNum* next = slice(r->next_state, row, (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS));
  if (next) mji_getLane(m, d, lane, next, mjSTATE_FULLPHYSICS);
}

static int wantsSensors(const mjModel* m, const sheafTransitionDerivatives* r) {
  return m->nsensordata && (r->C || r->D);
}

static int countColumns(const mjModel* m, const sheafTransitionDerivatives* r) {
  return (int)(2 * m->nv + m->na + (r->B || r->D || r->qacc_u ? m->nu : 0));
}

static void runTransitions(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafTransitionDerivatives* r = job->request;
  int nlane = job->nlane, first = mji_groupFirst(job, item), count = mji_groupCount(job, item), status[8];
  mjData* d = mji_freshLanes(w, job, item, 0);
  const mjModel* m = mji_groupModel(job, d);
  loadStates(r, job, d, first, count);
  for (int lane = 0; lane < count; lane++) status[lane] = inputStatus(m, d, nlane, lane);

  mjiStepDerivative s = {.ncol = countColumns(m, r), .sensors = wantsSensors(m, r)};
  size_t nv = (size_t)m->nv, n = mji_stepDerivativeSize(m, s.ncol, s.sensors);
  s.work = mji_workerScratch(w, (n + nv) * (size_t)nlane);
  s.acceleration = s.work + n * (size_t)nlane;
  mji_groupKernels(job, d)->stepDerivative(m, d, &s);
  for (int lane = 0; lane < count; lane++) {
    int row = first + lane;
    if (!status[lane]) status[lane] = stepStatus(d, nlane, lane);
    if (status[lane]) undefinedRow(m, r, row);
    else takeTransition(job, d, &s, lane, row);
    if (r->qacc && !status[lane]) {
      mji_gatherLane(slice(r->qacc, row, nv), s.acceleration, (int)nv, nlane, lane);
    }
    if (r->fallback) r->fallback[row] = s.fallback;
    if (r->status) r->status[row] = status[lane];
  }
  mji_jobAdvance(job, count, count);
}

// ---- transition, by differences of steps

static void runSteps(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafTransitionDerivatives* r = job->request;
  mjData* d = mji_freshLanes(w, job, item, 0);
  const mjModel* m = mji_groupModel(job, d);
  size_t nv = (size_t)m->nv, nu = (size_t)m->nu, ndx = 2 * nv + (size_t)m->na, ns = (size_t)m->nsensordata;
  loadStates(r, job, d, item, 1);
  int status = inputStatus(m, d, 1, 0);
  if (!status) {
    mjd_transitionFD(m, d, r->eps, (mjtByte)(r->centered != 0), slice(r->A, item, ndx * ndx),
                     slice(r->B, item, ndx * nu), slice(r->C, item, ns * ndx), slice(r->D, item, ns * nu));
    memset(d->warning, 0, sizeof d->warning);
    mji_kernels1()->step(m, d, MJI_POSITION, 0);
    status = stepStatus(d, 1, 0);
  }
  if (status) undefinedRow(m, r, item);
  mjtNum* next = slice(r->next_state, item, (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS));
  if (next && !status) mj_getState(m, d, next, mjSTATE_FULLPHYSICS);
  if (r->qacc && !status) memcpy(slice(r->qacc, item, nv), d->qacc_warmstart, nv * sizeof(mjtNum));
  if (r->fallback) r->fallback[item] = SHEAF_FALLBACK_STEP;
  if (r->status) r->status[item] = status;
  mji_jobAdvance(job, 1, 1);
}

// ---- requests

// the lanes of groups whose matrices still fit a cache that cores share
static int lanesFor(const sheafPool* pool, const sheafJob* job, size_t numbers) {
  int nlane = mji_groupLanes(pool, job, 0);
  while (nlane > 1 && numbers * sizeof(mjtNum) * (size_t)nlane > (size_t)32 << 20) nlane = nlane == 8 ? 4 : 1;
  return nlane;
}

static void setRun(sheafJob* job, const sheafPool* pool, mjiItemFunc run, int nlane) {
  job->run = run;
  job->fail = mji_failRows;
  job->skip = mji_skipRows;
  mji_jobGroups(job, pool, nlane, ((mjiAnyRequest*)job->request)->nbatch);
}

static int refuseDifferences(sheafStatus* status) {
  return mji_status(status, SHEAF_FAILED_PRECONDITION, "model",
                    "finite differences are not defined for the RK4 integrator");
}

static int refuseExact(sheafStatus* status, const char* what) {
  return mji_status(status, SHEAF_FAILED_PRECONDITION, "mode",
                    "expected \"auto\" or \"fd\" for a model with sleep, %stendon armature or limits of tendon forces, "
                    "got another mode",
                    what);
}

int mji_prepareTransitionDerivatives(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafTransitionDerivatives* r = job->request;
  const mjModel* m = job->m;
  int covered = mji_stepIsCovered(m);
  if (r->mode == EXACT && !covered) return refuseExact(status, "noslip, ");
  if (r->mode != DIFFERENCES && covered) {
    setRun(job, pool, runTransitions,
           lanesFor(pool, job, mji_stepDerivativeSize(m, countColumns(m, r), wantsSensors(m, r))));
    return 0;
  }
  if (m->opt.integrator == mjINT_RK4) return refuseDifferences(status);
  if (r->qacc_x || r->qacc_u) {
    return mji_status(status, SHEAF_FAILED_PRECONDITION, "qacc_x", "derivatives of qacc need mode \"implicit\"");
  }
  setRun(job, pool, runSteps, 1);
  return 0;
}

// ---- inverse dynamics

static void loadInverse(const sheafInverseDerivatives* r, const sheafJob* job, mjData* d, int first, int count) {
  const mjModel* m = job->m;
  int nlane = job->nlane;
  mji_putRows(d->qpos, r->qpos, r->nqpos, first, count, (int)m->nq, nlane);
  mji_putRows(d->qvel, r->qvel, r->nqvel, first, count, (int)m->nv, nlane);
  mji_putRows(d->qacc, r->qacc, r->nqacc, first, count, (int)m->nv, nlane);
  mji_putRows(d->act, r->act, r->nact, first, count, (int)m->na, nlane);
  mji_putRows(d->ctrl, r->ctrl, r->nctrl, first, count, (int)m->nu, nlane);
}

static int inverseStatus(const mjModel* m, mjData* d, int nlane, int lane) {
  int status = inputStatus(m, d, nlane, lane);
  return status || mji_laneGood(d->qacc, (int)m->nv, nlane, lane) ? status : SHEAF_ROW_BADQACC;
}

static void undefinedInverse(const sheafInverseDerivatives* r, int row, size_t n) {
  undefined(r->DfDq, row, n);
  undefined(r->DfDv, row, n);
  undefined(r->DfDa, row, n);
}

static void runInverses(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafInverseDerivatives* r = job->request;
  int nlane = job->nlane, first = mji_groupFirst(job, item), count = mji_groupCount(job, item), status[8];
  mjData* d = mji_freshLanes(w, job, item, 1);
  const mjModel* m = mji_groupModel(job, d);
  int nv = (int)m->nv;
  size_t nn = (size_t)(nv * nv);
  loadInverse(r, job, d, first, count);
  for (int lane = 0; lane < count; lane++) status[lane] = inverseStatus(m, d, nlane, lane);

  mjtNum* work = mji_workerScratch(w, 3 * nn * (size_t)nlane);
  mjiInverseDerivative s = {.actuation = r->actuation,
                            .DfDq = work,
                            .DfDv = work + nn * (size_t)nlane,
                            .DfDa = work + 2 * nn * (size_t)nlane};
  mji_groupKernels(job, d)->inverseDerivative(m, d, &s);
  for (int lane = 0; lane < count; lane++) {
    int row = first + lane;
    takeColumns(slice(r->DfDq, row, nn), s.DfDq, 0, nv, nv, nlane, lane);
    takeColumns(slice(r->DfDv, row, nn), s.DfDv, 0, nv, nv, nlane, lane);
    takeColumns(slice(r->DfDa, row, nn), s.DfDa, 0, nv, nv, nlane, lane);
    if (status[lane]) undefinedInverse(r, row, nn);
    if (r->fallback) r->fallback[row] = s.fallback;
    if (r->status) r->status[row] = status[lane];
  }
  mji_jobAdvance(job, count, count);
}

static void transposeTo(mjtNum* to, const mjtNum* from, size_t n) {
  for (size_t i = 0; to && i < n; i++) {
    for (size_t j = 0; j < n; j++) to[i * n + j] = from[j * n + i];
  }
}

static void runNudges(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafInverseDerivatives* r = job->request;
  mjData* d = mji_freshLanes(w, job, item, 1);
  const mjModel* m = mji_groupModel(job, d);
  size_t nv = (size_t)m->nv, nn = nv * nv;
  loadInverse(r, job, d, item, 1);
  int status = inverseStatus(m, d, 1, 0);
  mjtNum* work = mji_workerScratch(w, 3 * nn);
  memset(work, 0, 3 * nn * sizeof(mjtNum));
  if (!status) {
    mjd_inverseFD(m, d, r->eps, (mjtByte)(r->actuation != 0), work, work + nn, work + 2 * nn, NULL, NULL, NULL, NULL);
  }
  transposeTo(slice(r->DfDq, item, nn), work, nv);
  transposeTo(slice(r->DfDv, item, nn), work + nn, nv);
  transposeTo(slice(r->DfDa, item, nn), work + 2 * nn, nv);
  if (status) undefinedInverse(r, item, nn);
  if (r->fallback) r->fallback[item] = SHEAF_FALLBACK_STEP;
  if (r->status) r->status[item] = status;
  mji_jobAdvance(job, 1, 1);
}

int mji_prepareInverseDerivatives(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafInverseDerivatives* r = job->request;
  const mjModel* m = job->m;
  int covered = mji_inverseIsCovered(m);
  if (r->mode == EXACT && !covered) return refuseExact(status, "discrete-time inverse dynamics, ");
  if (r->mode != DIFFERENCES && covered) {
    setRun(job, pool, runInverses, lanesFor(pool, job, 3 * (size_t)m->nv * (size_t)m->nv));
    return 0;
  }
  if (m->opt.integrator == mjINT_RK4) return refuseDifferences(status);
  if (m->opt.noslip_iterations > 0) {
    return mji_status(status, SHEAF_FAILED_PRECONDITION, "model", "finite differences are not defined with noslip");
  }
  setRun(job, pool, runNudges, 1);
  return 0;
}
