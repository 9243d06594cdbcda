// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include "lanes/lanes.h"

// distance in units of the last place of want
static double ulps(double got, double want) {
  double place = nextafter(fabs(want), INFINITY) - fabs(want);
  return fabs(got - want) / place;
}

static double worstUlps(double from, double to, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double x = from + (to - from) * i / (n - 1), s, c;
    v_sincos(x, &s, &c);

    // near a zero the error is absolute, of the size of the reduction's
    if (fabs(sin(x)) > 1e-3) worst = fmax(worst, ulps(s, sin(x)));
    if (fabs(cos(x)) > 1e-3) worst = fmax(worst, ulps(c, cos(x)));
    worst = fmax(worst, fabs(s * s + c * c - 1) / 2.5e-16);
  }
  return worst;
}

TEST(sincos_is_good_to_two_places) {
  CHECK(worstUlps(-0.8, 0.8, 20001) <= 2);
  CHECK(worstUlps(-40, 40, 40001) <= 2);
  CHECK(worstUlps(9e4, 1e5, 20001) <= 2);
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
