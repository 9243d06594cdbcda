// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Solvers over lanes: every bit is that of one state, whatever the neighbours are up to.

#include "engine/solve/problems.h"

static void steps(const mjiKernels* k, const mjModel* m, mjData* d) {
  for (int i = 0; i < 20; i++) k->step(m, d, MJI_POSITION, MJI_WANT_ALL);
}

static void check(mjModel* m) {
  const LaneArray arrays[] = {LANE_ARRAY(qpos, (int)m->nq), LANE_ARRAY(qvel, (int)m->nv), LANE_ARRAY(qacc, (int)m->nv),
                              LANE_ARRAY(qfrc_constraint, (int)m->nv)};
  lanes_check(m, steps, arrays, 4);
}

TEST(noslip_has_the_bits_of_one_state) {
  mjModel* m = test_model(kMixed);
  if (!m) return;
  m->opt.noslip_iterations = 5;
  for (int k = 0; k < 6; k++) {
    m->opt.cone = k % 2;
    m->opt.solver = k / 2;
    m->opt.iterations = 20;
    check(m);
  }
  mj_deleteModel(m);
}

// Forward and inverse dynamics are compared for users of one state. That leaves no trace, so lanes go without.
TEST(comparing_with_the_inverse_changes_no_bit) {
  mjModel* m = test_model(kMixed);
  if (!m) return;
  m->opt.enableflags |= mjENBL_FWDINV;
  check(m);
  mj_deleteModel(m);
}

// Contacts between arms fill the factor in some lanes only: sums over its rows must not notice.
TEST(fill_of_neighbours_changes_no_bit) {
  char xml[4000];
  int n = snprintf(xml, sizeof xml, "<mujoco><option solver='Newton' gravity='3 -9 0'/><worldbody>");
  for (int i = 0; i < 4; i++) {
    n += snprintf(
        xml + n, sizeof xml - (size_t)n,
        "<body pos='%g 0 1'><joint type='slide' axis='1 0 0'/>%s<joint type='slide' axis='0 1 0'/>"
        "<geom size='.2'/><body pos='0 .2 .1'><joint axis='1 .3 .2'/><geom size='.2' pos='.1 0 .2'/></body></body>",
        0.6 * i, i % 2 ? "<joint axis='0 .2 1'/>" : "");
  }
  snprintf(xml + n, sizeof xml - (size_t)n, "</worldbody></mujoco>");
  mjModel* m = test_model(xml);
  if (!m) return;
  for (int cone = 0; cone < 2; cone++) {
    m->opt.cone = cone;
    check(m);
  }
  mj_deleteModel(m);
}
