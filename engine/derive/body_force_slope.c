// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative by position of forces on single bodies: gravity compensation, and a medium.
//
// Wrenches are about the origin of the com frame. A nudge of dof k moves what k moves as one rigid body. A force G per
// unit of mass at the first moment P keeps its direction, so beyond the rigid motion of its wrench W = (P x G, C G) it
// changes by -(P x (w_k x G), C w_k x G). A shape in a medium feels another flow in its own frame,
//   dv = -X (S_k x (v_before - wind)),   and the force B dv,
// where v_before is the velocity before the joint part of k, and X takes motions to the shape's frame. On dof i:
//   k above i, or in the same part:   S_i' (the change)
//   i above k:                        S_i' (S_k x* W + the change)

#include "lanes/lanes.h"

#include "derive/dof_motion.h"
#include "derive/slopes.h"
#include "dynamics/fluid.h"
#include "dynamics/spatial.h"
#include "integrate/derivative.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"

static int passiveActs(const mjModel* m) { return !mjDISABLED(mjDSBL_SPRING) || !mjDISABLED(mjDSBL_DAMPER); }

// ---- gravity compensation

typedef struct {
  V G[3];     // force per unit of mass
  V* moment;  // (nbody x 4) first moment and mass that are carried, of subtrees
  V* turned;  // (nv x 3) w_k x G
  V* push;    // (nv x 6) change of the force on what is above k
} Lift;

static void carried(const mjModel* m, const mjData* d, Lift* l) {
  zeroN(l->moment, 4 * (int)m->nbody);
  for (int b = 1; b < m->nbody; b++) {
    if (m->body_gravcomp[b] == 0) continue;
    V arm[3], *to = l->moment + 4 * b;
    armTo(m, d, b, CLANES(d->xipos) + 3 * b, arm);
    N share = NUM(body_gravcomp)[b] * NUM(body_mass)[b];
    for (int r = 0; r < 3; r++) to[r] = share * arm[r];
    to[3] = v_num(share);
  }
  for (int b = (int)m->nbody - 1; b > 0; b--) {
    V* parent = l->moment + 4 * m->body_parentid[b];
    for (int r = 0; r < 4; r++) parent[r] = parent[r] + l->moment[4 * b + r];
  }
}

// minus the change of the force on dof i by that of its direction
static V leaning(const mjModel* m, const mjData* d, const Lift* l, int i, int k) {
  const V *S = CLANES(d->cdof) + 6 * i, *moment = l->moment + 4 * m->dof_bodyid[i], *turned = l->turned + 3 * k;
  V cross[3];
  cross3(cross, moment, turned);
  return dot3(S, cross) + moment[3] * dot3(S + 3, turned);
}

static void liftTerms(const mjModel* m, const mjData* d, Lift* l) {
  for (int k = 0; k < m->nv; k++) {
    const V *S = CLANES(d->cdof) + 6 * k, *moment = l->moment + 4 * m->dof_bodyid[k];
    V wrench[6], *push = l->push + 6 * k, *turned = l->turned + 3 * k, cross[3];
    cross3(wrench, moment, l->G);
    for (int r = 0; r < 3; r++) wrench[3 + r] = moment[3] * l->G[r];
    crossForce(push, S, wrench);
    cross3(turned, S, l->G);
    cross3(cross, moment, turned);
    for (int r = 0; r < 3; r++) {
      push[r] = push[r] - cross[r];
      push[3 + r] = push[3 + r] - moment[3] * turned[r];
    }
  }
}

// Where the force on dof i counts: among passive forces, or among actuator forces that are not at their limit.
static M counts(const mjModel* m, const mjData* d, int actuation, int i) {
  int joint = m->dof_jntid[i];
  if (!m->jnt_actgravcomp[joint]) return m_full();
  if (!actuation || !m->nu || mjDISABLED(mjDSBL_ACTUATION)) return m_none();
  return m->jnt_dofadr[joint] == i ? ~LANE(jointHeld)(m, d, joint) : m_full();
}

static void addLift(const mjModel* m, mjData* d, int actuation, V* column) {
  const N* gravity = OPT(gravity);
  if (!m->ngravcomp || mjDISABLED(mjDSBL_GRAVITY) || !passiveActs(m)) return;
  size_t nv = (size_t)m->nv, top = mji_stackTop(d);
  Lift l = {.moment = LANES(mji_stackNum(d, 4 * (size_t)m->nbody)),
            .turned = LANES(mji_stackNum(d, 3 * nv)),
            .push = LANES(mji_stackNum(d, 6 * nv))};
  for (int r = 0; r < 3; r++) l.G[r] = v_num(-gravity[r]);
  carried(m, d, &l);
  liftTerms(m, d, &l);
  const mjiPlan* plan = mji_plan(m);
  for (int i = 0; i < m->nv; i++) {
    M on = counts(m, d, actuation, i);
    for (int e = plan->tree_rowadr[i]; e < plan->tree_rowadr[i + 1]; e++) {
      int k = plan->tree_col[e];
      V* to = column + (size_t)k * nv + i;
      *to = *to + v_and(on, leaning(m, d, &l, i, k));
      if (k == i) continue;
      to = column + (size_t)i * nv + k;
      V above = partOf(m, i) == partOf(m, k) ? leaning(m, d, &l, k, i) : -dot6(CLANES(d->cdof) + 6 * k, l.push + 6 * i);
      *to = *to + v_and(counts(m, d, actuation, k), above);
    }
  }
  mji_stackBack(d, top);
}

// ---- a medium

typedef struct {
  const V* before;  // (nv x 6)
  V* column;
} Flow;

// a motion about the origin of the com frame in the frame of the shape
static void toShape(const LANE(FlowShape)* s, const V offset[3], const V* motion, V out[6]) {
  V linear[3];
  cross3(linear, motion, offset);
  for (int r = 0; r < 3; r++) linear[r] = motion[3 + r] + linear[r];
  mulMatT3(out, s->mat, motion);
  mulMatT3(out + 3, s->mat, linear);
}

static void shapeWrench(const mjModel* m, const mjData* d, const LANE(FlowShape)* s, const V offset[3], V wrench[6]) {
  V force[6], cross[3];
  if (s->geom < 0) LANE(boxFlowForce)(m, d, s->body, s->vel, force);
  else LANE(ellipsoidFlowForce)(m, d, s->geom, s->vel, force);
  mulMat3(wrench, s->mat, force);
  mulMat3(wrench + 3, s->mat, force + 3);
  cross3(cross, offset, wrench + 3);
  for (int r = 0; r < 3; r++) wrench[r] = wrench[r] + cross[r];
}

static void addShape(const mjModel* m, mjData* d, const LANE(FlowShape)* s, void* user) {
  const Flow* flow = user;
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[s->body];
  int n = plan->chain_num[s->body];
  size_t top = mji_stackTop(d);
  V *J = LANES(mji_stackNum(d, 6 * (size_t)n)), offset[3], wrench[6];
  armTo(m, d, s->body, s->pos, offset);
  shapeWrench(m, d, s, offset, wrench);
  for (int c = 0; c < n; c++) toShape(s, offset, CLANES(d->cdof) + 6 * chain[c], J + 6 * c);
  for (int c = 0; c < n; c++) {
    int k = chain[c], part = partOf(m, k);
    const V* S = CLANES(d->cdof) + 6 * k;
    V past[6], turned[6], dv[6], df[6], along[6], *to = flow->column + (size_t)k * (size_t)m->nv;
    copyN(past, flow->before + 6 * k, 6);
    for (int r = 0; r < 3; r++) past[3 + r] = past[3 + r] - OPT(wind)[r];
    crossMotion(turned, S, past);
    toShape(s, offset, turned, dv);
    for (int r = 0; r < 6; r++) df[r] = -dot6(s->B + 6 * r, dv);
    crossForce(along, S, wrench);
    for (int e = 0; e < n; e++) {
      int i = chain[e];
      V change = dot6(J + 6 * e, df);
      if (i < part) change = change + dot6(CLANES(d->cdof) + 6 * i, along);
      to[i] = to[i] - change;
    }
  }
  mji_stackBack(d, top);
}

static void addFlow(const mjModel* m, mjData* d, V* column) {
  if ((m->opt.density <= 0 && m->opt.viscosity <= 0) || !passiveActs(m)) return;
  size_t top = mji_stackTop(d);
  V *body = LANES(mji_stackNum(d, 6 * (size_t)m->nbody)), *before = LANES(mji_stackNum(d, 6 * (size_t)m->nv));
  LANE(bodyMotions)(m, CLANES(d->cdof), CLANES(d->qvel), body, before);
  Flow flow = {.before = before, .column = column};
  LANE(eachFlowShape)(m, d, 1, addShape, &flow);
  mji_stackBack(d, top);
}

void LANE(bodyForcesByPosition)(const mjModel* m, mjData* d, int actuation, V* column) {
  addLift(m, d, actuation, column);
  addFlow(m, d, column);
}
