// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The search for a minimum along a line, on functions made of pieces of parabolas.

#include <math.h>

#include "solve/bracket.h"
#include "support/lanes.h"
#include "support/test.h"

enum { NPIECE = 12 };

// a parabola, and one-sided ones like those of limits and contacts
typedef struct {
  mjtNum at[NPIECE], weight[NPIECE];
} Convex;

static Convex randomConvex(uint64_t* seed) {
  Convex f;
  for (int i = 0; i < NPIECE; i++) {
    f.at[i] = 5 + 5 * lanes_random(seed);
    f.weight[i] = pow(10, 2 * lanes_random(seed));
  }
  return f;
}

static mjiLinePoint valueAt(const Convex* f, mjtNum step) {
  mjiLinePoint r = {step, 0.05 * step * step - step, 0.1 * step - 1, 0.1};
  for (int i = 0; i < NPIECE; i++) {
    mjtNum x = step - f->at[i];
    if (x < 0) continue;
    r.cost += 0.5 * f->weight[i] * x * x;
    r.slope += f->weight[i] * x;
    r.curvature += f->weight[i];
  }
  return r;
}

// evaluations that were really made
static int solve(const Convex* f, mjtNum gtol, int maxeval, mjiLineSearch* s) {
  mjiLinePoint start = valueAt(f, 0), first = valueAt(f, mji_bracket_newton(&start));
  int n = 2;
  for (int more = mji_bracket_begin(s, &start, &first, gtol, 2, maxeval); more; n++) {
    mjiLinePoint at = valueAt(f, s->ask);
    more = mji_bracket_next(s, &at);
  }
  return n;
}

TEST(finds_the_minimum) {
  uint64_t seed = 5;
  int bracketed = 0;
  for (int k = 0; k < 500; k++) {
    Convex f = randomConvex(&seed);
    mjiLineSearch s;
    int n = solve(&f, 1e-9, 100, &s);
    CHECK(fabs(valueAt(&f, s.found.step).slope) < 1e-9);
    CHECK(n <= s.neval && s.neval < 40);
    bracketed += n > 4;
  }
  CHECK(bracketed > 50);
}

// A search that may not evaluate often keeps to that, but for points that complete a bracket. Within
// a bracket it ends at the better end or where it began; before, a Newton step may go too far.
TEST(few_evaluations) {
  uint64_t seed = 7;
  int still = 0, moved = 0, raised = 0;
  for (int k = 0; k < 2000; k++) {
    Convex f = randomConvex(&seed);
    mjiLineSearch s;
    int maxeval = 1 + k % 9, n = solve(&f, 1e-9, maxeval, &s);
    CHECK(n <= (maxeval > 2 ? maxeval : 2) + 3);
    CHECK(valueAt(&f, s.found.step).slope == s.found.slope);
    if (n > maxeval && maxeval > 2) CHECK(s.found.cost <= 0);
    still += s.found.step == 0;
    moved += s.found.cost < 0;
    raised += s.found.cost > 0;
  }
  CHECK(still > 20);
  CHECK(moved > 300);
  CHECK(raised < moved);
}

// slopes that never are small enough: the search ends where numbers do
TEST(ends_without_a_tolerance) {
  uint64_t seed = 9;
  for (int k = 0; k < 200; k++) {
    Convex f = randomConvex(&seed);
    mjiLineSearch s, exact;
    solve(&f, 1e-9, 100, &exact);
    int n = solve(&f, 0, 1000000000, &s);
    CHECK(n < 200);
    CHECK_NEAR(s.found.step, exact.found.step, 1e-6);
  }
}

TEST(keeps_a_first_step_that_has_converged) {
  mjiLinePoint start = {0, 0, -1, 1}, first = {1, -0.5, 1e-12, 1};
  mjiLineSearch s;
  CHECK(!mji_bracket_begin(&s, &start, &first, 1e-9, 2, 50));
  CHECK(s.found.step == 1);
  CHECK(s.neval == 2);
}

// a cost that seems to rise where its slope says otherwise is rounding; a real rise begins anew
TEST(rounding_is_no_rise) {
  mjiLinePoint start = {0, 100, -1e-9, 1}, first = {1, 100 + 1e-13, 1e-15, 1};
  mjiLineSearch s;
  mji_bracket_begin(&s, &start, &first, 1e-20, 2, 50);
  CHECK(s.near.step != 0 || s.far.step == 1);

  mjiLinePoint above = {1, 101, 3, 1};
  CHECK(mji_bracket_begin(&s, &start, &above, 1e-20, 2, 50));
  CHECK(s.far.step == 0);
  CHECK_NEAR(s.ask, 1e-9, 1e-20);
}
