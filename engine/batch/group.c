// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Lane groups, shared by all kinds of requests.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "batch/evaluator.h"
#include "batch/output.h"
#include "batch/params.h"
#include "lanes/kernels.h"
#include "model/lanes_ok.h"
#include "model/number.h"
#include "model/plugin.h"
#include "model/sleep.h"
#include "model/state_lanes.h"
#include "model/work.h"
#include "pipeline/pipeline.h"
#include "pool/strand.h"
#include "pool/worker.h"

// ---- lane groups

static size_t touchedBytes(const mjModel* m) {
  // an estimate from measurements: the arrays that a step uses, and contact rows of a typical state. The Hessian of a
  // flex has the columns of neighbouring vertices only.
  size_t hessian = (size_t)m->nv * (m->nflex ? 60 : (size_t)m->nv / 2);
  return ((size_t)m->nbody * 90 + (size_t)m->nv * 60 + (size_t)m->nC * 3 + (size_t)m->ngeom * 12 + hessian +
          (size_t)m->nv * 60) *
         sizeof(mjtNum);
}

size_t sheaf_modelBytes(const mjModel* m) {
  return sizeof *m + sizeof(mjiHead) + (size_t)m->nbuffer + mji_head(m->buffer)->plan->nbytes;
}

int sheaf_modelLanes(const mjModel* m) { return mji_lanesOk(m) ? mji_bestLanes(touchedBytes(m)) : 1; }

// May items that work on so many bytes take so long that they run on strands? Going to a strand and back takes some ten
// microseconds, and this much work more than a millisecond.
static int isLong(const sheafPool* pool, double bytes) {
  const double much = 8 << 20;
  int tests = pool->piece < 1000000;
  return pool->piece && (tests || bytes >= much);
}

// the same for rows of derivatives with so many columns
static int areLong(const sheafPool* pool, const mjModel* m, int64_t ncolumn) {
  return isLong(pool, (double)touchedBytes(m) * (double)(ncolumn < 1 ? 1 : ncolumn));
}

size_t sheaf_poolBytes(const sheafPool* pool, const mjModel* m) {
  // floats come in twice as many lanes of the same bytes
  int nlane = pool->nlane ? pool->nlane : sheaf_modelLanes(m);
  if (pool->single && pool->nlane > 1) nlane /= 2;
  size_t one = mji_dataBytes(m, 1), each = one + mji_numberBytes(m, 1);
  if (nlane > 1) {
    each += mji_dataBytes(m, nlane) + mji_numberBytes(m, nlane);
    each += mjENABLED(mjENBL_SLEEP) ? (size_t)nlane * one : 0;
  }
  // a worker keeps its last strand, whose data is as large; no request has more columns than this
  const int64_t most = (int64_t)3 * m->nv + m->na + m->nu;
  // the model with floats, and a copy of this one's arrays
  size_t twin = pool->single ? sheaf_modelBytes(m) + (size_t)m->nbuffer : 0;
  return each * (size_t)pool->nthread * (areLong(pool, m, most) ? 2 : 1) + twin;
}

static int rowsOf(const sheafJob* job) { return job->nrow ? job->nrow : ((const mjiAnyRequest*)job->request)->nbatch; }

static int lanesFor(const sheafPool* pool, const sheafJob* job, int needs) {
  const mjModel* m = job->m;
  if (needs & MJI_NEED_SCALAR || !mji_lanesOk(m) || mji_hasUserCode()) return 1;
  if (pool->nlane) return mji_kernels(pool->nlane) ? pool->nlane : 1;
  int nlane = mji_bestLanes(touchedBytes(m));

  // in a small batch, prefer a row for every thread to more lanes
  int share = (rowsOf(job) + pool->nthread - 1) / pool->nthread;
  if (nlane == MJI_MAX_LANES && share <= nlane / 2 && mji_kernels(nlane / 2)) nlane /= 2;
  if (nlane == MJI_MAX_LANES / 2 && share == 1) nlane = 1;
  return nlane;
}

int mji_groupLanes(const sheafPool* pool, const sheafJob* job, int needs) {
  return mji_paramsLanes(job, lanesFor(pool, job, needs), rowsOf(job));
}

int mji_stateLanes(const sheafPool* pool, const sheafJob* job, int needs) {
  return mji_sleep_startsAlone(job->m) ? 1 : mji_groupLanes(pool, job, needs);
}

void mji_jobOptions(sheafJob* job, int needs, int enableflags) {
  // a model may ask for energies that this job does not return; sensors compute their own
  int idle = needs & (MJI_NEED_ENERGY | MJI_NEED_SCALAR) || mji_hasUserCode() ? 0 : mjENBL_ENERGY;
  if (needs & MJI_NEED_ENERGY) enableflags |= mjENBL_ENERGY;
  if (!enableflags && !(job->m->opt.enableflags & idle)) return;
  if (job->m != &job->model) job->model = *job->m;
  job->model.opt.enableflags &= ~idle;
  job->model.opt.enableflags |= enableflags;
  job->m = &job->model;
}

int mji_jobItems(const sheafJob* job) { return (rowsOf(job) + job->nlane - 1) / job->nlane; }

void mji_jobGroups(sheafJob* job, const sheafPool* pool, int nlane, int64_t total) {
  job->nlane = nlane;
  job->nitem = mji_jobItems(job);
  job->total = total;
  job->chunk = pool->chunk ? pool->chunk : 1;
}

void mji_jobStrands(sheafJob* job, const sheafPool* pool, double bytes) {
  job->strands = isLong(pool, bytes);
  job->keep = pool->keep;
  if (job->strands) job->forget = mji_strandForget;
}

void mji_jobColumns(sheafJob* job, const sheafPool* pool, int ncolumn) {
  mji_jobStrands(job, pool, (double)touchedBytes(job->m) * (double)(ncolumn < 1 ? 1 : ncolumn));
}

int mji_groupFirst(const sheafJob* job, int item) { return item * job->nlane; }

int mji_groupCount(const sheafJob* job, int item) {
  int left = rowsOf(job) - item * job->nlane;
  return left < job->nlane ? left : job->nlane;
}

static void fillItem(sheafJob* job, int item, int status) {
  int count = mji_groupCount(job, item);
  mji_fillRows(job, mji_groupFirst(job, item), count, status);
  mji_jobAdvance(job, count, 0);
}

void mji_failRows(struct mjiWorker_* w, sheafJob* job, int item) {
  (void)w;
  fillItem(job, item, SHEAF_ROW_ERROR);
}

void mji_skipRows(struct mjiWorker_* w, sheafJob* job, int item) {
  (void)w;
  fillItem(job, item, SHEAF_ROW_CANCELLED);
}

int mji_wants(int needs) {
  return (needs & MJI_NEED_SENSOR ? MJI_WANT_SENSOR : 0) | (needs & MJI_NEED_SCALAR ? MJI_WANT_EXPORT : 0);
}

void mji_computeMore(const mjiKernels* k, const mjModel* m, mjData* d, int needs) {
  if (needs & MJI_NEED_SUBTREE) k->subtreeVel(m, d);
  if (needs & MJI_NEED_RNEPOST) k->rnePostConstraint(m, d);
}

void mji_computeOutputs(const mjiKernels* k, const mjModel* m, mjData* d, int needs, int inverse, int first, int last) {
  if (!inverse) k->forward(m, d, first, last, mji_wants(needs));
  else k->inverse(m, d, first, MJI_ACCELERATION, mji_wants(needs));
  if (inverse && first == MJI_POSITION && needs & MJI_NEED_INERTIA) {
    k->makeM(m, d);
    k->factorM(m, d);
  }
  mji_computeMore(k, m, d, needs);
}

// the default state of the model, or of the model with the parameters of a lane's row
static void defaultState(const mjModel* m, mjData* one, mjtNum* state) {
  mji_work(one)->quiet = 1;
  mj_resetData(m, one);
  mj_getState(m, one, state, mjSTATE_INTEGRATION);
}

static void clearMarks(mjiWork* work) {
  memset(work->bad, 0, sizeof *work->bad * (size_t)work->nlane);
  memset(work->badcode, 0, sizeof *work->badcode * (size_t)work->nlane);
}

// one state is reset, and copied to all lanes, unless their parameters reset each to something else
static void copyReset(struct mjiWorker_* w, const sheafJob* job, mjData* d, int each) {
  mjiWork* work = mji_work(d);
  const mjModel* m = mji_groupModel(job, d);
  mjData* one = mji_workerData(w, job->m, 1);
  mjtNum* state = mji_workerScratch(w, (size_t)mj_stateSize(m, mjSTATE_INTEGRATION));
  int nlane = work->nlane;
  for (int lane = 0; lane < nlane; lane++) {
    if (lane == 0 || each) defaultState(mji_laneModel(m, d, lane), one, state);
    if (each) mji_putLane(m, d, lane, state, mjSTATE_INTEGRATION);
    for (int t = 0; t < m->ntree; t++) work->asleep[t * nlane + lane] = one->tree_asleep[t];
  }
  if (!each) mji_putLanes(m, d, state, mjSTATE_INTEGRATION);
}

// Most models start from numbers that they have; trees that may sleep and plugins need a reset.
static void resetLanes(struct mjiWorker_* w, const sheafJob* job, mjData* d) {
  const mjModel* m = mji_groupModel(job, d);
  int each = mji_paramsMoveReset(job);
  clearMarks(mji_work(d));
  if (each || mjENABLED(mjENBL_SLEEP) || m->nplugin) copyReset(w, job, d, each);
  else mji_initInputs(m, d);
}

// Instances of plugins take numbers of the model when they are made. Those of a row are made with its numbers, and
// again after rows with parameters.
static void remakePlugins(const sheafJob* job, mjData* d, int other) {
  const mjModel* m = mji_groupModel(job, d);
  char why[MJI_ERROR_TEXT];
  if (!job->params && !other && d->nplugin == m->nplugin) return;
  mji_plugin_destroy(d);
  if (mji_plugin_create(m, d, why, sizeof why)) mju_error("%s", why);
}

mjData* mji_freshLanes(struct mjiWorker_* w, const sheafJob* job, int item, int partial) {
  const mjModel* m = job->m;
  int nlane = job->nlane;
  mjData* d = mji_workerData(w, m, nlane);
  mjiWork* work = mji_work(d);
  work->quiet = 1;
  work->isapart = work->stopped = work->repeats = 0;
  work->watches = nlane > 1 && mjENABLED(mjENBL_SLEEP);
  int other = mji_putParams(w, job, d, item);
  if (nlane == 1) {
    if (m->nplugin) remakePlugins(job, d, other);
    mj_resetData(mji_groupModel(job, d), d);
    return d;
  }

  if (partial) memset(d->buffer, 0, (size_t)d->nbuffer);
  resetLanes(w, job, d);
  memset(d->sensordata, 0, sizeof(mjtNum) * (size_t)m->nsensordata * nlane);
  memset(d->warning, 0, sizeof d->warning);
  return d;
}

// where the rows of a group begin; lanes without a row have the last one
static void rowsOfLanes(const double* row[MJI_MAX_LANES], const double* data, int count, int first, int ngroup, int n,
                        int nlane) {
  for (int lane = 0; lane < nlane; lane++) {
    row[lane] = mji_row(data, count, first + (lane < ngroup ? lane : ngroup - 1), n);
  }
}

void mji_putRows(mjtNum* dst, const double* data, int count, int first, int ngroup, int n, int nlane) {
  const double* row[MJI_MAX_LANES];
  if (!data) return;
  rowsOfLanes(row, data, count, first, ngroup, n, nlane);
  mji_fromRequests(dst, row, n, nlane);
}

// the parts of a state of a request
typedef struct {
  mjtNum* to;
  int n;
} Part;

enum { NPART = 5 };

static void listParts(Part part[NPART], const mjModel* m, mjData* d) {
  part[0] = (Part){mji_time(d), 1};
  part[1] = (Part){d->qpos, (int)m->nq};
  part[2] = (Part){d->qvel, (int)m->nv};
  part[3] = (Part){d->act, (int)m->na};
  part[4] = (Part){d->plugin_state, (int)m->npluginstate};
}

void mji_putStates(const mjModel* m, mjData* d, const double* state, int count, int first, int ngroup, int nlane) {
  const double* row[MJI_MAX_LANES];
  Part part[NPART];
  listParts(part, m, d);
  rowsOfLanes(row, state, count, first, ngroup, mj_stateSize(m, mjSTATE_FULLPHYSICS), nlane);
  for (int k = 0; k < NPART; k++) {
    mji_fromRequests(part[k].to, row, part[k].n, nlane);
    for (int lane = 0; lane < nlane; lane++) row[lane] += part[k].n;
  }
}

void mji_putGiven(const mjModel* m, mjData* d, int lane, const double* state) {
  Part part[NPART];
  listParts(part, m, d);
  for (int k = 0; k < NPART; state += part[k].n, k++) {
    mji_fromRequest(part[k].to, state, part[k].n, mji_work(d)->nlane, lane);
  }
}

// Where all numbers are good, their sum tells it in nearly all cases, and takes half as long. It is bad if one of them
// is.
int mji_allGood(const mjtNum* x, size_t n) {
  enum { SUMS = 8 };
  mjtNum sum[SUMS] = {0}, all = 0;
  size_t i = 0;
  for (; i + SUMS <= n; i += SUMS) {
    for (int k = 0; k < SUMS; k++) sum[k] += fabs(x[i + k]);
  }
  for (; i < n; i++) all += fabs(x[i]);
  for (int k = 0; k < SUMS; k++) all += sum[k];
  if (all <= mjMAXVAL) return 1;
  for (i = 0; i < n; i++) {
    if (!(fabs(x[i]) <= mjMAXVAL)) return 0;
  }
  return 1;
}

int mji_laneGood(const mjtNum* x, int n, int nlane, int lane) {
  if (nlane == 1) return mji_allGood(x, (size_t)n);
  for (int i = 0; i < n; i++) {
    if (!(fabs(x[(size_t)i * nlane + lane]) <= mjMAXVAL)) return 0;
  }
  return 1;
}

int mji_laneGoodStart(const mjModel* m, const mjtNum* qpos, int nlane, int lane) {
  if (!mji_laneGood(qpos, (int)m->nq, nlane, lane)) return 0;
  for (int j = 0; j < m->njnt; j++) {
    int type = m->jnt_type[j];
    if (type != mjJNT_FREE && type != mjJNT_BALL) continue;
    const mjtNum* quat = qpos + (size_t)(m->jnt_qposadr[j] + (type == mjJNT_FREE ? 3 : 0)) * (size_t)nlane + lane;
    mjtNum norm2 = 0;
    for (int i = 0; i < 4; i++) norm2 += quat[(size_t)i * nlane] * quat[(size_t)i * nlane];
    if (norm2 < mjMINVAL * mjMINVAL) return 0;
  }
  return 1;
}
