// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Impedance over lanes. Include lanes/lanes.h first.
#ifndef SHEAF_CONSTRAINT_SPRING_LANES_H_
#define SHEAF_CONSTRAINT_SPRING_LANES_H_

#include "constraint/spring.h"
#include "model/number.h"

// mjiSpring with N for its numbers: lanes share a number, or each has its own
typedef struct {
  N K, B;
  N dmin, dmax;
  N invwidth;
  N midpoint, power;
  N low, high;
} Spring;
_Static_assert(sizeof(Spring) == sizeof(N) / sizeof(mjtNum) * sizeof(mjiSpring), "a Spring is an mjiSpring of N");

// Call mji_spring_init in every lane that has numbers of its own: also the time step, which bounds solref.
static inline int initSpring(const mjModel* m, const mjData* d, const N* solref, const N* solimp, Spring* s) {
  if (!OWN_NUMBERS) return mji_spring_init(m, (const mjtNum*)solref, (const mjtNum*)solimp, (mjiSpring*)(void*)s);
  int mixed = 0;
  for (int lane = 0; lane < NUMBER_LANES; lane++) {
    mjiSpring one = {0};
    mjtNum ref[mjNREF], imp[mjNIMP];
    n_take(ref, solref, mjNREF, lane);
    n_take(imp, solimp, mjNIMP, lane);
    mixed |= mji_spring_init(LANE_MODEL(lane), ref, imp, &one);
    n_put(&s->K, &one.K, sizeof one / sizeof one.K, lane);
  }
  return mixed;
}

// call mji_spring_stiffness in every lane whose solref is not all zeros: another solref for the same impedance
static inline int resetStiffness(const mjModel* m, const mjData* d, const N* solref, Spring* s) {
  int mixed = 0;
  for (int lane = 0; lane < NUMBER_LANES; lane++) {
    mjiSpring one;
    mjtNum ref[mjNREF];
    n_take(ref, solref, mjNREF, lane);
    if (!ref[0] && !ref[1]) continue;
    n_take(&one.K, &s->K, sizeof one / sizeof one.K, lane);
    mixed |= mji_spring_stiffness(LANE_MODEL(lane), ref, &one);
    n_put(&s->K, &one.K, sizeof one / sizeof one.K, lane);
  }
  return mixed;
}

// Select a in the lanes of the mask, else b. The mask marks lanes that would take a shortcut if they ran alone. Lanes
// that share their numbers take the shortcut together before this call, so for them the result is b.
static inline V orElse(M mask, V a, V b) { return OWN_NUMBERS ? v_sel(mask, a, b) : b; }

// c*x^power, and its derivative if slope is given
static inline V powerLaw(const Spring* s, N c, V x, V* slope) {
  V twice = 2 * c * x, square = c * x * x;
  if (n_is(s->power, 2)) {
    if (slope) *slope = twice;
    return square;
  }

  // lanes with power 2 have the short formula, as they would alone
  M two = v_eq(v_num(s->power), v_set1(2));
  if (slope) *slope = orElse(two, twice, (c * s->power) * v_map2(pow, x, v_num(s->power - 1)));
  return orElse(two, square, c * v_map2(pow, x, v_num(s->power)));
}

// impedance at a distance x from the margin, dmin <= imp <= dmax; slope (may be NULL) is d imp / d x
static inline V impedance(const Spring* s, V x, V* slope) {
  if (slope) *slope = v_zero();
  if (n_is(s->invwidth, 0)) return v_num(s->dmin);

  // position on the sigmoid, 0 at the margin and 1 where it saturates
  V u = v_abs(x) * s->invwidth;
  M inside = v_lt(u, v_set1(1)) & v_gt(u, v_zero());
  u = v_min(u, v_set1(1));
  V y = u, dy = v_set1(1);
  if (!n_is(s->power, 1)) {
    M low = v_le(u, v_num(s->midpoint)), straight = v_eq(v_num(s->power), v_set1(1));
    V dlow, dhigh;
    V below = powerLaw(s, s->low, u, slope ? &dlow : NULL);
    V above = 1.0 - powerLaw(s, s->high, 1.0 - u, slope ? &dhigh : NULL);
    y = orElse(straight, u, v_sel(low, below, above));
    if (slope) dy = orElse(straight, dy, v_sel(low, dlow, dhigh));
  }

  // where the width is zero, u is zero, and so is y
  N range = s->dmax - s->dmin;
  if (slope) {
    V sign = v_sel(v_lt(x, v_zero()), v_set1(-1), v_set1(1));
    *slope = v_and(inside, dy * sign * (range * s->invwidth));
  }
  M constant = v_eq(v_num(s->invwidth), v_zero());
  return orElse(constant, v_num(s->dmin), s->dmin + y * range);
}

#endif  // SHEAF_CONSTRAINT_SPRING_LANES_H_
