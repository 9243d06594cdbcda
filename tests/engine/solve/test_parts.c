// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Independent parts of the constraint problem: each is solved as if it were alone, in any lane.
#include "support/lanes_check.h"

// bodies that touch their neighbours in some states and not in others, so that lanes of a group have
// different islands; one falls freely, one hangs and reaches its limit
static const char kRow[] =
    "<mujoco><option timestep='.005' tolerance='1e-9'/><default><geom friction='.7' condim='3'/></default>"
    "<worldbody><geom type='plane' size='9 9 1' pos='0 0 -.35'/>"
    "<body pos='0 0 0'><freejoint/><geom size='.3'/></body>"
    "<body pos='.5 0 0'><freejoint/><geom type='capsule' size='.2 .2' condim='4'/></body>"
    "<body pos='1 0 0'><joint type='slide' axis='1 0 0' range='-.2 .2' frictionloss='.2'/>"
    "<joint axis='0 0 1'/><geom type='box' size='.2 .2 .2'/></body>"
    "<body pos='1.6 0 0'><freejoint/><geom size='.3' condim='6'/></body>"
    "<body pos='2.2 0 .1'><freejoint/><geom type='box' size='.2 .2 .2'/></body>"
    "<body pos='0 9 5'><freejoint/><geom size='.1'/></body>"
    "<body pos='5 0 1'><joint axis='0 1 0' range='-10 10'/><geom size='.1' pos='.5 0 0'/></body>"
    "</worldbody></mujoco>";

static void run(const mjiKernels* k, const mjModel* m, mjData* d) {
  for (int i = 0; i < 4; i++) k->step(m, d, MJI_POSITION, 0);
}

TEST(lanes_with_islands_of_their_own) {
  mjModel* m = test_model(kRow);
  if (!m) return;
  int nv = (int)m->nv;
  const LaneArray array[] = {LANE_ARRAY(qpos, (int)m->nq), LANE_ARRAY(qvel, nv), LANE_ARRAY(qacc, nv),
                             LANE_ARRAY(qacc_warmstart, nv), LANE_ARRAY(qfrc_constraint, nv)};
  for (int solver = mjSOL_CG; solver <= mjSOL_NEWTON; solver++) {
    for (int cone = 0; cone < 2; cone++) {
      m->opt.solver = solver;
      m->opt.cone = cone;
      lanes_check(m, run, array, 5);
    }
  }

  // the states do what they are for
  mjData* d = mj_makeData(m);
  int low = 100, high = 0;
  for (int i = 0; i < LANES_STATES; i++) {
    lanes_state(m, d, (uint64_t)i);
    mj_forward(m, d);
    low = d->nisland < low ? d->nisland : low;
    high = d->nisland > high ? d->nisland : high;
  }
  CHECK(low >= 1 && high >= low + 2);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// two boxes on the floor, the second at a place given
static mjModel* boxes(const char* second) {
  char xml[1000];
  snprintf(xml, sizeof xml,
           "<mujoco><statistic meaninertia='1'/><worldbody><geom type='plane' size='9 9 1'/>"
           "<body pos='0 0 .095'><freejoint/><geom type='box' size='.1 .1 .1'/></body>%s</worldbody>"
           "</mujoco>",
           second);
  return test_model(xml);
}

static void throwBox(mjData* d, int dof, mjtNum speed) {
  d->qvel[dof] = speed;
  d->qvel[dof + 4] = 2 * speed;
}

static void checkAlone(int solver, int cone) {
  mjModel* one = boxes("");
  mjModel* two = boxes(
      "<body pos='2 0 .095'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='4 0 2'><freejoint/><geom type='box' size='.1 .1 .1'/></body>");
  if (!one || !two) return;
  one->opt.solver = two->opt.solver = solver;
  one->opt.cone = two->opt.cone = cone;
  mjData *a = mj_makeData(one), *b = mj_makeData(two);
  throwBox(b, 0, 1);
  throwBox(b, 6, .3);
  b->qacc_warmstart[13] = 7;  // of the box that flies: no use
  mj_forward(two, b);
  CHECK_EQ(b->nisland, 2);
  CHECK(b->solver_niter[0] > 0 && b->solver_niter[0] != b->solver_niter[1]);
  CHECK_EQ(b->qacc[13], b->qacc_smooth[13]);

  for (int i = 0; i < 2; i++) {
    mj_resetData(one, a);
    throwBox(a, 0, i ? .3 : 1);
    mj_forward(one, a);
    CHECK_EQ(a->solver_niter[0], b->solver_niter[i]);
    CHECK_ARRAY(b->qacc + 6 * i, a->qacc, 6, 1e-7);

    // later iterations of conjugate gradients depend on the last bits of positions
    int n = solver == mjSOL_NEWTON ? a->solver_niter[0] - 1 : 1;
    for (int k = 0; k < n; k++) {
      const mjSolverStat *want = a->solver + k, *got = b->solver + i * mjNSOLVER + k;
      CHECK_NEAR(got->improvement, want->improvement, 1e-9);
      CHECK_NEAR(got->gradient, want->gradient, 1e-9);
      if (solver == mjSOL_NEWTON) CHECK_EQ(got->nactive, want->nactive);
    }
  }
  mj_deleteData(a);
  mj_deleteData(b);
  mj_deleteModel(one);
  mj_deleteModel(two);
}

TEST(newton_solves_islands_as_if_alone) {
  checkAlone(mjSOL_NEWTON, mjCONE_PYRAMIDAL);
  checkAlone(mjSOL_NEWTON, mjCONE_ELLIPTIC);
}

TEST(conjugate_gradients_solve_islands_as_if_alone) {
  checkAlone(mjSOL_CG, mjCONE_PYRAMIDAL);
  checkAlone(mjSOL_CG, mjCONE_ELLIPTIC);
}
