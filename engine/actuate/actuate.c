// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Actuation of one state: the public functions, and what has no lane path (tendons, adhesion).

#include "actuate/actuate.h"

#include "lanes/kernels.h"
#include "model/work.h"
#include "dynamics/tendon.h"

void mj_transmission(const mjModel* m, mjData* d) { mji_kernels1()->transmission(m, d); }

void mj_fwdActuation(const mjModel* m, mjData* d) { mji_kernels1()->fwdActuation(m, d); }

int mji_actuator_disabled(const mjModel* m, int actuator) {
  int group = m->actuator_group[actuator];
  return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group));
}

int mji_transmission_tendon(const mjModel* m, mjData* d, int actuator, int* colind,
                            mjtNum* moment) {
  int tendon = m->actuator_trnid[2 * actuator];
  mjtNum gear = m->actuator_gear[6 * actuator];
  d->actuator_length[actuator] = d->ten_length[tendon] * gear;
  int n = mji_tendon_row(m, d, tendon, colind, moment);
  mju_scl(moment, moment, gear, n);
  return n;
}

// add the Jacobian of a point of body b along a direction to a dense row
static void addPointJac(const mjModel* m, const mjData* d, mjtNum* row, int b,
                        const mjtNum point[3], const mjtNum dir[3], mjtNum sign) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[b];
  mjtNum offset[3], wrench[6];
  mju_sub3(offset, point, d->subtree_com + 3 * m->body_rootid[b]);
  mju_cross(wrench, offset, dir);
  mju_copy3(wrench + 3, dir);
  for (int k = 0; k < plan->chain_num[b]; k++) {
    row[chain[k]] += sign * mju_dot(d->cdof + 6 * chain[k], wrench, 6);
  }
}

int mji_transmission_body(const mjModel* m, mjData* d, int actuator, int* colind, mjtNum* moment) {
  int body = m->actuator_trnid[2 * actuator], ncontact = 0, n = 0;
  d->actuator_length[actuator] = 0;

  // sum of the contact normals' Jacobians
  mj_markStack(d);
  mjtNum* row = mj_stackAllocNum(d, m->nv);
  mju_zero(row, m->nv);
  for (int c = 0; c < d->ncon; c++) {
    const mjContact* con = d->contact + c;
    if (con->geom[0] < 0 || con->geom[1] < 0 || con->exclude > 1) continue;
    int b0 = m->geom_bodyid[con->geom[0]], b1 = m->geom_bodyid[con->geom[1]];
    if (b0 != body && b1 != body) continue;
    ncontact++;
    addPointJac(m, d, row, b1, con->pos, con->frame, 1);
    addPointJac(m, d, row, b0, con->pos, con->frame, -1);
  }

  // a positive force pulls the bodies together, shared evenly by the contacts; no gear
  mjtNum scale = ncontact ? -1.0 / ncontact : 0;
  for (int i = 0; i < m->nv; i++) {
    if (row[i] == 0) continue;
    colind[n] = i;
    moment[n++] = row[i] * scale;
  }
  mj_freeStack(d);
  return n;
}

static int anyLimitedTendon(const mjModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_actfrclimited[i]) return 1;
  }
  return 0;
}

void mji_actuator_limitTendons(const mjModel* m, mjData* d) {
  if (!anyLimitedTendon(m)) return;
  mj_markStack(d);
  mjtNum* total = mj_stackAllocNum(d, m->ntendon);
  mju_zero(total, m->ntendon);
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] != mjTRN_TENDON) continue;
    total[m->actuator_trnid[2 * i]] += d->actuator_force[i];
  }
  for (int i = 0; i < m->nu; i++) {
    int tendon = m->actuator_trnid[2 * i];
    if (m->actuator_trntype[i] != mjTRN_TENDON || !m->tendon_actfrclimited[tendon]) continue;
    const mjtNum* range = m->tendon_actfrcrange + 2 * tendon;
    if (total[tendon] < range[0]) d->actuator_force[i] *= range[0] / total[tendon];
    else if (total[tendon] > range[1]) d->actuator_force[i] *= range[1] / total[tendon];
  }
  mj_freeStack(d);
}
