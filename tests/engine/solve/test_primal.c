// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Newton and conjugate gradients find the one minimum there is, and so does Gauss-Seidel with
// pyramids. (With elliptic cones its moves of one contact at a time may stop short, also in the
// reference.)

#include "engine/solve/problems.h"

static const char* const kSolver[] = {"PGS", "CG", "Newton"};

static void checkSolver(mjModel* m, int cone, int solver, uint64_t seed, const mjtNum* want) {
  mjData* d = mj_makeData(m);
  m->opt.cone = cone;
  m->opt.solver = solver;
  m->opt.iterations = solver == mjSOL_PGS ? 5000 : 500;
  m->opt.tolerance = solver == mjSOL_NEWTON ? 1e-14 : 0;
  pressed(m, d, seed);
  mj_forward(m, d);
  CHECK(d->nefc > 10);

  // conjugate gradients end where the cost no longer falls, which is half of the digits
  mjtNum off = residual(m, d);
  if (!(off < (solver == mjSOL_CG ? 1e-4 : 1e-8))) {
    char text[100];
    snprintf(text, sizeof text, "%s, cone %d, state %d: residual %.3g", kSolver[solver], cone, (int)seed, off);
    test_check(0, __FILE__, __LINE__, text);
  }
  if (want) CHECK_ARRAY(d->qacc, want, (int)m->nv, solver == mjSOL_CG ? 1e-4 : 1e-9);
  mj_deleteData(d);
}

TEST(solvers_agree_and_leave_no_residual) {
  mjModel* m = test_model(kMixed);
  if (!m) return;
  mjData* d = mj_makeData(m);
  for (int cone = 0; cone < 2; cone++) {
    for (uint64_t seed = 0; seed < 4; seed++) {
      m->opt.cone = cone;
      m->opt.solver = mjSOL_NEWTON;
      m->opt.iterations = 500;
      m->opt.tolerance = 1e-14;
      pressed(m, d, seed);
      mj_forward(m, d);
      checkSolver(m, cone, mjSOL_NEWTON, seed, NULL);
      checkSolver(m, cone, mjSOL_CG, seed, d->qacc);
      if (cone == mjCONE_PYRAMIDAL) checkSolver(m, cone, mjSOL_PGS, seed, d->qacc);
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// forces of elliptic contacts lie in their cones; those of pyramids and limits push only
TEST(forces_are_admissible) {
  mjModel* m = test_model(kMixed);
  if (!m) return;
  mjData* d = mj_makeData(m);
  int sliding = 0;
  for (int solver = 0; solver < 3; solver++) {
    m->opt.solver = solver;
    m->opt.cone = mjCONE_ELLIPTIC;
    for (uint64_t seed = 0; seed < 4; seed++) {
      pressed(m, d, seed);
      mj_forward(m, d);
      for (int i = 0; i < d->ncon; i++) {
        const mjContact* c = d->contact + i;
        if (c->efc_address < 0) continue;
        const mjtNum* f = d->efc_force + c->efc_address;
        mjtNum side = 0;
        for (int k = 1; k < c->dim; k++) side += pow(f[k] / c->friction[k - 1], 2);
        CHECK(f[0] >= 0);
        CHECK(sqrt(side) <= f[0] * (1 + 1e-9) + 1e-9);
        sliding += c->dim > 1 && f[0] > 1e-3 && sqrt(side) > 0.999 * f[0];
      }
      for (int i = d->ne; i < d->ne + d->nf; i++) {
        CHECK(fabs(d->efc_force[i]) <= d->efc_frictionloss[i] * (1 + 1e-12));
      }
    }
  }
  CHECK(sliding > 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(a_warm_start_does_not_change_the_answer) {
  mjModel* m = test_model(kMixed);
  if (!m) return;
  mjData* d = mj_makeData(m);
  int nv = (int)m->nv;
  mjtNum* cold = numbers(nv);
  for (int cone = 0; cone < 2; cone++) {
    m->opt.cone = cone;
    pressed(m, d, 1);
    mj_forward(m, d);
    mju_copy(cold, d->qacc, nv);
    int first = d->solver_niter[0];
    uint64_t seed = 9;
    for (int i = 0; i < nv; i++) d->qacc_warmstart[i] = 100 * lanes_random(&seed);
    mj_forward(m, d);
    CHECK_ARRAY(d->qacc, cold, nv, 1e-8);
    mju_copy(d->qacc_warmstart, cold, nv);
    mj_forward(m, d);
    CHECK_ARRAY(d->qacc, cold, nv, 1e-8);
    CHECK(d->solver_niter[0] < first);
  }
  free(cold);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a ball pressed on an incline of slope 0.5: holds with friction 0.6, slides with 0.4
TEST(friction_holds_up_to_its_coefficient) {
  for (int slides = 0; slides < 2; slides++) {
    char xml[600];
    snprintf(xml, sizeof xml,
             "<mujoco>"
             "<option gravity='-4.905 0 -9.81' cone='elliptic' impratio='1000' tolerance='1e-12'/>"
             "<worldbody>"
             "<geom type='plane' size='1 1 .1' friction='%g'/><body pos='0 0 .1'>"
             "<joint type='slide' axis='1 0 0'/>"
             "<joint type='slide' axis='0 0 1'/>"
             "<geom type='sphere' size='.1' friction='.1' mass='1'/></body></worldbody></mujoco>",
             slides ? 0.4 : 0.6);
    mjModel* m = test_model(xml);
    if (!m) return;
    mjData* d = mj_makeData(m);
    for (int i = 0; i < 500; i++) mj_step(m, d);

    // sliding, the impulse of friction is its coefficient times that of the floor, bounces and all
    if (slides) CHECK_NEAR(d->qvel[0] + 4.905 * d->time, 0.4 * (d->qvel[1] + 9.81 * d->time), 1e-9);
    else CHECK(fabs(d->qvel[0]) < 2e-3);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// numbers of the reference (3.4.0): mj_forward on kMixed without velocities, all of qfrc_applied 1,
// Newton with the tolerances of the model
TEST(recorded_accelerations) {
  static const int rows[2] = {59, 40};
  static const mjtNum qacc[2][16] = {
      {4.17898876270567, -2.03479240778774, 7.76728025777666, 4.3130666149304, 4.37982977290946, -9.84333497919605,
       85.5950553188736, 2.16968203593426, 4.3038652535585, -13.4416164112871, 35.5678292519916, 30.5745231031282,
       -32.7986684259845, 34.2760234162065, 59.2823236250956, 16.1275240756164},
      {2.03150508177324, 0.00984893464263024, 6.17837308734802, 6.51606565704984, 5.85426913673876, -9.4229461807047,
       36.7135246955648, 3.04316319198456, 3.69250742451385, -12.0575529630305, 32.1100937420596, 40.4511196138918,
       -18.8902778152186, 38.0970098477356, 39.3636347219721, 5.6581892326701}};
  mjModel* m = test_model(kMixed);
  if (!m) return;
  mjData* d = mj_makeData(m);
  for (int cone = 0; cone < 2; cone++) {
    m->opt.cone = cone;
    mj_resetData(m, d);
    for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = 1;
    mj_forward(m, d);
    CHECK_EQ(d->nefc, rows[cone]);
    CHECK_ARRAY(d->qacc, qacc[cone], (int)m->nv, 1e-6);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}
