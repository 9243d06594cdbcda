// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Independent parts of the primal problem: islands, which are sets of trees that constraints connect. Each part has its
// own cost, line search and decision to stop. All parts share vectors and one Hessian, in which nothing couples two
// parts.
//
// Lanes share one list of parts, numbered by the first tree of each. Most trees belong to the same part in all lanes
// (`part`). If contacts that only some lanes have connect trees, the part of a tree is looked up lane by lane (`lane`).
// In lanes where a tree has no constraint, its dofs have their final acceleration from the start and add exact zeros to
// the sums of any part.
//
// Include lanes/lanes.h first.
#ifndef SHEAF_SOLVE_PARTS_H_
#define SHEAF_SOLVE_PARTS_H_

#include <mujoco/mujoco.h>

#include "model/block.h"

enum { MJI_PART_LANES = -1, MJI_PART_NONE = -2 };

// neighbouring dofs of one part: a tree, or all dofs
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
  V* inertia;           // (n) sum of the diagonal of M; without `split`, m->stat.meaninertia times nv

  // what the pointers above point to if there is one part and one segment, as in most models
  struct {
    V inertia;
    M on;
    mjiSegment segment;
    int part, lane[SHEAF_LANES];
  } one;
} LANE(Parts);

// Find the parts of the problem of d: islands if `split`, else one part. Memory is scratch of d and the structure
// itself, which therefore must not be copied. `on` marks the lanes that have constraints.
void LANE(partsMake)(const mjModel* m, mjData* d, M on, int split, LANE(Parts)* parts);

// Is a segment in no part, in any lane? Then no constraint acts on its dofs, they have their final acceleration, and
// solvers leave them out.
static inline int isIdle(const LANE(Parts)* s, int segment) { return s->part[segment] == MJI_PART_NONE; }

// the number of the part that a segment belongs to, in each lane
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
