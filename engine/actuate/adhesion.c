// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Transmission of adhesion: a force at the contacts of a body, shared evenly by them, that pulls along their normals.

#include "lanes/lanes.h"

#include "dynamics/spatial.h"
#include "model/contact_lanes.h"
#include "model/work.h"

#include "actuate/actuate.h"

// add the Jacobian of the contact point on body b along the contact's normal to a dense row; lanes that do not have the
// contact have zeros for a normal
static void addNormalJac(const mjModel* m, const mjData* d, V* row, int b, const LANE(Contact)* con, lane_t weight) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[b];
  const V *com = CLANES(d->subtree_com) + 3 * m->body_rootid[b], *pos = (const V*)con->pos, *dir = (const V*)con->frame;
  V offset[3] = {pos[0] - com[0], pos[1] - com[1], pos[2] - com[2]}, moment[3];
  cross3(moment, offset, dir);
  for (int k = 0; k < plan->chain_num[b]; k++) {
    // summed in the order of mju_dot
    const V* w = CLANES(d->cdof) + 6 * chain[k];
    V arm = (w[0] * moment[0] + w[2] * moment[2]) + (w[1] * moment[1] + w[3] * dir[0]);
    row[chain[k]] = row[chain[k]] + weight * (arm + w[4] * dir[1] + w[5] * dir[2]);
  }
}

// sum of the contact normals' Jacobians, and the number of contacts
static V sumNormals(const mjModel* m, const mjData* d, int body, V* row) {
  V ncontact = v_zero();
  for (int c = 0; c < d->ncon; c++) {
    const LANE(Contact)* con = laneContacts(d) + c;
    if (!mji_contactHasSides(m, con->geom) || con->exclude > 1) continue;
    mjiSide first = mji_contactSide(m, con->geom, 0), second = mji_contactSide(m, con->geom, 1);
    if (!mji_sideHasBody(first, body) && !mji_sideHasBody(second, body)) continue;
    ncontact = ncontact + v_and(laneContactOn(con), v_set1(1));
    for (int i = 0; i < second.n; i++) addNormalJac(m, d, row, second.body[i], con, second.weight[i]);
    for (int i = 0; i < first.n; i++) addNormalJac(m, d, row, first.body[i], con, -first.weight[i]);
  }
  return ncontact;
}

int LANE(adhesionMoment)(const mjModel* m, mjData* d, int actuator, int* colind, V* moment) {
  LANES(d->actuator_length)[actuator] = v_zero();
  size_t top = mji_stackTop(d);
  V* row = LANES(mji_stackNum(d, (size_t)m->nv));
  zeroN(row, (int)m->nv);
  V ncontact = sumNormals(m, d, m->actuator_trnid[2 * actuator], row);

  // a positive force pulls the bodies together; no gear
  M any = v_gt(ncontact, v_zero());
  V scale = v_and(any, -1.0 / v_sel(any, ncontact, v_set1(1)));
  int n = 0;
  for (int i = 0; i < m->nv; i++) {
    if (!m_any(~v_eq(row[i], v_zero()))) continue;
    colind[n] = i;
    moment[n++] = row[i] * scale;
  }
  mji_stackBack(d, top);
  return n;
}
