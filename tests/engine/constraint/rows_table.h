// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constraint rows against recorded numbers.
//
// A table has one line per row: type, pos, margin, R, aref and the nv entries of J. Its numbers
// come from MuJoCo 3.4.0: the same model, qpos and qvel, mj_fwdPosition and mj_fwdVelocity with a
// dense Jacobian.
#ifndef SHEAF_TESTS_CONSTRAINT_ROWS_TABLE_H_
#define SHEAF_TESTS_CONSTRAINT_ROWS_TABLE_H_

#include <mujoco/mujoco.h>

#include "support/test.h"

// Data with the rows of a position and velocity (NULL: those of mj_resetData).
static inline mjData* rowsAt(const mjModel* m, const double* qpos, const double* qvel) {
  mjData* d = mj_makeData(m);
  if (qpos) mju_copy(d->qpos, qpos, m->nq);
  if (qvel) mju_copy(d->qvel, qvel, m->nv);
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  return d;
}

static inline void checkRows(const mjModel* m, const mjData* d, const double* table, int nrow) {
  CHECK_EQ(d->nefc, nrow);
  if (d->nefc != nrow) return;
  for (int i = 0; i < nrow; i++, table += 5 + m->nv) {
    CHECK_EQ(d->efc_type[i], (int)table[0]);
    CHECK_NEAR(d->efc_pos[i], table[1], 1e-11);
    CHECK_NEAR(d->efc_margin[i], table[2], 1e-12);
    CHECK_NEAR(d->efc_R[i], table[3], 1e-11);
    CHECK_NEAR(d->efc_R[i] * d->efc_D[i], 1, 1e-12);
    CHECK_NEAR(d->efc_aref[i], table[4], 1e-9);
    CHECK_ARRAY(d->efc_J + i * m->nv, table + 5, m->nv, 1e-11);
  }
}

// The whole test: a model, a state and its rows.
static inline void checkModel(const char* xml, const double* qpos, const double* qvel, const double* table, int nrow) {
  mjModel* m = test_model(xml);
  if (!m) return;
  mjData* d = rowsAt(m, qpos, qvel);
  checkRows(m, d, table, nrow);
  mj_deleteData(d);
  mj_deleteModel(m);
}

#endif  // SHEAF_TESTS_CONSTRAINT_ROWS_TABLE_H_
