// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of a step against differences (step_difference.h), and their bits over lanes.

#include <string.h>

#include "engine/derive/derive_models.h"
#include "engine/derive/feature_models.h"
#include "engine/derive/step_difference.h"
#include "support/variants.h"

TEST(derivatives_of_a_walker_are_those_of_its_steps) { checkIntegrators(kBiped, 0); }

TEST(derivatives_with_equalities_are_those_of_steps) { checkIntegrators(kLinked, 1); }

TEST(derivatives_with_balls_tendons_and_activations_are_those_of_steps) { checkIntegrators(kBallChain, 2); }

TEST(derivatives_of_a_pile_are_those_of_its_steps) { checkIntegrators(kPile, 3); }

TEST(derivatives_with_couplings_are_those_of_steps) { checkIntegrators(kCoupled, 4); }

// The matrix of an integrator that is implicit in the velocity follows that of the medium by differences. Nothing else
// is a difference.
TEST(every_force_has_a_formula) {
  for (int k = 0; k < NFEATURE; k++) {
    printf("%s\n", kFeatures[k].name);
    for (int integrator = 0; integrator < 4; integrator++) {
      Case c = openCase(kFeatures[k].xml, integrator, 0);
      int medium = c.m->opt.density > 0 && integrator >= mjINT_IMPLICIT;
      compute(&c, 0, 1);
      CHECK_EQ(c.fallback[0] & ~SHEAF_FALLBACK_GEOMETRY, medium ? SHEAF_FALLBACK_INTEGRATOR : 0);
      closeCase(&c);
    }
    checkIntegrators(kFeatures[k].xml, k);
  }
}

// A search finds the contact of a capsule and a cylinder to its tolerance, which a difference divides by the nudge.
// Dofs that move both take no search: along the translation of the whole nothing changes but its place.
TEST(contacts_within_a_tree_move_along_with_its_root) {
  Case c = openCase(
      "<mujoco><option timestep='.002' gravity='0 0 0' ccd_tolerance='1e-8'/><worldbody><body><freejoint/>"
      "<geom type='capsule' size='.05 .1' euler='20 30 0'/><body pos='.08 .02 .05'><joint type='ball' damping='.1'/>"
      "<geom type='cylinder' size='.06 .09' euler='50 10 0'/></body><body pos='-.3 .01 .02'><joint axis='0 1 1'/>"
      "<geom type='ellipsoid' size='.22 .08 .1' euler='0 40 30'/></body></body></worldbody></mujoco>",
      mjINT_EULER, 0);
  c.m->opt.disableflags |= mjDSBL_FILTERPARENT;
  compute(&c, 0, 1);
  CHECK_EQ(c.fallback[0], SHEAF_FALLBACK_GEOMETRY);
  for (int i = 0; i < B; i++) {
    for (int row = 0; row < c.ndx; row++) {
      for (int k = 0; k < 3; k++) CHECK_NEAR(c.A[(i * c.ndx + row) * c.ndx + k], row == k, 1e-10);
    }
  }
  closeCase(&c);
}

static void checkBits(const char* xml, int integrator, int cone) {
  Case c = openCase(xml, integrator, cone);
  size_t ndx = (size_t)c.ndx;
  mjtNum *A = numbers(B * ndx * ndx), *C = numbers(B * (size_t)c.ns * ndx), *x = numbers((size_t)(B * c.nx));
  int32_t fallback[B];
  compute(&c, 1, 1);
  memcpy(A, c.A, B * ndx * ndx * sizeof(mjtNum));
  memcpy(C, c.C, B * (size_t)c.ns * ndx * sizeof(mjtNum));
  memcpy(x, c.next, (size_t)(B * c.nx) * sizeof(mjtNum));
  memcpy(fallback, c.fallback, sizeof fallback);
  for (int nlane = 4; nlane <= 8; nlane += 4) {
    if (!test_hasLanes(nlane)) continue;
    compute(&c, nlane, 1);
    CHECK(!memcmp(A, c.A, B * ndx * ndx * sizeof(mjtNum)));
    CHECK(!memcmp(C, c.C, B * (size_t)c.ns * ndx * sizeof(mjtNum)));
    CHECK(!memcmp(x, c.next, (size_t)(B * c.nx) * sizeof(mjtNum)));
    CHECK(!memcmp(fallback, c.fallback, sizeof fallback));
  }
  free(A);
  free(C);
  free(x);
  closeCase(&c);
}

TEST(forces_without_a_formula_are_differences) {
  for (int k = 0; k < NTERM; k++) {
    printf("%s\n", kTerms[k].name);
    Case c = openCase(kTerms[k].xml, mjINT_EULER, 0);
    compute(&c, 0, 1);
    CHECK_EQ(c.fallback[0] & ~(SHEAF_FALLBACK_GEOMETRY | SHEAF_FALLBACK_SENSOR), kTerms[k].fallback);
    closeCase(&c);
    checkBits(kTerms[k].xml, k % 2 ? mjINT_RK4 : mjINT_IMPLICIT, k & 1);
    if (!kTerms[k].fallback) continue;     // the descent to a field's contacts jumps, so half of the columns bend
    int only = SANITIZED ? k / 2 % 2 : 2;  // one of these, so that all terms together have them all
    if (only != 1) checkCase(kTerms[k].xml, mjINT_EULER, 1);
    if (only != 0) checkCase(kTerms[k].xml, k % 2 ? mjINT_IMPLICITFAST : mjINT_IMPLICIT, 0);
  }
}

// noslip is smooth as long as its sweeps are as many, which a tolerance of zero says
static void checkNoslip(const char* xml, int integrator, int cone) {
  Case c = openCase(xml, integrator, cone);
  compute(&c, 0, 1);
  CHECK_EQ(c.fallback[0] & SHEAF_FALLBACK_NOSLIP, SHEAF_FALLBACK_NOSLIP);
  closeCase(&c);
  checkCase(xml, integrator, cone);
  checkBits(xml, integrator, cone);
}

TEST(derivatives_with_noslip_are_those_of_its_steps) {
  noslip = 3;
  checkNoslip(kBiped, mjINT_EULER, 0);
  checkNoslip(kBiped, mjINT_IMPLICITFAST, 1);
  checkNoslip(kBallChain, mjINT_RK4, 0);
  checkNoslip(kPile, mjINT_EULER, 1);
  noslip = 0;
}

// trees that are awake do not fall asleep in one step
TEST(derivatives_of_trees_that_may_sleep_are_those_of_awake_ones) {
  Case c = openCase(kPile, mjINT_EULER, 0);
  size_t n = B * (size_t)(c.ndx * c.ndx);
  mjtNum* awake = numbers(n);
  compute(&c, 0, 1);
  memcpy(awake, c.A, n * sizeof(mjtNum));
  c.m->opt.enableflags |= mjENBL_SLEEP;
  compute(&c, 0, 1);
  CHECK(!memcmp(awake, c.A, n * sizeof(mjtNum)));
  CHECK(!(c.fallback[0] & SHEAF_FALLBACK_STEP));
  free(awake);
  closeCase(&c);
}

// differences are taken for what has no formula, and for nothing else
TEST(fallback_says_what_was_done_by_differences) {
  static const struct {
    const char* xml;
    int integrator, fallback;
  } cases[] = {
      {kBiped, mjINT_EULER, 0},      {kCoupled, mjINT_EULER, 0},
      {kCoupled, mjINT_IMPLICIT, 0}, {kPile, mjINT_RK4, SHEAF_FALLBACK_GEOMETRY},
      {kBallChain, mjINT_RK4, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Case c = openCase(cases[i].xml, cases[i].integrator, 0);
    compute(&c, 0, 1);
    CHECK_EQ(c.fallback[0], cases[i].fallback | SHEAF_FALLBACK_SENSOR);
    closeCase(&c);
  }
}

TEST(derivatives_have_the_same_bits_in_any_lanes) {
  const char* const models[] = {kBiped, kLinked, kBallChain, kPile, kCoupled};
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
    for (int integrator = 0; integrator < 4; integrator++) checkBits(models[k], integrator, (int)(k & 1));
  }
  for (int k = 0; k < NFEATURE; k++) {
    printf("%s\n", kFeatures[k].name);
    for (int integrator = 0; integrator < 4; integrator++) checkBits(kFeatures[k].xml, integrator, k & 1);
  }
}

// mode 2 has the bits of mjd_transitionFD
TEST(mode_fd_is_transition_fd) {
  Case c = openCase(kBiped, mjINT_EULER, 0);
  compute(&c, 0, 2);
  mjtNum* A = numbers((size_t)(c.ndx * c.ndx));
  for (int i = 0; i < B; i++) {
    mj_resetData(c.m, c.d);
    mj_setState(c.m, c.d, c.state + i * c.nx, mjSTATE_FULLPHYSICS);
    mju_copy(c.d->ctrl, c.ctrl + i * c.nu, c.nu);
    mjd_transitionFD(c.m, c.d, 1e-6, 0, A, NULL, NULL, NULL);
    CHECK(!memcmp(A, c.A + i * c.ndx * c.ndx, (size_t)(c.ndx * c.ndx) * sizeof(mjtNum)));
    CHECK_EQ(c.fallback[i], SHEAF_FALLBACK_STEP);
  }
  free(A);
  closeCase(&c);
}

// a bad row is reported and shares nothing with its neighbours
TEST(rows_that_are_not_valid_are_nan) {
  Case c = openCase(kBiped, mjINT_EULER, 0);
  compute(&c, 4, 1);
  mjtNum* A = numbers((size_t)(B * c.ndx * c.ndx));
  memcpy(A, c.A, (size_t)(B * c.ndx * c.ndx) * sizeof(mjtNum));
  c.state[2 * c.nx + 3] = 0.0 / 0.0;
  for (int nlane = 1; nlane <= 4; nlane += 3) {
    compute(&c, nlane, 1);
    CHECK_EQ(c.status[2], SHEAF_ROW_BADQPOS);
    CHECK(c.A[2 * c.ndx * c.ndx] != c.A[2 * c.ndx * c.ndx]);
    for (int i = 0; i < B; i++) {
      size_t at = (size_t)(i * c.ndx * c.ndx);
      if (i != 2) CHECK(!memcmp(A + at, c.A + at, (size_t)(c.ndx * c.ndx) * sizeof(mjtNum)));
    }
  }
  free(A);
  closeCase(&c);
}
