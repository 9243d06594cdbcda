// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What tendons do: velocities, springs and dampers, armature.

#include "dynamics/tendon.h"

#include "model/sleep.h"
#include "model/work.h"

mjtNum mji_tendon_dot(const mjModel* m, const mjData* d, int tendon, const mjtNum* vec) {
  if (!mj_isSparse(m)) return mju_dot(d->ten_J + (size_t)tendon * m->nv, vec, m->nv);
  mjtNum sum = 0;
  int adr = d->ten_J_rowadr[tendon], end = adr + d->ten_J_rownnz[tendon];
  for (int k = adr; k < end; k++) sum += d->ten_J[k] * vec[d->ten_J_colind[k]];
  return sum;
}

void mji_tendon_addTo(const mjModel* m, const mjData* d, int tendon, mjtNum factor, mjtNum* res) {
  if (!mj_isSparse(m)) {
    mju_addToScl(res, d->ten_J + (size_t)tendon * m->nv, factor, m->nv);
    return;
  }
  int adr = d->ten_J_rowadr[tendon], end = adr + d->ten_J_rownnz[tendon];
  for (int k = adr; k < end; k++) res[d->ten_J_colind[k]] += factor * d->ten_J[k];
}

int mji_tendon_row(const mjModel* m, const mjData* d, int tendon, int* ind, mjtNum* val) {
  int sparse = mj_isSparse(m), nnz = 0;
  size_t adr = sparse ? (size_t)d->ten_J_rowadr[tendon] : (size_t)tendon * m->nv;
  int n = sparse ? d->ten_J_rownnz[tendon] : m->nv;
  for (int k = 0; k < n; k++) {
    if (!sparse && d->ten_J[adr + k] == 0) continue;
    ind[nnz] = sparse ? d->ten_J_colind[adr + k] : k;
    val[nnz++] = d->ten_J[adr + k];
  }
  return nnz;
}

void mji_tendon_velocity(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->ntendon; i++) d->ten_velocity[i] = mji_tendon_dot(m, d, i, d->qvel);
}

// how far a tendon is outside of the interval in which its spring is slack
static mjtNum stretch(const mjModel* m, const mjData* d, int tendon) {
  mjtNum length = d->ten_length[tendon];
  const mjtNum* slack = m->tendon_lengthspring + 2 * tendon;
  if (length > slack[1]) return length - slack[1];
  if (length < slack[0]) return length - slack[0];
  return 0;
}

mjtNum mji_tendon_springForce(const mjModel* m, const mjData* d, int tendon) {
  return -m->tendon_stiffness[tendon] * stretch(m, d, tendon);
}

void mji_tendon_passive(const mjModel* m, mjData* d) {
  int spring = !(m->opt.disableflags & mjDSBL_SPRING);
  int damper = !(m->opt.disableflags & mjDSBL_DAMPER);
  for (int i = 0; i < m->ntendon; i++) {
    if (spring && m->tendon_stiffness[i]) {
      mji_tendon_addTo(m, d, i, mji_tendon_springForce(m, d, i), d->qfrc_spring);
    }
    if (damper && m->tendon_damping[i]) {
      mji_tendon_addTo(m, d, i, -m->tendon_damping[i] * d->ten_velocity[i], d->qfrc_damper);
    }
  }
}

mjtNum mji_tendon_energy(const mjModel* m, const mjData* d) {
  mjtNum energy = 0;
  int sleeping = mji_sleep_any(m, d);
  for (int i = 0; i < m->ntendon; i++) {
    if (sleeping && mji_sleep_ofTendon(m, d, i) == mjS_ASLEEP) continue;
    mjtNum x = stretch(m, d, i);
    energy += 0.5 * m->tendon_stiffness[i] * x * x;
  }
  return energy;
}

void mji_tendon_armature(const mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtNum* row = mj_stackAllocNum(d, m->nv);
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum armature = m->tendon_armature[t];
    if (!armature) continue;
    mju_zero(row, m->nv);
    mji_tendon_addTo(m, d, t, 1, row);
    for (int i = 0; i < m->nv; i++) {
      if (!row[i]) continue;
      int adr = m->M_rowadr[i], end = adr + m->M_rownnz[i];
      for (int k = adr; k < end; k++) d->M[k] += armature * row[i] * row[m->M_colind[k]];
    }
  }
  mj_freeStack(d);
}

void mji_tendon_bias(const mjModel* m, mjData* d, mjtNum* qfrc) {
  mj_markStack(d);
  mjtNum* rowdot = mj_stackAllocNum(d, m->nv);
  for (int t = 0; t < m->ntendon; t++) {
    if (!m->tendon_armature[t]) continue;
    mji_tendon_jacDot(m, d, t, rowdot);
    mji_tendon_addTo(m, d, t, m->tendon_armature[t] * mju_dot(rowdot, d->qvel, m->nv), qfrc);
  }
  mj_freeStack(d);
}
