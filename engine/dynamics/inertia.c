// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Joint-space inertia M by composite rigid bodies, and products with it.
//
// Row i of M holds dof i and its ancestors, ascending, the diagonal last; a simple dof, whose
// inertia is constant and coupled with nothing, has only its diagonal.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/inertia.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_length.h"
#include "model/each_span.h"
#include "model/number.h"
#include "model/work.h"

// inertias of subtrees as if they were rigid
static inline void composite(const mjModel* m, mjData* d, mjiSpan s) {
  V* crb = LANES(d->crb);
  copyN(crb + 10 * s.body, CLANES(d->cinert) + 10 * s.body, 10 * (s.body_end - s.body));
  for (int b = s.body_end - 1; b >= s.body; b--) {
    int parent = m->body_parentid[b];
    if (!parent) continue;
    V* restrict to = crb + 10 * parent;
    const V* restrict from = crb + 10 * b;
    for (int k = 0; k < 10; k++) to[k] = to[k] + from[k];
  }
}

// Row of a dof: products of a force with the n motion axes of its ancestors and itself. One state reads the axes from
// `path`, which holds component c of axis k at c*stride + k, so that several are multiplied at once.
static inline void projectOnPath(V* restrict row, const V* restrict path, int stride, const V* force, int n) {
  V f0 = force[0], f1 = force[1], f2 = force[2], f3 = force[3], f4 = force[4], f5 = force[5];
  for (int k = 0; k < n; k++) {
    const V* p = path + k;
    row[k] =
        p[0] * f0 + p[stride] * f1 + p[2 * stride] * f2 + p[3 * stride] * f3 + p[4 * stride] * f4 + p[5 * stride] * f5;
  }
}

// Lanes read them where they are: a copy would push as much out of the near cache.
static inline void projectOnDofs(V* restrict row, const V* restrict cdof, const int* restrict dof, const V* force,
                                 int n) {
  V f[6];
  copyN(f, force, 6);
  for (int k = 0; k < n; k++) row[k] = dot6(cdof + 6 * dof[k], f);
}

// rows of M of the dofs of a span; path has room for the motion axes of all ancestors of a dof
static inline __attribute__((always_inline)) void rowsOfM(const mjModel* m, mjData* d, mjiSpan s, V* path) {
  int stride = m->nv;
  composite(m, d, s);
  for (int i = s.dof; i < s.dof_end; i++) {
    int adr = m->M_rowadr[i], n = m->M_rownnz[i];
    V* row = LANES(d->M) + adr;
    if (m->dof_simplenum[i]) {
      row[0] = v_num(NUM(dof_M0)[i]);
      continue;
    }

    // force that accelerates the subtree along dof i, projected on the ancestors
    const V* cdof = CLANES(d->cdof) + 6 * i;
    V force[6];
    mulInert(force, CLANES(d->crb) + 10 * m->dof_bodyid[i], cdof);
    if (ONE_STATE) {
      for (int c = 0; c < 6; c++) path[c * stride + n - 1] = cdof[c];
      projectOnPath(row, path, stride, force, n);
    } else {
      projectOnDofs(row, CLANES(d->cdof), m->M_colind + adr, force, n);
    }
    row[n - 1] = row[n - 1] + NUM(dof_armature)[i];
  }
}

void LANE(crb)(const mjModel* m, mjData* d) {
  // dofs come depth first, so the axes of all ancestors of a dof stand at the start of one array,
  // which is overwritten from the depth of the dof on
  size_t top = mji_stackTop(d);
  V* path = ONE_STATE ? LANES(mji_stackNum(d, 6 * (size_t)m->nv)) : NULL;
  copyN(LANES(d->crb), CLANES(d->cinert), 10);
  mji_eachSpan(m, d, rowsOfM, path);
  mji_stackBack(d, top);
}

void LANE(makeM)(const mjModel* m, mjData* d) {
  LANE(crb)(m, d);
  if (m->ntendon) LANE(tendonArmature)(m, d);
}

void LANE(mulTree)(const mjModel* m, const V* mat, V* restrict y, const V* restrict x) {
  // each row is used twice: as a row, and as the column above the diagonal
  for (int i = 0; i < m->nv; i++) {
    const V* row = mat + m->M_rowadr[i];
    const int* col = m->M_colind + m->M_rowadr[i];
    int n = m->M_rownnz[i] - 1;
    V xi = x[i], sum = row[n] * xi;
#pragma GCC unroll 4
    for (int k = 0; k < n; k++) {
      int j = col[k];
      V entry = row[k];
      sum = sum + entry * x[j];
      y[j] = y[j] + entry * xi;
    }
    y[i] = sum;
  }
}

void LANE(mulM)(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  LANE(mulTree)(m, CLANES(d->M), LANES(res), CLANES(vec));
}
