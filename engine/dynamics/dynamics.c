// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Public names of the lane kernels in this folder, for one state.

#include <math.h>

#include "lanes/kernels.h"

#include "dynamics/inertia.h"
#include "model/active.h"
#include "model/timer.h"
#include "model/work.h"

void mj_kinematics(const mjModel* m, mjData* d) { LANE1(kinematics)(m, d); }
void mj_comPos(const mjModel* m, mjData* d) { LANE1(comPos)(m, d); }
void mj_tendon(const mjModel* m, mjData* d) { LANE1(tendon)(m, d); }
void mj_camlight(const mjModel* m, mjData* d) { LANE1(camlight)(m, d); }
void mj_crb(const mjModel* m, mjData* d) { LANE1(crb)(m, d); }

void mj_makeM(const mjModel* m, mjData* d) {
  mji_timer_run(m, d, mjTIMER_POS_INERTIA, LANE1(makeM));
  mji_legacyM(m, d);
}

// add the time to that of mj_makeM; only mj_makeM adds to the count of the timer
void mj_factorM(const mjModel* m, mjData* d) {
  mji_timer_run(m, d, mjTIMER_POS_INERTIA, LANE1(factorM));
  d->timer[mjTIMER_POS_INERTIA].number--;
}

void mj_comVel(const mjModel* m, mjData* d) { LANE1(comVel)(m, d); }
void mj_passive(const mjModel* m, mjData* d) { LANE1(passive)(m, d); }
void mj_subtreeVel(const mjModel* m, mjData* d) { LANE1(subtreeVel)(m, d); }
void mj_rnePostConstraint(const mjModel* m, mjData* d) { LANE1(rnePostConstraint)(m, d); }
void mj_energyPos(const mjModel* m, mjData* d) { LANE1(energyPos)(m, d); }
void mj_energyVel(const mjModel* m, mjData* d) { LANE1(energyVel)(m, d); }

void mj_flex(const mjModel* m, mjData* d) { LANE1(flex)(m, d); }

void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result) { LANE1(rne)(m, d, flg_acc, result); }

void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n) { LANE1(solveM)(m, d, x, y, n); }

void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) { LANE1(mulM)(m, d, res, vec); }

// x = D^-1/2 * L'^-1 * y, half of a solve with M = L' * D * L
void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD, int n) {
  int nv = m->nv;
  if (x != y) mju_copy(x, y, n * nv);
  for (int r = 0; r < n; r++, x += nv) {
    for (int i = nv - 1; i >= 0; i--) {
      if (x[i] == 0) continue;  // rows of constraints have few dofs
      int adr = m->M_rowadr[i], last = m->M_rownnz[i] - 1;
      for (int k = 0; k < last; k++) x[m->M_colind[adr + k]] -= d->qLD[adr + k] * x[i];
    }
    for (int i = 0; i < nv; i++) x[i] *= sqrtInvD[i];
  }
}

// res = D^1/2 * L * vec, so that res' * res = vec' * M * vec
void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  for (int i = 0; i < m->nv; i++) {
    int adr = m->M_rowadr[i], last = m->M_rownnz[i] - 1;
    mjtNum sum = vec[i];
    for (int k = 0; k < last; k++) sum += d->qLD[adr + k] * vec[m->M_colind[adr + k]];
    res[i] = sum * sqrt(d->qLD[adr + last]);
  }
}

// copy the rows of M of dofs that take part in the step
static void legacyRows(const mjModel* m, mjData* d) {
  mjiList dofs = mji_listOf(m, d, MJI_DOFS);
  for (int k = 0; k < dofs.n; k++) {
    int i = mji_listed(dofs, k), adr = m->M_rowadr[i], end = i + 1 < m->nv ? m->dof_Madr[i + 1] : (int)m->nM;
    mju_zero(d->qM + m->dof_Madr[i], end - m->dof_Madr[i]);
    for (int c = adr; c < adr + m->M_rownnz[i]; c++) d->qM[m->mapM2M[c]] = d->M[c];
  }
}

void mji_legacyM(const mjModel* m, mjData* d) {
  if (!mji_allActive(m, d)) {
    legacyRows(m, d);
    return;
  }
  if (m->nC < m->nM) mju_zero(d->qM, m->nM);
  for (int i = 0; i < m->nC; i++) d->qM[m->mapM2M[i]] = d->M[i];
}

// M is in the layout of qM: each dof, then its ancestors one by one
void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M) {
  int nv = m->nv;
  mju_zero(dst, nv * nv);
  for (int i = 0; i < nv; i++) {
    const mjtNum* from = M + m->dof_Madr[i];
    for (int j = i; j >= 0; j = m->dof_parentid[j]) dst[i * nv + j] = dst[j * nv + i] = *from++;
  }
}

// add row i of M to a row whose columns include those of M
static void addRow(const mjModel* m, const mjtNum* M, int i, mjtNum* row, const int* col, int nnz) {
  int adr = m->M_rowadr[i], k = 0;
  for (int c = 0; c < nnz && k < m->M_rownnz[i]; c++) {
    if (col[c] == m->M_colind[adr + k]) row[c] += M[adr + k++];
  }
}

// adds the lower triangle, as the reference does; dst is dense if one of its indices is NULL
void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind) {
  int nv = m->nv;
  for (int i = 0; i < nv; i++) {
    if (rownnz && rowadr && colind) {
      addRow(m, d->M, i, dst + rowadr[i], colind + rowadr[i], rownnz[i]);
      continue;
    }
    int adr = m->M_rowadr[i];
    for (int k = 0; k < m->M_rownnz[i]; k++) {
      dst[i * nv + m->M_colind[adr + k]] += d->M[adr + k];
    }
  }
}
