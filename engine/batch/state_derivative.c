// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of the step and of inverse dynamics, one item per state: mjd_transitionFD and
// mjd_inverseFD spread their own columns over lanes.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch/evaluator.h"
#include "batch/params.h"
#include "model/work.h"
#include "pool/worker.h"

// derivatives of a row that is not valid
static void undefined(mjtNum* x, size_t n) {
  for (size_t i = 0; x && i < n; i++) x[i] = NAN;
}

static int bad(const mjtNum* x, int n) { return x && !mji_laneGood(x, n, 1, 0); }

// ---- transition

static mjtNum* slice(mjtNum* x, int item, size_t n) { return x ? x + (size_t)item * n : NULL; }

static void runTransition(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafTransitionFD* r = job->request;
  mjData* d = mji_freshLanes(w, job, item, 0);
  const mjModel* m = mji_groupModel(job, d);
  size_t nv = m->nv, nu = m->nu, ns = m->nsensordata, ndx = 2 * nv + m->na;
  mj_setState(m, d, r->state + (size_t)item * mj_stateSize(m, mjSTATE_FULLPHYSICS), mjSTATE_FULLPHYSICS);
  mji_putRows(d->ctrl, r->ctrl, r->nctrl, item, 1, (int)nu, 1);
  mji_putRows(d->qacc_warmstart, r->warmstart, r->nwarmstart, item, 1, (int)nv, 1);

  int status = bad(d->qpos, (int)m->nq) ? SHEAF_ROW_BADQPOS
               : bad(d->qvel, (int)nv)  ? SHEAF_ROW_BADQVEL
               : bad(d->ctrl, (int)nu)  ? SHEAF_ROW_BADCTRL
               : !isfinite(d->time)     ? SHEAF_ROW_BADTIME
                                        : SHEAF_ROW_OK;
  mjtNum *A = slice(r->A, item, ndx * ndx), *B = slice(r->B, item, ndx * nu);
  mjtNum *C = slice(r->C, item, ns * ndx), *D = slice(r->D, item, ns * nu);
  if (status == SHEAF_ROW_OK) {
    mjd_transitionFD(m, d, r->eps, (mjtByte)(r->centered != 0), A, B, C, D);
  } else {
    undefined(A, ndx * ndx);
    undefined(B, ndx * nu);
    undefined(C, ns * ndx);
    undefined(D, ns * nu);
  }
  if (r->status) r->status[item] = status;
  mji_jobAdvance(job, 1, 1);
}

static int prepareRows(sheafJob* job, const sheafPool* pool, mjiItemFunc run, sheafStatus* status) {
  if (job->m->opt.integrator == mjINT_RK4) {
    return mji_status(status, SHEAF_FAILED_PRECONDITION, "model",
                      "finite differences are not defined for the RK4 integrator");
  }
  job->run = run;
  job->fail = mji_failRows;
  job->skip = mji_skipRows;
  mji_jobGroups(job, pool, 1, ((mjiAnyRequest*)job->request)->nbatch);
  return 0;
}

int mji_prepareTransitionFD(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  return prepareRows(job, pool, runTransition, status);
}

// ---- inverse

static void transposed(mjtNum* to, const mjtNum* from, size_t n) {
  for (size_t i = 0; to && i < n; i++) {
    for (size_t j = 0; j < n; j++) to[i * n + j] = from[j * n + i];
  }
}

static void runInverse(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafInverseFD* r = job->request;
  mjData* d = mji_freshLanes(w, job, item, 0);
  const mjModel* m = mji_groupModel(job, d);
  size_t nv = m->nv, nn = nv * nv;
  mji_putRows(d->qpos, r->qpos, r->nqpos, item, 1, (int)m->nq, 1);
  mji_putRows(d->qvel, r->qvel, r->nqvel, item, 1, (int)nv, 1);
  mji_putRows(d->qacc, r->qacc, r->nqacc, item, 1, (int)nv, 1);
  mjtNum* temp = mji_workerScratch(w, 3 * nn);

  int status = bad(d->qpos, (int)m->nq) ? SHEAF_ROW_BADQPOS
               : bad(d->qvel, (int)nv)  ? SHEAF_ROW_BADQVEL
               : bad(d->qacc, (int)nv)  ? SHEAF_ROW_BADQACC
                                        : SHEAF_ROW_OK;
  if (status != SHEAF_ROW_OK) {
    undefined(temp, 3 * nn);
  } else {
    memset(temp, 0, 3 * nn * sizeof(mjtNum));
    mjd_inverseFD(m, d, r->eps, (mjtByte)(r->actuation != 0), temp, temp + nn, temp + 2 * nn, NULL, NULL, NULL, NULL);
  }
  transposed(slice(r->DfDq, item, nn), temp, nv);
  transposed(slice(r->DfDv, item, nn), temp + nn, nv);
  transposed(slice(r->DfDa, item, nn), temp + 2 * nn, nv);
  if (r->status) r->status[item] = status;
  mji_jobAdvance(job, 1, 1);
}

int mji_prepareInverseFD(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  return prepareRows(job, pool, runInverse, status);
}
