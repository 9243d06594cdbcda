// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Reset of a data to the initial state of the model, for any number of lanes.
#include <string.h>

#include <mujoco/mujoco.h>
#include <mujoco/mjxmacro.h>

#include "lanes/kernels.h"
#include "model/head.h"
#include "model/sleep.h"
#include "model/stack.h"
#include "model/work.h"

// Lane of an array in data: element i of lane l is p[i*nlane + l].
static void broadcast(mjtNum* dst, const mjtNum* src, int n, int nlane) {
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < nlane; l++) dst[i * nlane + l] = src[i];
  }
}

// scalars and statistics
static void clearScalars(mjData* d, const mjiWork* w) {
  d->nplugin = 0;
  d->maxuse_stack = d->maxuse_arena = 0;
  d->maxuse_con = d->maxuse_efc = 0;
  memset(d->maxuse_threadstack, 0, sizeof d->maxuse_threadstack);
  memset(d->solver, 0, sizeof d->solver);
  memset(d->solver_niter, 0, sizeof d->solver_niter);
  memset(d->solver_nnz, 0, sizeof d->solver_nnz);
  memset(d->solver_fwdinv, 0, sizeof d->solver_fwdinv);
  memset(d->warning, 0, sizeof d->warning);
  memset(d->timer, 0, sizeof d->timer);
  memset(d->energy, 0, sizeof d->energy);
  d->time = 0;
  memset(mji_time(d), 0, (size_t)w->nlane * sizeof(mjtNum));
  memset(mji_energy(d), 0, 2 * (size_t)w->nlane * sizeof(mjtNum));
  memset(w->bad, 0, (size_t)w->nlane * sizeof(int64_t));
  memset(w->badcode, 0, (size_t)w->nlane * sizeof(int));
}

// inputs and what mj_forward does not compute: zero whatever the rest was filled with
static void clearInputs(const mjModel* m, mjData* d, int nlane) {
#define ZERO(name, n) memset(d->name, 0, (size_t)(n) * (size_t)nlane * sizeof(mjtNum));
  ZERO(qvel, m->nv)
  ZERO(act, m->na)
  ZERO(qacc_warmstart, m->nv)
  ZERO(plugin_state, m->npluginstate)
  ZERO(ctrl, m->nu)
  ZERO(qfrc_applied, m->nv)
  ZERO(xfrc_applied, 6 * m->nbody)
  ZERO(qacc, m->nv)
  ZERO(act_dot, m->na)
  ZERO(userdata, m->nuserdata)
  ZERO(qM, m->nM)
#undef ZERO
}

// configuration and active equalities
static void setInitial(const mjModel* m, mjData* d, int nlane) {
  broadcast(d->qpos, m->qpos0, m->nq, nlane);
  if (m->neq) memcpy(d->eq_active, m->eq_active0, (size_t)m->neq);
  const mjiWork* w = mji_work(d);
  for (int64_t i = 0; w->eq_on && i < (int64_t)m->neq * w->nlane; i++)
    w->eq_on[i] = m->eq_active0[i / w->nlane] ? -1 : 0;
}

static void setMocap(const mjModel* m, mjData* d, int nlane) {
  for (int b = 0; b < m->nbody; b++) {
    int id = m->body_mocapid[b];
    if (id < 0) continue;
    mjtNum quat[4];
    mju_copy4(quat, m->body_quat + 4 * b);
    mju_normalize4(quat);
    broadcast(d->mocap_pos + 3 * id * nlane, m->body_pos + 3 * b, 3, nlane);
    broadcast(d->mocap_quat + 4 * id * nlane, quat, 4, nlane);
  }
}

// ---- trees that sleep from the start

// contacts stay, their rows go
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

// forward dynamics with everything awake tells which trees belong together; nothing moves yet
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

// Poses are there from the start if trees may sleep; mocap bodies are at the origin then, as in the reference, which
// wakes trees that they carry in the first step.
static void startSleep(const mjModel* m, mjData* d) {
  int ninit = 0;
  for (int t = 0; t < m->ntree; t++) ninit += m->tree_sleep_policy[t] == mjSLEEP_INIT;
  if (ninit) initAsleep(m, d, ninit);
  else LANE1(fwdKinematics)(m, d, MJI_WANT_ALL);
}

static void fillBuffer(mjData* d, unsigned char value) {
  memset(d->buffer, value, (size_t)d->nbuffer);
  if (!value) return;
  mji_unpoisonArena(d);
  memset(d->arena, value, (size_t)d->narena);
}

static void reset(const mjModel* m, mjData* d, unsigned char value, int keepscratch) {
  mjiWork* w = mji_work(d);
  fillBuffer(d, value);
  if (keepscratch) {
    mji_clearArena(d);
  } else {
    mji_resetArena(d);
  }
  clearScalars(d, w);
  clearInputs(m, d, w->nlane);
  setInitial(m, d, w->nlane);
  mji_sleep_reset(m, d);
  d->signature = m->signature;
  if (w->nlane == 1 && m->opt.enableflags & mjENBL_SLEEP) {
    mju_zero(d->mocap_pos, 3 * m->nmocap);
    mju_zero(d->mocap_quat, 4 * m->nmocap);
    startSleep(m, d);
  }
  setMocap(m, d, w->nlane);
}

void mj_resetData(const mjModel* m, mjData* d) { reset(m, d, 0, 0); }

void mji_resetInStep(const mjModel* m, mjData* d) { reset(m, d, 0, 1); }

void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value) { reset(m, d, debug_value, 0); }

void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key) {
  mj_resetData(m, d);
  if (key < 0 || key >= m->nkey) return;

  mjiWork* w = mji_work(d);
  for (int l = 0; l < w->nlane; l++) mji_time(d)[l] = m->key_time[key];
  broadcast(d->qpos, m->key_qpos + key * m->nq, m->nq, w->nlane);
  broadcast(d->qvel, m->key_qvel + key * m->nv, m->nv, w->nlane);
  broadcast(d->act, m->key_act + key * m->na, m->na, w->nlane);
  broadcast(d->mocap_pos, m->key_mpos + key * 3 * m->nmocap, 3 * m->nmocap, w->nlane);
  broadcast(d->mocap_quat, m->key_mquat + key * 4 * m->nmocap, 4 * m->nmocap, w->nlane);
  broadcast(d->ctrl, m->key_ctrl + key * m->nu, m->nu, w->nlane);
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
