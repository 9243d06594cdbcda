// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Exact line search. Along a direction the cost is convex with a piecewise smooth slope, so the
// minimum is the root of the slope: Newton steps on the slope, kept inside a bracket. With Newton
// directions the step 1 is the root unless rows change state on the way, so most searches are one
// evaluation.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block.h"
#include "model/work.h"
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

static Line friction(const LANE(Primal)* p, V step, int start, int n, Line r) {
  const mjData* d = p->d;
  const V *D = CLANES(d->efc_D), *R = CLANES(d->efc_R), *loss = CLANES(d->efc_frictionloss);
  for (int i = start; i < start + n; i++) {
    V x = p->Jaref[i] + step * p->Jv[i], edge = R[i] * loss[i], t = D[i] * p->Jv[i];
    M below = v_le(x, -edge), above = v_le(edge, x) & ~below;
    V force = v_sel(below, -loss[i], loss[i]) * p->Jv[i];
    r.slope = r.slope + v_sel(below | above, force, t * x);
    r.curvature = r.curvature + v_and(~(below | above), t * p->Jv[i]);
  }
  return r;
}

static inline Line equality(const LANE(Primal)* p, V step, int start, int n, Line r) {
  const V* D = CLANES(p->d->efc_D);
  for (int i = start; i < start + n; i++) {
    V t = D[i] * p->Jv[i];
    r.slope = r.slope + t * (p->Jaref[i] + step * p->Jv[i]);
    r.curvature = r.curvature + t * p->Jv[i];
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

static Line blockLine(const LANE(Primal)* p, const mjiBlock* b, V step, Line r) {
  int start = b->efcadr, n = b->nrow;
  if (b->type == mjCNSTR_EQUALITY) return equality(p, step, start, n, r);
  if (b->type <= mjCNSTR_FRICTION_TENDON) return friction(p, step, start, n, r);
  if (b->type == mjCNSTR_CONTACT_ELLIPTIC) return coneLine(p, b, step, r);
  return oneSided(CLANES(p->d->efc_D), p->Jaref, p->Jv, step, start, start + n, r);
}

// the search in each part
typedef struct {
  V g1, g2;              // slope and curvature of the unconstrained cost at the iterate
  V step, lo, hi;        // bracket
  V slope, curvature;    // at the step
  M open;                // lanes that still search
} Search;

// all rows are those of one part
static Line evaluateAll(const LANE(Primal)* p, const Search* s) {
  V step = s->step;
  Line r = equality(p, step, 0, p->ne, (Line){s->g1 + step * s->g2, s->g2});
  if (p->nf) r = friction(p, step, p->ne, p->nf, r);
  if (!p->cone) {
    return oneSided(CLANES(p->d->efc_D), p->Jaref, p->Jv, step, p->ne + p->nf, p->nefc, r);
  }
  for (int k = 0; k < p->nblock; k++) {
    if (p->block[k].type >= mjCNSTR_LIMIT_JOINT) r = blockLine(p, p->block + k, step, r);
  }
  return r;
}

// slopes and curvatures of parts that are open
static void evaluate(const LANE(Primal)* p, Search* search, V* slope, V* curvature, V* step) {
  const LANE(Parts)* parts = p->parts;
  if (parts->nsegment == 1) {
    Line r = evaluateAll(p, search);
    search->slope = r.slope;
    search->curvature = r.curvature;
    return;
  }
  for (int k = 0; k < parts->n; k++) {
    step[k] = search[k].step;
    slope[k] = search[k].g1 + step[k] * search[k].g2;
    curvature[k] = search[k].g2;
  }
  for (int k = 0; k < p->nblock; k++) {
    int segment = parts->block[k], part = segment < 0 ? -1 : parts->part[segment];
    if (segment < 0 || (part >= 0 && !m_any(search[part].open))) continue;
    Line r = {partGet(parts, segment, slope), partGet(parts, segment, curvature)};
    r = blockLine(p, p->block + k, partGet(parts, segment, step), r);
    partPut(parts, segment, slope, r.slope);
    partPut(parts, segment, curvature, r.curvature);
  }
  for (int k = 0; k < parts->n; k++) {
    search[k].slope = slope[k];
    search[k].curvature = curvature[k];
  }
}

// the unconstrained part of the cost along the line
static void gauss(const LANE(Primal)* p, V* g1, V* g2) {
  const V* smooth = CLANES(p->d->qfrc_smooth);
  for (int k = 0; k < p->parts->n; k++) g1[k] = g2[k] = v_zero();
  for (int s = 0; s < p->parts->nsegment; s++) {
    mjiSegment dofs = p->parts->segment[s];
    V a = partGet(p->parts, s, g1), b = partGet(p->parts, s, g2);
    for (int i = dofs.adr; i < dofs.adr + dofs.num; i++) {
      a = a + p->search[i] * (p->Ma[i] - smooth[i]);
      b = b + p->search[i] * p->Mv[i];
    }
    partPut(p->parts, s, g1, a);
    partPut(p->parts, s, g2, b);
  }
}

// after an evaluation: lanes whose slope is small enough keep their step, others tighten the
// bracket and step by Newton or, if that leaves the bracket, halve it
static void narrow(Search* s, V gtol) {
  s->open = s->open & v_gt(v_abs(s->slope), gtol);
  M falling = v_lt(s->slope, v_zero());
  s->lo = v_sel(s->open & falling, s->step, s->lo);
  s->hi = v_sel(s->open & ~falling, s->step, s->hi);
  V next = s->step - s->slope / v_max(s->curvature, v_set1(mjMINVAL));
  M inside = v_gt(next, s->lo) & v_lt(next, s->hi);
  next = v_sel(inside, next, 0.5 * (s->lo + s->hi));
  s->open = s->open & ~v_eq(next, s->step) & v_lt(next, v_set1(HUGE_VAL));
  s->step = v_sel(s->open, next, s->step);
}

void LANE(lineSearch)(LANE(Primal)* p, int newton, const V* gtol, V* step, V* slope, int* neval) {
  int n = p->parts->n, maxeval = p->m->opt.ls_iterations > 0 ? p->m->opt.ls_iterations : 1;
  mj_markStack(p->d);
  V *temp = LANES(mji_stackNum(p->d, 3 * (size_t)n + 1)), *temp2 = temp + n, *temp3 = temp2 + n;
  Search* search =
      (Search*)(void*)mji_stackNum(p->d, ((size_t)n + 1) * sizeof(Search) / sizeof(V));
  gauss(p, temp, temp2);
  for (int k = 0; k < n; k++) {
    search[k] = (Search){.g1 = temp[k], .g2 = temp2[k], .hi = v_set1(HUGE_VAL), .open = p->live[k]};
    search[k].step = v_set1(newton ? 1 : 0);
    neval[k] = 0;
  }

  // conjugate gradients have no length of their own: start with a Newton step
  if (!newton) evaluate(p, search, temp, temp2, temp3);
  for (int k = 0; !newton && k < n; k++) {
    search[k].step = -search[k].slope / v_max(search[k].curvature, v_set1(mjMINVAL));
  }

  int open = 1;
  for (int i = 0; open && i < maxeval; i++) {
    evaluate(p, search, temp, temp2, temp3);
    open = 0;
    for (int k = 0; k < n; k++) {
      if (!m_any(search[k].open)) continue;
      narrow(search + k, gtol[k]);
      neval[k]++;
      open |= m_any(search[k].open);
    }
  }

  // out of evaluations: the lower end of the bracket still lowers the cost
  for (int k = 0; k < n; k++) {
    const Search* s = search + k;
    V last = v_sel(s->open & v_gt(s->lo, v_zero()), s->lo, s->step);
    step[k] = v_and(p->live[k], last);
    slope[k] = s->slope;
  }
  mj_freeStack(p->d);
}
