// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rows of equality constraints, one state at a time.

#include <mujoco/mujoco.h>

#include "constraint/rows.h"
#include "constraint/tendon.h"

enum { MAXDIM = 6 };

// two bodies, or two sites, that are held together
typedef struct {
  int body[2];
  mjtNum anchor[2][3];     // in world coordinates
  int ncol;
  const int* col;          // dofs that move either body
  const mjtByte* moves;    // (2 x ncol) of which body a column is part
} Joined;

static int bodyOf(const mjModel* m, int eq, int side) {
  int id = side ? m->eq_obj2id[eq] : m->eq_obj1id[eq];
  return m->eq_objtype[eq] == mjOBJ_SITE ? m->site_bodyid[id] : id;
}

// anchor of a side: the site, or a point given in the frame of the body
static void findAnchor(const mjModel* m, const mjData* d, int eq, int side, mjtNum anchor[3]) {
  int id = side ? m->eq_obj2id[eq] : m->eq_obj1id[eq];
  if (m->eq_objtype[eq] == mjOBJ_SITE) {
    mju_copy3(anchor, d->site_xpos + 3 * id);
    return;
  }

  // connect has the anchor of the first body first, weld that of the second
  int second = m->eq_type[eq] == mjEQ_CONNECT ? side : !side;
  mju_mulMatVec3(anchor, d->xmat + 9 * id, m->eq_data + mjNEQDATA * eq + 3 * second);
  mju_addTo3(anchor, d->xpos + 3 * id);
}

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

// column c: how the distance of the anchors, and the angle between the bodies, changes with a dof
static void relativeMotion(const mjModel* m, const mjData* d, const Joined* j, int c,
                           mjtNum linear[3], mjtNum angular[3]) {
  const mjtNum* w = d->cdof + 6 * j->col[c];
  mjtNum part[2][6] = {{0}};
  for (int i = 0; i < 2; i++) {
    if (!j->moves[2 * c + i]) continue;
    mjtNum offset[3];
    mju_sub3(offset, j->anchor[i], d->subtree_com + 3 * m->body_rootid[j->body[i]]);
    mju_cross(part[i], w, offset);
    mju_addTo3(part[i], w + 3);
    mju_copy3(part[i] + 3, w);
  }
  mju_sub3(linear, part[0], part[1]);
  mju_sub3(angular, part[0] + 3, part[1] + 3);
}

// orientations that a weld makes equal: of the first body, and the conjugate of the second
static void weldOrientation(const mjModel* m, const mjData* d, int eq, mjtNum first[4],
                            mjtNum second[4]) {
  const int id[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]};
  mjtNum quat[4];
  if (m->eq_objtype[eq] == mjOBJ_SITE) {
    mju_mulQuat(first, d->xquat + 4 * m->site_bodyid[id[0]], m->site_quat + 4 * id[0]);
    mju_mulQuat(quat, d->xquat + 4 * m->site_bodyid[id[1]], m->site_quat + 4 * id[1]);
  } else {
    mju_mulQuat(first, d->xquat + 4 * id[0], m->eq_data + mjNEQDATA * eq + 6);
    mju_copy4(quat, d->xquat + 4 * id[1]);
  }
  mju_negQuat(second, quat);
}

// rotation of a weld: the vector part of q = torquescale * conj(q2) q1, and how it follows w
typedef struct {
  mjtNum first[4], second[4];
  mjtNum scale;
} Rotation;

static void rotationResidual(const Rotation* r, mjtNum res[3]) {
  mjtNum difference[4];
  mju_mulQuat(difference, r->second, r->first);
  mju_scl3(res, difference + 1, r->scale);
}

// 1/2 conj(q2) w q1
static void rotationColumn(const Rotation* r, const mjtNum w[3], mjtNum res[3]) {
  mjtNum axis[4] = {0, w[0], w[1], w[2]}, turned[4], change[4];
  mju_mulQuat(turned, r->second, axis);
  mju_mulQuat(change, turned, r->first);
  mju_scl3(res, change + 1, 0.5 * r->scale);
}

static void joinJacobian(const mjiRows* rows, const Joined* j, const Rotation* r, int dim) {
  for (int c = 0; c < j->ncol; c++) {
    mjtNum column[MAXDIM], angular[3];
    relativeMotion(rows->m, rows->d, j, c, column, angular);
    if (dim == MAXDIM) rotationColumn(r, angular, column + 3);
    for (int k = 0; k < dim; k++) rows->num[k * j->ncol + c] = column[k];
  }
}

// three translations, and for a weld three rotations
static void joinRows(mjiRows* rows, int eq, int dim) {
  const mjModel* m = rows->m;
  mjData* d = rows->d;
  mj_markStack(d);
  Joined j = {.body = {bodyOf(m, eq, 0), bodyOf(m, eq, 1)}};
  for (int i = 0; i < 2; i++) findAnchor(m, d, eq, i, j.anchor[i]);
  mjtByte* moves = mj_stackAllocByte(d, 2 * (size_t)m->nv, 1);
  j.ncol = mergeChains(rows->plan, j.body, rows->col, moves);
  j.col = rows->col;
  j.moves = moves;

  // residual
  mjtNum pos[MAXDIM], diag[MAXDIM];
  Rotation r = {.scale = m->eq_data[mjNEQDATA * eq + 10]};
  mju_sub3(pos, j.anchor[0], j.anchor[1]);
  if (dim == MAXDIM) {
    weldOrientation(m, d, eq, r.first, r.second);
    rotationResidual(&r, pos + 3);
  }

  const mjtNum* w1 = m->body_invweight0 + 2 * j.body[0], *w2 = m->body_invweight0 + 2 * j.body[1];
  for (int k = 0; k < dim; k++) diag[k] = w1[k / 3] + w2[k / 3];
  joinJacobian(rows, &j, &r, dim);
  mji_rows_addEquality(rows, eq, &(mjiResidual){dim, j.ncol, pos, diag});
  mj_freeStack(d);
}

// value of the polynomial that couples two joints or tendons, and its slope
static mjtNum polynomial(const mjtNum* c, mjtNum x, mjtNum* slope) {
  *slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
  return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

static mjtNum jointOffset(const mjModel* m, const mjData* d, int j) {
  return d->qpos[m->jnt_qposadr[j]] - m->qpos0[m->jnt_qposadr[j]];
}

static void jointRows(mjiRows* rows, int eq) {
  const mjModel* m = rows->m;
  int j1 = m->eq_obj1id[eq], j2 = m->eq_obj2id[eq];
  int dof1 = m->jnt_dofadr[j1], dof2 = j2 >= 0 ? m->jnt_dofadr[j2] : -1;
  mjtNum x = j2 >= 0 ? jointOffset(m, rows->d, j2) : 0, slope;
  mjtNum pos = jointOffset(m, rows->d, j1) - polynomial(m->eq_data + mjNEQDATA * eq, x, &slope);
  mjtNum diag = m->dof_invweight0[dof1] + (j2 >= 0 ? m->dof_invweight0[dof2] : 0);

  // columns ascend
  int first = j2 >= 0 && dof2 < dof1;
  rows->col[first] = dof1;
  rows->num[first] = 1;
  if (j2 >= 0) {
    rows->col[!first] = dof2;
    rows->num[!first] = -slope;
  }
  mji_rows_addEquality(rows, eq, &(mjiResidual){1, j2 >= 0 ? 2 : 1, &pos, &diag});
}

static mjtNum tendonOffset(const mjModel* m, const mjData* d, int t) {
  return d->ten_length[t] - m->tendon_length0[t];
}

static void tendonRows(mjiRows* rows, int eq) {
  const mjModel* m = rows->m;
  mjData* d = rows->d;
  int t1 = m->eq_obj1id[eq], t2 = m->eq_obj2id[eq];
  mjtNum x = t2 >= 0 ? tendonOffset(m, d, t2) : 0, slope;
  mjtNum pos = tendonOffset(m, d, t1) - polynomial(m->eq_data + mjNEQDATA * eq, x, &slope);
  mjtNum diag = m->tendon_invweight0[t1] + (t2 >= 0 ? m->tendon_invweight0[t2] : 0);

  // for an equality the reference notes its number here, not its row
  if (d->tendon_efcadr[t1] == -1) d->tendon_efcadr[t1] = eq;
  if (t2 >= 0 && d->tendon_efcadr[t2] == -1) d->tendon_efcadr[t2] = eq;

  int ncol = mji_tendon_difference(m, d, t1, t2, slope, rows->col, rows->num);
  mji_rows_addEquality(rows, eq, &(mjiResidual){1, ncol, &pos, &diag});
}

void mji_rows_equality(mjiRows* rows) {
  const mjModel* m = rows->m;
  if (m->opt.disableflags & mjDSBL_EQUALITY) return;
  for (int i = 0; i < m->neq; i++) {
    if (!rows->d->eq_active[i]) continue;
    switch ((mjtEq)m->eq_type[i]) {
      case mjEQ_CONNECT: joinRows(rows, i, 3); break;
      case mjEQ_WELD: joinRows(rows, i, 6); break;
      case mjEQ_JOINT: jointRows(rows, i); break;
      case mjEQ_TENDON: tendonRows(rows, i); break;
      default: mju_error("equality constraint %d has a type that is not supported", i);
    }
  }
}
