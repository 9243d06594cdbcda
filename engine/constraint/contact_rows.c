// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rows of contacts.
//
// The columns of a contact are the dofs that move one of its two bodies and not the other: each body's chain without
// the beginning that both chains share. One of the two parts is often empty (a contact with the world), and the columns
// are then a piece of a chain of the plan. If a side has several bodies, side_rows.c makes the columns and base rows;
// the rest is the same.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/make_lanes.h"
#include "constraint/row_lanes.h"
#include "constraint/side_rows.h"
#include "model/contact_lanes.h"
#include "model/number.h"
#include "model/side_lanes.h"

typedef LANE(Contact) Contact;
typedef LANE(Side) Side;

// the body of a side that has one; a side without bodies does not move, like the world
static inline int bodyOf(const Side* side) { return side->n ? side->body[0] : 0; }

static inline int isOneBodyEach(const Side side[2]) { return side[0].n <= 1 && side[1].n <= 1; }

static inline size_t chainDofs(const mjModel* m, Side side) {
  size_t n = 0;
  for (int i = 0; i < side.n; i++) n += (size_t)mji_plan(m)->chain_num[side.body[i]];
  return n;
}

const void* LANE(contactCount)(const mjModel* m, const mjData* d, mjiRowCount* count) {
  const Contact* con = laneContacts(d);
  for (int i = 0; i < d->ncon; i++) {
    size_t dim = (size_t)con[i].dim;
    LANE(SideRoom) room;
    size_t ncol = chainDofs(m, laneSide(m, d, con + i, 0, &room)) + chainDofs(m, laneSide(m, d, con + i, 1, &room));
    count->row += dim > 1 && m->opt.cone == mjCONE_PYRAMIDAL ? 2 * (dim - 1) : dim;
    count->num += dim * ncol + 1;
    count->col += ncol;
  }
  count->block += (size_t)d->ncon;
  return d->ncon ? (const void*)(con + d->ncon) : d->arena;
}

// ---- Jacobian

// columns of a contact: a tail of each body's chain; if a side has several bodies, the union of their tails
typedef struct {
  int body[2];  // -1: several bodies
  const int* tail[2];
  int num[2];
  const int* col;
  int ncol;
} Columns;

static void findTails(mjiRows* rows, Columns* c) {
  const mjiPlan* plan = rows->plan;
  const int* chain[2];
  for (int i = 0; i < 2; i++) {
    chain[i] = plan->chain_ind + plan->chain_adr[c->body[i]];
    c->num[i] = plan->chain_num[c->body[i]];
  }

  // skip the common root
  int skip = 0, most = c->num[0] < c->num[1] ? c->num[0] : c->num[1];
  while (skip < most && chain[0][skip] == chain[1][skip]) skip++;
  for (int i = 0; i < 2; i++) {
    c->tail[i] = chain[i] + skip;
    c->num[i] -= skip;
  }

  // two tails are in different branches, so one comes before the other as a whole
  int first = !c->num[0] || (c->num[1] && c->tail[1][0] < c->tail[0][0]);
  int second = !first;
  c->col = c->tail[first];
  c->ncol = c->num[0] + c->num[1];
  if (!c->num[second]) return;
  int* col = rows->col;
  rows->col += c->ncol;
  for (int i = 0; i < c->num[first]; i++) col[i] = c->tail[first][i];
  for (int i = 0; i < c->num[second]; i++) col[c->num[first] + i] = c->tail[second][i];
  c->col = col;
}

// consecutive contacts are often of the same two bodies
static inline void findColumns(mjiRows* rows, const Side side[2], Columns* c) {
  int body[2] = {bodyOf(side), bodyOf(side + 1)};
  if (!isOneBodyEach(side)) {
    c->body[0] = c->body[1] = -1;
    c->ncol = LANE(sideColumns)(rows->m, side, rows->col);
    c->col = rows->col;
    rows->col += c->ncol;
  } else if (body[0] != c->body[0] || body[1] != c->body[1]) {
    c->body[0] = body[0];
    c->body[1] = body[1];
    findTails(rows, c);
  }
}

static inline V dot(const V* a, const V* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// motion of one body at the contact
typedef struct {
  V frame[9];  // axes of the contact
  V off[3];    // contact point, from the center of the tree
  const int* dof;
  int n;
} Motion;

// base rows for the dofs of a side: velocity of the point along the axes, then rotation about them
static inline void pointRows(V* restrict J, int ncol, int dim, const Motion* side, const V* restrict cdof) {
  const V *F = side->frame, *off = side->off;
  for (int i = 0; i < side->n; i++) {
    const V* w = cdof + 6 * side->dof[i];
    const V* v = w + 3;
    V u[3] = {v[0] + (w[1] * off[2] - w[2] * off[1]), v[1] + (w[2] * off[0] - w[0] * off[2]),
              v[2] + (w[0] * off[1] - w[1] * off[0])};
    J[i] = dot(F, u);
    if (dim >= 3) {
      J[ncol + i] = dot(F + 3, u);
      J[2 * ncol + i] = dot(F + 6, u);
    }
    if (dim >= 4) J[3 * ncol + i] = dot(F, w);
    if (dim >= 6) {
      J[4 * ncol + i] = dot(F + 3, w);
      J[5 * ncol + i] = dot(F + 6, w);
    }
  }
}

// add one body's part of the rows; the velocity of the first body counts negative
static void bodyRows(const mjiRows* rows, const Contact* con, const Columns* c, int side, V* J) {
  const mjModel* m = rows->m;
  M on = laneContactOn(con);
  const V* com = CLANES(rows->d->subtree_com) + 3 * m->body_rootid[c->body[side]];
  const V* pos = (const V*)con->pos;
  const V* frame = (const V*)con->frame;
  Motion s;  // without zeros: it is large, and these rows are made often
  s.dof = c->tail[side];
  s.n = c->num[side];
  for (int k = 0; k < 3; k++) s.off[k] = v_and(on, pos[k] - com[k]);
  int naxis = con->dim > 1 ? 9 : 3;
  for (int k = 0; k < naxis; k++) s.frame[k] = v_and(on, side ? frame[k] : -frame[k]);

  // columns of the first tail come first
  int ncol = c->ncol;
  if (s.dof[0] != c->col[0]) J += ncol - s.n;
  const V* cdof = CLANES(rows->d->cdof);
  switch (con->dim) {
    case 1: pointRows(J, ncol, 1, &s, cdof); break;
    case 3: pointRows(J, ncol, 3, &s, cdof); break;
    case 4: pointRows(J, ncol, 4, &s, cdof); break;
    default: pointRows(J, ncol, 6, &s, cdof); break;
  }
}

// fill the rows of a contact with a side of several bodies; in lanes without the contact, the entries are zero
static void listRows(const mjiRows* rows, const Contact* con, const Columns* c, const Side side[2], V* J) {
  M on = laneContactOn(con);
  V frame[9];
  for (int k = 0; k < 9; k++) frame[k] = v_and(on, ((const V*)con->frame)[k]);
  LANE(sideRows)(rows->m, rows->d, (const V*)con->pos, frame, con->dim, side, c->col, c->ncol, J);
}

static inline void baseRows(const mjiRows* rows, const Contact* con, const Columns* c, const Side side[2], V* J) {
  if (!isOneBodyEach(side)) {
    listRows(rows, con, c, side, J);
    return;
  }
  for (int k = 0; k < 2; k++) {
    if (c->num[k]) bodyRows(rows, con, c, k, J);
  }
}

// ---- impedance, regularization

// inverse weight of a side, which scales the regularizer
static inline V inverseWeight(const mjModel* m, const mjData* d, const Side* side) {
  if (side->n <= 1) return v_num(NUM(body_invweight0)[2 * bodyOf(side)]);
  V sum = v_zero();
  for (int i = 0; i < side->n; i++) sum = sum + side->weight[i] * NUM(body_invweight0)[2 * side->body[i]];
  return sum;
}

static N square(N x) { return x * x; }

static N impedanceRatio(const mjModel* m, const mjData* d) { return n_max(OPT(impratio)[0], n_set1(mjMINVAL)); }

static void pyramidRows(mjiRows* rows, mjiBlock* b, Row* row, V translation, N mu) {
  // all edges share the regularizer of the first edge, scaled for the cone they span; no bound applies after the
  // scaling
  V R = regularizer(row->imp, translation + square(frictionOf(b)[0]) * translation);
  row->R = 2 * mu * mu * R;
  row->D = v_and(row->on, 1.0 / row->R);
  storeBias(rows, b, row);
  storeDamping(rows, b, row->spring->B, row->spring->B);
  for (int i = 0; i < b->nrow; i++) storeRow(rows->d, b->efcadr + i, row);
}

static void normalRow(mjiRows* rows, mjiBlock* b, Row* row, V translation) {
  setRegularizer(row, regularizer(row->imp, translation));
  storeBias(rows, b, row);
  storeRow(rows->d, b->efcadr, row);
}

static void slipRows(mjiRows* rows, mjiBlock* b, const Contact* con, const Row* row) {
  // friction rows are dampers; they have a solref of their own if the contact gives one
  Spring spring = *row->spring;
  rows->mixed |= resetStiffness(rows->m, rows->d, con->solreffriction, &spring);
  spring.K = n_set1(0);
  storeDamping(rows, b, row->spring->B, spring.B);

  // R_1 = R_0 / impratio, and R_j friction_j^2 is the same for all friction rows; no bounds apply
  Row slip = *row;
  slip.spring = &spring;
  slip.pos = v_zero();
  slip.margin = n_set1(0);
  V R1 = row->R / impedanceRatio(rows->m, rows->d);
  for (int j = 1; j < b->dim; j++) {
    slip.R = R1 * (square(frictionOf(b)[0]) / square(frictionOf(b)[j - 1]));
    slip.D = v_and(row->on, 1.0 / slip.R);
    storeRow(rows->d, b->efcadr + j, &slip);
  }
}

static void fillRows(mjiRows* rows, mjiBlock* b, Contact* con, V translation) {
  const mjModel* m = rows->m;
  Spring spring;
  rows->mixed |= initSpring(m, rows->d, con->solref, con->solimp, &spring);
  Row row = {.spring = &spring, .on = laneContactOn(con), .margin = con->includemargin};
  row.pos = v_and(row.on, *(const V*)&con->dist);
  row.imp = impedance(&spring, row.pos - row.margin, slopeOf(&row));

  // friction of the regularized cone
  N mu = n_set1(0);
  if (con->dim > 1) mu = con->friction[0] * n_sqrt(1 / impedanceRatio(m, rows->d));
  con->mu = mu;
  if (!ONE_STATE) b->on = &con->on;
  if (b->type == mjCNSTR_CONTACT_PYRAMIDAL) {
    pyramidRows(rows, b, &row, translation, mu);
    return;
  }
  normalRow(rows, b, &row, translation);
  slipRows(rows, b, con, &row);
}

// with a sparse Jacobian, a contact between bodies that cannot move gets no rows
static inline int isFixed(const mjiRows* rows, Contact* con, const Side side[2], int ncol) {
  if (ncol || chainDofs(rows->m, side[0]) || chainDofs(rows->m, side[1]) || !mj_isSparse(rows->m)) return 0;
  con->exclude = 3;
  return 1;
}

static int typeOf(const mjModel* m, int dim) {
  if (dim == 1) return mjCNSTR_CONTACT_FRICTIONLESS;
  return m->opt.cone == mjCONE_PYRAMIDAL ? mjCNSTR_CONTACT_PYRAMIDAL : mjCNSTR_CONTACT_ELLIPTIC;
}

void LANE(contactRows)(mjiRows* rows) {
  const mjModel* m = rows->m;
  mjData* d = rows->d;
  Columns c = {.body = {-1, -1}};
  for (int i = 0; i < d->ncon; i++) {
    Contact* con = laneContacts(d) + i;
    if (con->exclude) continue;

    LANE(SideRoom) room[2];
    Side side[2] = {laneSide(m, d, con, 0, room), laneSide(m, d, con, 1, room + 1)};
    findColumns(rows, side, &c);
    if (isFixed(rows, con, side, c.ncol)) continue;
    con->efc_address = rows->nefc;
    mjiBlock* b = mji_rows_append(rows, typeOf(m, con->dim), i, con->dim);
    b->ncol = c.ncol;
    b->col = c.col;
    b->friction = (const mjtNum*)con->friction;
    V* J = LANES(mji_rows_num(rows, b->dim * b->ncol));
    b->J = (const mjtNum*)J;
    baseRows(rows, con, &c, side, J);
    fillRows(rows, b, con, inverseWeight(m, d, side) + inverseWeight(m, d, side + 1));
  }
}
