// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative by position of the forces that given velocities and accelerations need: inertia, Coriolis and centripetal
// forces, gravity.
//
// A nudge of dof k moves all that comes after it in the tree as one rigid body along its axis S_k. With a body's force
// f = I a + v x* (I v) this leaves, beyond the rigid motion S_k x* f,
//   df/dk = I Q_k + G Sdot_k,   Q_k = a_before x S_k + v_before x Sdot_k
// where v_before and a_before are velocity and acceleration before the joint part of k, gravity included, and G is the
// matrix of integrate/derivative_bias.c. With composites of the lower one's body, row i and column k are
//   k above i, or in the same part:   (I S_i)' Q_k + (G' S_i)' Sdot_k
//   i above k:                        S_i' (S_k x* f + I Q_k + G Sdot_k)

#include "lanes/lanes.h"

#include "derive/dof_motion.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "integrate/derivative.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"

typedef struct {
  int moving;       // with velocities
  const V* qacc;    // (nv)
  V *inert, *turn;  // (nbody x 10), (nbody x 36) composites
  V* force;         // (nbody x 6) composites
  V* acc;           // (nbody x 6)
  V *Q, *push;      // (nv x 6) Q_k; force on what is above k
  V *rowQ, *rowS;   // (nv x 6) I S_i, G' S_i
} Terms;

// acceleration of body b, and Q of its dofs
static void bodyMotion(const mjModel* m, const mjData* d, Terms* t, int b) {
  const V *cdof = CLANES(d->cdof), *cdofdot = CLANES(d->cdof_dot);
  V vel[6], acc[6], cross[6];
  copyN(vel, CLANES(d->cvel) + 6 * m->body_parentid[b], 6);
  copyN(acc, t->acc + 6 * m->body_parentid[b], 6);
  int end = m->body_dofadr[b] + m->body_dofnum[b];
  for (int first = m->body_dofadr[b], next; first < end; first = next) {
    for (next = first; next < end && partOf(m, next) == first; next++) {
      V* Q = t->Q + 6 * next;
      crossMotion(Q, acc, cdof + 6 * next);
      if (!t->moving) continue;
      crossMotion(cross, vel, cdofdot + 6 * next);
      for (int r = 0; r < 6; r++) Q[r] = Q[r] + cross[r];
    }
    for (int k = first; k < next; k++) {
      V qvel = CLANES(d->qvel)[k];
      for (int r = 0; r < 6; r++) {
        acc[r] = acc[r] + cdof[6 * k + r] * t->qacc[k];
        if (!t->moving) continue;
        acc[r] = acc[r] + cdofdot[6 * k + r] * qvel;
        vel[r] = vel[r] + cdof[6 * k + r] * qvel;
      }
    }
  }
  copyN(t->acc + 6 * b, acc, 6);
}

static void bodyForces(const mjModel* m, const mjData* d, Terms* t) {
  for (int b = 1; b < m->nbody; b++) {
    const V *I = CLANES(d->cinert) + 10 * b, *vel = CLANES(d->cvel) + 6 * b;
    V momentum[6], turn[6], *f = t->force + 6 * b;
    bodyMotion(m, d, t, b);
    mulInert(f, I, t->acc + 6 * b);
    if (!t->moving) continue;
    mulInert(momentum, I, vel);
    crossForce(turn, vel, momentum);
    for (int r = 0; r < 6; r++) f[r] = f[r] + turn[r];
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    V* parent = t->force + 6 * m->body_parentid[b];
    for (int r = 0; r < 6 && m->body_parentid[b]; r++) parent[r] = parent[r] + t->force[6 * b + r];
  }
}

static void dofTerms(const mjModel* m, const mjData* d, Terms* t) {
  for (int k = 0; k < m->nv; k++) {
    const V *S = CLANES(d->cdof) + 6 * k, *Sdot = CLANES(d->cdof_dot) + 6 * k;
    const V *I = t->inert + 10 * m->dof_bodyid[k], *G = t->turn + 36 * m->dof_bodyid[k];
    V *push = t->push + 6 * k, part[6];
    crossForce(push, S, t->force + 6 * m->dof_bodyid[k]);
    mulInert(part, I, t->Q + 6 * k);
    for (int r = 0; r < 6; r++) push[r] = push[r] + part[r];
    mulInert(t->rowQ + 6 * k, I, S);
    if (!t->moving) continue;
    for (int r = 0; r < 6; r++) {
      push[r] = push[r] + dot6(G + 6 * r, Sdot);
      V sum = v_zero();
      for (int c = 0; c < 6; c++) sum = sum + G[6 * c + r] * S[c];
      t->rowS[6 * k + r] = sum;
    }
  }
}

// row i, column k, with k above i or in the same part
static inline V below(const mjData* d, const Terms* t, int i, int k) {
  V slope = dot6(t->rowQ + 6 * i, t->Q + 6 * k);
  if (!t->moving) return slope;
  return slope + dot6(t->rowS + 6 * i, CLANES(d->cdof_dot) + 6 * k);
}

void LANE(inertialByPosition)(const mjModel* m, mjData* d, const V* qacc, mjiInertial which, N scale, V* column) {
  size_t nv = (size_t)m->nv, nbody = (size_t)m->nbody, top = mji_stackTop(d);
  Terms t = {.moving = which != MJI_INERTIAL_ACCELERATION, .qacc = qacc};
  V* next = LANES(mji_stackNum(d, 58 * nbody + 24 * nv));
  t.inert = next, next += 10 * nbody;
  t.turn = next, next += 36 * nbody;
  t.force = next, next += 6 * nbody;
  t.acc = next, next += 6 * nbody;
  t.Q = next, next += 6 * nv;
  t.push = next, next += 6 * nv;
  t.rowQ = next, next += 6 * nv;
  t.rowS = next;
  LANE(biasComposites)(m, d, t.inert, t.turn);
  zeroN(t.acc, 6);
  zeroN(t.force, 6);
  int gravity = which == MJI_INERTIAL_ALL && !mjDISABLED(mjDSBL_GRAVITY);
  for (int k = 0; k < 3 && gravity; k++) t.acc[3 + k] = v_num(-OPT(gravity)[k]);
  bodyForces(m, d, &t);
  dofTerms(m, d, &t);

  const mjiPlan* plan = mji_plan(m);
  for (int i = 0; i < m->nv; i++) {
    const V* push = t.push + 6 * i;
    for (int e = plan->tree_rowadr[i]; e < plan->tree_rowadr[i + 1]; e++) {
      int k = plan->tree_col[e];
      V* to = column + (size_t)k * nv + i;
      *to = *to + scale * below(d, &t, i, k);
      if (k == i) continue;
      to = column + (size_t)i * nv + k;
      V above = partOf(m, i) == partOf(m, k) ? below(d, &t, k, i) : dot6(CLANES(d->cdof) + 6 * k, push);
      *to = *to + scale * above;
    }
  }
  mji_stackBack(d, top);
}
