// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/spline.c: splines against the formulas of its header, and what they must reproduce.

#include <mujoco/mujoco.h>

#include "batch/spline.h"
#include "support/test.h"

enum { K = 6 };

static const mjtNum times[K] = {0, 0.5, 2, 2.25, 3, 4.5};

static mjtNum value(int order, int nknot, const mjtNum* p, mjtNum t) {
  mjiSpline s = mji_splineAt(order, times, nknot, t);
  return mji_splineValue(&s, p, 1, 0);
}

// slope at a knot by the formula
static mjtNum slope(const mjtNum* p, int n, int j) {
  mjtNum ahead = j + 1 < n ? (p[j + 1] - p[j]) / (times[j + 1] - times[j]) : 0;
  mjtNum back = j > 0 ? (p[j] - p[j - 1]) / (times[j] - times[j - 1]) : 0;
  return j == 0 ? ahead : j == n - 1 ? back : 0.5 * (ahead + back);
}

TEST(cubic_splines_follow_their_formula) {
  const mjtNum p[K] = {1, -2, 0.5, 3, 3, -1};
  for (int n = 2; n <= K; n++) {
    for (int j = 0; j + 1 < n; j++) {
      for (mjtNum s = 0; s < 1; s += 0.125) {
        mjtNum h = times[j + 1] - times[j], s2 = s * s, s3 = s2 * s;
        mjtNum want = (2 * s3 - 3 * s2 + 1) * p[j] + (s3 - 2 * s2 + s) * h * slope(p, n, j) +
                      (3 * s2 - 2 * s3) * p[j + 1] + (s3 - s2) * h * slope(p, n, j + 1);
        CHECK_NEAR(value(MJI_SPLINE_CUBIC, n, p, times[j] + s * h), want, 1e-14);
      }
    }
  }
}

TEST(splines_pass_through_their_knots_and_hold_beyond_them) {
  const mjtNum p[K] = {1, -2, 0.5, 3, 3, -1};
  for (int order = MJI_SPLINE_ZERO; order <= MJI_SPLINE_CUBIC; order++) {
    for (int j = 0; j < K; j++) CHECK(value(order, K, p, times[j]) == p[j]);
    CHECK(value(order, K, p, -1) == p[0]);
    CHECK(value(order, K, p, 7) == p[K - 1]);
    CHECK(value(order, 1, p, 3) == p[0]);
  }
}

TEST(linear_and_cubic_splines_reproduce_lines_and_zero_order_holds) {
  mjtNum line[K];
  for (int j = 0; j < K; j++) line[j] = 3 - 0.7 * times[j];
  for (mjtNum t = 0; t < 4.5; t += 0.1) {
    CHECK_NEAR(value(MJI_SPLINE_LINEAR, K, line, t), 3 - 0.7 * t, 1e-14);
    CHECK_NEAR(value(MJI_SPLINE_CUBIC, K, line, t), 3 - 0.7 * t, 1e-14);
  }
  CHECK(value(MJI_SPLINE_ZERO, K, line, 1.99) == line[1]);
  CHECK(value(MJI_SPLINE_ZERO, K, line, 2) == line[2]);
}

TEST(values_of_several_controls_are_those_of_each) {
  mjtNum knots[K][2], one[2][K];
  for (int j = 0; j < K; j++) {
    for (int k = 0; k < 2; k++) one[k][j] = knots[j][k] = (mjtNum)((7 * j + 5 * k) % 11);
  }
  for (mjtNum t = 0; t < 5; t += 0.3) {
    mjiSpline s = mji_splineAt(MJI_SPLINE_CUBIC, times, K, t);
    for (int k = 0; k < 2; k++) CHECK(mji_splineValue(&s, knots[0], 2, k) == value(MJI_SPLINE_CUBIC, K, one[k], t));
  }
}
