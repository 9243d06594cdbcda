// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/island.h"
#include "lanes/kernels.h"
#include "model/contact_lanes.h"
#include "model/number.h"
#include "model/row_class.h"
#include "model/work.h"
#include "solve/invariants.h"
#include "solve/parts.h"

static int* stackInt(mjData* d, size_t n) { return mj_stackAllocInt(d, n ? n : 1); }

static void allocate(mjData* d, int nsegment, int nblock, LANE(Parts)* s) {
  s->nsegment = nsegment;
  s->segment = mj_stackAllocByte(d, (size_t)nsegment * sizeof(mjiSegment), _Alignof(mjiSegment));
  s->part = stackInt(d, (size_t)nsegment);
  s->lane = stackInt(d, (size_t)nsegment * SHEAF_LANES);
  s->on = (M*)(void*)mji_stackNum(d, (size_t)nsegment);
  s->block = stackInt(d, (size_t)nblock);
}

static void oneOfEverything(const mjModel* m, mjData* d, M on, LANE(Parts)* s) {
  int nblock = mji_work(d)->nblock;
  *s = (LANE(Parts)){.n = 1,
                     .nsegment = 1,
                     .segment = &s->one.segment,
                     .part = &s->one.part,
                     .lane = s->one.lane,
                     .on = &s->one.on,
                     .block = stackInt(d, (size_t)nblock),
                     .inertia = &s->one.inertia};
  s->one.segment = (mjiSegment){0, (int)m->nv};
  s->one.on = on;
  s->one.inertia = v_num(STAT(meaninertia)[0] * (mjtNum)(m->nv > 0 ? m->nv : 1));
  memset(s->block, 0, (size_t)nblock * sizeof(int));
}

// ---- which trees are connected, lane by lane: a set of connected trees is named by its first tree

static int findRoot(int* link, int t, int lane) {
  while (link[t * SHEAF_LANES + lane] != t) {
    int up = link[t * SHEAF_LANES + lane];
    t = link[t * SHEAF_LANES + lane] = link[up * SHEAF_LANES + lane];
  }
  return t;
}

static void connect(int* link, M lanes, int a, int b) {
  for (int i = 0; i < SHEAF_LANES; i++) {
    if (!m_get(lanes, i)) continue;
    int ra = findRoot(link, a, i), rb = findRoot(link, b, i);
    link[(ra > rb ? ra : rb) * SHEAF_LANES + i] = ra > rb ? rb : ra;
  }
}

static const int* geomsOf(const mjData* d, const mjiBlock* b) {
  return mji_isContact(b->type) ? laneContacts(d)[b->id].geom : NULL;
}

// mark trees that have a constraint, and note the first tree of each block; nonzero if any block connects trees
static int connectTrees(const mjModel* m, mjData* d, LANE(Parts)* s, int* link) {
  const mjiWork* w = mji_work(d);
  int joined = 0;
  mj_markStack(d);
  int* tree = stackInt(d, (size_t)m->ntree);
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    M lanes = blockLanes(b);
    int n = mji_island_trees(m, b, geomsOf(d, b), tree);
    s->block[k] = n ? tree[0] : -1;
    for (int i = 0; i < n; i++) {
      s->on[tree[i]] = s->on[tree[i]] | lanes;
      if (i) connect(link, lanes, tree[0], tree[i]);
    }
    joined |= n > 1;
  }
  mj_freeStack(d);
  return joined;
}

// ---- numbers of the parts, by first tree

// number[t]: part whose first tree is t in some lane; returns how many there are
static int numberRoots(const LANE(Parts)* s, int* link, int joined, int* number) {
  int n = 0;
  for (int t = 0; t < s->nsegment; t++) {
    int is = m_any(s->on[t]) && !joined;
    for (int i = 0; joined && i < SHEAF_LANES; i++) {
      is |= m_get(s->on[t], i) && findRoot(link, t, i) == t;
    }
    number[t] = is ? n++ : -1;
  }
  return n;
}

static void assign(LANE(Parts)* s, int* link, const int* number, int t) {
  int part = MJI_PART_NONE;
  for (int i = 0; i < SHEAF_LANES; i++) {
    int own = m_get(s->on[t], i) ? number[findRoot(link, t, i)] : -1;
    s->lane[t * SHEAF_LANES + i] = own;
    if (own >= 0) part = part == MJI_PART_NONE || part == own ? own : MJI_PART_LANES;
  }
  s->part[t] = part;
}

static void sumInertia(const mjModel* m, const mjData* d, LANE(Parts)* s) {
  for (int k = 0; k < s->n; k++) s->inertia[k] = v_zero();
  for (int t = 0; t < s->nsegment; t++) {
    mjiSegment dofs = s->segment[t];
    V sum = partGet(s, t, s->inertia);
    for (int i = dofs.adr; i < dofs.adr + dofs.num; i++) {
      int diagonal = m->M_rowadr[i] + m->M_rownnz[i] - 1;
      sum = sum + v_and(s->on[t], CLANES(d->M)[diagonal]);
    }
    partPut(s, t, s->inertia, sum);
  }
}

void LANE(partsMake)(const mjModel* m, mjData* d, M on, int split, LANE(Parts)* parts) {
  int ntree = (int)m->ntree;
  if (!split || ntree < 2) {
    oneOfEverything(m, d, on, parts);
    if (split) sumInertia(m, d, parts);
    return;
  }
  allocate(d, ntree, mji_work(d)->nblock, parts);
  int *link = stackInt(d, (size_t)ntree * SHEAF_LANES), *number = stackInt(d, (size_t)ntree);
  for (int t = 0; t < ntree; t++) {
    parts->segment[t] = (mjiSegment){m->tree_dofadr[t], m->tree_dofnum[t]};
    parts->on[t] = m_none();
    for (int i = 0; i < SHEAF_LANES; i++) link[t * SHEAF_LANES + i] = t;
  }
  int joined = connectTrees(m, d, parts, link);
  parts->n = numberRoots(parts, link, joined, number);
  for (int t = 0; t < ntree; t++) assign(parts, link, number, t);
  parts->inertia = LANES(mji_stackNum(d, (size_t)parts->n));
  sumInertia(m, d, parts);
}
