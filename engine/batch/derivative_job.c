// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/derivative_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch/output.h"
#include "batch/output_value.h"
#include "batch/params.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "pipeline/pipeline.h"
#include "pool/worker.h"

// ---- the given states

void mji_findGiven(sheafJob* job, mjiGiven* g) {
  const struct {
    const char* name;
    mjiRows* to;
  } inputs[] = {{"state", &g->state}, {"ctrl", &g->ctrl}, {"warmstart", &g->warmstart},
                {"qpos", &g->qpos},   {"qvel", &g->qvel}, {"qacc", &g->qacc},
                {"act", &g->act}};
  for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++) {
    inputs[k].to->data = mji_inputOf(job, inputs[k].name, &inputs[k].to->count);
  }
  g->inverse = !g->state.data;
  g->bytes = sheaf_numberBytes(job->kind, job->request);
  mji_findNominal(job, &g->nominal);
  if (g->nominal.needs & MJI_NEED_ENERGY) mji_jobOptions(job, g->nominal.needs, 0);
}

int mji_inputStatus(const mjModel* m, mjData* d, int nlane, int lane) {
  if (!mji_laneGoodStart(m, d->qpos, nlane, lane)) return SHEAF_ROW_BADQPOS;
  if (!mji_laneGood(d->qvel, (int)m->nv, nlane, lane)) return SHEAF_ROW_BADQVEL;
  if (!mji_laneGood(d->ctrl, (int)m->nu, nlane, lane)) return SHEAF_ROW_BADCTRL;
  return isfinite(mji_time(d)[lane]) ? SHEAF_ROW_OK : SHEAF_ROW_BADTIME;
}

int mji_stepStatus(const mjData* d, int nlane, int lane) {
  const mjiWork* w = mji_work(d);
  if (nlane > 1) return w->bad[lane] ? 1 + w->badcode[lane] : SHEAF_ROW_OK;
  for (int k = mjWARN_BADQPOS; k <= mjWARN_BADQACC; k++) {
    if (d->warning[k].number) return 1 + k;
  }
  return SHEAF_ROW_OK;
}

void mji_loadGiven(const sheafJob* job, const mjiGiven* g, mjData* d, int first, int count, int status[MJI_MAX_LANES]) {
  const mjModel* m = job->m;
  int nlane = job->nlane, nv = (int)m->nv;
  if (g->state.data) mji_putStates(m, d, g->state.data, g->state.count, first, count, nlane);
  mji_putRows(d->qpos, g->qpos.data, g->qpos.count, first, count, (int)m->nq, nlane);
  mji_putRows(d->qvel, g->qvel.data, g->qvel.count, first, count, nv, nlane);
  mji_putRows(d->qacc, g->qacc.data, g->qacc.count, first, count, nv, nlane);
  mji_putRows(d->act, g->act.data, g->act.count, first, count, (int)m->na, nlane);
  mji_putRows(d->ctrl, g->ctrl.data, g->ctrl.count, first, count, (int)m->nu, nlane);
  mji_putRows(d->qacc_warmstart, g->warmstart.data, g->warmstart.count, first, count, nv, nlane);
  for (int lane = 0; lane < count; lane++) {
    status[lane] = mji_inputStatus(m, d, nlane, lane);
    if (!status[lane] && g->inverse && !mji_laneGood(d->qacc, nv, nlane, lane)) status[lane] = SHEAF_ROW_BADQACC;
  }
}

void mji_giveNominal(struct mjiWorker_* w, sheafJob* job, int item, const mjiGiven* g) {
  int first = mji_groupFirst(job, item), count = mji_groupCount(job, item), status[MJI_MAX_LANES];
  if (!g->nominal.n) return;
  mjData* d = mji_freshLanes(w, job, item, 1);
  const mjModel* m = mji_groupModel(job, d);
  mji_loadGiven(job, g, d, first, count, status);
  mji_computeOutputs(mji_groupKernels(job, d), m, d, g->nominal.needs, g->inverse, MJI_POSITION, MJI_ACCELERATION);
  mjtNum* scratch = mji_workerScratch(w, mji_largestNamed(&g->nominal));
  for (int lane = 0; lane < count; lane++) {
    mji_giveNamed(&g->nominal, m, d, lane, (size_t)(first + lane), g->bytes, scratch);
  }
}

void mji_undefineNominal(const mjiGiven* g, int row) {
  for (int k = 0; k < g->nominal.n; k++) {
    size_t n = g->nominal.row[k];
    mji_undefine(g->nominal.data[k], (size_t)row * n, n, g->bytes);
  }
}

void mji_setDerivative(sheafJob* job, const sheafPool* pool, mjiItemFunc run, int nlane, int ncolumn) {
  job->run = run;
  job->fail = mji_failRows;
  job->skip = mji_skipRows;
  mji_jobGroups(job, pool, nlane, ((mjiAnyRequest*)job->request)->nbatch);
  if (ncolumn) mji_jobColumns(job, pool, ncolumn);
}

int mji_matrixLanes(const sheafPool* pool, const sheafJob* job, int needs, size_t numbers) {
  int nlane = mji_groupLanes(pool, job, needs);
  while (nlane > 1 && numbers * sizeof(mjtNum) * (size_t)nlane > (size_t)32 << 20) nlane = mji_fewerLanes(nlane);
  return nlane;
}

// ---- results

mjtNum* mji_resultAt(const mjiTarget* t, void* x, size_t n) {
  return x ? mji_slot(x, t->row * n, t->bytes, t->scratch) : NULL;
}

void mji_resultDone(const mjiTarget* t, void* x, size_t n) {
  if (x) mji_settle(x, t->row * n, n, t->bytes, t->scratch);
}

void mji_resultNone(const mjiTarget* t, void* x, size_t n) {
  if (x) mji_undefine(x, t->row * n, n, t->bytes);
}

void mji_resultFrom(const mjiTarget* t, void* x, const mjtNum* from, size_t n) {
  if (!x) return;
  memcpy(mji_resultAt(t, x, n), from, n * sizeof(mjtNum));
  mji_resultDone(t, x, n);
}

// some columns at a time, so that what is written lies together
static void copyColumns(mjtNum* to, const mjtNum* from, const mjiColumns* c) {
  enum { TOGETHER = 8 };
  int first = c->first, ncol = c->ncol, nrow = c->nrow, nlane = c->nlane, lane = c->lane;
  for (int start = 0; start < ncol; start += TOGETHER) {
    int end = mjMIN(start + TOGETHER, ncol);
    for (int i = 0; i < nrow; i++) {
      for (int j = start; j < end; j++) {
        size_t column = (size_t)(c->from ? c->from[j] : first + j), place = (size_t)(c->place ? c->place[j] : j);
        to[(size_t)i * (size_t)ncol + place] =
            from[(column * (size_t)nrow + (size_t)i) * (size_t)nlane + (size_t)lane] + c->plus;
      }
    }
  }
}

void mji_resultColumns(const mjiTarget* t, void* x, const mjtNum* from, mjiColumns c) {
  size_t n = (size_t)c.nrow * (size_t)c.ncol;
  if (!x) return;
  copyColumns(mji_resultAt(t, x, n), from, &c);
  mji_resultDone(t, x, n);
}
