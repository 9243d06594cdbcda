// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Exact line search. Along a direction the cost is convex with a piecewise smooth slope, so the
// minimum is the root of the slope: Newton steps on the slope, kept inside a bracket. With Newton
// directions the step 1 is the root unless rows change state on the way, so most searches are one
// evaluation.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block.h"
#include "solve/cone.h"
#include "solve/primal.h"

typedef struct {
  V slope, curvature;
} Line;

// slope and curvature of one-sided rows
static inline Line oneSided(const V* restrict D, const V* restrict jar, const V* restrict jv,
                            V step, int start, int end, Line r) {
  for (int i = start; i < end; i++) {
    V x = jar[i] + step * jv[i];
    V t = D[i] * jv[i];
    M active = v_lt(x, v_zero());
    r.slope = r.slope + v_and(active, t * x);
    r.curvature = r.curvature + v_and(active, t * jv[i]);
  }
  return r;
}

static Line friction(const LANE(Primal)* p, V step, Line r) {
  const mjData* d = p->d;
  const V *D = CLANES(d->efc_D), *R = CLANES(d->efc_R), *loss = CLANES(d->efc_frictionloss);
  for (int i = p->ne; i < p->ne + p->nf; i++) {
    V x = p->Jaref[i] + step * p->Jv[i], edge = R[i] * loss[i], t = D[i] * p->Jv[i];
    M below = v_le(x, -edge), above = v_le(edge, x) & ~below;
    V force = v_sel(below, -loss[i], loss[i]) * p->Jv[i];
    r.slope = r.slope + v_sel(below | above, force, t * x);
    r.curvature = r.curvature + v_and(~(below | above), t * p->Jv[i]);
  }
  return r;
}

static Line coneLine(const LANE(Primal)* p, const mjiBlock* b, V step, Line r) {
  const V *D = CLANES(p->d->efc_D) + b->efcadr, *jar = p->Jaref + b->efcadr,
          *jv = p->Jv + b->efcadr;
  V x[6], quad1 = v_zero(), quad2 = v_zero(), UV = v_zero(), VV = v_zero();
  for (int j = 0; j < b->dim; j++) {
    x[j] = jar[j] + step * jv[j];
    V t = D[j] * jv[j];
    quad1 = quad1 + t * x[j];
    quad2 = quad2 + t * jv[j];
    if (j) {
      double f2 = b->friction[j - 1] * b->friction[j - 1];
      UV = UV + f2 * (x[j] * jv[j]);
      VV = VV + f2 * (jv[j] * jv[j]);
    }
  }
  Cone c = coneAt(p->m, b, D[0], x);
  V N1 = c.mu * jv[0], T1 = UV * c.Tinv, T2 = (VV - T1 * T1) * c.Tinv;
  V g = N1 - c.mu * T1;
  r.slope = r.slope + v_sel(c.bottom, quad1, v_and(c.middle, c.Dm * c.NmT * g));
  r.curvature =
      r.curvature + v_sel(c.bottom, quad2, v_and(c.middle, c.Dm * (g * g - c.NmT * c.mu * T2)));
  return r;
}

static Line evaluate(const LANE(Primal)* p, V g1, V g2, V step) {
  const V* D = CLANES(p->d->efc_D);
  Line r = {g1 + step * g2, g2};
  for (int i = 0; i < p->ne; i++) {
    V t = D[i] * p->Jv[i];
    r.slope = r.slope + t * (p->Jaref[i] + step * p->Jv[i]);
    r.curvature = r.curvature + t * p->Jv[i];
  }
  if (p->nf) r = friction(p, step, r);
  if (!p->cone) return oneSided(D, p->Jaref, p->Jv, step, p->ne + p->nf, p->nefc, r);
  for (int k = 0; k < p->nblock; k++) {
    const mjiBlock* b = p->block + k;
    if (b->type < mjCNSTR_LIMIT_JOINT) continue;
    if (b->type == mjCNSTR_CONTACT_ELLIPTIC) {
      r = coneLine(p, b, step, r);
    } else {
      r = oneSided(D, p->Jaref, p->Jv, step, b->efcadr, b->efcadr + b->nrow, r);
    }
  }
  return r;
}

// the unconstrained part of the cost along the line
static void gauss(const LANE(Primal)* p, V* g1, V* g2) {
  const V* smooth = CLANES(p->d->qfrc_smooth);
  *g1 = *g2 = v_zero();
  for (int i = 0; i < p->nv; i++) {
    *g1 = *g1 + p->search[i] * (p->Ma[i] - smooth[i]);
    *g2 = *g2 + p->search[i] * p->Mv[i];
  }
}

void LANE(lineSlope)(LANE(Primal)* p, V step, V* slope, V* curvature) {
  V g1, g2;
  gauss(p, &g1, &g2);
  Line r = evaluate(p, g1, g2, step);
  *slope = r.slope;
  *curvature = r.curvature;
}

V LANE(lineSearch)(LANE(Primal)* p, V first, V gtol, int* neval) {
  V g1, g2;
  gauss(p, &g1, &g2);

  V step = first, lo = v_zero(), hi = v_set1(HUGE_VAL);
  M open = p->live;
  int maxeval = p->m->opt.ls_iterations > 0 ? p->m->opt.ls_iterations : 1;
  int n = 0;
  while (n < maxeval) {
    Line r = evaluate(p, g1, g2, step);
    n++;

    // a lane whose slope is small enough keeps its step
    open = open & v_gt(v_abs(r.slope), gtol);
    if (!m_any(open)) break;

    // tighten the bracket, then step by Newton or, if that leaves the bracket, halve it
    M falling = v_lt(r.slope, v_zero());
    lo = v_sel(open & falling, step, lo);
    hi = v_sel(open & ~falling, step, hi);
    V next = step - r.slope / v_max(r.curvature, v_set1(mjMINVAL));
    M inside = v_gt(next, lo) & v_lt(next, hi);
    next = v_sel(inside, next, 0.5 * (lo + hi));
    M moves = ~v_eq(next, step) & v_lt(next, v_set1(HUGE_VAL));
    open = open & moves;
    step = v_sel(open, next, step);
  }
  *neval += n;

  // out of evaluations: the lower end of the bracket still lowers the cost
  step = v_sel(open & v_gt(lo, v_zero()), lo, step);
  return v_and(p->live, step);
}
