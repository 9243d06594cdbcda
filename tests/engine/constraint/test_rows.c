// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// memory of constraint rows
#include "rows_table.h"

static const char pile[] =
    "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .09'><freejoint/><geom size='.1'/></body>"
    "<body pos='.15 0 .09'><freejoint/><geom size='.1'/></body>"
    "<body pos='.3 0 .09'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";

static void ignoreWarning(const char* text) { (void)text; }

// whatever the size of the arena, all rows are there or none, and a warning says so
TEST(full_arena_leaves_no_constraints_and_a_warning) {
  mjModel* m = test_model(pile);
  if (!m) return;
  void (*handler)(const char*) = mju_user_warning;
  mju_user_warning = ignoreWarning;
  int nfull = 0, nnone = 0;
  for (mjtSize narena = 4000; narena < 40000; narena += 500) {
    m->narena = narena;
    mjData* d = mj_makeData(m);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_collision(m, d);
    int ncon = d->ncon;
    mj_makeConstraint(m, d);
    mj_referenceConstraint(m, d);
    CHECK_EQ(d->ncon, ncon);
    CHECK(d->nefc == 0 || d->nefc == 4 * ncon);
    int warned = d->warning[mjWARN_CNSTRFULL].number + d->warning[mjWARN_CONTACTFULL].number;
    CHECK(d->nefc != 0 || warned > 0);

    // contacts know their rows, or that there are none: touch sensors and forces go by this
    for (int i = 0; i < ncon; i++) CHECK_EQ(d->contact[i].efc_address, d->nefc ? 4 * i : -1);
    nfull += d->nefc == 20;
    nnone += d->nefc == 0;
    mj_deleteData(d);
  }
  CHECK(nfull > 0 && nnone > 0);
  mju_user_warning = handler;
  mj_deleteModel(m);
}

// making rows again replaces them
TEST(rows_are_made_in_the_place_of_the_last) {
  mjModel* m = test_model(pile);
  if (!m) return;
  mjData* d = rowsAt(m, NULL, NULL);
  mj_makeConstraint(m, d);
  size_t parena = d->parena;
  for (int i = 0; i < 10; i++) mj_makeConstraint(m, d);
  CHECK_EQ(d->parena, parena);
  CHECK_EQ(d->nefc, 20);

  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  mj_makeConstraint(m, d);
  CHECK_EQ(d->nefc, 0);
  CHECK_EQ(d->ncon, 5);
  CHECK_EQ(d->contact[0].efc_address, -1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a contact that a program adds follows the others, whether or not there are rows
TEST(added_contact_takes_the_place_of_rows) {
  mjModel* m = test_model(pile);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_step(m, d);
  mj_forward(m, d);
  int ncon = d->ncon;
  mjContact first = d->contact[0];
  for (int i = 0; i < 3; i++) CHECK_EQ(mj_addContact(m, d, &first), 0);
  CHECK_EQ(d->ncon, ncon + 3);
  CHECK_EQ(d->nefc, 0);
  for (int i = 0; i < 3; i++) CHECK_ARRAY(d->contact[ncon + i].pos, first.pos, 3, 0);
  mj_makeConstraint(m, d);
  CHECK_EQ(d->nefc, 4 * (ncon + 3));
  CHECK_EQ(d->contact[ncon + 2].efc_address, 4 * (ncon + 2));
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a copy has rows of its own
TEST(copied_data_go_on_with_the_same_rows) {
  mjModel* m = test_model(pile);
  if (!m) return;
  mjData* d = rowsAt(m, NULL, NULL);
  mjData* copy = mj_copyData(NULL, m, d);
  double vel[18];
  for (int i = 0; i < m->nv; i++) vel[i] = .1 * i - .4;
  mju_copy(d->qvel, vel, m->nv);
  mju_copy(copy->qvel, vel, m->nv);
  mj_referenceConstraint(m, d);
  double want[20];
  mju_copy(want, d->efc_aref, 20);
  mj_deleteData(d);
  mj_referenceConstraint(m, copy);
  CHECK_ARRAY(copy->efc_aref, want, 20, 0);
  mj_deleteData(copy);
  mj_deleteModel(m);
}
