// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of inverse dynamics against centered differences, and their bits over lanes.

#define NOISE_SEED 11

#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "engine/derive/derive_models.h"
#include "engine/derive/feature_models.h"
#include "support/same_noise.h"
#include "support/test.h"
#include "support/variants.h"

enum { B = 5 };

typedef struct {
  mjModel* m;
  mjData* d;
  size_t nq, nv, nu, na;
  mjtNum *qpos, *qvel, *qacc, *act, *ctrl;  // (B x ...)
  mjtNum* D[3];                             // DfDq, DfDv, DfDa
} Case;

static Case openCase(const char* xml, int cone) {
  Case c = {.m = test_model(xml)};
  const mjModel* m = c.m;
  c.m->opt.cone = cone;
  c.d = mj_makeData(m);
  c.nq = (size_t)m->nq, c.nv = (size_t)m->nv, c.nu = (size_t)m->nu, c.na = (size_t)m->na;
  c.qpos = numbers(B * c.nq);
  c.qvel = numbers(B * c.nv);
  c.qacc = numbers(B * c.nv);
  c.act = numbers(B * c.na);
  c.ctrl = numbers(B * c.nu);
  for (size_t i = 0; i < B; i++) {
    for (int t = 0; t < 30; t++) mj_step(m, c.d);
    mju_copy(c.qpos + i * c.nq, c.d->qpos, (int)c.nq);
    for (size_t k = 0; k < c.nv; k++) c.qvel[i * c.nv + k] = c.d->qvel[k] + 0.1 * noise();
    for (size_t k = 0; k < c.nv; k++) c.qacc[i * c.nv + k] = noise();
    for (size_t k = 0; k < c.na; k++) c.act[i * c.na + k] = 0.3 * noise();
    for (size_t k = 0; k < c.nu; k++) c.ctrl[i * c.nu + k] = 0.3 * noise();
  }
  for (int k = 0; k < 3; k++) c.D[k] = numbers(B * c.nv * c.nv);
  return c;
}

static void closeCase(Case* c) {
  mjtNum* all[] = {c->qpos, c->qvel, c->qacc, c->act, c->ctrl, c->D[0], c->D[1], c->D[2]};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
  mj_deleteData(c->d);
  mj_deleteModel(c->m);
}

static void compute(Case* c, int nlane, int actuation) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = 1;
  cfg.nlane = nlane;
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafInverseDerivatives r = {.size = sizeof r, .nbatch = B, .mode = 1, .actuation = actuation};
  r.qpos = c->qpos, r.nqpos = B;
  r.qvel = c->qvel, r.nqvel = B;
  r.qacc = c->qacc, r.nqacc = B;
  r.act = c->act, r.nact = B;
  r.ctrl = c->ctrl, r.nctrl = B;
  r.DfDq = c->D[0], r.DfDv = c->D[1], r.DfDa = c->D[2];
  CHECK_EQ(sheaf_inverseDerivatives(pool, c->m, &r, NULL), 0);
  sheaf_closePool(pool);
}

// forces of row i with number k of kind (position, velocity, acceleration) moved
static void forceMoved(Case* c, size_t i, int kind, size_t k, mjtNum eps, int actuation, mjtNum* force) {
  mjData* d = c->d;
  mj_resetData(c->m, d);
  mju_copy(d->qpos, c->qpos + i * c->nq, (int)c->nq);
  mju_copy(d->qvel, c->qvel + i * c->nv, (int)c->nv);
  mju_copy(d->qacc, c->qacc + i * c->nv, (int)c->nv);
  mju_copy(d->act, c->act + i * c->na, (int)c->na);
  mju_copy(d->ctrl, c->ctrl + i * c->nu, (int)c->nu);
  mjtNum* axis = numbers(c->nv);
  axis[k] = 1;
  if (kind == 0) mj_integratePos(c->m, d->qpos, axis, eps);
  if (kind == 1) d->qvel[k] += eps;
  if (kind == 2) d->qacc[k] += eps;
  free(axis);
  mj_inverse(c->m, d);
  mju_copy(force, d->qfrc_inverse, (int)c->nv);
  if (!actuation) return;
  mj_fwdActuation(c->m, d);
  for (size_t n = 0; n < c->nv; n++) force[n] -= d->qfrc_actuator[n];
}

// Largest deviation over the largest number, in columns where differences to both sides agree; these are counted.
static mjtNum compare(Case* c, size_t i, int kind, int actuation, size_t* used) {
  size_t nv = c->nv;
  mjtNum *up = numbers(nv), *down = numbers(nv), *zero = numbers(nv), off = 0, size = 1, eps = kind ? 1e-5 : 1e-7;
  const mjtNum* got = c->D[kind] + i * nv * nv;
  forceMoved(c, i, kind, 0, 0, actuation, zero);
  for (size_t k = 0; k < nv * nv; k++) size = mju_max(size, mju_abs(got[k]));
  for (size_t k = 0; k < nv; k++) {
    forceMoved(c, i, kind, k, eps, actuation, up);
    forceMoved(c, i, kind, k, -eps, actuation, down);
    mjtNum bend = 0, worst = 0;
    for (size_t n = 0; n < nv; n++) {
      bend = mju_max(bend, mju_abs(up[n] - 2 * zero[n] + down[n]) / eps);
      worst = mju_max(worst, mju_abs(got[n * nv + k] - (up[n] - down[n]) / (2 * eps)));
    }
    if (bend > 2e-2 * size) continue;
    off = mju_max(off, worst);
    ++*used;
  }
  free(up);
  free(down);
  free(zero);
  return off / size;
}

static void checkForces(Case* c, int actuation) {
  size_t used = 0;
  compute(c, 0, actuation);
  for (size_t i = 0; i < B; i++) {
    for (int kind = 0; kind < 3; kind++) CHECK_NEAR(compare(c, i, kind, actuation, &used), 0, 1e-5);
  }
  CHECK(used > B * 3 * c->nv / 2);
}

TEST(derivatives_of_inverse_dynamics_are_differences_of_forces) {
  const char* const models[] = {kBiped, kLinked, kBallChain, kPile, kCoupled};
  for (size_t n = 0; n < sizeof models / sizeof models[0]; n++) {
    for (int way = 0; way < 4; way++) {
      Case c = openCase(models[n], way & 1);
      checkForces(&c, way >> 1);
      closeCase(&c);
    }
  }
}

// actuators that are plugins: their forces are differences, with the other integrators those of discrete steps, too
TEST(derivatives_of_inverse_dynamics_follow_plugins_of_actuators) {
  for (int way = 0; way < 3; way++) {
    Case c = openCase(PID, 0);
    if (way == 2) c.m->opt.enableflags |= mjENBL_INVDISCRETE, c.m->opt.integrator = mjINT_IMPLICIT;
    checkForces(&c, way > 0);
    closeCase(&c);
  }
}

static void checkBits(Case* c) {
  size_t bytes = B * c->nv * c->nv * sizeof(mjtNum);
  mjtNum* one[3];
  compute(c, 1, 1);
  for (int k = 0; k < 3; k++) one[k] = memcpy(malloc(bytes), c->D[k], bytes);
  for (int nlane = 4; nlane <= 8; nlane += 4) {
    if (!test_hasLanes(nlane)) continue;
    if (!test_hasLanes(nlane)) continue;
    compute(c, nlane, 1);
    for (int k = 0; k < 3; k++) CHECK(!memcmp(one[k], c->D[k], bytes));
  }
  for (int k = 0; k < 3; k++) free(one[k]);
}

TEST(derivatives_of_inverse_dynamics_have_the_same_bits_in_any_lanes) {
  const char* const models[] = {kBiped, kLinked, kBallChain, kPile, kCoupled};
  for (size_t n = 0; n < sizeof models / sizeof models[0]; n++) {
    Case c = openCase(models[n], (int)(n & 1));
    checkBits(&c);
    closeCase(&c);
  }
}

// accelerations of steps, which integrators make of those that forces cause
TEST(derivatives_of_discrete_inverse_dynamics_are_differences_of_forces) {
  const char* const models[] = {kBiped, kLinked, kBallChain, kCoupled};
  const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int k = 0; k < 12; k++) {
    Case c = openCase(models[k % 4], k & 1);
    c.m->opt.enableflags |= mjENBL_INVDISCRETE;
    c.m->opt.integrator = integrators[k / 4];
    checkForces(&c, k & 1);
    checkBits(&c);
    closeCase(&c);
  }
}
