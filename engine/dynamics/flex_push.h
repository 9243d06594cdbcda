// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forces of flexes on points of bodies. Include lanes/lanes.h first.
#ifndef SHEAF_DYNAMICS_FLEX_PUSH_H_
#define SHEAF_DYNAMICS_FLEX_PUSH_H_

#include "dynamics/spatial.h"
#include "model/work.h"

// Add to each dof that moves a body the work of a force at a point.
static inline void flexPush(const mjModel* m, const mjData* d, int body, const V* point, const V force[3], V* qfrc) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[body];
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[body];
  V arm[3] = {point[0] - com[0], point[1] - com[1], point[2] - com[2]}, moment[3];
  cross3(moment, arm, force);
  for (int i = 0; i < plan->chain_num[body]; i++) {
    const V* cdof = CLANES(d->cdof) + 6 * chain[i];
    qfrc[chain[i]] = qfrc[chain[i]] + (dot3(cdof, moment) + dot3(cdof + 3, force));
  }
}

// Add the forces of contacts that are springs (flex_passive) to d->qfrc_spring. (flex_contact.c)
void LANE(passiveContacts)(const mjModel* m, mjData* d);

#endif  // SHEAF_DYNAMICS_FLEX_PUSH_H_
