// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/apart.h"

#include <string.h>

#include <mujoco/mjxmacro.h>

#include "model/number.h"
#include "model/sleep.h"

// Steps without a tree that falls asleep before lanes go together again: going to and fro costs two steps.
enum { CALM = 5 };

static mjData* dataOfLane(const mjModel* m, mjData* d, int lane) {
  mjiWork* w = mji_work(d);
  if (!w->apart[lane]) w->apart[lane] = mj_makeData(m);
  if (!w->apart[lane]) mju_error("out of memory for one state beside %d lanes", w->nlane);
  return w->apart[lane];
}

static mjData* resetLane(const mjModel* m, mjData* d, int lane) {
  mjData* one = dataOfLane(m, d, lane);
  mji_work(one)->quiet = 1;
  mj_resetData(mji_laneModel(m, d, lane), one);
  return one;
}

// all numbers of a lane: sensors and outputs keep what they were while a tree sleeps
#define GATHER_mjtNum(name, n) mji_gatherLane(one->name, d->name, n, nlane, lane);
#define GATHER_int(name, n)
#define GATHER_mjtByte(name, n)
#define GATHER_uintptr_t(name, n)

static void gatherNumbers(const mjModel* m, const mjData* d, mjData* one, int lane) {
  int nlane = mji_work(d)->nlane;
  MJDATA_POINTERS_PREAMBLE(m)
  (void)nv;
#define X(type, name, nr, nc) GATHER_##type(name, (int)m->nr*(int)(nc))
  MJDATA_POINTERS
#undef X
}

// the state of one lane from one data to another, both at the start of a step
static void copyState(const mjModel* m, mjData* from, int lane, mjData* to, int tolane, mjData* scratch) {
  mj_markStack(scratch);
  mjtNum* state = mj_stackAllocNum(scratch, (size_t)mj_stateSize(m, mjSTATE_INTEGRATION));
  mji_getLane(m, from, lane, state, mjSTATE_INTEGRATION);
  mji_putLane(m, to, tolane, state, mjSTATE_INTEGRATION);
  mj_freeStack(scratch);
}

void mji_startApart(const mjModel* m, mjData* d, int n) {
  for (int lane = 0; lane < n; lane++) {
    mjData* one = resetLane(m, d, lane);
    copyState(m, d, lane, one, 0, one);
  }
  mji_work(d)->isapart = 1;
}

void mji_setApart(const mjModel* m, mjData* d, const int* open, int n) {
  mjiWork* w = mji_work(d);
  for (int lane = 0; lane < n; lane++) {
    if (!open[lane]) continue;
    mjData* one = resetLane(m, d, lane);
    gatherNumbers(m, d, one, lane);
    copyState(m, d, lane, one, 0, one);
    for (int t = 0; t < m->ntree; t++) one->tree_asleep[t] = w->asleep[t * w->nlane + lane];
    mji_sleep_update(mji_laneModel(m, d, lane), one);
  }
  w->isapart = 1;
}

void mji_tryTogether(const mjModel* m, mjData* d, const int* open, int n) {
  mjiWork* w = mji_work(d);
  if (!w->isapart || mji_sleep_alone(m)) return;
  for (int lane = 0; lane < n; lane++) {
    if (open[lane] && mji_sleep_soon(mji_laneModel(m, d, lane), w->apart[lane], CALM)) return;
  }
  int last = n - 1;
  while (last >= 0 && !open[last]) last--;
  if (last < 0) return;

  // lanes without a row that goes on repeat one: left as they were they might come to rest, and stop the others
  w->isapart = w->stopped = 0;
  for (int lane = 0; lane < w->nlane; lane++) {
    mjData* one = w->apart[lane < n && open[lane] ? lane : last];
    copyState(m, one, 0, d, lane, one);
    for (int t = 0; t < m->ntree; t++) w->asleep[t * w->nlane + lane] = one->tree_asleep[t];
  }
}
