// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative by position of contact forces at given velocities and accelerations.
//
// A contact has base rows J with residual y = J (a + B v) + bias and force f(y), and acts as the wrench W = (r x phi +
// tau, phi) on its second body and -W on its first, where phi and tau are f along the axes F of the frame, and r leads
// from the origin of the body's com frame to the contact point. A nudge of dof k changes the distance, the point and
// the frame (contact_geometry.c), and turns the axes of the dofs after k along with S_k:
//   dy   = d(J a) + B d(J v) + d bias,                        df = -S dy + f dD/D
//   dphi = turn x phi + F' df,  dtau likewise,                dW = (p x phi + r x dphi + dtau, dphi)
// and the force on dof i changes by +-S_i' (dW - S_k x* W), the last term if i comes after k.

#include "lanes/lanes.h"

#include "base/checkpoint.h"
#include "constraint/block_lanes.h"
#include "constraint/block_ops.h"
#include "constraint/spring_lanes.h"
#include "derive/contact_slope.h"
#include "derive/dof_motion.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/row_class.h"
#include "model/work.h"
#include "solve/primal.h"

// of all contacts
typedef struct {
  const V *jar, *force;  // of rows
  V* body[2];            // (nbody x 6) velocities that go with qvel, and with qacc in its place
  V* before[2];          // (nv x 6) the same before the joint part of each dof
} Motion;

// one contact
typedef struct {
  const mjiBlock* b;
  const LANE(Contact)* con;
  LANE(Geometry)* geometry;
  int body[2];
  V frame[9], arm[2][3];          // frame; contact point from the origins of both bodies
  V linear[2][3], angular[2][3];  // relative motion at the point, that goes with qvel and with qacc
  V slope[36], f[6];              // S; base forces
  V phi[3], tau[3], wrench[2][6];
  M acts;       // states in which it has a force
  V stiffness;  // d bias / d dist
  V change;     // dD/D / d dist
} Touching;

// ---- motions of bodies

void LANE(bodyMotions)(const mjModel* m, const V* axis, const V* x, V* body, V* before) {
  zeroN(body, 6);
  for (int b = 1; b < m->nbody; b++) {
    V vel[6];
    copyN(vel, body + 6 * m->body_parentid[b], 6);
    int end = m->body_dofadr[b] + m->body_dofnum[b];
    for (int first = m->body_dofadr[b], next; first < end; first = next) {
      for (next = first; next < end && partOf(m, next) == first; next++) copyN(before + 6 * next, vel, 6);
      for (int k = first; k < next; k++) {
        for (int r = 0; r < 6; r++) vel[r] = vel[r] + axis[6 * k + r] * x[k];
      }
    }
    copyN(body + 6 * b, vel, 6);
  }
}

// ---- a contact at the nominal position

static void relativeMotions(const Motion* motion, Touching* t) {
  for (int x = 0; x < 2; x++) {
    zeroN(t->linear[x], 3);
    zeroN(t->angular[x], 3);
    for (int s = 0; s < 2; s++) {
      const V* vel = motion->body[x] + 6 * t->body[s];
      lane_t sign = s ? 1 : -1;
      V cross[3];
      cross3(cross, vel, t->arm[s]);
      for (int k = 0; k < 3; k++) {
        t->linear[x][k] = t->linear[x][k] + sign * (vel[3 + k] + cross[k]);
        t->angular[x][k] = t->angular[x][k] + sign * vel[k];
      }
    }
  }
}

static void forcesAlongAxes(const Touching* t, const V* f, V* phi, V* tau) {
  zeroN(phi, 3);
  zeroN(tau, 3);
  for (int r = 0; r < t->b->dim; r++) {
    V* to = r < 3 ? phi : tau;
    for (int k = 0; k < 3; k++) to[k] = to[k] + t->frame[3 * (r % 3) + k] * f[r];
  }
}

static void wrenchAt(const V* arm, const V* phi, const V* tau, V* wrench) {
  cross3(wrench, arm, phi);
  for (int k = 0; k < 3; k++) {
    wrench[k] = wrench[k] + tau[k];
    wrench[3 + k] = phi[k];
  }
}

static void springSlopes(const mjModel* m, const mjData* d, Touching* t) {
  Spring spring;
  V slope;
  initSpring(m, d, t->con->solref, t->con->solimp, &spring);
  V x = CLANES(d->efc_pos)[t->b->efcadr] - t->con->includemargin;
  V imp = impedance(&spring, x, &slope);
  t->stiffness = spring.K * (slope * x + imp);
  t->change = slope / (imp * (1.0 - imp));
}

static void baseForces(const Motion* motion, Touching* t) {
  const V* f = motion->force + t->b->efcadr;
  if (t->b->type == mjCNSTR_CONTACT_PYRAMIDAL) LANE(blockBaseForce)(t->b, t->f, f);
  else copyN(t->f, f, t->b->dim);
}

// zero if nothing acts in any state
static int prepare(const mjModel* m, mjData* d, const Motion* motion, const mjiBlock* b, Touching* t) {
  t->b = b;
  t->con = laneContacts(d) + b->id;
  LANE(blockSlope)(m, d, b, motion->jar, t->slope);
  M any = m_none();
  for (int i = 0; i < b->dim; i++) any = any | ~v_eq(t->slope[i * b->dim + i], v_zero());
  if (!m_any(any)) return 0;
  t->acts = any;
  for (int s = 0; s < 2; s++) t->body[s] = m->geom_bodyid[t->con->geom[s]];
  M on = laneContactOn(t->con);
  for (int k = 0; k < 9; k++) t->frame[k] = v_and(on, ((const V*)t->con->frame)[k]);
  for (int s = 0; s < 2; s++) {
    const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[t->body[s]];
    for (int k = 0; k < 3; k++) t->arm[s][k] = v_and(on, ((const V*)t->con->pos)[k] - com[k]);
  }
  relativeMotions(motion, t);
  baseForces(motion, t);
  forcesAlongAxes(t, t->f, t->phi, t->tau);
  for (int s = 0; s < 2; s++) wrenchAt(t->arm[s], t->phi, t->tau, t->wrench[s]);
  springSlopes(m, d, t);
  return 1;
}

// ---- a nudge of one dof

void LANE(contactChange)(const mjModel* m, const mjData* d, const LANE(Contact)* con, const LANE(Geometry)* g, int k,
                         LANE(Change)* out) {
  M on = laneContactOn(con);
  V sum[7];
  zeroN(sum, 7);
  const LANE(Change)* moved = NULL;
  for (int i = 0; i < g->ndof; i++) {
    if (g->dof[i] == k) moved = g->moved + i;
  }
  for (int s = 0; s < 2; s++) {
    int body = m->geom_bodyid[con->geom[s]];
    if (!chainHas(mji_plan(m), body, k)) continue;
    V x[6];
    pointMotion(m, d, body, k, CLANES(d->geom_xpos) + 3 * con->geom[s], x);
    copyN(x + 3, CLANES(d->cdof) + 6 * k, 3);
    for (int c = 0; c < 6; c++) {
      const V* by = &g->by[s][c].dist;
      for (int r = 0; r < 7; r++) sum[r] = sum[r] + by[r] * x[c];
    }
  }
  for (int r = 0; moved && r < 7; r++) sum[r] = v_sel(g->differed, (&moved->dist)[r], sum[r]);
  out->dist = v_and(on, sum[0]);
  for (int r = 0; r < 3; r++) out->pos[r] = v_and(on, sum[1 + r]), out->turn[r] = v_and(on, sum[4 + r]);
}

// change of the relative motion that goes with qvel (x = 0) or qacc (x = 1)
static void motionChange(const Motion* motion, const Touching* t, int k, const V* S, const int moved[2],
                         const LANE(Change)* c, int x, V linear[3], V angular[3]) {
  zeroN(linear, 3);
  zeroN(angular, 3);
  for (int s = 0; s < 2; s++) {
    const V* vel = motion->body[x] + 6 * t->body[s];
    lane_t sign = s ? 1 : -1;
    V cross[3], after[6], dvel[6];
    cross3(cross, vel, c->pos);
    for (int r = 0; r < 3; r++) linear[r] = linear[r] + sign * cross[r];
    if (!moved[s]) continue;
    for (int r = 0; r < 6; r++) after[r] = vel[r] - motion->before[x][6 * k + r];
    crossMotion(dvel, S, after);
    cross3(cross, dvel, t->arm[s]);
    for (int r = 0; r < 3; r++) {
      linear[r] = linear[r] + sign * (dvel[3 + r] + cross[r]);
      angular[r] = angular[r] + sign * dvel[r];
    }
  }
}

// change of J times qvel (x = 0) or qacc (x = 1), row by row
static void rowChange(const Motion* motion, const Touching* t, int k, const V* S, const int moved[2],
                      const LANE(Change)* c, int x, V* out) {
  V linear[3], angular[3], axis[3];
  motionChange(motion, t, k, S, moved, c, x, linear, angular);
  for (int r = 0; r < t->b->dim; r++) {
    const V* F = t->frame + 3 * (r % 3);
    cross3(axis, c->turn, F);
    out[r] = dot3(F, r < 3 ? linear : angular) + dot3(axis, r < 3 ? t->linear[x] : t->angular[x]);
  }
}

// change of the base forces
static void forceChange(const Touching* t, const V* dv, const V* da, V dist, V* df) {
  V dy[6];
  int dim = t->b->dim;
  for (int r = 0; r < dim; r++) dy[r] = da[r] + dampingOf(t->b, r) * dv[r];
  dy[0] = dy[0] + t->stiffness * dist;
  for (int r = 0; r < dim; r++) {
    df[r] = t->f[r] * (t->change * dist);
    for (int s = 0; s < dim; s++) df[r] = df[r] - t->slope[r * dim + s] * dy[s];
  }
}

// Change of the wrench on each side, about the origin of its body.
static void wrenchChange(const Touching* t, const V* df, const LANE(Change)* c, V wrench[2][6]) {
  V phi[3], tau[3], cross[3];
  forcesAlongAxes(t, df, phi, tau);
  cross3(cross, c->turn, t->phi);
  for (int k = 0; k < 3; k++) phi[k] = phi[k] + cross[k];
  cross3(cross, c->turn, t->tau);
  for (int k = 0; k < 3; k++) tau[k] = tau[k] + cross[k];
  cross3(cross, c->pos, t->phi);
  for (int s = 0; s < 2; s++) {
    wrenchAt(t->arm[s], phi, tau, wrench[s]);
    for (int k = 0; k < 3; k++) wrench[s][k] = wrench[s][k] + cross[k];
  }
}

// column k: all dofs of the block's columns
static void addColumn(const mjModel* m, mjData* d, const Motion* motion, const Touching* t, int k, V* column) {
  const mjiPlan* plan = mji_plan(m);
  const V* S = CLANES(d->cdof) + 6 * k;
  int moved[2] = {chainHas(plan, t->body[0], k), chainHas(plan, t->body[1], k)}, part = partOf(m, k);
  LANE(Change) c;
  V dv[6], da[6], df[6], change[2][6], along[6];
  LANE(contactChange)(m, d, t->con, t->geometry, k, &c);
  rowChange(motion, t, k, S, moved, &c, 0, dv);
  rowChange(motion, t, k, S, moved, &c, 1, da);
  forceChange(t, dv, da, c.dist, df);
  wrenchChange(t, df, &c, change);
  for (int s = 0; s < 2; s++) {
    if (moved[s]) crossForce(along, S, t->wrench[s]);
    const int* chain = plan->chain_ind + plan->chain_adr[t->body[s]];
    for (int e = plan->chain_num[t->body[s]] - 1; e >= 0; e--) {
      int i = chain[e];
      if (chainHas(plan, t->body[!s], i)) break;  // moves both, as all before it do
      const V* row = CLANES(d->cdof) + 6 * i;
      V force = dot6(row, change[s]);
      if (moved[s] && i >= part) force = force - dot6(row, along);
      column[i] = column[i] - (s ? force : -force);
    }
  }
}

// dofs that move either body; those that move both matter only where they turn tangents
static void addContact(const mjModel* m, mjData* d, const Motion* motion, const Touching* t, const char* wanted,
                       V* column) {
  const mjiPlan* plan = mji_plan(m);
  size_t nv = (size_t)m->nv;
  for (int c = 0; c < t->b->ncol; c++) {
    int k = t->b->col[c];
    if (!wanted || wanted[k]) addColumn(m, d, motion, t, k, column + (size_t)k * nv);
  }
  if (t->b->dim < 3) return;
  const int* chain = plan->chain_ind + plan->chain_adr[t->body[1]];
  for (int e = 0; e < plan->chain_num[t->body[1]]; e++) {
    if (!chainHas(plan, t->body[0], chain[e])) break;
    if (!wanted || wanted[chain[e]]) addColumn(m, d, motion, t, chain[e], column + (size_t)chain[e] * nv);
  }
}

// ---- all contacts

int LANE(countPair)(const mjData* d, int first) {
  const LANE(Contact)* con = laneContacts(d);
  int n = 1;
  while (first + n < d->ncon && con[first + n].geom[0] == con[first].geom[0] &&
         con[first + n].geom[1] == con[first].geom[1]) {
    n++;
  }
  return n;
}

M LANE(contactsByPosition)(const mjModel* m, mjData* d, const V* jar, const V* force, const char* wanted, V* column) {
  const mjiWork* w = mji_work(d);
  M differed = m_none();
  if (!d->ncon || !d->nefc) return differed;
  mj_markStack(d);
  size_t nv = (size_t)m->nv, nbody = (size_t)m->nbody;
  Motion motion = {.jar = jar, .force = force};
  for (int x = 0; x < 2; x++) {
    motion.body[x] = LANES(mji_stackNum(d, 6 * nbody));
    motion.before[x] = LANES(mji_stackNum(d, 6 * nv));
    LANE(bodyMotions)(m, CLANES(d->cdof), CLANES(x ? d->qacc : d->qvel), motion.body[x], motion.before[x]);
  }
  LANE(Geometry)* geometry = mj_stackAllocByte(d, (size_t)d->ncon * sizeof *geometry, 64);
  Touching* t = mj_stackAllocByte(d, sizeof *t, 64);
  int known = -1;  // record up to which the geometry is known
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    if (!mji_isContact(b->type) || !b->ncol || LANE(isOfFlex)(m, d, b) || !prepare(m, d, &motion, b, t)) continue;
    if (b->id > known) {
      int n = LANE(countPair)(d, b->id);
      LANE(contactGeometry)(m, d, t->con, n, wanted, geometry + b->id);
      known = b->id + n - 1;
    }
    t->geometry = geometry + b->id;
    mji_checkpoint();
    addContact(m, d, &motion, t, wanted, column);
    if (t->geometry->ndof) differed |= t->acts & t->geometry->differed;
  }
  mj_freeStack(d);
  return differed;
}
