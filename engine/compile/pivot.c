// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models whose first step the reference does not survive: its Newton solver stops where a pivot of a sparse Hessian is
// below mjMINVAL, as it is where joints move the same and nothing but rounding or a tiny armature tells them
// apart. This engine keeps pivots above that and would go on; what is refused there shall be refused here.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"

enum { MAXDENSE = 1000 };    // dofs of a Hessian that is looked at

// a matrix of n rows, the lower triangle, and which entries it has: zeros among them are nothing but numbers
typedef struct {
  size_t n;
  double* x;
  mjtByte* has;
} lowerMatrix;

static void copyInertia(const mjModel* m, const mjData* d, lowerMatrix* A) {
  memset(A->x, 0, A->n * A->n * sizeof(double));
  memset(A->has, 0, A->n * A->n);
  for (int i = 0; i < m->nv; i++) {
    for (int k = 0; k < m->M_rownnz[i]; k++) {
      int adr = m->M_rowadr[i] + k;
      size_t at = (size_t)i * A->n + (size_t)m->M_colind[adr];
      A->x[at] = d->M[adr];
      A->has[at] = 1;
    }
  }
}

// H = M + J'DJ without contacts, and which dofs belong to trees that have constraints; the number of rows of
// constraints. Where the inertia cannot be inverted there are no weights at qpos0, and so no D of any row.
static int addRows(const mjModel* m, const mjData* d, int inverted, lowerMatrix* H, mjtByte* solved) {
  int nrow = 0;
  for (int row = 0; row < d->nefc; row++) {
    if (d->efc_type[row] >= mjCNSTR_CONTACT_FRICTIONLESS) continue;
    nrow++;
    const int* col = d->efc_J_colind + d->efc_J_rowadr[row];
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    double D = inverted ? d->efc_D[row] : NAN;
    for (int a = 0; a < d->efc_J_rownnz[row]; a++) {
      for (int b = 0; b <= a; b++) {
        size_t at = (size_t)col[a] * H->n + (size_t)col[b];
        H->x[at] += J[a] * D * J[b];
        H->has[at] = 1;
      }
      solved[m->dof_treeid[col[a]]] = 1;
    }
  }
  return nrow;
}

// takes row i, the last that is left, out of those before
static void eliminate(lowerMatrix* A, size_t i) {
  const double* row = A->x + i * A->n;
  const mjtByte* has = A->has + i * A->n;
  for (size_t j = 0; j < i; j++) {
    if (!has[j]) continue;
    double t = row[j] / row[i];
    for (size_t k = 0; k <= j; k++) {
      if (!has[k]) continue;
      A->x[j * A->n + k] -= t * row[k];
      A->has[j * A->n + k] = 1;
    }
  }
}

// 0 if a pivot of the inertia is nothing at all
static int isInverted(lowerMatrix* M) {
  for (size_t i = M->n; i-- > 0;) {
    if (M->x[i * M->n + i] == 0) return 0;
    eliminate(M, i);
  }
  return 1;
}

// 1 if a pivot from the last dof to the first is too small; one that is no number is not
static int losesPivot(const mjModel* m, lowerMatrix* H, const mjtByte* solved) {
  int together = (m->opt.disableflags & mjDSBL_ISLAND) != 0;
  for (size_t i = H->n; i-- > 0;) {
    if (!together && !solved[m->dof_treeid[i]]) continue;
    if (H->x[i * H->n + i] < mjMINVAL) return 1;
    eliminate(H, i);
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
  size_t n = (size_t)m->nv;
  lowerMatrix H = {n, mji_vec_alloc(n * n * sizeof(double)), mji_vec_alloc(n * n)};
  mjtByte* solved = mji_vec_alloc((size_t)m->ntree + 1);
  copyInertia(m, d, &H);
  int inverted = isInverted(&H);
  copyInertia(m, d, &H);
  int lost = addRows(m, d, inverted, &H, solved) && losesPivot(m, &H, solved);
  free(solved);
  free(H.has);
  free(H.x);
  return lost;
}
