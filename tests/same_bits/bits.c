// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Print a hash of each kind of result for one model. Two builds of the library that print the same lines give
// the same bits; compare.py runs this program over many models with both.
//   same_bits MODEL               MJCF, URDF or a binary model
//   same_bits MODEL COMPILED.mjb  compile only: write a binary model

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>
#include <sheaf/batch.h>

#include "same_bits/states.h"

enum { NSTEP = 24, NBATCH = 9, HORIZON = 12 };

// FNV-1a over the bytes
static uint64_t hash(uint64_t h, const void* data, size_t bytes) {
  const unsigned char* p = data;
  for (size_t i = 0; i < bytes; i++) h = (h ^ p[i]) * 0x100000001b3u;
  return h;
}

static uint64_t hashNum(uint64_t h, const mjtNum* x, size_t n) { return hash(h, x, n * sizeof *x); }

static void tell(const char* what, uint64_t h) { printf("%s %016llx\n", what, (unsigned long long)h); }

static const uint64_t START = 0xcbf29ce484222325u;

static void positionResults(const mjModel* m, const mjData* d) {
  uint64_t h = hashNum(START, d->xpos, 3 * (size_t)m->nbody);
  h = hashNum(h, d->xmat, 9 * (size_t)m->nbody);
  h = hashNum(h, d->geom_xpos, 3 * (size_t)m->ngeom);
  h = hashNum(h, d->site_xpos, 3 * (size_t)m->nsite);
  h = hashNum(h, d->ten_length, (size_t)m->ntendon);
  h = hashNum(h, d->actuator_length, (size_t)m->nu);
  tell("position", h);
  tell("inertia", hashNum(hashNum(START, d->qM, (size_t)m->nM), d->qLD, (size_t)m->nC));
  tell("contacts", hash(START, &d->ncon, sizeof d->ncon));
}

static void forwardResults(const mjModel* m, const mjData* d) {
  positionResults(m, d);
  uint64_t h = hashNum(START, d->qfrc_passive, (size_t)m->nv);
  h = hashNum(h, d->qfrc_bias, (size_t)m->nv);
  tell("velocity", hashNum(h, d->cvel, 6 * (size_t)m->nbody));
  h = hashNum(START, d->qfrc_actuator, (size_t)m->nv);
  tell("smooth", hashNum(h, d->qacc_smooth, (size_t)m->nv));
  tell("rows", hashNum(hashNum(hashNum(START, d->efc_aref, (size_t)d->nefc), d->efc_D, (size_t)d->nefc), d->efc_pos,
                       (size_t)d->nefc));
  tell("qacc", hashNum(hashNum(START, d->qacc, (size_t)m->nv), d->efc_force, (size_t)d->nefc));
  tell("sensors", hashNum(START, d->sensordata, (size_t)m->nsensordata));
}

static void steps(const mjModel* m, mjData* d) {
  uint64_t seed = SEED;
  int n = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  mjtNum* state = calloc((size_t)n + 1, sizeof *state);
  start(m, d, &seed);
  uint64_t h = START, s = START;
  for (int i = 0; i < NSTEP; i++) {
    drawControls(m, d->ctrl, &seed);
    mj_step(m, d);
    mj_getState(m, d, state, mjSTATE_FULLPHYSICS);
    h = hashNum(h, state, (size_t)n);
    s = hashNum(s, d->sensordata, (size_t)m->nsensordata);
    if (i == 0) tell("first", h);
  }
  tell("steps", h);
  tell("stepsensors", s);
  free(state);
}

static void inverse(const mjModel* m, mjData* d) {
  mj_inverse(m, d);
  tell("inverse", hashNum(hashNum(START, d->qfrc_inverse, (size_t)m->nv), d->sensordata, (size_t)m->nsensordata));
}

static void derivatives(const mjModel* m, mjData* d) {
  if (m->opt.integrator == mjINT_RK4 || m->nv > MAX_DERIVATIVE_DOFS) return;
  size_t nx = 2 * (size_t)m->nv + (size_t)m->na, nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  mjtNum* A = calloc(nx * nx + 1, sizeof *A);
  mjtNum* B = calloc(nx * nu + 1, sizeof *B);
  mjtNum* C = calloc(ns * nx + 1, sizeof *C);
  mjd_transitionFD(m, d, 1e-6, 0, A, B, C, NULL);
  tell("fd", hashNum(hashNum(hashNum(START, A, nx * nx), B, nx * nu), C, ns * nx));
  free(A);
  free(B);
  free(C);
}

// rollouts of a pool, in lanes where the model and the processor have them
static void rollouts(const mjModel* m, mjData* d) {
  uint64_t seed = SEED;
  size_t n = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS), nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  mjtNum* state0 = calloc(NBATCH * n + 1, sizeof *state0);
  mjtNum* control = calloc(NBATCH * HORIZON * nu + 1, sizeof *control);
  mjtNum* state = calloc(NBATCH * HORIZON * n + 1, sizeof *state);
  mjtNum* sensor = calloc(NBATCH * HORIZON * ns + 1, sizeof *sensor);
  for (size_t i = 0; i < NBATCH; i++) {
    start(m, d, &seed);
    mj_getState(m, d, state0 + i * n, mjSTATE_FULLPHYSICS);
  }
  for (size_t i = 0; i < NBATCH * HORIZON; i++) drawControls(m, control + i * nu, &seed);

  sheafPoolConfig config = sheaf_defaultPoolConfig();
  config.nthread = 1;
  sheafPool* pool = sheaf_openPool(&config, NULL);
  sheafRollout r = {.size = sizeof r,
                    .nbatch = NBATCH,
                    .nstep = HORIZON,
                    .state0 = state0,
                    .nstate0 = NBATCH,
                    .control = control,
                    .ncontrol = NBATCH,
                    .ncontrolstep = HORIZON,
                    .state = state,
                    .sensordata = sensor};
  sheafStatus status;
  if (sheaf_rollout(pool, m, &r, &status)) printf("rollout: %s %s\n", status.field, status.message);
  tell("rollouts", hashNum(START, state, NBATCH * HORIZON * n));
  tell("rolloutsensors", hashNum(START, sensor, NBATCH * HORIZON * ns));
  sheaf_closePool(pool);
  free(state0);
  free(control);
  free(state);
  free(sensor);
}

static mjModel* load(const char* path, char* error, int size) {
  const char* end = strrchr(path, '.');
  return end && !strcmp(end, ".mjb") ? mj_loadModel(path, NULL) : mj_loadXML(path, NULL, error, size);
}

int main(int argc, char** argv) {
  char error[1024] = "";
  mju_user_warning = silence;
  mjModel* m = argc > 1 ? load(argv[1], error, sizeof error) : NULL;
  if (!m) return printf("refused %s\n", error), 0;
  if (argc > 2) {
    mj_saveModel(m, argv[2], NULL, 0);
    mj_deleteModel(m);
    return 0;
  }
  mjData* d = mj_makeData(m);
  if (!d) return printf("no data\n"), 0;
  steps(m, d);
  mj_forward(m, d);
  forwardResults(m, d);
  inverse(m, d);
  mj_forward(m, d);
  derivatives(m, d);
  rollouts(m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
