// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The search along a line. With one degree of freedom there is one line, so a single iteration of conjugate
// gradients, which do not know the Hessian, is as good as its search.

#include "engine/solve/problems.h"

enum { NTENDON = 16 };

// a slider with dry friction, and limits of very different strength that set in one after the other
static mjModel* slider(uint64_t* seed) {
  char xml[8000];
  int n = snprintf(xml, sizeof xml,
                   "<mujoco><option tolerance='1e-14' iterations='1' solver='CG'/><worldbody><body>"
                   "<joint name='x' type='slide' axis='1 0 0' frictionloss='.5'/><geom size='.1' mass='1'/></body>"
                   "</worldbody><tendon>");
  for (int i = 0; i < NTENDON; i++) {
    n += snprintf(
        xml + n, sizeof xml - (size_t)n,
        "<fixed limited='true' margin='9' range='%g %g' solreflimit='-1000 -10'><joint joint='x' coef='%g'/></fixed>",
        -9 + fabs(lanes_random(seed)), 9 - fabs(lanes_random(seed)), pow(10, 1.5 * lanes_random(seed)));
  }
  snprintf(xml + n, sizeof xml - (size_t)n, "</tendon></mujoco>");
  return test_model(xml);
}

static void push(mjData* d, uint64_t* seed) {
  d->qvel[0] = 3 * lanes_random(seed);
  d->qfrc_applied[0] = 3000 * lanes_random(seed);
}

TEST(finds_the_minimum) {
  uint64_t seed = 5;
  int most = 0;
  for (int k = 0; k < 200; k++) {
    mjModel* m = slider(&seed);
    if (!m) return;
    mjData* d = mj_makeData(m);
    push(d, &seed);
    m->opt.ls_tolerance = k % 2 ? 1e-2 : 0;  // zero: as exact as numbers allow
    mj_forward(m, d);
    CHECK_EQ(d->solver_niter[0], 1);
    CHECK(residual(m, d) < 1e-8);
    if (d->solver[0].neval > most) most = d->solver[0].neval;
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  CHECK(most > 5 && most < 40);
}

// Two rows of dry friction, of which the first step passes one: from beyond it, Newton's method leads back to the
// start, up to rounding, although the minimum is on the way.
TEST(newton_may_lead_back_to_the_start) {
  mjModel* m = test_model(
      "<mujoco><option tolerance='1e-14' iterations='1' solver='CG' gravity='0 0 0'/><worldbody><body>"
      "<joint name='x' type='slide' axis='1 0 0' frictionloss='1' solreffriction='-1 -.8'/><geom size='.1' "
      "mass='1.3'/></body></worldbody>"
      "<tendon><fixed frictionloss='1' solreffriction='-1 -40'><joint joint='x' coef='1'/></fixed></tendon>"
      "</mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  uint64_t seed = 11;
  for (int k = 0; k < 4000; k++) {
    mj_resetData(m, d);
    d->qvel[0] = 1;
    m->dof_frictionloss[0] = m->tendon_frictionloss[0] = 1 + .1 * lanes_random(&seed);
    mj_forward(m, d);
    CHECK(residual(m, d) < 1e-8);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a search that may not evaluate often keeps to that and does not end higher than it began
TEST(few_evaluations) {
  uint64_t seed = 7;
  int cut = 0, moved = 0;
  for (int k = 0; k < 400; k++) {
    mjModel* m = slider(&seed);
    if (!m) return;
    mjData* d = mj_makeData(m);
    push(d, &seed);
    m->opt.ls_iterations = k % 6;
    mj_forward(m, d);
    if (d->solver_niter[0]) {
      int most = m->opt.ls_iterations > 1 ? m->opt.ls_iterations : 1;
      CHECK(d->solver[0].neval <= 1 + most);
      CHECK(d->solver[0].improvement >= 0);
      moved += d->solver[0].improvement > 0;
    }
    cut += residual(m, d) > 1e-3;
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  CHECK(cut > 100);
  CHECK(moved > 200);
}

// many degrees of freedom: the slope that is left meets the tolerance
TEST(ends_at_its_tolerance) {
  mjModel* m = test_model(kMixed);
  if (!m) return;
  mjData* d = mj_makeData(m);
  m->opt.tolerance = 1e-6;
  m->opt.ls_tolerance = 1e-2;
  for (int k = 0; k < 16; k++) {
    m->opt.solver = k % 2 ? mjSOL_NEWTON : mjSOL_CG;
    m->opt.cone = k / 2 % 2;
    pressed(m, d, (uint64_t)k);
    mj_forward(m, d);
    CHECK(d->solver_niter[0] > 2);
    for (int i = 0; i < d->solver_niter[0]; i++)
      CHECK(d->solver[i].lineslope <= m->opt.tolerance * m->opt.ls_tolerance);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}
