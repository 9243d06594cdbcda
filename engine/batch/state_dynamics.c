// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forward and inverse dynamics at given states, in groups of rows side by side.
//
// Rows that share positions, or positions and velocities, share what is computed of them: a worker that goes from one
// group of a request to the next begins with the first stage whose inputs differ (mj_forwardSkip does that for one
// state). Stages are functions of their inputs, so the bits are those of rows that share nothing.

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "batch/evaluator.h"
#include "batch/output.h"
#include "batch/params.h"
#include "batch/output_value.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "pipeline/pipeline.h"
#include "pool/worker.h"
#include "sense/sense.h"

enum { MAXINPUT = 10, MAXCHUNK = 16 };

// an input array: where it goes in mjData, how many numbers a row has, and the first stage that reads it
typedef struct {
  const double* data;
  int count;
  size_t offset;
  int n;
  int stage;
} Input;

typedef struct {
  int stage;
  int inverse;
  void* qfrc_inverse;
  int bytes;        // of a number in the results
  size_t nscratch;  // numbers of the largest result
  const double* time;
  int ntime;
  uint64_t reuse;  // the number under which a worker holds its last group; 0: groups are computed from the start
  int shares;      // solves of other rows start from the acceleration of row 0: centers (threads x nv)
  int oneplace;    // all rows have the positions of row 0
  Input input[MAXINPUT];
  int ninput;
  mjiNamed named;
  int32_t* status;
  mjtNum centers[];
} Prepared;

static mjtNum* member(mjData* d, size_t offset) {
  mjtNum* p;
  memcpy(&p, (char*)d + offset, sizeof p);
  return p;
}

// do rows differ from what the lanes hold?
static int differ(const mjtNum* held, const double* data, int count, int first, int ngroup, int n, int nlane) {
  for (int lane = 0; lane < nlane && count > 1; lane++) {
    const double* row = mji_row(data, count, first + (lane < ngroup ? lane : ngroup - 1), (size_t)n);
    for (int i = 0; i < n; i++) {
      mjtNum x = (mjtNum)row[i];
      if (memcmp(held + (size_t)i * nlane + lane, &x, sizeof x)) return 1;
    }
  }
  return 0;
}

// Put the inputs of a group; the first stage with one that was not there before. `held` says that the data has been
// loaded for another group: then inputs that all rows share are there, but for the warm start, which the center
// changes.
static int load(const Prepared* p, mjData* d, int first, int count, int nlane, int held) {
  int stage = MJI_CONTROL;
  for (int k = 0; k < p->ninput; k++) {
    const Input* in = p->input + k;
    mjtNum* to = member(d, in->offset);
    if (held && in->count == 1 && in->offset != offsetof(mjData, qacc_warmstart)) continue;
    if (in->stage < stage && differ(to, in->data, in->count, first, count, in->n, nlane)) stage = in->stage;
    mji_putRows(to, in->data, in->count, first, count, in->n, nlane);
  }
  if (p->time && differ(mji_time(d), p->time, p->ntime, first, count, 1, nlane)) stage = MJI_POSITION;
  mji_putRows(mji_time(d), p->time, p->ntime, first, count, 1, nlane);
  return stage;
}

// the stages from the first to the one that was asked for
static void compute(const mjiKernels* k, const mjModel* m, mjData* d, const Prepared* p, int first) {
  static const int last[] = {
      [mjSTAGE_POS] = MJI_POSITION, [mjSTAGE_VEL] = MJI_VELOCITY, [mjSTAGE_ACC] = MJI_ACCELERATION};
  if (p->inverse && !p->named.n) k->inverse(m, d, first, MJI_ACCELERATION, MJI_WANT_LEAN);
  else mji_computeOutputs(k, m, d, p->named.needs, p->inverse, first, last[p->stage]);
}

static int rowStatus(const mjModel* m, const mjData* d, const Prepared* p, int nlane, int lane) {
  if (!mji_laneGoodStart(m, d->qpos, nlane, lane)) return SHEAF_ROW_BADQPOS;
  if (!mji_laneGood(d->qvel, (int)m->nv, nlane, lane)) return SHEAF_ROW_BADQVEL;
  if (!mji_laneGood(d->ctrl, (int)m->nu, nlane, lane)) return SHEAF_ROW_BADCTRL;
  if (p->time && !isfinite(mji_time((mjData*)d)[lane])) return SHEAF_ROW_BADTIME;
  if (p->inverse || p->stage == mjSTAGE_ACC) {
    const mjtNum* last = p->inverse ? d->qfrc_inverse : d->qacc;
    if (!mji_laneGood(d->qacc, (int)m->nv, nlane, lane)) return SHEAF_ROW_BADQACC;
    for (int i = 0; i < m->nv; i++) {
      if (last[(size_t)i * nlane + lane] - last[(size_t)i * nlane + lane] != 0) return SHEAF_ROW_BADQACC;
    }
  }
  return SHEAF_ROW_OK;
}

// ---- groups

// The worker's data, with what it computed for the group before this one if it did; otherwise *stage is the first. The
// center is computed by each worker that needs it, so that nobody waits.
static mjtNum* centerOf(const struct mjiWorker_* w, const sheafJob* job) {
  Prepared* p = job->prepared;
  return p->centers + (size_t)w->index * (size_t)job->m->nv;
}

static mjData* open(struct mjiWorker_* w, sheafJob* job, int item, int* stage) {
  const Prepared* p = job->prepared;
  mjData* d = p->reuse ? mji_workerHeld(w, p->reuse) : NULL;
  if (d && !(mji_paramsVary(job) && mji_putParams(w, job, d, item))) return d;
  int partial = p->inverse || p->stage != mjSTAGE_ACC;
  d = mji_freshLanes(w, job, p->shares ? 0 : item, partial);
  if (!p->shares) {
    *stage = MJI_POSITION;
    return d;
  }
  int nv = (int)job->m->nv;
  mjtNum* center = centerOf(w, job);
  load(p, d, 0, 1, job->nlane, 0);
  compute(mji_groupKernels(job, d), mji_groupModel(job, d), d, p, MJI_POSITION);
  mji_gatherLane(center, d->qacc, nv, job->nlane, 0);
  if (!mji_laneGood(center, nv, 1, 0)) mju_zero(center, nv);
  else if (p->oneplace && p->reuse) mji_groupKernels(job, d)->centerMake(mji_groupModel(job, d), d);
  if (!mji_paramsVary(job)) return d;
  *stage = MJI_POSITION;
  return mji_freshLanes(w, job, item, partial);
}

// every row but the center starts from the center's solution
static void startFromCenter(const struct mjiWorker_* w, const sheafJob* job, mjData* d, int first) {
  int nv = (int)job->m->nv, nlane = job->nlane;
  const mjtNum* center = centerOf(w, job);
  if (first > 0) mji_fillLanes(d->qacc_warmstart, center, nv, nlane);
  for (int lane = 1; lane < nlane && first == 0; lane++) mji_scatterLane(d->qacc_warmstart, center, nv, nlane, lane);
}

static void runGroup(struct mjiWorker_* w, sheafJob* job, int item) {
  const Prepared* p = job->prepared;
  int nlane = job->nlane, first = mji_groupFirst(job, item), count = mji_groupCount(job, item);
  int stage = MJI_CONTROL;
  mjData* d = open(w, job, item, &stage);
  const mjModel* m = mji_groupModel(job, d);
  int changed = load(p, d, first, count, nlane, stage == MJI_CONTROL);
  if (p->shares) startFromCenter(w, job, d, first);
  if (changed < stage) stage = changed;
  mji_work(d)->repeats = stage > MJI_POSITION;
  compute(mji_groupKernels(job, d), m, d, p, stage);

  mjtNum* scratch = mji_workerScratch(w, p->nscratch);
  for (int lane = 0; lane < count; lane++) {
    size_t i = (size_t)(first + lane);
    if (p->status) p->status[i] = rowStatus(m, d, p, nlane, lane);
    if (p->qfrc_inverse) {
      size_t n = (size_t)m->nv;
      mji_gatherLane(mji_slot(p->qfrc_inverse, i * n, p->bytes, scratch), d->qfrc_inverse, (int)n, nlane, lane);
      mji_settle(p->qfrc_inverse, i * n, n, p->bytes, scratch);
    }
    mji_giveNamed(&p->named, m, d, lane, i, p->bytes, scratch);
  }
  if (p->reuse) mji_workerHold(w, d, p->reuse);
  mji_jobAdvance(job, count, count);
}

// ---- requests

static void addInput(Prepared* p, Input in) {
  if (in.data) p->input[p->ninput++] = in;
}

// a number for each job: data that is held under it can be of no other
static uint64_t nextReuse(void) {
  static atomic_uint_fast64_t last;
  return atomic_fetch_add(&last, 1) + 1;
}

// Do all rows have the inputs of positions that row 0 has? Then their solves may use what the solution of row 0 knows
// of them. Rows that share a group of lanes must not decide that, as results do not depend on them.
static int shareOnePlace(const Prepared* p) {
  for (int k = 0; k < p->ninput; k++) {
    const Input* in = p->input + k;
    for (int i = 1; in->stage == MJI_POSITION && i < in->count; i++) {
      if (memcmp(in->data, in->data + (size_t)i * (size_t)in->n, (size_t)in->n * sizeof(double))) return 0;
    }
  }
  for (int i = 1; p->time && i < p->ntime; i++) {
    if (memcmp(p->time, p->time + i, sizeof(double))) return 0;
  }
  return 1;
}

// Without a stage, the last is the one that makes the outputs.
static int takeStage(Prepared* p, sheafStatus* status) {
  if (p->inverse) return 0;
  if (!p->stage) p->stage = p->named.stage > mjSTAGE_POS ? p->named.stage : mjSTAGE_POS;
  p->shares = p->shares && p->stage == mjSTAGE_ACC;
  for (int k = 0; k < p->named.n; k++) {
    const mjiChoice* c = &p->named.choice[k];
    if (!c->form || mji_outputStage(c->output) <= p->stage) continue;
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "stage", "expected %d or more for the output \"%.40s\", got %d",
                      mji_outputStage(c->output), sheaf_outputName(c->output), p->stage);
  }
  return 0;
}

// The sensor of the kinetic energy is one of positions, but reads velocities.
static void sensorsRead(Prepared* p, const mjModel* m) {
  if (!(p->named.needs & MJI_NEED_SENSOR) || !mji_sense_has(m, mjSENS_E_KINETIC)) return;
  for (int k = 0; k < p->ninput; k++) {
    if (p->input[k].stage == MJI_VELOCITY) p->input[k].stage = MJI_POSITION;
  }
}

static int finishPrepared(sheafJob* job, const sheafPool* pool, const Prepared* prepared, int discrete,
                          sheafStatus* status) {
  size_t ncenter = (size_t)prepared->shares * (size_t)pool->nthread * (size_t)job->m->nv;
  Prepared* p = job->prepared = malloc(sizeof *p + ncenter * sizeof(mjtNum));
  if (!p) return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  *p = *prepared;
  mji_findNamed(job, &p->named);
  int err = takeStage(p, status);
  if (err) return err;
  p->bytes = sheaf_numberBytes(job->kind, job->request);
  size_t nv = (size_t)job->m->nv, largest = mji_largestNamed(&p->named);
  p->nscratch = p->bytes == sizeof(mjtNum) ? 0 : largest > nv ? largest : nv;

  // sleep is part of the state, and user code may look at anything
  if (!(job->m->opt.enableflags & mjENBL_SLEEP) && !mji_hasUserCode()) p->reuse = nextReuse();
  p->oneplace = p->shares && !mji_paramsVary(job) && shareOnePlace(p);
  sensorsRead(p, job->m);
  mji_jobOptions(job, p->named.needs, discrete ? mjENBL_INVDISCRETE : 0);
  job->run = runGroup;
  job->fail = mji_failRows;
  job->skip = mji_skipRows;
  mji_jobGroups(job, pool, mji_stateLanes(pool, job, p->named.needs), ((mjiAnyRequest*)job->request)->nbatch);

  // groups are short, and those that follow each other share most
  int chunk = job->nitem / (4 * pool->nthread);
  if (!pool->chunk) job->chunk = chunk < 1 ? 1 : chunk < MAXCHUNK ? chunk : MAXCHUNK;
  return 0;
}

// a field of the request goes to the array of this name
#define INPUT(stage, name, size) \
  addInput(&p, (Input){r->name, r->n##name, offsetof(mjData, name), (int)(size), MJI_##stage})

int mji_prepareForward(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const mjModel* m = job->m;
  const sheafForward* r = job->request;
  if (r->share_warmstart && r->nwarmstart > 1) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "warmstart",
                      "expected one row, as the others start from the solution of row 0, got %d", r->nwarmstart);
  }
  Prepared p = {
      .stage = r->stage, .shares = r->share_warmstart, .status = r->status, .time = r->time, .ntime = r->ntime};
  INPUT(POSITION, qpos, m->nq);
  INPUT(VELOCITY, qvel, m->nv);
  INPUT(CONTROL, act, m->na);
  INPUT(CONTROL, ctrl, m->nu);
  INPUT(CONTROL, qfrc_applied, m->nv);
  INPUT(CONTROL, xfrc_applied, 6 * m->nbody);
  INPUT(POSITION, mocap_pos, 3 * m->nmocap);
  INPUT(POSITION, mocap_quat, 4 * m->nmocap);
  addInput(&p, (Input){r->warmstart, r->nwarmstart, offsetof(mjData, qacc_warmstart), (int)m->nv, MJI_CONTROL});
  return finishPrepared(job, pool, &p, 0, status);
}

int mji_prepareInverse(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const mjModel* m = job->m;
  const sheafInverse* r = job->request;
  int discrete = r->discrete || mjENABLED(mjENBL_INVDISCRETE);
  if (discrete && m->opt.integrator == mjINT_RK4) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "discrete",
                      "expected continuous time with the RK4 integrator, got discrete time");
  }
  Prepared p = {.inverse = 1, .status = r->status, .qfrc_inverse = r->qfrc_inverse};
  INPUT(POSITION, qpos, m->nq);
  INPUT(VELOCITY, qvel, m->nv);
  INPUT(CONTROL, qacc, m->nv);
  INPUT(POSITION, mocap_pos, 3 * m->nmocap);
  INPUT(POSITION, mocap_quat, 4 * m->nmocap);
  return finishPrepared(job, pool, &p, r->discrete, status);
}
