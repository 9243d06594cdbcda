// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Friction loss and limits of joints: rows with one entry per dof, which is 1 or -1, or an axis.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/make_lanes.h"
#include "constraint/row_lanes.h"
#include "model/active.h"
#include "model/number.h"

void LANE(jointFrictionRows)(mjiRows* rows) {
  const mjModel* m = rows->m;
  mjData* d = rows->d;
  mjiList dofs = mji_listOf(m, d, MJI_DOFS);
  for (int k = 0; k < dofs.n; k++) {
    int i = mji_listed(dofs, k);
    if (!(m->dof_frictionloss[i] > 0)) continue;
    V* J = LANES(mji_rows_num(rows, 1));
    J[0] = v_set1(1);
    RowSpec spec = {.type = mjCNSTR_FRICTION_DOF,
                    .id = i,
                    .ncol = 1,
                    .col = mji_rows_dofs(rows, i),
                    .J = J,
                    .solref = NUM(dof_solref) + mjNREF * i,
                    .solimp = NUM(dof_solimp) + mjNIMP * i,
                    .diag = NUM(dof_invweight0)[i]};
    addFriction(rows, &spec, NUM(dof_frictionloss)[i]);
  }
}

// J has n entries for the dofs of joint j
static void addJointLimit(mjiRows* rows, int j, const V* J, int n, V dist) {
  const mjModel* m = rows->m;
  mjData* d = rows->d;
  int dof = m->jnt_dofadr[j];
  RowSpec spec = {.type = mjCNSTR_LIMIT_JOINT,
                  .id = j,
                  .ncol = n,
                  .col = mji_rows_dofs(rows, dof),
                  .J = J,
                  .solref = NUM(jnt_solref) + mjNREF * j,
                  .solimp = NUM(jnt_solimp) + mjNIMP * j,
                  .diag = NUM(dof_invweight0)[dof],
                  .margin = NUM(jnt_margin)[j]};
  addLimit(rows, &spec, dist);
}

static void slideOrHinge(mjiRows* rows, int j) {
  const mjModel* m = rows->m;
  mjData* d = rows->d;
  V value = CLANES(d->qpos)[m->jnt_qposadr[j]];
  for (lane_t side = -1; side <= 1; side += 2) {
    V dist = side * (NUM(jnt_range)[2 * j + (side > 0)] - value);
    if (!m_any(v_lt(dist, v_num(NUM(jnt_margin)[j])))) continue;
    V* J = LANES(mji_rows_num(rows, 1));
    J[0] = v_set1(-side);
    addJointLimit(rows, j, J, 1, dist);
  }
}

// a ball may turn by range[1] from the reference; the axis of the turn gives the entries of its row
static void ball(mjiRows* rows, int j) {
  const mjModel* m = rows->m;
  mjData* d = rows->d;
  const V* q = CLANES(d->qpos) + m->jnt_qposadr[j];

  // unit quaternion, and the sine of half its angle
  V norm = v_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  M bad = v_lt(norm, v_set1(mjMINVAL));
  V inv = 1.0 / v_sel(bad, v_set1(1), norm);
  V w = v_sel(bad, v_set1(1), q[0] * inv);
  V x = v_and(~bad, q[1] * inv), y = v_and(~bad, q[2] * inv), z = v_and(~bad, q[3] * inv);
  V sine = v_sqrt(x * x + y * y + z * z);

  // the shorter of the two turns that give this orientation
  V angle = 2.0 * v_map2(atan2, sine, w);
  angle = v_sel(v_gt(angle, v_set1(mjPI)), angle - 2 * mjPI, angle);
  M back = v_lt(angle, v_zero());
  V size = v_abs(angle);

  N range = n_max(NUM(jnt_range)[2 * j], NUM(jnt_range)[2 * j + 1]);
  V dist = range - size;
  if (!m_any(v_lt(dist, v_num(NUM(jnt_margin)[j])))) return;

  // without a turn any axis will do: the first
  M none = v_lt(sine, v_set1(mjMINVAL));
  V scale = v_sel(back, v_set1(1), v_set1(-1)) / v_sel(none, v_set1(1), sine);
  V* J = LANES(mji_rows_num(rows, 3));
  J[0] = v_sel(none, v_set1(-1), x * scale);
  J[1] = v_and(~none, y * scale);
  J[2] = v_and(~none, z * scale);
  addJointLimit(rows, j, J, 3, dist);
}

void LANE(jointLimitRows)(mjiRows* rows) {
  const mjModel* m = rows->m;
  const mjData* d = rows->d;
  mjiList joints = mji_listOf(m, d, MJI_JOINTS);
  for (int k = 0; k < joints.n; k++) {
    int j = mji_listed(joints, k);
    if (!m->jnt_limited[j]) continue;
    if (m->jnt_type[j] == mjJNT_BALL) {
      ball(rows, j);
    } else if (m->jnt_type[j] != mjJNT_FREE) {
      slideOrHinge(rows, j);
    }
  }
}
