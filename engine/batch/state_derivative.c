// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of the step and of inverse dynamics by differences, one item per state: mjd_transitionFD and
// mjd_inverseFD spread their own columns over lanes. For the requests that say so, and for the mode that does.

#include "batch/state_derivative.h"

#include <stdlib.h>
#include <string.h>

#include "batch/derivative_job.h"
#include "batch/params.h"
#include "lanes/kernels.h"
#include "pipeline/pipeline.h"
#include "pool/worker.h"

typedef struct {
  mjiGiven given;
  mjiDifferences r;
} Prepared;

static int prepare(sheafJob* job, const sheafPool* pool, const mjiDifferences* r, mjiItemFunc run, int ncolumn,
                   sheafStatus* status) {
  if (job->m->opt.integrator == mjINT_RK4) {
    return mji_status(status, SHEAF_FAILED_PRECONDITION, "model",
                      "finite differences are not defined for the RK4 integrator");
  }
  Prepared* p = job->prepared = malloc(sizeof *p);
  if (!p) return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  p->r = *r;
  mji_findGiven(job, &p->given);
  mji_setDerivative(job, pool, run, 1, ncolumn);
  return 0;
}

// ---- the row of an item

static void setStatus(const mjiDifferences* r, int item, int status) {
  if (r->fallback) r->fallback[item] = SHEAF_FALLBACK_STEP;
  if (r->status) r->status[item] = status;
}

static mjData* open(struct mjiWorker_* w, sheafJob* job, int item, int* status) {
  const Prepared* p = job->prepared;
  int found[MJI_MAX_LANES];
  mji_giveNominal(w, job, item, &p->given);
  mjData* d = mji_freshLanes(w, job, item, 0);
  mji_loadGiven(job, &p->given, d, item, 1, found);
  *status = found[0];
  return d;
}

// ---- steps

static void runSteps(struct mjiWorker_* w, sheafJob* job, int item) {
  const Prepared* p = job->prepared;
  const mjiDifferences* r = &p->r;
  int status;
  mjData* d = open(w, job, item, &status);
  const mjModel* m = mji_groupModel(job, d);
  size_t nv = (size_t)m->nv, nu = (size_t)m->nu, ns = (size_t)m->nsensordata, ndx = 2 * nv + (size_t)m->na;
  size_t nstate = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS), n[] = {ndx * ndx, ndx * nu, ns * ndx, ns * nu};
  size_t all = (ndx + ns) * (ndx + nu), largest = all > nstate ? all : nstate;
  mjtNum *x[4], *next = mji_workerScratch(w, all + nstate + largest), *at = next + nstate;
  for (int k = 0; k < 4; k++, at += n[k - 1]) x[k] = r->matrix[k] ? at : NULL;
  const mjiTarget to = {(size_t)item, p->given.bytes, next + nstate + all};
  if (!status) mjd_transitionFD(m, d, r->eps, (mjtByte)(r->centered != 0), x[0], x[1], x[2], x[3]);
  if (!status && r->steps) {
    memset(d->warning, 0, sizeof d->warning);
    mji_kernels1()->step(m, d, MJI_POSITION, 0);
    status = mji_stepStatus(d, 1, 0);
    mj_getState(m, d, next, mjSTATE_FULLPHYSICS);
  }
  for (int k = 0; k < 4; k++) {
    if (status) mji_resultNone(&to, r->matrix[k], n[k]);
    else mji_resultFrom(&to, r->matrix[k], x[k], n[k]);
  }
  if (status) {
    mji_resultNone(&to, r->next_state, nstate);
    mji_resultNone(&to, r->qacc, nv);
    mji_undefineNominal(&p->given, item);
  } else {
    mji_resultFrom(&to, r->next_state, next, nstate);
    mji_resultFrom(&to, r->qacc, d->qacc_warmstart, nv);
  }
  setStatus(r, item, status);
  mji_jobAdvance(job, 1, 1);
}

int mji_prepareSteps(sheafJob* job, const sheafPool* pool, const mjiDifferences* r, sheafStatus* status) {
  const mjModel* m = job->m;
  return prepare(job, pool, r, runSteps, (int)(2 * m->nv + m->na + m->nu), status);
}

int mji_prepareTransitionFD(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafTransitionFD* r = job->request;
  const mjiDifferences x = {
      .eps = r->eps, .centered = r->centered, .matrix = {r->A, r->B, r->C, r->D}, .status = r->status};
  return mji_prepareSteps(job, pool, &x, status);
}

// ---- inverse dynamics

static void giveTransposed(const mjiTarget* t, void* x, const mjtNum* from, size_t n) {
  mjtNum* to = mji_resultAt(t, x, n * n);
  for (size_t i = 0; to && i < n; i++) {
    for (size_t j = 0; j < n; j++) to[i * n + j] = from[j * n + i];
  }
  mji_resultDone(t, x, n * n);
}

static void runInverses(struct mjiWorker_* w, sheafJob* job, int item) {
  const Prepared* p = job->prepared;
  const mjiDifferences* r = &p->r;
  int status;
  mjData* d = open(w, job, item, &status);
  const mjModel* m = mji_groupModel(job, d);
  size_t nv = (size_t)m->nv, nn = nv * nv;
  mjtNum* work = mji_workerScratch(w, 4 * nn);
  const mjiTarget to = {(size_t)item, p->given.bytes, work + 3 * nn};
  memset(work, 0, 3 * nn * sizeof(mjtNum));
  if (!status) {
    mjd_inverseFD(m, d, r->eps, (mjtByte)(r->actuation != 0), work, work + nn, work + 2 * nn, NULL, NULL, NULL, NULL);
  }
  for (int k = 0; k < 3; k++) {
    if (status) mji_resultNone(&to, r->matrix[k], nn);
    else giveTransposed(&to, r->matrix[k], work + (size_t)k * nn, nv);
  }
  if (status) mji_undefineNominal(&p->given, item);
  setStatus(r, item, status);
  mji_jobAdvance(job, 1, 1);
}

int mji_prepareInverses(sheafJob* job, const sheafPool* pool, const mjiDifferences* r, sheafStatus* status) {
  return prepare(job, pool, r, runInverses, 3 * (int)job->m->nv, status);
}

int mji_prepareInverseFD(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafInverseFD* r = job->request;
  const mjiDifferences x = {
      .eps = r->eps, .actuation = r->actuation, .matrix = {r->DfDq, r->DfDv, r->DfDa}, .status = r->status};
  return mji_prepareInverses(job, pool, &x, status);
}
