// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Lengths, paths and moment arms of tendons.
//
// A fixed tendon is a weighted sum of joint positions. A spatial tendon is the shortest path
// through a sequence of sites, around the geoms between them; pulleys divide it into branches.
// The path is cut into pieces from one site to the next: a piece is a straight segment, or two
// segments and the curve between them where it wraps around a geom. The moment arm of a segment
// is its direction times the difference of the Jacobians of its ends; the curve moves with one
// body and has none.

#include "dynamics/tendon.h"

#include <string.h>

#include "model/sleep.h"
#include "model/work.h"

#include "dynamics/wrap.h"

// part of a path between two consecutive sites
typedef struct {
  int npoint;              // 2, or 4 if the path wraps around a geom
  mjtNum point[12];
  int body[4];             // to which the points are attached
  mjtNum length;
  int geom;                // the geom between the sites, or -1
} Piece;

// a row of the moment arm matrix while it is summed up
typedef struct {
  mjtNum* value;           // (nv)
  int* used;               // (nv) nonzero if the dof belongs to the sparsity pattern
} Row;

static int isWrapGeom(int type) { return type == mjWRAP_SPHERE || type == mjWRAP_CYLINDER; }

// the piece that starts at entry w of the wrap list, a site; the entry after it is a site or a geom
static void makePiece(const mjModel* m, const mjData* d, int w, Piece* piece) {
  int wraps = isWrapGeom(m->wrap_type[w + 1]);
  int site0 = m->wrap_objid[w], site1 = m->wrap_objid[w + 1 + wraps];
  const mjtNum* start = d->site_xpos + 3 * site0;
  const mjtNum* end = d->site_xpos + 3 * site1;
  mjtNum curve = -1;
  piece->geom = -1;

  // the curve around the geom
  if (wraps) {
    int geom = m->wrap_objid[w + 1], side = (int)mju_round(m->wrap_prm[w + 1]);
    mjiWrapObject object = {m->wrap_type[w + 1], m->geom_size[3 * geom], d->geom_xpos + 3 * geom,
                            d->geom_xmat + 9 * geom, side >= 0 ? d->site_xpos + 3 * side : NULL};
    piece->geom = geom;
    curve = mji_wrap(piece->point + 3, start, end, &object);
    piece->body[1] = piece->body[2] = m->geom_bodyid[geom];
  }

  // the points from first to last
  int last = curve < 0 ? 1 : 3;
  piece->npoint = last + 1;
  mju_copy3(piece->point, start);
  mju_copy3(piece->point + 3 * last, end);
  piece->body[0] = m->site_bodyid[site0];
  piece->body[last] = m->site_bodyid[site1];
  piece->length = mju_dist3(piece->point, piece->point + 3);
  if (last == 3) piece->length += curve + mju_dist3(piece->point + 6, piece->point + 9);
}

// number of leading dofs that two chains share
static int sharedDofs(const mjiPlan* plan, int b0, int b1) {
  const int* chain0 = plan->chain_ind + plan->chain_adr[b0];
  const int* chain1 = plan->chain_ind + plan->chain_adr[b1];
  int n = mjMIN(plan->chain_num[b0], plan->chain_num[b1]), k = 0;
  while (k < n && chain0[k] == chain1[k]) k++;
  return k;
}

// add what a force at a point does to the dofs that move body b
static void addForce(const mjModel* m, const mjData* d, Row* row, const mjtNum force[3],
                     const mjtNum point[3], int b, int nshared) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[b];

  // force and its moment about the center of the tree: a force in the com frame
  mjtNum offset[3], wrench[6];
  mju_sub3(offset, point, d->subtree_com + 3 * m->body_rootid[b]);
  mju_cross(wrench, offset, force);
  mju_copy3(wrench + 3, force);
  for (int k = 0; k < plan->chain_num[b]; k++) {
    row->used[chain[k]] = 1;
    if (k >= nshared) row->value[chain[k]] += mju_dot(d->cdof + 6 * chain[k], wrench, 6);
  }
}

// add the moment arms of the straight segment between two points
static void addSegment(const mjModel* m, const mjData* d, Row* row, const mjtNum point[6],
                       const int body[2], mjtNum divisor) {
  if (body[0] == body[1]) return;
  mjtNum pull[3], push[3];
  mju_sub3(pull, point + 3, point);
  mju_normalize3(pull);
  mju_scl3(pull, pull, 1 / divisor);
  mju_scl3(push, pull, -1);

  // dofs that move both ends do not change the length
  int nshared = sharedDofs(mji_plan(m), body[0], body[1]);
  addForce(m, d, row, push, point, body[0], nshared);
  addForce(m, d, row, pull, point + 3, body[1], nshared);
}

// append a point to the recorded path: obj is -1 at a site, -2 at a pulley, else the geom
static void recordPoint(mjData* d, int tendon, int obj, const mjtNum* point) {
  int n = d->ten_wrapadr[tendon] + d->ten_wrapnum[tendon]++;
  d->wrap_obj[n] = obj;
  mju_zero3(d->wrap_xpos + 3 * n);
  if (point) mju_copy3(d->wrap_xpos + 3 * n, point);
}

static void spatialTendon(const mjModel* m, mjData* d, int tendon, Row* row) {
  int adr = m->tendon_adr[tendon], last = adr + m->tendon_num[tendon] - 1;
  mjtNum divisor = 1, length = 0;

  for (int w = adr; w < last;) {
    // a pulley starts a new branch
    if (m->wrap_type[w] == mjWRAP_PULLEY || m->wrap_type[w + 1] == mjWRAP_PULLEY) {
      if (m->wrap_type[w] == mjWRAP_PULLEY) {
        divisor = m->wrap_prm[w];
        recordPoint(d, tendon, -2, NULL);
      }
      w++;
      continue;
    }

    // from this site to the next
    Piece piece;
    makePiece(m, d, w, &piece);
    length += piece.length / divisor;
    for (int k = 0; k < piece.npoint - 1; k++) {
      recordPoint(d, tendon, k ? piece.geom : -1, piece.point + 3 * k);
      addSegment(m, d, row, piece.point + 3 * k, piece.body + k, divisor);
    }

    // the last site of a branch
    w += piece.geom >= 0 ? 2 : 1;
    if (w == last || m->wrap_type[w + 1] == mjWRAP_PULLEY) {
      recordPoint(d, tendon, -1, piece.point + 3 * (piece.npoint - 1));
    }
  }
  d->ten_length[tendon] = length;
}

// A joint that stands twice in the path counts twice in the length, and in a sparse row; a dense row keeps its last
// coefficient. Models are expected to get these numbers.
static void fixedTendon(const mjModel* m, mjData* d, int tendon, Row* row) {
  int adr = m->tendon_adr[tendon], sparse = mj_isSparse(m);
  mjtNum length = 0;
  for (int w = adr; w < adr + m->tendon_num[tendon]; w++) {
    int joint = m->wrap_objid[w], dof = m->jnt_dofadr[joint];
    length += m->wrap_prm[w] * d->qpos[m->jnt_qposadr[joint]];
    row->used[dof] = 1;
    row->value[dof] = (sparse ? row->value[dof] : 0) + m->wrap_prm[w];
  }
  d->ten_length[tendon] = length;
}

// store a finished row, dense or compressed
static void storeRow(const mjModel* m, mjData* d, int tendon, const Row* row) {
  int nv = m->nv;
  if (!mj_isSparse(m)) {
    mju_copy(d->ten_J + (size_t)tendon * nv, row->value, nv);
    return;
  }
  int adr = tendon ? d->ten_J_rowadr[tendon - 1] + d->ten_J_rownnz[tendon - 1] : 0, nnz = 0;
  for (int i = 0; i < nv; i++) {
    if (!row->used[i]) continue;
    d->ten_J_colind[adr + nnz] = i;
    d->ten_J[adr + nnz++] = row->value[i];
  }
  d->ten_J_rowadr[tendon] = adr;
  d->ten_J_rownnz[tendon] = nnz;
}

void mj_tendon(const mjModel* m, mjData* d) {
  if (!m->ntendon) return;
  mj_markStack(d);
  Row row = {mj_stackAllocNum(d, m->nv), mj_stackAllocInt(d, m->nv)};
  for (int i = 0; i < m->ntendon; i++) {
    mju_zero(row.value, m->nv);
    if (m->nv) memset(row.used, 0, m->nv * sizeof(int));
    d->ten_wrapadr[i] = i ? d->ten_wrapadr[i - 1] + d->ten_wrapnum[i - 1] : 0;
    d->ten_wrapnum[i] = 0;
    if (m->wrap_type[m->tendon_adr[i]] == mjWRAP_JOINT) fixedTendon(m, d, i, &row);
    else spatialTendon(m, d, i, &row);
    storeRow(m, d, i, &row);
  }
  mj_freeStack(d);
  if (mji_sleep_any(m, d)) mji_sleep_hideTendons(m, d);
}

// add forces on the ends of a piece to a row of dJ/dt: those of the turning direction, then those
// of the turning dofs
static void addSegmentDot(const mjModel* m, mjData* d, mjtNum* rowdot, const Piece* piece,
                          const int site[2], mjtNum divisor, mjtNum* jac) {
  int nv = m->nv;
  mjtNum dir[3], dirdot[3], vel[12];
  mju_sub3(dir, piece->point + 3, piece->point);
  mjtNum length = mju_normalize3(dir);

  // velocity of the unit vector: what is across it, divided by the length
  for (int k = 0; k < 2; k++) mj_objectVelocity(m, d, mjOBJ_SITE, site[k], vel + 6 * k, 0);
  mju_sub3(dirdot, vel + 9, vel + 3);
  mju_addToScl3(dirdot, dir, -mju_dot3(dir, dirdot));
  mju_scl3(dirdot, dirdot, length > mjMINVAL ? 1 / length : 0);

  for (int k = 0; k < 2; k++) {
    mjtNum sign = (k ? 1 : -1) / divisor;
    mj_jacDot(m, d, jac, NULL, piece->point + 3 * k, piece->body[k]);
    for (int i = 0; i < 3; i++) mju_addToScl(rowdot, jac + i * nv, sign * dir[i], nv);
    mj_jac(m, d, jac, NULL, piece->point + 3 * k, piece->body[k]);
    for (int i = 0; i < 3; i++) mju_addToScl(rowdot, jac + i * nv, sign * dirdot[i], nv);
  }
}

void mji_tendon_jacDot(const mjModel* m, mjData* d, int tendon, mjtNum* rowdot) {
  int adr = m->tendon_adr[tendon], last = adr + m->tendon_num[tendon] - 1;
  mjtNum divisor = 1;
  mju_zero(rowdot, m->nv);
  if (m->wrap_type[adr] == mjWRAP_JOINT) return;

  mj_markStack(d);
  mjtNum* jac = mj_stackAllocNum(d, 3 * m->nv);
  for (int w = adr; w < last; w++) {
    if (m->wrap_type[w] == mjWRAP_PULLEY) divisor = m->wrap_prm[w];
    if (isWrapGeom(m->wrap_type[w])) {
      mju_error("tendon %d: armature with geom wrapping is not supported", tendon);
    }
    if (m->wrap_type[w] != mjWRAP_SITE || m->wrap_type[w + 1] != mjWRAP_SITE) continue;
    Piece piece;
    makePiece(m, d, w, &piece);
    if (piece.body[0] == piece.body[1]) continue;
    addSegmentDot(m, d, rowdot, &piece, m->wrap_objid + w, divisor, jac);
  }
  mj_freeStack(d);
}
