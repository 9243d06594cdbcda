// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/spline.h"

// the last knot that is not behind t; the first and last knots bound the search
static int interval(const double* time, int nknot, double t) {
  int low = 0, high = nknot - 1;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (time[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}

// weights of knots j - 1 .. j + 2; those that do not exist have weight zero
static void cubic(double w[4], const double* time, int nknot, int j, double t) {
  double h = time[j + 1] - time[j], s = (t - time[j]) / h, s2 = s * s, s3 = s2 * s;
  double slope0 = s3 - 2 * s2 + s, slope1 = s3 - s2;
  w[0] = w[3] = 0;
  w[1] = 2 * s3 - 3 * s2 + 1;
  w[2] = 3 * s2 - 2 * s3;

  // the slope at the left knot, times h
  double own0 = j > 0 ? 0.5 * slope0 : slope0, own1 = j + 2 < nknot ? 0.5 * slope1 : slope1;
  w[1] -= own0 + own1;
  w[2] += own0 + own1;
  if (j > 0) {
    double back = 0.5 * slope0 * (h / (time[j] - time[j - 1]));
    w[0] -= back;
    w[1] += back;
  }
  if (j + 2 < nknot) {
    double ahead = 0.5 * slope1 * (h / (time[j + 2] - time[j + 1]));
    w[2] -= ahead;
    w[3] += ahead;
  }
}

mjiSpline mji_splineAt(int order, const double* time, int nknot, double t) {
  mjiSpline s = {.n = 1, .weight = {1}};
  if (nknot == 1 || !(t > time[0])) return s;
  if (t >= time[nknot - 1]) {
    s.first = nknot - 1;
    return s;
  }
  int j = s.first = interval(time, nknot, t);
  if (order == MJI_SPLINE_LINEAR) {
    double part = (t - time[j]) / (time[j + 1] - time[j]);
    return (mjiSpline){j, 2, {1 - part, part}};
  }
  if (order != MJI_SPLINE_CUBIC) return s;
  double w[4];
  cubic(w, time, nknot, j, t);
  int left = j > 0, right = j + 2 < nknot;
  s.first = j - left;
  s.n = 2 + left + right;
  for (int k = 0; k < s.n; k++) s.weight[k] = w[1 - left + k];
  return s;
}
