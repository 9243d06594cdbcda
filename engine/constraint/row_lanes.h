// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Writing rows over lanes. Include lanes/lanes.h first.
#ifndef SHEAF_CONSTRAINT_ROW_LANES_H_
#define SHEAF_CONSTRAINT_ROW_LANES_H_

#include "constraint/rows.h"
#include "constraint/spring_lanes.h"

typedef struct {
  const mjiSpring* spring;
  V pos;
  V imp;
  V R, D;
  M on;                // lanes that have the row
  mjtNum margin;
#if SHEAF_LANES == 1
  V slope;             // of the impedance, for efc_KBIP
#endif
} Row;

// where the slope of the impedance goes, if anybody can see it
#if SHEAF_LANES == 1
#define SLOPE(row) (&(row)->slope)
#else
#define SLOPE(row) NULL
#endif

// R = (1-imp)/imp * A, with A an estimate of the diagonal of J M^-1 J'
static inline V regularizer(V imp, mjtNum diag) {
  return v_max((1.0 - imp) * diag / imp, v_set1(mjMINVAL));
}

static inline void setRegularizer(Row* row, V R) {
  row->R = v_max(R, v_set1(mjMINVAL));
  row->D = v_and(row->on, 1.0 / row->R);
}

// Lanes that have the rows of a block: all of one state, else as masked, and remembered.
static inline M presentLanes(mjiRows* rows, mjiBlock* b, M on) {
#if SHEAF_LANES == 1
  return m_full();
#else
  M* mask = (M*)(void*)mji_rows_num(rows, 1);
  *mask = on;
  b->on = mask;
  return on;
#endif
}

static inline void storeRow(mjData* d, int r, const Row* row) {
  LANES(d->efc_pos)[r] = row->pos;
  LANES(d->efc_margin)[r] = v_set1(row->margin);
  LANES(d->efc_frictionloss)[r] = v_zero();
  LANES(d->efc_R)[r] = row->R;
  LANES(d->efc_D)[r] = row->D;
#if SHEAF_LANES == 1
  mjtNum* KBIP = d->efc_KBIP + 4 * r;
  KBIP[0] = row->spring->K;
  KBIP[1] = row->spring->B;
  KBIP[2] = row->imp;
  KBIP[3] = row->slope;

  // the diagonal that the regularizer corresponds to
  d->efc_diagApprox[r] = row->R * row->imp / (1 - row->imp);
#endif
}

// Damping and K*I*(P-margin) of a block, from its first row.
static inline void storeBias(mjiRows* rows, mjiBlock* b, const Row* row) {
  V* bias = LANES(mji_rows_num(rows, 1));
  *bias = row->spring->K * row->imp * (row->pos - row->margin);
  b->bias = (const mjtNum*)bias;
  b->damping[0] = b->damping[1] = row->spring->B;
}

// ---- friction loss and limits: blocks of one row

typedef struct {
  int type, id;
  int ncol;
  const int* col;
  const V* J;              // (ncol)
  const mjtNum* solref;
  const mjtNum* solimp;
  mjtNum diag;             // estimate of the inverse inertia
  mjtNum margin;
} RowSpec;

static inline mjiBlock* appendRow(mjiRows* rows, const RowSpec* spec, mjiSpring* spring) {
  mjiBlock* b = mji_rows_append(rows, spec->type, spec->id, 1);
  b->ncol = spec->ncol;
  b->col = spec->col;
  b->J = (const mjtNum*)spec->J;
  rows->mixed |= mji_spring_init(rows->m, spec->solref, spec->solimp, spring);
  return b;
}

// pure damping, the same in all lanes: at the margin, without stiffness
static inline void addFriction(mjiRows* rows, const RowSpec* spec, mjtNum loss) {
  mjiSpring spring;
  mjiBlock* b = appendRow(rows, spec, &spring);
  spring.K = 0;
  Row row = {.spring = &spring, .pos = v_zero(), .imp = v_set1(spring.dmin), .on = m_full()};
  setRegularizer(&row, regularizer(row.imp, spec->diag));
  storeRow(rows->d, b->efcadr, &row);
  LANES(rows->d->efc_frictionloss)[b->efcadr] = v_set1(loss);
  b->damping[0] = b->damping[1] = spring.B;
}

// present where dist < margin
static inline void addLimit(mjiRows* rows, const RowSpec* spec, V dist) {
  mjiSpring spring;
  mjiBlock* b = appendRow(rows, spec, &spring);
  Row row = {.spring = &spring, .pos = dist, .margin = spec->margin};
  row.on = presentLanes(rows, b, v_lt(dist, v_set1(spec->margin)));
  row.imp = impedance(&spring, dist - spec->margin, SLOPE(&row));
  setRegularizer(&row, regularizer(row.imp, spec->diag));
  storeRow(rows->d, b->efcadr, &row);
  storeBias(rows, b, &row);
}

#endif  // SHEAF_CONSTRAINT_ROW_LANES_H_
