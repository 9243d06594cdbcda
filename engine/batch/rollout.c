// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rollouts: groups of rows stepped side by side over the whole horizon.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "batch/kept.h"
#include "batch/output.h"
#include "batch/params.h"
#include "batch/rollout.h"
#include "lanes/kernels.h"
#include "model/lanes_ok.h"
#include "model/number.h"
#include "model/sleep.h"
#include "model/state_lanes.h"
#include "model/work.h"
#include "pipeline/pipeline.h"
#include "pool/worker.h"

enum { ADVANCE_EVERY = 16 };

// a row that was not computed: its initial state, and zeros; steps of a row that is cancelled are left alone
static void fillRow(const mjModel* m, const mjiRollout* p, int i, int status) {
  const double* x0 = mji_row(p->r.state0, p->r.nstate0, i, (size_t)p->nx);
  if (p->r.status) p->r.status[i] = status;
  if (p->r.badstep) p->r.badstep[i] = 0;
  mji_costBegin(&p->cost, i);
  mji_costSpoil(&p->cost, i);
  if (status != SHEAF_ROW_CANCELLED) {
    mji_restGiven(p, i, 0, x0);
    mji_restOutputs(m, p, i, 0);
  }
  mji_clearSolutions(m, p, i, 0);
  if (p->r.final_state) memcpy(p->r.final_state + (size_t)i * p->nx, x0, sizeof(double) * p->nx);
  if (p->r.final_warmstart) memset(p->r.final_warmstart + (size_t)i * m->nv, 0, sizeof(double) * m->nv);
}

// ---- state before the step, to fall back on

static size_t keepSize(const mjModel* m) { return (size_t)(m->nq + 2 * m->nv + m->na + 1); }

// copy n lanes from `first` on; lanes lie as in d
static void keepLanes(mjiGroup* g, mjData* d, int first, int n) {
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

static void keepState(mjiGroup* g) {
  if (!mji_work(g->d)->isapart) keepLanes(g, g->d, 0, g->nlane);
  for (int lane = 0; lane < g->count && mji_work(g->d)->isapart; lane++) {
    if (g->open[lane]) keepLanes(g, mji_placeOf(g->d, lane).d, lane, 1);
  }
}

// ---- ends of rows

// the full-physics state of a lane, from its data or, before = 1, as it was before the step
static void getState(const mjiGroup* g, int lane, int before, mjtNum* to) {
  const mjModel* m = g->m;
  const mjtNum* k = g->keep;
  mjiPlace at = mji_placeOf(g->d, lane);
  mji_getLane(m, at.d, at.lane, to, mjSTATE_FULLPHYSICS);
  if (!before) return;
  to[0] = k[(m->nq + 2 * m->nv + m->na) * g->nlane + lane];
  mji_gatherLane(to + 1, k, (int)(m->nq + m->nv + m->na), g->nlane, lane);
}

// the row ends with the state that lane data or, before = 1, the kept state holds
static void finish(mjiGroup* g, int lane, int before, int status, int badstep) {
  const mjiRollout* p = g->p;
  const mjModel* m = g->m;
  int i = g->first + lane, nlane = g->nlane;
  mjiPlace at = mji_placeOf(g->d, lane);
  g->open[lane] = MJI_ROW_OVER;
  if (p->r.status) p->r.status[i] = status;
  if (p->r.badstep) p->r.badstep[i] = badstep;
  if (status) mji_costSpoil(&p->cost, i);

  const mjtNum* k = g->keep;
  if (p->r.final_state) {
    getState(g, lane, before, g->row);
    mji_toRequest(p->r.final_state + (size_t)i * p->nx, g->row, p->nx, 1, 0);
  }
  if (p->r.final_warmstart) {
    double* to = p->r.final_warmstart + (size_t)i * m->nv;
    if (before) mji_toRequest(to, k + (m->nq + m->nv + m->na) * nlane, (int)m->nv, nlane, lane);
    else mji_toRequest(to, at.d->qacc_warmstart, (int)m->nv, at.nlane, at.lane);
  }
}

// the row ends in step t, which is not valid: its later results repeat what was valid
static void finishBad(mjiGroup* g, int lane, int before, int why, int t) {
  const mjiRollout* p = g->p;
  int i = g->first + lane, record = mji_recordFrom(p, t);
  finish(g, lane, before, why, t);
  mji_clearSolutions(g->m, p, i, t);
  if (p->r.state && record < p->nrecord) {
    getState(g, lane, before, g->row);
    mji_restState(p, i, record, g->row);
  }
  if (!before && p->r.aligned && t > 0) g->open[lane] = MJI_ROW_STOPPED;
  else mji_restOutputs(g->m, p, i, record);
}

// the row ends after step t as it should, with a row of results that later ones repeat
static void finishGood(mjiGroup* g, int lane, int t) {
  const mjiRollout* p = g->p;
  int i = g->first + lane, record = mji_recordFrom(p, t);
  finish(g, lane, 0, SHEAF_ROW_OK, -1);
  mji_clearSolutions(g->m, p, i, t + 1);
  if (record >= p->nrecord) return;
  if (p->r.aligned) g->open[lane] = MJI_ROW_LAST;
  mji_recordState(g, lane, record);
  mji_restState(p, i, record + 1, NULL);
  if (p->r.aligned) return;
  mji_recordOutputs(g, lane, record);
  mji_restOutputs(g->m, p, i, record + 1);
}

// why the state of a lane is not valid after a step; zero if it is
static int trouble(mjiGroup* g, int lane) {
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

// ---- the usual case: all rows go on, and their lanes are computed together

static int allOpen(const mjiGroup* g) {
  int open = !mji_work(g->d)->isapart;
  for (int lane = 0; lane < g->count; lane++) open &= g->open[lane] == MJI_ROW_OPEN;
  return open;
}

// Is step t, which all rows have done, the last of one of them, or one with more results than states and outputs?
static int isPlainStep(const mjiGroup* g, int t) {
  const mjiRollout* p = g->p;
  if (p->cost.nterm || p->bytes != sizeof(mjtNum) || !allOpen(g)) return 0;
  for (int lane = 0; lane < g->count; lane++) {
    if (t + 1 == mji_stepsOf(p, g->first + lane)) return 0;
  }
  return 1;
}

// Give all lanes the controls that the request has for this step. 0 if there are none, or if one is not valid: then
// applyControl looks at each row.
static int applyRows(mjiGroup* g, int t) {
  const mjiRollout* p = g->p;
  const double* row[MJI_MAX_LANES];
  if (p->r.control_spec != mjSTATE_CTRL || !allOpen(g) || !mji_controlRows(g, t, row)) return 0;
  mji_fromRequests(g->d->ctrl, row, p->ncontrol, g->nlane);
  return mji_allGood(g->d->ctrl, (size_t)p->ncontrol * (size_t)g->nlane);
}

// ---- controls

static void applyControl(mjiGroup* g, int t) {
  const mjiRollout* p = g->p;
  const mjtNum* u = g->control;
  if (!mji_controlDue(p, t) || applyRows(g, t)) return;
  for (int lane = 0; lane < g->nlane; lane++) {
    int row = lane < g->count ? g->open[lane] : MJI_ROW_OPEN;
    if (lane < g->count && row == MJI_ROW_OPEN) {
      u = mji_controlOf(g, lane, t, g->control);
      if (!mji_laneGood(u, p->ncontrol, 1, 0)) {
        finishBad(g, lane, 0, SHEAF_ROW_BADCTRL, t);
        row = g->open[lane];
      }
    }
    // outputs that are still to be made are those of the last controls
    if (row > MJI_ROW_OPEN) continue;

    // a row that has ended is still computed with the group, so give it controls that are not bad; lanes without a row
    // take those of the last
    if (row == MJI_ROW_OVER) u = memset(g->control, 0, sizeof(mjtNum) * (size_t)p->ncontrol);
    mjiPlace at = mji_placeOf(g->d, lane);
    if (at.d) mji_putLane(g->m, at.d, at.lane, u, p->r.control_spec);
  }
}

// where the solver starts in step t
static void applyWarmstart(mjiGroup* g, int t) {
  const mjiRollout* p = g->p;
  size_t nv = (size_t)g->m->nv, n = nv * (size_t)p->r.nwarmstep;
  if (!p->r.warmstart || (int64_t)t + p->r.shift >= p->r.nwarmstep) return;
  const double* row[MJI_MAX_LANES];
  for (int lane = 0; lane < g->nlane; lane++) {
    int i = g->first + (lane < g->count ? lane : g->count - 1);
    row[lane] = mji_row(p->r.warmstart, p->r.nwarmstart, i / p->share, n) + nv * (size_t)(t + p->r.shift);
  }
  if (allOpen(g)) {
    mji_fromRequests(g->d->qacc_warmstart, row, (int)nv, g->nlane);
    return;
  }
  for (int lane = 0; lane < g->nlane; lane++) {
    mjiPlace at = mji_placeOf(g->d, lane);
    if (!at.d || g->open[lane < g->count ? lane : g->count - 1] != MJI_ROW_OPEN) continue;
    mji_fromRequest(at.d->qacc_warmstart, row[lane], (int)nv, at.nlane, at.lane);
  }
}

static int countRows(const mjiGroup* g, int state) {
  int n = 0;
  for (int lane = 0; lane < g->count; lane++) n += g->open[lane] == state;
  return n;
}

// Are all lanes good? Looking at them together is quicker than one after the other, and nearly always enough.
static int isGood(const mjiGroup* g) {
  const mjiWork* w = mji_work(g->d);
  if (g->nlane == 1 || w->isapart) return 0;
  for (int lane = 0; lane < g->nlane; lane++) {
    if (w->bad[lane]) return 0;
  }
  size_t nlane = (size_t)g->nlane;
  return mji_allGood(g->d->qpos, (size_t)g->m->nq * nlane) && mji_allGood(g->d->qvel, (size_t)g->m->nv * nlane) &&
         mji_allGood(mji_time(g->d), nlane);
}

// end the rows whose state became bad in step t
static void endBad(mjiGroup* g, int t) {
  if (isGood(g)) return;
  for (int lane = 0; lane < g->count; lane++) {
    int why = g->open[lane] == MJI_ROW_OPEN ? trouble(g, lane) : 0;
    if (why) finishBad(g, lane, 1, why, t);
  }
}

static void closeStep(mjiGroup* g, int t) {
  int record = mji_recordOf(g->p, t);
  endBad(g, t);
  int all = allOpen(g);
  if (all) mji_recordSolutions(g, t);
  if (isPlainStep(g, t)) {
    if (record >= 0) mji_recordGroup(g, record);
    return;
  }
  for (int lane = 0; lane < g->count; lane++) {
    if (g->open[lane] != MJI_ROW_OPEN) continue;
    int i = g->first + lane, last = t + 1 == mji_stepsOf(g->p, i);
    if (!all) mji_recordSolution(g, lane, t);
    if (g->p->cost.nterm) mji_costStep(&g->p->cost, g->m, mji_placeOf(g->d, lane), i, t, last);
    if (last) {
      finishGood(g, lane, t);
    } else if (record >= 0) {
      mji_recordState(g, lane, record);
      if (!g->p->r.aligned) mji_recordOutputs(g, lane, record);
    }
  }
}

// ---- items of the job

static mjiGroup makeGroup(const sheafJob* job, int item) {
  return (mjiGroup){.m = job->m,
                    .p = job->prepared,
                    .nlane = job->nlane,
                    .first = mji_groupFirst(job, item),
                    .count = mji_groupCount(job, item)};
}

static void takeScratch(struct mjiWorker_* w, mjiGroup* g) {
  size_t nkeep = keepSize(g->m) * g->nlane, nrow = (size_t)(g->p->nx + g->p->ncontrol);
  g->keep = mji_workerScratch(w, nkeep + nrow + g->p->nscratch + mji_controlSize(g->m, g->p));
  g->row = g->keep + nkeep;
  g->control = g->row + g->p->nx;
  g->scratch = g->row + nrow;
  g->state = g->scratch + g->p->nscratch;
}

static mjiGroup begin(struct mjiWorker_* w, sheafJob* job, int item) {
  mjiGroup g = makeGroup(job, item);
  const mjiRollout* p = g.p;
  g.d = mji_freshLanes(w, job, item, 0);
  const mjModel* m = g.m = mji_groupModel(job, g.d);

  // initial state and warm start
  takeScratch(w, &g);
  mji_putStates(m, g.d, p->r.state0, p->r.nstate0, g.first, g.count, g.nlane);
  mji_putRows(g.d->qacc_warmstart, p->r.warmstart0, p->r.nwarmstart0, g.first, g.count, (int)m->nv, g.nlane);
  if (g.nlane > 1 && mji_sleep_startsAlone(m)) mji_startApart(m, g.d, g.count);
  keepState(&g);
  for (int lane = 0; lane < g.count; lane++) {
    int i = g.first + lane;
    g.open[lane] = MJI_ROW_OPEN;
    mji_costBegin(&p->cost, i);
    if (mji_stepsOf(p, i)) {
      mjiPlace at = mji_placeOf(g.d, lane);
      if (!mji_laneGoodStart(m, at.d->qpos, at.nlane, at.lane)) finishBad(&g, lane, 0, SHEAF_ROW_BADQPOS, 0);
      continue;
    }
    finish(&g, lane, 0, SHEAF_ROW_OK, -1);
    mji_clearSolutions(m, p, i, 0);
    mji_restGiven(p, i, 0, mji_row(p->r.state0, p->r.nstate0, i, p->nx));
    mji_restOutputs(m, p, i, 0);
  }
  return g;
}

// take up a group that gave way
static mjiGroup goOn(struct mjiWorker_* w, sheafJob* job, int item) {
  mjiGroup g = makeGroup(job, item);
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
static int giveWay(struct mjiWorker_* w, sheafJob* job, const mjiGroup* g, int t) {
  mjiKept* kept = mji_workerTired(w, job) ? mji_keep(w, job, g->d, g->p->whole) : NULL;
  if (!kept) return 0;
  kept->step = t;
  memcpy(kept->open, g->open, sizeof kept->open);
  w->saved = kept;
  return 1;
}

// what has to be made in the step whose outputs go to the rows of step t
static int needsOf(const mjiGroup* g, int t) {
  const mjiRollout* p = g->p;
  if (t < 0) return p->cost.needs;
  if (p->whole || mji_recordOf(p, t) >= 0) return p->needs;
  if (mji_recordFrom(p, t) >= p->nrecord) return p->cost.needs;
  for (int lane = 0; lane < g->count; lane++) {
    if (g->open[lane] && mji_stepsOf(p, g->first + lane) == t + 1) return p->needs;
  }
  return p->cost.needs;
}

// A step, or a part of one, of a group or of a lane of its own. A first half ends with the stage `last`.
typedef void (*StepPart)(const mjModel* m, const mjiKernels* k, mjData* d, int needs, int last);

static void wholeStep(const mjModel* m, const mjiKernels* k, mjData* d, int needs, int last) {
  (void)last;
  k->step(m, d, MJI_POSITION, mji_wants(needs));
  if (!mji_work(d)->stopped) mji_computeMore(k, m, d, needs);
}

static void firstHalf(const mjModel* m, const mjiKernels* k, mjData* d, int needs, int last) {
  if (last == MJI_ACCELERATION) k->beginStep(m, d, mji_wants(needs));
  else k->forward(m, d, MJI_POSITION, last, mji_wants(needs));
  mji_computeMore(k, m, d, needs);
}

static void secondHalf(const mjModel* m, const mjiKernels* k, mjData* d, int needs, int last) {
  (void)needs;
  (void)last;
  k->endStep(m, d, 0);
}

// A lane of its own: an error ends its row, as it would if the row were alone, and no other.
static void computeApart(mjiGroup* g, int lane, StepPart part, int needs, int last) {
  mjiTrap trap;
  if (mji_tryBegin(&trap)) {
    g->open[lane] = MJI_ROW_OVER;
    fillRow(g->m, g->p, g->first + lane, SHEAF_ROW_ERROR);
    return;
  }
  part(mji_laneModel(g->m, g->d, lane), mji_kernels1(), mji_work(g->d)->apart[lane], needs, last);
  mji_tryEnd(&trap);
}

static void computeLanes(mjiGroup* g, StepPart part, int needs, int last) {
  for (int lane = 0; lane < g->count; lane++) {
    if (g->open[lane]) computeApart(g, lane, part, needs, last);
  }
}

// Step all lanes together; from the step on in which a tree may fall asleep, one after the other.
static void step(mjiGroup* g, const mjiKernels* k, int t) {
  mjiWork* work = mji_work(g->d);
  int needs = needsOf(g, t);
  if (!work->isapart) {
    wholeStep(g->m, k, g->d, needs, MJI_ACCELERATION);
    if (!work->stopped) return;
    endBad(g, t);
    mji_setApart(g->m, g->d, g->open, g->count);
  }
  computeLanes(g, wholeStep, needs, MJI_ACCELERATION);
}

// ---- outputs of the state that they stand beside (aligned)

// A lane whose outputs of the state after step t - 1 cannot be made, because accelerations there are bad: they repeat
// what the row before has, as those of the bad step do.
static void endUnmade(mjiGroup* g, int lane, int t, int why) {
  const mjiRollout* p = g->p;
  int i = g->first + lane, row = g->open[lane];
  if (row == MJI_ROW_OPEN) finishBad(g, lane, 1, why, t);
  if (row == MJI_ROW_LAST && p->r.status) p->r.status[i] = why;
  if (row == MJI_ROW_LAST && p->r.badstep) p->r.badstep[i] = t;
  mji_restOutputs(g->m, p, i, t ? mji_recordFrom(p, t - 1) : 0);
  g->open[lane] = MJI_ROW_OVER;
}

// The first half of step t up to the stage `last`, which makes the outputs of the state after step t - 1.
static void beginAligned(mjiGroup* g, const mjiKernels* k, int t, int last) {
  const mjiRollout* p = g->p;
  int needs = needsOf(g, t - 1);
  if (mji_work(g->d)->isapart) computeLanes(g, firstHalf, needs, last);
  else firstHalf(g->m, k, g->d, needs, last);
  for (int lane = 0; lane < g->count; lane++) {
    int i = g->first + lane, row = g->open[lane], why = row ? trouble(g, lane) : 0;
    int record = !t ? -1 : row == MJI_ROW_LAST ? mji_recordFrom(p, t - 1) : mji_recordOf(p, t - 1);
    if (why) {
      endUnmade(g, lane, t, why);
      continue;
    }
    if (row && record >= 0 && record < p->nrecord) mji_recordOutputs(g, lane, record);
    if (row == MJI_ROW_LAST) mji_restOutputs(g->m, p, i, record + 1);
    if (row == MJI_ROW_STOPPED) mji_restOutputs(g->m, p, i, mji_recordFrom(p, t));
    if (row != MJI_ROW_OPEN) g->open[lane] = MJI_ROW_OVER;
  }
}

// If a tree may fall asleep in this step, its first half is repeated for each lane alone: data of a group cannot be
// handed over in the middle of a step.
static void stepAligned(mjiGroup* g, const mjiKernels* k, int t) {
  mjiWork* work = mji_work(g->d);
  beginAligned(g, k, t, MJI_ACCELERATION);
  if (!work->isapart) {
    secondHalf(g->m, k, g->d, 0, MJI_ACCELERATION);
    if (!work->stopped) return;
    endBad(g, t);
    mji_setApart(g->m, g->d, g->open, g->count);
    computeLanes(g, firstHalf, needsOf(g, -1), MJI_ACCELERATION);
  }
  computeLanes(g, secondHalf, 0, MJI_ACCELERATION);
}

// The stage after which all outputs of a state are there: no step follows that would need more.
static int lastStage(const mjiRollout* p) {
  int stage = p->r.sensordata ? mjSTAGE_ACC : p->named.stage;
  return stage == mjSTAGE_ACC ? MJI_ACCELERATION : stage == mjSTAGE_VEL ? MJI_VELOCITY : MJI_POSITION;
}

static void runGroup(struct mjiWorker_* w, sheafJob* job, int item) {
  mjiGroup g = w->saved ? goOn(w, job, item) : begin(w, job, item);
  const mjiRollout* p = g.p;
  const mjiKernels* k = mji_groupKernels(job, g.d);
  int64_t computed = 0;
  int t = g.from, told = t, cancelled = 0;
  for (int open; t < p->r.nstep && (open = countRows(&g, MJI_ROW_OPEN)); t++) {
    cancelled = atomic_load_explicit(&job->cancel, memory_order_relaxed);
    if (cancelled || (t > g.from && giveWay(w, job, &g, t))) break;
    applyControl(&g, t);
    applyWarmstart(&g, t);
    keepState(&g);
    if (p->r.aligned) stepAligned(&g, k, t);
    else step(&g, k, t);
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

  // after a cancellation, which must be quick, leave the later results of rows unwritten
  for (int lane = 0; lane < g.count; lane++) {
    if (g.open[lane] == MJI_ROW_OPEN) finish(&g, lane, 0, SHEAF_ROW_CANCELLED, t);
  }
  if (countRows(&g, MJI_ROW_LAST)) beginAligned(&g, k, t, lastStage(p));
  mji_jobAdvance(job, (int64_t)(p->r.nstep - told) * g.count, computed);
}

// rows of an item that were not computed
static void fillRows(sheafJob* job, int item, int status) {
  const mjiRollout* p = job->prepared;
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

// With room for so many numbers behind its terms. NULL without memory.
static mjiRollout* makeRollout(size_t nterm, double numbers) {
  if (numbers >= (double)(SIZE_MAX / 32)) return NULL;
  size_t behind = nterm * sizeof(mjiTerm) + (size_t)numbers * sizeof(double);
  mjiRollout* p = malloc(sizeof *p + behind);
  if (!p) return NULL;
  memset(p, 0, offsetof(mjiRollout, named));
  memset(p->term, 0, behind);
  return p;
}

int mji_makeRollouts(sheafJob* job, const sheafRollout* r, int share, int* needs, sheafStatus* status) {
  const mjModel* m = job->m;
  free(job->prepared);
  double numbers = mji_controlNumbers(m, r, job->nrow ? job->nrow : r->nbatch);
  mjiRollout* p = job->prepared = makeRollout(mji_costTerms(r), numbers);
  if (!p) return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  p->r = *r;
  p->share = share;
  int err = mji_costTake(&p->cost, m, r, share, p->term, status);
  if (!err) err = mji_controlTake(p, (double*)(void*)(p->term + mji_costTerms(r)), status);
  if (err) return err;
  p->nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  p->ncontrol = mj_stateSize(m, p->r.control_spec);
  if (!p->r.every) p->r.every = 1;
  p->nrecord = p->r.every < 0 ? 1 : p->r.nstep / p->r.every;
  mji_readNamed(m, r->output, r->noutput, (size_t)p->nrecord, &p->named);
  p->bytes = r->dtype == sizeof(float) ? sizeof(float) : sizeof(double);
  p->nscratch = mji_recordSize(m, p);
  *needs = p->needs = p->named.needs | (p->r.sensordata ? MJI_NEED_SENSOR : 0) | p->cost.needs;
  p->whole = !mji_lanesOk(m) || mjENABLED(mjENBL_SLEEP) || mji_hasUserCode() || p->needs & MJI_NEED_SCALAR;
  job->run = runGroup;
  job->fail = failGroup;
  job->skip = skipGroup;
  job->forget = mji_forget;
  return 0;
}

double mji_rolloutBytes(const mjModel* m, const sheafRollout* request) {
  sheafRollout r = *request;
  mji_resolveOptions(SHEAF_ROLLOUT, &r);
  return mji_controlNumbers(m, &r, 1) * sizeof(double);
}

int mji_prepareRollout(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  const sheafRollout* r = job->request;
  int needs, err = mji_makeRollouts(job, r, 1, &needs, status);
  if (err) return err;
  mji_jobOptions(job, needs, 0);
  mji_jobGroups(job, pool, mji_groupLanes(pool, job, needs), (int64_t)r->nbatch * r->nstep);
  return 0;
}
