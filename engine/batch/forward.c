// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forward and inverse dynamics at given states, in groups of rows side by side.

#include <stdlib.h>
#include <string.h>

#include "batch/batch.h"
#include "batch/output.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "pool/worker.h"

enum { MAXOUTPUT = 64, MAXINPUT = 10 };

// an input array: where it goes in mjData and how many numbers a row has
typedef struct {
  const char* field;
  const mjtNum* data;
  int count;
  size_t offset;
  int n;
} Input;

typedef struct {
  int nbatch, stage;
  int inverse;
  mjtNum* qfrc_inverse;
  const mjtNum* time;
  int ntime;
  Input input[MAXINPUT];
  int ninput;
  int noutput, needs;
  int output[MAXOUTPUT], size[MAXOUTPUT];
  mjtNum* data[MAXOUTPUT];
  int32_t* status;
} Plan;

static mjtNum* member(mjData* d, size_t offset) {
  mjtNum* p;
  memcpy(&p, (char*)d + offset, sizeof p);
  return p;
}

static void load(const Plan* p, mjData* d, int first, int count, int nlane) {
  for (int k = 0; k < p->ninput; k++) {
    const Input* in = p->input + k;
    mji_putRows(member(d, in->offset), in->data, in->count, first, count, in->n, nlane);
  }
  mji_putRows(mji_time(d), p->time, p->ntime, first, count, 1, nlane);
}

// the stages up to the one that was asked for
static void compute(const mjiKernels* k, const mjModel* m, mjData* d, const Plan* p) {
  int skipsensor = !(p->needs & MJI_NEED_SENSOR);
  if (p->inverse) {
    k->inverseSkip(m, d, mjSTAGE_NONE, skipsensor);
  } else if (p->stage == mjSTAGE_ACC) {
    k->forwardSkip(m, d, mjSTAGE_NONE, skipsensor);
  } else {
    k->fwdPosition(m, d);
    if (!skipsensor) k->sensorPos(m, d);
    if (mjENABLED(mjENBL_ENERGY)) k->energyPos(m, d);
    if (p->stage == mjSTAGE_VEL) {
      k->fwdVelocity(m, d);
      if (!skipsensor) k->sensorVel(m, d);
      if (mjENABLED(mjENBL_ENERGY)) k->energyVel(m, d);
    }
  }
  if (p->needs & MJI_NEED_SUBTREE) k->subtreeVel(m, d);
  if (p->needs & MJI_NEED_RNEPOST) k->rnePostConstraint(m, d);
}

static int rowStatus(const mjModel* m, const mjData* d, const Plan* p, int nlane, int lane) {
  if (!mji_laneGood(d->qpos, (int)m->nq, nlane, lane)) return SHEAF_ROW_BADQPOS;
  if (!mji_laneGood(d->qvel, (int)m->nv, nlane, lane)) return SHEAF_ROW_BADQVEL;
  if (!mji_laneGood(d->ctrl, (int)m->nu, nlane, lane)) return SHEAF_ROW_BADCTRL;
  if (p->inverse || p->stage == mjSTAGE_ACC) {
    const mjtNum* last = p->inverse ? d->qfrc_inverse : d->qacc;
    if (!mji_laneGood(d->qacc, (int)m->nv, nlane, lane)) return SHEAF_ROW_BADQACC;
    for (int i = 0; i < m->nv; i++) {
      if (last[(size_t)i * nlane + lane] - last[(size_t)i * nlane + lane] != 0)
        return SHEAF_ROW_BADQACC;
    }
  }
  return SHEAF_ROW_OK;
}

static void runGroup(struct mjiWorker_* w, sheafJob* job, int item) {
  const Plan* p = job->plan;
  const mjModel* m = job->m;
  int nlane = job->nlane, first = mji_groupFirst(job, item),
      count = mji_groupCount(job, item, p->nbatch);
  mjData* d = mji_freshLanes(w, job, p->needs);
  load(p, d, first, count, nlane);
  compute(nlane == 1 ? mji_kernels1() : mji_kernels(nlane), m, d, p);

  for (int lane = 0; lane < count; lane++) {
    size_t i = (size_t)(first + lane);
    if (p->status) p->status[i] = rowStatus(m, d, p, nlane, lane);
    if (p->qfrc_inverse) {
      mji_gatherLane(p->qfrc_inverse + i * m->nv, d->qfrc_inverse, (int)m->nv, nlane, lane);
    }
    for (int k = 0; k < p->noutput; k++) {
      mji_outputCopy(m, d, p->output[k], lane, p->data[k] + i * p->size[k]);
    }
  }
  mji_jobAdvance(job, count);
}

static void fillRows(sheafJob* job, int item, int status) {
  const Plan* p = job->plan;
  int first = mji_groupFirst(job, item), count = mji_groupCount(job, item, p->nbatch);
  for (int i = first; i < first + count; i++) {
    if (p->status) p->status[i] = status;
    if (p->qfrc_inverse)
      memset(p->qfrc_inverse + (size_t)i * job->m->nv, 0, sizeof(mjtNum) * job->m->nv);
    for (int k = 0; k < p->noutput; k++) {
      memset(p->data[k] + (size_t)i * p->size[k], 0, sizeof(mjtNum) * p->size[k]);
    }
  }
  mji_jobAdvance(job, count);
}

static void failGroup(struct mjiWorker_* w, sheafJob* job, int item) {
  (void)w;
  fillRows(job, item, SHEAF_ROW_ERROR);
}

static void skipGroup(struct mjiWorker_* w, sheafJob* job, int item) {
  (void)w;
  fillRows(job, item, SHEAF_ROW_CANCELLED);
}

// ---- checks

static int addInput(Plan* p, Input in, sheafStatus* status) {
  if (!in.data) return 0;
  p->input[p->ninput++] = in;
  return mji_checkRows(in.field, in.data, in.count, p->nbatch, status);
}

static int addOutputs(Plan* p, const mjModel* m, const sheafOutput* output, int noutput,
                      sheafStatus* status) {
  if (noutput > MAXOUTPUT) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "noutput", "expected at most %d, got %d",
                      MAXOUTPUT, noutput);
  }
  if (mji_checkOutputs(output, noutput, &p->needs, status)) return SHEAF_INVALID_ARGUMENT;
  p->noutput = noutput;
  for (int k = 0; k < noutput; k++) {
    p->output[k] = mji_outputFind(output[k].name);
    p->size[k] = mji_outputShape(m, p->output[k], NULL);
    p->data[k] = output[k].data;
  }
  return 0;
}

static int finishPlan(sheafJob* job, const sheafPool* pool, const Plan* plan, int discrete,
                      sheafStatus* status) {
  job->plan = malloc(sizeof(Plan));
  if (!job->plan) return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  memcpy(job->plan, plan, sizeof(Plan));
  mji_jobOptions(job, plan->needs, discrete ? mjENBL_INVDISCRETE : 0);
  job->run = runGroup;
  job->fail = failGroup;
  job->skip = skipGroup;
  int nlane = mji_groupLanes(pool, job->m, plan->nbatch, plan->needs);
  mji_jobGroups(job, pool, plan->nbatch, nlane, plan->nbatch);
  return 0;
}

#define INPUT(name, size) \
  addInput(&p, (Input){#name, r->name, r->n##name, offsetof(mjData, name), (int)(size)}, status)

int mji_prepareForward(sheafJob* job, const sheafPool* pool, const sheafForward* r,
                       sheafStatus* status) {
  const mjModel* m = job->m;
  if (mji_checkRequest(m, r->size, sizeof *r, r->nbatch, status)) return SHEAF_INVALID_ARGUMENT;
  Plan p = {.nbatch = r->nbatch,
            .stage = r->stage ? r->stage : mjSTAGE_ACC,
            .status = r->status,
            .time = r->time,
            .ntime = r->ntime};
  if (p.stage < mjSTAGE_POS || p.stage > mjSTAGE_ACC) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "stage", "expected %d to %d, got %d",
                      mjSTAGE_POS, mjSTAGE_ACC, r->stage);
  }
  if (INPUT(qpos, m->nq) || INPUT(qvel, m->nv) || INPUT(act, m->na) || INPUT(ctrl, m->nu) ||
      INPUT(qfrc_applied, m->nv) || INPUT(xfrc_applied, 6 * m->nbody) ||
      INPUT(mocap_pos, 3 * m->nmocap) || INPUT(mocap_quat, 4 * m->nmocap) ||
      mji_checkRows("time", r->time, r->ntime, r->nbatch, status) ||
      addInput(&p,
               (Input){"warmstart", r->warmstart, r->nwarmstart, offsetof(mjData, qacc_warmstart),
                       (int)m->nv},
               status) ||
      addOutputs(&p, m, r->output, r->noutput, status)) {
    return SHEAF_INVALID_ARGUMENT;
  }
  return finishPlan(job, pool, &p, 0, status);
}

int mji_prepareInverse(sheafJob* job, const sheafPool* pool, const sheafInverse* r,
                       sheafStatus* status) {
  const mjModel* m = job->m;
  if (mji_checkRequest(m, r->size, sizeof *r, r->nbatch, status)) return SHEAF_INVALID_ARGUMENT;
  if (r->discrete && m->opt.integrator == mjINT_RK4) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "discrete",
                      "discrete-time inverse dynamics are not defined for the RK4 integrator");
  }
  Plan p = {
      .nbatch = r->nbatch, .inverse = 1, .status = r->status, .qfrc_inverse = r->qfrc_inverse};
  if (INPUT(qpos, m->nq) || INPUT(qvel, m->nv) || INPUT(qacc, m->nv) ||
      INPUT(mocap_pos, 3 * m->nmocap) || INPUT(mocap_quat, 4 * m->nmocap) ||
      addOutputs(&p, m, r->output, r->noutput, status)) {
    return SHEAF_INVALID_ARGUMENT;
  }
  return finishPlan(job, pool, &p, r->discrete, status);
}
