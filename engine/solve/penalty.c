// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The convex penalty of constraint rows: cost, force and, for elliptic cones, curvature.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block_lanes.h"
#include "model/row_class.h"
#include "model/work.h"
#include "solve/cone.h"
#include "solve/one_sided.h"
#include "solve/primal.h"

// always quadratic: equality
static V equalityRows(const V* restrict D, const V* restrict jar, V* restrict force, int n, V cost) {
  for (int i = 0; i < n; i++) {
    V f = -D[i] * jar[i];
    cost = cost - 0.5 * f * jar[i];
    if (force) force[i] = f;
  }
  return cost;
}

// quadratic near zero, linear beyond: dry friction
static V frictionRows(const mjData* d, const V* restrict jar, V* restrict force, int start, int n, V cost) {
  const V *D = CLANES(d->efc_D), *R = CLANES(d->efc_R), *loss = CLANES(d->efc_frictionloss);
  for (int i = start; i < start + n; i++) {
    V x = jar[i], edge = R[i] * loss[i];
    M below = v_le(x, -edge), above = v_le(edge, x) & ~below;
    V linear = (0.5 * edge - v_abs(x)) * loss[i];
    V quad = 0.5 * D[i] * x * x;
    cost = cost + v_sel(below | above, -linear, quad);
    if (force) force[i] = v_sel(below, loss[i], v_sel(above, -loss[i], -D[i] * x));
  }
  return cost;
}

// elliptic contacts: squared distance to the friction cone
static V coneRows(const mjModel* m, const mjData* d, const mjiBlock* b, const V* jar, V* force, V cost) {
  const V* D = CLANES(d->efc_D) + b->efcadr;
  jar += b->efcadr;
  Cone c = coneAt(m, d, b, D[0], jar);

  // bottom zone: each row quadratic; middle zone: distance along the normal of the cone
  V quad = v_zero();
  for (int j = 0; j < b->dim; j++) quad = quad + 0.5 * D[j] * jar[j] * jar[j];
  cost = cost + v_sel(c.bottom, quad, v_and(c.middle, 0.5 * c.Dm * c.NmT * c.NmT));
  if (!force) return cost;

  force += b->efcadr;
  V f0 = -c.Dm * c.NmT * c.mu;
  force[0] = v_sel(c.bottom, -D[0] * jar[0], v_and(c.middle, f0));
  for (int j = 1; j < b->dim; j++) {
    V f = -f0 * c.Tinv * (jar[j] * frictionOf(b)[j - 1]) * frictionOf(b)[j - 1];
    force[j] = v_sel(c.bottom, -D[j] * jar[j], v_and(c.middle, f));
  }
  return cost;
}

static V blockPenalty(const mjModel* m, const mjData* d, const mjiBlock* b, const V* jar, V* force, V cost) {
  int start = b->efcadr, end = b->efcadr + b->nrow;
  if (b->type == mjCNSTR_EQUALITY) {
    return equalityRows(CLANES(d->efc_D) + start, jar + start, force + start, b->nrow, cost);
  }
  if (mji_isFriction(b->type)) return frictionRows(d, jar, force, start, b->nrow, cost);
  if (b->type == mjCNSTR_CONTACT_ELLIPTIC) return coneRows(m, d, b, jar, force, cost);
  return LANE(oneSidedCost)(CLANES(d->efc_D), jar, force, start, end, cost);
}

void LANE(penaltyOfParts)(const mjModel* m, const mjData* d, const LANE(Parts)* parts, const V* jar, V* force,
                          V* cost) {
  if (parts->nsegment == 1) {
    cost[0] = LANE(penalty)(m, d, jar, force);
    return;
  }
  const mjiWork* w = mji_work(d);
  for (int k = 0; k < parts->n; k++) cost[k] = v_zero();
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    int segment = parts->block[k];
    if (segment < 0) {
      for (int i = b->efcadr; i < b->efcadr + b->nrow; i++) force[i] = v_zero();
      continue;
    }
    V sum = blockPenalty(m, d, b, jar, force, partGet(parts, segment, cost));
    partPut(parts, segment, cost, sum);
  }
}

V LANE(penalty)(const mjModel* m, const mjData* d, const V* jar, V* force) {
  const V* D = CLANES(d->efc_D);
  V cost = equalityRows(D, jar, force, d->ne, v_zero());
  cost = frictionRows(d, jar, force, d->ne, d->nf, cost);

  // without elliptic cones all other rows are alike
  if (m->opt.cone != mjCONE_ELLIPTIC) {
    return LANE(oneSidedCost)(D, jar, force, d->ne + d->nf, d->nefc, cost);
  }
  const mjiWork* w = mji_work(d);
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    if (b->type == mjCNSTR_CONTACT_ELLIPTIC) {
      cost = coneRows(m, d, b, jar, force, cost);
    } else if (mji_isOneSided(b->type)) {
      cost = LANE(oneSidedCost)(D, jar, force, b->efcadr, b->efcadr + b->nrow, cost);
    }
  }
  return cost;
}

void LANE(coneHessian)(const mjModel* m, const mjData* d, const mjiBlock* b, const V* jar, V* hessian) {
  const V* D = CLANES(d->efc_D) + b->efcadr;
  int dim = b->dim;
  Cone c = coneAt(m, d, b, D[0], jar);

  // gradient of N - mu*T with respect to jar, times its scale; then the curvature of T
  V g[6], u[6];
  g[0] = c.mu + v_zero();
  u[0] = v_zero();
  for (int j = 1; j < dim; j++) {
    u[j] = jar[j] * frictionOf(b)[j - 1] * c.Tinv;
    g[j] = -c.mu * u[j] * frictionOf(b)[j - 1];
  }
  V bend = -c.mu * c.NmT * c.Tinv;
  for (int i = 0; i < dim; i++) {
    for (int j = 0; j <= i; j++) {
      V h = g[i] * g[j];
      if (j > 0) {
        V t = -u[i] * u[j] + (i == j ? 1.0 : 0.0);
        h = h + bend * t * (frictionOf(b)[i - 1] * frictionOf(b)[j - 1]);
      }
      h = v_and(c.middle, c.Dm * h);
      if (i == j) h = v_sel(c.bottom, D[i], h);
      hessian[i * dim + j] = h;
      hessian[j * dim + i] = h;
    }
  }
}
