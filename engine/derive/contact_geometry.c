// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How contacts follow their geoms: the formulas of round_geometry.c, or differences of the narrow phase, pair by pair
// and dof by dof. The geoms move as the dof moves them: shapes with edges have contacts that are smooth along the moves
// of a mechanism and not along others. Where a dof translates both, the contacts move along.

#include "lanes/lanes.h"

#include <limits.h>

#include "collide/touch.h"
#include "derive/contact_slope.h"
#include "derive/dof_motion.h"
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

// turn a pose about an origin by a small rotation w, and move it along
static void movePose(const V S[6], lane_t eps, const V* origin, V* pos, V* mat) {
  V square = dot3(S, S), arm[3], cross[3], twice[3];
  M still = v_eq(square, v_zero());
  V angle = eps * v_sqrt(square), sine, cosine;
  v_sincos(angle, &sine, &cosine);
  V s = v_sel(still, v_zero(), sine / v_sel(still, v_set1(1), v_sqrt(square)));
  V c = v_sel(still, v_zero(), (1.0 - cosine) / v_sel(still, v_set1(1), square));
  for (int k = 0; k < 3; k++) arm[k] = pos[k] - origin[k];
  cross3(cross, S, arm);
  cross3(twice, S, cross);
  for (int k = 0; k < 3; k++) pos[k] = pos[k] + (eps * S[3 + k] + s * cross[k] + c * twice[k]);
  for (int k = 0; k < 3; k++) {
    V axis[3] = {mat[k], mat[3 + k], mat[6 + k]};
    cross3(cross, S, axis);
    cross3(twice, S, cross);
    for (int r = 0; r < 3; r++) mat[3 * r + k] = axis[r] + s * cross[r] + c * twice[r];
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

// results of both sides of dof k, number `at` of the list, for each contact of the pair
static void moveDof(const mjModel* m, mjData* d, const LANE(Contact)* con, int ncon, const Poses* start, int at,
                    LANE(Touch)* touch, LANE(Geometry)* g) {
  LANE(Touch) found[2];
  int n[2], k = g->dof[at];
  for (int s = 0; s < 2; s++) {
    Poses p = *start;
    V *pos[2] = {p.pos[0], p.pos[1]}, *mat[2] = {p.mat[0], p.mat[1]};
    for (int i = 0; i < 2; i++) {
      int body = m->geom_bodyid[con->geom[i]];
      if (!chainHas(mji_plan(m), body, k)) continue;
      movePose(CLANES(d->cdof) + 6 * k, s ? kMove : -kMove, CLANES(d->subtree_com) + 3 * m->body_rootid[body], pos[i],
               mat[i]);
    }
    n[s] = LANE(touchesAt)(m, d, con->geom, pos, mat, touch + (size_t)(s * mjMAXCONPAIR));
  }
  for (int i = 0; i < ncon; i++) {
    M has[2];
    for (int s = 0; s < 2; s++) has[s] = nearest(touch + (size_t)(s * mjMAXCONPAIR), n[s], con + i, found + s);
    difference(con + i, found, has[0], found + 1, has[1], &g[i].moved[at]);
  }
}

// A dof that translates both geoms takes their contacts along: a search would add its tolerance, divided by the move.
// (The tangents of a contact need not turn along, so turns of both are differences.)
static int translatesBoth(const mjModel* m, const LANE(Contact)* con, int k) {
  const mjiPlan* plan = mji_plan(m);
  int joint = m->dof_jntid[k], type = m->jnt_type[joint];
  if (type != mjJNT_SLIDE && (type != mjJNT_FREE || k >= m->jnt_dofadr[joint] + 3)) return 0;
  return chainHas(plan, m->geom_bodyid[con->geom[0]], k) && chainHas(plan, m->geom_bodyid[con->geom[1]], k);
}

static void translate(const mjData* d, const LANE(Contact)* con, int ncon, int at, LANE(Geometry)* g) {
  for (int i = 0; i < ncon; i++) {
    LANE(Change)* out = &g[i].moved[at];
    memset(out, 0, sizeof *out);
    for (int r = 0; r < 3; r++) {
      out->pos[r] = v_and(laneContactOn(con + i), CLANES(d->cdof)[6 * g->dof[at] + 3 + r]);
    }
  }
}

// wanted dofs that move one of the geoms or both
static int movingDofs(const mjModel* m, const LANE(Contact)* con, const char* wanted, int* dof) {
  const mjiPlan* plan = mji_plan(m);
  int n = 0, at[2] = {0, 0};
  const int* chain[2];
  int num[2];
  for (int s = 0; s < 2; s++) {
    int body = m->geom_bodyid[con->geom[s]];
    chain[s] = plan->chain_ind + plan->chain_adr[body];
    num[s] = plan->chain_num[body];
  }
  while (at[0] < num[0] || at[1] < num[1]) {
    int first = at[0] < num[0] ? chain[0][at[0]] : INT_MAX, second = at[1] < num[1] ? chain[1][at[1]] : INT_MAX;
    dof[n] = mjMIN(first, second);
    n += !wanted || wanted[dof[n]];
    at[0] += first <= second;
    at[1] += second <= first;
  }
  return n;
}

static void byDifferences(const mjModel* m, mjData* d, const LANE(Contact)* con, int ncon, const char* wanted,
                          LANE(Geometry)* g) {
  int* dof = mj_stackAllocInt(d, (size_t)m->nv + 1);
  int ndof = movingDofs(m, con, wanted, dof);
  Poses start;
  for (int s = 0; s < 2; s++) {
    copyN(start.pos[s], CLANES(d->geom_xpos) + 3 * con->geom[s], 3);
    copyN(start.mat[s], CLANES(d->geom_xmat) + 9 * con->geom[s], 9);
  }
  for (int i = 0; i < ncon; i++) {
    g[i].ndof = ndof;
    g[i].dof = dof;
    g[i].moved = mj_stackAllocByte(d, (size_t)ndof * sizeof *g->moved, 64);
  }
  size_t top = mji_stackTop(d);
  LANE(Touch)* touch = mj_stackAllocByte(d, 2 * mjMAXCONPAIR * sizeof(LANE(Touch)), 64);
  for (int k = 0; k < ndof; k++) {
    if (translatesBoth(m, con, dof[k])) translate(d, con, ncon, k, g);
    else moveDof(m, d, con, ncon, &start, k, touch, g);
  }
  mji_stackBack(d, top);
}

void LANE(contactGeometry)(const mjModel* m, mjData* d, const LANE(Contact)* con, int ncon, const char* wanted,
                           LANE(Geometry)* g) {
  M any = m_none();
  memset(g, 0, (size_t)ncon * sizeof *g);
  for (int i = 0; i < ncon; i++) {
    M formula = LANE(roundGeometry)(m, d, con + i, g + i);
    g[i].differed = laneContactOn(con + i) & ~formula;
    any |= g[i].differed;
  }
  if (m_any(any)) byDifferences(m, d, con, ncon, wanted, g);
}
