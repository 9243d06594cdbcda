// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/state_dynamics.c and state_derivative.c: batches against the single-state functions.

#define NOISE_SEED 3

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "batch/output.h"
#include "support/models.h"
#include "support/same_noise.h"
#include "support/test.h"
#include "support/variants.h"

enum { B = 11 };

typedef struct {
  mjModel* m;
  mjData* d;
  mjtNum *qpos, *qvel, *qacc, *ctrl, *state;
} States;

// states near the floor, some in contact
static States makeStates(void) {
  States s = {.m = test_model(kBiped)};
  const mjModel* m = s.m;
  int nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  s.d = mj_makeData(m);
  s.qpos = numbers((size_t)B * m->nq);
  s.qvel = numbers((size_t)B * m->nv);
  s.qacc = numbers((size_t)B * m->nv);
  s.ctrl = numbers((size_t)B * m->nu);
  s.state = numbers((size_t)B * nx);
  for (int i = 0; i < B; i++) {
    mj_resetData(m, s.d);
    for (int t = 0; t < 6 * i; t++) mj_step(m, s.d);
    for (int k = 0; k < m->nv; k++) {
      s.d->qvel[k] += 0.1 * noise();
      s.qacc[(size_t)i * m->nv + k] = noise();
    }
    for (int k = 0; k < m->nu; k++) s.ctrl[(size_t)i * m->nu + k] = noise();
    mju_copy(s.qpos + (size_t)i * m->nq, s.d->qpos, (int)m->nq);
    mju_copy(s.qvel + (size_t)i * m->nv, s.d->qvel, (int)m->nv);
    s.d->time = 0;
    mj_getState(m, s.d, s.state + (size_t)i * nx, mjSTATE_FULLPHYSICS);
  }
  return s;
}

static void freeStates(States* s) {
  mjtNum* all[] = {s->qpos, s->qvel, s->qacc, s->ctrl, s->state};
  for (int i = 0; i < 5; i++) free(all[i]);
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}

static sheafPool* openPool(int nthread, int nlane) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = nthread;
  cfg.nlane = nlane;
  return sheaf_openPool(&cfg, NULL);
}

static void setRow(const States* s, int i) {
  const mjModel* m = s->m;
  mj_resetData(m, s->d);
  mju_copy(s->d->qpos, s->qpos + (size_t)i * m->nq, (int)m->nq);
  mju_copy(s->d->qvel, s->qvel + (size_t)i * m->nv, (int)m->nv);
}

TEST(forward_is_mj_forward_in_any_lanes) {
  States s = makeStates();
  const mjModel* m = s.m;
  int shape[2];
  CHECK_EQ(sheaf_outputSize(m, "M", shape), m->nv * m->nv);
  CHECK_EQ(shape[1], m->nv);
  CHECK_EQ(sheaf_outputSize(m, "nonsense", NULL), -1);
  mjtNum *qacc = numbers((size_t)B * m->nv), *M = numbers((size_t)B * m->nv * m->nv);
  mjtNum *full = numbers((size_t)m->nv * m->nv), *energy = numbers(2 * B);
  sheafOutput out[] = {{"qacc", qacc}, {"M", M}, {"energy", energy}};
  int32_t status[B];
  sheafForward r = {.size = sizeof r,
                    .nbatch = B,
                    .qpos = s.qpos,
                    .nqpos = B,
                    .qvel = s.qvel,
                    .nqvel = B,
                    .ctrl = s.ctrl,
                    .nctrl = B,
                    .output = out,
                    .noutput = 3,
                    .status = status};
  for (int nlane = 1; nlane <= 8; nlane = nlane == 1 ? 4 : 2 * nlane) {
    if (!test_hasLanes(nlane)) continue;
    sheafPool* pool = openPool(2, nlane);
    CHECK_EQ(sheaf_forward(pool, m, &r, NULL), 0);
    sheaf_closePool(pool);
    mjModel with = *m;
    with.opt.enableflags |= mjENBL_ENERGY;
    for (int i = 0; i < B; i++) {
      setRow(&s, i);
      mju_copy(s.d->ctrl, s.ctrl + (size_t)i * m->nu, (int)m->nu);
      mj_forward(&with, s.d);
      mj_fullM(m, full, s.d->qM);
      CHECK_EQ(status[i], 0);
      CHECK_EQ(memcmp(qacc + (size_t)i * m->nv, s.d->qacc, sizeof(mjtNum) * m->nv), 0);
      CHECK_ARRAY(M + (size_t)i * m->nv * m->nv, full, (int)(m->nv * m->nv), 1e-14);
      CHECK_ARRAY(energy + 2 * i, s.d->energy, 2, 1e-12);
    }
  }
  free(qacc);
  free(M);
  free(full);
  free(energy);
  freeStates(&s);
}

// The name of an output as a request may have it: forms that are nothing without brackets get some.
static const char* requestName(const char* name, char text[64]) {
  static const struct {
    const char *begin, *brackets;
  } kinds[] = {{"contact", "[6]"},
               {"efc_", "[9]"},
               {"ray", "[0 0 3 along 0 0 -1]"},
               {"distance", "[1 to 2]"},
               {"jac_point", "[1 at 0 .1 0]"},
               {"jacp_point", "[1 at 0 .1 0]"},
               {"jacr_point", "[1 at 0 .1 0]"}};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strncmp(name, kinds[i].begin, strlen(kinds[i].begin)) != 0) continue;
    snprintf(text, 64, "%s%s", name, kinds[i].brackets);
    return text;
  }
  return name;
}

// every output there is, in lanes and one state at a time; what no stage over lanes makes is computed one state at a
// time
TEST(outputs_have_the_same_bits_in_any_lanes) {
  States s = makeStates();
  const mjModel* m = s.m;
  for (int i = 0; i < sheaf_outputCount(); i++) {
    char text[64];
    const char* name = requestName(sheaf_outputName(i), text);
    CHECK(sheaf_outputSize(m, name, NULL) >= 0);
    size_t n = (size_t)sheaf_outputSize(m, name, NULL) * B;
    if (!n) continue;
    mjtNum* got[3] = {numbers(n), numbers(n), numbers(n)};
    for (int k = 0; k < 3; k++) {
      static const int lanes[] = {1, 4, 8};
      sheafPool* pool = openPool(1, lanes[k]);
      sheafOutput out = {name, got[k]};
      sheafForward r = {.size = sizeof r,
                        .nbatch = B,
                        .qpos = s.qpos,
                        .nqpos = B,
                        .qvel = s.qvel,
                        .nqvel = B,
                        .ctrl = s.ctrl,
                        .nctrl = B,
                        .output = &out,
                        .noutput = 1};
      CHECK_EQ(sheaf_forward(pool, m, &r, NULL), 0);
      sheaf_closePool(pool);
    }
    test_check(!memcmp(got[0], got[1], n * sizeof(mjtNum)) && !memcmp(got[0], got[2], n * sizeof(mjtNum)), __FILE__,
               __LINE__, name);
    for (int k = 0; k < 3; k++) free(got[k]);
  }
  freeStates(&s);
}

// fails for an output that a lane group would leave out and that no list names
TEST(an_output_that_names_no_stage_needs_one_state) {
  static const char* const one[] = {"cam_xpos", "light_xpos", "wrap_xpos", "qHDiagInv", "flexvert_xpos"};
  for (size_t i = 0; i < sizeof one / sizeof one[0]; i++) {
    CHECK(mji_outputNeeds(mji_outputFind(one[i])) & MJI_NEED_SCALAR);
  }
  CHECK_EQ(mji_outputNeeds(mji_outputFind("qacc")), 0);
  CHECK_EQ(mji_outputNeeds(mji_outputFind("sensordata")), MJI_NEED_SENSOR);
  CHECK_EQ(mji_outputNeeds(mji_outputFind("cacc")), MJI_NEED_RNEPOST);
}

TEST(inverse_undoes_forward) {
  States s = makeStates();
  mjModel* m = s.m;
  m->opt.tolerance = 0;
  mjtNum *qacc = numbers((size_t)B * m->nv), *tau = numbers((size_t)B * m->nv);
  mjtNum *applied = numbers((size_t)B * m->nv), *actuator = numbers((size_t)B * m->nv);
  for (int i = 0; i < B * (int)m->nv; i++) applied[i] = noise();
  sheafOutput out[] = {{"qacc", qacc}, {"qfrc_actuator", actuator}};
  sheafForward f = {.size = sizeof f,
                    .nbatch = B,
                    .qpos = s.qpos,
                    .nqpos = B,
                    .qvel = s.qvel,
                    .nqvel = B,
                    .ctrl = s.ctrl,
                    .nctrl = B,
                    .qfrc_applied = applied,
                    .nqfrc_applied = B,
                    .output = out,
                    .noutput = 2};
  sheafPool* pool = openPool(2, 0);
  CHECK_EQ(sheaf_forward(pool, m, &f, NULL), 0);
  sheafInverse r = {.size = sizeof r,
                    .nbatch = B,
                    .qpos = s.qpos,
                    .nqpos = B,
                    .qvel = s.qvel,
                    .nqvel = B,
                    .qacc = qacc,
                    .nqacc = B,
                    .qfrc_inverse = tau};
  CHECK_EQ(sheaf_inverse(pool, m, &r, NULL), 0);
  for (int i = 0; i < B * (int)m->nv; i++) CHECK_NEAR(tau[i], applied[i] + actuator[i], 1e-8);

  // and the same bits as mj_inverse
  for (int i = 0; i < B; i++) {
    setRow(&s, i);
    mju_copy(s.d->qacc, qacc + (size_t)i * m->nv, (int)m->nv);
    mj_inverse(m, s.d);
    CHECK_EQ(memcmp(s.d->qfrc_inverse, tau + (size_t)i * m->nv, sizeof(mjtNum) * m->nv), 0);
  }
  sheaf_closePool(pool);
  free(qacc);
  free(tau);
  free(applied);
  free(actuator);
  freeStates(&s);
}

// The matrix of inertia, of which it is made, is nothing that forces of inverse dynamics need; and rows that share
// positions share what is sensed of them, but not this.
// of a discrete step that Runge-Kutta takes, by the request or by the model
TEST(inverse_dynamics_that_are_not_defined_are_refused) {
  States s = makeStates();
  mjtNum* out = numbers((size_t)B * s.m->nv);
  sheafInverse r = {.size = sizeof r,
                    .nbatch = B,
                    .qpos = s.qpos,
                    .nqpos = B,
                    .qvel = s.qvel,
                    .nqvel = B,
                    .qacc = s.qacc,
                    .nqacc = B,
                    .qfrc_inverse = out};
  sheafPool* pool = openPool(1, 0);
  s.m->opt.integrator = mjINT_RK4;
  CHECK_EQ(sheaf_inverse(pool, s.m, &r, NULL), 0);
  r.discrete = 1;
  CHECK_EQ(sheaf_inverse(pool, s.m, &r, NULL), SHEAF_INVALID_ARGUMENT);
  r.discrete = 0;
  s.m->opt.enableflags |= mjENBL_INVDISCRETE;
  CHECK_EQ(sheaf_inverse(pool, s.m, &r, NULL), SHEAF_INVALID_ARGUMENT);
  sheaf_closePool(pool);
  free(out);
  freeStates(&s);
}

TEST(inverse_dynamics_sense_the_kinetic_energy) {
  mjModel* m = test_model(
      "<mujoco><option><flag energy='enable'/></option><worldbody><body><joint/><geom size='.1' pos='.3 0 0'/></body>"
      "</worldbody><sensor><e_kinetic/></sensor></mujoco>");
  mjtNum qvel[B], sensed[B], energy[2 * B];
  for (int i = 0; i < B; i++) qvel[i] = 1 + i;
  sheafPool* pool = openPool(1, 0);
  sheafOutput both[] = {{"sensordata", sensed}, {"energy", energy}};
  sheafInverse r = {.size = sizeof r, .nbatch = B, .qvel = qvel, .nqvel = B, .output = both, .noutput = 2};
  CHECK_EQ(sheaf_inverse(pool, m, &r, NULL), 0);
  for (int i = 0; i < B; i++) {
    CHECK(energy[2 * i + 1] > 0);
    CHECK_EQ(sensed[i], energy[2 * i + 1]);
  }

  // also where energies are not asked for, by the model or by the request
  for (int k = 0; k < 2; k++) {
    memset(sensed, 0, sizeof sensed);
    r.noutput = 1;
    CHECK_EQ(sheaf_inverse(pool, m, &r, NULL), 0);
    for (int i = 0; i < B; i++) CHECK_EQ(sensed[i], energy[2 * i + 1]);
    m->opt.enableflags &= ~mjENBL_ENERGY;
  }
  sheaf_closePool(pool);
  mj_deleteModel(m);
}

TEST(transition_derivatives_are_mjd_transitionFD) {
  States s = makeStates();
  const mjModel* m = s.m;
  int ndx = 2 * (int)m->nv, nu = (int)m->nu, ns = (int)m->nsensordata, nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  size_t nA = (size_t)ndx * ndx, nB = (size_t)ndx * nu, nC = (size_t)ns * ndx, nD = (size_t)ns * nu;
  mjtNum *out = numbers(B * (nA + nB + nC + nD)), *one = numbers(nA + nB + nC + nD);
  mjtNum *A = out, *Bm = A + B * nA, *C = Bm + B * nB, *D = C + B * nC;
  sheafTransitionFD r = {.size = sizeof r,
                         .nbatch = B,
                         .state = s.state,
                         .ctrl = s.ctrl,
                         .nctrl = B,
                         .eps = 1e-6,
                         .centered = 1,
                         .A = A,
                         .B = Bm,
                         .C = C,
                         .D = D};
  sheafPool* pool = openPool(2, 0);
  CHECK_EQ(sheaf_transitionFD(pool, m, &r, NULL), 0);
  for (int i = 0; i < B; i += 5) {
    mj_resetData(m, s.d);
    mj_setState(m, s.d, s.state + (size_t)i * nx, mjSTATE_FULLPHYSICS);
    mju_copy(s.d->ctrl, s.ctrl + (size_t)i * nu, nu);
    mjd_transitionFD(m, s.d, 1e-6, 1, one, one + nA, one + nA + nB, one + nA + nB + nC);
    CHECK_EQ(memcmp(one, A + i * nA, sizeof(mjtNum) * nA), 0);
    CHECK_EQ(memcmp(one + nA, Bm + i * nB, sizeof(mjtNum) * nB), 0);
    CHECK_EQ(memcmp(one + nA + nB, C + i * nC, sizeof(mjtNum) * nC), 0);
    CHECK_EQ(memcmp(one + nA + nB + nC, D + i * nD, sizeof(mjtNum) * nD), 0);
  }
  r.eps = -1;
  sheafStatus st;
  CHECK_EQ(sheaf_transitionFD(pool, m, &r, &st), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(st.field, "eps");
  sheaf_closePool(pool);
  free(out);
  free(one);
  freeStates(&s);
}

TEST(inverse_derivatives_have_forces_as_rows) {
  States s = makeStates();
  const mjModel* m = s.m;
  int nv = (int)m->nv;
  size_t nn = (size_t)nv * nv;
  mjtNum *out = numbers(3 * B * nn), *one = numbers(3 * nn);
  sheafInverseFD r = {.size = sizeof r,
                      .nbatch = B,
                      .qpos = s.qpos,
                      .nqpos = B,
                      .qvel = s.qvel,
                      .nqvel = B,
                      .qacc = s.qacc,
                      .nqacc = B,
                      .eps = 1e-6,
                      .DfDq = out,
                      .DfDv = out + B * nn,
                      .DfDa = out + 2 * B * nn};
  sheafPool* pool = openPool(2, 0);
  CHECK_EQ(sheaf_inverseFD(pool, m, &r, NULL), 0);
  setRow(&s, 4);
  mju_copy(s.d->qacc, s.qacc + (size_t)4 * nv, nv);
  mjd_inverseFD(m, s.d, 1e-6, 0, one, one + nn, one + 2 * nn, NULL, NULL, NULL, NULL);
  for (int part = 0; part < 3; part++) {
    const mjtNum* got = out + (size_t)part * B * nn + 4 * nn;
    for (int i = 0; i < nv; i++) {
      for (int j = 0; j < nv; j++) CHECK_EQ(got[i * nv + j], one[part * nn + j * nv + i]);
    }
  }
  sheaf_closePool(pool);
  free(out);
  free(one);
  freeStates(&s);
}
