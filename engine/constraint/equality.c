// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rows of equality constraints.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/make_lanes.h"
#include "constraint/row_lanes.h"
#include "constraint/tendon_lanes.h"
#include "dynamics/weld.h"
#include "dynamics/flex.h"
#include "dynamics/rne.h"
#include "dynamics/spatial.h"
#include "model/active.h"
#include "model/number.h"
#include "tables/equality_table.h"

enum { MAXDIM = 6 };

// ---- blocks

typedef struct {
  int dim, ncol;
  const V* pos;    // (dim) residuals
  N diag[MAXDIM];  // estimates of the inverse inertia
} Residual;

// all rows take the impedance at the length of the whole residual
static V lengthOf(const Residual* residual) {
  if (residual->dim == 1) return residual->pos[0];
  V sum = v_zero();
  for (int i = 0; i < residual->dim; i++) sum = sum + residual->pos[i] * residual->pos[i];
  return v_sqrt(sum);
}

static mjiBlock* appendBlock(mjiRows* rows, int eq, const Residual* residual) {
  mjiBlock* b = mji_rows_append(rows, mjCNSTR_EQUALITY, eq, residual->dim);
  b->ncol = residual->ncol;
  b->col = rows->col;
  b->J = mji_rows_num(rows, residual->dim * b->ncol);
  rows->col += b->ncol;
  return b;
}

// Find the lanes in which an equality has rows: its n entries stand at rows->num. In the other lanes they become zero.
static M lanesWithRows(mjiRows* rows, int eq, int n) {
  V* J = LANES(rows->num);
  M on = lanesWithEntries(rows->m, J, n);
  if (ONE_STATE) return on;
  on &= ((const M*)(const void*)mji_work(rows->d)->eq_on)[eq];
  for (int i = 0; i < n && !m_all(on); i++) J[i] = v_and(on, J[i]);
  return on;
}

// append the block of an equality, whose columns and entries stand at rows->col and rows->num
static void addBlock(mjiRows* rows, int eq, const Residual* residual) {
  const mjModel* m = rows->m;
  int dim = residual->dim;
  M on = lanesWithRows(rows, eq, dim * residual->ncol);
  if (!m_any(on)) {
    rows->ndropped += dim;
    return;
  }
  const mjData* d = rows->d;
  mjiBlock* b = appendBlock(rows, eq, residual);
  Spring spring;
  rows->mixed |= initSpring(m, d, NUM(eq_solref) + mjNREF * eq, NUM(eq_solimp) + mjNIMP * eq, &spring);
  storeDamping(rows, b, spring.B, spring.B);

  Row row = {.spring = &spring, .on = on};
  if (!m_all(on)) presentLanes(rows, b, on);
  row.imp = impedance(&spring, lengthOf(residual), slopeOf(&row));
  V* bias = LANES(mji_rows_num(rows, dim));
  b->bias = (const mjtNum*)bias;
  for (int i = 0; i < dim; i++) {
    row.pos = residual->pos[i];
    setRegularizer(&row, regularizer(row.imp, v_num(residual->diag[i])));
    storeRow(rows->d, b->efcadr + i, &row);
    bias[i] = spring.K * row.imp * row.pos;
  }
}

// ---- connect and weld

// two bodies, or two sites, that are held together
typedef struct {
  int body[2];
  V anchor[2][3];  // in world coordinates
  int ncol;
  const int* col;        // dofs that move either body
  const mjtByte* moves;  // (2 x ncol) whether each body moves with the dof of a column
} Joined;

// merge the ascending dofs of both bodies; moves marks where a column came from
static int mergeChains(const mjiPlan* plan, const int body[2], int* col, mjtByte* moves) {
  const int* chain[2];
  int num[2], at[2] = {0, 0}, n = 0;
  for (int i = 0; i < 2; i++) {
    chain[i] = plan->chain_ind + plan->chain_adr[body[i]];
    num[i] = plan->chain_num[body[i]];
  }
  while (at[0] < num[0] || at[1] < num[1]) {
    int dof[2];
    for (int i = 0; i < 2; i++) dof[i] = at[i] < num[i] ? chain[i][at[i]] : INT32_MAX;
    col[n] = dof[0] < dof[1] ? dof[0] : dof[1];
    for (int i = 0; i < 2; i++) {
      moves[2 * n + i] = dof[i] == col[n];
      at[i] += dof[i] == col[n];
    }
    n++;
  }
  return n;
}

// column c: how the vector between the anchors, and the rotation between the bodies, change with a dof
static void relativeMotion(const mjModel* m, const mjData* d, const Joined* j, int c, V linear[3], V angular[3]) {
  const V* w = CLANES(d->cdof) + 6 * j->col[c];
  V part[2][6];
  for (int i = 0; i < 2; i++) {
    zeroN(part[i], 6);
    if (!j->moves[2 * c + i]) continue;
    const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[j->body[i]];
    V offset[3];
    for (int k = 0; k < 3; k++) offset[k] = j->anchor[i][k] - com[k];
    cross3(part[i], w, offset);
    for (int k = 0; k < 3; k++) part[i][k] = part[i][k] + w[3 + k];
    copy3(part[i] + 3, w);
  }
  for (int k = 0; k < 3; k++) {
    linear[k] = part[0][k] - part[1][k];
    angular[k] = part[0][3 + k] - part[1][3 + k];
  }
}

static void rotationResidual(const WeldRotation* r, V res[3]) {
  V difference[4];
  mulQuatV(difference, r->second, r->first);
  for (int k = 0; k < 3; k++) res[k] = r->scale * difference[1 + k];
}

static void joinJacobian(const mjiRows* rows, const Joined* j, const WeldRotation* r, int dim) {
  V* J = LANES(rows->num);
  for (int c = 0; c < j->ncol; c++) {
    V column[MAXDIM], angular[3];
    relativeMotion(rows->m, rows->d, j, c, column, angular);
    if (dim == MAXDIM) weldColumn(r, angular, column + 3);
    for (int k = 0; k < dim; k++) J[k * j->ncol + c] = column[k];
  }
}

// three translations, and for a weld three rotations
static void joinRows(mjiRows* rows, int eq, int dim) {
  const mjModel* m = rows->m;
  mjData* d = rows->d;
  mj_markStack(d);
  Joined j;
  for (int i = 0; i < 2; i++) j.body[i] = LANE(equalityPoint)(m, d, eq, i, j.anchor[i]);
  mjtByte* moves = mj_stackAllocByte(d, 2 * (size_t)m->nv, 1);
  j.ncol = mergeChains(rows->plan, j.body, rows->col, moves);
  j.col = rows->col;
  j.moves = moves;

  V pos[MAXDIM];
  WeldRotation r;
  for (int k = 0; k < 3; k++) pos[k] = j.anchor[0][k] - j.anchor[1][k];
  if (dim == MAXDIM) {
    weldRotation(m, d, eq, &r);
    rotationResidual(&r, pos + 3);
  }
  Residual residual = {.dim = dim, .ncol = j.ncol, .pos = pos};
  const N *w1 = NUM(body_invweight0) + 2 * j.body[0], *w2 = NUM(body_invweight0) + 2 * j.body[1];
  for (int k = 0; k < dim; k++) residual.diag[k] = w1[k / 3] + w2[k / 3];
  joinJacobian(rows, &j, &r, dim);
  addBlock(rows, eq, &residual);
  mj_freeStack(d);
}

// ---- joints and tendons, coupled by a polynomial

static V polynomial(const N* c, V x, V* slope) {
  *slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * (4 * c[4])));
  return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

static V jointOffset(const mjModel* m, const mjData* d, int j) {
  return CLANES(d->qpos)[m->jnt_qposadr[j]] - NUM(qpos0)[m->jnt_qposadr[j]];
}

static void jointRows(mjiRows* rows, int eq) {
  const mjModel* m = rows->m;
  const mjData* d = rows->d;
  int j1 = m->eq_obj1id[eq], j2 = m->eq_obj2id[eq];
  int dof1 = m->jnt_dofadr[j1], dof2 = j2 >= 0 ? m->jnt_dofadr[j2] : -1;
  V x = j2 >= 0 ? jointOffset(m, rows->d, j2) : v_zero(), slope;
  V pos = jointOffset(m, rows->d, j1) - polynomial(NUM(eq_data) + mjNEQDATA * eq, x, &slope);

  // columns ascend
  V* J = LANES(rows->num);
  int first = j2 >= 0 && dof2 < dof1;
  rows->col[first] = dof1;
  J[first] = v_set1(1);
  if (j2 >= 0) {
    rows->col[!first] = dof2;
    J[!first] = -slope;
  }
  Residual residual = {.dim = 1, .ncol = j2 >= 0 ? 2 : 1, .pos = &pos};
  residual.diag[0] = NUM(dof_invweight0)[dof1] + (j2 >= 0 ? NUM(dof_invweight0)[dof2] : n_set1(0));
  addBlock(rows, eq, &residual);
}

static V tendonOffset(const mjModel* m, const mjData* d, int t) {
  return tendonLength(m, d, t) - NUM(tendon_length0)[t];
}

static void tendonRows(mjiRows* rows, int eq) {
  const mjModel* m = rows->m;
  mjData* d = rows->d;
  int t1 = m->eq_obj1id[eq], t2 = m->eq_obj2id[eq];
  V x = t2 >= 0 ? tendonOffset(m, d, t2) : v_zero(), slope;
  V pos = tendonOffset(m, d, t1) - polynomial(NUM(eq_data) + mjNEQDATA * eq, x, &slope);

  // for an equality, the reference stores its number here, not its first row
  if (ONE_STATE && d->tendon_efcadr[t1] == -1) d->tendon_efcadr[t1] = eq;
  if (ONE_STATE && t2 >= 0 && d->tendon_efcadr[t2] == -1) d->tendon_efcadr[t2] = eq;
  Residual residual = {.dim = 1, .pos = &pos};
  residual.diag[0] = NUM(tendon_invweight0)[t1] + (t2 >= 0 ? NUM(tendon_invweight0)[t2] : n_set1(0));
  residual.ncol = tendonDifference(rows, t1, t2, slope, rows->col, LANES(rows->num));
  addBlock(rows, eq, &residual);
}

// a row for each edge that can change its length
static void flexRows(mjiRows* rows, int eq) {
  const mjModel* m = rows->m;
  mjData* d = rows->d;
  int f = m->eq_obj1id[eq];
  if (!mji_flexHasJacobian(m, f)) return;
  for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
    if (m->flexedge_rigid[e]) continue;
    FlexEdgeRow row = flexEdgeRow(m, d, e);
    V* J = LANES(rows->num);
    for (int i = 0; i < row.n; i++) {
      rows->col[i] = row.col[i];
      J[i] = flexEdgeEntry(&row, i);
    }
    V pos = CLANES(d->flexedge_length)[e] - NUM(flexedge_length0)[e];
    Residual residual = {.dim = 1, .ncol = row.n, .pos = &pos};
    residual.diag[0] = NUM(flexedge_invweight0)[e];
    addBlock(rows, eq, &residual);
  }
}

static void connectRows(mjiRows* rows, int eq) { joinRows(rows, eq, 3); }
static void weldRows(mjiRows* rows, int eq) { joinRows(rows, eq, 6); }

static void (*const makers[])(mjiRows* rows, int eq) = {
#define E(TYPE, word, ENDS, dim, nemax, maker) [mjEQ_##TYPE] = maker,
    MJI_EQUALITIES(E)
#undef E
};

void LANE(equalityRows)(mjiRows* rows) {
  const mjModel* m = rows->m;
  if (m->opt.disableflags & mjDSBL_EQUALITY) return;
  mjiList equalities = mji_listOf(m, rows->d, MJI_EQUALITIES);
  for (int k = 0; k < equalities.n; k++) {
    int i = mji_listed(equalities, k);
    if (rows->d->eq_active[i]) makers[m->eq_type[i]](rows, i);
  }
}
