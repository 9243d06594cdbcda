// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Exact line search. Along a direction the cost is convex with a piecewise smooth slope, so the
// minimum is the root of the slope. With Newton directions the step 1 is the root unless rows
// change state on the way, so most searches are one evaluation; lanes that need more are led by
// solve/bracket.c, each on its own, and evaluated together.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block.h"
#include "model/work.h"
#include "solve/bracket.h"
#include "solve/cone.h"
#include "solve/primal.h"
#include "solve/quad.h"
#include "solve/scratch.h"

typedef struct {
  V cost, slope, curvature;
} Line;

// one-sided rows
#if SHEAF_LANES == 1
static inline Line oneSided(const V* D, const V* jar, const V* jv, V step, int start, int end,
                            Line r) {
  V twice = 0;
  for (int i = start; i < end; i += 4) {
    Quad d = {0}, j = {0}, v = {0};
    if (i + 3 < end) {
      d = CQUAD(D + i);
      j = CQUAD(jar + i);
      v = CQUAD(jv + i);
    } else {
      QUAD_PART(d, D + i, end - i);
      QUAD_PART(j, jar + i, end - i);
      QUAD_PART(v, jv + i, end - i);
    }
    Quad x = j + step * v;
    Mask below = x < 0;
    x = QUAD_AND(below, x);
    Quad t = d * x;
    Quad square = t * x, slope = t * v, curvature = QUAD_AND(below, d * v * v);
    twice = QUAD_ADD(twice, square);
    r.slope = QUAD_ADD(r.slope, slope);
    r.curvature = QUAD_ADD(r.curvature, curvature);
  }
  r.cost = r.cost + 0.5 * twice;
  return r;
}
#else
static inline Line oneSided(const V* restrict D, const V* restrict jar, const V* restrict jv,
                            V step, int start, int end, Line r) {
  V twice = v_zero();
  for (int i = start; i < end; i++) {
    V x = v_min(jar[i] + step * jv[i], v_zero());
    V t = D[i] * x;
    twice = twice + t * x;
    r.slope = r.slope + t * jv[i];
    r.curvature = r.curvature + v_and(v_lt(x, v_zero()), D[i] * jv[i] * jv[i]);
  }
  r.cost = r.cost + 0.5 * twice;
  return r;
}
#endif

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
  const V *D = CLANES(p->d->efc_D) + b->efcadr, *jar = p->Jaref + b->efcadr,
          *jv = p->Jv + b->efcadr;
  V x[6], quad0 = v_zero(), quad1 = v_zero(), quad2 = v_zero(), UV = v_zero(), VV = v_zero();
  for (int j = 0; j < b->dim; j++) {
    x[j] = jar[j] + step * jv[j];
    V t = D[j] * jv[j];
    quad0 = quad0 + 0.5 * (D[j] * x[j]) * x[j];
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
  r.cost = r.cost + v_sel(c.bottom, quad0, v_and(c.middle, 0.5 * c.Dm * c.NmT * c.NmT));
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

// ---- the searches of all parts

typedef struct {
  V g0, g1, g2;    // cost, slope and curvature of the unconstrained cost at the iterate
  V step;          // to be evaluated
  Line at;         // what came of it
  Line start;      // at the iterate, if it was evaluated
  V slope;         // at the answer
  M open;          // lanes that still search
} Search;

// scratch of a search, the same for all searches of a problem
struct LANE(LineScratch_) {
  Search* search;         // (n)
  V* temp;                // (4 x n)
  mjiLineSearch* lead;    // (n x lanes)
};

void LANE(lineSearchInit)(LANE(Primal)* p) {
  size_t n = (size_t)p->parts->n;
  p->line = mj_stackAllocByte(p->d, sizeof *p->line, _Alignof(struct LANE(LineScratch_)));
  V* next = stackV(p->d, n * (4 + sizeof(Search) / sizeof(V)));
  p->line->temp = takeV(&next, 4 * n);
  p->line->search = (Search*)(void*)next;
  p->line->lead = mj_stackAllocByte(p->d, n * SHEAF_LANES * sizeof(mjiLineSearch),
                                    _Alignof(mjiLineSearch));
}

// the unconstrained cost at a step
static inline Line gaussAt(const Search* s) {
  V half = 0.5 * s->step * s->g2;
  return (Line){s->g0 + s->step * (s->g1 + half), s->g1 + s->step * s->g2, s->g2};
}

// all rows are those of one part
static Line evaluateAll(const LANE(Primal)* p, const Search* s) {
  V step = s->step;
  Line r = equality(p, step, 0, p->ne, gaussAt(s));
  if (p->nf) r = friction(p, step, p->ne, p->nf, r);
  if (!p->cone) {
    return oneSided(CLANES(p->d->efc_D), p->Jaref, p->Jv, step, p->ne + p->nf, p->nefc, r);
  }
  for (int k = 0; k < p->nblock; k++) {
    if (p->block[k].type >= mjCNSTR_LIMIT_JOINT) r = blockLine(p, p->block + k, step, r);
  }
  return r;
}

// values at the steps of parts that are open. temp: (4 x n) scratch
static void evaluate(const LANE(Primal)* p, Search* search, V* temp) {
  const LANE(Parts)* parts = p->parts;
  if (parts->nsegment == 1) {
    search->at = evaluateAll(p, search);
    return;
  }
  int n = parts->n;
  V *step = temp, *total = step + n, *slope = total + n, *curvature = slope + n;
  for (int k = 0; k < n; k++) {
    Line r = gaussAt(search + k);
    step[k] = search[k].step;
    total[k] = r.cost;
    slope[k] = r.slope;
    curvature[k] = r.curvature;
  }
  for (int k = 0; k < p->nblock; k++) {
    int segment = parts->block[k], part = segment < 0 ? -1 : parts->part[segment];
    if (segment < 0 || (part >= 0 && !m_any(search[part].open))) continue;
    Line r = {partGet(parts, segment, total), partGet(parts, segment, slope),
              partGet(parts, segment, curvature)};
    r = blockLine(p, p->block + k, partGet(parts, segment, step), r);
    partPut(parts, segment, total, r.cost);
    partPut(parts, segment, slope, r.slope);
    partPut(parts, segment, curvature, r.curvature);
  }
  for (int k = 0; k < n; k++) search[k].at = (Line){total[k], slope[k], curvature[k]};
}

// slope and curvature of the unconstrained cost along the line
static void gauss(const LANE(Primal)* p, Search* search, V* g1, V* g2) {
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
  for (int k = 0; k < p->parts->n; k++) {
    search[k] = (Search){.g0 = p->gauss[k], .g1 = g1[k], .g2 = g2[k], .open = p->live[k]};
  }
}

// ---- lanes that need more than one evaluation

// what the searches of lanes read and write, lane by lane
typedef struct {
  mjtNum step[SHEAF_LANES], cost[SHEAF_LANES], slope[SHEAF_LANES], curvature[SHEAF_LANES];
  mjtNum found[SHEAF_LANES];    // slope at the answer
  int64_t open[SHEAF_LANES];
} Spread;

static Spread spread(const Search* s) {
  Spread r;
  memcpy(r.step, &s->step, sizeof(V));
  memcpy(r.cost, &s->at.cost, sizeof(V));
  memcpy(r.slope, &s->at.slope, sizeof(V));
  memcpy(r.curvature, &s->at.curvature, sizeof(V));
  memcpy(r.found, &s->slope, sizeof(V));
  memcpy(r.open, &s->open, sizeof(M));
  return r;
}

static void gather(Search* s, const Spread* r) {
  memcpy(&s->step, r->step, sizeof(V));
  memcpy(&s->slope, r->found, sizeof(V));
  memcpy(&s->open, r->open, sizeof(M));
}

static inline mjiLinePoint pointOf(const Spread* r, int lane) {
  return (mjiLinePoint){r->step[lane], r->cost[lane], r->slope[lane], r->curvature[lane]};
}

// a lane evaluates where its search asks, or ends at the answer
static inline void follow(Spread* r, int lane, const mjiLineSearch* lead, int more) {
  r->step[lane] = more ? lead->ask : lead->found.step;
  if (more) return;
  r->found[lane] = lead->found.slope;
  r->open[lane] = 0;
}

// slopes and curvatures at the iterate, for directions of Newton: only searches whose first step
// raises the cost ask for them
static void evaluateStart(const LANE(Primal)* p, Search* search, V* temp) {
  int n = p->parts->n;
  for (int k = 0; k < n; k++) {
    search[k].start = search[k].at;    // kept there for a moment
    search[k].step = v_zero();
  }
  evaluate(p, search, temp);
  for (int k = 0; k < n; k++) {
    Line first = search[k].start;
    search[k].start = search[k].at;
    search[k].at = first;
    search[k].step = v_set1(1);
  }
}

// leave the first step with the searches of lanes that are open
static void begin(Search* s, mjiLineSearch* lead, V cost, V gtol, int neval, int maxeval) {
  Spread r = spread(s);
  mjtNum start[3][SHEAF_LANES], tol[SHEAF_LANES];
  memcpy(start[0], &cost, sizeof(V));
  memcpy(start[1], &s->start.slope, sizeof(V));
  memcpy(start[2], &s->start.curvature, sizeof(V));
  memcpy(tol, &gtol, sizeof(V));
  for (int i = 0; i < SHEAF_LANES; i++) {
    if (!r.open[i]) continue;
    mjiLinePoint first = pointOf(&r, i), from = {0, start[0][i], start[1][i], start[2][i]};
    follow(&r, i, lead + i, mji_bracket_begin(lead + i, &from, &first, tol[i], neval, maxeval));
  }
  gather(s, &r);
}

static void goOn(Search* s, mjiLineSearch* lead, int* neval) {
  Spread r = spread(s);
  for (int i = 0; i < SHEAF_LANES; i++) {
    if (!r.open[i]) continue;
    mjiLinePoint at = pointOf(&r, i);
    follow(&r, i, lead + i, mji_bracket_next(lead + i, &at));
    if (lead[i].neval > *neval) *neval = lead[i].neval;
  }
  gather(s, &r);
}

static int anyOpen(const LANE(Primal)* p, const Search* search) {
  for (int k = 0; k < p->parts->n; k++) {
    if (m_any(search[k].open)) return 1;
  }
  return 0;
}

static void searchOn(const LANE(Primal)* p, Search* search, int newton, const V* gtol, int* neval,
                     V* temp) {
  int n = p->parts->n, rises = 0;
  mjiLineSearch* lead = p->line->lead;
  for (int k = 0; k < n; k++) {
    rises |= m_any(search[k].open & v_lt(p->cost[k], search[k].at.cost));
  }
  if (newton && rises) evaluateStart(p, search, temp);
  for (int k = 0; k < n; k++) {
    begin(search + k, lead + k * SHEAF_LANES, p->cost[k], gtol[k], neval[k],
          p->m->opt.ls_iterations);
  }
  while (anyOpen(p, search)) {
    evaluate(p, search, temp);
    for (int k = 0; k < n; k++) goOn(search + k, lead + k * SHEAF_LANES, neval + k);
  }
}

void LANE(lineSearch)(LANE(Primal)* p, int newton, const V* gtol, V* step, V* slope, int* neval) {
  int n = p->parts->n;
  V* temp = p->line->temp;
  Search* search = p->line->search;
  gauss(p, search, temp, temp + n);

  // the first step is that of Newton. In directions of Newton it is 1, and the evaluation at the
  // iterate, which counts as one, is not made
  for (int k = 0; k < n; k++) search[k].step = v_set1(newton ? 1 : 0);
  if (!newton) evaluate(p, search, temp);
  for (int k = 0; k < n; k++) {
    Search* s = search + k;
    s->start = s->at;
    if (!newton) s->step = -s->at.slope / v_max(s->at.curvature, v_set1(mjMINVAL));
    neval[k] = 2;
  }
  evaluate(p, search, temp);
  for (int k = 0; k < n; k++) {
    search[k].slope = search[k].at.slope;
    search[k].open = search[k].open & ~v_lt(v_abs(search[k].slope), gtol[k]);
  }
  if (anyOpen(p, search)) searchOn(p, search, newton, gtol, neval, temp);
  for (int k = 0; k < n; k++) {
    step[k] = v_and(p->live[k], search[k].step);
    slope[k] = search[k].slope;
  }
}
