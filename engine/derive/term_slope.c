// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of the forces that have no formula, by centered differences of these alone, at given accelerations:
// passive forces of flexes, plugins and callbacks, and constraint forces of the rows of flexes (edges, contacts). Dofs
// that move neither a flex nor what touches one take no differences.
//
// Plugins see what they may follow: kinematics and velocities. A callback may follow all that comes before it in a
// step, so the whole stage of positions is computed again for it.

#include "lanes/lanes.h"

#include "base/checkpoint.h"
#include "constraint/block_ops.h"
#include "derive/dof_motion.h"
#include "derive/slopes.h"
#include "dynamics/flex.h"
#include "dynamics/passive.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/contact_lanes.h"
#include "model/row_class.h"
#include "model/work.h"
#include "solve/primal.h"

// Nudge of velocities, in which these forces are smooth.
static const lane_t kSpeed = 1e-5;

typedef struct {
  int code;     // passive forces of plugins and of a callback
  int flexes;   // those of flexes
  int rows;     // rows of flexes
  int touches;  // contacts of flexes, with rows or without
  M touching;   // states with such contacts
} Terms;

int LANE(isOfFlex)(const mjModel* m, const mjData* d, const mjiBlock* b) {
  if (b->type == mjCNSTR_EQUALITY) return m->eq_type[b->id] == mjEQ_FLEX;
  if (!mji_isContact(b->type)) return 0;
  const LANE(Contact)* con = laneContacts(d) + b->id;
  return con->geom[0] < 0 || con->geom[1] < 0;
}

static Terms findTerms(const mjModel* m, const mjData* d) {
  const mjiWork* w = mji_work(d);
  int passive = !mjDISABLED(mjDSBL_SPRING) || !mjDISABLED(mjDSBL_DAMPER);
  Terms t = {.code = passive && mji_pushesByCode(m), .flexes = passive && m->nflex, .touching = m_none()};
  for (int i = 0; i < d->ncon && m->nflex; i++) {
    const LANE(Contact)* con = laneContacts(d) + i;
    if (con->geom[0] >= 0 && con->geom[1] >= 0) continue;
    t.touches = 1;
    t.touching |= laneContactOn(con);
  }
  for (int k = 0; k < w->nblock && !t.rows && m->nflex; k++) t.rows = LANE(isOfFlex)(m, d, w->block + k);
  return t;
}

// ---- the forces, subtracted from n numbers

static void subtract(const V* force, int n, V* to) {
  for (int i = 0; i < n; i++) to[i] = to[i] - force[i];
}

static void passiveForces(const mjModel* m, mjData* d, const Terms* t, V* to) {
  int nv = (int)m->nv;
  if (t->code) {  // what it adds to the forces of the model, which the stage of velocities has left with it
    for (int i = 0; i < nv; i++) to[i] = to[i] - CLANES(d->qfrc_passive)[i];
    LANE(passiveOfModel)(m, d);
    for (int i = 0; i < nv; i++) to[i] = to[i] + CLANES(d->qfrc_passive)[i];
  }
  if (t->flexes) {
    zeroN(LANES(d->qfrc_spring), nv);
    zeroN(LANES(d->qfrc_damper), nv);
    LANE(flexPassive)(m, d);
    subtract(CLANES(d->qfrc_spring), nv, to);
    subtract(CLANES(d->qfrc_damper), nv, to);
  }
}

static void rowForces(const mjModel* m, mjData* d, const Terms* t, V* to) {
  const mjiWork* w = mji_work(d);
  if (!t->rows || !d->nefc) return;
  mj_markStack(d);
  V *jar = LANES(mji_stackNum(d, (size_t)d->nefc)), *force = LANES(mji_stackNum(d, (size_t)d->nefc));
  LANE(rowResiduals)(m, d, jar, CLANES(d->qacc));
  LANE(penalty)(m, d, jar, force);
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    if (!b->ncol || !LANE(isOfFlex)(m, d, b)) continue;
    M on = mji_isContact(b->type) ? t->touching : m_full();
    V base[6];
    if (b->type == mjCNSTR_CONTACT_PYRAMIDAL) LANE(blockBaseForce)(b, base, force + b->efcadr);
    else copyN(base, force + b->efcadr, b->dim);
    for (int r = 0; r < b->dim; r++) base[r] = v_and(on, -base[r]);
    LANE(blockAddBase)(b, to, base);
  }
  mj_freeStack(d);
}

// ---- differences

// what the forces follow, at the present positions (MJI_POSITION) or velocities
static void evaluate(const mjModel* m, mjData* d, const Terms* t, int stage) {
  if (stage == MJI_POSITION && t->code && mjcb_passive) {
    LANE(invPosition)(m, d, 0);
  } else if (stage == MJI_POSITION) {
    LANE(fwdKinematics)(m, d, 0);
    if (t->touches) LANE(collision)(m, d);
    if (t->rows) LANE(makeConstraint)(m, d);
    if (t->code) LANE(transmission)(m, d);
  }
  if (t->code) {
    LANE(fwdVelocity)(m, d, 0);
    return;
  }
  LANE(comVel)(m, d);
  LANE(flexVelocity)(m, d);
  if (t->rows && stage == MJI_POSITION) LANE(referenceConstraint)(m, d);
}

static void addDifference(const V* low, const V* high, lane_t span, int n, V* column) {
  for (int i = 0; i < n; i++) column[i] = column[i] + (high[i] - low[i]) / span;
}

static void markChain(const mjModel* m, int body, char* moves) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[body];
  for (int e = 0; e < plan->chain_num[body]; e++) moves[chain[e]] = 1;
}

// the bodies of a flex are those of its vertices, or of the nodes that they follow
static void markFlex(const mjModel* m, int f, char* moves) {
  int nodes = m->flex_interp[f] != 0;
  const int* body = nodes ? m->flex_nodebodyid + m->flex_nodeadr[f] : m->flex_vertbodyid + m->flex_vertadr[f];
  int n = nodes ? m->flex_nodenum[f] : m->flex_vertnum[f];
  for (int i = 0; i < n; i++) markChain(m, body[i], moves);
}

// of each dof whether it moves a flex, or what touches one; for code all may matter
static const char* movingDofs(const mjModel* m, mjData* d, const Terms* t) {
  char* moves = mj_stackAllocByte(d, (size_t)m->nv + 1, 1);
  memset(moves, t->code, (size_t)m->nv + 1);
  for (int f = 0; f < m->nflex; f++) markFlex(m, f, moves);
  for (int i = 0; i < d->ncon && t->touches; i++) {
    const int* geom = laneContacts(d)[i].geom;
    if (geom[0] >= 0 && geom[1] >= 0) continue;
    for (int s = 0; s < 2; s++) markChain(m, geom[s] >= 0 ? m->geom_bodyid[geom[s]] : 0, moves);
  }
  return moves;
}

int LANE(termsByPosition)(const mjModel* m, mjData* d, const char* wanted, V* column) {
  Terms t = findTerms(m, d);
  size_t nv = (size_t)m->nv;
  if (!t.flexes && !t.code && !t.rows) return 0;
  mj_markStack(d);
  const char* moves = movingDofs(m, d, &t);
  V *qpos = LANES(mji_stackNum(d, (size_t)m->nq)), *side[2];
  for (int s = 0; s < 2; s++) side[s] = LANES(mji_stackNum(d, nv));
  copyN(qpos, CLANES(d->qpos), (int)m->nq);
  for (int k = 0; k < m->nv; k++) {
    if (!moves[k] || (wanted && !wanted[k])) continue;
    mji_checkpoint();
    for (int s = 0; s < 2; s++) {
      zeroN(side[s], (int)nv);
      LANE(nudgePosition)(m, d, k, s ? kNudge : -kNudge);
      evaluate(m, d, &t, MJI_POSITION);
      passiveForces(m, d, &t, side[s]);
      rowForces(m, d, &t, side[s]);
      copyN(LANES(d->qpos), qpos, (int)m->nq);
    }
    addDifference(side[0], side[1], 2 * kNudge, (int)nv, column + (size_t)k * nv);
  }
  LANE(invPosition)(m, d, 0);
  LANE(fwdVelocity)(m, d, 0);
  mj_freeStack(d);
  return 1;
}

// rows of flexes are linear in the velocity, as all rows are
int LANE(termsByVelocity)(const mjModel* m, mjData* d, V* column) {
  Terms t = findTerms(m, d);
  size_t nv = (size_t)m->nv;
  t.flexes = t.flexes && mji_flexesDamp(m);
  if (!t.flexes && !t.code) return 0;
  mj_markStack(d);
  const char* moves = movingDofs(m, d, &t);
  V* side[2];
  for (int s = 0; s < 2; s++) side[s] = LANES(mji_stackNum(d, nv));
  for (int k = 0; k < m->nv; k++) {
    if (!moves[k]) continue;
    mji_checkpoint();
    V qvel = CLANES(d->qvel)[k];
    for (int s = 0; s < 2; s++) {
      zeroN(side[s], (int)nv);
      LANES(d->qvel)[k] = qvel + (s ? kSpeed : -kSpeed);
      evaluate(m, d, &t, MJI_VELOCITY);
      passiveForces(m, d, &t, side[s]);
    }
    LANES(d->qvel)[k] = qvel;
    addDifference(side[0], side[1], 2 * kSpeed, (int)nv, column + (size_t)k * nv);
  }
  LANE(fwdVelocity)(m, d, 0);
  mj_freeStack(d);
  return 1;
}
