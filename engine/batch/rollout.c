// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rollouts: groups of rows stepped side by side over the whole horizon.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "batch/apart.h"
#include "batch/rollout_cost.h"
#include "batch/evaluator.h"
#include "batch/kept.h"
#include "batch/output.h"
#include "batch/params.h"
#include "lanes/kernels.h"
#include "model/lanes_ok.h"
#include "model/number.h"
#include "model/sleep.h"
#include "model/work.h"
#include "pipeline/pipeline.h"
#include "pool/worker.h"

enum { ADVANCE_EVERY = 16 };

typedef struct {
  sheafRollout r;
  int nx, ncontrol;  // sizes of a state and of a control row
  int needs;
  int whole;  // a group that gives way must keep its data: batch/kept.h
  mjiNamed named;
  mjiCost cost;
  mjiTerm term[];  // of the cost
} Prepared;

// one group while it runs
typedef struct {
  const mjModel* m;
  const Prepared* p;
  mjData* d;
  int nlane, first, count;
  int from;      // the step with which this piece begins
  int open[8];   // rows of the group that are still valid and not finished
  mjtNum* keep;  // qpos, qvel, act, warm start and time before the step, lanes as in d
  mjtNum* row;   // one state or control row
} Group;

static int stepsOf(const Prepared* p, int row) { return p->r.length ? p->r.length[row] : p->r.nstep; }

// ---- places of row i, step t in the results

static mjtNum* place(mjtNum* data, const Prepared* p, int i, int t, int n) {
  return data + ((size_t)i * p->r.nstep + t) * n;
}

// write the rows of step t of one lane from its data
static void record(Group* g, int lane, int t) {
  const Prepared* p = g->p;
  const mjModel* m = g->m;
  int i = g->first + lane, ns = (int)m->nsensordata;
  mjiPlace at = mji_placeOf(g->d, lane);
  if (p->r.state) mji_getLane(m, at.d, at.lane, place(p->r.state, p, i, t, p->nx), mjSTATE_FULLPHYSICS);
  if (p->r.sensordata) {
    mji_gatherLane(place(p->r.sensordata, p, i, t, ns), at.d->sensordata, ns, at.nlane, at.lane);
  }
  for (int k = 0; k < p->named.n; k++) {
    mji_outputCopy(m, at.d, p->named.index[k], at.lane, place(p->named.data[k], p, i, t, p->named.size[k]));
  }
}

static void repeat(mjtNum* data, const Prepared* p, int i, int t, int n, const mjtNum* initial) {
  if (!data) return;
  mjtNum* to = place(data, p, i, t, n);
  if (t > 0) {
    memcpy(to, to - n, sizeof(mjtNum) * n);
  } else if (initial) {
    memcpy(to, initial, sizeof(mjtNum) * n);
  } else {
    memset(to, 0, sizeof(mjtNum) * n);
  }
}

// rows of step t repeat the step before; before the first step that is the initial state and zeros
static void hold(const mjModel* m, const Prepared* p, int i, int t) {
  repeat(p->r.state, p, i, t, p->nx, mji_row(p->r.state0, p->r.nstate0, i, p->nx));
  repeat(p->r.sensordata, p, i, t, (int)m->nsensordata, NULL);
  for (int k = 0; k < p->named.n; k++) repeat(p->named.data[k], p, i, t, p->named.size[k], NULL);
}

// numbers that a row has of each step; none if only its end is asked for
static size_t numbersOfStep(const mjModel* m, const Prepared* p) {
  size_t n = (p->r.state ? (size_t)p->nx : 0) + (p->r.sensordata ? (size_t)m->nsensordata : 0);
  for (int k = 0; k < p->named.n; k++) n += (size_t)p->named.size[k];
  return n;
}

// the same for all steps from t on: a row may have 2^31 of them, so nothing is done that many times for nothing
static void holdRest(const mjModel* m, const Prepared* p, int i, int t) {
  int end = numbersOfStep(m, p) ? p->r.nstep : t;
  for (; t < end; t++) hold(m, p, i, t);
}

// a row that was not computed: its initial state, and zeros; steps of a row that is cancelled are left alone
static void fillRow(const mjModel* m, const Prepared* p, int i, int status) {
  if (p->r.status) p->r.status[i] = status;
  if (p->r.badstep) p->r.badstep[i] = 0;
  mji_costBegin(&p->cost, i);
  mji_costSpoil(&p->cost, i);
  if (status != SHEAF_ROW_CANCELLED) holdRest(m, p, i, 0);
  if (p->r.final_state) {
    memcpy(p->r.final_state + (size_t)i * p->nx, mji_row(p->r.state0, p->r.nstate0, i, p->nx), sizeof(mjtNum) * p->nx);
  }
  if (p->r.final_warmstart) memset(p->r.final_warmstart + (size_t)i * m->nv, 0, sizeof(mjtNum) * m->nv);
}

// ---- state before the step, to fall back on

static size_t keepSize(const mjModel* m) { return (size_t)(m->nq + 2 * m->nv + m->na + 1); }

// copy n lanes from `first` on; lanes lie as in d
static void keepLanes(Group* g, mjData* d, int first, int n) {
  const mjModel* m = g->m;
  mjtNum* part[] = {d->qpos, d->qvel, d->act, d->qacc_warmstart, mji_time(d)};
  int size[] = {(int)m->nq, (int)m->nv, (int)m->na, (int)m->nv, 1};
  mjtNum* keep = g->keep;
  for (int k = 0; k < 5; k++) {
    if (n == g->nlane) memcpy(keep, part[k], (size_t)size[k] * (size_t)n * sizeof(mjtNum));
    else mji_scatterLane(keep, part[k], size[k], g->nlane, first);
    keep += size[k] * g->nlane;
  }
}

static void keepState(Group* g) {
  if (!mji_work(g->d)->isapart) keepLanes(g, g->d, 0, g->nlane);
  for (int lane = 0; lane < g->count && mji_work(g->d)->isapart; lane++) {
    if (g->open[lane]) keepLanes(g, mji_placeOf(g->d, lane).d, lane, 1);
  }
}

// ---- ends of rows

// the row ends with the state that lane data or, before = 1, the kept state holds
static void finish(Group* g, int lane, int before, int status, int badstep) {
  const Prepared* p = g->p;
  const mjModel* m = g->m;
  int i = g->first + lane, nlane = g->nlane;
  mjiPlace at = mji_placeOf(g->d, lane);
  g->open[lane] = 0;
  if (p->r.status) p->r.status[i] = status;
  if (p->r.badstep) p->r.badstep[i] = badstep;
  if (status) mji_costSpoil(&p->cost, i);

  const mjtNum* k = g->keep;
  if (p->r.final_state) {
    mjtNum* to = p->r.final_state + (size_t)i * p->nx;
    mji_getLane(m, at.d, at.lane, to, mjSTATE_FULLPHYSICS);
    if (before) {
      to[0] = k[(m->nq + 2 * m->nv + m->na) * nlane + lane];
      mji_gatherLane(to + 1, k, (int)(m->nq + m->nv + m->na), nlane, lane);
    }
  }
  if (p->r.final_warmstart) {
    mjtNum* to = p->r.final_warmstart + (size_t)i * m->nv;
    if (before) mji_gatherLane(to, k + (m->nq + m->nv + m->na) * nlane, (int)m->nv, nlane, lane);
    else mji_gatherLane(to, at.d->qacc_warmstart, (int)m->nv, at.nlane, at.lane);
  }
}

// why the state of a lane is not valid after a step; zero if it is
static int trouble(Group* g, int lane) {
  const mjModel* m = g->m;
  mjiWork* w = mji_work(g->d);
  mjiPlace at = mji_placeOf(g->d, lane);
  if (at.nlane == 1) {
    for (int k = mjWARN_BADQPOS; k <= mjWARN_BADCTRL; k++) {
      if (at.d->warning[k].number) return 1 + k;
    }
  } else if (w->bad[lane]) {
    return 1 + w->badcode[lane];
  }
  if (!mji_laneGood(at.d->qpos, (int)m->nq, at.nlane, at.lane)) return SHEAF_ROW_BADQPOS;
  if (!mji_laneGood(at.d->qvel, (int)m->nv, at.nlane, at.lane)) return SHEAF_ROW_BADQVEL;
  if (!isfinite(mji_time(at.d)[at.lane])) return SHEAF_ROW_BADTIME;
  return 0;
}

// ---- controls

static void applyControl(Group* g, int t) {
  const Prepared* p = g->p;
  int every = p->r.hold, c = t / every;
  if (!p->r.control || t % every || c >= p->r.ncontrolstep) return;
  for (int lane = 0; lane < g->nlane; lane++) {
    int i = g->first + (lane < g->count ? lane : g->count - 1);
    size_t row = (size_t)(p->r.ncontrol == 1 ? 0 : i) * p->r.ncontrolstep + c;
    const mjtNum* u = p->r.control + row * p->ncontrol;
    if (lane < g->count && g->open[lane] && !mji_laneGood(u, p->ncontrol, 1, 0)) {
      finish(g, lane, 0, SHEAF_ROW_BADCTRL, t);
    }
    // a row that has ended is still computed with the group, so give it controls that are not bad
    if (lane < g->count && !g->open[lane]) {
      memset(g->row, 0, sizeof(mjtNum) * p->ncontrol);
      u = g->row;
    }
    mjiPlace at = mji_placeOf(g->d, lane);
    if (at.d) mji_putLane(g->m, at.d, at.lane, u, p->r.control_spec);
  }
}

static int anyOpen(const Group* g) {
  int n = 0;
  for (int lane = 0; lane < g->count; lane++) n += g->open[lane];
  return n;
}

// end the rows whose state became bad in step t
static void endBad(Group* g, int t) {
  for (int lane = 0; lane < g->count; lane++) {
    int why = g->open[lane] ? trouble(g, lane) : 0;
    if (why) finish(g, lane, 1, why, t);
  }
}

static void closeStep(Group* g, int t) {
  endBad(g, t);
  for (int lane = 0; lane < g->count; lane++) {
    int i = g->first + lane;
    if (!g->open[lane]) {
      hold(g->m, g->p, i, t);
      continue;
    }
    int last = t + 1 == stepsOf(g->p, i);
    record(g, lane, t);
    mji_costStep(&g->p->cost, g->m, mji_placeOf(g->d, lane), i, t, last);
    if (last) finish(g, lane, 0, SHEAF_ROW_OK, -1);
  }
}

// ---- items of the job

static Group makeGroup(const sheafJob* job, int item) {
  return (Group){.m = job->m,
                 .p = job->prepared,
                 .nlane = job->nlane,
                 .first = mji_groupFirst(job, item),
                 .count = mji_groupCount(job, item)};
}

static void takeScratch(struct mjiWorker_* w, Group* g) {
  g->keep = mji_workerScratch(w, keepSize(g->m) * g->nlane + g->p->nx + g->p->ncontrol);
  g->row = g->keep + keepSize(g->m) * g->nlane;
}

static Group begin(struct mjiWorker_* w, sheafJob* job, int item) {
  Group g = makeGroup(job, item);
  const Prepared* p = g.p;
  g.d = mji_freshLanes(w, job, item, 0);
  const mjModel* m = g.m = mji_groupModel(job, g.d);

  // initial state and warm start
  takeScratch(w, &g);
  for (int lane = 0; lane < g.nlane; lane++) {
    int i = g.first + (lane < g.count ? lane : g.count - 1);
    mji_putLane(m, g.d, lane, mji_row(p->r.state0, p->r.nstate0, i, p->nx), mjSTATE_FULLPHYSICS);
  }
  mji_putRows(g.d->qacc_warmstart, p->r.warmstart0, p->r.nwarmstart0, g.first, g.count, (int)m->nv, g.nlane);
  if (g.nlane > 1 && mji_sleep_startsAlone(m)) mji_startApart(m, g.d, g.count);
  keepState(&g);
  for (int lane = 0; lane < g.count; lane++) {
    g.open[lane] = 1;
    mji_costBegin(&p->cost, g.first + lane);
    if (stepsOf(p, g.first + lane) == 0) finish(&g, lane, 0, SHEAF_ROW_OK, -1);
  }
  return g;
}

// take up a group that gave way
static Group goOn(struct mjiWorker_* w, sheafJob* job, int item) {
  Group g = makeGroup(job, item);
  mjiKept* kept = w->saved;
  g.from = kept->step;
  memcpy(g.open, kept->open, sizeof g.open);
  g.d = mji_unkeep(w, job, item, kept);
  g.m = mji_groupModel(job, g.d);
  w->saved = NULL;
  takeScratch(w, &g);
  keepState(&g);
  return g;
}

// Give way before step t if it is time to; nonzero if the group did.
static int giveWay(struct mjiWorker_* w, sheafJob* job, const Group* g, int t) {
  mjiKept* kept = mji_workerTired(w, job) ? mji_keep(w, job, g->d, g->p->whole) : NULL;
  if (!kept) return 0;
  kept->step = t;
  memcpy(kept->open, g->open, sizeof kept->open);
  w->saved = kept;
  return 1;
}

static void compute(const Group* g, const mjiKernels* k, const mjModel* m, mjData* d) {
  int needs = g->p->needs;
  k->step(m, d, MJI_POSITION, mji_wants(needs));
  if (mji_work(d)->stopped) return;
  if (needs & MJI_NEED_SUBTREE) k->subtreeVel(m, d);
  if (needs & MJI_NEED_RNEPOST) k->rnePostConstraint(m, d);
}

// A lane of its own: an error ends its row, as it would if the row were alone, and no other.
static void computeApart(Group* g, int lane) {
  mjiTrap trap;
  if (mji_tryBegin(&trap)) {
    g->open[lane] = 0;
    fillRow(g->m, g->p, g->first + lane, SHEAF_ROW_ERROR);
    return;
  }
  compute(g, mji_kernels1(), mji_laneModel(g->m, g->d, lane), mji_work(g->d)->apart[lane]);
  mji_tryEnd(&trap);
}

// Step all lanes together; from the step on in which a tree may fall asleep, one after the other.
static void step(Group* g, const mjiKernels* k, int t) {
  mjiWork* work = mji_work(g->d);
  if (!work->isapart) {
    compute(g, k, g->m, g->d);
    if (!work->stopped) return;
    endBad(g, t);
    mji_setApart(g->m, g->d, g->open, g->count);
  }
  for (int lane = 0; lane < g->count; lane++) {
    if (g->open[lane]) computeApart(g, lane);
  }
}

static void runGroup(struct mjiWorker_* w, sheafJob* job, int item) {
  Group g = w->saved ? goOn(w, job, item) : begin(w, job, item);
  const Prepared* p = g.p;
  const mjiKernels* k = mji_jobKernels(job);
  int64_t computed = 0;
  int t = g.from, told = t, cancelled = 0;
  for (int open; t < p->r.nstep && (open = anyOpen(&g)); t++) {
    cancelled = atomic_load_explicit(&job->cancel, memory_order_relaxed);
    if (cancelled || (t > g.from && giveWay(w, job, &g, t))) break;
    applyControl(&g, t);
    keepState(&g);
    step(&g, k, t);
    closeStep(&g, t);
    mji_tryTogether(g.m, g.d, g.open, g.count);
    computed += open;
    if (t - told == ADVANCE_EVERY) {
      mji_jobAdvance(job, (int64_t)(t - told) * g.count, computed);
      told = t;
      computed = 0;
    }
  }
  if (w->saved) {
    mji_jobAdvance(job, (int64_t)(t - told) * g.count, computed);
    return;
  }

  // fill in the steps after the end of every row; after a cancellation, which must be quick, leave them unwritten
  for (int lane = 0; lane < g.count; lane++) {
    if (g.open[lane]) finish(&g, lane, 0, SHEAF_ROW_CANCELLED, t);
    if (!cancelled) holdRest(g.m, p, g.first + lane, t);
  }
  mji_jobAdvance(job, (int64_t)(p->r.nstep - told) * g.count, computed);
}

// rows of an item that were not computed
static void fillRows(sheafJob* job, int item, int status) {
  const Prepared* p = job->prepared;
  int first = mji_groupFirst(job, item), count = mji_groupCount(job, item);
  for (int i = first; i < first + count; i++) fillRow(job->m, p, i, status);
  mji_jobAdvance(job, (int64_t)count * p->r.nstep, 0);
}

static void failGroup(struct mjiWorker_* w, sheafJob* job, int item) {
  (void)w;
  fillRows(job, item, SHEAF_ROW_ERROR);
}

static void skipGroup(struct mjiWorker_* w, sheafJob* job, int item) {
  (void)w;
  fillRows(job, item, SHEAF_ROW_CANCELLED);
}

// ---- requests

int mji_makeRollouts(sheafJob* job, const sheafRollout* r, int share, int* needs, sheafStatus* status) {
  const mjModel* m = job->m;
  free(job->prepared);
  Prepared* p = job->prepared = calloc(1, sizeof(Prepared) + mji_costTerms(r) * sizeof(mjiTerm));
  if (!p) return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  p->r = *r;
  int err = mji_costTake(&p->cost, m, r, share, p->term, status);
  if (err) return err;
  mji_findNamed(job, &p->named);
  p->nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  p->ncontrol = mj_stateSize(m, p->r.control_spec);
  *needs = p->needs = p->named.needs | (p->r.sensordata ? MJI_NEED_SENSOR : 0) | p->cost.needs;
  p->whole = !mji_lanesOk(m) || mjENABLED(mjENBL_SLEEP) || mji_hasUserCode() || p->needs & MJI_NEED_SCALAR;
  job->run = runGroup;
  job->fail = failGroup;
  job->skip = skipGroup;
  job->forget = mji_forget;
  return 0;
}

int mji_prepareRollout(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafRollout* r = job->request;
  int needs, err = mji_makeRollouts(job, r, 1, &needs, status);
  if (err) return err;
  mji_jobOptions(job, needs, 0);
  mji_jobGroups(job, pool, mji_groupLanes(pool, job, needs), (int64_t)r->nbatch * r->nstep);
  return 0;
}
