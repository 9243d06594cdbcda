// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Writing rows over lanes. Include lanes/lanes.h first.
#ifndef SHEAF_CONSTRAINT_ROW_LANES_H_
#define SHEAF_CONSTRAINT_ROW_LANES_H_

#include "constraint/block_lanes.h"
#include "constraint/rows.h"
#include "constraint/spring_lanes.h"

typedef struct {
  const Spring* spring;
  V pos;
  V imp;
  V R, D;
  M on;  // lanes that have the row
  N margin;
  V slope;  // derivative of the impedance, for efc_KBIP
} Row;

// where to write the slope of the impedance; NULL over lanes, where nobody can read it
static inline V* slopeOf(Row* row) { return ONE_STATE ? &row->slope : NULL; }

// R = (1-imp)/imp * A, with A an estimate of the diagonal of J M^-1 J'
static inline V regularizer(V imp, V diag) { return v_max((1.0 - imp) * diag / imp, v_set1(mjMINVAL)); }

static inline void setRegularizer(Row* row, V R) {
  row->R = v_max(R, v_set1(mjMINVAL));
  row->D = v_and(row->on, 1.0 / row->R);
}

// Lanes in which a row with these n entries exists. With a sparse Jacobian these are all lanes if n > 0; with a dense
// Jacobian, those with an entry that is not zero.
static inline M lanesWithEntries(const mjModel* m, const V* J, int n) {
  if (n && mj_isSparse(m)) return m_full();
  M on = m_none();
  for (int i = 0; i < n; i++) on |= ~v_eq(J[i], v_zero());
  return on;
}

// Lanes that have the rows of a block. One state has all rows; over lanes, the block keeps a copy of the mask `on`.
static inline M presentLanes(mjiRows* rows, mjiBlock* b, M on) {
  if (ONE_STATE) return m_full();
  M* mask = (M*)(void*)mji_rows_num(rows, 1);
  *mask = on;
  b->on = mask;
  return on;
}

static inline void storeRow(mjData* d, int r, const Row* row) {
  LANES(d->efc_pos)[r] = row->pos;
  LANES(d->efc_margin)[r] = v_num(row->margin);
  LANES(d->efc_frictionloss)[r] = v_zero();
  LANES(d->efc_R)[r] = row->R;
  LANES(d->efc_D)[r] = row->D;
  if (!ONE_STATE) return;

  // users of one state read these; the diagonal is derived from the regularizer
  V* KBIP = LANES(d->efc_KBIP) + 4 * r;
  KBIP[0] = v_num(row->spring->K);
  KBIP[1] = v_num(row->spring->B);
  KBIP[2] = row->imp;
  KBIP[3] = row->slope;
  LANES(d->efc_diagApprox)[r] = row->R * row->imp / (1 - row->imp);
}

// Damping of a block: `all` for its rows, but `friction` for the friction rows of an elliptic contact.
static inline void storeDamping(mjiRows* rows, mjiBlock* b, N all, N friction) {
  N damping[2] = {all, friction};
  mjtNum* place = mji_rows_num(rows, 2);
  memcpy(place, damping, sizeof damping);
  b->damping = place;
}

// K*I*(P-margin) of a block, from its first row.
static inline void storeBias(mjiRows* rows, mjiBlock* b, const Row* row) {
  V* bias = LANES(mji_rows_num(rows, 1));
  *bias = row->spring->K * row->imp * (row->pos - row->margin);
  b->bias = (const mjtNum*)bias;
}

// ---- friction loss and limits: blocks of one row

typedef struct {
  int type, id;
  int ncol;
  const int* col;
  const V* J;  // (ncol)
  const N* solref;
  const N* solimp;
  N diag;  // estimate of the inverse inertia
  N margin;
  const M* on;  // lanes in which entries are not zero; NULL: all
} RowSpec;

static inline mjiBlock* appendRow(mjiRows* rows, const RowSpec* spec, Spring* spring) {
  mjiBlock* b = mji_rows_append(rows, spec->type, spec->id, 1);
  b->ncol = spec->ncol;
  b->col = spec->col;
  b->J = (const mjtNum*)spec->J;
  rows->mixed |= initSpring(rows->m, rows->d, spec->solref, spec->solimp, spring);
  return b;
}

// add a row of friction loss: a damper without stiffness, always at its margin
static inline void addFriction(mjiRows* rows, const RowSpec* spec, N loss) {
  Spring spring;
  mjiBlock* b = appendRow(rows, spec, &spring);
  spring.K = n_set1(0);
  Row row = {.spring = &spring, .pos = v_zero(), .imp = v_num(spring.dmin), .on = m_full()};
  if (spec->on && !m_all(*spec->on)) row.on = presentLanes(rows, b, *spec->on);
  setRegularizer(&row, regularizer(row.imp, v_num(spec->diag)));
  storeRow(rows->d, b->efcadr, &row);
  LANES(rows->d->efc_frictionloss)[b->efcadr] = v_num(loss);
  storeDamping(rows, b, spring.B, spring.B);
}

// add the row of a limit, in lanes where dist < margin
static inline void addLimit(mjiRows* rows, const RowSpec* spec, V dist) {
  Spring spring;
  mjiBlock* b = appendRow(rows, spec, &spring);
  Row row = {.spring = &spring, .pos = dist, .margin = spec->margin};
  M on = v_lt(dist, v_num(spec->margin));
  if (spec->on) on &= *spec->on;
  row.on = presentLanes(rows, b, on);
  row.imp = impedance(&spring, dist - spec->margin, slopeOf(&row));
  setRegularizer(&row, regularizer(row.imp, v_num(spec->diag)));
  storeRow(rows->d, b->efcadr, &row);
  storeBias(rows, b, &row);
  storeDamping(rows, b, spring.B, spring.B);
}

#endif  // SHEAF_CONSTRAINT_ROW_LANES_H_
