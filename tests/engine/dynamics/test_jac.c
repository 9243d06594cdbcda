// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Jacobians against velocities, differences and forces.
#include "engine/dynamics/every_joint.h"

TEST(jacobian_times_velocity_is_velocity) {
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  mj_forward(m, d);
  for (int b = 1; b < m->nbody; b++) {
    mjtNum jacp[33], jacr[33], vel[6], want[6];
    mj_jacBodyCom(m, d, jacp, jacr, b);
    mju_mulMatVec(vel, jacr, d->qvel, 3, 11);
    mju_mulMatVec(vel + 3, jacp, d->qvel, 3, 11);
    mj_objectVelocity(m, d, mjOBJ_BODY, b, want, 0);
    CHECK_ARRAY(vel, want, 6, 1e-13);
  }
  links_free(m, d);
}

TEST(jacobian_rate_is_its_change_in_time) {
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  mj_forward(m, d);
  mjtNum dot[33], before[33], after[33], local[3] = {.1, .2, .3}, point[3];
  mjtNum eps = 1e-6;
  mj_local2Global(d, point, NULL, local, NULL, 2, mjSAMEFRAME_NONE);
  mj_jacDot(m, d, dot, NULL, point, 2);

  // a point that moves with the body, a little before and after
  for (int side = -1; side <= 1; side += 2) {
    links_setState(m, d);
    mj_integratePos(m, d->qpos, d->qvel, side * eps);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_local2Global(d, point, NULL, local, NULL, 2, mjSAMEFRAME_NONE);
    mj_jac(m, d, side < 0 ? before : after, NULL, point, 2);
  }
  for (int i = 0; i < 33; i++) CHECK_NEAR((after[i] - before[i]) / (2 * eps), dot[i], 1e-8);
  links_free(m, d);
}

TEST(applied_force_is_transposed_jacobian) {
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  mj_forward(m, d);
  mjtNum jacp[33], jacr[33], qfrc[11] = {0}, want[11], turn[11];
  const mjtNum force[] = {1, -2, 3}, torque[] = {.4, .5, -.6}, point[] = {.3, .2, 1};
  mj_jac(m, d, jacp, jacr, point, 2);
  mju_mulMatTVec(want, jacp, force, 3, 11);
  mju_mulMatTVec(turn, jacr, torque, 3, 11);
  mju_addTo(want, turn, 11);
  mj_applyFT(m, d, force, torque, point, 2, qfrc);
  CHECK_ARRAY(qfrc, want, 11, 1e-14);
  links_free(m, d);
}

TEST(acceleration_of_the_world_is_against_gravity) {
  mjModel* m;
  mjData* d = links_make(&m);
  if (!d) return;
  mjtNum acc[6];
  mj_forward(m, d);
  mj_rnePostConstraint(m, d);
  mj_objectAcceleration(m, d, mjOBJ_XBODY, 0, acc, 0);
  CHECK_ARRAY(acc, ((mjtNum[]){0, 0, 0, 0, 0, 9.81}), 6, 0);

  // a free body's own acceleration is qacc, plus gravity that it feels
  mj_objectAcceleration(m, d, mjOBJ_XBODY, 3, acc, 0);
  CHECK_NEAR(acc[3], d->qacc[5], 1e-11);
  CHECK_NEAR(acc[5], d->qacc[7] + 9.81, 1e-11);
  links_free(m, d);
}
