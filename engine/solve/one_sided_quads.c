// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One-sided rows of one state, four neighbours at once.

#include "lanes/lanes.h"

#include "solve/one_sided.h"
#include "solve/quad.h"

V LANE(oneSidedCost)(const V* D, const V* jar, V* force, int start, int end, V cost) {
  for (int i = start; i < end; i += 4) {
    Quad d = {0}, x = {0};
    int n = end - i;
    if (n > 3) {
      d = CQUAD(D + i);
      x = CQUAD(jar + i);
    } else {
      QUAD_FIRST(d, D + i, n);
      QUAD_FIRST(x, jar + i, n);
    }
    Mask below = x < 0;
    x = QUAD_AND(below, x);
    Quad f = -d * x, term = -(0.5 * f * x);
    cost = QUAD_ADD(cost, term);
    if (!force) continue;
    f = QUAD_AND(below, f);
    if (n > 3) {
      QUAD(force + i) = f;
    } else {
      for (int k = 0; k < n; k++) force[i + k] = f[k];
    }
  }
  return cost;
}

void LANE(oneSidedLine)(const V* D, const V* jar, const V* jv, V step, int start, int end, LANE(Line)* line) {
  LANE(Line) r = *line;
  V twice = 0;
  for (int i = start; i < end; i += 4) {
    Quad d = {0}, j = {0}, v = {0};
    if (i + 3 < end) {
      d = CQUAD(D + i);
      j = CQUAD(jar + i);
      v = CQUAD(jv + i);
    } else {
      QUAD_FIRST(d, D + i, end - i);
      QUAD_FIRST(j, jar + i, end - i);
      QUAD_FIRST(v, jv + i, end - i);
    }
    Quad x = j + step * v;
    Mask below = x < 0;
    x = QUAD_AND(below, x);
    Quad t = d * x;
    Quad square = t * x, slope = t * v, curvature = QUAD_AND(below, d * v * v);
    twice = QUAD_ADD(twice, square);
    r.slope = QUAD_ADD(r.slope, slope);
    r.curvature = QUAD_ADD(r.curvature, curvature);
  }
  r.cost = r.cost + 0.5 * twice;
  *line = r;
}
