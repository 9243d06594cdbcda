// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "lanes/lanes.h"

#include "constraint/side_rows.h"
#include "model/work.h"

// ---- columns

// number of leading dofs that the chain of a body shares with n dofs
static int shared(const mjiPlan* plan, int body, const int* dof, int n) {
  const int* chain = plan->chain_ind + plan->chain_adr[body];
  int k = 0;
  while (k < n && k < plan->chain_num[body] && chain[k] == dof[k]) k++;
  return k;
}

// Number of dofs that move all bodies. They begin each chain, because all chains come from one root.
static int commonDofs(const mjiPlan* plan, const LANE(Side) side[2]) {
  if (!side[0].n || !side[1].n) return 0;
  const int* first = plan->chain_ind + plan->chain_adr[side[0].body[0]];
  int n = plan->chain_num[side[0].body[0]];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < side[k].n; i++) n = shared(plan, side[k].body[i], first, n);
  }
  return n;
}

// add ascending dofs to n others, each once; returns how many there are
static int merge(int* col, int n, const int* dof, int ndof) {
  int nnew = 0;
  for (int i = 0, k = 0; i < ndof; i++) {
    while (k < n && col[k] < dof[i]) k++;
    nnew += k == n || col[k] != dof[i];
  }

  // merge from the end, so that no entry is overwritten before it is moved
  int to = n + nnew - 1, i = ndof - 1, k = n - 1;
  while (i >= 0) {
    if (k >= 0 && col[k] > dof[i]) {
      col[to--] = col[k--];
    } else {
      if (k >= 0 && col[k] == dof[i]) k--;
      col[to--] = dof[i--];
    }
  }
  return n + nnew;
}

int LANE(sideColumns)(const mjModel* m, const LANE(Side) side[2], int* col) {
  const mjiPlan* plan = mji_plan(m);
  int ncommon = commonDofs(plan, side), n = 0;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < side[k].n; i++) {
      int body = side[k].body[i];
      n = merge(col, n, plan->chain_ind + plan->chain_adr[body] + ncommon, plan->chain_num[body] - ncommon);
    }
  }
  return n;
}

// ---- rows

static inline V dot(const V* a, const V* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// add what one body contributes, times a factor
static void addBody(const mjModel* m, const mjData* d, const V pos[3], const V frame[9], int dim, int body, V factor,
                    const int* col, int ncol, V* J) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[body];
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[body];
  V off[3] = {pos[0] - com[0], pos[1] - com[1], pos[2] - com[2]};
  for (int i = 0, c = 0; i < plan->chain_num[body]; i++) {
    while (c < ncol && col[c] < chain[i]) c++;
    if (c == ncol || col[c] != chain[i]) continue;  // moves all bodies
    const V *w = CLANES(d->cdof) + 6 * chain[i], *v = w + 3;
    V u[3] = {v[0] + (w[1] * off[2] - w[2] * off[1]), v[1] + (w[2] * off[0] - w[0] * off[2]),
              v[2] + (w[0] * off[1] - w[1] * off[0])};
    for (int r = 0; r < dim; r++) {
      V entry = dot(frame + 3 * (r % 3), r < 3 ? u : w);
      J[r * ncol + c] = J[r * ncol + c] + factor * entry;
    }
  }
}

void LANE(sideRows)(const mjModel* m, const mjData* d, const V pos[3], const V frame[9], int dim,
                    const LANE(Side) side[2], const int* col, int ncol, V* J) {
  for (int i = 0; i < dim * ncol; i++) J[i] = v_zero();
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < side[k].n; i++) {
      addBody(m, d, pos, frame, dim, side[k].body[i], k ? side[k].weight[i] : -side[k].weight[i], col, ncol, J);
    }
  }
}
