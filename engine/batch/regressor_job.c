// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of inverse dynamics and of steps by numbers of the model, in groups of states side by side
// (engine/derive/regressor.c). The names of outputs are those of the numbers, with brackets for single rows.
//
// Each worker makes the nudged models of a job once, when it begins, and again for rows with parameters of their own.
// Such rows run one state at a time.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "batch/derivative_job.h"
#include "batch/nudged.h"
#include "batch/params.h"
#include "derive/derive.h"
#include "derive/regressor.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"
#include "pool/worker.h"

enum { MAXCOLUMN = 4096 };  // numbers in a request

// what a worker has made, and for which values of the model
typedef struct {
  const void *data, *numbers;
  mjiColumn* column;
  char* memory;
} Made;

typedef struct {
  int keep, actuation, nrow;  // nrow: rows of a derivative, nv or ndx
  int ncol;
  size_t nscratch;
  mjiGiven given;
  mjiNamed named;
  mjiColumn* column;  // as the request has them
  Made made[];
} Prepared;

// ---- columns

// element of the number's array that is the j-th of a choice
static int elementOf(const mjiChoice* choice, int j) {
  int row = j / choice->columns, column = j % choice->columns;
  for (int k = 0; k < choice->nrange; k++) {
    if (row < choice->range[k].count) return (choice->range[k].first + row) * choice->columns + column;
    row -= choice->range[k].count;
  }
  return j;
}

static int isRegressor(int kind) { return kind == SHEAF_INVERSE_REGRESSOR || kind == SHEAF_TRANSITION_REGRESSOR; }

static int isDerivative(int kind) {
  return isRegressor(kind) || kind == SHEAF_TRANSITION_FD || kind == SHEAF_INVERSE_FD ||
         kind == SHEAF_TRANSITION_DERIVATIVES || kind == SHEAF_INVERSE_DERIVATIVES;
}

int mji_checkKindOfOutput(int kind, const char* name, const mjiChoice* choice, sheafStatus* status) {
  int isnumber = choice->output >= MJI_CHOSE_NUMBER;
  if (choice->nominal && isDerivative(kind)) return isnumber ? mji_refuseOutput(name, status) : 0;
  if (choice->nominal) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "output",
                      "expected a name without " SHEAF_NOMINAL ", which requests for derivatives have, got \"%.60s\"",
                      name);
  }
  if (isDerivative(kind) && kind != SHEAF_TRANSITION_DERIVATIVES && !isRegressor(kind)) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "output",
                      "expected " SHEAF_NOMINAL "NAME for an output at the given state, got \"%.60s\"", name);
  }
  if (isnumber == isRegressor(kind)) return 0;
  if (isnumber) return mji_refuseOutput(name, status);
  return mji_status(status, SHEAF_INVALID_ARGUMENT, "output",
                    "expected the name of a number of the model (parameter), got \"%.60s\"", name);
}

int sheaf_namedShape(const mjModel* m, int kind, const char* name, int shape[2], sheafStatus* status) {
  mjiChoice choice;
  mjiBrackets store = {.nrange = 0};
  if (mji_choose(m, name, &choice, &store, status)) return -1;
  if (kind >= 0 && mji_checkKindOfOutput(kind, name, &choice, status)) return -1;
  if (shape) memcpy(shape, choice.shape, sizeof choice.shape);
  return choice.size;
}

int sheaf_outputShape(const mjModel* m, const char* name, int shape[2], sheafStatus* status) {
  return sheaf_namedShape(m, SHEAF_FORWARD, name, shape, status);
}

int sheaf_outputSize(const mjModel* m, const char* name, int shape[2]) {
  return sheaf_outputShape(m, name, shape, NULL);
}

static int countColumns(const mjiNamed* named) {
  int n = 0;
  for (int k = 0; k < named->n; k++) n += named->choice[k].size;
  return n;
}

static int refuse(const mjiColumn* c, const char* why, sheafStatus* status) {
  return mji_status(status, SHEAF_FAILED_PRECONDITION, mji_numberName(c->number), "expected %s, got element %d", why,
                    c->index);
}

// A number with a formula may be any; another one must be able to change by itself without changing the structure.
static int checkColumn(const mjModel* m, const mjiColumn* c, int keep, sheafStatus* status) {
  mjiRange range = mji_numberRange(c->number);
  if (!keep && mji_numberFollows(c->number) == mjiFOLLOWS_DERIVED) {
    return refuse(c, "keep_constants with what mj_setConst derives", status);
  }
  if (range == mjiRANGE_UNIT3 || range == mjiRANGE_UNIT4) {
    return refuse(c, "a number that may change alone, not part of a quaternion or of an axis", status);
  }
  if (c->formula) return 0;
  size_t n;
  const mjtNum* values = mji_baseNumber(m, c->number, &n);
  mjtNum* nudged = malloc(n * sizeof(mjtNum));
  if (!nudged) return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  memcpy(nudged, values, n * sizeof(mjtNum));
  nudged[c->index] += 1;
  int broken = mji_numberBreaks(m, c->number, nudged) >= 0;
  free(nudged);
  return broken ? refuse(c, "a number on which the structure of the model does not depend", status) : 0;
}

static int fillColumns(const mjModel* m, Prepared* p, sheafStatus* status) {
  int err = 0, n = 0;
  for (int k = 0; k < p->named.n; k++) {
    const mjiChoice* choice = p->named.choice + k;
    for (int j = 0; j < choice->size && !err; j++) {
      mjiColumn* c = p->column + n++;
      *c = (mjiColumn){.number = (mjiNumber)(choice->output - MJI_CHOSE_NUMBER), .index = elementOf(choice, j)};
      c->formula = mji_hasParameterFormula(m, c->number, c->index, p->actuation);
      err = checkColumn(m, c, p->keep, status);
    }
  }
  return err;
}

// ---- nudged models

static size_t nudgedBytes(const mjModel* m, const Prepared* p) {
  size_t total = 0;
  for (int k = 0; k < p->ncol; k++) total += mji_nudgedBytes(m, p->column + k, p->keep);
  return total;
}

static const mjiColumn* makeColumns(struct mjiWorker_* w, const sheafJob* job, const mjModel* m, mjData* d) {
  const Prepared* p = job->prepared;
  Made* made = ((Prepared*)job->prepared)->made + w->index;
  const void* numbers = mji_work(d)->owns ? mji_work(d)->numbers : NULL;
  if (made->data == d && made->numbers == numbers && !mji_paramsVary(job)) return made->column;
  made->data = NULL;
  char* memory = made->memory;
  mjData* scratch = mji_workerData(w, job->m, 1);
  for (int k = 0; k < p->ncol; k++) {
    made->column[k] = p->column[k];
    mji_makeNudged(m, made->column + k, p->keep, memory, scratch);
    memory += mji_nudgedBytes(m, p->column + k, p->keep);
  }
  made->data = d;
  made->numbers = numbers;
  return made->column;
}

// the data of an item, and its columns: they are made first, because that may take the same data
static mjData* open(struct mjiWorker_* w, sheafJob* job, int item, mjiRegressor* r, int status[MJI_MAX_LANES]) {
  const Prepared* p = job->prepared;
  mji_giveNominal(w, job, item, &p->given);
  mjData* d = mji_freshLanes(w, job, item, 1);
  r->ncol = p->ncol;
  r->actuation = p->actuation;
  r->column = makeColumns(w, job, mji_groupModel(job, d), d);
  if (job->nlane == 1) d = mji_freshLanes(w, job, item, 1);
  mji_loadGiven(job, &p->given, d, mji_groupFirst(job, item), mji_groupCount(job, item), status);
  return d;
}

// ---- results

// The named outputs of a row, from a lane: the rows of a derivative by its columns. A lane whose neighbours have more
// columns in their factor adds zeros that it would not add alone, so a zero may have either sign: +0 makes it positive.
static void give(const Prepared* p, const mjtNum* from, int nlane, int lane, const mjiTarget* to) {
  int first = 0;
  for (int k = 0; k < p->named.n; k++) {
    int ncol = p->named.choice[k].size;
    mji_resultColumns(to, p->named.data[k], from, (mjiColumns){first, ncol, p->nrow, nlane, lane, 0.0, NULL, NULL});
    first += ncol;
  }
}

static void undefine(const Prepared* p, const mjiTarget* to) {
  for (int k = 0; k < p->named.n; k++) {
    mji_resultNone(to, p->named.data[k], (size_t)p->nrow * (size_t)p->named.choice[k].size);
  }
  mji_undefineNominal(&p->given, (int)to->row);
}

// ---- inverse dynamics

static void runInverse(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafInverseRegressor* r = job->request;
  const Prepared* p = job->prepared;
  int nlane = job->nlane, first = mji_groupFirst(job, item), count = mji_groupCount(job, item), status[MJI_MAX_LANES];
  mjiRegressor s = {0};
  mjData* d = open(w, job, item, &s, status);
  const mjModel* m = mji_groupModel(job, d);
  size_t nv = (size_t)m->nv, nforce = (size_t)p->ncol * nv * (size_t)nlane;
  s.force = mji_workerScratch(w, nforce + p->nscratch + nv);
  mjtNum *scratch = s.force + nforce, *force = scratch + p->nscratch;
  mji_groupKernels(job, d)->inverseRegressor(m, d, &s);
  for (int lane = 0; lane < count; lane++) {
    const mjiTarget to = {(size_t)(first + lane), p->given.bytes, scratch};
    mji_gatherLane(force, d->qfrc_inverse, (int)nv, nlane, lane);
    if (status[lane]) {
      undefine(p, &to);
      mji_resultNone(&to, r->qfrc_inverse, nv);
    } else {
      give(p, s.force, nlane, lane, &to);
      mji_resultFrom(&to, r->qfrc_inverse, force, nv);
    }
    if (r->fallback) r->fallback[to.row] = s.fallback[lane];
    if (r->status) r->status[to.row] = status[lane];
  }
  mji_jobAdvance(job, count, count);
}

// ---- steps

static void runStep(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafTransitionRegressor* r = job->request;
  const Prepared* p = job->prepared;
  int nlane = job->nlane, first = mji_groupFirst(job, item), count = mji_groupCount(job, item), status[MJI_MAX_LANES];
  mjiRegressor s = {0};
  mjData* d = open(w, job, item, &s, status);
  const mjModel* m = mji_groupModel(job, d);
  size_t nv = (size_t)m->nv, ndx = (size_t)p->nrow, n = (size_t)p->ncol, lanes = (size_t)nlane;
  size_t nstate = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  s.force = mji_workerScratch(w, (n * (nv + ndx) + mji_regressorWork(m, p->ncol)) * lanes + p->nscratch + nstate);
  s.next = s.force + n * nv * lanes;
  s.work = s.next + n * ndx * lanes;
  mjtNum *scratch = s.work + mji_regressorWork(m, p->ncol) * lanes, *next = scratch + p->nscratch;
  mji_groupKernels(job, d)->stepRegressor(m, d, &s);
  for (int lane = 0; lane < count; lane++) {
    const mjiTarget to = {(size_t)(first + lane), p->given.bytes, scratch};
    if (!status[lane]) status[lane] = mji_stepStatus(d, nlane, lane);
    mji_getLane(m, d, lane, next, mjSTATE_FULLPHYSICS);
    if (status[lane]) {
      undefine(p, &to);
      mji_resultNone(&to, r->next_state, nstate);
    } else {
      give(p, s.next, nlane, lane, &to);
      mji_resultFrom(&to, r->next_state, next, nstate);
    }
    if (r->fallback) r->fallback[to.row] = s.fallback[lane];
    if (r->status) r->status[to.row] = status[lane];
  }
  mji_jobAdvance(job, count, count);
}

// ---- requests

static size_t largestResult(const mjModel* m, const Prepared* p) {
  size_t n = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  for (int k = 0; k < p->named.n; k++) {
    size_t size = (size_t)p->nrow * (size_t)p->named.choice[k].size;
    n = size > n ? size : n;
  }
  return n;
}

static int prepare(sheafJob* job, const sheafPool* pool, int actuation, int keep, int nrow, mjiItemFunc run,
                   sheafStatus* status) {
  size_t nworker = (size_t)pool->nthread;
  Prepared* p = job->prepared = calloc(1, sizeof *p + nworker * sizeof(Made));
  if (!p) return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  mji_findGiven(job, &p->given);
  mji_findNamed(job, &p->named);
  const mjModel* m = job->m;
  p->actuation = actuation;
  p->keep = keep;
  p->nrow = nrow;
  p->nscratch = largestResult(m, p);
  p->ncol = countColumns(&p->named);
  if (p->ncol > MAXCOLUMN) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "output", "expected at most %d numbers, got %d", MAXCOLUMN,
                      p->ncol);
  }

  // columns of the request and of each worker, and their models, in one block with the job's own struct
  size_t columns = mji_alignUp((size_t)p->ncol * sizeof(mjiColumn), MJI_ALIGN),
         head = sizeof *p + nworker * sizeof(Made);
  head = mji_alignUp(head, MJI_ALIGN);
  mjiColumn* list = calloc((size_t)p->ncol + 1, sizeof *list);
  p->column = list;
  int err = list ? fillColumns(m, p, status) : mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  size_t each = err ? 0 : columns + nudgedBytes(m, p);
  char* block = err ? NULL : malloc(head + columns + nworker * each + MJI_ALIGN);
  if (!block) {
    free(list);
    return err ? err : mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "output", "out of memory for %d numbers", p->ncol);
  }
  memset(block, 0, head);
  Prepared* all = (Prepared*)(void*)block;
  *all = *p;
  mji_findGiven(job, &all->given);
  mji_findNamed(job, &all->named);
  char* next = (char*)mji_alignUp((size_t)(block + head), MJI_ALIGN);
  all->column = (mjiColumn*)(void*)next;
  if (p->ncol) memcpy(all->column, list, (size_t)p->ncol * sizeof *list);
  next += columns;
  for (size_t i = 0; i < nworker; i++, next += each) {
    all->made[i] = (Made){.column = (mjiColumn*)(void*)next, .memory = next + columns};
  }
  free(list);
  free(p);
  job->prepared = all;
  int nlane = mji_paramsVary(job) ? 1 : mji_groupLanes(pool, job, all->given.nominal.needs);
  mji_setDerivative(job, pool, run, nlane, 0);
  return 0;
}

static int refuseModel(const char* obstacle, sheafStatus* status) {
  return mji_status(status, SHEAF_FAILED_PRECONDITION, "model", "expected a model without %s, got one with it",
                    obstacle);
}

int mji_prepareInverseRegressor(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafInverseRegressor* r = job->request;
  const char* obstacle = mji_inverseRegressorObstacle(job->m);
  if (obstacle) return refuseModel(obstacle, status);
  return prepare(job, pool, r->actuation, r->keep_constants, (int)job->m->nv, runInverse, status);
}

// the next state follows the time step itself; with Runge-Kutta, the rates of activations have no derivatives by
// numbers
static int checkRates(const sheafJob* job, sheafStatus* status) {
  const Prepared* p = job->prepared;
  for (int k = 0; k < p->ncol; k++) {
    if (p->column[k].number != mjiNUM_opt_timestep) continue;
    return refuse(p->column + k, "another number than the time step", status);
  }
  for (int k = 0; k < p->ncol && job->m->opt.integrator == mjINT_RK4; k++) {
    const mjiColumn* c = p->column + k;
    if (c->number != mjiNUM_actuator_dynprm && c->number != mjiNUM_actuator_actrange &&
        c->number != mjiNUM_actuator_ctrlrange) {
      continue;
    }
    return refuse(c, "another integrator than RK4 for numbers that activations follow", status);
  }
  return 0;
}

int mji_prepareTransitionRegressor(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafTransitionRegressor* r = job->request;
  const mjModel* m = job->m;
  const char* obstacle = mji_stepRegressorObstacle(m);
  if (obstacle) return refuseModel(obstacle, status);
  int err = prepare(job, pool, 1, r->keep_constants, (int)(2 * m->nv + m->na), runStep, status);
  return err ? err : checkRates(job, status);
}

double mji_regressorBytes(const mjModel* m, int kind, const void* request) {
  const sheafOutput* output = kind == SHEAF_INVERSE_REGRESSOR ? ((const sheafInverseRegressor*)request)->output
                                                              : ((const sheafTransitionRegressor*)request)->output;
  int n = kind == SHEAF_INVERSE_REGRESSOR ? ((const sheafInverseRegressor*)request)->noutput
                                          : ((const sheafTransitionRegressor*)request)->noutput;
  double total = 0;
  for (int k = 0; k < n; k++) {
    mjiChoice choice;
    mjiBrackets store = {.nrange = 0};
    if (mji_choose(m, output[k].name, &choice, &store, NULL)) continue;
    if (choice.output < MJI_CHOSE_NUMBER) continue;
    mjiColumn c = {.number = (mjiNumber)(choice.output - MJI_CHOSE_NUMBER)};
    total += (double)choice.size * (double)(mji_nudgedBytes(m, &c, 0) + 2 * sizeof c);
  }
  return total;
}
