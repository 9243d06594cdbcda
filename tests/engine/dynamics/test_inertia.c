// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include <string.h>

#include "engine/dynamics/every_joint.h"

static mjData* atInertia(mjModel** m) {
  mjData* d = links_make(m);
  if (!d) return NULL;
  mj_kinematics(*m, d);
  mj_comPos(*m, d);
  mj_makeM(*m, d);
  mj_factorM(*m, d);
  return d;
}

TEST(inertia_and_its_factor) {
  // clang-format off
  static const double M[] = {
      3, 0.0721770153633494, 0.166130631053949, 0.0759350867444884, 0.0322942346779331,
      0.0208796226415094, 0.0570266219908668, 0.00393290402803213, 0, 0.0208796226415094, 0,
      -0.000616222968798368, 0, 0, 0.000775849056603773, 1.5, 0, 1.5, 0, 0, 1.5, 0.018, -0.0192,
      0.0144, 0.0396, -0.009, 0.0096, -0.0072, -0.0003, 0.03015, -0.012, -0.0252, -0.0186, 0, 0,
      0.01575};
  // clang-format on
  static const double inverse[] = {0.393577724380059, 8.69933437274884,  47.8935858741031,  47.8935858741031,
                                   1288.91050583658,  0.675825641025641, 0.691028311555603, 0.679749533230113,
                                   25.2544289483603,  33.167495854063,   63.4920634920635};
  mjModel* m;
  mjData* d = atInertia(&m);
  if (!d) return;
  CHECK_EQ(m->nC, 36);
  CHECK_ARRAY(d->M, M, 36, 1e-12);
  CHECK_ARRAY(d->qLDiagInv, inverse, 11, 1e-12);
  links_free(m, d);
}

TEST(solving_undoes_multiplying) {
  mjModel* m;
  mjData* d = atInertia(&m);
  if (!d) return;
  mjtNum x[22], y[22];
  for (int i = 0; i < 22; i++) x[i] = 1 + .3 * i * (i % 3 - 1);
  mj_mulM(m, d, y, x);
  mj_mulM(m, d, y + 11, x + 11);
  mj_solveM(m, d, y, y, 2);
  CHECK_ARRAY(y, x, 22, 1e-12);
  links_free(m, d);
}

// several vectors are solved together, to the bit as alone
TEST(solves_do_not_see_each_other) {
  mjModel* m;
  mjData* d = atInertia(&m);
  if (!d) return;
  enum { N = 5, NV = 11 };
  mjtNum y[N * NV], together[N * NV], alone[N * NV];
  for (int i = 0; i < N * NV; i++) y[i] = sin(1 + 0.7 * i);
  mj_solveM(m, d, together, y, N);
  for (int r = 0; r < N; r++) mj_solveM(m, d, alone + r * NV, y + r * NV, 1);
  CHECK(!memcmp(together, alone, sizeof alone));
  links_free(m, d);
}

TEST(dense_inertia_agrees_with_products) {
  mjModel* m;
  mjData* d = atInertia(&m);
  if (!d) return;
  mjtNum full[121], twice[121], x[11], y[11], z[11], half[11];
  mj_fullM(m, full, d->qM);
  mju_copy(twice, full, 121);
  mj_addM(m, d, twice, NULL, NULL, NULL);
  for (int i = 0; i < 121; i++) CHECK_NEAR(twice[i], (i % 11 <= i / 11 ? 2 : 1) * full[i], 1e-15);

  for (int i = 0; i < 11; i++) x[i] = i - 4.5;
  mju_mulMatVec(y, full, x, 11, 11);
  mj_mulM(m, d, z, x);
  CHECK_ARRAY(z, y, 11, 1e-13);

  // x' * M * x as the length of half of M
  mj_mulM2(m, d, half, x);
  CHECK_NEAR(mju_dot(half, half, 11), mju_dot(x, y, 11), 1e-12);
  links_free(m, d);
}

TEST(half_solves_compose) {
  mjModel* m;
  mjData* d = atInertia(&m);
  if (!d) return;
  mjtNum root[11], x[11], half[11], full[11];
  for (int i = 0; i < 11; i++) {
    root[i] = mju_sqrt(d->qLDiagInv[i]);
    x[i] = 2 - i;
  }
  mj_solveM2(m, d, half, x, root, 1);
  mj_solveM(m, d, full, x, 1);
  CHECK_NEAR(mju_dot(half, half, 11), mju_dot(x, full, 11), 1e-11);
  links_free(m, d);
}

TEST(inertia_of_a_simple_body_is_constant) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><freejoint/><geom type='box' size='.1 .2 .3' mass='3'/></body>"
      "</worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  CHECK_EQ(m->nC, 6);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_makeM(m, d);
  mj_factorM(m, d);
  static const double diagonal[] = {3, 3, 3, .13, .1, .05};
  CHECK_ARRAY(d->M, diagonal, 6, 1e-14);
  for (int i = 0; i < 6; i++) CHECK_NEAR(d->qLDiagInv[i], 1 / diagonal[i], 1e-12);
  mj_deleteData(d);
  mj_deleteModel(m);
}
