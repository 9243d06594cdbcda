// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "engine/constraint/rows_table.h"

static const char scene[] =
    "<mujoco><option solver='PGS' jacobian='sparse'/><worldbody>"
    "<body><joint axis='0 1 0'/><geom size='.1'/>"
    "<body pos='.2 0 0'><joint axis='0 1 0'/><geom size='.1'/>"
    "<body pos='0 0 .15'><joint axis='1 0 0' frictionloss='1'/><geom size='.1'/></body>"
    "</body></body>"
    "<body pos='1 0 0'><joint axis='0 1 0' frictionloss='1'/><geom size='.1'/></body>"
    "</worldbody></mujoco>";
static const double bent[] = {.1, -.9, .3, 0};

// lower triangle from MuJoCo 3.4.0, mj_projectConstraint with the PGS solver
// clang-format off
static const double AR[] = {
    66.314559621623, 0, 66.314559621623, -.198905340194658, 0, .200890532548449,
    .198905340194658, 0, .179228178553544, .200890532548449,
    0, 0, .264298061738061, .264298061738061, .40864637713268,
    0, 0, .0954840754284457, .0954840754284457, .140286320278929, .0710184045134487};
// clang-format on

static double expected(int i, int j) { return i >= j ? AR[i * (i + 1) / 2 + j] : AR[j * (j + 1) / 2 + i]; }

TEST(dense_projection_is_the_whole_matrix) {
  mjModel* m = test_model(scene);
  if (!m) return;
  m->opt.jacobian = mjJAC_DENSE;
  mjData* d = rowsAt(m, bent, NULL);
  mj_projectConstraint(m, d);
  CHECK_EQ(d->nA, 36);
  for (int k = 0; k < d->nA; k++) CHECK_NEAR(d->efc_AR[k], expected(k / 6, k % 6), 1e-11);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// rows of different trees share no entry
TEST(sparse_projection_has_entries_within_trees) {
  static const int rownnz[] = {5, 1, 5, 5, 5, 5};
  mjModel* m = test_model(scene);
  if (!m) return;
  mjData* d = rowsAt(m, bent, NULL);
  mj_projectConstraint(m, d);
  CHECK_EQ(d->nA, 26);
  for (int i = 0; i < d->nefc; i++) {
    CHECK_EQ(d->efc_AR_rownnz[i], rownnz[i]);
    for (int k = 0; k < d->efc_AR_rownnz[i]; k++) {
      int at = d->efc_AR_rowadr[i] + k;
      CHECK_NEAR(d->efc_AR[at], expected(i, d->efc_AR_colind[at]), 1e-11);
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// only solvers in the space of forces use it
TEST(newton_has_no_projection) {
  mjModel* m = test_model(scene);
  if (!m) return;
  m->opt.solver = mjSOL_NEWTON;
  mjData* d = rowsAt(m, bent, NULL);
  CHECK_EQ(d->nA, 0);
  CHECK(d->efc_AR == NULL);
  mj_deleteData(d);
  mj_deleteModel(m);
}
