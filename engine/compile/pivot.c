// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models whose first step the reference does not survive: its Newton solver stops where a pivot of a sparse Hessian is
// below mjMINVAL, as it is where joints move the same and nothing but rounding or a tiny armature tells them
// apart. This engine keeps pivots above that and would go on; what is refused there shall be refused here.

#include <math.h>
#include <stdlib.h>

#include "compile/compile.h"

enum { MAXDENSE = 1000 };    // dofs of a Hessian that is looked at

// H = M + J'DJ in rows of n, without contacts, and which dofs belong to trees that have constraints; the number of
// rows of constraints
static int makeHessian(const mjModel* m, const mjData* d, double* H, mjtByte* solved) {
  size_t n = (size_t)m->nv;
  for (int i = 0; i < m->nv; i++) {
    for (int k = 0; k < m->M_rownnz[i]; k++) {
      int adr = m->M_rowadr[i] + k;
      H[(size_t)i * n + (size_t)m->M_colind[adr]] = d->M[adr];
    }
  }
  int nrow = 0;
  for (int row = 0; row < d->nefc; row++) {
    if (d->efc_type[row] >= mjCNSTR_CONTACT_FRICTIONLESS) continue;
    nrow++;
    const int* col = d->efc_J_colind + d->efc_J_rowadr[row];
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    double D = isnan(d->efc_diagApprox[row]) ? NAN : d->efc_D[row];
    for (int a = 0; a < d->efc_J_rownnz[row]; a++) {
      for (int b = 0; b <= a; b++) H[(size_t)col[a] * n + (size_t)col[b]] += J[a] * D * J[b];
      solved[m->dof_treeid[col[a]]] = 1;
    }
  }
  return nrow;
}

// 1 if a pivot from the last dof to the first is too small
static int losesPivot(const mjModel* m, double* H, const mjtByte* solved) {
  size_t n = (size_t)m->nv;
  int together = (m->opt.disableflags & mjDSBL_ISLAND) != 0;
  for (size_t i = n; i-- > 0;) {
    if (!together && !solved[m->dof_treeid[i]]) continue;
    const double* row = H + i * n;
    if (row[i] < mjMINVAL) return 1;
    for (size_t j = 0; j < i; j++) {
      double t = row[j] / row[i];
      for (size_t k = 0; row[j] != 0 && k <= j; k++) H[j * n + k] -= row[k] != 0 ? t * row[k] : 0;
    }
  }
  return 0;
}

// The Hessian adds to the inertia, so it is looked at only where that has such pivots.
int mji_pivot_isLost(const mjModel* m, const mjData* d) {
  if (m->opt.solver != mjSOL_NEWTON || !mj_isSparse(m) || !d->nefc || !d->efc_J || m->nv > MAXDENSE) {
    return 0;
  }
  int small = 0;
  for (int i = 0; i < m->nv; i++) {
    small += !(d->qLD[m->M_rowadr[i] + m->M_rownnz[i] - 1] >= 10 * mjMINVAL);
  }
  if (!small) return 0;
  double* H = mji_vec_alloc((size_t)m->nv * (size_t)m->nv * sizeof(double));
  mjtByte* solved = mji_vec_alloc((size_t)m->ntree + 1);
  int lost = makeHessian(m, d, H, solved) && losesPivot(m, H, solved);
  free(solved);
  free(H);
  return lost;
}
