// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of a step against centered differences of steps whose solver has converged, and their bits over lanes.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "engine/derive/derive_models.h"
#include "engine/derive/feature_models.h"
#include "support/test.h"

enum { B = 6 };

static unsigned long long seed = 5;

static mjtNum noise(void) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (mjtNum)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static mjtNum* numbers(size_t n) { return calloc(n ? n : 1, sizeof(mjtNum)); }

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

TEST(derivatives_of_a_walker_are_those_of_its_steps) { checkIntegrators(kBiped, 0); }

TEST(derivatives_with_equalities_are_those_of_steps) { checkIntegrators(kLinked, 1); }

TEST(derivatives_with_balls_tendons_and_activations_are_those_of_steps) { checkIntegrators(kBallChain, 2); }

TEST(derivatives_of_a_pile_are_those_of_its_steps) { checkIntegrators(kPile, 3); }

TEST(derivatives_with_couplings_are_those_of_steps) { checkIntegrators(kCoupled, 4); }

// The matrix of an integrator that is implicit in the velocity follows that of the medium by differences. Nothing else
// is a difference.
TEST(every_force_has_a_formula) {
  for (int k = 0; k < NFEATURE; k++) {
    printf("%s\n", kFeatures[k].name);
    for (int integrator = 0; integrator < 4; integrator++) {
      Case c = openCase(kFeatures[k].xml, integrator, 0);
      int medium = c.m->opt.density > 0 && integrator >= mjINT_IMPLICIT;
      compute(&c, 0, 1);
      CHECK_EQ(c.fallback[0] & ~SHEAF_FALLBACK_GEOMETRY, medium ? SHEAF_FALLBACK_INTEGRATOR : 0);
      closeCase(&c);
    }
    checkIntegrators(kFeatures[k].xml, k);
  }
}

static void checkBits(const char* xml, int integrator, int cone) {
  Case c = openCase(xml, integrator, cone);
  size_t ndx = (size_t)c.ndx;
  mjtNum *A = numbers(B * ndx * ndx), *C = numbers(B * (size_t)c.ns * ndx), *x = numbers((size_t)(B * c.nx));
  int32_t fallback[B];
  compute(&c, 1, 1);
  memcpy(A, c.A, B * ndx * ndx * sizeof(mjtNum));
  memcpy(C, c.C, B * (size_t)c.ns * ndx * sizeof(mjtNum));
  memcpy(x, c.next, (size_t)(B * c.nx) * sizeof(mjtNum));
  memcpy(fallback, c.fallback, sizeof fallback);
  for (int nlane = 4; nlane <= 8; nlane += 4) {
    compute(&c, nlane, 1);
    CHECK(!memcmp(A, c.A, B * ndx * ndx * sizeof(mjtNum)));
    CHECK(!memcmp(C, c.C, B * (size_t)c.ns * ndx * sizeof(mjtNum)));
    CHECK(!memcmp(x, c.next, (size_t)(B * c.nx) * sizeof(mjtNum)));
    CHECK(!memcmp(fallback, c.fallback, sizeof fallback));
  }
  free(A);
  free(C);
  free(x);
  closeCase(&c);
}

TEST(forces_without_a_formula_are_differences) {
  for (int k = 0; k < NTERM; k++) {
    printf("%s\n", kTerms[k].name);
    Case c = openCase(kTerms[k].xml, mjINT_EULER, 0);
    compute(&c, 0, 1);
    CHECK_EQ(c.fallback[0] & ~(SHEAF_FALLBACK_GEOMETRY | SHEAF_FALLBACK_SENSOR), kTerms[k].fallback);
    closeCase(&c);
    checkBits(kTerms[k].xml, k % 2 ? mjINT_RK4 : mjINT_IMPLICIT, k & 1);
    if (!kTerms[k].fallback) continue;  // the descent to a field's contacts jumps, so half of the columns bend
    checkCase(kTerms[k].xml, mjINT_EULER, 1);
    checkCase(kTerms[k].xml, k % 2 ? mjINT_IMPLICITFAST : mjINT_IMPLICIT, 0);
  }
}

// forces of callbacks that follow everything
static void pushByCode(const mjModel* m, mjData* d) {
  mjtNum* f = d->qfrc_passive;
  for (int i = 0; i < m->nv; i++) f[i] = 1.2 * f[i] - 0.3 * d->qvel[i] * mju_abs(d->qvel[i]) + mju_sin(d->xpos[5]);
}

static mjtNum gainByCode(const mjModel* m, const mjData* d, int i) {
  return 2 + 0.1 * i + d->actuator_length[i] * d->qvel[m->nv - 1];
}

static mjtNum biasByCode(const mjModel* m, const mjData* d, int i) {
  return -3 * mju_sin(d->actuator_length[i]) - 0.4 * d->actuator_velocity[i] + d->xpos[4];
}

// two activations: the first follows the transmission, the second the first
static mjtNum rateByCode(const mjModel* m, const mjData* d, int i) {
  int adr = m->actuator_actadr[i];
  mjtNum rate = 20 * d->ctrl[i] - 9 * d->act[adr] + 40 * d->actuator_length[i] * d->actuator_velocity[i];
  if (m->actuator_actnum[i] == 1) return rate;
  d->act_dot[adr] = rate;
  d->act_dot[adr + 1] = 60 * mju_sin(d->act[adr]) - 20 * d->act[adr + 1];
  return 0;
}

TEST(rates_of_callbacks_are_differences) {
  static const char* const xml =
      MODEL(POST,
            "<actuator><general joint='b' dyntype='user' actdim='2' gear='1.5' gainprm='6' actlimited='true' "
            "actrange='-3 3'/>"
            "<general site='s2' refsite='s3' gear='1 -2 .5 .3 .2 -.1' dyntype='user' actdim='1' actlimited='true' "
            "actrange='-3 3' actearly='true' gaintype='affine' gainprm='5 1 -.4'/><general joint='e' dyntype='filter' "
            "dynprm='.1'/></actuator>");
  mjcb_act_dyn = rateByCode;
  Case c = openCase(xml, mjINT_EULER, 0);
  compute(&c, 0, 1);
  CHECK_EQ(c.fallback[0], SHEAF_FALLBACK_FORCE);
  closeCase(&c);
  checkIntegrators(xml, 0);
  mjcb_act_dyn = NULL;
}

TEST(forces_of_callbacks_are_differences) {
  static const char* const xml = MODEL(
      POST,
      "<tendon><spatial name='t' actuatorfrcrange='-2 1.5' stiffness='9'><site site='s1'/><site site='s3'/></spatial>"
      "</tendon><actuator><general tendon='t' gaintype='user' biastype='user'/><motor tendon='t' gear='5'/>"
      "<general joint='b' gaintype='user' gear='1.5' dyntype='filter' dynprm='.1'/>"
      "<general site='s2' refsite='s3' gear='1 -2 .5 .3 .2 -.1' biastype='user' forcerange='-2 2'/></actuator>");
  mjcb_passive = pushByCode;
  mjcb_act_gain = gainByCode;
  mjcb_act_bias = biasByCode;
  Case c = openCase(xml, mjINT_EULER, 0);
  compute(&c, 0, 1);
  CHECK_EQ(c.fallback[0], SHEAF_FALLBACK_FORCE);
  closeCase(&c);
  checkIntegrators(xml, 0);
  mjcb_passive = NULL;
  checkCase(xml, mjINT_IMPLICITFAST, 0);
  mjcb_act_gain = mjcb_act_bias = NULL;
}

// noslip is smooth as long as its sweeps are as many, which a tolerance of zero says
static void checkNoslip(const char* xml, int integrator, int cone) {
  Case c = openCase(xml, integrator, cone);
  compute(&c, 0, 1);
  CHECK_EQ(c.fallback[0] & SHEAF_FALLBACK_NOSLIP, SHEAF_FALLBACK_NOSLIP);
  closeCase(&c);
  checkCase(xml, integrator, cone);
  checkBits(xml, integrator, cone);
}

TEST(derivatives_with_noslip_are_those_of_its_steps) {
  noslip = 3;
  checkNoslip(kBiped, mjINT_EULER, 0);
  checkNoslip(kBiped, mjINT_IMPLICITFAST, 1);
  checkNoslip(kBallChain, mjINT_RK4, 0);
  checkNoslip(kPile, mjINT_EULER, 1);
  noslip = 0;
}

// trees that are awake do not fall asleep in one step
TEST(derivatives_of_trees_that_may_sleep_are_those_of_awake_ones) {
  Case c = openCase(kPile, mjINT_EULER, 0);
  size_t n = B * (size_t)(c.ndx * c.ndx);
  mjtNum* awake = numbers(n);
  compute(&c, 0, 1);
  memcpy(awake, c.A, n * sizeof(mjtNum));
  c.m->opt.enableflags |= mjENBL_SLEEP;
  compute(&c, 0, 1);
  CHECK(!memcmp(awake, c.A, n * sizeof(mjtNum)));
  CHECK(!(c.fallback[0] & SHEAF_FALLBACK_STEP));
  free(awake);
  closeCase(&c);
}

// differences are taken for what has no formula, and for nothing else
TEST(fallback_says_what_was_done_by_differences) {
  static const struct {
    const char* xml;
    int integrator, fallback;
  } cases[] = {
      {kBiped, mjINT_EULER, 0},      {kCoupled, mjINT_EULER, 0},
      {kCoupled, mjINT_IMPLICIT, 0}, {kPile, mjINT_RK4, SHEAF_FALLBACK_GEOMETRY},
      {kBallChain, mjINT_RK4, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Case c = openCase(cases[i].xml, cases[i].integrator, 0);
    compute(&c, 0, 1);
    CHECK_EQ(c.fallback[0], cases[i].fallback | SHEAF_FALLBACK_SENSOR);
    closeCase(&c);
  }
}

TEST(derivatives_have_the_same_bits_in_any_lanes) {
  const char* const models[] = {kBiped, kLinked, kBallChain, kPile, kCoupled};
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
    for (int integrator = 0; integrator < 4; integrator++) checkBits(models[k], integrator, (int)(k & 1));
  }
  for (int k = 0; k < NFEATURE; k++) {
    printf("%s\n", kFeatures[k].name);
    for (int integrator = 0; integrator < 4; integrator++) checkBits(kFeatures[k].xml, integrator, k & 1);
  }
}

// mode 2 has the bits of mjd_transitionFD
TEST(mode_fd_is_transition_fd) {
  Case c = openCase(kBiped, mjINT_EULER, 0);
  compute(&c, 0, 2);
  mjtNum* A = numbers((size_t)(c.ndx * c.ndx));
  for (int i = 0; i < B; i++) {
    mj_resetData(c.m, c.d);
    mj_setState(c.m, c.d, c.state + i * c.nx, mjSTATE_FULLPHYSICS);
    mju_copy(c.d->ctrl, c.ctrl + i * c.nu, c.nu);
    mjd_transitionFD(c.m, c.d, 1e-6, 0, A, NULL, NULL, NULL);
    CHECK(!memcmp(A, c.A + i * c.ndx * c.ndx, (size_t)(c.ndx * c.ndx) * sizeof(mjtNum)));
    CHECK_EQ(c.fallback[i], SHEAF_FALLBACK_STEP);
  }
  free(A);
  closeCase(&c);
}

// Differences of the whole step are there only where nobody asks for formulas, or for what only they give.
static void checkWholeStep(Case* c, const char* obstacle) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafTransitionDerivatives r = {.size = sizeof r, .nbatch = B, .state = c->state, .A = c->A, .fallback = c->fallback};
  sheafStatus status;
  CHECK_EQ(sheaf_transitionDerivatives(pool, c->m, &r, &status), 0);
  CHECK_EQ(c->fallback[0], SHEAF_FALLBACK_STEP);
  r.mode = 1;
  CHECK_EQ(sheaf_transitionDerivatives(pool, c->m, &r, &status), SHEAF_FAILED_PRECONDITION);
  CHECK_TEXT(status.message, obstacle);
  r.mode = 0;
  r.qacc_x = c->qacc_x;
  CHECK_EQ(sheaf_transitionDerivatives(pool, c->m, &r, &status), SHEAF_FAILED_PRECONDITION);
  sheaf_closePool(pool);
}

static void doNothing(const mjModel* m, mjData* d) { (void)m, (void)d; }

TEST(auto_takes_differences_where_nothing_else_is_there) {
  Case c = openCase(kBallChain, mjINT_EULER, 0);
  compute(&c, 0, 0);
  CHECK(!(c.fallback[0] & SHEAF_FALLBACK_STEP));
  mjcb_control = doNothing;
  checkWholeStep(&c, "callbacks");
  mjcb_control = NULL;
  closeCase(&c);
}

static int oneNumber(const mjModel* m, int instance) { return 1; }

static int doesNothing(const mjModel* m, mjData* d, int instance) { return 0; }

static void nothingMore(const mjModel* m, mjData* d, int instance, int capability) {}

static void noMore(mjData* d, int instance) {}

// it may change its state where it computes a force
TEST(actuators_of_plugins_with_a_state_make_whole_steps_differences) {
  mjpPlugin p;
  mjp_defaultPlugin(&p);
  p.name = "test.remembering";
  p.capabilityflags = mjPLUGIN_ACTUATOR;
  p.nstate = oneNumber;
  p.init = doesNothing;
  p.destroy = noMore;
  p.compute = nothingMore;
  mjp_registerPlugin(&p);
  Case c = openCase(
      "<mujoco><extension><plugin plugin='test.remembering'/></extension><worldbody><body><joint name='j'/>"
      "<geom size='.1'/></body></worldbody><actuator><plugin joint='j' plugin='test.remembering'/></actuator></mujoco>",
      mjINT_EULER, 0);
  checkWholeStep(&c, "plugins of actuators that have a state");
  closeCase(&c);
}

// a bad row is reported and shares nothing with its neighbours
TEST(rows_that_are_not_valid_are_nan) {
  Case c = openCase(kBiped, mjINT_EULER, 0);
  compute(&c, 4, 1);
  mjtNum* A = numbers((size_t)(B * c.ndx * c.ndx));
  memcpy(A, c.A, (size_t)(B * c.ndx * c.ndx) * sizeof(mjtNum));
  c.state[2 * c.nx + 3] = 0.0 / 0.0;
  for (int nlane = 1; nlane <= 4; nlane += 3) {
    compute(&c, nlane, 1);
    CHECK_EQ(c.status[2], SHEAF_ROW_BADQPOS);
    CHECK(c.A[2 * c.ndx * c.ndx] != c.A[2 * c.ndx * c.ndx]);
    for (int i = 0; i < B; i++) {
      size_t at = (size_t)(i * c.ndx * c.ndx);
      if (i != 2) CHECK(!memcmp(A + at, c.A + at, (size_t)(c.ndx * c.ndx) * sizeof(mjtNum)));
    }
  }
  free(A);
  closeCase(&c);
}
