// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Vectors of the plane in which a path goes round a circle.
#ifndef SHEAF_DYNAMICS_WRAP_CIRCLE_H_
#define SHEAF_DYNAMICS_WRAP_CIRCLE_H_

#include "lanes/lanes.h"

static inline V dot2(const V* a, const V* b) { return a[0] * b[0] + a[1] * b[1]; }

static inline V cross2(const V* a, const V* b) { return a[0] * b[1] - a[1] * b[0]; }

// a vector of length one in the direction of x; the first axis if x has no length
static inline void direct(V* x, int n, V length) {
  M none = v_lt(length, v_set1(mjMINVAL));
  V inv = 1.0 / v_sel(none, v_set1(1), length);
  for (int k = 0; k < n; k++) x[k] = v_sel(none, v_set1(k == 0), x[k] * inv);
}

static inline void direct2(V x[2]) { direct(x, 2, v_sqrt(dot2(x, x))); }

// functions of libm in some lanes only
static inline V acosIn(V x, M in) {
  for (int i = 0; i < SHEAF_LANES; i++) {
    if (m_get(in, i)) v_put(&x, i, acos(v_get(x, i)));
  }
  return x;
}

#endif  // SHEAF_DYNAMICS_WRAP_CIRCLE_H_
