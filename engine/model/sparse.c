// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Structure of the inertia matrix and its relatives. Row i of a matrix over dofs can be nonzero at the
// ancestors of dof i (M, lower triangle) and also at its descendants (D, both triangles). Row b of B
// has the dofs that are above or below body b. Columns ascend. Descendants of a dof are contiguous.

#include "model/sparse.h"

#include <limits.h>

#include "base/memory.h"

static int depthOf(const mjModel* m, int dof) {
  int n = 0;
  for (; dof >= 0; dof = m->dof_parentid[dof]) n++;
  return n;
}

// last dof that moves the body, -1 if none does
static int lastDof(const mjModel* m, int body) {
  while (body && !m->body_dofnum[body]) body = m->body_parentid[body];
  return body ? m->body_dofadr[body] + m->body_dofnum[body] - 1 : -1;
}

// descendants of each dof, itself included
static void countBelow(const mjModel* m, int* below) {
  for (int i = 0; i < m->nv; i++) below[i] = 1;
  for (int i = m->nv - 1; i >= 0; i--) {
    if (m->dof_parentid[i] >= 0) below[m->dof_parentid[i]] += below[i];
  }
}

// dofs of the bodies below a body, itself included: first and number
static void dofsBelow(const mjModel* m, int* first, int* num) {
  for (int b = 0; b < m->nbody; b++) {
    first[b] = m->body_dofadr[b];
    num[b] = m->body_dofnum[b];
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    int p = m->body_parentid[b];
    if (!num[b]) continue;
    num[p] += num[b];
    if (first[p] < 0 || first[b] < first[p]) first[p] = first[b];
  }
}

// ---- inertia matrix, rows of chains (M)

static void fillM(mjModel* m) {
  int madr = 0, cadr = 0;
  for (int i = 0; i < m->nv; i++) {
    int depth = depthOf(m, i);
    m->dof_Madr[i] = madr;
    int n = m->dof_simplenum[i] ? 1 : depth;
    m->M_rownnz[i] = n;
    m->M_rowadr[i] = cadr;
    // qM stores a row the other way round, from the diagonal up to the root
    int k = n - 1, from = madr;
    for (int j = i; k >= 0; j = m->dof_parentid[j], k--, from++) {
      m->M_colind[cadr + k] = j;
      m->mapM2M[cadr + k] = from;
    }
    madr += depth;
    cadr += n;
  }
}

// index of entry (row, col) in M, -1 if it is not stored
static int findM(const mjModel* m, int row, int col) {
  for (int k = 0; k < m->M_rownnz[row]; k++) {
    if (m->M_colind[m->M_rowadr[row] + k] == col) return m->M_rowadr[row] + k;
  }
  return -1;
}

// ---- both triangles (D)

static void fillD(mjModel* m, const int* below) {
  int adr = 0;
  for (int i = 0; i < m->nv; i++) {
    int above = depthOf(m, i) - 1;
    m->D_rowadr[i] = adr;
    m->D_rownnz[i] = above + below[i];
    m->D_diag[i] = above;
    int j = m->dof_parentid[i];
    for (int k = above - 1; k >= 0; k--, j = m->dof_parentid[j]) m->D_colind[adr + k] = j;
    for (int k = 0; k < below[i]; k++) m->D_colind[adr + above + k] = i + k;

    for (int k = 0; k < m->D_rownnz[i]; k++) {
      int col = m->D_colind[adr + k];
      int from = col <= i ? findM(m, i, col) : findM(m, col, i);
      m->mapM2D[adr + k] = from;
      if (col <= i && from >= 0) m->mapD2M[from] = adr + k;
    }
    adr += m->D_rownnz[i];
  }
}

// ---- bodies and dofs (B)

static void fillB(mjModel* m, const int* first, const int* num) {
  int adr = 0;
  for (int b = 0; b < m->nbody; b++) {
    // chain above, without the dofs of the body itself
    int last = b ? lastDof(m, m->body_parentid[b]) : -1;
    int above = depthOf(m, last);
    m->B_rowadr[b] = adr;
    m->B_rownnz[b] = above + num[b];
    for (int k = above - 1; k >= 0; k--, last = m->dof_parentid[last]) m->B_colind[adr + k] = last;
    for (int k = 0; k < num[b]; k++) m->B_colind[adr + above + k] = first[b] + k;
    adr += m->B_rownnz[b];
  }
}

// numbers worked out for each dof and body
typedef struct {
  int* below;
  int *first, *num;
} Scratch;

static int makeScratch(const mjModel* m, Scratch* s) {
  s->below = mji_tryMalloc(((size_t)m->nv + 2 * (size_t)m->nbody) * sizeof(int));
  if (!s->below) return -1;
  s->first = s->below + m->nv;
  s->num = s->first + m->nbody;
  countBelow(m, s->below);
  dofsBelow(m, s->first, s->num);
  return 0;
}

int mji_sparse_count(const mjModel* m, mjModel* sizes) {
  Scratch s;
  if (makeScratch(m, &s)) return -1;
  mjtSize nM = 0, nC = 0, nD = 0, nB = 0;
  for (int i = 0; i < m->nv; i++) {
    int depth = depthOf(m, i);
    nM += depth;
    nC += m->dof_simplenum[i] ? 1 : depth;
    nD += depth - 1 + s.below[i];
  }
  for (int b = 0; b < m->nbody; b++) {
    nB += s.num[b] + (b ? depthOf(m, lastDof(m, m->body_parentid[b])) : 0);
  }
  mju_free(s.below);
  if (nM > INT_MAX || nD > INT_MAX || nB > INT_MAX) return -1;
  sizes->nM = (int)nM;
  sizes->nC = (int)nC;
  sizes->nD = (int)nD;
  sizes->nB = (int)nB;
  return 0;
}

int mji_sparse_fill(mjModel* m) {
  Scratch s;
  if (makeScratch(m, &s)) return -1;
  fillM(m);
  fillD(m, s.below);
  fillB(m, s.first, s.num);
  mju_free(s.below);
  return 0;
}
