// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Zones of an elliptic friction cone in the scaled coordinates of the solver
// (documentation of MuJoCo: Computation, "Elliptic cones"): N = mu * jar_0 is the normal coordinate, T is the length of
// the vector of friction_j * jar_j. Include lanes/lanes.h first.
#ifndef SHEAF_SOLVE_CONE_H_
#define SHEAF_SOLVE_CONE_H_

#include <mujoco/mujoco.h>

#include "constraint/block_lanes.h"

typedef struct {
  N mu;              // friction of the regularized cone
  V N, T, Tinv;      // Tinv is zero where T is
  V NmT;             // N - mu*T
  V Dm;              // stiffness of the middle zone
  M bottom, middle;  // lanes in these zones; the others are in the top zone, where the contact is free
} Cone;

static inline N coneMu(const mjModel* m, const mjData* d, const mjiBlock* b) {
  return frictionOf(b)[0] * n_sqrt(1.0 / n_max(OPT(impratio)[0], n_set1(mjMINVAL)));
}

// the zone of the dim residuals jar of a block; D0 is the stiffness of its normal row
static inline Cone coneAt(const mjModel* m, const mjData* d, const mjiBlock* b, V D0, const V* jar) {
  Cone c;
  c.mu = coneMu(m, d, b);
  c.N = c.mu * jar[0];
  V TT = v_zero();
  for (int j = 1; j < b->dim; j++) {
    V u = jar[j] * frictionOf(b)[j - 1];
    TT = TT + u * u;
  }
  c.T = v_sqrt(TT);
  M some = v_gt(c.T, v_zero());
  c.Tinv = v_and(some, 1.0 / v_sel(some, c.T, v_set1(1)));
  c.NmT = c.N - c.mu * c.T;
  c.Dm = D0 * (1.0 / (c.mu * c.mu * (1.0 + c.mu * c.mu)));

  M top = v_ge(c.N, c.mu * c.T) | (~some & v_ge(c.N, v_zero()));
  c.bottom = ~top & (v_le(c.mu * c.N + c.T, v_zero()) | (~some & v_lt(c.N, v_zero())));
  c.middle = ~top & ~c.bottom;
  return c;
}

#endif  // SHEAF_SOLVE_CONE_H_
