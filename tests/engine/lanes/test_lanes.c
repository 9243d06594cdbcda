// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include "lanes/lanes.h"

// distance in units of the last place of want
static double ulps(double got, double want) {
  double place = nextafter(fabs(want), INFINITY) - fabs(want);
  return fabs(got - want) / place;
}

// results that are not the nearest number, judged by more digits, and the worst distance to libm
static int countRounded(double from, double to, int n, double* worst) {
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    double x = from + (to - from) * (i + 0.377) / n, s, c;
    v_sincos(x, &s, &c);
    wrong += s != (double)sinl(x);
    wrong += c != (double)cosl(x);
    *worst = fmax(*worst, fmax(ulps(s, sin(x)), ulps(c, cos(x))));
  }
  return wrong;
}

TEST(sincos_is_rounded_correctly_as_a_rule) {
  double worst = 0;
  CHECK(countRounded(-0.8, 0.8, 50000, &worst) < 50);
  CHECK(countRounded(-40, 40, 50000, &worst) < 50);
  CHECK(countRounded(9e4, 1e5, 50000, &worst) < 50);
  CHECK(worst <= 1);
}

TEST(sincos_of_special_numbers) {
  double s, c;
  v_sincos(0, &s, &c);
  CHECK(s == 0 && c == 1);
  v_sincos(1e300, &s, &c);
  CHECK(s == sin(1e300) && c == cos(1e300));
  v_sincos(NAN, &s, &c);
  CHECK(isnan(s) && isnan(c));
  v_sincos(INFINITY, &s, &c);
  CHECK(isnan(s) && isnan(c));
}

TEST(sincos_is_odd_and_even) {
  for (double x = 0; x < 20; x += 0.37) {
    double s, c, ms, mc;
    v_sincos(x, &s, &c);
    v_sincos(-x, &ms, &mc);
    CHECK(ms == -s && mc == c);
  }
}

TEST(masks_choose_bits) {
  CHECK_EQ(v_sel(v_lt(1, 2), 3, 4), 3);
  CHECK_EQ(v_sel(v_lt(NAN, 2), 3, 4), 4);
  CHECK(m_any(v_le(2, 2)) && !m_any(v_gt(2, 2)) && m_all(v_ge(2, 2)));
  CHECK(v_and(m_none(), NAN) == 0);
  CHECK(v_min(1, 2) == 1 && v_max(1, 2) == 2 && v_abs(-3) == 3 && v_clip(5, 0, 4) == 4);
}
