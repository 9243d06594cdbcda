// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of the step and of inverse dynamics by differences, one item per state: mjd_transitionFD and
// mjd_inverseFD spread their own columns over lanes. For the requests that say so, and for the mode that does.

#include "batch/state_derivative.h"

#include <stdlib.h>
#include <string.h>

#include "batch/columns.h"
#include "batch/derivative_job.h"
#include "batch/params.h"
#include "lanes/kernels.h"
#include "pipeline/pipeline.h"
#include "pool/worker.h"

typedef struct {
  mjiGiven given;
  mjiDifferences r;
  mjiChosen chosen;
  int room[];  // of `chosen`
} Prepared;

static int prepare(sheafJob* job, const sheafPool* pool, const mjiDifferences* r, mjiItemFunc run,
                   sheafStatus* status) {
  if (job->m->opt.integrator == mjINT_RK4) {
    return mji_status(status, SHEAF_FAILED_PRECONDITION, "model",
                      "finite differences are not defined for the RK4 integrator");
  }
  Prepared* p = job->prepared = malloc(sizeof *p + mji_columnRoom(job->m) * sizeof *p->room);
  if (!p) return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  p->r = *r;
  mji_findGiven(job, &p->given);
  mji_findChosen(job, p->room, &p->chosen);
  mji_setDerivative(job, pool, run, 1, p->chosen.n);
  return 0;
}

// the inputs of one kind
static mjiInputs inputsOf(const mjiChosen* c, int kind) {
  return (mjiInputs){c->begin[kind + 1] - c->begin[kind], c->index + c->begin[kind]};
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

static void differentiate(const mjModel* m, mjData* d, const Prepared* p, mjtNum* const x[4]) {
  const mjiInputs input[4] = {inputsOf(&p->chosen, 0), inputsOf(&p->chosen, 1), inputsOf(&p->chosen, 2),
                              inputsOf(&p->chosen, 3)};
  mji_transitionFD(m, d, p->r.eps, p->r.centered, input, x[0], x[1], x[2], x[3]);
}

// the step itself: 0, or why it is not valid
static int makeStep(const mjModel* m, mjData* d, mjtNum* next) {
  memset(d->warning, 0, sizeof d->warning);
  mji_kernels1()->step(m, d, MJI_POSITION, 0);
  mj_getState(m, d, next, mjSTATE_FULLPHYSICS);
  return mji_stepStatus(d, 1, 0);
}

// a matrix of nrow rows whose columns are in ascending order
static void giveMatrix(const mjiTarget* to, void* x, const mjtNum* from, size_t nrow, size_t ncol, const int* place) {
  mjtNum* at = mji_resultAt(to, x, nrow * ncol);
  for (size_t i = 0; at && i < nrow; i++) {
    for (size_t j = 0; j < ncol; j++) at[i * ncol + (size_t)place[j]] = from[i * ncol + j];
  }
  mji_resultDone(to, x, nrow * ncol);
}

static void runSteps(struct mjiWorker_* w, sheafJob* job, int item) {
  const Prepared* p = job->prepared;
  const mjiDifferences* r = &p->r;
  int status;
  mjData* d = open(w, job, item, &status);
  const mjModel* m = mji_groupModel(job, d);
  const mjiChosen* c = &p->chosen;
  size_t nv = (size_t)m->nv, ns = (size_t)m->nsensordata, ndx = 2 * nv + (size_t)m->na;
  size_t nx = (size_t)c->begin[3], nu = (size_t)c->n - nx, nrow[] = {ndx, ndx, ns, ns}, ncol[] = {nx, nu, nx, nu};
  size_t nstate = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS), all = (ndx + ns) * (nx + nu);
  mjtNum *x[4], *next = mji_workerScratch(w, all + nstate + mjMAX(all, nstate)), *at = next + nstate;
  for (int k = 0; k < 4; at += nrow[k] * ncol[k], k++) x[k] = r->matrix[k] ? at : NULL;
  const mjiTarget to = {(size_t)item, p->given.bytes, next + nstate + all};
  if (!status) differentiate(m, d, p, x);
  if (!status && r->steps) status = makeStep(m, d, next);
  for (int k = 0; k < 4; k++) {
    if (status) mji_resultNone(&to, r->matrix[k], nrow[k] * ncol[k]);
    else giveMatrix(&to, r->matrix[k], x[k], nrow[k], ncol[k], c->place + (k % 2 ? nx : 0));
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
  return prepare(job, pool, r, runSteps, status);
}

int mji_prepareTransitionFD(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafTransitionFD* r = job->request;
  const mjiDifferences x = {
      .eps = r->eps, .centered = r->centered, .matrix = {r->A, r->B, r->C, r->D}, .status = r->status};
  return mji_prepareSteps(job, pool, &x, status);
}

// ---- inverse dynamics

// the rows of a matrix become columns
static void giveTransposed(const mjiTarget* t, void* x, const mjtNum* from, size_t n, size_t ncol, const int* place) {
  mjtNum* to = mji_resultAt(t, x, n * ncol);
  for (size_t i = 0; to && i < n; i++) {
    for (size_t j = 0; j < ncol; j++) to[i * ncol + (size_t)place[j]] = from[j * n + i];
  }
  mji_resultDone(t, x, n * ncol);
}

static void runInverses(struct mjiWorker_* w, sheafJob* job, int item) {
  const Prepared* p = job->prepared;
  const mjiDifferences* r = &p->r;
  int status;
  mjData* d = open(w, job, item, &status);
  const mjModel* m = mji_groupModel(job, d);
  const mjiChosen* c = &p->chosen;
  const mjiInputs input[3] = {inputsOf(c, 0), inputsOf(c, 1), inputsOf(c, 2)};
  size_t nv = (size_t)m->nv, nn = nv * nv;
  mjtNum *work = mji_workerScratch(w, 4 * nn), *x[3];
  const mjiTarget to = {(size_t)item, p->given.bytes, work + 3 * nn};
  for (int k = 0; k < 3; k++) x[k] = r->matrix[k] ? work + (size_t)k * nn : NULL;
  if (!status) mji_inverseFD(m, d, r->eps, r->actuation, input, x[0], x[1], x[2]);
  for (int k = 0; k < 3; k++) {
    size_t ncol = (size_t)input[k].n;
    if (status) mji_resultNone(&to, r->matrix[k], nv * ncol);
    else if (x[k]) giveTransposed(&to, r->matrix[k], x[k], nv, ncol, c->place + c->begin[k]);
  }
  if (status) mji_undefineNominal(&p->given, item);
  setStatus(r, item, status);
  mji_jobAdvance(job, 1, 1);
}

int mji_prepareInverses(sheafJob* job, const sheafPool* pool, const mjiDifferences* r, sheafStatus* status) {
  return prepare(job, pool, r, runInverses, status);
}

int mji_prepareInverseFD(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafInverseFD* r = job->request;
  const mjiDifferences x = {
      .eps = r->eps, .actuation = r->actuation, .matrix = {r->DfDq, r->DfDv, r->DfDa}, .status = r->status};
  return mji_prepareInverses(job, pool, &x, status);
}
