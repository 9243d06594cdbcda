// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Inverse kinematics: move the hand to a goal with damped least squares on a site's Jacobian.
#include "program.h"

int main(void) {
  mjModel* m = loadText(kModel);
  mjData* d = mj_makeData(m);
  int hand = mj_name2id(m, mjOBJ_SITE, "hand"), goal = mj_name2id(m, mjOBJ_SITE, "goal");
  int nv = m->nv;
  mjtNum* jac = calloc((size_t)(6 * nv), sizeof(mjtNum));
  mjtNum* dq = calloc((size_t)nv, sizeof(mjtNum));
  for (int iter = 0; iter < 30; iter++) {
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mjtNum error[3], JJT[9], y[3];
    mju_sub3(error, d->site_xpos + 3 * goal, d->site_xpos + 3 * hand);
    if (iter % 10 == 0) show("error", error, 3);
    mj_jacSite(m, d, jac, jac + 3 * nv, hand);
    for (int r = 0; r < 3; r++) mju_zero(jac + r * nv, 6);  // the base stays
    mju_mulMatMatT(JJT, jac, jac, 3, nv, 3);
    for (int k = 0; k < 3; k++) JJT[4 * k] += 1e-3;
    mju_cholFactor(JJT, 3, 1e-12);
    mju_cholSolve(y, JJT, error, 3);
    mju_mulMatTVec(dq, jac, y, 3, nv);
    mj_integratePos(m, d->qpos, dq, 1);
  }
  show("qpos", d->qpos, m->nq);

  mjtNum quat[4], velocity[6], point[3] = {.1, .2, .3};
  mju_mat2Quat(quat, d->site_xmat + 9 * hand);
  show("quat", quat, 4);
  for (int i = 0; i < nv; i++) d->qvel[i] = 0.1 * i;
  mj_forward(m, d);
  mj_objectVelocity(m, d, mjOBJ_SITE, hand, velocity, 1);
  show("velocity", velocity, 6);
  mj_jac(m, d, jac, jac + 3 * nv, point, mj_name2id(m, mjOBJ_BODY, "lower"));
  show("jac", jac, 6 * nv);
  mj_jacDot(m, d, jac, jac + 3 * nv, point, mj_name2id(m, mjOBJ_BODY, "lower"));
  show("jacdot", jac, 6 * nv);
  mj_jacSubtreeCom(m, d, jac, 1);
  show("jaccom", jac, 3 * nv);
  free(jac);
  free(dq);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
