// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "constraint/rows.h"

#include <string.h>

#include <mujoco/mjxmacro.h>

#include "model/active.h"
#include "model/equality_row.h"
#include "model/stack.h"

void mji_rows_clear(mjData* d, const void* end) {
  mjiWork* w = mji_work(d);
  size_t size = (size_t)((const char*)end - (const char*)d->arena);

  // right after collision detection, there are no constraints to forget
  w->ndropped = w->mixed = 0;
  if (size == d->parena && !d->nefc && !w->nblock) return;
  mji_arenaReserve(d, size);
  d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = d->nisland = d->nidof = 0;
  w->block = NULL;
  w->nblock = 0;

  // forget all arrays of the arena except the contacts
  mjContact* contact = d->contact;
#define X(type, name, nr, nc) d->name = NULL;
  MJDATA_ARENA_POINTERS
#undef X
  d->contact = contact;

  // programs read efc_address of a contact: it has no rows now
  for (int i = 0; w->nlane == 1 && i < d->ncon; i++) d->contact[i].efc_address = -1;
}

void mji_rows_giveUp(mjData* d, const void* end) {
  mji_warn(d, mjWARN_CNSTRFULL, (int)d->narena);
  mji_rows_clear(d, end);
}

// ---- counting

// a row for each edge of a flex, with its entries, a bias, a mask and two numbers for damping
static void countEdges(const mjModel* m, int f, mjiRowCount* count) {
  size_t n = (size_t)m->flex_edgenum[f];
  const int* adr = mji_plan(m)->edge_adr + m->flex_edgeadr[f];
  size_t ncol = (size_t)(adr[n] - adr[0]);
  count->block += n;
  count->row += n;
  count->num += ncol + 2 * n;
  count->col += ncol;
}

static void countEquality(const mjModel* m, const mjData* d, mjiRowCount* count) {
  for (int i = 0; i < m->neq; i++) {
    if (!d->eq_active[i]) continue;
    const mjiEqualityRow* row = mji_equalityRow(m->eq_type[i]);
    size_t dim = (size_t)row->dim, ncol = 2;
    if (row->ends == mjiENDS_POINTS) {
      const int* chain = mji_plan(m)->chain_num;
      ncol = (size_t)(chain[mji_equalityBody(m, i, 0)] + chain[mji_equalityBody(m, i, 1)]);
    } else if (row->ends == mjiENDS_TENDONS) {
      ncol = 2 * (size_t)m->nv;
    } else if (row->ends == mjiENDS_FLEXES) {
      countEdges(m, m->eq_obj1id[i], count);
      continue;
    }
    count->block++;
    count->row += dim;
    count->num += dim * (ncol + 1) + 1;  // entries, biases and a mask
    count->col += ncol;
  }
}

// count an entry per dof, a bias and a mask for each row
static void countTendons(const mjModel* m, mjiRowCount* count, int friction, int limit) {
  for (int i = 0; i < m->ntendon; i++) {
    size_t n = 0;
    if (friction && m->tendon_frictionloss[i] > 0) n += 1;
    if (limit && m->tendon_limited[i]) n += 2;
    count->block += n;
    count->row += n;
    count->num += n * ((size_t)m->nv + 2);
    count->col += n * (size_t)m->nv;
  }
}

// a row of friction loss has one number: the entry 1 of the Jacobian
static size_t countFriction(const mjModel* m, const mjData* d) {
  mjiList dofs = mji_listOf(m, d, MJI_DOFS);
  size_t n = 0;
  if (dofs.id) {
    for (int k = 0; k < dofs.n; k++) n += m->dof_frictionloss[dofs.id[k]] > 0;
  } else {
    for (int i = 0; i < dofs.n; i++) n += m->dof_frictionloss[i] > 0;
  }
  return n;
}

// count two rows per limit, for its two sides, with an entry, a bias and a mask each; the one row of a ball needs three
// entries, which fit
static size_t countLimits(const mjModel* m, const mjData* d) {
  mjiList joints = mji_listOf(m, d, MJI_JOINTS);
  size_t n = 0;
  for (int k = 0; k < joints.n; k++) n += m->jnt_limited[mji_listed(joints, k)] ? 2 : 0;
  return n;
}

void mji_rows_count(const mjModel* m, const mjData* d, mjiRowCount* count) {
  int disabled = m->opt.disableflags;
  if (m->neq && !(disabled & mjDSBL_EQUALITY)) countEquality(m, d, count);

  int friction = !(disabled & mjDSBL_FRICTIONLOSS), limit = !(disabled & mjDSBL_LIMIT);
  size_t nfriction = friction ? countFriction(m, d) : 0, nlimit = limit ? countLimits(m, d) : 0;
  count->block += nfriction + nlimit;
  count->row += nfriction + nlimit;
  count->num += nfriction + 3 * nlimit;
  if (m->ntendon) countTendons(m, count, friction, limit);
}

// ---- memory

// the next n numbers per lane of a reserved range
static mjtNum* take(mjtNum** from, size_t n, int nlane) {
  mjtNum* p = *from;
  *from += n * (size_t)nlane;
  return p;
}

int mji_rows_beginTendons(const mjModel* m, mjData* d) {
  size_t n = (size_t)m->ntendon;
  d->tendon_efcadr = mji_arenaAlloc(d, n * sizeof(int), _Alignof(int));
  for (size_t i = 0; d->tendon_efcadr && i < n; i++) d->tendon_efcadr[i] = -1;
  return d->tendon_efcadr != NULL;
}

int mji_rows_begin(mjiRows* rows, const mjModel* m, mjData* d, const mjiRowCount* count) {
  mjiWork* w = mji_work(d);
  int nlane = w->nlane;
  size_t n = count->row;
  mjiBlock* block = mji_arenaAlloc(d, count->block * sizeof(mjiBlock), _Alignof(mjiBlock));
  int* ints = mji_arenaAlloc(d, (3 * n + count->col) * sizeof(int), _Alignof(int));
  mjtNum* num = mji_arenaNum(d, count->num + 2 * count->block + (nlane == 1 ? 14 : 8) * n);
  if (!block || !ints || !num) return 0;

  d->efc_type = ints;
  d->efc_id = ints + n;
  d->efc_state = ints + 2 * n;
  d->efc_pos = take(&num, n, nlane);
  d->efc_margin = take(&num, n, nlane);
  d->efc_frictionloss = take(&num, n, nlane);
  d->efc_D = take(&num, n, nlane);
  d->efc_R = take(&num, n, nlane);
  d->efc_vel = take(&num, n, nlane);
  d->efc_aref = take(&num, n, nlane);
  d->efc_force = take(&num, n, nlane);
  if (nlane == 1) {
    d->efc_diagApprox = take(&num, n, 1);
    d->efc_KBIP = take(&num, 4 * n, 1);
    d->efc_b = take(&num, n, 1);
  }

  w->block = block;
  *rows = (mjiRows){.m = m, .d = d, .plan = mji_plan(m), .block = block, .num = num};
  rows->col = ints + 3 * n;
  return 1;
}

mjiBlock* mji_rows_append(mjiRows* rows, int type, int id, int dim) {
  mjData* d = rows->d;
  mjiBlock* b = rows->block++;
  *b = (mjiBlock){.type = type, .id = id, .dim = dim, .nrow = dim, .efcadr = rows->nefc};
  if (type == mjCNSTR_CONTACT_PYRAMIDAL) b->nrow = 2 * (dim - 1);
  for (int i = 0; i < b->nrow; i++) {
    d->efc_type[rows->nefc + i] = type;
    d->efc_id[rows->nefc + i] = id;
  }
  rows->nefc += b->nrow;
  return b;
}

mjtNum* mji_rows_num(mjiRows* rows, int n) { return take(&rows->num, (size_t)n, mji_work(rows->d)->nlane); }

const int* mji_rows_dofs(const mjiRows* rows, int dof) {
  // the dofs of a body are the last of its chain
  const mjiPlan* plan = rows->plan;
  int body = rows->m->dof_bodyid[dof];
  int end = plan->chain_adr[body] + plan->chain_num[body];
  return plan->chain_ind + end - rows->m->body_dofnum[body] + (dof - rows->m->body_dofadr[body]);
}
