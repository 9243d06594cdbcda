// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "lanes/lanes.h"

#include "constraint/block_lanes.h"
#include "constraint/lane_rows.h"
#include "lanes/kernels.h"
#include "model/contact_lanes.h"
#include "model/row_class.h"
#include "model/work.h"

static int hasBlock(const mjiBlock* b, int lane) { return !b->on || m_get(*(const M*)b->on, lane); }

// entries of row i of a block: those of a base row, or an edge of the pyramid
static void writeEntries(const mjiBlock* b, int i, int lane, mjtNum* row) {
  const V* J = CLANES(b->J);
  if (b->type != mjCNSTR_CONTACT_PYRAMIDAL) {
    for (int c = 0; c < b->ncol; c++) row[b->col[c]] = v_get(J[i * b->ncol + c], lane);
    return;
  }
  int axis = i / 2 + 1;
  mjtNum mu = n_get(frictionOf(b)[axis - 1], lane);
  if (i % 2) mu = -mu;
  for (int c = 0; c < b->ncol; c++) {
    row[b->col[c]] = v_get(J[c], lane) + mu * v_get(J[axis * b->ncol + c], lane);
  }
}

static void writeRow(const mjModel* m, const mjiLaneRows* r, const mjiBlock* b, int i, int id, int lane) {
  switch (r->what) {
    case MJI_ROWS_NUMBER: r->to[r->nefc] = v_get(CLANES(r->array)[b->efcadr + i], lane); break;
    case MJI_ROWS_J: writeEntries(b, i, lane, r->to + (size_t)r->nefc * (size_t)m->nv); break;
    case MJI_ROWS_TYPE: r->to[r->nefc] = b->type; break;
    case MJI_ROWS_ID: r->to[r->nefc] = id; break;
  }
}

// Contacts of the lane up to the contact `end` of the group.
static int countContacts(const mjData* d, int from, int end, int lane) {
  int n = 0;
  for (int i = from; i < end; i++) n += m_get(laneContactOn(laneContacts(d) + i), lane) != 0;
  return n;
}

void LANE(laneRows)(const mjModel* m, mjData* d, int lane, mjiLaneRows* r) {
  const mjiWork* w = mji_work(d);
  int looked = 0, before = 0;
  r->nefc = 0;
  for (const mjiBlock* b = w->block; b < w->block + w->nblock; b++) {
    if (!hasBlock(b, lane)) continue;
    int id = b->id;
    if (mji_isContact(b->type) && r->what == MJI_ROWS_ID) {
      before += countContacts(d, looked, b->id, lane);
      looked = b->id;
      id = before;
    }
    for (int i = 0; i < b->nrow; i++, r->nefc++) {
      if (r->nefc < r->most) writeRow(m, r, b, i, id, lane);
    }
  }
  r->ncon = countContacts(d, 0, d->ncon, lane);
}
