// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of a step against centered differences of steps whose solver has converged.
#ifndef SHEAF_TESTS_STEP_DIFFERENCE_H_
#define SHEAF_TESTS_STEP_DIFFERENCE_H_

#include <stdio.h>
#include <stdlib.h>

#include <sheaf/batch.h>

#include "support/same_noise.h"
#include "support/test.h"

enum { B = 6 };

typedef struct {
  mjModel* m;
  mjData* d;
  int nx, nv, na, nu, ns, ndx;
  mjtNum *state, *ctrl;                                    // (B x ...)
  mjtNum *A, *Bm, *C, *D, *next, *qacc, *qacc_x, *qacc_u;  // results
  int32_t fallback[B], status[B];
} Case;

static void makeStates(Case* c) {
  c->state = numbers((size_t)(B * c->nx));
  c->ctrl = numbers((size_t)(B * c->nu));
  for (int i = 0; i < B; i++) {
    for (int t = 0; t < 25; t++) {
      for (int k = 0; k < c->nu; k++) c->d->ctrl[k] = 0.6 * noise();
      mj_step(c->m, c->d);
    }
    mj_getState(c->m, c->d, c->state + i * c->nx, mjSTATE_FULLPHYSICS);
    mju_copy(c->ctrl + i * c->nu, c->d->ctrl, c->nu);
  }
}

static int noslip;  // iterations of the models that are opened

static Case openCase(const char* xml, int integrator, int cone) {
  Case c = {.m = test_model(xml)};
  mjModel* m = c.m;
  m->opt.noslip_iterations = noslip;
  m->opt.noslip_tolerance = 0;
  m->opt.integrator = integrator;
  m->opt.cone = cone;
  // as far as numbers go: after that, each of the iterations that are left takes time and changes nothing
  m->opt.tolerance = 0;
  m->opt.iterations = 30;
  m->opt.ls_tolerance = 1e-10;
  m->opt.ls_iterations = 200;
  c.d = mj_makeData(m);
  c.nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  c.nv = (int)m->nv, c.na = (int)m->na, c.nu = (int)m->nu, c.ns = (int)m->nsensordata, c.ndx = 2 * c.nv + c.na;
  makeStates(&c);
  size_t ndx = (size_t)c.ndx, nu = (size_t)c.nu, ns = (size_t)c.ns, nv = (size_t)c.nv;
  c.A = numbers(B * ndx * ndx);
  c.Bm = numbers(B * ndx * nu);
  c.C = numbers(B * ns * ndx);
  c.D = numbers(B * ns * nu);
  c.next = numbers((size_t)(B * c.nx));
  c.qacc = numbers(B * nv);
  c.qacc_x = numbers(B * nv * ndx);
  c.qacc_u = numbers(B * nv * nu);
  return c;
}

static void closeCase(Case* c) {
  mjtNum* all[] = {c->state, c->ctrl, c->A, c->Bm, c->C, c->D, c->next, c->qacc, c->qacc_x, c->qacc_u};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
  mj_deleteData(c->d);
  mj_deleteModel(c->m);
}

static void compute(Case* c, int nlane, int mode) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = 1;
  cfg.nlane = nlane;
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafTransitionDerivatives r = {.size = sizeof r, .nbatch = B, .state = c->state, .ctrl = c->ctrl, .nctrl = B};
  r.mode = mode;
  r.A = c->A, r.B = c->Bm, r.C = c->C, r.D = c->D, r.next_state = c->next;
  r.qacc = c->qacc;
  if (mode < 2) r.qacc_x = c->qacc_x, r.qacc_u = c->qacc_u;
  r.fallback = c->fallback;
  r.status = c->status;
  sheafStatus status;
  int err = sheaf_transitionDerivatives(pool, c->m, &r, &status);
  CHECK_EQ(err, 0);
  if (err) test_check(0, __FILE__, __LINE__, status.message);
  sheaf_closePool(pool);
}

// next state, sensors and acceleration of row i with input k moved by eps
static void stepMoved(Case* c, int i, int k, mjtNum eps, mjtNum* qpos, mjtNum* rest) {
  const mjModel* m = c->m;
  mjData* d = c->d;
  mj_resetData(m, d);
  mj_setState(m, d, c->state + i * c->nx, mjSTATE_FULLPHYSICS);
  mju_copy(d->ctrl, c->ctrl + i * c->nu, c->nu);
  if (k < c->nv) {
    mjtNum* axis = numbers((size_t)c->nv);
    axis[k] = 1;
    mj_integratePos(m, d->qpos, axis, eps);
    free(axis);
  } else if (k < 2 * c->nv) {
    d->qvel[k - c->nv] += eps;
  } else if (k < c->ndx) {
    d->act[k - 2 * c->nv] += eps;
  } else {
    d->ctrl[k - c->ndx] += eps;
  }
  mj_forward(m, d);
  mju_copy(rest + c->nv + c->na, d->qacc, c->nv);
  mju_copy(rest + 2 * c->nv + c->na, d->sensordata, c->ns);
  mj_step(m, d);
  mju_copy(qpos, d->qpos, (int)m->nq);
  mju_copy(rest, d->qvel, c->nv);
  mju_copy(rest + c->nv, d->act, c->na);
}

// The same at an input that is not moved, and at four places around it, times eps.
enum { POINTS = 5 };
static const mjtNum kPlace[POINTS] = {0, -1, 1, -0.4, 0.4};
typedef struct {
  mjtNum *qpos, *rest;  // (POINTS x ...)
} Points;

static Points openPoints(const Case* c) {
  size_t n = (size_t)(2 * c->nv + c->na + c->ns);
  return (Points){numbers(POINTS * (size_t)c->m->nq), numbers(POINTS * n)};
}

static void closePoints(Points* p) {
  free(p->qpos);
  free(p->rest);
}

static const mjtNum kEps = 1e-6;

static void fillPoint(Case* c, int i, int k, Points* p, int point) {
  int n = 2 * c->nv + c->na + c->ns;
  stepMoved(c, i, k, kEps * kPlace[point], p->qpos + point * (int)c->m->nq, p->rest + point * n);
}

// A column of the next state (ndx), the acceleration (nv) and sensors (ns) by the difference of two points.
static void difference(const Case* c, const Points* p, int low, int high, mjtNum* column) {
  int n = 2 * c->nv + c->na + c->ns, nq = (int)c->m->nq;
  mjtNum span = kEps * (kPlace[high] - kPlace[low]);
  mj_differentiatePos(c->m, column, span, p->qpos + low * nq, p->qpos + high * nq);
  for (int j = 0; j < n; j++) column[c->nv + j] = (p->rest[high * n + j] - p->rest[low * n + j]) / span;
}

// largest difference of two columns over the largest number
static mjtNum apart(const mjtNum* one, const mjtNum* two, int n) {
  mjtNum off = 0, size = 1;
  for (int j = 0; j < n; j++) {
    off = mju_max(off, mju_abs(one[j] - two[j]));
    size = mju_max(size, mju_abs(one[j]));
  }
  return off / size;
}

// Centered differences of a column. Zero if the function has a bend there, as where a row begins: then it has no
// derivative, and both sides differ; or if a smaller nudge does not confirm it.
static int column(Case* c, int i, int k, Points* p, mjtNum* out) {
  int n = c->ndx + c->nv + c->ns;
  mjtNum *left = numbers((size_t)n), *right = numbers((size_t)n), *small = numbers((size_t)n);
  for (int point = 1; point < POINTS; point++) fillPoint(c, i, k, p, point);
  difference(c, p, 1, 2, out);
  difference(c, p, 1, 0, left);
  difference(c, p, 0, 2, right);
  difference(c, p, 3, 4, small);
  int smooth = apart(left, right, n) < 2e-2 && apart(out, small, n) < 2e-6;
  free(left);
  free(right);
  free(small);
  return smooth;
}

typedef struct {
  mjtNum off, size;
} Worst;

static void compare(Worst* w, const mjtNum* got, int ncol, int nrow, int k, const mjtNum* want) {
  for (int i = 0; i < nrow; i++) {
    w->off = mju_max(w->off, mju_abs(got[i * ncol + k] - want[i]));
    w->size = mju_max(w->size, mju_abs(want[i]));
  }
}

// Largest deviation from differences in the columns that have them, by blocks: next state by positions, by the rest;
// acceleration; sensors. Returns how many columns have.
static int compareRow(Case* c, int i, Worst worst[4]) {
  int ncol = c->ndx + c->nu, n = c->ndx + c->nv + c->ns, used = 0;
  mjtNum* one = numbers((size_t)n);
  Points points = openPoints(c);
  fillPoint(c, i, 0, &points, 0);
  size_t row = (size_t)i;
  for (int k = 0; k < ncol; k++) {
    if (!column(c, i, k, &points, one)) continue;
    used++;
    int state = k < c->ndx, col = state ? k : k - c->ndx, width = state ? c->ndx : c->nu;
    size_t w = (size_t)width;
    const mjtNum *next = state ? c->A : c->Bm, *acc = state ? c->qacc_x : c->qacc_u, *sense = state ? c->C : c->D;
    compare(worst + (k >= c->nv), next + row * (size_t)c->ndx * w, width, c->ndx, col, one);
    compare(worst + 2, acc + row * (size_t)c->nv * w, width, c->nv, col, one + c->ndx);
    compare(worst + 3, sense + row * (size_t)c->ns * w, width, c->ns, col, one + c->ndx + c->nv);
  }
  closePoints(&points);
  free(one);
  return used;
}

static void checkCase(const char* xml, int integrator, int cone) {
  static const char* const block[] = {"by position", "by the rest", "qacc", "sensors"};
  Case c = openCase(xml, integrator, cone);
  compute(&c, 0, 1);
  int used = 0, step = SANITIZED ? 3 : 1;  // two of the rows with a sanitizer
  Worst worst[4] = {{0, 1}, {0, 1}, {0, 1}, {0, 1}};
  for (int i = 0; i < B; i += step) {
    CHECK_EQ(c.status[i], 0);
    used += compareRow(&c, i, worst);
    mjtNum *q = numbers((size_t)c.m->nq), *rest = numbers((size_t)(2 * c.nv + c.na + c.ns));
    stepMoved(&c, i, 0, 0, q, rest);
    CHECK_ARRAY(c.next + i * c.nx + 1, q, (int)c.m->nq, 0);
    CHECK_ARRAY(c.next + i * c.nx + 1 + c.m->nq, rest, c.nv + c.na, 0);
    free(q);
    free(rest);
  }
  CHECK(used > B / step * (c.ndx + c.nu) / 2);
  for (int k = 0; k < 4; k++) {
    char what[80];
    snprintf(what, sizeof what, "%s (integrator %d, cone %d)", block[k], integrator, cone);
    test_checkNear(worst[k].off / worst[k].size, 0, 1e-5, __FILE__, __LINE__, what);
  }
  closeCase(&c);
}

// All integrators with both cones. With a sanitizer, which takes ten times as long, two of the eight: which two follows
// from `turn`, so that many models together have them all.
static void checkIntegrators(const char* xml, int turn) {
  static const int integrators[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int k = 0; k < 8; k++) {
    if (!SANITIZED || (k + turn) % 4 == 0) checkCase(xml, integrators[k % 4], k / 4);
  }
}

#endif  // SHEAF_TESTS_STEP_DIFFERENCE_H_
