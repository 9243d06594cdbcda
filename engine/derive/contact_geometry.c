// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How contacts follow their geoms: the formulas of round_geometry.c, or differences of the narrow phase, pair by pair.
// A geom has six coordinates (moves along the axes of the world, turns about them through its center), and nothing else
// of the model moves, so this costs a few calls for each pair that touches and not one for each dof.

#include "lanes/lanes.h"

#include "collide/touch.h"
#include "derive/contact_slope.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/work.h"

// geometry is smooth on the scale of the shapes, not of the springs
static const lane_t kMove = 1e-6;

// A point that moves by more than this for kMove is another point.
static const lane_t kSame = 1e-4;

typedef struct {
  V pos[2][3], mat[2][9];
} Poses;

// turn a matrix about an axis of the world
static void turn(V* mat, int axis, lane_t angle) {
  int a = (axis + 1) % 3, b = (axis + 2) % 3;
  lane_t s = sin(angle), c = cos(angle);
  for (int k = 0; k < 3; k++) {
    V x = mat[3 * a + k], y = mat[3 * b + k];
    mat[3 * a + k] = c * x - s * y;
    mat[3 * b + k] = s * x + c * y;
  }
}

// the contact among some that is nearest to a record, and where there is one
static M nearest(const LANE(Touch)* touch, int n, const LANE(Contact)* con, LANE(Touch)* found) {
  V best = v_set1(kSame * kSame);
  M some = m_none();
  memset(found, 0, sizeof *found);
  for (int i = 0; i < n; i++) {
    V square = v_zero();
    for (int k = 0; k < 3; k++) {
      V t = touch[i].pos[k] - con->pos[k];
      square = square + t * t;
    }
    M closer = touch[i].on & v_lt(square, best);
    if (!m_any(closer)) continue;
    best = v_sel(closer, square, best);
    some = some | closer;
    const V* from = &touch[i].dist;
    V* to = &found->dist;
    for (int k = 0; k < 13; k++) to[k] = v_sel(closer, from[k], to[k]);
  }
  return some;
}

// turn per unit that takes one frame to another: half the sum of axis x change of the axis
static void turnOf(const V* frame, const V* change, V* out) {
  zeroN(out, 3);
  for (int i = 0; i < 3; i++) {
    V cross[3];
    cross3(cross, frame + 3 * i, change + 3 * i);
    for (int k = 0; k < 3; k++) out[k] = out[k] + 0.5 * cross[k];
  }
}

// difference of both sides; of one side where the other has no such contact; a point that moves with the geom and
// keeps its frame where neither has
static void difference(const LANE(Contact)* con, const LANE(Touch)* low, M haslow, const LANE(Touch)* high, M hashigh,
                       LANE(Change)* out) {
  const V *a = &low->dist, *b = &high->dist, *c = (const V*)&con->dist;
  V change[13], span = v_sel(haslow & hashigh, v_set1(2 * kMove), v_set1(kMove));
  M any = haslow | hashigh;
  for (int k = 0; k < 13; k++) {
    change[k] = v_and(any, (v_sel(hashigh, b[k], c[k]) - v_sel(haslow, a[k], c[k])) / span);
  }
  out->dist = change[0];
  copyN(out->pos, change + 1, 3);
  turnOf((const V*)con->frame, change + 4, out->turn);
}

// results of both sides of one coordinate, for each contact of the pair
static void coordinate(const mjModel* m, mjData* d, const LANE(Contact)* con, int ncon, const Poses* start, int side,
                       int c, LANE(Touch)* touch, LANE(Geometry)* g) {
  LANE(Touch) found[2];
  int n[2];
  for (int s = 0; s < 2; s++) {
    Poses p = *start;
    V *pos[2] = {p.pos[0], p.pos[1]}, *mat[2] = {p.mat[0], p.mat[1]};
    lane_t eps = s ? kMove : -kMove;
    if (c < 3) pos[side][c] = pos[side][c] + eps;
    else turn(mat[side], c - 3, eps);
    n[s] = LANE(touchesAt)(m, d, con->geom, pos, mat, touch + (size_t)(s * mjMAXCONPAIR));
  }
  for (int i = 0; i < ncon; i++) {
    M has[2];
    for (int s = 0; s < 2; s++) has[s] = nearest(touch + (size_t)(s * mjMAXCONPAIR), n[s], con + i, found + s);
    difference(con + i, found, has[0], found + 1, has[1], &g[i].by[side][c]);
  }
}

// A move of both geoms moves the contact along: what one does not do, the other does.
static void complement(LANE(Geometry)* g) {
  for (int c = 0; c < 3; c++) {
    LANE(Change)*to = &g->by[0][c], *from = &g->by[1][c];
    to->dist = -from->dist;
    for (int k = 0; k < 3; k++) {
      to->pos[k] = (k == c ? 1.0 : 0.0) - from->pos[k];
      to->turn[k] = -from->turn[k];
    }
  }
}

static void byDifferences(const mjModel* m, mjData* d, const LANE(Contact)* con, int ncon, LANE(Geometry)* g) {
  const mjiPlan* plan = mji_plan(m);
  size_t top = mji_stackTop(d);
  LANE(Touch)* touch = mj_stackAllocByte(d, 2 * mjMAXCONPAIR * sizeof(LANE(Touch)), 64);
  Poses start;
  int moves[2];
  for (int s = 0; s < 2; s++) {
    int geom = con->geom[s];
    copyN(start.pos[s], CLANES(d->geom_xpos) + 3 * geom, 3);
    copyN(start.mat[s], CLANES(d->geom_xmat) + 9 * geom, 9);
    moves[s] = plan->chain_num[m->geom_bodyid[geom]] > 0;
  }
  for (int s = 0; s < 2; s++) {
    // moves of the first follow from those of the second
    for (int c = s == 0 && moves[1] ? 3 : 0; moves[s] && c < 6; c++)
      coordinate(m, d, con, ncon, &start, s, c, touch, g);
  }
  for (int i = 0; moves[0] && moves[1] && i < ncon; i++) complement(g + i);
  mji_stackBack(d, top);
}

// take the differences where the formula does not hold
static void choose(LANE(Geometry)* g, const LANE(Geometry)* differences) {
  V* to = &g->by[0][0].dist;
  const V* from = &differences->by[0][0].dist;
  for (int k = 0; k < (int)(sizeof g->by / sizeof *to); k++) to[k] = v_sel(g->differed, from[k], to[k]);
}

void LANE(contactGeometry)(const mjModel* m, mjData* d, const LANE(Contact)* con, int ncon, LANE(Geometry)* g) {
  M any = m_none();
  memset(g, 0, (size_t)ncon * sizeof *g);
  for (int i = 0; i < ncon; i++) {
    M formula = LANE(roundGeometry)(m, d, con + i, g + i);
    g[i].differed = laneContactOn(con + i) & ~formula;
    any |= g[i].differed;
  }
  if (!m_any(any)) return;
  mj_markStack(d);
  LANE(Geometry)* differences = mj_stackAllocByte(d, (size_t)ncon * sizeof *differences, 64);
  memset(differences, 0, (size_t)ncon * sizeof *differences);
  byDifferences(m, d, con, ncon, differences);
  for (int i = 0; i < ncon; i++) choose(g + i, differences + i);
  mj_freeStack(d);
}
