// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of named outputs against centered differences of forward dynamics, and their bits over lanes.

#define NOISE_SEED 9

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "engine/derive/feature_models.h"
#include "support/same_noise.h"
#include "support/test.h"

enum { B = 5, MOST = 40 };

// a body on a floor, held by a weld, with tendons, actuators and an activation
static const char* const kMixed =
    MODEL(POST,
          "<equality><weld site1='s2' site2='s3' solref='.06 1'/></equality>"
          "<tendon><spatial name='t1' stiffness='20' damping='1'><site site='w'/><site site='s1'/><site site='s3'/>"
          "</spatial></tendon>"
          "<actuator><general tendon='t1' dyntype='filter' dynprm='.05' gainprm='3' biastype='affine' biasprm='.1 -2 "
          "-.3'/><position joint='c' gear='.6 -1 .3' kp='9'/><motor site='s2' gear='1 2 3 0 0 1'/>"
          "<general site='s1' refsite='s3' gear='0 1 0 0 2 .4'/></actuator><sensor><gyro site='s1'/></sensor>");

static const char* const kFormulas[] = {"xpos",       "xipos",           "geom_xpos",     "site_xpos",    "xmat",
                                        "ximat",      "geom_xmat[1, 3]", "site_xmat[s3]", "xquat[lower]", "subtree_com",
                                        "ten_length", "actuator_length", "qpos",          "qvel[c, 0:2]", "act",
                                        "qacc[f]"};
static const char* const kDifferences[] = {
    "actuator_force", "qfrc_constraint", "qfrc_bias",  "qfrc_passive",   "qfrc_actuator",        "ten_velocity",
    "cvel[lower]",    "energy",          "sensordata", "cfrc_int[post]", "subtree_angmom[base]", "xanchor"};

typedef struct {
  mjModel* m;
  sheafPool* pool;
  int nx, nv, na, nu, ncol, n;
  const char* const* name;
  mjtNum *state, *ctrl, *slope[MOST];
  int size[MOST], fallback[B], status[B];
} Case;

static void moveStates(Case* c) {
  mjModel* m = c->m;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < B; i++) {
    for (int t = 0; t < 20; t++) {
      for (int k = 0; k < c->nu; k++) d->ctrl[k] = noise();
      mj_step(m, d);
    }
    mj_getState(m, d, c->state + i * c->nx, mjSTATE_FULLPHYSICS);
    mju_copy(c->ctrl + i * c->nu, d->ctrl, c->nu);
  }
  mj_deleteData(d);
}

static Case openCase(const char* const* name, int n) {
  Case c = {.m = test_model(kMixed), .name = name, .n = n};
  mjModel* m = c.m;
  m->opt.tolerance = 0;
  m->opt.iterations = 100;
  m->opt.ls_iterations = 100;
  m->opt.ls_tolerance = 1e-10;
  m->opt.enableflags |= mjENBL_ENERGY;
  c.nx = mj_stateSize(m, mjSTATE_FULLPHYSICS), c.nv = (int)m->nv, c.na = (int)m->na, c.nu = (int)m->nu;
  c.ncol = 2 * c.nv + c.na + c.nu;
  c.state = calloc((size_t)(B * c.nx), sizeof(mjtNum));
  c.ctrl = calloc((size_t)(B * c.nu), sizeof(mjtNum));
  moveStates(&c);
  for (int k = 0; k < n; k++) {
    c.size[k] = sheaf_outputSize(m, name[k], NULL);
    CHECK(c.size[k] > 0);
    c.slope[k] = calloc((size_t)(B * c.ncol * c.size[k]), sizeof(mjtNum));
  }
  return c;
}

static void closeCase(Case* c) {
  for (int k = 0; k < c->n; k++) free(c->slope[k]);
  free(c->state);
  free(c->ctrl);
  mj_deleteModel(c->m);
}

static void compute(Case* c, int nlane) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = 1;
  cfg.nlane = nlane;
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafOutput list[MOST];
  for (int k = 0; k < c->n; k++) list[k] = (sheafOutput){c->name[k], c->slope[k]};
  sheafTransitionDerivatives r = {.size = sizeof r, .nbatch = B, .state = c->state, .ctrl = c->ctrl, .nctrl = B};
  r.output = list, r.noutput = c->n;
  r.fallback = c->fallback, r.status = c->status;
  sheafStatus status;
  int err = sheaf_transitionDerivatives(pool, c->m, &r, &status);
  CHECK_EQ(err, 0);
  if (err) test_check(0, __FILE__, __LINE__, status.message);
  sheaf_closePool(pool);
}

// all outputs of both sides of each input, at the state of a row
static void forwardAt(Case* c, int row, mjtNum eps, mjtNum** value) {
  int n = 2 * c->ncol, nq = (int)c->m->nq;
  mjtNum *q = calloc((size_t)(n * nq), sizeof *q), *v = calloc((size_t)(n * c->nv), sizeof *q);
  mjtNum *a = calloc((size_t)(n * c->na), sizeof *q), *u = calloc((size_t)(n * c->nu), sizeof *q);
  mjtNum* axis = calloc((size_t)c->nv, sizeof *q);
  const mjtNum* x = c->state + row * c->nx + 1;
  for (int k = 0; k < n; k++) {
    int c2 = k / 2, nv = c->nv;
    mjtNum move = k % 2 ? eps : -eps;
    mju_copy(q + k * nq, x, nq);
    mju_copy(v + k * nv, x + nq, nv);
    mju_copy(a + k * c->na, x + nq + nv, c->na);
    mju_copy(u + k * c->nu, c->ctrl + row * c->nu, c->nu);
    mju_zero(axis, nv);
    if (c2 < nv) axis[c2] = 1;
    if (c2 < nv) mj_integratePos(c->m, q + k * nq, axis, move);
    else if (c2 < 2 * nv) v[k * nv + c2 - nv] += move;
    else if (c2 < 2 * nv + c->na) a[k * c->na + c2 - 2 * nv] += move;
    else u[k * c->nu + c2 - 2 * nv - c->na] += move;
  }
  sheafOutput list[MOST];
  for (int k = 0; k < c->n; k++) list[k] = (sheafOutput){c->name[k], value[k]};
  sheafForward f = {.size = sizeof f, .nbatch = n, .qpos = q, .nqpos = n, .qvel = v, .nqvel = n, .act = a, .nact = n};
  f.ctrl = u, f.nctrl = n, f.output = list, f.noutput = c->n;
  sheafPool* pool = sheaf_openPool(NULL, NULL);
  CHECK_EQ(sheaf_forward(pool, c->m, &f, NULL), 0);
  sheaf_closePool(pool);
  free(q), free(v), free(a), free(u), free(axis);
}

static void checkRow(Case* c, int row) {
  const mjtNum eps = 1e-6;
  mjtNum* value[MOST];
  for (int k = 0; k < c->n; k++) value[k] = calloc((size_t)(2 * c->ncol * c->size[k]), sizeof(mjtNum));
  forwardAt(c, row, eps, value);
  for (int k = 0; k < c->n; k++) {
    mjtNum off = 0, size = 1;
    for (int j = 0; j < c->ncol; j++) {
      for (int i = 0; i < c->size[k]; i++) {
        const mjtNum* at = value[k] + 2 * j * c->size[k] + i;
        mjtNum want = (at[c->size[k]] - at[0]) / (2 * eps), got = c->slope[k][(row * c->ncol + j) * c->size[k] + i];
        off = mju_max(off, mju_abs(got - want));
        size = mju_max(size, mju_abs(want));
      }
    }
    test_checkNear(off / size, 0, 1e-6, __FILE__, __LINE__, c->name[k]);
    free(value[k]);
  }
}

static void checkNames(const char* const* name, int n, int fallback) {
  Case c = openCase(name, n);
  compute(&c, 0);
  for (int i = 0; i < B; i++) {
    CHECK_EQ(c.status[i], 0);
    CHECK_EQ(c.fallback[i], fallback);
    checkRow(&c, i);
  }
  mjtNum* before[MOST];
  for (int k = 0; k < n; k++) {
    size_t bytes = (size_t)(B * c.ncol * c.size[k]) * sizeof(mjtNum);
    before[k] = memcpy(malloc(bytes), c.slope[k], bytes);
  }
  for (int nlane = 1; nlane <= 4; nlane += 3) {
    compute(&c, nlane);
    for (int k = 0; k < n; k++) {
      int same = !memcmp(before[k], c.slope[k], (size_t)(B * c.ncol * c.size[k]) * sizeof(mjtNum));
      if (!same) printf("%s\n", name[k]);
      CHECK(same);
    }
  }
  for (int k = 0; k < n; k++) free(before[k]);
  closeCase(&c);
}

TEST(outputs_of_frames_and_lengths_have_formulas) { checkNames(kFormulas, sizeof kFormulas / sizeof kFormulas[0], 0); }

TEST(other_outputs_are_differences_at_given_accelerations) {
  checkNames(kDifferences, sizeof kDifferences / sizeof kDifferences[0], SHEAF_FALLBACK_OUTPUT);
}

TEST(an_output_without_a_derivative_is_refused_by_name) {
  const char* const names[] = {"qacc_smooth", "M", "ncon"};
  for (int k = 0; k < 3; k++) {
    Case c = openCase(names + k, 1);
    sheafOutput out = {names[k], c.slope[0]};
    sheafPool* pool = sheaf_openPool(NULL, NULL);
    sheafTransitionDerivatives r = {.size = sizeof r, .nbatch = B, .state = c.state, .output = &out, .noutput = 1};
    sheafStatus status;
    CHECK_EQ(sheaf_transitionDerivatives(pool, c.m, &r, &status), SHEAF_INVALID_ARGUMENT);
    CHECK_TEXT(status.message, names[k]);
    r.mode = 2;
    CHECK_EQ(sheaf_transitionDerivatives(pool, c.m, &r, &status), SHEAF_FAILED_PRECONDITION);
    sheaf_closePool(pool);
    closeCase(&c);
  }
}
