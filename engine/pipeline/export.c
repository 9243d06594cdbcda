// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What a step does not need, for programs that look at mjData. Batches leave it out.

#include <mujoco/mjxmacro.h>

#include "constraint/rows.h"
#include "dynamics/inertia.h"
#include "pipeline/pipeline.h"

// Without rows the arrays of rows have no elements, but their pointers are not NULL: programs pass them on unchecked.
static void placeEmptyRows(mjData* d) {
#define X(type, name, nr, nc) \
  if (!d->name) d->name = d->arena;
  MJDATA_ARENA_POINTERS_SOLVER
#undef X
}

void mji_exportPosition(const mjModel* m, mjData* d, int islands) {
  mji_legacyM(m, d);
  mji_exportRows(m, d);
  if (!d->nefc) placeEmptyRows(d);
  if (islands) mj_island(m, d);
}
