// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What tendons do: velocities, springs and dampers, armature.

#include "lanes/lanes.h"

#include "dynamics/spatial.h"
#include "dynamics/tendon_length.h"
#include "dynamics/tendon_row.h"
#include "model/active.h"
#include "model/number.h"
#include "model/work.h"

void LANE(tendonVelocity)(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->ntendon; i++) {
    TendonRow row = tendonRow(m, d, i);
    LANES(d->ten_velocity)[i] = tendonDot(m, &row, CLANES(d->qvel));
  }
}

// ---- springs and dampers

// how far a tendon is outside of the interval in which its spring is slack
static V stretch(const mjModel* m, const mjData* d, int tendon) {
  V length = CLANES(d->ten_length)[tendon];
  const N* slack = NUM(tendon_lengthspring) + 2 * tendon;
  V shorter = v_and(v_lt(length, v_num(slack[0])), length - slack[0]);
  return v_sel(v_gt(length, v_num(slack[1])), length - slack[1], shorter);
}

V LANE(tendonSpringForce)(const mjModel* m, const mjData* d, int tendon) {
  return -NUM(tendon_stiffness)[tendon] * stretch(m, d, tendon);
}

void LANE(tendonPassive)(const mjModel* m, mjData* d) {
  int spring = !mjDISABLED(mjDSBL_SPRING), damper = !mjDISABLED(mjDSBL_DAMPER);
  mjiList tendons = mji_listOf(m, d, MJI_TENDONS);
  for (int k = 0; k < tendons.n; k++) {
    int i = mji_listed(tendons, k);
    if (!m->tendon_stiffness[i] && !m->tendon_damping[i]) continue;
    TendonRow row = tendonRow(m, d, i);
    if (spring && m->tendon_stiffness[i]) {
      tendonAddTo(m, &row, LANE(tendonSpringForce)(m, d, i), LANES(d->qfrc_spring));
    }
    if (damper && m->tendon_damping[i]) {
      tendonAddTo(m, &row, -NUM(tendon_damping)[i] * CLANES(d->ten_velocity)[i], LANES(d->qfrc_damper));
    }
  }
}

V LANE(tendonEnergy)(const mjModel* m, const mjData* d) {
  V energy = v_zero();
  mjiList tendons = mji_listOf(m, d, MJI_TENDONS);
  for (int k = 0; k < tendons.n; k++) {
    int i = mji_listed(tendons, k);
    V x = stretch(m, d, i);
    energy = energy + 0.5 * NUM(tendon_stiffness)[i] * x * x;
  }
  return energy;
}

// ---- armature: inertia along a tendon

// the moment arms of a tendon as nv numbers
static void expandRow(const mjModel* m, const mjData* d, int tendon, V* res) {
  TendonRow row = tendonRow(m, d, tendon);
  zeroN(res, (int)m->nv);
  for (int k = 0; k < row.n; k++) res[tendonColumn(&row, k)] = row.J[k];
}

void LANE(tendonArmature)(const mjModel* m, mjData* d) {
  mj_markStack(d);
  V* row = LANES(mji_stackNum(d, (size_t)m->nv));
  for (int t = 0; t < m->ntendon; t++) {
    if (!m->tendon_armature[t]) continue;
    N armature = NUM(tendon_armature)[t];
    expandRow(m, d, t, row);
    for (int i = 0; i < m->nv; i++) {
      M on = ~v_eq(row[i], v_zero());
      if (!m_any(on)) continue;
      int adr = m->M_rowadr[i], end = adr + m->M_rownnz[i];
      for (int k = adr; k < end; k++) {
        V* entry = LANES(d->M) + k;
        *entry = v_sel(on, *entry + armature * row[i] * row[m->M_colind[k]], *entry);
      }
    }
  }
  mj_freeStack(d);
}

// add the inertia of one tendon times acceleration, without the entries that couple separate branches, because M has no
// place for them
static void addInertialForce(const mjModel* m, const mjData* d, N armature, const V* row, V* qfrc) {
  const V* qacc = CLANES(d->qacc);
  for (int i = 0; i < m->nv; i++) {
    M on = ~v_eq(row[i], v_zero());
    if (!m_any(on)) continue;
    V inertia = armature * row[i];
    int adr = m->M_rowadr[i], end = adr + m->M_rownnz[i];
    for (int k = adr; k < end; k++) {
      int j = m->M_colind[k];
      qfrc[i] = v_sel(on, qfrc[i] + inertia * row[j] * qacc[j], qfrc[i]);
      if (j != i) qfrc[j] = v_sel(on, qfrc[j] + inertia * row[j] * qacc[i], qfrc[j]);
    }
  }
}

void LANE(tendonInertialForce)(const mjModel* m, mjData* d, mjtNum* qfrc) {
  mj_markStack(d);
  V* row = LANES(mji_stackNum(d, (size_t)m->nv));
  for (int t = 0; t < m->ntendon; t++) {
    if (!m->tendon_armature[t]) continue;
    expandRow(m, d, t, row);
    addInertialForce(m, d, NUM(tendon_armature)[t], row, LANES(qfrc));
  }
  mj_freeStack(d);
}

void LANE(tendonBias)(const mjModel* m, mjData* d, mjtNum* qfrc) {
  for (int t = 0; t < m->ntendon; t++) {
    if (n_is(NUM(tendon_armature)[t], 0)) continue;
    TendonRow row = tendonRow(m, d, t);
    tendonAddTo(m, &row, NUM(tendon_armature)[t] * LANE(tendonLengthBias)(m, d, t), LANES(qfrc));
  }
}
