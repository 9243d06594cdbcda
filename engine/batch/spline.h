// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Controls between knots: a spline is a sum of at most four knots next to each other, with weights that depend on the
// times alone. So weights are computed once for all rows and controls that share the times.
//
// With t in [t[j], t[j+1]], h = t[j+1] - t[j] and s = (t - t[j]) / h the value is
//
//   zero-order  p[j]
//   linear      (1 - s) p[j] + s p[j+1]
//   cubic       (2s^3 - 3s^2 + 1) p[j] + (s^3 - 2s^2 + s) h v[j] + (3s^2 - 2s^3) p[j+1] + (s^3 - s^2) h v[j+1]
//
// where the slope v[j] is the mean of (p[j+1] - p[j]) / (t[j+1] - t[j]) and (p[j] - p[j-1]) / (t[j] - t[j-1]), and at
// the ends the one of them that exists: a cubic Hermite spline with finite differences (Catmull-Rom where knots are
// evenly spaced). Before the first knot and behind the last the value is theirs.
#ifndef SHEAF_BATCH_SPLINE_H_
#define SHEAF_BATCH_SPLINE_H_

#include <stddef.h>

enum { MJI_SPLINE_ZERO = 1, MJI_SPLINE_LINEAR, MJI_SPLINE_CUBIC };

// The value at a time is the sum over k < n of weight[k] times knot first + k, added up in this order.
typedef struct {
  int first, n;
  double weight[4];
} mjiSpline;

// Weights at time t; the times of the nknot knots ascend.
mjiSpline mji_splineAt(int order, const double* time, int nknot, double t);

// Number k of the value; knots are rows of n numbers.
static inline double mji_splineValue(const mjiSpline* s, const double* knots, int n, int k) {
  const double* p = knots + (size_t)s->first * (size_t)n + (size_t)k;
  double x = s->weight[0] * p[0];
  for (int i = 1; i < s->n; i++) x += s->weight[i] * p[(size_t)i * (size_t)n];
  return x;
}

#endif  // SHEAF_BATCH_SPLINE_H_
