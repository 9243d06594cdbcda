// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How the moment arms of spatial tendons change with positions.
//
// A straight segment pulls with a unit force u at both of its ends p, which a nudge moves by dp: of its length L
//   du = (1 - u u') (dp1 - dp0) / L
// Where a tendon leaves a geom, the end moves with the geom and glides on it, as the ends of the piece move relative to
// the geom. How far it glides are differences of the wrapping in these six coordinates.

#include "lanes/lanes.h"

#include "derive/bend.h"
#include "derive/dof_motion.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_piece.h"
#include "model/work.h"

// Like the geometry of contacts, that of a path is smooth on the scale of the shapes.
static const lane_t kMove = 1e-6;

typedef struct {
  LANE(TendonPiece) piece;
  V glide[36];  // number i of row c: touching points i by end c, both in the axes of the world
  lane_t share;
} Bow;

static int isStraight(int type) { return type == mjWRAP_SITE; }

// touching points in the lanes that wrap, with coordinate c of the ends moved by eps
static void touchAt(const mjModel* m, const mjData* d, const Bow* bow, int lane, int c, lane_t eps, mjtNum touch[6]) {
  mjtNum end[6];
  for (int r = 0; r < 6; r++) end[r] = v_get(bow->piece.point[r < 3 ? r : 6 + r], lane) + (r == c ? eps : 0);
  if (LANE(wrapInLane)(m, d, bow->piece.entry, lane, end, end + 3, touch) >= 0) return;

  // the move takes the path off the geom
  for (int r = 0; r < 6; r++) touch[r] = v_get(bow->piece.point[3 + r], lane);
}

static void findGlide(const mjModel* m, const mjData* d, Bow* bow) {
  zeroN(bow->glide, 36);
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (!m_get(bow->piece.wraps, lane)) continue;
    for (int c = 0; c < 6; c++) {
      mjtNum low[6], high[6];
      touchAt(m, d, bow, lane, c, -kMove, low);
      touchAt(m, d, bow, lane, c, kMove, high);
      for (int r = 0; r < 6; r++) v_put(bow->glide + 6 * c + r, lane, (high[r] - low[r]) / (2 * kMove));
    }
  }
}

// how the four points of a piece move with dof k
static void motions(const mjModel* m, const mjData* d, const Bow* bow, int k, V dp[12]) {
  const LANE(TendonPiece)* p = &bow->piece;
  for (int i = 0; i < 4; i++) pointMotion(m, d, p->body[i], k, p->point + 3 * i, dp + 3 * i);
  if (!m_any(p->wraps)) return;
  V carried[6], past[6];
  for (int s = 0; s < 2; s++) pointMotion(m, d, p->body[1], k, p->point + 9 * s, carried + 3 * s);
  for (int r = 0; r < 6; r++) past[r] = dp[r < 3 ? r : 6 + r] - carried[r];
  for (int c = 0; c < 6; c++) {
    for (int r = 0; r < 6; r++) dp[3 + r] = dp[3 + r] + bow->glide[6 * c + r] * past[c];
  }
}

// the segment between points i and j, in the lanes that have it
static void addSegment(const mjModel* m, const mjData* d, LANE(Bend)* b, int k, const Bow* bow, int i, int j,
                       const V dp[12], M on) {
  const LANE(TendonPiece)* p = &bow->piece;
  if (p->body[i] == p->body[j]) return;
  V u[3], du[3];
  for (int r = 0; r < 3; r++) {
    u[r] = p->point[3 * j + r] - p->point[3 * i + r];
    du[r] = dp[3 * j + r] - dp[3 * i + r];
  }
  V length = v_sqrt(dot3(u, u));
  M none = v_lt(length, v_set1(mjMINVAL));
  V inv = v_and(~none, 1.0 / v_sel(none, v_set1(1), length));
  for (int r = 0; r < 3; r++) u[r] = v_sel(none, v_set1(r == 0), u[r] * inv);
  V along = dot3(u, du);
  for (int s = 0; s < 2; s++) {
    int end = s ? j : i;
    lane_t sign = s ? bow->share : -bow->share;
    LANE(Push) push, change;
    zeroN(push.torque, 3);
    zeroN(change.torque, 3);
    for (int r = 0; r < 3; r++) {
      push.point[r] = v_and(on, p->point[3 * end + r]);
      push.force[r] = v_and(on, sign * u[r]);
      change.point[r] = v_and(on, dp[3 * end + r]);
      change.force[r] = v_and(on, sign * ((du[r] - u[r] * along) * inv));
    }
    LANE(bendPush)(m, d, b, k, p->body[end], &push, &change);
  }
}

static void addPiece(const mjModel* m, const mjData* d, LANE(Bend)* b, const Bow* bow) {
  M wraps = bow->piece.wraps;
  for (int c = 0; c < b->n; c++) {
    V dp[12];
    int k = b->col[c];
    motions(m, d, bow, k, dp);
    if (!m_all(wraps)) addSegment(m, d, b, k, bow, 0, 3, dp, ~wraps);
    if (!m_any(wraps)) continue;
    addSegment(m, d, b, k, bow, 0, 1, dp, wraps);
    addSegment(m, d, b, k, bow, 2, 3, dp, wraps);
  }
}

int LANE(tendonBends)(const mjModel* m, int t) {
  return m->tendon_num[t] && m->wrap_type[m->tendon_adr[t]] != mjWRAP_JOINT;
}

// bodies along a path; returns how many
static int pathBodies(const mjModel* m, int t, int* body) {
  int n = 0;
  for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
    if (m->wrap_type[w] == mjWRAP_PULLEY) continue;
    int id = m->wrap_objid[w];
    body[n++] = isStraight(m->wrap_type[w]) ? m->site_bodyid[id] : m->geom_bodyid[id];
  }
  return n;
}

M LANE(tendonBend)(const mjModel* m, mjData* d, int t, LANE(Bend)* b) {
  int* body = mj_stackAllocInt(d, (size_t)m->tendon_num[t]);
  LANE(startBend)(m, d, body, pathBodies(m, t, body), 0, b);
  int last = m->tendon_adr[t] + m->tendon_num[t] - 1;
  M around = m_none();
  Bow bow = {.share = 1};
  for (int w = m->tendon_adr[t]; w < last;) {
    if (m->wrap_type[w] == mjWRAP_PULLEY || m->wrap_type[w + 1] == mjWRAP_PULLEY) {
      if (m->wrap_type[w] == mjWRAP_PULLEY) bow.share = 1 / m->wrap_prm[w];
      w++;
      continue;
    }
    LANE(tendonPiece)(m, d, w, &bow.piece);
    around |= bow.piece.wraps;
    if (m_any(bow.piece.wraps)) findGlide(m, d, &bow);
    addPiece(m, d, b, &bow);
    w += bow.piece.geom >= 0 ? 2 : 1;
  }
  return around;
}
