// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Data in the initial state of the model: mj_makeData, mj_resetData and keyframes. With `flag sleep` trees may sleep
// from the start. That takes forward dynamics, so poses are computed from the start, too.
#include <string.h>

#include <mujoco/mujoco.h>
#include <mujoco/mjxmacro.h>

#include "base/error.h"
#include "lanes/kernels.h"
#include "model/sleep.h"
#include "model/work.h"
#include "pipeline/pipeline.h"

// ---- trees that sleep from the start

// forget constraint rows, but keep the contacts
static void forgetRows(mjData* d) {
  mjiWork* w = mji_work(d);
  mjContact* contact = d->contact;
  d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = d->nisland = d->nidof = 0;
  w->block = NULL;
  w->nblock = 0;
#define X(type, name, nr, nc) d->name = NULL;
  MJDATA_ARENA_POINTERS
#undef X
  d->contact = contact;
  for (int i = 0; i < d->ncon; i++) d->contact[i].efc_address = -1;
}

// Forward dynamics with everything awake find the islands of trees, which sleep together.
static void initAsleep(const mjModel* m, mjData* d, int ninit) {
  LANE1(forward)(m, d, MJI_POSITION, MJI_ACCELERATION, MJI_WANT_ALL);
  for (int t = 0; t < m->ntree; t++) {
    if (m->tree_sleep_policy[t] == mjSLEEP_INIT) d->tree_asleep[t] = -1;
  }
  mji_sleep_fall(m, d);
  mji_sleep_update(m, d);
  for (int t = 0, asleep = 0; t < m->ntree; t++) {
    if (m->tree_sleep_policy[t] != mjSLEEP_INIT) continue;
    if (d->tree_asleep[t] < 0) {
      mju_error(
          "body %d cannot sleep from the start: its tree is not at rest, or touches or is tied to one that is "
          "awake (%d of %d such trees can)",
          m->tree_bodyadr[t], asleep, ninit);
      return;
    }
    asleep++;
    mju_zero(d->qacc + m->tree_dofadr[t], m->tree_dofnum[t]);
  }
  mju_zero(d->qfrc_smooth, m->nv);
  mju_zero(d->qacc_smooth, m->nv);
  forgetRows(d);
  memset(d->timer, 0, sizeof d->timer);
}

// Mocap bodies are at the origin while the first poses are computed. So the first step moves them and wakes the trees
// that they carry, as in the reference.
static void startSleep(const mjModel* m, mjData* d) {
  mju_zero(d->mocap_pos, 3 * m->nmocap);
  mju_zero(d->mocap_quat, 4 * m->nmocap);
  int ninit = 0;
  for (int t = 0; t < m->ntree; t++) ninit += m->tree_sleep_policy[t] == mjSLEEP_INIT;
  if (ninit) initAsleep(m, d, ninit);
  else LANE1(fwdKinematics)(m, d, MJI_WANT_ALL);
  mji_setMocap(m, d);
}

// ---- reset

static void reset(const mjModel* m, mjData* d, unsigned char value, int keepscratch) {
  mji_initData(m, d, value, keepscratch);
  if (mji_work(d)->nlane == 1 && m->opt.enableflags & mjENBL_SLEEP) startSleep(m, d);
}

void mj_resetData(const mjModel* m, mjData* d) { reset(m, d, 0, 0); }

void mji_resetInStep(const mjModel* m, mjData* d) { reset(m, d, 0, 1); }

void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value) { reset(m, d, debug_value, 0); }

// ---- making

// If trees cannot sleep from the start, free the memory before the error goes on.
mjData* mji_tryMakeData(const mjModel* m) {
  mjData* volatile d = mji_makeLaneData(m, 1);  // what an error comes back to must not be in a register
  if (!d || !(m->opt.enableflags & mjENBL_SLEEP)) return d;
  mjiTrap trap;
  if (mji_tryBegin(&trap)) {
    mj_deleteData(d);
    mju_error("%s", trap.text);
    return NULL;
  }
  startSleep(m, d);
  mji_tryEnd(&trap);
  return d;
}

mjData* mj_makeData(const mjModel* m) {
  mjData* d = mji_tryMakeData(m);
  if (!d) mju_warning("mj_makeData: there is no memory for a state and an arena of %lld bytes", (long long)m->narena);
  return d;
}

// ---- keyframes

void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key) {
  mj_resetData(m, d);
  if (key < 0 || key >= m->nkey) return;

  mjiWork* w = mji_work(d);
  for (int l = 0; l < w->nlane; l++) mji_time(d)[l] = m->key_time[key];
  mji_fillLanes(d->qpos, m->key_qpos + key * m->nq, m->nq, w->nlane);
  mji_fillLanes(d->qvel, m->key_qvel + key * m->nv, m->nv, w->nlane);
  mji_fillLanes(d->act, m->key_act + key * m->na, m->na, w->nlane);
  mji_fillLanes(d->mocap_pos, m->key_mpos + key * 3 * m->nmocap, 3 * m->nmocap, w->nlane);
  mji_fillLanes(d->mocap_quat, m->key_mquat + key * 4 * m->nmocap, 4 * m->nmocap, w->nlane);
  mji_fillLanes(d->ctrl, m->key_ctrl + key * m->nu, m->nu, w->nlane);
}

void mj_setKeyframe(mjModel* m, const mjData* d, int k) {
  if (k < 0 || k >= m->nkey) {
    mju_error("mj_setKeyframe: key %d is not between 0 and %d", k, m->nkey - 1);
    return;
  }
  m->key_time[k] = d->time;
  mju_copy(m->key_qpos + k * m->nq, d->qpos, m->nq);
  mju_copy(m->key_qvel + k * m->nv, d->qvel, m->nv);
  mju_copy(m->key_act + k * m->na, d->act, m->na);
  mju_copy(m->key_mpos + k * 3 * m->nmocap, d->mocap_pos, 3 * m->nmocap);
  mju_copy(m->key_mquat + k * 4 * m->nmocap, d->mocap_quat, 4 * m->nmocap);
  mju_copy(m->key_ctrl + k * m->nu, d->ctrl, m->nu);
}
