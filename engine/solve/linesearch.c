// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Exact line search: along a direction the cost is convex with a piecewise smooth slope, so the minimum is the
// root of the slope. Newton's method within a bracket finds the root. The first step is Newton's, from slope and
// curvature at the iterate. Along a Newton direction that step is 1, and it is the root unless rows change state on the
// way, so most searches need one evaluation. All parts and lanes search at once; each ends on its own.

#include "lanes/lanes.h"

#include <float.h>

#include <mujoco/mujoco.h>

#include "constraint/block_lanes.h"
#include "model/row_class.h"
#include "model/work.h"
#include "solve/cone.h"
#include "solve/one_sided.h"
#include "solve/primal.h"
#include "solve/scratch.h"

typedef LANE(Line) Line;

static Line friction(const LANE(Primal)* p, V step, int start, int n, Line r) {
  const mjData* d = p->d;
  const V *D = CLANES(d->efc_D), *R = CLANES(d->efc_R), *loss = CLANES(d->efc_frictionloss);
  for (int i = start; i < start + n; i++) {
    V x = p->Jaref[i] + step * p->Jv[i], edge = R[i] * loss[i], t = D[i] * p->Jv[i];
    M below = v_le(x, -edge), above = v_le(edge, x) & ~below;
    V force = v_sel(below, -loss[i], loss[i]) * p->Jv[i];
    V linear = (v_abs(x) - 0.5 * edge) * loss[i];
    r.cost = r.cost + v_sel(below | above, linear, 0.5 * (D[i] * x) * x);
    r.slope = r.slope + v_sel(below | above, force, t * x);
    r.curvature = r.curvature + v_and(~(below | above), t * p->Jv[i]);
  }
  return r;
}

static inline Line equality(const LANE(Primal)* p, V step, int start, int n, Line r) {
  const V* D = CLANES(p->d->efc_D);
  for (int i = start; i < start + n; i++) {
    V t = D[i] * p->Jv[i], x = p->Jaref[i] + step * p->Jv[i];
    r.cost = r.cost + 0.5 * (D[i] * x) * x;
    r.slope = r.slope + t * x;
    r.curvature = r.curvature + t * p->Jv[i];
  }
  return r;
}

static Line coneLine(const LANE(Primal)* p, const mjiBlock* b, V step, Line r) {
  const V *D = CLANES(p->d->efc_D) + b->efcadr, *jar = p->Jaref + b->efcadr, *jv = p->Jv + b->efcadr;
  V x[6], quad0 = v_zero(), quad1 = v_zero(), quad2 = v_zero(), UV = v_zero(), VV = v_zero();
  for (int j = 0; j < b->dim; j++) {
    x[j] = jar[j] + step * jv[j];
    V t = D[j] * jv[j];
    quad0 = quad0 + 0.5 * (D[j] * x[j]) * x[j];
    quad1 = quad1 + t * x[j];
    quad2 = quad2 + t * jv[j];
    if (j) {
      N f2 = frictionOf(b)[j - 1] * frictionOf(b)[j - 1];
      UV = UV + f2 * (x[j] * jv[j]);
      VV = VV + f2 * (jv[j] * jv[j]);
    }
  }
  Cone c = coneAt(p->m, p->d, b, D[0], x);
  V N1 = c.mu * jv[0], T1 = UV * c.Tinv, T2 = (VV - T1 * T1) * c.Tinv;
  V g = N1 - c.mu * T1;
  r.cost = r.cost + v_sel(c.bottom, quad0, v_and(c.middle, 0.5 * c.Dm * c.NmT * c.NmT));
  r.slope = r.slope + v_sel(c.bottom, quad1, v_and(c.middle, c.Dm * c.NmT * g));
  r.curvature = r.curvature + v_sel(c.bottom, quad2, v_and(c.middle, c.Dm * (g * g - c.NmT * c.mu * T2)));
  return r;
}

static Line blockLine(const LANE(Primal)* p, const mjiBlock* b, V step, Line r) {
  int start = b->efcadr, n = b->nrow;
  if (b->type == mjCNSTR_EQUALITY) return equality(p, step, start, n, r);
  if (mji_isFriction(b->type)) return friction(p, step, start, n, r);
  if (b->type == mjCNSTR_CONTACT_ELLIPTIC) return coneLine(p, b, step, r);
  LANE(oneSidedLine)(CLANES(p->d->efc_D), p->Jaref, p->Jv, step, start, start + n, &r);
  return r;
}

// ---- the searches of all parts

// part of a bracket, and of a slope, that counts as nothing
static const mjtNum SAME = 1e-9;

typedef struct {
  V step;
  Line is;
} Point;

// The root lies between `low`, where the slope is not positive, and `high`, where it is.
typedef struct {
  V g0, g1, g2;     // cost, slope and curvature of the unconstrained cost at the iterate
  Point at;         // the point that is evaluated
  Point low, high;  // at first the iterate and a point beyond all steps, with infinite slopes
  V last;           // size of the slope at the point before
  V tolerance;      // a slope below it ends the search: what was asked for, or the rounding of the largest slope
  M open;           // lanes that still search
} Search;

// scratch of a search, the same for all searches of a problem
struct LANE(LineScratch_) {
  Search* search;  // (n)
  V* temp;         // (4 x n)
};

void LANE(lineSearchInit)(LANE(Primal)* p) {
  size_t n = (size_t)p->parts->n;
  p->line = mj_stackAllocByte(p->d, sizeof *p->line, _Alignof(struct LANE(LineScratch_)));
  V* next = stackV(p->d, n * (4 + sizeof(Search) / sizeof(V)));
  p->line->temp = takeV(&next, 4 * n);
  p->line->search = (Search*)(void*)next;
}

// the unconstrained cost at a step
static inline Line gaussAt(const Search* s) {
  V step = s->at.step, half = 0.5 * step * s->g2;
  return (Line){s->g0 + step * (s->g1 + half), s->g1 + step * s->g2, s->g2};
}

// evaluate all rows at the step of the only part
static Line evaluateAll(const LANE(Primal)* p, const Search* s) {
  V step = s->at.step;
  Line r = equality(p, step, 0, p->ne, gaussAt(s));
  if (p->nf) r = friction(p, step, p->ne, p->nf, r);
  if (!p->cone) {
    LANE(oneSidedLine)(CLANES(p->d->efc_D), p->Jaref, p->Jv, step, p->ne + p->nf, p->nefc, &r);
    return r;
  }
  for (int k = 0; k < p->nblock; k++) {
    const mjiBlock* b = p->block + k;
    if (b->efcadr >= p->ne + p->nf) r = blockLine(p, b, step, r);
  }
  return r;
}

// Evaluate cost, slope and curvature at the steps of parts that are open. temp: (4 x n) scratch.
static void evaluate(const LANE(Primal)* p, Search* search, V* temp) {
  const LANE(Parts)* parts = p->parts;
  if (parts->nsegment == 1) {
    search->at.is = evaluateAll(p, search);
    return;
  }
  int n = parts->n;
  V *step = temp, *total = step + n, *slope = total + n, *curvature = slope + n;
  for (int k = 0; k < n; k++) {
    Line r = gaussAt(search + k);
    step[k] = search[k].at.step;
    total[k] = r.cost;
    slope[k] = r.slope;
    curvature[k] = r.curvature;
  }
  for (int k = 0; k < p->nblock; k++) {
    int segment = parts->block[k], part = segment < 0 ? -1 : parts->part[segment];
    if (segment < 0 || (part >= 0 && !m_any(search[part].open))) continue;
    Line r = {partGet(parts, segment, total), partGet(parts, segment, slope), partGet(parts, segment, curvature)};
    r = blockLine(p, p->block + k, partGet(parts, segment, step), r);
    partPut(parts, segment, total, r.cost);
    partPut(parts, segment, slope, r.slope);
    partPut(parts, segment, curvature, r.curvature);
  }
  for (int k = 0; k < n; k++) search[k].at.is = (Line){total[k], slope[k], curvature[k]};
}

// Begin searches at the iterate: slope and curvature of the unconstrained cost along the line. g1, g2: (n) scratch.
static void begin(const LANE(Primal)* p, Search* search, const V* gtol, V* g1, V* g2) {
  const V* smooth = CLANES(p->d->qfrc_smooth);
  for (int k = 0; k < p->parts->n; k++) g1[k] = g2[k] = v_zero();
  for (int s = 0; s < p->parts->nsegment; s++) {
    if (isIdle(p->parts, s)) continue;
    mjiSegment dofs = p->parts->segment[s];
    V a = partGet(p->parts, s, g1), b = partGet(p->parts, s, g2);
    for (int i = dofs.adr; i < dofs.adr + dofs.num; i++) {
      a = a + p->search[i] * (p->Ma[i] - smooth[i]);
      b = b + p->search[i] * p->Mv[i];
    }
    partPut(p->parts, s, g1, a);
    partPut(p->parts, s, g2, b);
  }
  for (int k = 0; k < p->parts->n; k++) {
    search[k] = (Search){.g0 = p->gauss[k], .g1 = g1[k], .g2 = g2[k], .tolerance = gtol[k], .open = p->live[k]};
    search[k].low.is.slope = v_set1(-INFINITY);
    search[k].high.is.slope = search[k].high.step = search[k].last = v_set1(INFINITY);
  }
}

static inline V newton(const Point* x) { return x->step - x->is.slope / v_max(x->is.curvature, v_set1(mjMINVAL)); }

static inline Point choose(M on, const Point* a, const Point* b) {
  return (Point){v_sel(on, a->step, b->step),
                 {v_sel(on, a->is.cost, b->is.cost), v_sel(on, a->is.slope, b->is.slope), v_zero()}};
}

// Does a step lead to an end of the bracket that is not the root, up to rounding? Newton's method does so beyond a row
// that changes its state on the way, and would find the slope of that end again.
static inline M leadsBack(const Search* s, V step) {
  V width = s->high.step - s->low.step, fall = -s->low.is.slope, rise = s->high.is.slope;
  return (v_lt(step - s->low.step, SAME * width) & v_lt(SAME * rise, fall)) |
         (v_lt(s->high.step - step, SAME * width) & v_lt(SAME * fall, rise));
}

// Make the evaluated point an end of the bracket and choose the next one: Newton's point, or the middle of the bracket
// if Newton's point lies outside or at an end, or the slope did not halve. A lane ends when the slope is within the
// tolerance, or when rounding prevents progress, which shows in a slope that is not between those of the ends. A number
// that is not finite ends its lane too; callers find it in the result.
static void goOn(Search* s) {
  V slope = s->at.is.slope, size = v_abs(slope);
  M right = v_gt(slope, v_zero());
  M raised = s->open & ~right & ~v_le(slope, s->low.is.slope);
  M lowered = s->open & right & v_lt(slope, s->high.is.slope);
  s->tolerance = v_max(s->tolerance, v_and(s->open, DBL_EPSILON * size));
  s->low = choose(raised, &s->at, &s->low);
  s->high = choose(lowered, &s->at, &s->high);

  V next = newton(&s->at), low = s->low.step, high = s->high.step;
  M slow = v_lt(0.5 * s->last, size) & v_lt(high, v_set1(INFINITY));
  M within = v_lt(low, next) & v_lt(next, high) & ~slow & ~leadsBack(s, next);
  next = v_sel(within, next, 0.5 * (low + high));
  s->open = (raised | lowered) & ~v_lt(size, s->tolerance) & v_lt(low, next) & v_lt(next, high);
  s->last = size;
  s->at.step = next;
}

// Choose the end of the bracket with the smaller slope, unless the cost there is higher than at the iterate. A convex
// function rises by at most the step times its last slope: a larger rise is only rounding.
static void finish(const Search* s, V cost, V* step, V* slope) {
  V steep = s->high.is.slope, rise = s->high.is.cost - cost;
  M higher = v_gt(rise, v_zero()) & v_le(rise, steep * s->high.step) & v_le(s->tolerance, steep);
  M far = v_lt(steep, -s->low.is.slope) & ~higher;
  *step = v_sel(far, s->high.step, s->low.step);
  *slope = v_sel(far, steep, s->low.is.slope);
}

void LANE(lineSearch)(LANE(Primal)* p, int newtonDirection, const V* gtol, V* step, V* slope, int* neval) {
  int n = p->parts->n, any = 1;
  V* temp = p->line->temp;
  Search* search = p->line->search;
  begin(p, search, gtol, temp, temp + n);
  if (!newtonDirection) evaluate(p, search, temp);
  for (int k = 0; k < n; k++) {
    search[k].at.step = newtonDirection ? v_set1(1) : newton(&search[k].at);
    neval[k] = 1;  // at the iterate
  }
  for (int i = 0; any && (i < p->m->opt.ls_iterations || i == 0); i++) {
    evaluate(p, search, temp);
    any = 0;
    for (int k = 0; k < n; k++) {
      neval[k] += m_any(search[k].open);
      goOn(search + k);
      any |= m_any(search[k].open);
    }
  }
  for (int k = 0; k < n; k++) {
    finish(search + k, p->cost[k], step + k, slope + k);
    step[k] = v_and(p->live[k], step[k]);
  }
}
