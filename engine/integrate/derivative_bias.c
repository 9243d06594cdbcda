// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative of Coriolis and centripetal forces by velocity.
//
// With qacc = 0 and without gravity, body b feels the force
//   f_b = I_b a_b + v_b x* (I_b v_b)
//   a_b = sum over the chain of  Sdot_j qvel_j,  Sdot_j = v_before(j) x S_j
// and the bias of dof i is S_i' times the sum of f_b over the bodies that i moves. For dof k in
// the chain of b
//   dv_b/dk = S_k
//   da_b/dk = Sdot_k + S_k x (v_b - v_after(k))
// where v_after(k) is the velocity after the part of the joint that k belongs to (the three dofs of a ball are one
// part). So
//   df_b/dk = I_b A_k + G_b S_k
//   A_k     = Sdot_k - S_k x v_after(k)
//   G_b S   = I_b (S x v_b) + v_b x* (I_b S) + S x* (I_b v_b)
// I_b and G_b are summed over subtrees, and then each entry of the pattern is one product:
//   i above k:  S_i' (I_k A_k + G_k S_k)        i below k:  (I_i S_i)' A_k + (G_i' S_i)' S_k
// with the sums of the subtree of the lower body.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/spatial.h"
#include "integrate/derivative.h"
#include "model/work.h"

// G = -(I X) - (I X)' + F, where X s = v x s and F s = s x* (I v)
static void bodyMatrix(V G[36], const V* I, const V* v) {
  V momentum[6], unit[6], column[6], product[36];
  mulInert(momentum, I, v);
  for (int c = 0; c < 6; c++) {
    zeroN(unit, 6);
    unit[c] = v_set1(1);
    crossForce(column, unit, momentum);
    for (int r = 0; r < 6; r++) G[6 * r + c] = column[r];
    crossMotion(column, v, unit);
    mulInert(product + 6 * c, I, column);
  }
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c < 6; c++) G[6 * r + c] = G[6 * r + c] - product[6 * r + c] - product[6 * c + r];
  }
}

void LANE(biasComposites)(const mjModel* m, const mjData* d, V* inert, V* G) {
  copyN(inert, CLANES(d->cinert), 10 * m->nbody);
  zeroN(G, 36);
  for (int b = 1; b < m->nbody; b++) {
    bodyMatrix(G + 36 * b, CLANES(d->cinert) + 10 * b, CLANES(d->cvel) + 6 * b);
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    int parent = m->body_parentid[b];
    if (!parent) continue;
    for (int k = 0; k < 10; k++) inert[10 * parent + k] = inert[10 * parent + k] + inert[10 * b + k];
    for (int k = 0; k < 36; k++) G[36 * parent + k] = G[36 * parent + k] + G[36 * b + k];
  }
}

// A_k for all dofs of a body
static void accelerationTerms(const mjModel* m, const mjData* d, int b, V* A) {
  static const int npart[4] = {2, 1, 1, 1}, size[4] = {3, 3, 1, 1};  // by mjtJoint
  const V* cdof = CLANES(d->cdof);
  V vel[6], cross[6];
  copyN(vel, CLANES(d->cvel) + 6 * m->body_parentid[b], 6);
  for (int j = m->body_jntadr[b]; j < m->body_jntadr[b] + m->body_jntnum[b]; j++) {
    int type = m->jnt_type[j], dof = m->jnt_dofadr[j];
    for (int part = 0; part < npart[type]; part++, dof += 3) {
      for (int k = dof; k < dof + size[type]; k++) {
        for (int r = 0; r < 6; r++) vel[r] = vel[r] + cdof[6 * k + r] * CLANES(d->qvel)[k];
      }
      for (int k = dof; k < dof + size[type]; k++) {
        crossMotion(cross, cdof + 6 * k, vel);
        for (int r = 0; r < 6; r++) A[6 * k + r] = CLANES(d->cdof_dot)[6 * k + r] - cross[r];
      }
    }
  }
}

// per dof, with I and G summed over the subtree of its body: the force I A + G S, and the rows I S and G' S, whose
// products with A and S of the dofs above are entries of the pattern
typedef struct {
  V* A;
  V* force;
  V* inert;
  V* turn;
} DofTerms;

static void dofTerms(const mjModel* m, const mjData* d, const V* inert, const V* G, DofTerms* t) {
  for (int b = 1; b < m->nbody; b++) accelerationTerms(m, d, b, t->A);
  for (int k = 0; k < m->nv; k++) {
    const V* S = CLANES(d->cdof) + 6 * k;
    const V* I = inert + 10 * m->dof_bodyid[k];
    const V* g = G + 36 * m->dof_bodyid[k];
    mulInert(t->force + 6 * k, I, t->A + 6 * k);
    mulInert(t->inert + 6 * k, I, S);
    for (int r = 0; r < 6; r++) {
      V sum = v_zero();
      for (int c = 0; c < 6; c++) sum = sum + g[6 * c + r] * S[c];
      t->turn[6 * k + r] = sum;
      t->force[6 * k + r] = t->force[6 * k + r] + dot6(g + 6 * r, S);
    }
  }
}

void LANE(derivBias)(const mjModel* m, mjData* d) {
  mj_markStack(d);
  size_t nv = m->nv, nbody = m->nbody;
  V* inert = LANES(mji_stackNum(d, 10 * nbody));
  V* G = LANES(mji_stackNum(d, 36 * nbody));
  DofTerms t = {LANES(mji_stackNum(d, 6 * nv)), LANES(mji_stackNum(d, 6 * nv)), LANES(mji_stackNum(d, 6 * nv)),
                LANES(mji_stackNum(d, 6 * nv))};
  LANE(biasComposites)(m, d, inert, G);
  dofTerms(m, d, inert, G, &t);

  for (int i = 0; i < m->nv; i++) {
    const V* S = CLANES(d->cdof) + 6 * i;
    for (int e = m->D_rowadr[i]; e < m->D_rowadr[i] + m->D_rownnz[i]; e++) {
      int k = m->D_colind[e];
      V slope = v_zero();
      if (k >= i) {
        slope = dot6(S, t.force + 6 * k);
      } else {
        slope = dot6(t.inert + 6 * i, t.A + 6 * k);
        slope = slope + dot6(t.turn + 6 * i, CLANES(d->cdof) + 6 * k);
      }
      LANES(d->qDeriv)[e] = LANES(d->qDeriv)[e] - slope;
    }
  }
  mj_freeStack(d);
}
