// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/apart.h"

#include <string.h>

#include <mujoco/mjxmacro.h>

#include "model/number.h"
#include "model/sleep.h"

// Lanes go together again only if no tree can fall asleep for this many steps, because each change costs about two
// steps.
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

// Copy all numbers of a lane, not only the state: what belongs to a sleeping tree keeps its values, in sensors and
// outputs.
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

  // Lanes whose row has ended repeat an open one. With an old state a tree of theirs might come to rest and stop the
  // group.
  w->isapart = w->stopped = 0;
  for (int lane = 0; lane < w->nlane; lane++) {
    mjData* one = w->apart[lane < n && open[lane] ? lane : last];
    copyState(m, one, 0, d, lane, one);
    for (int t = 0; t < m->ntree; t++) w->asleep[t * w->nlane + lane] = one->tree_asleep[t];
  }
}
