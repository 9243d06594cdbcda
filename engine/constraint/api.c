// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Public functions: kernels of one state, and contacts that a program adds.

#include <mujoco/mujoco.h>

#include "collide/contact.h"
#include "constraint/rows.h"
#include "lanes/kernels.h"

// Contacts are one array at the bottom of the arena, and rows lie behind it. So a contact takes the place of the rows.
int mj_addContact(const mjModel* m, mjData* d, const mjContact* con) {
  (void)m;
  mji_rows_clear(d, d->contact + d->ncon);
  mjContact* record = mji_contact_new(d);
  if (!record) return 1;
  *record = *con;
  return 0;
}

void mj_makeConstraint(const mjModel* m, mjData* d) {
  LANE1(makeConstraint)(m, d);
  mji_exportRows(m, d);
}

void mj_referenceConstraint(const mjModel* m, mjData* d) { LANE1(referenceConstraint)(m, d); }
