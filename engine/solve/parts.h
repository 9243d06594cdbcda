// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Independent parts of the primal problem: islands, trees that constraints connect. Cost, line
// search and the decision to stop are those of each part; vectors and the Hessian are shared, since
// nothing couples two parts.
//
// Lanes share one list of parts, numbered by the first tree of each. A tree belongs to the same
// part in all lanes as a rule (`tree`); where contacts that only some lanes have connect trees, its
// part is looked up lane by lane. In lanes where a tree has no constraint its dofs have their final
// acceleration from the start, and add exact zeros to whichever part.
//
// Include lanes/lanes.h first.
#ifndef SHEAF_SOLVE_PARTS_H_
#define SHEAF_SOLVE_PARTS_H_

#include <mujoco/mujoco.h>

#include "model/block.h"

enum { MJI_PART_LANES = -1, MJI_PART_NONE = -2 };

// neighbouring dofs that belong together
typedef struct {
  int adr, num;
} mjiSegment;

typedef struct LANE(Parts_) {
  int n;                // parts
  int nsegment;         // segments: the trees, or one of all dofs
  mjiSegment* segment;  // (nsegment) their dofs
  int* part;            // (nsegment) part of each, or MJI_PART_*
  int* lane;            // (nsegment x lanes) the same, lane by lane; -1: in none
  M* on;                // (nsegment) lanes in which it is in a part
  int* block;           // (nblock) a segment that each block acts on
  V* inertia;           // (n) sum of the diagonal of M; one of everything: at qpos0

  // where the above are if there is one of everything, which is most often
  struct {
    V inertia;
    M on;
    mjiSegment segment;
    int part, lane[SHEAF_LANES];
  } one;
} LANE(Parts);

// Parts of the problem of d, in scratch of d and in the structure itself, which cannot be copied; one
// of everything unless `split`. `on` marks the lanes that have constraints.
void LANE(partsMake)(const mjModel* m, mjData* d, M on, int split, LANE(Parts)* parts);

// a number of each part, as a segment sees it
static inline V partGet(const LANE(Parts)* s, int segment, const V* x) {
  int k = s->part[segment];
  if (k >= 0) return x[k];
  V r = v_zero();
  for (int i = 0; k == MJI_PART_LANES && i < SHEAF_LANES; i++) {
    int own = s->lane[segment * SHEAF_LANES + i];
    if (own >= 0) v_put(&r, i, v_get(x[own], i));
  }
  return r;
}

static inline void partPut(const LANE(Parts)* s, int segment, V* x, V value) {
  int k = s->part[segment];
  if (k >= 0) x[k] = value;
  for (int i = 0; k == MJI_PART_LANES && i < SHEAF_LANES; i++) {
    int own = s->lane[segment * SHEAF_LANES + i];
    if (own >= 0) v_put(x + own, i, v_get(value, i));
  }
}

// lanes of a segment whose part is marked
static inline M partMask(const LANE(Parts)* s, int segment, const M* x) {
  int k = s->part[segment];
  if (k >= 0) return x[k] & s->on[segment];
  M r = m_none();
  for (int i = 0; k == MJI_PART_LANES && i < SHEAF_LANES; i++) {
    int own = s->lane[segment * SHEAF_LANES + i];
    if (own >= 0) m_put(&r, i, m_get(x[own], i));
  }
  return r;
}

#endif  // SHEAF_SOLVE_PARTS_H_
