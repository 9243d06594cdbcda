// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of outputs that are formulas: inputs themselves, frames, lengths, the acceleration. The others are
// differences (sensor_slope.c). Matrices and quaternions are raw numbers: a turn w of a frame changes its axes by w x
// axis, and its quaternion by (0, w) q / 2.

#include <stddef.h>

#include "lanes/lanes.h"

#include "derive/bend.h"
#include "derive/derive.h"
#include "derive/dof_motion.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_row.h"
#include "model/number.h"
#include "model/work.h"

typedef enum { POINT, AXES, QUAT, CENTER, TENDON, LENGTH, QPOS, QVEL, ACT, CTRL, QACC } Kind;
typedef enum { BODY, GEOM, SITE } Owner;

// clang-format off
static const struct {
  size_t offset;
  Kind kind;
  int width;  // numbers of a row
  Owner owner;
} formulas[] = {
    {offsetof(mjData, xpos),            POINT,  3, BODY},
    {offsetof(mjData, xipos),           POINT,  3, BODY},
    {offsetof(mjData, geom_xpos),       POINT,  3, GEOM},
    {offsetof(mjData, site_xpos),       POINT,  3, SITE},
    {offsetof(mjData, xmat),            AXES,   9, BODY},
    {offsetof(mjData, ximat),           AXES,   9, BODY},
    {offsetof(mjData, geom_xmat),       AXES,   9, GEOM},
    {offsetof(mjData, site_xmat),       AXES,   9, SITE},
    {offsetof(mjData, xquat),           QUAT,   4, BODY},
    {offsetof(mjData, subtree_com),     CENTER, 3, BODY},
    {offsetof(mjData, ten_length),      TENDON, 1, BODY},
    {offsetof(mjData, actuator_length), LENGTH, 1, BODY},
    {offsetof(mjData, qpos),            QPOS,   1, BODY},
    {offsetof(mjData, qvel),            QVEL,   1, BODY},
    {offsetof(mjData, act),             ACT,    1, BODY},
    {offsetof(mjData, ctrl),            CTRL,   1, BODY},
    {offsetof(mjData, qacc),            QACC,   1, BODY},
};
// clang-format on
enum { NFORMULA = sizeof formulas / sizeof formulas[0] };

static int findFormula(size_t offset) {
  for (int i = 0; i < NFORMULA; i++) {
    if (formulas[i].offset == offset) return i;
  }
  return -1;
}

static int bodyOf(const mjModel* m, Owner owner, int i) {
  return owner == GEOM ? m->geom_bodyid[i] : owner == SITE ? m->site_bodyid[i] : i;
}

static const V* rowOf(const mjData* d, size_t offset, int width, int row) {
  const mjtNum* array;
  memcpy(&array, (const char*)d + offset, sizeof array);
  return CLANES(array) + width * row;
}

// ---- by position

static void axesChange(const mjModel* m, const mjData* d, int body, int k, const V* mat, V* out) {
  V turn[3];
  turnMotion(m, d, body, k, turn);
  for (int c = 0; c < 3; c++) {
    V axis[3] = {mat[c], mat[3 + c], mat[6 + c]};
    cross3(axis, turn, axis);
    for (int r = 0; r < 3; r++) out[3 * r + c] = axis[r];
  }
}

static void quatChange(const mjModel* m, const mjData* d, int body, int k, const V* quat, V* out) {
  V turn[4] = {v_zero()};
  turnMotion(m, d, body, k, turn + 1);
  for (int r = 1; r < 4; r++) turn[r] = 0.5 * turn[r];
  mulQuatV(out, turn, quat);
}

// is a body in the subtree of another?
static int isBelow(const mjModel* m, int body, int top) {
  while (body > top) body = m->body_parentid[body];
  return body == top;
}

// The center of a subtree: of the part of its mass that the dof moves.
static void centerChange(const mjModel* m, const mjData* d, int top, int k, V* out) {
  int body = m->dof_bodyid[k];
  zeroN(out, 3);
  if (chainHas(mji_plan(m), top, k)) {
    pointMotion(m, d, top, k, CLANES(d->subtree_com) + 3 * top, out);
  } else if (isBelow(m, body, top)) {
    N share = NUM(body_subtreemass)[body] / n_max(n_set1(mjMINVAL), NUM(body_subtreemass)[top]);
    pointMotion(m, d, body, k, CLANES(d->subtree_com) + 3 * body, out);
    for (int r = 0; r < 3; r++) out[r] = share * out[r];
  }
}

// raw positions by moves in the tangent space: q exp(w) for quaternions
static V qposChange(const mjModel* m, const mjData* d, int i, int k) {
  int j = m->dof_jntid[k], type = m->jnt_type[j], dof = k - m->jnt_dofadr[j], at = i - m->jnt_qposadr[j];
  int straight = type == mjJNT_FREE ? 3 : type == mjJNT_BALL ? 0 : 1, size = straight == 1 ? 1 : straight + 4;
  if (at < 0 || at >= size) return v_zero();
  if (dof < straight || at < straight) return v_set1(at == dof);
  V turn[4] = {v_zero(), v_zero(), v_zero(), v_zero()}, quat[4], change[4];
  copyN(quat, CLANES(d->qpos) + m->jnt_qposadr[j] + straight, 4);
  unitQuat(quat);
  turn[1 + dof - straight] = v_set1(0.5);
  mulQuatV(change, quat, turn);
  return change[at - straight];
}

static void rowChange(const mjModel* m, const mjData* d, int f, int row, int k, V out[9]) {
  const V* now = rowOf(d, formulas[f].offset, formulas[f].width, row);
  int body = bodyOf(m, formulas[f].owner, row);
  switch (formulas[f].kind) {
    case POINT: pointMotion(m, d, body, k, now, out); break;
    case AXES: axesChange(m, d, body, k, now, out); break;
    case QUAT: quatChange(m, d, body, k, now, out); break;
    case CENTER: centerChange(m, d, row, k, out); break;
    case QPOS: out[0] = qposChange(m, d, row, k); break;
    default: out[0] = v_zero(); break;
  }
}

// ---- lengths: all columns of one row

// where the number of a column goes, if the column is wanted
static void setColumn(const mjiStepDerivative* r, V* to, int column, V x) {
  int at = mji_columnPlace(r->column, r->ncol, column);
  if (at >= 0) to[(size_t)at * (size_t)r->nout] = x;
}

static void tendonColumns(const mjModel* m, const mjData* d, int t, const mjiStepDerivative* r, V* to) {
  TendonRow row = tendonRow(m, d, t);
  for (int k = 0; k < row.n; k++) setColumn(r, to, tendonColumn(&row, k), row.J[k]);
}

// Are the moment arms the derivative of the length? Transmissions without a length have arms, too.
static int followsArms(const mjModel* m, int i) {
  switch ((mjtTrn)m->actuator_trntype[i]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT: return m->jnt_type[m->actuator_trnid[2 * i]] != mjJNT_FREE;
    case mjTRN_TENDON: return 1;
    default: return 0;
  }
}

static void lengthColumns(const mjModel* m, mjData* d, int i, const mjiStepDerivative* r, V* to) {
  LANE(Bend) b;
  V* by;
  mj_markStack(d);
  LANE(transmissionBend)(m, d, i, &b, &by);
  for (int k = 0; by && k < b.n; k++) setColumn(r, to, b.col[k], by[k]);
  int adr = d->moment_rowadr[i], follows = !by && followsArms(m, i);
  for (int k = adr; follows && k < adr + d->moment_rownnz[i]; k++) {
    setColumn(r, to, d->moment_colind[k], CLANES(d->actuator_moment)[k]);
  }
  mj_freeStack(d);
}

// ---- all of an output

// the column of an input that is an output
static int ownColumn(const mjModel* m, Kind kind, int i) {
  int nv = (int)m->nv, na = (int)m->na;
  if (kind == QVEL) return nv + i;
  if (kind == ACT) return 2 * nv + i;
  return kind == CTRL ? 2 * nv + na + i : -1;
}

static void addRow(const mjModel* m, mjData* d, int f, int row, const mjiStepDerivative* r, const V* acc, V* to) {
  int own = ownColumn(m, formulas[f].kind, row), stride = r->nout;
  if (own >= 0) setColumn(r, to, own, v_set1(1));
  if (formulas[f].kind == TENDON) tendonColumns(m, d, row, r, to);
  if (formulas[f].kind == LENGTH) lengthColumns(m, d, row, r, to);
  for (int c = 0; formulas[f].kind == QACC && c < r->ncol; c++)
    to[(size_t)c * (size_t)stride] = acc[c * (int)m->nv + row];
}

int LANE(outputFormula)(const mjModel* m, mjData* d, const mjiOutputPart* part, const mjiStepDerivative* r,
                        const V* acc, V* to) {
  int f = findFormula(part->offset), stride = r->nout;
  if (f < 0) return 0;
  int width = formulas[f].width, moves = formulas[f].kind <= CENTER || formulas[f].kind == QPOS;
  for (int c = 0; c < r->ncol; c++) zeroN(to + (size_t)c * (size_t)stride, part->n);
  for (int i = 0; i < part->n; i++) {
    int row = (part->first + i) / width;
    if (!moves) addRow(m, d, f, row, r, acc, to + i);
    if (!moves || (i && (part->first + i) % width)) continue;
    for (int c = 0; c < r->ncol && mji_columnAt(r->column, c) < m->nv; c++) {
      V change[9];
      rowChange(m, d, f, row, mji_columnAt(r->column, c), change);
      int begin = (part->first + i) % width;
      for (int e = begin; e < width && i + e - begin < part->n; e++) {
        to[(size_t)c * (size_t)stride + (size_t)(i + e - begin)] = change[e];
      }
    }
  }
  return 1;
}
