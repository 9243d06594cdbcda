// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constraint forces near a given acceleration, block by block.
//
// Base rows of a block have a residual y = J (a + B v) + bias, and a force f(y) with -df/dy = S: the weights of rows,
// those of pyramid edges folded together, or the Hessian of a cone.

#include "lanes/lanes.h"

#include "base/checkpoint.h"
#include "constraint/block_lanes.h"
#include "constraint/block_ops.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/work.h"
#include "solve/primal.h"

void LANE(rowResiduals)(const mjModel* m, const mjData* d, V* jar, const V* qacc) {
  LANE(blockMulJ)(m, d, jar, qacc);
  for (int i = 0; i < d->nefc; i++) jar[i] = jar[i] - CLANES(d->efc_aref)[i];
}

// weights w of the edges J_0 +- mu_k J_k as a matrix over base rows
static void foldEdges(const mjiBlock* b, const V* w, V* slope) {
  int dim = b->dim;
  zeroN(slope, dim * dim);
  for (int k = 1; k < dim; k++) {
    V plus = w[2 * k - 2], minus = w[2 * k - 1];
    N mu = frictionOf(b)[k - 1];
    slope[0] = slope[0] + (plus + minus);
    slope[k] = slope[k * dim] = mu * (plus - minus);
    slope[k * dim + k] = (mu * mu) * (plus + minus);
  }
}

void LANE(blockSlope)(const mjModel* m, const mjData* d, const mjiBlock* b, const V* jar, V* slope) {
  V w[12];
  jar += b->efcadr;
  if (b->type == mjCNSTR_CONTACT_ELLIPTIC) {
    LANE(coneHessian)(m, d, b, jar, slope);
    return;
  }
  LANE(rowWeights)(d, b, jar, w);
  if (b->type == mjCNSTR_CONTACT_PYRAMIDAL) {
    foldEdges(b, w, slope);
    return;
  }
  zeroN(slope, b->dim * b->dim);
  for (int i = 0; i < b->dim; i++) slope[i * b->dim + i] = w[i];
}

// column += J' P, with P (dim x ncol) = S B J
static inline void addProducts(const mjiBlock* b, const V* restrict P, size_t nv, V* column, int dim) {
  const V* restrict J = CLANES(b->J);
  int n = b->ncol;
  for (int k = 0; k < n; k++) {
    V* restrict to = column + (size_t)b->col[k] * nv;
    for (int i = 0; i < n; i++) {
      V t = J[i] * P[k];
      for (int r = 1; r < dim; r++) t = t + J[r * n + i] * P[r * n + k];
      to[b->col[i]] = to[b->col[i]] + t;
    }
  }
}

static void addBlock(const mjModel* m, mjData* d, const mjiBlock* b, const V* jar, int damped, V* column) {
  V slope[36];
  int dim = b->dim, n = b->ncol;
  LANE(blockSlope)(m, d, b, jar, slope);
  M any = m_none();
  for (int i = 0; i < dim; i++) any = any | ~v_eq(slope[i * dim + i], v_zero());
  if (!m_any(any)) return;

  size_t top = mji_stackTop(d);
  V* P = LANES(mji_stackNum(d, (size_t)(dim * n)));
  const V* J = CLANES(b->J);
  for (int r = 0; r < dim; r++) {
    for (int s = 0; s < dim; s++) {
      if (damped) slope[r * dim + s] = slope[r * dim + s] * dampingOf(b, s);
    }
    for (int i = 0; i < n; i++) {
      V t = slope[r * dim] * J[i];
      for (int s = 1; s < dim; s++) t = t + slope[r * dim + s] * J[s * n + i];
      P[r * n + i] = t;
    }
  }
  switch (dim) {
    case 1: addProducts(b, P, (size_t)m->nv, column, 1); break;
    case 3: addProducts(b, P, (size_t)m->nv, column, 3); break;
    default: addProducts(b, P, (size_t)m->nv, column, dim); break;
  }
  mji_stackBack(d, top);
}

void LANE(addBlockSlopes)(const mjModel* m, mjData* d, const V* jar, int damped, V* column) {
  const mjiWork* w = mji_work(d);
  for (int k = 0; k < w->nblock; k++) {
    mji_checkpoint();
    if (w->block[k].ncol) addBlock(m, d, w->block + k, jar, damped, column);
  }
}
