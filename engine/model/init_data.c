// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A data as it is before anything is computed: qpos0, no velocity, nothing applied, all trees awake; for any number of
// lanes. Trees that sleep from the start need forward dynamics: pipeline/reset.c.
#include <string.h>

#include <mujoco/mujoco.h>

#include "model/plugin.h"
#include "model/sleep.h"
#include "model/stack.h"
#include "model/work.h"

void mji_fillLanes(mjtNum* dst, const mjtNum* src, int n, int nlane) {
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < nlane; l++) dst[i * nlane + l] = src[i];
  }
}

// scalars and statistics
static void clearScalars(mjData* d, const mjiWork* w) {
  d->maxuse_stack = d->maxuse_arena = 0;
  d->maxuse_con = d->maxuse_efc = 0;
  memset(d->maxuse_threadstack, 0, sizeof d->maxuse_threadstack);
  if (!w->quiet) memset(d->solver, 0, sizeof d->solver);  // 160 KB, which nobody reads of a worker's data
  memset(d->solver_niter, 0, sizeof d->solver_niter);
  memset(d->solver_nnz, 0, sizeof d->solver_nnz);
  memset(d->solver_fwdinv, 0, sizeof d->solver_fwdinv);
  memset(d->warning, 0, sizeof d->warning);
  memset(d->timer, 0, sizeof d->timer);
  memset(d->energy, 0, sizeof d->energy);
  d->time = 0;
  memset(mji_energy(d), 0, 2 * (size_t)w->nlane * sizeof(mjtNum));
  memset(w->bad, 0, (size_t)w->nlane * sizeof(int64_t));
  memset(w->badcode, 0, (size_t)w->nlane * sizeof(int));
}

#define ZERO(name, n) memset(d->name, 0, (size_t)(n) * (size_t)nlane * sizeof(mjtNum));

static void clearInputs(const mjModel* m, mjData* d, int nlane) {
  ZERO(qvel, m->nv)
  ZERO(act, m->na)
  ZERO(qacc_warmstart, m->nv)
  ZERO(plugin_state, m->npluginstate)
  ZERO(ctrl, m->nu)
  ZERO(qfrc_applied, m->nv)
  ZERO(xfrc_applied, 6 * m->nbody)
  ZERO(userdata, m->nuserdata)
}

// what mj_forward does not compute: zero whatever value the other arrays are filled with
static void clearResults(const mjModel* m, mjData* d, int nlane) {
  ZERO(qacc, m->nv)
  ZERO(act_dot, m->na)
  ZERO(qM, m->nM)
}

#undef ZERO

// configuration and active equalities
static void setInitial(const mjModel* m, mjData* d, int nlane) {
  mji_fillLanes(d->qpos, m->qpos0, m->nq, nlane);
  if (m->neq) memcpy(d->eq_active, m->eq_active0, (size_t)m->neq);
  const mjiWork* w = mji_work(d);
  for (int64_t i = 0; w->eq_on && i < (int64_t)m->neq * w->nlane; i++)
    w->eq_on[i] = m->eq_active0[i / w->nlane] ? -1 : 0;
}

void mji_setMocap(const mjModel* m, mjData* d) {
  int nlane = mji_work(d)->nlane;
  for (int b = 0; b < m->nbody; b++) {
    int id = m->body_mocapid[b];
    if (id < 0) continue;
    mjtNum quat[4];
    mju_copy4(quat, m->body_quat + 4 * b);
    mju_normalize4(quat);
    mji_fillLanes(d->mocap_pos + 3 * id * nlane, m->body_pos + 3 * b, 3, nlane);
    mji_fillLanes(d->mocap_quat + 4 * id * nlane, quat, 4, nlane);
  }
}

void mji_initInputs(const mjModel* m, mjData* d) {
  const mjiWork* w = mji_work(d);
  memset(mji_time(d), 0, (size_t)w->nlane * sizeof(mjtNum));
  clearInputs(m, d, w->nlane);
  setInitial(m, d, w->nlane);
  mji_setMocap(m, d);
}

static void fillBuffer(mjData* d, unsigned char value) {
  memset(d->buffer, value, (size_t)d->nbuffer);
  if (!value) return;
  mji_unpoisonArena(d);
  memset(d->arena, value, (size_t)d->narena);
}

void mji_initData(const mjModel* m, mjData* d, unsigned char value, int keepscratch) {
  mjiWork* w = mji_work(d);
  mji_plugin_save(d, w->plugin_data);
  fillBuffer(d, value);
  mji_plugin_restore(m, d, w->plugin_data);
  if (keepscratch) {
    mji_clearArena(d);
  } else {
    mji_resetArena(d);
  }
  clearScalars(d, w);
  clearResults(m, d, w->nlane);
  mji_initInputs(m, d);
  mji_sleep_reset(m, d);
  mji_plugin_reset(m, d);
  d->signature = m->signature;
}
