// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forces of flexes on points of bodies. Include lanes/lanes.h first.
#ifndef SHEAF_DYNAMICS_FLEX_PUSH_H_
#define SHEAF_DYNAMICS_FLEX_PUSH_H_

#include "model/work.h"

// Add to each dof that moves a body the work of a force at a point.
static inline void flexPush(const mjModel* m, const mjData* d, int body, const V* point, const V force[3], V* qfrc) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[body];
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[body];
  V arm[3] = {point[0] - com[0], point[1] - com[1], point[2] - com[2]};
  V moment[3] = {arm[1] * force[2] - arm[2] * force[1], arm[2] * force[0] - arm[0] * force[2],
                 arm[0] * force[1] - arm[1] * force[0]};
  for (int i = 0; i < plan->chain_num[body]; i++) {
    const V *w = CLANES(d->cdof) + 6 * chain[i], *v = w + 3;
    V turn = w[0] * moment[0] + w[1] * moment[1] + w[2] * moment[2];
    V move = v[0] * force[0] + v[1] * force[1] + v[2] * force[2];
    qfrc[chain[i]] = qfrc[chain[i]] + (turn + move);
  }
}

// Add the forces of contacts that are springs (flex_passive) to d->qfrc_spring. (flex_contact.c)
void LANE(passiveContacts)(const mjModel* m, mjData* d);

#endif  // SHEAF_DYNAMICS_FLEX_PUSH_H_
