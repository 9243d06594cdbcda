// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of the step and of inverse dynamics in groups of states side by side (engine/derive), and by differences
// of whole steps, state by state, where that is asked for or nothing else is there.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch/evaluator.h"
#include "batch/params.h"
#include "batch/sloped_output.h"
#include "derive/derive.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "pool/worker.h"

enum { AUTO, EXACT, DIFFERENCES };  // the option mode

// ---- results

// Where results of one row of the batch go: numbers of `bytes` each. Floats are made in scratch, which has room for the
// largest result.
typedef struct {
  int row, bytes;
  mjtNum* scratch;
} Place;

// The numbers of a result that has n for each row; NULL if it is not wanted. Afterwards call settle.
static mjtNum* slot(const Place* p, void* x, size_t n) {
  return x ? mji_slot(x, (size_t)p->row * n, p->bytes, p->scratch) : NULL;
}
static void settle(const Place* p, void* x, size_t n) {
  if (x) mji_settle(x, (size_t)p->row * n, n, p->bytes, p->scratch);
}

static void undefined(const Place* p, void* x, size_t n) {
  if (x) mji_undefine(x, (size_t)p->row * n, n, p->bytes);
}

static void take(const Place* p, void* x, const mjtNum* from, size_t n) {
  if (!x) return;
  memcpy(slot(p, x, n), from, n * sizeof(mjtNum));
  settle(p, x, n);
}

// Columns of one lane, from the first on, nrow numbers each, as the rows of a matrix. Some columns at a time, so that
// what is written lies together.
typedef struct {
  int first, ncol, nrow, nlane, lane;
} Columns;

static void copyColumns(mjtNum* to, const mjtNum* from, const Columns* c) {
  enum { TOGETHER = 8 };
  int first = c->first, ncol = c->ncol, nrow = c->nrow, nlane = c->nlane, lane = c->lane;
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

static void takeColumns(const Place* p, void* x, const mjtNum* from, Columns c) {
  size_t n = (size_t)c.nrow * (size_t)c.ncol;
  if (!x) return;
  copyColumns(slot(p, x, n), from, &c);
  settle(p, x, n);
}

int mji_inputStatus(const mjModel* m, mjData* d, int nlane, int lane) {
  if (!mji_laneGoodStart(m, d->qpos, nlane, lane)) return SHEAF_ROW_BADQPOS;
  if (!mji_laneGood(d->qvel, (int)m->nv, nlane, lane)) return SHEAF_ROW_BADQVEL;
  if (!mji_laneGood(d->ctrl, (int)m->nu, nlane, lane)) return SHEAF_ROW_BADCTRL;
  return isfinite(mji_time(d)[lane]) ? SHEAF_ROW_OK : SHEAF_ROW_BADTIME;
}

int mji_stepStatus(const mjData* d, int nlane, int lane) {
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
  int nlane = job->nlane;
  mji_putStates(m, d, r->state, r->nbatch, first, count, nlane);
  mji_putRows(d->ctrl, r->ctrl, r->nctrl, first, count, (int)m->nu, nlane);
  mji_putRows(d->qacc_warmstart, r->warmstart, r->nwarmstart, first, count, (int)m->nv, nlane);
}

static void undefinedRow(const mjModel* m, const sheafTransitionDerivatives* r, const Place* p) {
  size_t nv = (size_t)m->nv, nu = (size_t)m->nu, ndx = 2 * nv + (size_t)m->na, ns = (size_t)m->nsensordata;
  undefined(p, r->A, ndx * ndx);
  undefined(p, r->B, ndx * nu);
  undefined(p, r->C, ns * ndx);
  undefined(p, r->D, ns * nu);
  undefined(p, r->next_state, (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS));
  undefined(p, r->qacc, nv);
  undefined(p, r->qacc_x, nv * ndx);
  undefined(p, r->qacc_u, nv * nu);
}

// numbers of the largest result of a row
static size_t largestResult(const mjModel* m) {
  size_t ndx = (size_t)(2 * m->nv + m->na), high = ndx + (size_t)m->nsensordata, wide = ndx + (size_t)m->nu;
  size_t nstate = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  return high * wide > nstate ? high * wide : nstate;
}

// write the results of one lane; the data has the next state
static void takeTransition(const sheafJob* job, mjData* d, const mjiStepDerivative* s, int lane, const Place* p) {
  const sheafTransitionDerivatives* r = job->request;
  const mjModel* m = job->m;
  int nv = (int)m->nv, nu = (int)m->nu, ndx = 2 * nv + (int)m->na, ns = (int)m->nsensordata, nlane = job->nlane;
  size_t nstate = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  takeColumns(p, r->A, s->next, (Columns){0, ndx, ndx, nlane, lane});
  takeColumns(p, r->B, s->next, (Columns){ndx, nu, ndx, nlane, lane});
  takeColumns(p, r->qacc_x, s->qacc, (Columns){0, ndx, nv, nlane, lane});
  takeColumns(p, r->qacc_u, s->qacc, (Columns){ndx, nu, nv, nlane, lane});
  if (s->sensors) {
    takeColumns(p, r->C, s->sensor, (Columns){0, ndx, ns, nlane, lane});
    takeColumns(p, r->D, s->sensor, (Columns){ndx, nu, ns, nlane, lane});
  }
  if (r->qacc) mji_gatherLane(slot(p, r->qacc, (size_t)nv), s->acceleration, nv, nlane, lane);
  settle(p, r->qacc, (size_t)nv);
  if (r->next_state) mji_getLane(m, d, lane, slot(p, r->next_state, nstate), mjSTATE_FULLPHYSICS);
  settle(p, r->next_state, nstate);
}

static int wantsSensors(const mjModel* m, const sheafTransitionDerivatives* r) {
  return m->nsensordata && (r->C || r->D);
}

static int countColumns(const mjModel* m, const sheafTransitionDerivatives* r) {
  return (int)(2 * m->nv + m->na + (r->B || r->D || r->qacc_u || r->noutput ? m->nu : 0));
}

static void runTransitions(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafTransitionDerivatives* r = job->request;
  int nlane = job->nlane, first = mji_groupFirst(job, item), count = mji_groupCount(job, item), status[8];
  mjData* d = mji_freshLanes(w, job, item, 0);
  const mjModel* m = mji_groupModel(job, d);
  loadStates(r, job, d, first, count);
  for (int lane = 0; lane < count; lane++) status[lane] = mji_inputStatus(m, d, nlane, lane);

  const mjiSloped* sloped = job->prepared;
  mjiStepDerivative s = {.ncol = countColumns(m, r), .sensors = wantsSensors(m, r)};
  s.part = sloped->part, s.npart = sloped->npart, s.nout = sloped->nout;
  size_t nv = (size_t)m->nv, n = mji_stepDerivativeSize(m, s.ncol, s.sensors, s.nout), largest = largestResult(m);
  if (sloped->largest > largest) largest = sloped->largest;
  s.work = mji_workerScratch(w, (n + nv) * (size_t)nlane + largest);
  s.acceleration = s.work + n * (size_t)nlane;
  mji_groupKernels(job, d)->stepDerivative(m, d, &s);
  for (int lane = 0; lane < count; lane++) {
    int row = first + lane;
    const Place place = {row, r->dtype, s.acceleration + nv * (size_t)nlane};
    if (!status[lane]) status[lane] = mji_stepStatus(d, nlane, lane);
    if (status[lane]) undefinedRow(m, r, &place);
    else takeTransition(job, d, &s, lane, &place);
    if (status[lane]) mji_undefineSloped(sloped, row, r->dtype);
    else mji_giveSloped(sloped, &s, nlane, lane, row, r->dtype, place.scratch);
    if (r->fallback) r->fallback[row] = s.fallback[lane];
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
  int status = mji_inputStatus(m, d, 1, 0);
  size_t nstate = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  mjtNum* work = mji_workerScratch(w, largestResult(m) + ndx * ndx + ndx * nu + ns * ndx + ns * nu + nstate);
  const Place place = {item, r->dtype, work};
  mjtNum *A = work + largestResult(m), *B = A + ndx * ndx, *C = B + ndx * nu, *D = C + ns * ndx, *next = D + ns * nu;
  if (!status) {
    mjd_transitionFD(m, d, r->eps, (mjtByte)(r->centered != 0), r->A ? A : NULL, r->B ? B : NULL, r->C ? C : NULL,
                     r->D ? D : NULL);
    memset(d->warning, 0, sizeof d->warning);
    mji_kernels1()->step(m, d, MJI_POSITION, 0);
    status = mji_stepStatus(d, 1, 0);
  }
  if (status) {
    undefinedRow(m, r, &place);
  } else {
    mj_getState(m, d, next, mjSTATE_FULLPHYSICS);
    take(&place, r->A, A, ndx * ndx);
    take(&place, r->B, B, ndx * nu);
    take(&place, r->C, C, ns * ndx);
    take(&place, r->D, D, ns * nu);
    take(&place, r->next_state, next, nstate);
    take(&place, r->qacc, d->qacc_warmstart, nv);
  }
  if (r->fallback) r->fallback[item] = SHEAF_FALLBACK_STEP;
  if (r->status) r->status[item] = status;
  mji_jobAdvance(job, 1, 1);
}

// ---- requests

// the lanes of groups whose matrices still fit a cache that cores share
static int lanesFor(const sheafPool* pool, const sheafJob* job, int needs, size_t numbers) {
  int nlane = mji_groupLanes(pool, job, needs);
  while (nlane > 1 && numbers * sizeof(mjtNum) * (size_t)nlane > (size_t)32 << 20) nlane = nlane == 8 ? 4 : 1;
  return nlane;
}

static void setRun(sheafJob* job, const sheafPool* pool, mjiItemFunc run, int nlane, int ncolumn) {
  job->run = run;
  job->fail = mji_failRows;
  job->skip = mji_skipRows;
  mji_jobGroups(job, pool, nlane, ((mjiAnyRequest*)job->request)->nbatch);
  mji_jobColumns(job, pool, ncolumn);
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

static int prepareExact(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafTransitionDerivatives* r = job->request;
  const mjModel* m = job->m;
  mjiSloped* s = job->prepared = malloc(sizeof *s);
  if (!s) return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  int err = mji_findSloped(job, s, status);
  if (err) return err;
  size_t n = mji_stepDerivativeSize(m, countColumns(m, r), wantsSensors(m, r), s->nout);
  setRun(job, pool, runTransitions, lanesFor(pool, job, s->named.needs, n), countColumns(m, r));
  return 0;
}

int mji_prepareTransitionDerivatives(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafTransitionDerivatives* r = job->request;
  const mjModel* m = job->m;
  int covered = mji_stepIsCovered(m);
  if (r->mode == EXACT && !covered) return refuseExact(status, "noslip, ");
  if (r->mode != DIFFERENCES && covered) {
    return prepareExact(job, pool, status);
  }
  if (m->opt.integrator == mjINT_RK4) return refuseDifferences(status);
  if (r->qacc_x || r->qacc_u) {
    return mji_status(status, SHEAF_FAILED_PRECONDITION, "qacc_x", "derivatives of qacc need mode \"implicit\"");
  }
  if (r->noutput) {
    return mji_status(status, SHEAF_FAILED_PRECONDITION, "output", "derivatives of outputs need mode \"implicit\"");
  }
  setRun(job, pool, runSteps, 1, countColumns(m, r));
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
  int status = mji_inputStatus(m, d, nlane, lane);
  return status || mji_laneGood(d->qacc, (int)m->nv, nlane, lane) ? status : SHEAF_ROW_BADQACC;
}

static void undefinedInverse(const sheafInverseDerivatives* r, const Place* p, size_t n) {
  undefined(p, r->DfDq, n);
  undefined(p, r->DfDv, n);
  undefined(p, r->DfDa, n);
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

  mjtNum* work = mji_workerScratch(w, (3 * (size_t)nlane + 1) * nn);
  mjiInverseDerivative s = {.actuation = r->actuation,
                            .DfDq = work,
                            .DfDv = work + nn * (size_t)nlane,
                            .DfDa = work + 2 * nn * (size_t)nlane};
  mji_groupKernels(job, d)->inverseDerivative(m, d, &s);
  for (int lane = 0; lane < count; lane++) {
    int row = first + lane;
    const Place place = {row, r->dtype, work + 3 * nn * (size_t)nlane};
    const Columns all = {0, nv, nv, nlane, lane};
    takeColumns(&place, r->DfDq, s.DfDq, all);
    takeColumns(&place, r->DfDv, s.DfDv, all);
    takeColumns(&place, r->DfDa, s.DfDa, all);
    if (status[lane]) undefinedInverse(r, &place, nn);
    if (r->fallback) r->fallback[row] = s.fallback[lane];
    if (r->status) r->status[row] = status[lane];
  }
  mji_jobAdvance(job, count, count);
}

static void takeTransposed(const Place* p, void* x, const mjtNum* from, size_t n) {
  mjtNum* to = slot(p, x, n * n);
  for (size_t i = 0; to && i < n; i++) {
    for (size_t j = 0; j < n; j++) to[i * n + j] = from[j * n + i];
  }
  settle(p, x, n * n);
}

static void runNudges(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafInverseDerivatives* r = job->request;
  mjData* d = mji_freshLanes(w, job, item, 1);
  const mjModel* m = mji_groupModel(job, d);
  size_t nv = (size_t)m->nv, nn = nv * nv;
  loadInverse(r, job, d, item, 1);
  int status = inverseStatus(m, d, 1, 0);
  mjtNum* work = mji_workerScratch(w, 4 * nn);
  const Place place = {item, r->dtype, work + 3 * nn};
  memset(work, 0, 3 * nn * sizeof(mjtNum));
  if (!status) {
    mjd_inverseFD(m, d, r->eps, (mjtByte)(r->actuation != 0), work, work + nn, work + 2 * nn, NULL, NULL, NULL, NULL);
  }
  takeTransposed(&place, r->DfDq, work, nv);
  takeTransposed(&place, r->DfDv, work + nn, nv);
  takeTransposed(&place, r->DfDa, work + 2 * nn, nv);
  if (status) undefinedInverse(r, &place, nn);
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
    setRun(job, pool, runInverses, lanesFor(pool, job, 0, 3 * (size_t)m->nv * (size_t)m->nv), 3 * (int)m->nv);
    return 0;
  }
  if (m->opt.integrator == mjINT_RK4) return refuseDifferences(status);
  if (m->opt.noslip_iterations > 0) {
    return mji_status(status, SHEAF_FAILED_PRECONDITION, "model", "finite differences are not defined with noslip");
  }
  setRun(job, pool, runNudges, 1, 3 * (int)m->nv);
  return 0;
}
