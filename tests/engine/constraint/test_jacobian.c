// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// numbers from MuJoCo 3.4.0, as in rows_table.h
#include "rows_table.h"

// a branch of three bodies, the last of which touches the first, and a body of its own
static const char chain[] =
    "<mujoco><option jacobian='sparse'/><worldbody><body><joint axis='0 1 0'/><geom size='.1'/>"
    "<body pos='.2 0 0'><joint axis='0 1 0'/><geom size='.1'/>"
    "<body pos='0 0 .15'><joint axis='1 0 0' frictionloss='1'/><geom size='.1'/></body>"
    "</body></body>"
    "<body pos='1 0 0'><joint axis='0 1 0' frictionloss='1'/><geom size='.1'/></body>"
    "</worldbody></mujoco>";
static const double bent[] = {.1, -.9, .3, 0};

// rows of contacts keep the dofs that move both bodies, with zeros
TEST(sparse_jacobian_has_the_pattern_of_the_chains) {
  static const int rownnz[] = {1, 1, 3, 3, 3, 3}, rowsuper[] = {0, 0, 3, 2, 1, 0};
  static const int colind[] = {2, 3, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
  // clang-format off
  static const double J[] = {1, 1, 0, .14978488020534, -.00333269096275, 0, .14978488020534,
                             .00333269096275, 0, .22006569768981, 0, 0, .07950406272087, 0};
  // clang-format on
  mjModel* m = test_model(chain);
  if (!m) return;
  mjData* d = rowsAt(m, bent, NULL);
  CHECK_EQ(d->nefc, 6);
  CHECK_EQ(d->nJ, 14);
  for (int i = 0; i < d->nefc; i++) {
    CHECK_EQ(d->efc_J_rownnz[i], rownnz[i]);
    CHECK_EQ(d->efc_J_rowsuper[i], rowsuper[i]);
  }
  for (int k = 0; k < d->nJ; k++) CHECK_EQ(d->efc_J_colind[k], colind[k]);
  CHECK_ARRAY(d->efc_J, J, 14, 1e-11);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// the engine's blocks and the exported matrix are the same Jacobian
TEST(products_agree_with_the_exported_jacobian) {
  mjModel* m = test_model(chain);
  if (!m) return;
  m->opt.jacobian = mjJAC_DENSE;
  for (int cone = 0; cone < 2; cone++) {
    m->opt.cone = cone;
    mjData* d = rowsAt(m, bent, NULL);
    double x[] = {1, -2, 3, .5}, force[6] = {.1, -.2, .3, .4, .5, -.6}, want[6], got[6];
    CHECK(d->nefc == (cone ? 5 : 6));
    mju_mulMatVec(want, d->efc_J, x, d->nefc, m->nv);
    mj_mulJacVec(m, d, got, x);
    CHECK_ARRAY(got, want, d->nefc, 1e-14);
    mju_mulMatTVec(want, d->efc_J, force, d->nefc, m->nv);
    mj_mulJacTVec(m, d, got, force);
    CHECK_ARRAY(got, want, m->nv, 1e-14);
    mj_deleteData(d);
  }
  mj_deleteModel(m);
}

// rows that were left out for a zero Jacobian still count in the size of a dense one
TEST(dense_jacobian_has_room_for_rows_without_nonzeros) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='a' axis='0 1 0' frictionloss='1'/>"
      "<geom size='.1'/></body></worldbody>"
      "<tendon><fixed frictionloss='1'><joint joint='a' coef='0'/></fixed></tendon></mujoco>");
  if (!m) return;
  mjData* d = rowsAt(m, NULL, NULL);
  CHECK_EQ(d->nefc, 1);
  CHECK_EQ(d->nJ, 2);
  CHECK_EQ(d->tendon_efcadr[0], 1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// programs that ask a tendon for its row need not ask first whether there are rows
TEST(tendons_without_rows_have_none) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='a' axis='0 1 0'/><geom size='.1'/></body></worldbody>"
      "<tendon><fixed><joint joint='a' coef='1'/></fixed><fixed><joint joint='a' coef='2'/></fixed>"
      "</tendon></mujoco>");
  if (!m) return;
  mjData* d = rowsAt(m, NULL, NULL);
  CHECK_EQ(d->nefc, 0);
  CHECK(d->tendon_efcadr != NULL);
  if (d->tendon_efcadr) CHECK(d->tendon_efcadr[0] == -1 && d->tendon_efcadr[1] == -1);
  mjData* copy = mj_copyData(NULL, m, d);
  CHECK(copy->tendon_efcadr && copy->tendon_efcadr[1] == -1);
  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// edges of a pyramid add up to a normal force and friction; elliptic forces are copied
TEST(contact_force_is_in_the_contact_frame) {
  mjModel* m = test_model(chain);
  if (!m) return;
  double result[6];
  static const double edges[] = {1, 2, 3, 5};
  mjData* d = rowsAt(m, bent, NULL);
  mju_copy(d->efc_force + 2, edges, 4);
  mj_contactForce(m, d, 0, result);
  CHECK_ARRAY(result, ((double[]){11, -1, -2, 0, 0, 0}), 6, 0);
  mj_contactForce(m, d, 1, result);
  CHECK_ARRAY(result, ((double[]){0, 0, 0, 0, 0, 0}), 6, 0);
  mj_deleteData(d);

  m->opt.cone = mjCONE_ELLIPTIC;
  d = rowsAt(m, bent, NULL);
  mju_copy(d->efc_force + 2, edges, 3);
  mj_contactForce(m, d, 0, result);
  CHECK_ARRAY(result, ((double[]){1, 2, 3, 0, 0, 0}), 6, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}
