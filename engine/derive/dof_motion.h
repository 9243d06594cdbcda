// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What a nudge of one dof moves: bodies, points, axes of other dofs. Include lanes/lanes.h first.
#ifndef SHEAF_DERIVE_DOF_MOTION_H_
#define SHEAF_DERIVE_DOF_MOTION_H_

#include <mujoco/mujoco.h>

#include "dynamics/spatial.h"
#include "model/plan.h"

// First dof of the part of a joint that dof i belongs to: the three dofs of a rotation turn as one. A nudge of dof k
// carries the axes of dof i along if k moves the body of i and i is not before the part of k.
static inline int partOf(const mjModel* m, int i) {
  int j = m->dof_jntid[i], adr = m->jnt_dofadr[j];
  if (m->jnt_type[j] == mjJNT_BALL) return adr;
  if (m->jnt_type[j] == mjJNT_FREE) return i < adr + 3 ? adr : adr + 3;
  return i;
}

// Does a dof move a body?
static inline int chainHas(const mjiPlan* plan, int body, int dof) {
  const int* chain = plan->chain_ind + plan->chain_adr[body];
  for (int i = plan->chain_num[body] - 1; i >= 0 && chain[i] >= dof; i--) {
    if (chain[i] == dof) return 1;
  }
  return 0;
}

// From the origin of a body's com frame to a point.
static inline void armTo(const mjModel* m, const mjData* d, int body, const V* point, V arm[3]) {
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[body];
  for (int r = 0; r < 3; r++) arm[r] = point[r] - com[r];
}

// How a point of a body moves with a dof: zero if the dof does not move the body.
static inline void pointMotion(const mjModel* m, const mjData* d, int body, int dof, const V* point, V out[3]) {
  zeroN(out, 3);
  if (!chainHas(mji_plan(m), body, dof)) return;
  const V* S = CLANES(d->cdof) + 6 * dof;
  V arm[3];
  armTo(m, d, body, point, arm);
  cross3(out, S, arm);
  for (int r = 0; r < 3; r++) out[r] = out[r] + S[3 + r];
}

// How a body turns with a dof.
static inline void turnMotion(const mjModel* m, const mjData* d, int body, int dof, V out[3]) {
  zeroN(out, 3);
  if (chainHas(mji_plan(m), body, dof)) copyN(out, CLANES(d->cdof) + 6 * dof, 3);
}

#endif  // SHEAF_DERIVE_DOF_MOTION_H_
