// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative of fluid forces by velocity: dynamics/fluid.c differentiated term by term.
//
// B (6 x 6) is the derivative of a shape's force by its velocity, both in its own frame with rotation first. With J,
// the motion of the frame per dof, the derivative in joint space is J' B J.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/fluid.h"
#include "integrate/derivative.h"
#include "model/number.h"
#include "model/work.h"

static inline V positive(V x) { return v_max(x, v_set1(mjMINVAL)); }

// B[row + r][col + c] += scale * [x]_rc, the matrix with [x] y = x cross y
static void addCross(V* B, int row, int col, const V* x, N scale) {
  for (int r = 0; r < 3; r++) {
    int next = (r + 1) % 3, last = (r + 2) % 3;
    V* line = B + 6 * (row + r) + col;
    line[next] = line[next] - scale * x[last];
    line[last] = line[last] + scale * x[next];
  }
}

// B -= [x] diag(s): the derivative of (s * y) cross x by y is -[x] diag(s)
static void subCrossDiag(V* B, int row, int col, const V* x, const N* s) {
  for (int r = 0; r < 3; r++) {
    int next = (r + 1) % 3, last = (r + 2) % 3;
    V* line = B + 6 * (row + r) + col;
    line[next] = line[next] + x[last] * s[next];
    line[last] = line[last] - x[next] * s[last];
  }
}

static void addedMassDeriv(const FluidCoef* coef, N density, const V* vel, V* B) {
  N mass[3], inertia[3];
  V p[3], L[3];
  for (int k = 0; k < 3; k++) {
    mass[k] = density * coef->virtual_mass[k];
    inertia[k] = density * coef->virtual_inertia[k];
    p[k] = mass[k] * vel[3 + k];
    L[k] = inertia[k] * vel[k];
  }
  // force p x w
  addCross(B, 3, 0, p, n_set1(1));
  subCrossDiag(B, 3, 3, vel, mass);
  // torque p x v + L x w
  addCross(B, 0, 3, p, n_set1(1));
  subCrossDiag(B, 0, 3, vel + 3, mass);
  addCross(B, 0, 0, L, n_set1(1));
  subCrossDiag(B, 0, 0, vel, inertia);
}

// torque -(slow + density * |swirl|) w, swirl = rotdrag * w
static void rotationDragDeriv(const mjModel* m, const mjData* d, const Ellipsoid* e, const V* w, V* B) {
  V swirl[3];
  for (int k = 0; k < 3; k++) swirl[k] = w[k] * e->rotdrag[k];
  V norm = v_sqrt(dot3(swirl, swirl));
  V drag = mjPI * e->diameter * e->diameter * e->diameter * OPT(viscosity)[0] + OPT(density)[0] * norm;
  for (int r = 0; r < 3; r++) {
    B[7 * r] = B[7 * r] - drag;
    for (int c = 0; c < 3; c++) {
      B[6 * r + c] = B[6 * r + c] - OPT(density)[0] * w[r] * (swirl[c] * e->rotdrag[c] / positive(norm));
    }
  }
}

// How the area of the projection and the strength of Kutta's lift change with each component of the velocity. The
// strength is scale * size, its change scale * change.
typedef struct {
  V area[3];
  V scale, size, change[3];
} FlowChange;

// as the reference has it: roots and divisors have lower limits, so the area of a small shape hardly changes
static void limitedChange(const FluidCoef* coef, N density, const Ellipsoid* e, const V* v, FlowChange* to) {
  // d area = pi / sqrt(num^3 den) * (num d den - den d num) / 2
  V turn = mjPI / positive(v_sqrt(e->num * e->num * e->num * e->den));
  V speed2 = dot3(v, v);
  V lean = e->num / positive(e->den), flat = e->num / positive(speed2);
  to->scale = coef->kutta_lift * density * mjPI / positive(v_sqrt(e->den * e->num * speed2));
  to->size = e->num;
  for (int c = 0; c < 3; c++) {
    N s = e->sqr[c];
    to->area[c] = turn * (v[c] * s * (s * e->num - e->den));
    to->change[c] = v[c] * (s - s * s * lean - flat);
  }
}

// of the force as fluid.c computes it, which has lower limits of its own
static void trueChange(const FluidCoef* coef, N density, const Ellipsoid* e, const V* v, FlowChange* to) {
  const lane_t tiny = (lane_t)1e-30;  // stands for zeros that are divided by each other
  V num = positive(e->num), den = positive(e->speed * e->den);
  M numFollows = v_gt(e->num, v_set1(mjMINVAL)), denFollows = v_gt(e->speed * e->den, v_set1(mjMINVAL));
  V root = v_sqrt(e->den / num), area = mjPI * root, cosine = e->num / den;
  V turn = mjPI / v_max(root, v_set1(tiny)) / num, lean = v_and(numFollows, e->den / num);
  V slower = v_and(denFollows, cosine * (e->den / v_max(e->speed, v_set1(tiny))));
  V faster = v_and(denFollows, 2 * cosine * e->speed);
  to->scale = v_set1(1);
  to->size = coef->kutta_lift * density * cosine * area;
  for (int c = 0; c < 3; c++) {
    N s = e->sqr[c];
    V cosine_c = v[c] * (2 * s - slower - faster * s * s) / den;
    to->area[c] = turn * v[c] * s * (s - lean);
    to->change[c] = coef->kutta_lift * density * (cosine_c * area + cosine * to->area[c]);
  }
}

// force -drag v, with drag depending on speed and projected area; d speed = v / speed
static void dragDeriv(const mjModel* m, const mjData* d, const FluidCoef* coef, const Ellipsoid* e,
                      const FlowChange* change, const V* v, V* B) {
  N density = OPT(density)[0];
  lane_t part = coef->blunt_drag - coef->slender_drag;
  V area = mjPI * v_sqrt(e->den / positive(e->num));
  V surface = area * part + coef->slender_drag * e->area;
  V drag = 3 * mjPI * e->diameter * OPT(viscosity)[0] + density * e->speed * surface;
  for (int c = 0; c < 3; c++) {
    V drag_c = density * (v[c] / positive(e->speed) * surface + e->speed * part * change->area[c]);
    for (int r = 0; r < 3; r++) B[6 * (3 + r) + 3 + c] = B[6 * (3 + r) + 3 + c] - drag_c * v[r];
    B[7 * (3 + c)] = B[7 * (3 + c)] - drag;
  }
}

// lift of Kutta: strength * (num*v - speed^2*n),  n = sqr * v; and of Magnus: spin * w x v
static void liftDeriv(const mjModel* m, const mjData* d, const FluidCoef* coef, const Ellipsoid* e,
                      const FlowChange* change, const V* vel, V* B) {
  const V* v = vel + 3;
  V speed2 = dot3(v, v);
  for (int c = 0; c < 3; c++) {
    for (int r = 0; r < 3; r++) {
      V excess = e->num - speed2 * e->sqr[r];
      V shape_c = 2.0 * (e->sqr[c] - e->sqr[r]) * v[c] * v[r];
      if (r == c) shape_c = shape_c + excess;
      V lift_c = change->scale * (change->change[c] * (excess * v[r]) + change->size * shape_c);
      B[6 * (3 + r) + 3 + c] = B[6 * (3 + r) + 3 + c] + lift_c;
    }
  }
  N spin = coef->magnus_lift * OPT(density)[0] * e->volume;
  addCross(B, 3, 3, vel, spin);
  addCross(B, 3, 0, v, -spin);
}

static void boxDeriv(const mjModel* m, const mjData* d, int b, const V* vel, V* B) {
  N viscosity = OPT(viscosity)[0], density = OPT(density)[0], box[3];
  inertiaBox(m, d, b, box);
  N diameter = (box[0] + box[1] + box[2]) / 3;
  for (int k = 0; k < 3; k++) {
    N a = box[(k + 1) % 3], c = box[(k + 2) % 3];
    B[7 * k] = -mjPI * diameter * diameter * diameter * viscosity -
               density * box[k] * (a * a * a * a + c * c * c * c) / 32 * v_abs(vel[k]);
    B[7 * (3 + k)] = -3 * mjPI * diameter * viscosity - density * a * c * v_abs(vel[3 + k]);
  }
}

static void symmetrize(V* B) {
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c < r; c++) B[6 * r + c] = B[6 * c + r] = 0.5 * (B[6 * r + c] + B[6 * c + r]);
  }
}

// qDeriv += J' B J for the frame of a shape
static void addShape(const mjModel* m, mjData* d, const LANE(FlowShape)* s, void* user) {
  const mjiPlan* plan = mji_plan(m);
  const int* chain = plan->chain_ind + plan->chain_adr[s->body];
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[s->body];
  int n = plan->chain_num[s->body];
  V offset[3], B[36];
  for (int k = 0; k < 3; k++) offset[k] = s->pos[k] - com[k];
  copyN(B, s->B, 36);
  const int* exact = user;
  if (s->geom >= 0 && !*exact && m->opt.integrator == mjINT_IMPLICITFAST) symmetrize(B);

  // columns of J and of B J
  mj_markStack(d);
  V* J = LANES(mji_stackNum(d, 6 * (size_t)n));
  V* BJ = LANES(mji_stackNum(d, 6 * (size_t)n));
  for (int c = 0; c < n; c++) {
    const V* cdof = CLANES(d->cdof) + 6 * chain[c];
    V turn[3], linear[3];
    cross3(turn, offset, cdof);
    for (int k = 0; k < 3; k++) linear[k] = cdof[3 + k] - turn[k];
    mulMatT3(J + 6 * c, s->mat, cdof);
    mulMatT3(J + 6 * c + 3, s->mat, linear);
    for (int k = 0; k < 6; k++) BJ[6 * c + k] = dot6(B + 6 * k, J + 6 * c);
  }

  // the chain's dofs are ancestors of each other: all entries exist
  for (int r = 0; r < n; r++) {
    const int* colind = m->D_colind + m->D_rowadr[chain[r]];
    V* out = LANES(d->qDeriv) + m->D_rowadr[chain[r]];
    for (int c = 0, k = 0; c < n; c++) {
      while (colind[k] != chain[c]) k++;
      out[k] = out[k] + dot6(J + 6 * r, BJ + 6 * c);
    }
  }
  mj_freeStack(d);
}

static void ellipsoidShape(const mjModel* m, mjData* d, int exact, int geom, LANE(FlowShape)* s) {
  const FluidCoef* coef = fluidCoef(m, geom);
  *s = (LANE(FlowShape)){.body = m->geom_bodyid[geom], .geom = geom};
  s->pos = CLANES(d->geom_xpos) + 3 * geom;
  s->mat = CLANES(d->geom_xmat) + 9 * geom;
  Ellipsoid e;
  localFlow(m, d, s->vel, s->body, s->pos, s->mat);
  makeEllipsoid(m, d, geom, s->vel, &e);
  addedMassDeriv(coef, OPT(density)[0], s->vel, s->B);
  rotationDragDeriv(m, d, &e, s->vel, s->B);
  FlowChange change;
  (exact ? trueChange : limitedChange)(coef, OPT(density)[0], &e, s->vel + 3, &change);
  dragDeriv(m, d, coef, &e, &change, s->vel + 3, s->B);
  liftDeriv(m, d, coef, &e, &change, s->vel, s->B);
  for (int k = 0; k < 36; k++) s->B[k] = s->B[k] * coef->interaction;
}

static void boxShape(const mjModel* m, mjData* d, int b, LANE(FlowShape)* s) {
  *s = (LANE(FlowShape)){.body = b, .geom = -1};
  s->pos = CLANES(d->xipos) + 3 * b;
  s->mat = CLANES(d->ximat) + 9 * b;
  localFlow(m, d, s->vel, b, s->pos, s->mat);
  boxDeriv(m, d, b, s->vel, s->B);
}

void LANE(eachFlowShape)(const mjModel* m, mjData* d, int exact, LANE(FlowFunc) f, void* user) {
  LANE(FlowShape) s;
  for (int b = 1; b < m->nbody; b++) {
    if (m->body_mass[b] < mjMINVAL) continue;
    if (!bodyIsEllipsoids(m, b)) {
      boxShape(m, d, b, &s);
      f(m, d, &s, user);
      continue;
    }
    for (int g = m->body_geomadr[b]; g < m->body_geomadr[b] + m->body_geomnum[b]; g++) {
      if (fluidCoef(m, g)->interaction == 0) continue;
      ellipsoidShape(m, d, exact, g, &s);
      f(m, d, &s, user);
    }
  }
}

void LANE(derivFluid)(const mjModel* m, mjData* d, int exact) { LANE(eachFlowShape)(m, d, exact, addShape, &exact); }
