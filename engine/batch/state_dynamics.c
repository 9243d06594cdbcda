// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forward and inverse dynamics at given states, in groups of rows side by side.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch/evaluator.h"
#include "batch/output.h"
#include "batch/params.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "pool/worker.h"

enum { MAXINPUT = 10 };

// an input array: where it goes in mjData and how many numbers a row has
typedef struct {
  const mjtNum* data;
  int count;
  size_t offset;
  int n;
} Input;

typedef struct {
  int stage;
  int inverse;
  mjtNum* qfrc_inverse;
  const mjtNum* time;
  int ntime;
  Input input[MAXINPUT];
  int ninput;
  mjiNamed named;
  int32_t* status;
} Prepared;

static mjtNum* member(mjData* d, size_t offset) {
  mjtNum* p;
  memcpy(&p, (char*)d + offset, sizeof p);
  return p;
}

static void load(const Prepared* p, mjData* d, int first, int count, int nlane) {
  for (int k = 0; k < p->ninput; k++) {
    const Input* in = p->input + k;
    mji_putRows(member(d, in->offset), in->data, in->count, first, count, in->n, nlane);
  }
  mji_putRows(mji_time(d), p->time, p->ntime, first, count, 1, nlane);
}

// the stages up to the one that was asked for
static void compute(const mjiKernels* k, const mjModel* m, mjData* d, const Prepared* p) {
  static const int last[] = {
      [mjSTAGE_POS] = MJI_POSITION, [mjSTAGE_VEL] = MJI_VELOCITY, [mjSTAGE_ACC] = MJI_ACCELERATION};
  int want = mji_wants(p->named.needs);
  if (p->inverse) k->inverse(m, d, MJI_POSITION, MJI_ACCELERATION, want);
  else k->forward(m, d, MJI_POSITION, last[p->stage], want);
  if (p->named.needs & MJI_NEED_SUBTREE) k->subtreeVel(m, d);
  if (p->named.needs & MJI_NEED_RNEPOST) k->rnePostConstraint(m, d);
}

static int rowStatus(const mjModel* m, const mjData* d, const Prepared* p, int nlane, int lane) {
  if (!mji_laneGood(d->qpos, (int)m->nq, nlane, lane)) return SHEAF_ROW_BADQPOS;
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

static void runGroup(struct mjiWorker_* w, sheafJob* job, int item) {
  const Prepared* p = job->prepared;
  int nlane = job->nlane, first = mji_groupFirst(job, item), count = mji_groupCount(job, item);
  mjData* d = mji_freshLanes(w, job, item, p->inverse || p->stage != mjSTAGE_ACC);
  const mjModel* m = mji_groupModel(job, d);
  load(p, d, first, count, nlane);
  compute(mji_jobKernels(job), m, d, p);

  for (int lane = 0; lane < count; lane++) {
    size_t i = (size_t)(first + lane);
    if (p->status) p->status[i] = rowStatus(m, d, p, nlane, lane);
    if (p->qfrc_inverse) {
      mji_gatherLane(p->qfrc_inverse + i * m->nv, d->qfrc_inverse, (int)m->nv, nlane, lane);
    }
    for (int k = 0; k < p->named.n; k++) {
      mji_outputCopy(m, d, p->named.index[k], lane, p->named.data[k] + i * p->named.row[k]);
    }
  }
  mji_jobAdvance(job, count, count);
}

// ---- requests

static void addInput(Prepared* p, Input in) {
  if (in.data) p->input[p->ninput++] = in;
}

static int finishPrepared(sheafJob* job, const sheafPool* pool, Prepared* prepared, int discrete, sheafStatus* status) {
  mji_findNamed(job, &prepared->named);
  job->prepared = malloc(sizeof(Prepared));
  if (!job->prepared) return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  memcpy(job->prepared, prepared, sizeof(Prepared));
  mji_jobOptions(job, prepared->named.needs, discrete ? mjENBL_INVDISCRETE : 0);
  job->run = runGroup;
  job->fail = mji_failRows;
  job->skip = mji_skipRows;
  mji_jobGroups(job, pool, mji_stateLanes(pool, job, prepared->named.needs), ((mjiAnyRequest*)job->request)->nbatch);
  return 0;
}

// a field of the request goes to the array of this name
#define INPUT(name, size) addInput(&p, (Input){r->name, r->n##name, offsetof(mjData, name), (int)(size)})

int mji_prepareForward(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const mjModel* m = job->m;
  const sheafForward* r = job->request;
  Prepared p = {.stage = r->stage, .status = r->status, .time = r->time, .ntime = r->ntime};
  INPUT(qpos, m->nq);
  INPUT(qvel, m->nv);
  INPUT(act, m->na);
  INPUT(ctrl, m->nu);
  INPUT(qfrc_applied, m->nv);
  INPUT(xfrc_applied, 6 * m->nbody);
  INPUT(mocap_pos, 3 * m->nmocap);
  INPUT(mocap_quat, 4 * m->nmocap);
  addInput(&p, (Input){r->warmstart, r->nwarmstart, offsetof(mjData, qacc_warmstart), (int)m->nv});
  return finishPrepared(job, pool, &p, 0, status);
}

int mji_prepareInverse(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const mjModel* m = job->m;
  const sheafInverse* r = job->request;
  if (r->discrete && m->opt.integrator == mjINT_RK4) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "discrete",
                      "expected continuous time with the RK4 integrator, got discrete time");
  }
  Prepared p = {.inverse = 1, .status = r->status, .qfrc_inverse = r->qfrc_inverse};
  INPUT(qpos, m->nq);
  INPUT(qvel, m->nv);
  INPUT(qacc, m->nv);
  INPUT(mocap_pos, 3 * m->nmocap);
  INPUT(mocap_quat, 4 * m->nmocap);
  return finishPrepared(job, pool, &p, r->discrete, status);
}
