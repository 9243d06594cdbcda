// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "pipeline/fd_group.h"

#include <string.h>

#include "model/lanes_ok.h"
#include "model/sleep.h"
#include "model/work.h"
#include "pipeline/pipeline.h"

// ---- choice of lanes

// choose four or eight lanes by the number of groups that they need; a group of eight costs about 1.6 times one of four
static int chooseLanes(const mjModel* m, const mjData* d, int ncolumn) {
  if (ncolumn < 2 || !mji_lanesOk(m) || mji_hasUserCode()) return 1;
  if (mjENABLED(mjENBL_SLEEP) && (mji_sleep_alone(m) || mji_sleep_soon(m, d, 1))) return 1;
  int four = (ncolumn + 3) / 4, eight = (ncolumn + 7) / 8;
  if (mji_kernels(8) && 16 * eight < 10 * four) return 8;
  return mji_kernels(4) ? 4 : 1;
}

// ---- nominal inputs

enum { NINPUT = 7 };

typedef struct {
  mjtNum* data;
  int n;
} Input;

static void listInputs(const mjiGroup* g, Input list[NINPUT]) {
  const mjModel* m = g->m;
  mjData* d = g->d;
  list[0] = (Input){d->qpos, m->nq};
  list[1] = (Input){d->qvel, m->nv};
  list[2] = (Input){d->act, m->na};
  list[3] = (Input){d->ctrl, m->nu};
  list[4] = (Input){d->qacc_warmstart, m->nv};
  list[5] = (Input){d->qacc, m->nv};
  list[6] = (Input){mji_time(d), 1};
}

static void saveInputs(mjiGroup* g) {
  Input list[NINPUT];
  size_t n = 0;
  listInputs(g, list);
  for (int i = 0; i < NINPUT; i++) n += (size_t)list[i].n;
  if (g->nlane == 1 && g->m->opt.enableflags & mjENBL_SLEEP) {
    g->asleep = mj_stackAllocInt(g->d, (size_t)g->m->ntree + 1);
    memcpy(g->asleep, g->d->tree_asleep, (size_t)g->m->ntree * sizeof(int));
  }
  mjtNum* to = g->saved = mji_stackNum(g->d, n);
  for (int i = 0; i < NINPUT; i++) {
    size_t count = (size_t)list[i].n * (size_t)g->nlane;
    memcpy(to, list[i].data, count * sizeof(mjtNum));
    to += count;
  }
}

void mji_restoreGroup(mjiGroup* g) {
  Input list[NINPUT];
  const mjtNum* from = g->saved;
  listInputs(g, list);
  for (int i = 0; i < NINPUT; i++) {
    size_t count = (size_t)list[i].n * (size_t)g->nlane;
    memcpy(list[i].data, from, count * sizeof(mjtNum));
    from += count;
  }
  if (!g->asleep) return;
  memcpy(g->d->tree_asleep, g->asleep, (size_t)g->m->ntree * sizeof(int));
  mji_sleep_update(g->m, g->d);
}

// ---- open and close

// Lane data that d owns, NULL if out of memory. It is made on first use and kept: making it costs more than using it.
static mjData* laneData(const mjModel* m, mjData* d, int nlane) {
  mjiWork* work = mji_work(d);
  mjData** lanes = work->lanes + (nlane == 8);
  if (*lanes && work->lanes_serial != mji_plan(m)->serial) mji_deleteLanes(d);
  if (!*lanes) *lanes = mji_makeLaneData(m, nlane);
  work->lanes_serial = mji_plan(m)->serial;
  return *lanes;
}

// the state of d, its qacc and actuator forces, in every lane
static void spread(const mjModel* m, mjData* lanes, int nlane, mjData* d) {
  mj_markStack(d);
  mjtNum* state = mj_stackAllocNum(d, (size_t)mj_stateSize(m, mjSTATE_INTEGRATION));
  mj_getState(m, d, state, mjSTATE_INTEGRATION);
  mjiWork* work = mji_work(lanes);
  for (int i = 0; i < nlane; i++) {
    mji_putLane(m, lanes, i, state, mjSTATE_INTEGRATION);
    mji_scatterLane(lanes->qacc, d->qacc, m->nv, nlane, i);
    mji_scatterLane(lanes->actuator_force, d->actuator_force, m->nu, nlane, i);
    mji_scatterLane(lanes->qfrc_actuator, d->qfrc_actuator, m->nv, nlane, i);
    work->bad[i] = 0;
  }
  mj_freeStack(d);
}

void mji_openGroup(mjiGroup* g, const mjModel* m, mjData* d, int ncolumn, int lanes, int sensors) {
  int nlane = lanes ? chooseLanes(m, d, ncolumn) : 1;
  mjData* group = nlane > 1 ? laneData(m, d, nlane) : NULL;
  if (!group) nlane = 1;
  *g = (mjiGroup){.m = m, .d = group ? group : d, .kernels = mji_kernels(nlane), .nlane = nlane};
  g->want = (sensors ? MJI_WANT_SENSOR : 0) | (group ? 0 : MJI_WANT_EXPORT);

  if (group) {
    // an error that was caught may have left the stack in use
    group->pstack = group->pbase = 0;
    spread(m, group, nlane, d);
  }
  mj_markStack(g->d);
  saveInputs(g);
}

void mji_closeGroup(mjiGroup* g) {
  mji_restoreGroup(g);
  mj_freeStack(g->d);
}

void mji_takeLane(const mjiGroup* g, mjtNum* dst, const mjtNum* src, int n, int lane) {
  mji_gatherLane(dst, src, n, g->nlane, lane);
}

void mji_nudgePos(mjiGroup* g, int lane, int i, mjtNum eps) {
  const mjModel* m = g->m;
  int j = m->dof_jntid[i], type = m->jnt_type[j];
  mjtNum* q = g->d->qpos + (size_t)m->jnt_qposadr[j] * (size_t)g->nlane + lane;
  size_t stride = (size_t)g->nlane;
  int axis = i - m->jnt_dofadr[j];

  // rotation of a free or ball joint: turn the quaternion
  if (type == mjJNT_FREE || type == mjJNT_BALL) {
    if (type == mjJNT_FREE && axis < 3) {
      q[(size_t)axis * stride] += eps;
      return;
    }
    if (type == mjJNT_FREE) q += 3 * stride;
    mjtNum quat[4], vel[3] = {0};
    vel[type == mjJNT_FREE ? axis - 3 : axis] = 1;
    for (size_t k = 0; k < 4; k++) quat[k] = q[k * stride];
    mju_quatIntegrate(quat, vel, eps);
    for (size_t k = 0; k < 4; k++) q[k * stride] = quat[k];
  } else {
    *q += eps;
  }
}
