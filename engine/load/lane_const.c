// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The view of a lane is a model with arrays of its own wherever mj_setConst writes. So constants are computed for
// views, and then copied to where kernels read them. Rows may have constants each, and a rollout of few steps takes no
// longer than mj_setConst; so the stages that it calls run for all lanes together, and what is little work lane by
// lane.

#include "load/lane_const.h"

#include "lanes/kernels.h"
#include "load/setconst.h"
#include "model/geom_size.h"
#include "model/lanes_ok.h"
#include "model/number.h"
#include "model/work.h"

int mji_constWrites(mjiNumber number) {
  // of these mj_setConst resolves values that were left open: the second anchor of a connect, resting lengths that are
  // those at qpos_spring, damping ratios
  if (number == mjiNUM_eq_data || number == mjiNUM_tendon_lengthspring || number == mjiNUM_actuator_biasprm) return 1;
  return mji_numberFollows(number) == mjiFOLLOWS_DERIVED && number != mjiNUM_geom_rbound;
}

// Copy numbers from the view of a lane to where kernels read them.
static void takeView(mjData* lanes, int lane, mjiNumber number) {
  mji_setNumber(lanes, number, lane, mji_ownNumber(lanes, lane, number, &(size_t){0}));
}

static void takeConstants(mjData* lanes, int lane) {
  for (int i = 0; i < mjiNNUM; i++) {
    if (mji_constWrites((mjiNumber)i)) takeView(lanes, lane, (mjiNumber)i);
  }
}

// ---- lanes together

// Flexes and open resting lengths of tendons need data of one state, sleeping trees and plugins a reset.
static int areTogether(const mjModel* m, const mjData* lanes, const int* lane, int n) {
  const mjiWork* work = mji_work(lanes);
  if (work->nlane == 1 || !mji_kernelsOwn(work->nlane) || !mji_lanesOk(m)) return 0;
  if (m->nflex || m->nplugin || mjENABLED(mjENBL_SLEEP)) return 0;
  for (int i = 0; i < n; i++) {
    for (int t = 0; t < m->ntendon; t++) {
      if (mji_const_noSpring(work->view + lane[i], t)) return 0;
    }
  }
  return 1;
}

static void putMocap(const mjModel* view, mjData* lanes, int lane) {
  for (int b = 0, nlane = mji_work(lanes)->nlane; b < view->nbody && view->nmocap; b++) {
    int id = view->body_mocapid[b];
    if (id < 0) continue;
    mjtNum quat[4];
    mju_copy4(quat, view->body_quat + 4 * b);
    mju_normalize4(quat);
    mji_scatterLane(lanes->mocap_pos + 3 * id * nlane, view->body_pos + 3 * b, 3, nlane, lane);
    mji_scatterLane(lanes->mocap_quat + 4 * id * nlane, quat, 4, nlane, lane);
  }
}

// the lane at its own qpos0
static void putReference(mjData* lanes, int lane) {
  mjiWork* work = mji_work(lanes);
  mjModel* view = work->view + lane;
  mji_const_masses(view);
  takeView(lanes, lane, mjiNUM_body_subtreemass);
  takeView(lanes, lane, mjiNUM_dof_M0);
  mji_scatterLane(lanes->qpos, view->qpos0, (int)view->nq, work->nlane, lane);
  putMocap(view, lanes, lane);
}

static void putInertia(mjData* lanes, int lane) {
  const mjiWork* work = mji_work(lanes);
  mji_const_M0(work->view + lane, lanes, work->nlane, lane);
  takeView(lanes, lane, mjiNUM_dof_M0);
}

// the data of one state gets what mji_const_poses and mji_const_sizes read
static void showPoses(const mjModel* m, const mjData* lanes, int lane, mjData* one) {
  const struct {
    mjtNum *to, *from;
    int64_t n;
  } part[] = {
      {one->xpos, lanes->xpos, 3 * (int64_t)m->nbody},
      {one->xquat, lanes->xquat, 4 * (int64_t)m->nbody},
      {one->xmat, lanes->xmat, 9 * (int64_t)m->nbody},
      {one->xipos, lanes->xipos, 3 * (int64_t)m->nbody},
      {one->subtree_com, lanes->subtree_com, 3 * (int64_t)m->nbody},
      {one->xanchor, lanes->xanchor, 3 * (int64_t)m->njnt},
      {one->geom_xpos, lanes->geom_xpos, 3 * (int64_t)m->ngeom},
      {one->M, lanes->M, m->nC},
      {one->ten_length, lanes->ten_length, m->ntendon},
      {one->actuator_length, lanes->actuator_length, m->nu},
  };
  int nlane = mji_work(lanes)->nlane;
  for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
    mji_gatherLane(part[i].to, part[i].from, (int)part[i].n, nlane, lane);
  }
}

// as mj_setConst (setconst.c)
static void setTogether(const mjModel* m, mjData* lanes, const int* lane, int n, mjData* one) {
  const mjiKernels* k = mji_kernelsOwn(mji_work(lanes)->nlane);
  mji_clearArena(lanes);
  mji_initInputs(m, lanes);
  for (int i = 0; i < n; i++) putReference(lanes, lane[i]);
  k->kinematics(m, lanes);
  k->comPos(m, lanes);
  k->tendon(m, lanes);
  k->crb(m, lanes);
  for (int i = 0; i < n; i++) putInertia(lanes, lane[i]);
  k->makeM(m, lanes);
  k->factorM(m, lanes);
  k->transmission(m, lanes);

  size_t top = mji_stackTop(lanes);
  mjiInverseWeights w = mji_const_weights(m, lanes);
  k->inverseWeights(m, lanes, &w);
  for (int i = 0; i < n; i++) {
    mjModel* view = mji_work(lanes)->view + lane[i];
    mji_const_takeWeights(view, lanes, &w, k->nlane, lane[i]);
    showPoses(m, lanes, lane[i], one);
    mji_const_poses(view, one);
    mji_const_sizes(view, one);
    mji_const_checkSleep(view);
    takeConstants(lanes, lane[i]);
  }
  mji_stackBack(lanes, top);
}

void mji_setLaneConst(const mjModel* m, mjData* lanes, const int* lane, int n, mjData* one) {
  if (areTogether(m, lanes, lane, n)) {
    setTogether(m, lanes, lane, n, one);
    return;
  }
  for (int i = 0; i < n; i++) {
    mji_const_set(mji_work(lanes)->view + lane[i], one);
    takeConstants(lanes, lane[i]);
  }
}

void mji_setBounds(mjModel* m) {
  for (int g = 0; g < m->ngeom; g++) {
    int type = m->geom_type[g];
    if (mji_isPrimitive(type)) m->geom_rbound[g] = mji_primitiveRadius(type, m->geom_size + 3 * g);
  }
}

void mji_setLaneBounds(mjData* lanes, int lane) {
  mjModel* view = mji_work(lanes)->view + lane;
  mji_setBounds(view);
  mji_setNumber(lanes, mjiNUM_geom_rbound, lane, view->geom_rbound);
}
