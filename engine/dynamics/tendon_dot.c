// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Time derivative of the moment arms of tendons, for one state.

#include "dynamics/tendon_length.h"

// Add the segment between two sites to a row of dJ/dt. Its moment arm is direction * J of the ends; both factors
// change: the dofs turn (mj_jacDot), and the direction turns (dirdot).
static void addSegmentDot(const mjModel* m, mjData* d, mjtNum* rowdot, const int site[2], mjtNum divisor, mjtNum* jac) {
  int nv = (int)m->nv;
  mjtNum dir[3], dirdot[3], vel[12];
  mju_sub3(dir, d->site_xpos + 3 * site[1], d->site_xpos + 3 * site[0]);
  mjtNum length = mju_normalize3(dir);

  // rate of the unit vector: the part of the relative velocity across it, divided by the length
  for (int k = 0; k < 2; k++) mj_objectVelocity(m, d, mjOBJ_SITE, site[k], vel + 6 * k, 0);
  mju_sub3(dirdot, vel + 9, vel + 3);
  mju_addToScl3(dirdot, dir, -mju_dot3(dir, dirdot));
  mju_scl3(dirdot, dirdot, length > mjMINVAL ? 1 / length : 0);

  for (int k = 0; k < 2; k++) {
    mjtNum sign = (k ? 1 : -1) / divisor;
    const mjtNum* point = d->site_xpos + 3 * site[k];
    int body = m->site_bodyid[site[k]];
    mj_jacDot(m, d, jac, NULL, point, body);
    for (int i = 0; i < 3; i++) mju_addToScl(rowdot, jac + i * nv, sign * dir[i], nv);
    mj_jac(m, d, jac, NULL, point, body);
    for (int i = 0; i < 3; i++) mju_addToScl(rowdot, jac + i * nv, sign * dirdot[i], nv);
  }
}

void mji_tendon_jacDot(const mjModel* m, mjData* d, int tendon, mjtNum* rowdot) {
  int adr = m->tendon_adr[tendon], last = adr + m->tendon_num[tendon] - 1;
  mjtNum divisor = 1;
  mju_zero(rowdot, (int)m->nv);
  if (m->wrap_type[adr] == mjWRAP_JOINT) return;

  mj_markStack(d);
  mjtNum* jac = mj_stackAllocNum(d, 3 * (size_t)m->nv);
  for (int w = adr; w < last; w++) {
    int type = m->wrap_type[w];
    if (type == mjWRAP_PULLEY) divisor = m->wrap_prm[w];
    if (type == mjWRAP_SPHERE || type == mjWRAP_CYLINDER) {
      mju_error("tendon %d: armature with geom wrapping is not supported", tendon);
    }
    const int* site = m->wrap_objid + w;
    if (type != mjWRAP_SITE || m->wrap_type[w + 1] != mjWRAP_SITE) continue;
    if (m->site_bodyid[site[0]] != m->site_bodyid[site[1]]) addSegmentDot(m, d, rowdot, site, divisor, jac);
  }
  mj_freeStack(d);
}
