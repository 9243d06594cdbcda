// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Positions: integration of velocities, differences, unit quaternions.
#include <mujoco/mujoco.h>

#include "lanes/lanes.h"

// quat * exp(vel * dt), with the sine and cosine of the kernels: the same bits on every machine
static void integrateQuat(mjtNum quat[4], const mjtNum vel[3], mjtNum dt) {
  mjtNum axis[3], step[4], s, c;
  mju_copy3(axis, vel);
  mjtNum angle = dt * mju_normalize3(axis);
  v_sincos(0.5 * angle, &s, &c);
  step[0] = c;
  mju_scl3(step + 1, axis, s);
  mju_normalize4(quat);
  mju_mulQuat(quat, quat, step);
}

void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt) {
  for (int j = 0; j < m->njnt; j++) {
    mjtNum* q = qpos + m->jnt_qposadr[j];
    const mjtNum* v = qvel + m->jnt_dofadr[j];
    switch (m->jnt_type[j]) {
      case mjJNT_FREE:
        mju_addToScl3(q, v, dt);
        integrateQuat(q + 3, v + 3, dt);
        break;
      case mjJNT_BALL: integrateQuat(q, v, dt); break;
      default: q[0] += dt * v[0];
    }
  }
}

void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1, const mjtNum* qpos2) {
  for (int j = 0; j < m->njnt; j++) {
    mjtNum* v = qvel + m->jnt_dofadr[j];
    const mjtNum *q1 = qpos1 + m->jnt_qposadr[j], *q2 = qpos2 + m->jnt_qposadr[j];
    int nlin = m->jnt_type[j] == mjJNT_FREE ? 3 : m->jnt_type[j] == mjJNT_BALL ? 0 : 1;
    for (int i = 0; i < nlin; i++) v[i] = (q2[i] - q1[i]) / dt;
    if (nlin == 1) continue;

    // rotation that leads from the first to the second
    mju_subQuat(v + nlin, q2 + nlin, q1 + nlin);
    mju_scl3(v + nlin, v + nlin, 1 / dt);
  }
}

void mj_normalizeQuat(const mjModel* m, mjtNum* qpos) {
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] == mjJNT_FREE) mju_normalize4(qpos + m->jnt_qposadr[j] + 3);
    if (m->jnt_type[j] == mjJNT_BALL) mju_normalize4(qpos + m->jnt_qposadr[j]);
  }
}
