// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What model/sleep.c does at the end of a step in which all trees are awake, over lanes.

#include "lanes/lanes.h"

#include "model/block.h"
#include "model/contact_lanes.h"
#include "model/equality_row.h"
#include "model/number.h"
#include "model/row_class.h"
#include "model/sleep_lanes.h"
#include "model/work.h"

enum { FRESH = -(1 + mjMINAWAKE), READY = -1 };

// ---- trees that may sleep

// lanes in which the user acts on a tree; any bit that is set counts, also that of a negative zero
static M isForced(const mjModel* m, const mjData* d, int tree) {
  const V* qfrc = CLANES(d->qfrc_applied) + m->tree_dofadr[tree];
  const V* xfrc = CLANES(d->xfrc_applied) + 6 * m->tree_bodyadr[tree];
  M bits = m_none();
  for (int i = 0; i < m->tree_dofnum[tree]; i++) bits |= mji_bits(qfrc[i]);
  for (int i = 0; i < 6 * m->tree_bodynum[tree]; i++) bits |= mji_bits(xfrc[i]);
  M forced = m_none();
  for (int lane = 0; lane < SHEAF_LANES; lane++) m_put(&forced, lane, m_get(bits, lane));
  return forced;
}

static M isSlow(const mjModel* m, const mjData* d, int tree) {
  lane_t tolerance = m->opt.sleep_tolerance;
  M slow = m_full();
  for (int i = m->tree_dofadr[tree]; i < m->tree_dofadr[tree] + m->tree_dofnum[tree]; i++) {
    V speed = NUM(dof_length)[i] * v_abs(CLANES(d->qvel)[i]);
    slow &= tolerance == 0 ? v_eq(speed, v_zero()) : v_lt(speed, v_set1(tolerance));
  }
  return slow;
}

static M maySleep(const mjModel* m, const mjData* d, int tree) {
  int policy = m->tree_sleep_policy[tree];
  if (policy == mjSLEEP_NEVER || policy == mjSLEEP_AUTO_NEVER) return m_none();
  return isSlow(m, d, tree) & ~isForced(m, d, tree);
}

// ---- trees that constraints connect

// trees of the two sides of a block of bodies, -1 where there is none; zero for other blocks
static int treesOf(const mjModel* m, const mjData* d, const mjiBlock* b, int tree[2]) {
  tree[0] = tree[1] = -1;
  if (mji_isContact(b->type)) {
    const LANE(Contact)* con = laneContacts(d) + b->id;
    for (int k = 0; k < 2; k++) {
      mjiSide side = mji_contactSide(m, con->geom, k);
      for (int i = 0; i < side.n && tree[k] < 0; i++) tree[k] = m->body_treeid[side.body[i]];
    }
    return 1;
  }
  if (b->type != mjCNSTR_EQUALITY || !mji_equalityOfPoints(m, b->id)) return 0;
  for (int k = 0; k < 2; k++) tree[k] = m->body_treeid[mji_equalityBody(m, b->id, k)];
  return 1;
}

static M lanesOf(const mjiBlock* b) { return b->on ? *(const M*)b->on : m_full(); }

// Lanes that count at all: one state does not where it has rows and no islands, as with islands disabled.
static M lanesThatCount(const mjModel* m, const mjData* d) {
  const mjiWork* w = mji_work(d);
  int finds = !mjDISABLED(mjDSBL_ISLAND);
  M rows = m_none(), islands = m_none();
  for (const mjiBlock* b = w->block; b < w->block + w->nblock; b++) {
    int tree[2];
    rows |= lanesOf(b);
    if (!finds) continue;
    if (b->ncol || (treesOf(m, d, b, tree) && (tree[0] >= 0 || tree[1] >= 0))) islands |= lanesOf(b);
  }
  return islands | ~rows;
}

// A tree falls asleep together with the trees that it touches or is tied to, so drop from `ready` a tree that is
// connected to one that is not ready. Only contacts and equalities are asked; other rows may connect trees, too, so
// some trees are kept that will not fall asleep. Nonzero if any tree is left in any lane.
static int dropConnected(const mjModel* m, const mjData* d, M* ready) {
  const mjiWork* w = mji_work(d);
  M changed;
  do {
    changed = m_none();
    for (const mjiBlock* b = w->block; b < w->block + w->nblock; b++) {
      int tree[2];
      if (!treesOf(m, d, b, tree) || tree[0] < 0 || tree[1] < 0) continue;
      M differ = lanesOf(b) & (ready[tree[0]] ^ ready[tree[1]]);
      for (int k = 0; k < 2; k++) ready[tree[k]] &= ~differ;
      changed |= differ;
    }
  } while (m_any(changed));
  int any = 0;
  for (int t = 0; t < m->ntree; t++) any |= m_any(ready[t]);
  return any;
}

// ---- a step

// the counters after this step, and the lanes in which they have come to an end
static M count(const mjModel* m, const mjData* d, int tree, M counts, const int* before, int* after) {
  M may = maySleep(m, d, tree), ready = m_none();
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    int n = before[lane];
    if (m_get(counts, lane)) n = m_get(may, lane) ? (n < READY ? n + 1 : n) : FRESH;
    after[lane] = n;
    m_put(&ready, lane, m_get(counts, lane) && n == READY);
  }
  return ready;
}

int LANE(sleepStops)(const mjModel* m, mjData* d) {
  mjiWork* w = mji_work(d);
  if (!w->watches) return 0;
  size_t ntree = (size_t)m->ntree;
  mj_markStack(d);
  M* ready = mj_stackAllocByte(d, ntree * sizeof(M), _Alignof(M));
  int* after = mj_stackAllocInt(d, ntree * SHEAF_LANES);
  M counts = lanesThatCount(m, d), any = m_none();
  for (int t = 0; t < m->ntree; t++) {
    ready[t] = count(m, d, t, counts, w->asleep + t * SHEAF_LANES, after + t * SHEAF_LANES);
    any |= ready[t];
  }
  w->stopped = m_any(any) && dropConnected(m, d, ready);
  if (!w->stopped) memcpy(w->asleep, after, ntree * SHEAF_LANES * sizeof(int));
  mj_freeStack(d);
  return w->stopped;
}
