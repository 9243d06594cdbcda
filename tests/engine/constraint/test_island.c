// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// numbers from MuJoCo 3.4.0, mj_fwdPosition at qpos0
#include "rows_table.h"

// five trees: without constraints; with contact and friction; coupled; without; coupled to the
// third
static const char scene[] =
    "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 2'><joint axis='1 0 0' type='slide'/><geom size='.1'/></body>"
    "<body pos='1 0 .09'><joint axis='0 0 1' type='slide'/><geom size='.1'/>"
    "<body pos='.3 0 0'><joint axis='0 1 0' frictionloss='1'/><geom size='.05'/></body></body>"
    "<body pos='2 0 1'><joint name='A' axis='0 1 0' limited='true' range='1 2'/>"
    "<geom size='.1'/></body>"
    "<body pos='3 0 1'><joint name='B' axis='0 1 0'/><geom size='.1'/></body>"
    "<body pos='4 0 1'><joint name='C' axis='0 1 0' frictionloss='1'/><joint axis='1 0 0'/>"
    "<geom size='.1'/></body>"
    "</worldbody><equality><joint joint1='A' joint2='C'/></equality></mujoco>";

static void checkInts(const int* got, const int* want, int n) {
  for (int i = 0; i < n; i++) CHECK_EQ(got[i], want[i]);
}

TEST(islands_are_trees_that_constraints_connect) {
  mjModel* m = test_model(scene);
  if (!m) return;
  mjData* d = rowsAt(m, NULL, NULL);
  CHECK_EQ(d->nisland, 2);
  CHECK_EQ(d->nidof, 5);
  CHECK_EQ(d->nefc, 8);
  if (d->nisland == 2) {
    checkInts(d->tree_island, (int[]){-1, 0, 1, -1, 1}, 5);
    checkInts(d->map_itree2tree, (int[]){1, 2, 4, 0, 3}, 5);
    checkInts(d->island_ntree, (int[]){1, 2}, 2);
    checkInts(d->dof_island, (int[]){-1, 0, 0, 1, -1, 1, 1}, 7);
    checkInts(d->map_dof2idof, (int[]){5, 0, 1, 2, 6, 3, 4}, 7);
    checkInts(d->map_idof2dof, (int[]){1, 2, 3, 5, 6, 0, 4}, 7);
    checkInts(d->island_nv, (int[]){2, 3}, 2);
    checkInts(d->island_dofadr, (int[]){1, 3}, 2);
    checkInts(d->efc_island, (int[]){1, 0, 1, 1, 0, 0, 0, 0}, 8);
    checkInts(d->map_efc2iefc, (int[]){5, 0, 6, 7, 1, 2, 3, 4}, 8);
    checkInts(d->map_iefc2efc, (int[]){1, 4, 5, 6, 7, 0, 2, 3}, 8);
    checkInts(d->island_ne, (int[]){0, 1}, 2);
    checkInts(d->island_nf, (int[]){1, 1}, 2);
    checkInts(d->island_nefc, (int[]){5, 3}, 2);
    checkInts(d->island_iefcadr, (int[]){0, 5}, 2);
    checkInts(d->iefc_type, (int[]){1, 6, 6, 6, 6, 0, 1, 3}, 8);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// columns count from the start of the island
TEST(islands_have_their_own_jacobian_and_inertia) {
  static const double first[] = {0, 1, 1, 0, 1, 0, 1, 0, 1, 0};
  static const double second[] = {1, -1, 0, 0, 1, 0, 1, 0, 0};
  mjModel* m = test_model(scene);
  if (!m) return;
  m->opt.jacobian = mjJAC_DENSE;
  mjData* d = rowsAt(m, NULL, NULL);
  CHECK_EQ(d->nisland, 2);
  if (d->nisland == 2) {
    CHECK_ARRAY(d->iefc_J, first, 10, 1e-14);
    CHECK_ARRAY(d->iefc_J + 5 * d->nidof, second, 9, 1e-14);
    checkInts(d->iM_rownnz, (int[]){1, 2, 1, 1, 2}, 5);
    checkInts(d->iM_colind, (int[]){0, 0, 1, 0, 1, 1, 2}, 7);
    for (int i = 0; i < d->nidof; i++) CHECK_EQ(d->iLDiagInv[i], d->qLDiagInv[d->map_idof2dof[i]]);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(disabled_islands_are_none) {
  mjModel* m = test_model(scene);
  if (!m) return;
  m->opt.disableflags |= mjDSBL_ISLAND;
  mjData* d = rowsAt(m, NULL, NULL);
  CHECK_EQ(d->nefc, 8);
  CHECK_EQ(d->nisland, 0);
  CHECK_EQ(d->nidof, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}
