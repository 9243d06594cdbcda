// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Lengths, paths and moment arms of tendons.
//
// A fixed tendon is a weighted sum of joint positions. A spatial tendon is the shortest path
// through a sequence of sites, around the geoms between them; pulleys divide it into branches.
// The path is cut into pieces from one site to the next: a piece is a straight segment, or two
// segments and the curve between them where it wraps around a geom.
// The moment arm of a segment is its direction times the difference of the Jacobians of its ends; both ends of the
// curve move with one body, so the curve has no moment arm.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include <string.h>

#include "dynamics/spatial.h"
#include "dynamics/tendon_piece.h"
#include "dynamics/tendon_row.h"
#include "dynamics/wrap.h"
#include "model/active.h"
#include "model/number.h"
#include "model/work.h"

typedef LANE(TendonPiece) Piece;

// a row of the moment arm matrix while it is summed up
typedef struct {
  V* value;   // (nv) zero where no dof is listed
  int* used;  // (nv) nonzero if the dof is listed
  int* dof;   // (nv) dofs of the sparsity pattern, in the order in which the path meets them
  int n;
} Sum;

// arm of a dof, which belongs to the pattern from now on
static inline V* armOf(Sum* row, int dof) {
  if (!row->used[dof]) row->dof[row->n++] = dof;
  row->used[dof] = 1;
  return row->value + dof;
}

static int isWrapGeom(int type) { return type == mjWRAP_SPHERE || type == mjWRAP_CYLINDER; }

static V distance(const V* a, const V* b) {
  V dif[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return v_sqrt(dot3(dif, dif));
}

// Lay paths between two points around the object of wrap entry w, in some lanes; as LANE(wrap).
static M wrapAround(const mjModel* m, const mjData* d, int w, const V from[3], const V to[3], V touch[6], V* curve,
                    M in) {
  int geom = m->wrap_objid[w], side = mju_round(m->wrap_prm[w]);
  LANE(WrapObject) object = {m->wrap_type[w], NUM(geom_size)[3 * geom], CLANES(d->geom_xpos) + 3 * geom,
                             CLANES(d->geom_xmat) + 9 * geom, side >= 0 ? CLANES(d->site_xpos) + 3 * side : NULL};
  return LANE(wrap)(touch, curve, from, to, &object, in);
}

mjtNum LANE(wrapInLane)(const mjModel* m, const mjData* d, int w, int lane, const mjtNum from[3], const mjtNum to[3],
                        mjtNum touch[6]) {
  V end[6], at[6], curve;
  M in = m_none();
  m_put(&in, lane, 1);
  for (int k = 0; k < 6; k++) end[k] = v_set1(k < 3 ? from[k] : to[k - 3]);
  if (!m_any(wrapAround(m, d, w, end, end + 3, at, &curve, in))) return -1;
  for (int k = 0; k < 6; k++) touch[k] = v_get(at[k], lane);
  return v_get(curve, lane);
}

void LANE(tendonPiece)(const mjModel* m, const mjData* d, int w, Piece* piece) {
  int hasGeom = isWrapGeom(m->wrap_type[w + 1]);
  int site0 = m->wrap_objid[w], site1 = m->wrap_objid[w + 1 + hasGeom];
  piece->wraps = m_none();
  piece->geom = hasGeom ? m->wrap_objid[w + 1] : -1;
  piece->entry = w + 1;
  copy3(piece->point, CLANES(d->site_xpos) + 3 * site0);
  copy3(piece->point + 9, CLANES(d->site_xpos) + 3 * site1);
  piece->body[0] = m->site_bodyid[site0];
  piece->body[1] = piece->body[2] = hasGeom ? m->geom_bodyid[piece->geom] : 0;
  piece->body[3] = m->site_bodyid[site1];
  V curve = v_zero();
  if (hasGeom) {
    piece->wraps = wrapAround(m, d, w + 1, piece->point, piece->point + 9, piece->point + 3, &curve, m_full());
  } else {
    zeroN(piece->point + 3, 6);
  }

  piece->length = distance(piece->point, piece->point + 9);
  if (!m_any(piece->wraps)) return;
  V ends[2] = {distance(piece->point, piece->point + 3), distance(piece->point + 6, piece->point + 9)};
  piece->length = v_sel(piece->wraps, ends[0] + (curve + ends[1]), piece->length);
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
static void addForce(const mjModel* m, const mjData* d, Sum* row, const V force[3], const V point[3], int b,
                     int nshared) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[b];
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[b];

  // moment about the center of the tree: the force in the com frame
  V offset[3] = {point[0] - com[0], point[1] - com[1], point[2] - com[2]}, moment[3];
  cross3(moment, offset, force);
  for (int k = 0; k < plan->chain_num[b]; k++) {
    V* sum = armOf(row, chain[k]);
    if (k < nshared) continue;

    // summed in the order of mju_dot
    const V* w = CLANES(d->cdof) + 6 * chain[k];
    V arm = (w[0] * moment[0] + w[2] * moment[2]) + (w[1] * moment[1] + w[3] * force[0]);
    *sum = *sum + (arm + w[4] * force[1] + w[5] * force[2]);
  }
}

// add the moment arms of the straight segment between points i and k of a piece, in the lanes that have it
static void addSegment(const mjModel* m, const mjData* d, Sum* row, const Piece* piece, int i, int k, lane_t divisor,
                       M on) {
  const V *from = piece->point + 3 * i, *to = piece->point + 3 * k;
  int body0 = piece->body[i], body1 = piece->body[k];
  if (body0 == body1) return;

  // unit force along the segment; the first axis if it has no length
  V dif[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, pull[3], push[3];
  V length = v_sqrt(dot3(dif, dif));
  M none = v_lt(length, v_set1(mjMINVAL));
  V inv = 1.0 / v_sel(none, v_set1(1), length);
  lane_t share = 1 / divisor;
  for (int c = 0; c < 3; c++) {
    pull[c] = v_and(on, v_sel(none, v_set1(c == 0), dif[c] * inv) * share);
    push[c] = -pull[c];
  }

  // dofs that move both ends do not change the length
  int nshared = sharedDofs(mji_plan(m), body0, body1);
  addForce(m, d, row, push, from, body0, nshared);
  addForce(m, d, row, pull, to, body1, nshared);
}

static void addPiece(const mjModel* m, const mjData* d, Sum* row, const Piece* piece, lane_t divisor) {
  if (!m_all(piece->wraps)) addSegment(m, d, row, piece, 0, 3, divisor, ~piece->wraps);
  if (!m_any(piece->wraps)) return;
  addSegment(m, d, row, piece, 0, 1, divisor, piece->wraps);
  addSegment(m, d, row, piece, 2, 3, divisor, piece->wraps);
}

// ---- the path, which programs read to draw it (one state only)

// append a point to the recorded path: obj is -1 at a site, -2 at a pulley, else the geom
static void recordPoint(mjData* d, int tendon, int obj, const V* point) {
  if (!ONE_STATE) return;
  int n = d->ten_wrapadr[tendon] + d->ten_wrapnum[tendon]++;
  d->wrap_obj[n] = obj;
  for (int k = 0; k < 3; k++) d->wrap_xpos[3 * n + k] = point ? v_get(point[k], 0) : 0;
}

// all points of a piece but the last
static void recordPiece(mjData* d, int tendon, const Piece* piece) {
  recordPoint(d, tendon, -1, piece->point);
  if (!m_any(piece->wraps)) return;
  recordPoint(d, tendon, piece->geom, piece->point + 3);
  recordPoint(d, tendon, piece->geom, piece->point + 6);
}

// ---- tendons

static void spatialTendon(const mjModel* m, mjData* d, int tendon, Sum* row) {
  int adr = m->tendon_adr[tendon], last = adr + m->tendon_num[tendon] - 1;
  lane_t divisor = 1;
  V length = v_zero();

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
    LANE(tendonPiece)(m, d, w, &piece);
    length = length + piece.length / divisor;
    recordPiece(d, tendon, &piece);
    addPiece(m, d, row, &piece, divisor);

    // the last site of a branch
    w += piece.geom >= 0 ? 2 : 1;
    if (w == last || m->wrap_type[w + 1] == mjWRAP_PULLEY) recordPoint(d, tendon, -1, piece.point + 9);
  }
  LANES(d->ten_length)[tendon] = length;
}

// A joint may stand in the path twice: then its coefficients add up.
static void fixedTendon(const mjModel* m, mjData* d, int tendon, Sum* row) {
  int adr = m->tendon_adr[tendon];
  V length = v_zero();
  for (int w = adr; w < adr + m->tendon_num[tendon]; w++) {
    int joint = m->wrap_objid[w];
    length = length + NUM(wrap_prm)[w] * CLANES(d->qpos)[m->jnt_qposadr[joint]];
    V* arm = armOf(row, m->jnt_dofadr[joint]);
    *arm = *arm + NUM(wrap_prm)[w];
  }
  LANES(d->ten_length)[tendon] = length;
}

// The dofs of a path come in ascending runs, one for each chain, so they are sorted by insertion.
static void sortDofs(Sum* row) {
  for (int i = 1; i < row->n; i++) {
    int dof = row->dof[i], k = i;
    for (; k > 0 && row->dof[k - 1] > dof; k--) row->dof[k] = row->dof[k - 1];
    row->dof[k] = dof;
  }
}

// store a finished row, and make it empty again
static void storeRow(const mjModel* m, mjData* d, int tendon, Sum* row) {
  int compressed = tendonRowsCompressed(m), nv = (int)m->nv;
  size_t adr = (size_t)tendon * (size_t)nv;
  if (compressed) {
    adr = tendon ? (size_t)d->ten_J_rowadr[tendon - 1] + (size_t)d->ten_J_rownnz[tendon - 1] : 0;
    d->ten_J_rowadr[tendon] = (int)adr;
    d->ten_J_rownnz[tendon] = row->n;
    sortDofs(row);
  } else {
    zeroN(LANES(d->ten_J) + adr, nv);
  }
  for (int k = 0; k < row->n; k++) {
    int dof = row->dof[k];
    LANES(d->ten_J)[adr + (size_t)(compressed ? k : dof)] = row->value[dof];
    if (compressed) d->ten_J_colind[adr + (size_t)k] = dof;
    row->value[dof] = v_zero();
    row->used[dof] = 0;
  }
  row->n = 0;
}

void LANE(tendon)(const mjModel* m, mjData* d) {
  if (!m->ntendon) return;
  mj_markStack(d);
  size_t nv = (size_t)m->nv;
  Sum row = {LANES(mji_stackNum(d, nv)), mj_stackAllocInt(d, nv), mj_stackAllocInt(d, nv), 0};
  zeroN(row.value, (int)m->nv);
  if (nv) memset(row.used, 0, nv * sizeof(int));
  mjiList tendons = mji_listOf(m, d, MJI_TENDONS);
  for (int i = 0, met = 0, point = 0; i < m->ntendon; i++) {
    if (mji_isListed(tendons, &met, i)) {
      d->ten_wrapadr[i] = point;
      d->ten_wrapnum[i] = 0;
      if (m->wrap_type[m->tendon_adr[i]] == mjWRAP_JOINT) fixedTendon(m, d, i, &row);
      else spatialTendon(m, d, i, &row);
      point += d->ten_wrapnum[i];
    } else {
      LANES(d->ten_length)[i] = v_zero();  // the row below gets no moment arms; the place of its path stays
    }
    storeRow(m, d, i, &row);
  }
  mj_freeStack(d);
}
