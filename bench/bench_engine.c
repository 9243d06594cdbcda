// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One benchmark source for two libraries. Compiled against either implementation of the public API,
// it times the same operations on the same inputs and prints one line per operation: name, median
// and minimum microseconds per unit. bench/run.py builds both, runs them in turn and prints ratios.
//
//   bench_engine MODEL [--ops step,forward,inverse,fd,rollout1,rollout2,grid,many,asleep] [--seconds S] [--tuned]
//                [--rows 64] [--steps 100] [--apart 2]
//
// Rollouts are --rows of --steps steps; each begins --apart steps later in a motion than the one before.
// With SHEAF_BATCH defined, rollouts go through sheaf/batch.h; otherwise through a loop of mj_step
// over threads, each with data of its own, which is what users of the other library write.

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mujoco/mujoco.h>
#ifdef SHEAF_BATCH
#include <sheaf/batch.h>
#endif

#include "xorshift.h"

enum { NGRID = 256, NMOTION = 256, MAXSAMPLE = 400 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double* numbers(size_t n) {
  double* x = calloc(n ? n : 1, sizeof(double));
  if (!x) exit(3);
  return x;
}

static void randomCtrl(const mjModel* m, double* ctrl, double scale) {
  for (int i = 0; i < m->nu; i++) {
    double lo = -1, hi = 1;
    if (m->actuator_ctrllimited[i]) {
      lo = m->actuator_ctrlrange[2 * i];
      hi = m->actuator_ctrlrange[2 * i + 1];
    }
    ctrl[i] = 0.5 * (lo + hi) + 0.5 * (hi - lo) * scale * noise();
  }
}

// the state that single-state operations start from: 200 steps of small noise after reset
static void settle(const mjModel* m, mjData* d) {
  mj_resetData(m, d);
  for (int t = 0; t < 200; t++) {
    randomCtrl(m, d->ctrl, 0.1);
    mj_step(m, d);
  }
}

typedef struct {
  const mjModel* m;
  mjData* d;
  double* state;  // settled state, with warm start
  double *A, *B, *C, *D;
  // rollouts: how many, of how many steps, from moments so many steps apart
  int nrow, nstep, apart;
  double *state0, *ctrl, *out;
  int nthread;
  // accelerations of a grid: rows of velocities and controls around the settled state, the first is that state
  double *gridvel, *gridctrl, *qacc;
  // states of a motion with their accelerations, and the forces of inverse dynamics there
  double *motionpos, *motionvel, *motionacc, *force;
#ifdef SHEAF_BATCH
  sheafPool* pool;
#else
  mjData** data;
#endif
} Bench;

static const int spec = mjSTATE_INTEGRATION;

// each operation returns the number of units it did

static int opStep(Bench* b) {
  mj_setState(b->m, b->d, b->state, spec);
  for (int t = 0; t < 50; t++) {
    randomCtrl(b->m, b->d->ctrl, 0.1);
    mj_step(b->m, b->d);
  }
  return 50;
}

// steps of a world whose trees sleep
static int opAsleep(Bench* b) {
  for (int t = 0; t < 50; t++) mj_step(b->m, b->d);
  return 50;
}

// let trees come to rest; whatever still moves is reported
static void fallAsleep(mjModel* m, mjData* d) {
  m->opt.enableflags |= mjENBL_SLEEP;
  mj_resetData(m, d);
  for (int t = 0; t < 5000 && d->ntree_awake; t++) mj_step(m, d);
  if (d->ntree_awake) fprintf(stderr, "%d of %d trees are awake\n", d->ntree_awake, (int)m->ntree);
}

static int opForward(Bench* b) {
  mj_setState(b->m, b->d, b->state, spec);
  for (int t = 0; t < 20; t++) {
    randomCtrl(b->m, b->d->ctrl, 0.1);
    mj_forward(b->m, b->d);
  }
  return 20;
}

static int opInverse(Bench* b) {
  mj_setState(b->m, b->d, b->state, spec);
  mj_forward(b->m, b->d);
  for (int t = 0; t < 50; t++) mj_inverse(b->m, b->d);
  return 50;
}

static int opFD(Bench* b) {
  if (b->m->opt.integrator == mjINT_RK4) return 0;
  mj_setState(b->m, b->d, b->state, spec);
  mj_forward(b->m, b->d);
  mjd_transitionFD(b->m, b->d, 1e-6, 0, b->A, b->B, b->C, b->D);
  return 1;
}

static int opRollout(Bench* b) {
  const mjModel* m = b->m;
  int nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
#ifdef SHEAF_BATCH
  sheafRollout r = {.size = sizeof r,
                    .nbatch = b->nrow,
                    .nstep = b->nstep,
                    .state0 = b->state0,
                    .nstate0 = b->nrow,
                    .control = m->nu ? b->ctrl : NULL,
                    .ncontrol = b->nrow,
                    .ncontrolstep = b->nstep,
                    .state = b->out};
  sheafStatus st;
  if (sheaf_rollout(b->pool, m, &r, &st)) {
    fprintf(stderr, "%s: %s\n", st.field, st.message);
    exit(3);
  }
#else
#pragma omp parallel for schedule(dynamic, 4) num_threads(b->nthread)
  for (int i = 0; i < b->nrow; i++) {
    mjData* d = b->data[omp_get_thread_num()];
    mj_resetData(m, d);
    mj_setState(m, d, b->state0 + (size_t)i * nx, mjSTATE_FULLPHYSICS);
    for (int t = 0; t < b->nstep; t++) {
      mju_copy(d->ctrl, b->ctrl + ((size_t)i * b->nstep + t) * m->nu, m->nu);
      mj_step(m, d);
      mj_getState(m, d, b->out + ((size_t)i * b->nstep + t) * nx, mjSTATE_FULLPHYSICS);
    }
  }
#endif
  return b->nrow * b->nstep;
}

// Accelerations for many controls, or velocities, at one state: what follows from its positions, or positions and
// velocities, is computed once, and solves start from its solution. The other library does that with mj_forwardSkip.
static int grid(Bench* b, int velocities) {
  const mjModel* m = b->m;
  mjData* d = b->d;
  mj_setState(m, d, b->state, spec);
#ifdef SHEAF_BATCH
  sheafOutput output = {"qacc", b->qacc};
  sheafForward r = {.size = sizeof r,
                    .nbatch = NGRID,
                    .qpos = d->qpos,
                    .nqpos = 1,
                    .qvel = velocities ? b->gridvel : d->qvel,
                    .nqvel = velocities ? NGRID : 1,
                    .act = d->act,
                    .nact = 1,
                    .ctrl = velocities ? d->ctrl : b->gridctrl,
                    .nctrl = velocities ? 1 : NGRID,
                    .output = &output,
                    .noutput = 1,
                    .share_warmstart = 1};
  sheafStatus st;
  if (sheaf_forward(b->pool, m, &r, &st)) {
    fprintf(stderr, "%s: %s\n", st.field, st.message);
    exit(3);
  }
#else
  mj_forward(m, d);
  mju_copy(d->qacc_warmstart, d->qacc, m->nv);
  for (size_t i = 0; i < NGRID; i++) {
    if (velocities) mju_copy(d->qvel, b->gridvel + i * m->nv, m->nv);
    else mju_copy(d->ctrl, b->gridctrl + i * m->nu, m->nu);
    mj_forwardSkip(m, d, velocities ? mjSTAGE_POS : mjSTAGE_VEL, 1);
    mju_copy(b->qacc + i * m->nv, d->qacc, m->nv);
  }
#endif
  return NGRID;
}

static int opControls(Bench* b) { return b->m->nu ? grid(b, 0) : 0; }

static int opVelocities(Bench* b) { return grid(b, 1); }

static void prepareGrid(Bench* b) {
  const mjModel* m = b->m;
  b->gridvel = numbers((size_t)NGRID * m->nv);
  b->gridctrl = numbers((size_t)NGRID * m->nu);
  b->qacc = numbers((size_t)NGRID * m->nv);
  mj_setState(m, b->d, b->state, spec);
  mju_copy(b->gridvel, b->d->qvel, m->nv);
  mju_copy(b->gridctrl, b->d->ctrl, m->nu);
  for (size_t i = 1; i < NGRID; i++) {
    for (int k = 0; k < m->nv; k++) b->gridvel[i * m->nv + k] = b->d->qvel[k] + 0.05 * noise();
    randomCtrl(m, b->gridctrl + i * m->nu, 0.1);
  }
}

static void prepareRollouts(Bench* b) {
  const mjModel* m = b->m;
  int nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  b->state0 = numbers((size_t)b->nrow * nx);
  b->ctrl = numbers((size_t)b->nrow * b->nstep * m->nu);
  b->out = numbers((size_t)b->nrow * b->nstep * nx);
  double* v = numbers(m->nv);
  for (int i = 0; i < b->nrow; i++) {
    // spread over a motion: each rollout starts a little later than the one before
    mj_resetData(m, b->d);
    for (int k = 0; k < m->nv; k++) v[k] = 0.02 * noise();
    mj_integratePos(m, b->d->qpos, v, 1);
    for (int t = 0; t < b->apart * i; t++) {
      randomCtrl(m, b->d->ctrl, 0.2);
      mj_step(m, b->d);
    }
    mj_getState(m, b->d, b->state0 + (size_t)i * nx, mjSTATE_FULLPHYSICS);
    for (int t = 0; t < b->nstep; t++) randomCtrl(m, b->ctrl + ((size_t)i * b->nstep + t) * m->nu, 0.2);
  }
  free(v);
}

// Inverse dynamics at the states of a motion: one request here, a loop there.
static int opInverses(Bench* b) {
  const mjModel* m = b->m;
#ifdef SHEAF_BATCH
  sheafInverse r = {.size = sizeof r,
                    .nbatch = NMOTION,
                    .qpos = b->motionpos,
                    .nqpos = NMOTION,
                    .qvel = b->motionvel,
                    .nqvel = NMOTION,
                    .qacc = b->motionacc,
                    .nqacc = NMOTION,
                    .qfrc_inverse = b->force};
  sheafStatus st;
  if (sheaf_inverse(b->pool, m, &r, &st)) {
    fprintf(stderr, "%s: %s\n", st.field, st.message);
    exit(3);
  }
#else
  mjData* d = b->d;
  for (size_t i = 0; i < NMOTION; i++) {
    mju_copy(d->qpos, b->motionpos + i * m->nq, m->nq);
    mju_copy(d->qvel, b->motionvel + i * m->nv, m->nv);
    mju_copy(d->qacc, b->motionacc + i * m->nv, m->nv);
    mj_inverse(m, d);
    mju_copy(b->force + i * m->nv, d->qfrc_inverse, m->nv);
  }
#endif
  return NMOTION;
}

static void prepareMotion(Bench* b) {
  const mjModel* m = b->m;
  mjData* d = b->d;
  b->motionpos = numbers((size_t)NMOTION * m->nq);
  b->motionvel = numbers((size_t)NMOTION * m->nv);
  b->motionacc = numbers((size_t)NMOTION * m->nv);
  b->force = numbers((size_t)NMOTION * m->nv);
  mj_resetData(m, d);
  for (size_t i = 0; i < NMOTION; i++) {
    mju_copy(b->motionpos + i * m->nq, d->qpos, m->nq);
    mju_copy(b->motionvel + i * m->nv, d->qvel, m->nv);
    randomCtrl(m, d->ctrl, 0.2);
    mj_step(m, d);
    mju_copy(b->motionacc + i * m->nv, d->qacc, m->nv);
  }
  mj_resetData(m, d);
}

static void setThreads(Bench* b, int nthread) {
  b->nthread = nthread;
#ifdef SHEAF_BATCH
  if (b->pool) sheaf_closePool(b->pool);
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = nthread;
  const char* lanes = getenv("BENCH_LANES");
  if (lanes) cfg.nlane = atoi(lanes);
  b->pool = sheaf_openPool(&cfg, NULL);
  if (!b->pool) exit(3);
#endif
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void measure(Bench* b, const char* name, int (*op)(Bench*), double seconds) {
  double sample[MAXSAMPLE];
  int n = 0;
  if (!op(b)) return;
  for (double end = now() + seconds; n < MAXSAMPLE && (now() < end || n < 3);) {
    double t = now();
    int unit = op(b);
    sample[n++] = (now() - t) / unit * 1e6;
  }
  qsort(sample, n, sizeof(double), compare);
  printf("%s %.4f %.4f\n", name, sample[n / 2], sample[0]);
  fflush(stdout);
}

int main(int argc, char** argv) {
  const char* ops = "step,forward,inverse,fd,rollout1,rollout2";
  double seconds = 0.5;
  int tuned = 0;
  Bench b = {.nrow = 64, .nstep = 100, .apart = 2};
  if (argc < 2) return 2;
  for (int i = 2; i < argc; i++) {
    if (!strcmp(argv[i], "--ops") && i + 1 < argc) ops = argv[++i];
    if (!strcmp(argv[i], "--seconds") && i + 1 < argc) seconds = atof(argv[++i]);
    if (!strcmp(argv[i], "--tuned")) tuned = 1;
    if (!strcmp(argv[i], "--rows") && i + 1 < argc) b.nrow = atoi(argv[++i]);
    if (!strcmp(argv[i], "--steps") && i + 1 < argc) b.nstep = atoi(argv[++i]);
    if (!strcmp(argv[i], "--apart") && i + 1 < argc) b.apart = atoi(argv[++i]);
  }

  char error[1000];
  mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof error);
  if (!m) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  // what a careful user of the other library switches off
  if (tuned) m->opt.disableflags |= mjDSBL_ISLAND | mjDSBL_MIDPHASE;

  b.m = m;
  b.d = mj_makeData(m);
  int ndx = 2 * m->nv + m->na, ns = m->nsensordata;
  b.state = numbers(mj_stateSize(m, spec));
  b.A = numbers((size_t)ndx * ndx);
  b.B = numbers((size_t)ndx * m->nu);
  b.C = numbers((size_t)ns * ndx);
  b.D = numbers((size_t)ns * m->nu);
  settle(m, b.d);
  mj_getState(m, b.d, b.state, spec);
  prepareRollouts(&b);
  prepareGrid(&b);
  if (strstr(ops, "many")) prepareMotion(&b);
#ifndef SHEAF_BATCH
  mjData* data[64];
  b.data = data;
  for (int i = 0; i < 64 && i < omp_get_max_threads() + 2; i++) data[i] = mj_makeData(m);
#endif

  if (strstr(ops, "step")) measure(&b, "step", opStep, seconds);
  if (strstr(ops, "forward")) measure(&b, "forward", opForward, seconds);
  if (strstr(ops, "inverse")) measure(&b, "inverse", opInverse, seconds);
  if (strstr(ops, "fd")) measure(&b, "transitionFD", opFD, seconds);
  if (strstr(ops, "rollout1")) {
    setThreads(&b, 1);
    measure(&b, "rollout-1-thread", opRollout, seconds);
  }
  if (strstr(ops, "rollout2")) {
    setThreads(&b, 2);
    measure(&b, "rollout-2-threads", opRollout, seconds);
  }

  if (strstr(ops, "many")) {
    setThreads(&b, 1);
    measure(&b, "inverse-of-256", opInverses, seconds);
  }

  if (strstr(ops, "grid")) {
    setThreads(&b, 1);
    measure(&b, "grid-of-controls", opControls, seconds);
    measure(&b, "grid-of-velocities", opVelocities, seconds);
  }

  // last, because sleeping is an option of the model
  if (strstr(ops, "asleep")) {
    fallAsleep(m, b.d);
    measure(&b, "asleep", opAsleep, seconds);
  }
  return 0;
}
