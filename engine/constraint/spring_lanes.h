// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Impedance over lanes. Include lanes/lanes.h first.
#ifndef SHEAF_CONSTRAINT_SPRING_LANES_H_
#define SHEAF_CONSTRAINT_SPRING_LANES_H_

#include "constraint/spring.h"

// c*x^power, and its derivative if slope is given
static inline V powerLaw(const mjiSpring* s, double c, V x, V* slope) {
  if (s->power == 2) {
    if (slope) *slope = 2 * c * x;
    return c * x * x;
  }
  if (slope) *slope = (c * s->power) * v_map2(pow, x, v_set1(s->power - 1));
  return c * v_map2(pow, x, v_set1(s->power));
}

// impedance at a distance x from the margin, dmin <= imp <= dmax; slope (may be NULL) is d imp / d
// x
static inline V impedance(const mjiSpring* s, V x, V* slope) {
  if (slope) *slope = v_zero();
  if (s->invwidth == 0) return v_set1(s->dmin);

  // position on the sigmoid, 0 at the margin and 1 where it saturates
  V u = v_abs(x) * s->invwidth;
  M inside = v_lt(u, v_set1(1)) & v_gt(u, v_zero());
  u = v_min(u, v_set1(1));
  V y = u, dy = v_set1(1);
  if (s->power != 1) {
    M low = v_le(u, v_set1(s->midpoint));
    V dlow, dhigh;
    V below = powerLaw(s, s->low, u, slope ? &dlow : NULL);
    V above = 1.0 - powerLaw(s, s->high, 1.0 - u, slope ? &dhigh : NULL);
    y = v_sel(low, below, above);
    if (slope) dy = v_sel(low, dlow, dhigh);
  }

  double range = s->dmax - s->dmin;
  if (slope) {
    V sign = v_sel(v_lt(x, v_zero()), v_set1(-1), v_set1(1));
    *slope = v_and(inside, dy * sign * (range * s->invwidth));
  }
  return s->dmin + y * range;
}

#endif  // SHEAF_CONSTRAINT_SPRING_LANES_H_
