// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/derive/regressor.c and engine/batch/regressor_job.c: derivatives by numbers of the model. What the
// reference says is in tests/live/test_regressors.py.

#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "support/models.h"
#include "support/same_noise.h"
#include "support/test.h"

enum { B = 11, NNAME = 5 };

static const char* const kNames[NNAME] = {"body_mass", "body_ipos", "geom_friction", "dof_damping", "geom_pos[0:2]"};

typedef struct {
  mjModel* m;
  mjtNum *qpos, *qvel, *qacc, *state;
  int nx;
} States;

static States makeStates(int integrator) {
  States s = {.m = test_model(kBiped)};
  s.m->opt.integrator = integrator;
  s.nx = mj_stateSize(s.m, mjSTATE_FULLPHYSICS);
  mjData* d = mj_makeData(s.m);
  s.qpos = numbers((size_t)B * s.m->nq);
  s.qvel = numbers((size_t)B * s.m->nv);
  s.qacc = numbers((size_t)B * s.m->nv);
  s.state = numbers((size_t)B * s.nx);
  for (int i = 0; i < B; i++) {
    for (int t = 0; t < 12; t++) mj_step(s.m, d);
    mj_getState(s.m, d, s.state + (size_t)i * s.nx, mjSTATE_FULLPHYSICS);
    mju_copy(s.qpos + (size_t)i * s.m->nq, d->qpos, (int)s.m->nq);
    mju_copy(s.qvel + (size_t)i * s.m->nv, d->qvel, (int)s.m->nv);
    for (int k = 0; k < s.m->nv; k++) s.qacc[(size_t)i * s.m->nv + k] = 0.1 * k - 0.3 * i;
  }
  mj_deleteData(d);
  return s;
}

static void freeStates(States* s) {
  mjtNum* all[] = {s->qpos, s->qvel, s->qacc, s->state};
  for (int i = 0; i < 4; i++) free(all[i]);
  mj_deleteModel(s->m);
}

static sheafPool* openPool(int nthread, int nlane) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = nthread;
  cfg.nlane = nlane;
  return sheaf_openPool(&cfg, NULL);
}

typedef struct {
  mjtNum* data[NNAME];
  size_t n[NNAME];
} Results;

static Results ask(const States* s, int step, int nthread, int nlane) {
  Results r;
  sheafOutput output[NNAME];
  size_t rows = (size_t)(step ? 2 * s->m->nv + s->m->na : s->m->nv);
  for (int k = 0; k < NNAME; k++) {
    r.n[k] = B * rows * (size_t)sheaf_namedShape(s->m, SHEAF_INVERSE_REGRESSOR, kNames[k], NULL, NULL);
    r.data[k] = numbers(r.n[k]);
    output[k] = (sheafOutput){kNames[k], r.data[k]};
  }
  sheafPool* pool = openPool(nthread, nlane);
  sheafInverseRegressor i = {.size = sizeof i,
                             .nbatch = B,
                             .qpos = s->qpos,
                             .nqpos = B,
                             .qvel = s->qvel,
                             .nqvel = B,
                             .qacc = s->qacc,
                             .nqacc = B,
                             .output = output,
                             .noutput = NNAME};
  sheafTransitionRegressor t = {.size = sizeof t, .nbatch = B, .state = s->state, .output = output, .noutput = NNAME};
  CHECK_EQ(step ? sheaf_transitionRegressor(pool, s->m, &t, NULL) : sheaf_inverseRegressor(pool, s->m, &i, NULL), 0);
  sheaf_closePool(pool);
  return r;
}

static void sameBits(const Results* a, const Results* b) {
  for (int k = 0; k < NNAME; k++) {
    test_check(!memcmp(a->data[k], b->data[k], a->n[k] * sizeof(mjtNum)), __FILE__, __LINE__, kNames[k]);
  }
}

static void freeResults(Results* r) {
  for (int k = 0; k < NNAME; k++) free(r->data[k]);
}

TEST(regressors_have_the_same_bits_for_any_lanes_and_threads) {
  static const int integrators[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICITFAST};
  for (int i = 0; i < 3; i++) {
    States s = makeStates(integrators[i]);
    for (int step = 0; step < 2; step++) {
      Results one = ask(&s, step, 1, 1), four = ask(&s, step, 2, 4), eight = ask(&s, step, 1, 8);
      sameBits(&one, &four);
      sameBits(&one, &eight);
      freeResults(&one);
      freeResults(&four);
      freeResults(&eight);
    }
    freeStates(&s);
  }
}

// the forces are linear in masses, moments and first moments, so masses alone make those of gravity and motion
TEST(a_regressor_by_masses_is_that_of_changed_models) {
  States s = makeStates(mjINT_EULER);
  mjModel* m = s.m;
  int nv = (int)m->nv, nbody = (int)m->nbody;
  mjtNum *D = numbers((size_t)B * nv * nbody), *side[2];
  sheafOutput output = {"body_mass", D};
  sheafPool* pool = openPool(1, 0);
  sheafInverseRegressor r = {.size = sizeof r,
                             .nbatch = B,
                             .qpos = s.qpos,
                             .nqpos = B,
                             .qvel = s.qvel,
                             .nqvel = B,
                             .qacc = s.qacc,
                             .nqacc = B,
                             .output = &output,
                             .noutput = 1,
                             .keep_constants = 1};
  CHECK_EQ(sheaf_inverseRegressor(pool, m, &r, NULL), 0);
  int body = nbody - 1;
  mjtNum mass[2][64];
  for (int k = 0; k < 2; k++) {
    mju_copy(mass[k], m->body_mass, nbody);
    mass[k][body] += k ? 0.25 : -0.25;
    side[k] = numbers((size_t)B * nv);
    sheafParam param = {"body_mass", mass[k], 1};
    sheafInverse f = {.size = sizeof f,
                      .nbatch = B,
                      .qpos = s.qpos,
                      .nqpos = B,
                      .qvel = s.qvel,
                      .nqvel = B,
                      .qacc = s.qacc,
                      .nqacc = B,
                      .qfrc_inverse = side[k],
                      .param = &param,
                      .nparam = 1,
                      .keep_constants = 1};
    CHECK_EQ(sheaf_inverse(pool, m, &f, NULL), 0);
  }
  for (int i = 0; i < B * nv; i++) CHECK_NEAR(D[i * nbody + body], (side[1][i] - side[0][i]) / 0.5, 1e-9);
  for (int k = 0; k < 2; k++) free(side[k]);
  free(D);
  sheaf_closePool(pool);
  freeStates(&s);
}

TEST(a_regressor_at_parameters_of_rows_is_that_of_their_model) {
  States s = makeStates(mjINT_EULER);
  mjModel* m = s.m;
  size_t n = (size_t)(2 * m->nv + m->na) * (size_t)m->nbody;
  mjtNum *own = numbers(B * n), *changed = numbers(B * n), *mass = numbers((size_t)B * m->nbody);
  for (int i = 0; i < B; i++) {
    for (int b = 0; b < m->nbody; b++) mass[(size_t)i * m->nbody + b] = m->body_mass[b] * (1 + 0.02 * i);
  }
  sheafOutput output = {"body_mass", own};
  sheafParam param = {"body_mass", mass, B};
  sheafTransitionRegressor r = {
      .size = sizeof r, .nbatch = B, .state = s.state, .output = &output, .noutput = 1, .param = &param, .nparam = 1};
  sheafPool* pool = openPool(2, 0);
  CHECK_EQ(sheaf_transitionRegressor(pool, m, &r, NULL), 0);

  // row 7 alone, in which all lanes have these parameters
  param = (sheafParam){"body_mass", mass + 7 * m->nbody, 1};
  output.data = changed;
  CHECK_EQ(sheaf_transitionRegressor(pool, m, &r, NULL), 0);
  CHECK_EQ(memcmp(own + 7 * n, changed + 7 * n, n * sizeof(mjtNum)), 0);
  CHECK(memcmp(own + 6 * n, changed + 6 * n, n * sizeof(mjtNum)) != 0);
  free(own);
  free(changed);
  free(mass);
  sheaf_closePool(pool);
  freeStates(&s);
}

static int refused(sheafPool* pool, const mjModel* m, const char* name, char* message) {
  mjtNum* room = numbers(1 << 16);
  sheafStatus st = {0};
  sheafOutput output = {name, room};
  sheafInverseRegressor r = {.size = sizeof r, .nbatch = 1, .output = &output, .noutput = 1};
  int code = sheaf_inverseRegressor(pool, m, &r, &st);
  strcpy(message, st.message);
  free(room);
  return code;
}

TEST(regressors_refuse_what_has_no_derivative) {
  States s = makeStates(mjINT_EULER);
  char message[320];
  sheafPool* pool = openPool(1, 0);
  CHECK_EQ(refused(pool, s.m, "xpos", message), SHEAF_INVALID_ARGUMENT);
  CHECK_EQ(refused(pool, s.m, "body_quat", message), SHEAF_FAILED_PRECONDITION);
  CHECK_EQ(refused(pool, s.m, "body_invweight0", message), SHEAF_FAILED_PRECONDITION);
  CHECK_EQ(refused(pool, s.m, "opt.gravity", message), 0);

  // and other requests have no such outputs
  mjtNum room[64];
  sheafStatus st = {0};
  sheafOutput output = {"body_mass", room};
  sheafInverse r = {.size = sizeof r, .nbatch = 1, .output = &output, .noutput = 1};
  CHECK_EQ(sheaf_inverse(pool, s.m, &r, &st), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(st.field, "output");
  sheaf_closePool(pool);
  freeStates(&s);
}
