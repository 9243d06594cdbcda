// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of the step and of inverse dynamics in groups of states side by side (engine/derive). Where that is asked
// for or nothing else is there, they are differences (batch/state_derivative.h).

#include <stdlib.h>

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
  mjiSloped sloped;  // of steps
} Prepared;

static Prepared* makePrepared(sheafJob* job, sheafStatus* status) {
  Prepared* p = job->prepared = malloc(sizeof *p);
  if (p) mji_findGiven(job, &p->given);
  else mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
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

static void undefinedRow(const mjModel* m, const sheafTransitionDerivatives* r, const mjiTarget* to) {
  size_t nv = (size_t)m->nv, nu = (size_t)m->nu, ndx = 2 * nv + (size_t)m->na, ns = (size_t)m->nsensordata;
  mji_resultNone(to, r->A, ndx * ndx);
  mji_resultNone(to, r->B, ndx * nu);
  mji_resultNone(to, r->C, ns * ndx);
  mji_resultNone(to, r->D, ns * nu);
  mji_resultNone(to, r->next_state, (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS));
  mji_resultNone(to, r->qacc, nv);
  mji_resultNone(to, r->qacc_x, nv * ndx);
  mji_resultNone(to, r->qacc_u, nv * nu);
}

// numbers of the largest result of a row
static size_t largestResult(const mjModel* m) {
  size_t ndx = (size_t)(2 * m->nv + m->na), high = ndx + (size_t)m->nsensordata, wide = ndx + (size_t)m->nu;
  size_t nstate = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  return high * wide > nstate ? high * wide : nstate;
}

// write the results of one lane; the data has the next state
static void takeTransition(const sheafJob* job, mjData* d, const mjiStepDerivative* s, int lane, const mjiTarget* to) {
  const sheafTransitionDerivatives* r = job->request;
  const mjModel* m = job->m;
  int nv = (int)m->nv, nu = (int)m->nu, ndx = 2 * nv + (int)m->na, ns = (int)m->nsensordata, nlane = job->nlane;
  size_t nstate = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  mji_resultColumns(to, r->A, s->next, (mjiColumns){0, ndx, ndx, nlane, lane, -0.0});
  mji_resultColumns(to, r->B, s->next, (mjiColumns){ndx, nu, ndx, nlane, lane, -0.0});
  mji_resultColumns(to, r->qacc_x, s->qacc, (mjiColumns){0, ndx, nv, nlane, lane, -0.0});
  mji_resultColumns(to, r->qacc_u, s->qacc, (mjiColumns){ndx, nu, nv, nlane, lane, -0.0});
  if (s->sensors) {
    mji_resultColumns(to, r->C, s->sensor, (mjiColumns){0, ndx, ns, nlane, lane, -0.0});
    mji_resultColumns(to, r->D, s->sensor, (mjiColumns){ndx, nu, ns, nlane, lane, -0.0});
  }
  if (r->qacc) mji_gatherLane(mji_resultAt(to, r->qacc, (size_t)nv), s->acceleration, nv, nlane, lane);
  mji_resultDone(to, r->qacc, (size_t)nv);
  if (r->next_state) mji_getLane(m, d, lane, mji_resultAt(to, r->next_state, nstate), mjSTATE_FULLPHYSICS);
  mji_resultDone(to, r->next_state, nstate);
}

static int wantsSensors(const mjModel* m, const sheafTransitionDerivatives* r) {
  return m->nsensordata && (r->C || r->D);
}

static int countColumns(const mjModel* m, const sheafTransitionDerivatives* r, const mjiSloped* s) {
  return (int)(2 * m->nv + m->na + (r->B || r->D || r->qacc_u || s->named.n ? m->nu : 0));
}

static void runTransitions(struct mjiWorker_* w, sheafJob* job, int item) {
  const sheafTransitionDerivatives* r = job->request;
  const Prepared* p = job->prepared;
  const mjiSloped* sloped = &p->sloped;
  int nlane = job->nlane, first = mji_groupFirst(job, item), count = mji_groupCount(job, item), status[MJI_MAX_LANES];
  mjData* d = open(w, job, item, 0, status);
  const mjModel* m = mji_groupModel(job, d);
  mjiStepDerivative s = {.ncol = countColumns(m, r, sloped), .sensors = wantsSensors(m, r)};
  s.part = sloped->part, s.npart = sloped->npart, s.nout = sloped->nout;
  size_t nv = (size_t)m->nv, n = mji_stepDerivativeSize(m, s.ncol, s.sensors, s.nout), largest = largestResult(m);
  if (sloped->largest > largest) largest = sloped->largest;
  s.work = mji_workerScratch(w, (n + nv) * (size_t)nlane + largest);
  s.acceleration = s.work + n * (size_t)nlane;
  mji_groupKernels(job, d)->stepDerivative(m, d, &s);
  for (int lane = 0; lane < count; lane++) {
    int row = first + lane;
    const mjiTarget to = {(size_t)row, p->given.bytes, s.acceleration + nv * (size_t)nlane};
    if (!status[lane]) status[lane] = mji_stepStatus(d, nlane, lane);
    if (status[lane]) {
      undefinedRow(m, r, &to);
      mji_undefineSloped(sloped, row, to.bytes);
      mji_undefineNominal(&p->given, row);
    } else {
      takeTransition(job, d, &s, lane, &to);
      mji_giveSloped(sloped, &s, nlane, lane, row, to.bytes, to.scratch);
    }
    if (r->fallback) r->fallback[row] = s.fallback[lane];
    if (r->status) r->status[row] = status[lane];
  }
  mji_jobAdvance(job, count, count);
}

static int refuseExact(sheafStatus* status, const char* what) {
  return mji_status(status, SHEAF_FAILED_PRECONDITION, "mode",
                    "expected \"auto\" or \"fd\" for a model with sleep, %stendon armature or limits of tendon forces, "
                    "got another mode",
                    what);
}

static int prepareExact(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafTransitionDerivatives* r = job->request;
  Prepared* p = makePrepared(job, status);
  if (!p) return SHEAF_RESOURCE_EXHAUSTED;
  const mjModel* m = job->m;
  mjiSloped* s = &p->sloped;
  int err = mji_findSloped(job, s, status), needs = s->named.needs | p->given.nominal.needs;
  if (err) return err;
  int ncol = countColumns(m, r, s);
  size_t n = mji_stepDerivativeSize(m, ncol, wantsSensors(m, r), s->nout);
  mji_setDerivative(job, pool, runTransitions, mji_matrixLanes(pool, job, needs, n), ncol);
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
  int covered = mji_stepIsCovered(m);
  if (r->mode == EXACT && !covered) return refuseExact(status, "noslip, ");
  if (r->mode != DIFFERENCES && covered) {
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
  int nlane = job->nlane, first = mji_groupFirst(job, item), count = mji_groupCount(job, item), status[MJI_MAX_LANES];
  mjData* d = open(w, job, item, 1, status);
  const mjModel* m = mji_groupModel(job, d);
  int nv = (int)m->nv;
  size_t nn = (size_t)(nv * nv);
  mjtNum* work = mji_workerScratch(w, (3 * (size_t)nlane + 1) * nn);
  mjiInverseDerivative s = {.actuation = r->actuation,
                            .DfDq = work,
                            .DfDv = work + nn * (size_t)nlane,
                            .DfDa = work + 2 * nn * (size_t)nlane};
  mji_groupKernels(job, d)->inverseDerivative(m, d, &s);
  for (int lane = 0; lane < count; lane++) {
    int row = first + lane;
    const mjiTarget to = {(size_t)row, p->given.bytes, work + 3 * nn * (size_t)nlane};
    void* result[] = {r->DfDq, r->DfDv, r->DfDa};
    for (int k = 0; k < 3; k++) {
      if (status[lane]) mji_resultNone(&to, result[k], nn);
      else
        mji_resultColumns(&to, result[k], s.DfDq + (size_t)k * nn * (size_t)nlane,
                          (mjiColumns){0, nv, nv, nlane, lane, -0.0});
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
  int covered = mji_inverseIsCovered(m);
  if (r->mode == EXACT && !covered) return refuseExact(status, "discrete-time inverse dynamics, ");
  if (r->mode != DIFFERENCES && covered) {
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
