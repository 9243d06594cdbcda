// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of pools in single precision.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "engine/derive/derive_models.h"
#include "support/models.h"
#include "support/test.h"

enum { B = 19, T = 12 };

typedef struct {
  mjModel* m;
  int nx;
  double *x0, *control, *warmstart, *gain, *nominal, *mass;
} Case;

static double* numbers(size_t n) { return calloc(n ? n : 1, sizeof(double)); }

static Case makeCase(const char* xml) {
  Case c = {.m = test_model(xml)};
  const mjModel* m = c.m;
  c.nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  size_t nx = (size_t)c.nx, nu = (size_t)m->nu, ndx = (size_t)(2 * m->nv + m->na);
  c.x0 = numbers(B * nx);
  c.control = numbers(B * T * nu);
  c.warmstart = numbers(B * (size_t)m->nv);
  c.gain = numbers(T * nu * ndx);
  c.nominal = numbers(T * nx);
  c.mass = numbers(B * (size_t)m->nbody);
  for (int i = 0; i < B; i++) {
    double* x = c.x0 + (size_t)i * nx;
    memcpy(x + 1, m->qpos0, (size_t)m->nq * sizeof(double));
    for (int k = 0; k < m->nv; k++) x[1 + m->nq + k] = .03 * ((7 * i + 3 * k) % 11 - 5);
    for (int k = 0; k < m->nv; k++) c.warmstart[i * m->nv + k] = .1 * ((5 * i + k) % 7 - 3);
    for (int k = 0; k < m->nbody; k++) c.mass[i * m->nbody + k] = m->body_mass[k] * (1 + .01 * ((i + k) % 5));
  }
  for (size_t k = 0; k < B * T * nu; k++) c.control[k] = .01 * (double)(k * 37 % 101) - .5;
  for (size_t k = 0; k < T * nu * ndx; k++) c.gain[k] = .001 * (double)(k * 13 % 17) - .008;
  for (size_t t = 0; t < T; t++) memcpy(c.nominal + t * nx, c.x0, nx * sizeof(double));
  return c;
}

static void freeCase(Case* c) {
  double* all[] = {c->x0, c->control, c->warmstart, c->gain, c->nominal, c->mass};
  for (int k = 0; k < 6; k++) free(all[k]);
  mj_deleteModel(c->m);
}

static sheafPool* openPool(int precision, int nthread, int nlane, double piece) {
  sheafPoolConfig config = {
      .size = sizeof config, .nthread = nthread, .nlane = nlane, .piece = piece, .precision = precision};
  sheafStatus status = {0};
  sheafPool* pool = sheaf_openPool(&config, &status);
  CHECK_TEXT(status.message, "");
  return pool;
}

// whether this build can; without, a pool is refused
static int canSingle(void) {
  sheafPoolConfig config = {.size = sizeof config, .nthread = 1, .precision = 4};
  sheafStatus status = {0};
  sheafPool* pool = sheaf_openPool(&config, &status);
  if (!pool) {
    CHECK_EQ(status.code, SHEAF_UNIMPLEMENTED);
    CHECK_TEXT(status.message, "this build has no single precision");
    test_skip("built without single precision");
  }
  sheaf_closePool(pool);
  return pool != NULL;
}

// all results of a rollout in one array: its states, forces and last warm start
static size_t resultSize(const Case* c) { return (size_t)B * (size_t)(T * (c->nx + c->m->nv) + c->nx + c->m->nv); }

static sheafRollout rollout(const Case* c, double* result, sheafOutput* out) {
  double *state = result, *force = state + (size_t)B * T * (size_t)c->nx;
  double *last = force + (size_t)B * T * (size_t)c->m->nv, *warm = last + (size_t)B * (size_t)c->nx;
  *out = (sheafOutput){"qfrc_constraint", force};
  return (sheafRollout){.size = sizeof(sheafRollout),
                        .nbatch = B,
                        .nstep = T,
                        .state0 = c->x0,
                        .nstate0 = B,
                        .control = c->control,
                        .ncontrol = B,
                        .ncontrolstep = T,
                        .state = state,
                        .final_state = last,
                        .final_warmstart = warm,
                        .output = out,
                        .noutput = 1};
}

static void call(sheafPool* pool, const mjModel* m, const sheafRollout* r) {
  sheafStatus status = {0};
  sheaf_rollout(pool, m, r, &status);
  CHECK_TEXT(status.message, "");
}

static double largest(const double* a, const double* b, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]) / (1 + fabs(b[i])));
  return most;
}

TEST(rollouts_follow_those_of_doubles) {
  if (!canSingle()) return;
  const char* xml[] = {kBiped, kLinked, kBallChain};
  for (int k = 0; k < 3; k++) {
    Case c = makeCase(xml[k]);
    size_t n = (size_t)B * T * (size_t)c.nx;
    double* result[2];
    for (int i = 0; i < 2; i++) {
      sheafOutput out;
      result[i] = numbers(resultSize(&c));
      sheafPool* pool = openPool(i ? 4 : 8, 1, 0, 0);
      sheafRollout r = rollout(&c, result[i], &out);
      call(pool, c.m, &r);
      sheaf_closePool(pool);
    }
    double apart = largest(result[1], result[0], n);
    CHECK(apart > 0);  // they are not doubles
    CHECK_NEAR(apart, 0, 2e-3);
    for (int i = 0; i < 2; i++) free(result[i]);
    freeCase(&c);
  }
}

// kinds of rollouts: plain, knots, feedback with delay, warm starts, parameters of rows
static void change(const Case* c, int kind, sheafRollout* r, sheafParam* param) {
  int64_t nu = c->m->nu;
  if (kind == 1) r->knots = 3, r->ncontrolstep = T / 2;
  if (kind == 2) {
    r->feedback_gain = c->gain, r->nfeedback_gain = 1;
    r->feedback_state = c->nominal, r->nfeedback_state = 1;
    r->feedback_ctrl = c->control, r->nfeedback_ctrl = nu ? B : 0;
    r->delay = 2;
  }
  if (kind == 3) r->warmstart0 = c->warmstart, r->nwarmstart0 = B, r->aligned = 1;
  if (kind == 4) *param = (sheafParam){"body_mass", c->mass, B}, r->param = param, r->nparam = 1;
}

TEST(rollouts_have_the_same_bits_for_any_lanes_threads_and_pieces) {
  if (!canSingle()) return;
  const char* xml[] = {kBiped, kBallChain};
  for (int model = 0; model < 2; model++) {
    Case c = makeCase(xml[model]);
    size_t n = resultSize(&c);
    double *want = numbers(n), *got = numbers(n);
    for (int kind = 0; kind < 5; kind++) {
      const struct {
        int nthread, nlane;
        double piece;
      } how[] = {{1, 1, 0}, {1, 8, 0}, {1, 16, 0}, {3, 0, 0}, {1, 16, 1e-9}};
      for (int k = 0; k < 5; k++) {
        sheafOutput out;
        sheafParam param;
        sheafRollout r = rollout(&c, k ? got : want, &out);
        change(&c, kind, &r, &param);
        sheafPool* pool = openPool(4, how[k].nthread, how[k].nlane, how[k].piece);
        call(pool, c.m, &r);
        sheaf_closePool(pool);
        if (k) CHECK(!memcmp(want, got, n * sizeof *got));
      }
    }
    free(want);
    free(got);
    freeCase(&c);
  }
}

TEST(rows_with_parameters_are_those_of_a_changed_model) {
  if (!canSingle()) return;
  Case c = makeCase(kBiped);
  size_t n = resultSize(&c), rows = (size_t)B * T * (size_t)c.nx, row = (size_t)T * (size_t)c.nx;
  double *want = numbers(n), *got = numbers(n);
  sheafPool* pool = openPool(4, 2, 0, 0);
  sheafOutput out;
  sheafParam param = {"body_mass", c.mass, B};
  sheafRollout r = rollout(&c, got, &out);
  r.param = &param, r.nparam = 1, r.keep_constants = 1;
  call(pool, c.m, &r);
  for (int i = 0; i < 3; i++) {
    // the pool sees that the model has changed
    memcpy(c.m->body_mass, c.mass + i * c.m->nbody, (size_t)c.m->nbody * sizeof(double));
    r = rollout(&c, want, &out);
    call(pool, c.m, &r);
    CHECK(!memcmp(want + (size_t)i * row, got + (size_t)i * row, row * sizeof *got));
    CHECK(memcmp(want, got, rows * sizeof *got));
  }
  sheaf_closePool(pool);
  free(want);
  free(got);
  freeCase(&c);
}

TEST(floats_in_results_are_the_same_numbers) {
  if (!canSingle()) return;
  Case c = makeCase(kBiped);
  size_t n = resultSize(&c), rows = (size_t)B * T * (size_t)c.nx;
  double *wide = numbers(n), *narrow = numbers(n);
  sheafPool* pool = openPool(4, 1, 0, 0);
  for (int k = 0; k < 2; k++) {
    sheafOutput out;
    sheafRollout r = rollout(&c, k ? narrow : wide, &out);
    if (k) r.dtype = 4;
    call(pool, c.m, &r);
  }
  const float* floats = (const float*)(const void*)narrow;
  for (size_t i = 0; i < rows; i++) CHECK_EQ(wide[i] == (double)floats[i], 1);
  sheaf_closePool(pool);
  free(wide);
  free(narrow);
  freeCase(&c);
}

// accelerations and inverse forces of B states
static void dynamics(const Case* c, int precision, int nlane, double* qacc, double* force) {
  const mjModel* m = c->m;
  size_t nv = (size_t)m->nv, nq = (size_t)m->nq;
  double *q = numbers(B * nq), *v = numbers(B * nv), *f = numbers(B * nv);
  for (size_t i = 0; i < B; i++) memcpy(q + i * nq, m->qpos0, nq * sizeof *q);
  for (size_t i = 0; i < B * nv; i++) v[i] = .1 * (double)(i % 7), f[i] = .2 * (double)(i % 5) - .3;
  sheafPool* pool = openPool(precision, 1, nlane, 0);
  sheafStatus status = {0};
  sheafOutput out = {"qacc", qacc};
  sheafForward r = {.size = sizeof r, .nbatch = B, .qpos = q, .nqpos = B, .qvel = v, .nqvel = B, .output = &out};
  r.noutput = 1, r.qfrc_applied = f, r.nqfrc_applied = B;
  sheaf_forward(pool, m, &r, &status);
  CHECK_TEXT(status.message, "");
  sheafInverse s = {.size = sizeof s, .nbatch = B, .qpos = q, .nqpos = B, .qvel = v, .nqvel = B, .qfrc_inverse = force};
  s.qacc = f, s.nqacc = B;
  sheaf_inverse(pool, m, &s, &status);
  CHECK_TEXT(status.message, "");
  sheaf_closePool(pool);
  free(q);
  free(v);
  free(f);
}

TEST(forward_and_inverse_dynamics_follow_those_of_doubles) {
  if (!canSingle()) return;
  const char* xml[] = {kBiped, kLinked, kBallChain};
  for (int k = 0; k < 3; k++) {
    Case c = makeCase(xml[k]);
    size_t n = B * (size_t)c.m->nv;
    double *want = numbers(2 * n), *got = numbers(2 * n), *first = numbers(2 * n);
    dynamics(&c, 8, 0, want, want + n);
    for (int nlane = 1; nlane <= 16; nlane = nlane == 1 ? 8 : nlane + 8) {
      dynamics(&c, 4, nlane, got, got + n);
      if (nlane == 1) memcpy(first, got, 2 * n * sizeof *got);
      CHECK(!memcmp(first, got, 2 * n * sizeof *got));
    }
    CHECK(largest(got, want, 2 * n) > 0);
    CHECK_NEAR(largest(got, want, 2 * n), 0, 2e-3);
    free(want);
    free(got);
    free(first);
    freeCase(&c);
  }
}

TEST(what_needs_doubles_is_refused_by_name) {
  if (!canSingle()) return;
  sheafPool* pool = openPool(4, 1, 0, 0);
  sheafStatus status = {0};
  Case c = makeCase(kBiped);
  sheafTransitionFD d = {.size = sizeof d, .nbatch = 1, .state = c.x0};
  CHECK_EQ(sheaf_transitionFD(pool, c.m, &d, &status), SHEAF_UNIMPLEMENTED);
  CHECK_TEXT(status.message, "double precision for derivatives");
  freeCase(&c);

  c = makeCase(
      "<mujoco><option><flag sleep='enable'/></option><worldbody><body><freejoint/><geom "
      "size='.1'/></body></worldbody></mujoco>");
  double* result = numbers(resultSize(&c));
  sheafOutput out;
  sheafRollout r = rollout(&c, result, &out);
  r.control = NULL, r.ncontrol = r.ncontrolstep = 0;
  CHECK_EQ(sheaf_rollout(pool, c.m, &r, &status), SHEAF_UNIMPLEMENTED);
  CHECK_TEXT(status.message, "expected double precision for a model with sleep");
  free(result);
  freeCase(&c);
  sheaf_closePool(pool);

  sheafPoolConfig config = {.size = sizeof config, .precision = 2};
  CHECK(!sheaf_openPool(&config, &status));
  CHECK_TEXT(status.message, "expected 0, 4 or 8, got 2");
  config = (sheafPoolConfig){.size = sizeof config, .precision = 4, .nlane = 4};
  CHECK(!sheaf_openPool(&config, &status));
  CHECK_TEXT(status.message, "expected 0, 1, 8 or 16, got 4");
}

TEST(pools_of_both_precisions_share_a_model) {
  if (!canSingle()) return;
  Case c = makeCase(kBiped);
  double* result[3];
  sheafPool* pool[] = {openPool(8, 2, 0, 0), openPool(4, 2, 0, 0), openPool(8, 2, 0, 0)};
  sheafJob* job[3];
  for (int k = 0; k < 3; k++) {
    sheafOutput out;
    result[k] = numbers(resultSize(&c));
    sheafRollout r = rollout(&c, result[k], &out);
    job[k] = sheaf_submit(pool[k], c.m, SHEAF_ROLLOUT, &r, NULL, NULL, NULL);
  }
  for (int k = 0; k < 3; k++) {
    CHECK_EQ(sheaf_wait(job[k], NULL), 0);
    sheaf_freeJob(job[k]);
    sheaf_poolForget(pool[k], c.m);
  }
  CHECK(!memcmp(result[0], result[2], resultSize(&c) * sizeof(double)));
  CHECK(memcmp(result[0], result[1], resultSize(&c) * sizeof(double)));
  freeCase(&c);
  for (int k = 0; k < 3; k++) {
    sheaf_closePool(pool[k]);
    free(result[k]);
  }
}
