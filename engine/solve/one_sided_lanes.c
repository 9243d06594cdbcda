// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One-sided rows over lanes.

#include "lanes/lanes.h"

#include "solve/one_sided.h"

V LANE(oneSidedCost)(const V* restrict D, const V* restrict jar, V* restrict force, int start, int end, V cost) {
  for (int i = start; i < end; i++) {
    V f = -D[i] * v_min(jar[i], v_zero());
    cost = cost - 0.5 * f * v_min(jar[i], v_zero());
    if (force) force[i] = v_and(v_lt(jar[i], v_zero()), f);
  }
  return cost;
}

void LANE(oneSidedLine)(const V* restrict D, const V* restrict jar, const V* restrict jv, V step, int start, int end,
                        LANE(Line)* line) {
  LANE(Line) r = *line;
  V twice = v_zero();
  for (int i = start; i < end; i++) {
    V x = v_min(jar[i] + step * jv[i], v_zero());
    V t = D[i] * x;
    twice = twice + t * x;
    r.slope = r.slope + t * jv[i];
    r.curvature = r.curvature + v_and(v_lt(x, v_zero()), D[i] * jv[i] * jv[i]);
  }
  r.cost = r.cost + 0.5 * twice;
  *line = r;
}
