// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of the forces that the armature A of a tendon adds to inverse dynamics. With its moment arms g they are
//   A g (g' a)   where M has an entry for the pair of dofs, and   A g (dg/dt)' v
// Fixed tendons have constant arms, so nothing here follows a state. For the others (dg/dt)' v is what the length
// accelerates at zero qacc: of a segment with ends that are apart by s along u, with relative velocity w and
// acceleration c,
//   (dg/dt)' v = u c + (w w - (u w)^2) / |s|
// A nudge of dof k carries velocities V and accelerations C of the bodies that it moves along, beyond those before it:
//   dV = S_k x (V - V_before),   dC = S_k x (C - C_before) - (S_k x V_before) x (V - V_before)

#include "lanes/lanes.h"

#include "derive/bend.h"
#include "derive/dof_motion.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_piece.h"
#include "dynamics/tendon_row.h"
#include "model/number.h"
#include "model/work.h"

typedef struct {
  V *vel, *velbefore;  // (nbody x 6), (nv x 6): velocities of bodies, and before each dof
  V *acc, *accbefore;  // their accelerations at zero qacc
} Motion;

// a point of a body, or its change with a dof
typedef struct {
  V pos[3], vel[3], acc[3];
} Point;

// ---- how the length accelerates

static Motion motionsOf(const mjModel* m, mjData* d) {
  size_t nbody = (size_t)m->nbody, nv = (size_t)m->nv;
  Motion x = {LANES(mji_stackNum(d, 6 * nbody)), LANES(mji_stackNum(d, 6 * nv)), LANES(mji_stackNum(d, 6 * nbody)),
              LANES(mji_stackNum(d, 6 * nv))};
  LANE(bodyMotions)(m, CLANES(d->cdof), CLANES(d->qvel), x.vel, x.velbefore);
  LANE(bodyMotions)(m, CLANES(d->cdof_dot), CLANES(d->qvel), x.acc, x.accbefore);
  return x;
}

// the point at the given arm from the origin of its body's com frame, which moves with velocity and acceleration
static void pointOf(const V* vel, const V* acc, const V* arm, Point* p) {
  V cross[3];
  cross3(cross, vel, arm);
  for (int r = 0; r < 3; r++) p->vel[r] = vel[3 + r] + cross[r];
  cross3(cross, acc, arm);
  for (int r = 0; r < 3; r++) p->acc[r] = acc[3 + r] + cross[r];
  cross3(cross, vel, p->vel);
  for (int r = 0; r < 3; r++) p->acc[r] = p->acc[r] + cross[r];
}

static void addCross(V* to, const V* a, const V* b) {
  V cross[3];
  cross3(cross, a, b);
  for (int r = 0; r < 3; r++) to[r] = to[r] + cross[r];
}

// how a point changes with dof k; zero if this does not move its body
static void pointChange(const mjModel* m, const mjData* d, const Motion* x, int body, int k, const V* arm,
                        const Point* p, Point* change) {
  zeroN((V*)change, 9);
  if (!chainHas(mji_plan(m), body, k)) return;
  const V *S = CLANES(d->cdof) + 6 * k, *vel = x->vel + 6 * body, *acc = x->acc + 6 * body;
  V past[6], carried[6], dvel[6], dacc[6], cross[6];
  for (int r = 0; r < 6; r++) past[r] = acc[r] - x->accbefore[6 * k + r];
  crossMotion(dacc, S, past);
  for (int r = 0; r < 6; r++) past[r] = vel[r] - x->velbefore[6 * k + r];
  crossMotion(dvel, S, past);
  crossMotion(carried, S, x->velbefore + 6 * k);
  crossMotion(cross, carried, past);
  for (int r = 0; r < 6; r++) dacc[r] = dacc[r] - cross[r];

  copyN(change->pos, S + 3, 3);
  addCross(change->pos, S, arm);
  copyN(change->vel, dvel + 3, 3);
  addCross(change->vel, dvel, arm);
  addCross(change->vel, vel, change->pos);
  copyN(change->acc, dacc + 3, 3);
  addCross(change->acc, dacc, arm);
  addCross(change->acc, acc, change->pos);
  addCross(change->acc, dvel, p->vel);
  addCross(change->acc, vel, change->vel);
}

// add how the acceleration of a segment's length changes with the dofs of a bend
static void addSegment(const mjModel* m, const mjData* d, const Motion* x, const LANE(TendonPiece)* piece, V share,
                       const LANE(Bend)* b, V* slope) {
  static const int end[2] = {0, 3};
  V arm[2][3], s[9], u[3];
  Point p[2];
  for (int e = 0; e < 2; e++) {
    int body = piece->body[end[e]];
    copyN(p[e].pos, piece->point + 3 * end[e], 3);
    armTo(m, d, body, p[e].pos, arm[e]);
    pointOf(x->vel + 6 * body, x->acc + 6 * body, arm[e], p + e);
  }
  for (int r = 0; r < 9; r++) s[r] = ((const V*)(p + 1))[r] - ((const V*)p)[r];
  const V *w = s + 3, *c = s + 6;
  V length = v_sqrt(dot3(s, s));
  M none = v_lt(length, v_set1(mjMINVAL));
  V inv = v_and(~none, 1.0 / v_sel(none, v_set1(1), length));
  for (int r = 0; r < 3; r++) u[r] = s[r] * inv;
  V along = dot3(u, w), across = dot3(w, w) - along * along;
  for (int i = 0; i < b->n; i++) {
    Point change[2];
    V ds[9], du[3];
    for (int e = 0; e < 2; e++) {
      pointChange(m, d, x, piece->body[end[e]], b->col[i], arm[e], p + e, change + e);
    }
    for (int r = 0; r < 9; r++) ds[r] = ((const V*)(change + 1))[r] - ((const V*)change)[r];
    V stretch = dot3(u, ds);
    for (int r = 0; r < 3; r++) du[r] = (ds[r] - u[r] * stretch) * inv;
    V turn = dot3(w, ds + 3) - along * (dot3(du, w) + dot3(u, ds + 3));
    slope[i] = slope[i] + share * (dot3(du, c) + dot3(u, ds + 6) + inv * (2.0 * turn - across * (stretch * inv)));
  }
}

static void addPath(const mjModel* m, mjData* d, int t, const Motion* x, const LANE(Bend)* b, V* slope) {
  int last = m->tendon_adr[t] + m->tendon_num[t] - 1;
  lane_t share = 1;
  for (int w = m->tendon_adr[t]; w < last; w++) {
    LANE(TendonPiece) piece;
    if (m->wrap_type[w] == mjWRAP_PULLEY) share = 1 / m->wrap_prm[w];
    if (m->wrap_type[w] == mjWRAP_PULLEY || m->wrap_type[w + 1] == mjWRAP_PULLEY) continue;
    LANE(tendonPiece)(m, d, w, &piece);
    if (piece.body[0] != piece.body[3]) addSegment(m, d, x, &piece, v_set1(share), b, slope);
  }
}

// ---- one tendon

typedef struct {
  LANE(Bend) bend;
  V armature;
  V* arm;                // (nv)
  V *velocity, *follow;  // (n) dg'v by dof of the bend; (dg/dt)' of the dofs of the bend
  V rate;                // (dg/dt)' v
} Tendon;

static void open(const mjModel* m, mjData* d, int t, Tendon* s) {
  TendonRow row = tendonRow(m, d, t);
  s->armature = v_num(NUM(tendon_armature)[t]);
  s->arm = LANES(mji_stackNum(d, (size_t)m->nv));
  zeroN(s->arm, (int)m->nv);
  for (int k = 0; k < row.n; k++) s->arm[tendonColumn(&row, k)] = row.J[k];
  LANE(tendonBend)(m, d, t, &s->bend);
  int n = s->bend.n;
  s->velocity = LANES(mji_stackNum(d, (size_t)n));
  s->follow = LANES(mji_stackNum(d, (size_t)n));
  s->rate = v_zero();
  LANE(bendTimes)(&s->bend, CLANES(d->qvel), s->velocity);
  zeroN(s->follow, n);
  for (int k = 0; k < n; k++) {
    V qvel = CLANES(d->qvel)[s->bend.col[k]];
    s->rate = s->rate + qvel * s->velocity[k];
    for (int i = 0; i < n; i++) s->follow[i] = s->follow[i] + qvel * s->bend.slope[k * n + i];
  }
}

// to += scale (left right') x, where M has an entry
static void addWithinTrees(const mjModel* m, V scale, const V* left, const V* right, const V* x, V* to) {
  for (int i = 0; i < m->nv; i++) {
    for (int e = m->M_rowadr[i]; e < m->M_rowadr[i] + m->M_rownnz[i]; e++) {
      int k = m->M_colind[e];
      to[i] = to[i] + scale * left[i] * (right[k] * x[k]);
      if (k != i) to[k] = to[k] + scale * left[k] * (right[i] * x[i]);
    }
  }
}

static void addInertia(const mjModel* m, mjData* d, const Tendon* s, const V* qacc, V* column) {
  size_t nv = (size_t)m->nv, top = mji_stackTop(d);
  int n = s->bend.n;
  V* darm = LANES(mji_stackNum(d, nv));
  zeroN(darm, (int)nv);
  for (int k = 0; k < n; k++) {
    V* to = column + (size_t)s->bend.col[k] * nv;
    for (int i = 0; i < n; i++) darm[s->bend.col[i]] = s->bend.slope[k * n + i];
    addWithinTrees(m, s->armature, darm, s->arm, qacc, to);
    addWithinTrees(m, s->armature, s->arm, darm, qacc, to);
  }
  mji_stackBack(d, top);
}

static void addBias(const mjModel* m, mjData* d, int t, const Tendon* s, const Motion* x, V* column) {
  size_t nv = (size_t)m->nv, top = mji_stackTop(d);
  int n = s->bend.n;
  V* slope = LANES(mji_stackNum(d, (size_t)n));
  zeroN(slope, n);
  addPath(m, d, t, x, &s->bend, slope);
  LANE(addBend)(m, d, &s->bend, s->armature * s->rate, 0, column);
  for (int k = 0; k < n; k++) {
    V *to = column + (size_t)s->bend.col[k] * nv, scale = s->armature * slope[k];
    for (size_t i = 0; i < nv; i++) to[i] = to[i] + scale * s->arm[i];
  }
  mji_stackBack(d, top);
}

// ---- all of them

static int bendsWithArmature(const mjModel* m, int t) { return m->tendon_armature[t] && LANE(tendonBends)(m, t); }

static int anyBendsWithArmature(const mjModel* m) {
  for (int t = 0; t < m->ntendon; t++) {
    if (bendsWithArmature(m, t)) return 1;
  }
  return 0;
}

void LANE(armatureByPosition)(const mjModel* m, mjData* d, const V* qacc, int bias, V* column) {
  if (!anyBendsWithArmature(m)) return;
  mj_markStack(d);
  Motion x = motionsOf(m, d);
  for (int t = 0; t < m->ntendon; t++) {
    if (!bendsWithArmature(m, t)) continue;
    size_t top = mji_stackTop(d);
    Tendon s;
    open(m, d, t, &s);
    addInertia(m, d, &s, qacc, column);
    if (bias) addBias(m, d, t, &s, &x, column);
    mji_stackBack(d, top);
  }
  mj_freeStack(d);
}

void LANE(armatureByVelocity)(const mjModel* m, mjData* d, V* column) {
  size_t nv = (size_t)m->nv;
  for (int t = 0; t < m->ntendon; t++) {
    if (!bendsWithArmature(m, t)) continue;
    mj_markStack(d);
    Tendon s;
    open(m, d, t, &s);
    for (int k = 0; k < s.bend.n; k++) {
      V *to = column + (size_t)s.bend.col[k] * nv, scale = s.armature * (s.follow[k] + s.velocity[k]);
      for (size_t i = 0; i < nv; i++) to[i] = to[i] + scale * s.arm[i];
    }
    mj_freeStack(d);
  }
}
