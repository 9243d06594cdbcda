// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How rotation vectors follow small turns. Include lanes/lanes.h first.
#ifndef SHEAF_DERIVE_TURN_MAP_H_
#define SHEAF_DERIVE_TURN_MAP_H_

#include "dynamics/spatial.h"

// (x/2) cot(x/2) for a square x^2
static inline V halfCot(V square) {
  M small = v_lt(square, v_set1(1e-4));
  V half = 0.5 * v_sqrt(v_sel(small, v_set1(1), square)), sine, cosine;
  v_sincos(half, &sine, &cosine);
  V series = 1.0 - square * (1.0 / 12) * (1.0 + square * (1.0 / 60) * (1.0 + square * (1.0 / 42)));
  return v_sel(small, series, half * cosine / v_sel(small, v_set1(1), sine));
}

// With u the rotation vector of q: d u / d w of q exp(w), a 3 x 3 matrix. That of exp(w) q is the transpose.
//   1 + [u]/2 + (1 - (x/2) cot(x/2)) / x^2 [u][u],   x = |u|
static inline void logSlope(const V u[3], V out[9]) {
  V square = dot3(u, u);
  M small = v_lt(square, v_set1(1e-4));
  V quotient = (1.0 - halfCot(square)) / v_sel(small, v_set1(1), square);
  V series = (1.0 / 12) * (1.0 + square * (1.0 / 60) * (1.0 + square * (1.0 / 42)));
  V factor = v_sel(small, series, quotient);
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) out[3 * r + c] = factor * (u[r] * u[c] - (r == c ? square : v_zero()));
    out[4 * r] = out[4 * r] + 1.0;
    int next = (r + 1) % 3, last = (r + 2) % 3;
    out[3 * r + next] = out[3 * r + next] - 0.5 * u[last];
    out[3 * r + last] = out[3 * r + last] + 0.5 * u[next];
  }
}

#endif  // SHEAF_DERIVE_TURN_MAP_H_
