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

static int bad(const mjtNum* x, int n) { return x && !mji_laneGood(x, n, 1, 0); }

// ---- transition

// Results of one row: n numbers each. With floats, derivatives are computed in `scratch` first.
typedef struct {
  void* data;
  size_t n;
} Result;

static mjtNum* slot(Result r, int item, int bytes, mjtNum** scratch) {
  if (!r.data) return NULL;
  mjtNum* to = mji_slot(r.data, (size_t)item * r.n, bytes, *scratch);
  if (bytes != sizeof(mjtNum)) *scratch += r.n;
  return to;
}

static void settle(Result r, int item, int bytes, const mjtNum* from, int status) {
  if (!r.data) return;
  if (status) mji_undefine(r.data, (size_t)item * r.n, r.n, bytes);
  else mji_settle(r.data, (size_t)item * r.n, r.n, bytes, from);
}

static void runTransition(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafTransitionFD* r = job->request;
  mjData* d = mji_freshLanes(w, job, item, 0);
  const mjModel* m = mji_groupModel(job, d);
  size_t nv = m->nv, nu = m->nu, ns = m->nsensordata, ndx = 2 * nv + m->na;
  mj_setState(m, d, r->state + (size_t)item * mj_stateSize(m, mjSTATE_FULLPHYSICS), mjSTATE_FULLPHYSICS);
  mji_putRows(d->ctrl, r->ctrl, r->nctrl, item, 1, (int)nu, 1);
  mji_putRows(d->qacc_warmstart, r->warmstart, r->nwarmstart, item, 1, (int)nv, 1);

  int status = !mji_laneGoodStart(m, d->qpos, 1, 0) ? SHEAF_ROW_BADQPOS
               : bad(d->qvel, (int)nv)              ? SHEAF_ROW_BADQVEL
               : bad(d->ctrl, (int)nu)              ? SHEAF_ROW_BADCTRL
               : !isfinite(d->time)                 ? SHEAF_ROW_BADTIME
                                                    : SHEAF_ROW_OK;
  const Result result[] = {{r->A, ndx * ndx}, {r->B, ndx * nu}, {r->C, ns * ndx}, {r->D, ns * nu}};
  int bytes = r->dtype;
  mjtNum *at[4], *scratch = mji_workerScratch(w, (ndx + ns) * (ndx + nu));
  for (int k = 0; k < 4; k++) at[k] = slot(result[k], item, bytes, &scratch);
  if (status == SHEAF_ROW_OK) {
    mjd_transitionFD(m, d, r->eps, (mjtByte)(r->centered != 0), at[0], at[1], at[2], at[3]);
  }
  for (int k = 0; k < 4; k++) settle(result[k], item, bytes, at[k], status);
  if (r->status) r->status[item] = status;
  mji_jobAdvance(job, 1, 1);
}

static int prepareRows(sheafJob* job, const sheafPool* pool, mjiItemFunc run, int ncolumn, sheafStatus* status) {
  if (job->m->opt.integrator == mjINT_RK4) {
    return mji_status(status, SHEAF_FAILED_PRECONDITION, "model",
                      "finite differences are not defined for the RK4 integrator");
  }
  job->run = run;
  job->fail = mji_failRows;
  job->skip = mji_skipRows;
  mji_jobGroups(job, pool, 1, ((mjiAnyRequest*)job->request)->nbatch);
  mji_jobColumns(job, pool, ncolumn);
  return 0;
}

int mji_prepareTransitionFD(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const mjModel* m = job->m;
  return prepareRows(job, pool, runTransition, (int)(2 * m->nv + m->na + m->nu), status);
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
  mjtNum* temp = mji_workerScratch(w, 4 * nn);

  int status = !mji_laneGoodStart(m, d->qpos, 1, 0) ? SHEAF_ROW_BADQPOS
               : bad(d->qvel, (int)nv)              ? SHEAF_ROW_BADQVEL
               : bad(d->qacc, (int)nv)              ? SHEAF_ROW_BADQACC
                                                    : SHEAF_ROW_OK;
  if (status == SHEAF_ROW_OK) {
    memset(temp, 0, 3 * nn * sizeof(mjtNum));
    mjd_inverseFD(m, d, r->eps, (mjtByte)(r->actuation != 0), temp, temp + nn, temp + 2 * nn, NULL, NULL, NULL, NULL);
  }
  const Result result[] = {{r->DfDq, nn}, {r->DfDv, nn}, {r->DfDa, nn}};
  for (size_t k = 0; k < 3; k++) {
    mjtNum *scratch = temp + 3 * nn, *to = slot(result[k], item, r->dtype, &scratch);
    transposed(to, temp + k * nn, status ? 0 : nv);
    settle(result[k], item, r->dtype, to, status);
  }
  if (r->status) r->status[item] = status;
  mji_jobAdvance(job, 1, 1);
}

int mji_prepareInverseFD(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  return prepareRows(job, pool, runInverse, 3 * (int)job->m->nv, status);
}
