// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of the step and of inverse dynamics in groups of states side by side (engine/derive). Where that is asked
// for or nothing else is there, they are differences (batch/state_derivative.h).

#include <stdlib.h>

#include "batch/columns.h"
#include "batch/derivative_job.h"
#include "batch/params.h"
#include "batch/sloped_output.h"
#include "batch/state_derivative.h"
#include "derive/derive.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "pool/worker.h"

enum { AUTO, EXACT, DIFFERENCES };  // the option mode

typedef struct {
  mjiGiven given;
  mjiChosen chosen;
  mjiSloped sloped;  // of steps
  int begin, end;    // chosen columns of steps that results need
  int room[];        // of `chosen`
} Prepared;

static Prepared* makePrepared(sheafJob* job, sheafStatus* status) {
  Prepared* p = job->prepared = malloc(sizeof *p + mji_columnRoom(job->m) * sizeof *p->room);
  if (!p) {
    mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
    return NULL;
  }
  mji_findGiven(job, &p->given);
  mji_findChosen(job, p->room, &p->chosen);
  return p;
}

static mjData* open(struct mjiWorker_* w, sheafJob* job, int item, int partial, int status[MJI_MAX_LANES]) {
  const Prepared* p = job->prepared;
  mji_giveNominal(w, job, item, &p->given);
  mjData* d = mji_freshLanes(w, job, item, partial);
  mji_loadGiven(job, &p->given, d, mji_groupFirst(job, item), mji_groupCount(job, item), status);
  return d;
}

// ---- transition

// chosen columns by the state, and by controls
static int stateColumns(const mjiChosen* c) { return c->begin[3]; }
static int ctrlColumns(const mjiChosen* c) { return c->n - c->begin[3]; }

static void undefinedRow(const mjModel* m, const sheafTransitionDerivatives* r, const mjiChosen* c,
                         const mjiTarget* to) {
  size_t nv = (size_t)m->nv, ndx = 2 * nv + (size_t)m->na, ns = (size_t)m->nsensordata;
  size_t nx = (size_t)stateColumns(c), nu = (size_t)ctrlColumns(c);
  mji_resultNone(to, r->A, ndx * nx);
  mji_resultNone(to, r->B, ndx * nu);
  mji_resultNone(to, r->C, ns * nx);
  mji_resultNone(to, r->D, ns * nu);
  mji_resultNone(to, r->next_state, (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS));
  mji_resultNone(to, r->qacc, nv);
  mji_resultNone(to, r->qacc_x, nv * nx);
  mji_resultNone(to, r->qacc_u, nv * nu);
}

// numbers of the largest result of a row
static size_t largestResult(const mjModel* m) {
  size_t ndx = (size_t)(2 * m->nv + m->na), high = ndx + (size_t)m->nsensordata, wide = ndx + (size_t)m->nu;
  size_t nstate = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  return high * wide > nstate ? high * wide : nstate;
}

// columns by the state, or by controls, of a result with rows of nrow numbers
static mjiColumns columnsOf(const Prepared* p, int controls, int nrow, int nlane, int lane) {
  const mjiChosen* c = &p->chosen;
  int first = controls ? stateColumns(c) : 0, n = controls ? ctrlColumns(c) : stateColumns(c);
  return (mjiColumns){first - p->begin, n, nrow, nlane, lane, -0.0, NULL, c->whole ? NULL : c->place + first};
}

// write the results of one lane; the data has the next state
static void takeTransition(const sheafJob* job, mjData* d, const mjiStepDerivative* s, int lane, const mjiTarget* to) {
  const sheafTransitionDerivatives* r = job->request;
  const Prepared* p = job->prepared;
  const mjModel* m = job->m;
  int nv = (int)m->nv, ndx = 2 * nv + (int)m->na, ns = (int)m->nsensordata, nlane = job->nlane;
  size_t nstate = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  mji_resultColumns(to, r->A, s->next, columnsOf(p, 0, ndx, nlane, lane));
  mji_resultColumns(to, r->B, s->next, columnsOf(p, 1, ndx, nlane, lane));
  mji_resultColumns(to, r->qacc_x, s->qacc, columnsOf(p, 0, nv, nlane, lane));
  mji_resultColumns(to, r->qacc_u, s->qacc, columnsOf(p, 1, nv, nlane, lane));
  if (s->sensors) {
    mji_resultColumns(to, r->C, s->sensor, columnsOf(p, 0, ns, nlane, lane));
    mji_resultColumns(to, r->D, s->sensor, columnsOf(p, 1, ns, nlane, lane));
  }
  if (r->qacc) mji_gatherLane(mji_resultAt(to, r->qacc, (size_t)nv), s->acceleration, nv, nlane, lane);
  mji_resultDone(to, r->qacc, (size_t)nv);
  if (r->next_state) mji_getLane(m, d, lane, mji_resultAt(to, r->next_state, nstate), mjSTATE_FULLPHYSICS);
  mji_resultDone(to, r->next_state, nstate);
}

static int wantsSensors(const mjModel* m, const sheafTransitionDerivatives* r) {
  return m->nsensordata && (r->C || r->D);
}

// which of the chosen columns the results need
static void findNeeded(const sheafTransitionDerivatives* r, Prepared* p) {
  int named = p->sloped.named.n, states = r->A || r->C || r->qacc_x || named;
  int controls = r->B || r->D || r->qacc_u || named;
  p->begin = states ? 0 : stateColumns(&p->chosen);
  p->end = controls ? p->chosen.n : stateColumns(&p->chosen);
}

static mjiStepDerivative stepOf(const sheafJob* job, const mjModel* m) {
  const Prepared* p = job->prepared;
  mjiStepDerivative s = {.ncol = p->end - p->begin, .sensors = wantsSensors(m, job->request)};
  if (!p->chosen.whole || p->begin) s.column = p->chosen.number + p->begin;
  s.part = p->sloped.part, s.npart = p->sloped.npart, s.nout = p->sloped.nout;
  return s;
}

static void runTransitions(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafTransitionDerivatives* r = job->request;
  const Prepared* p = job->prepared;
  const mjiSloped* sloped = &p->sloped;
  int nlane = job->nlane, first = mji_groupFirst(job, item), count = mji_groupCount(job, item), status[MJI_MAX_LANES];
  mjData* d = open(w, job, item, 0, status);
  const mjModel* m = mji_groupModel(job, d);
  mjiStepDerivative s = stepOf(job, m);
  size_t nv = (size_t)m->nv, n = mji_stepDerivativeSize(m, &s), largest = largestResult(m);
  if (sloped->largest > largest) largest = sloped->largest;
  s.work = mji_workerScratch(w, (n + nv) * (size_t)nlane + largest);
  s.acceleration = s.work + n * (size_t)nlane;
  mji_groupKernels(job, d)->stepDerivative(m, d, &s);
  for (int lane = 0; lane < count; lane++) {
    int row = first + lane;
    const mjiTarget to = {(size_t)row, p->given.bytes, s.acceleration + nv * (size_t)nlane};
    if (!status[lane]) status[lane] = mji_stepStatus(d, nlane, lane);
    if (status[lane]) {
      undefinedRow(m, r, &p->chosen, &to);
      mji_undefineSloped(sloped, row, to.bytes);
      mji_undefineNominal(&p->given, row);
    } else {
      takeTransition(job, d, &s, lane, &to);
      mji_giveSloped(sloped, &s, &p->chosen, nlane, lane, row, to.bytes, to.scratch);
    }
    if (r->fallback) r->fallback[row] = s.fallback[lane];
    if (r->status) r->status[row] = status[lane];
  }
  mji_jobAdvance(job, count, count);
}

static int refuseExact(sheafStatus* status, const char* obstacle) {
  return mji_status(status, SHEAF_FAILED_PRECONDITION, "mode",
                    "expected \"auto\" or \"fd\" for a model with %s, got another mode", obstacle);
}

static int prepareExact(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafTransitionDerivatives* r = job->request;
  Prepared* p = makePrepared(job, status);
  if (!p) return SHEAF_RESOURCE_EXHAUSTED;
  const mjModel* m = job->m;
  mjiSloped* s = &p->sloped;
  int err = mji_findSloped(job, s, status), needs = s->named.needs | p->given.nominal.needs;
  if (err) return err;
  findNeeded(r, p);
  const mjiStepDerivative step = stepOf(job, m);
  size_t n = mji_stepDerivativeSize(m, &step);
  mji_setDerivative(job, pool, runTransitions, mji_matrixLanes(pool, job, needs, n), p->end - p->begin);
  return 0;
}

// differences have no derivatives of accelerations and of named outputs
static int refuseSlopes(const sheafJob* job, sheafStatus* status) {
  const sheafTransitionDerivatives* r = job->request;
  if (r->qacc_x || r->qacc_u) {
    return mji_status(status, SHEAF_FAILED_PRECONDITION, "qacc_x", "derivatives of qacc need mode \"implicit\"");
  }
  for (int k = 0; k < r->noutput; k++) {
    if (mji_isNominal(r->output[k].name)) continue;
    return mji_status(status, SHEAF_FAILED_PRECONDITION, "output", "derivatives of outputs need mode \"implicit\"");
  }
  return 0;
}

int mji_prepareTransitionDerivatives(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafTransitionDerivatives* r = job->request;
  const mjModel* m = job->m;
  const char* obstacle = mji_stepObstacle(m);
  if (r->mode == EXACT && obstacle) return refuseExact(status, obstacle);
  if (r->mode != DIFFERENCES && !obstacle) {
    return prepareExact(job, pool, status);
  }
  const mjiDifferences x = {.eps = r->eps,
                            .centered = r->centered,
                            .steps = 1,
                            .matrix = {r->A, r->B, r->C, r->D},
                            .next_state = r->next_state,
                            .qacc = r->qacc,
                            .fallback = r->fallback,
                            .status = r->status};
  int err = m->opt.integrator == mjINT_RK4 ? 0 : refuseSlopes(job, status);
  return err ? err : mji_prepareSteps(job, pool, &x, status);
}

// ---- inverse dynamics

static void runInverses(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafInverseDerivatives* r = job->request;
  const Prepared* p = job->prepared;
  const mjiChosen* c = &p->chosen;
  int nlane = job->nlane, first = mji_groupFirst(job, item), count = mji_groupCount(job, item), status[MJI_MAX_LANES];
  mjData* d = open(w, job, item, 1, status);
  const mjModel* m = mji_groupModel(job, d);
  int nv = (int)m->nv;
  size_t nn = (size_t)(nv * nv);
  mjtNum* work = mji_workerScratch(w, (3 * (size_t)nlane + 1) * nn);
  void* result[] = {r->DfDq, r->DfDv, r->DfDa};
  mjtNum* full[3];
  for (int k = 0; k < 3; k++) {
    full[k] = result[k] && c->begin[k + 1] > c->begin[k] ? work + (size_t)k * nn * (size_t)nlane : NULL;
  }
  mjiInverseDerivative s = {.actuation = r->actuation, .DfDq = full[0], .DfDv = full[1], .DfDa = full[2]};
  if (!c->whole) s.column = c->index, s.ncol = c->begin[1];
  mji_groupKernels(job, d)->inverseDerivative(m, d, &s);
  for (int lane = 0; lane < count; lane++) {
    int row = first + lane;
    const mjiTarget to = {(size_t)row, p->given.bytes, work + 3 * nn * (size_t)nlane};
    for (int k = 0; k < 3; k++) {
      int begin = c->begin[k], ncol = c->begin[k + 1] - begin;
      const int *from = c->whole ? NULL : c->index + begin, *place = c->whole ? NULL : c->place + begin;
      if (status[lane]) mji_resultNone(&to, result[k], (size_t)(nv * ncol));
      else if (full[k])
        mji_resultColumns(&to, result[k], full[k], (mjiColumns){0, ncol, nv, nlane, lane, -0.0, from, place});
    }
    if (status[lane]) mji_undefineNominal(&p->given, row);
    if (r->fallback) r->fallback[row] = s.fallback[lane];
    if (r->status) r->status[row] = status[lane];
  }
  mji_jobAdvance(job, count, count);
}

int mji_prepareInverseDerivatives(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafInverseDerivatives* r = job->request;
  const mjModel* m = job->m;
  const char* obstacle = mji_inverseObstacle(m);
  if (r->mode == EXACT && obstacle) return refuseExact(status, obstacle);
  if (r->mode != DIFFERENCES && !obstacle) {
    Prepared* p = makePrepared(job, status);
    if (!p) return SHEAF_RESOURCE_EXHAUSTED;
    size_t n = 3 * (size_t)m->nv * (size_t)m->nv;
    mji_setDerivative(job, pool, runInverses, mji_matrixLanes(pool, job, p->given.nominal.needs, n), 3 * (int)m->nv);
    return 0;
  }
  if (m->opt.integrator != mjINT_RK4 && m->opt.noslip_iterations > 0) {
    return mji_status(status, SHEAF_FAILED_PRECONDITION, "model", "finite differences are not defined with noslip");
  }
  const mjiDifferences x = {.eps = r->eps,
                            .actuation = r->actuation,
                            .matrix = {r->DfDq, r->DfDv, r->DfDa},
                            .fallback = r->fallback,
                            .status = r->status};
  return mji_prepareInverses(job, pool, &x, status);
}
