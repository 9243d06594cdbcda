// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Time of forward and inverse dynamics by the number of constraint rows.
//
//   row_times MODEL make FILE COUNT    drag the model around and write COUNT states of its motion
//   row_times MODEL time FILE          times of each fourth state, one at a time
//   row_times MODEL lanes FILE         with SHEAF_BATCH: times of each 64 states in a row, in batches on one thread
//
// Times are in microseconds for a state. A line of `time` has the number of rows, then forward dynamics by Newton, by
// PGS with 5 and with 50 iterations, and inverse dynamics; one of `lanes` the mean number of rows, forward (Newton),
// inverse.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mujoco/mujoco.h>
#ifdef SHEAF_BATCH
#include <sheaf/batch.h>
#endif

#include "../xorshift.h"

enum { BATCH = 64, REPEAT = 5, SETTLE = 200, STRIDE = 4 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * t.tv_sec + 1e-3 * t.tv_nsec;
}

// ---- states of a motion: positions, velocities, forces on the bodies, the solver's start, accelerations, rows

static int recordSize(const mjModel* m) { return m->nq + 3 * m->nv + 6 * m->nbody + 1; }

typedef struct {
  const double *qpos, *qvel, *xfrc, *start, *qacc;
  int rows;
} Record;

static Record recordAt(const mjModel* m, const double* x) {
  Record r = {.qpos = x};
  r.qvel = r.qpos + m->nq;
  r.xfrc = r.qvel + m->nv;
  r.start = r.xfrc + 6 * m->nbody;
  r.qacc = r.start + m->nv;
  r.rows = (int)r.qacc[m->nv];
  return r;
}

// Pull at the root and push at the limbs, in new directions every half second. Every four seconds the forces point more
// down than before, then up again: so there are moments with few contacts and with many.
static void drag(const mjModel* m, mjData* d, int t) {
  if (t % 50) return;
  double weight = 9.81 * m->body_subtreemass[0], down = t / 400 % 4 * .5 - .5;
  for (int b = 1; b < m->nbody; b++) {
    double scale = b == 1 ? .6 * weight : .1 * weight;
    for (int k = 0; k < 3; k++) d->xfrc_applied[6 * b + k] = scale * (noise() - (k == 2 ? down : 0));
  }
}

static void make(const mjModel* m, const char* name, int count) {
  FILE* f = fopen(name, "wb");
  mjData* d = mj_makeData(m);
  double* start = malloc(sizeof(double) * (size_t)m->nv);
  if (!f || !d || !start) exit(2);
  for (int t = 0; count; t++) {
    drag(m, d, t);
    memcpy(start, d->qacc_warmstart, sizeof(double) * (size_t)m->nv);
    mj_forward(m, d);
    double rows = d->nefc;
    if (t >= SETTLE) {
      fwrite(d->qpos, sizeof(double), (size_t)m->nq, f);
      fwrite(d->qvel, sizeof(double), (size_t)m->nv, f);
      fwrite(d->xfrc_applied, sizeof(double), (size_t)(6 * m->nbody), f);
      fwrite(start, sizeof(double), (size_t)m->nv, f);
      fwrite(d->qacc, sizeof(double), (size_t)m->nv, f);
      fwrite(&rows, sizeof rows, 1, f);
      count--;
    }
    mj_step(m, d);
  }
  fclose(f);
  free(start);
  mj_deleteData(d);
}

static double* readAll(const mjModel* m, const char* name, int* count) {
  FILE* f = fopen(name, "rb");
  if (!f || fseek(f, 0, SEEK_END)) exit(2);
  size_t size = sizeof(double) * (size_t)recordSize(m), n = (size_t)ftell(f) / size;
  rewind(f);
  double* x = malloc(n * size);
  if (!x || fread(x, size, n, f) != n) exit(2);
  fclose(f);
  *count = (int)n;
  return x;
}

// ---- one state at a time

static void put(const mjModel* m, mjData* d, const Record* r) {
  memcpy(d->qpos, r->qpos, sizeof(double) * (size_t)m->nq);
  memcpy(d->qvel, r->qvel, sizeof(double) * (size_t)m->nv);
  memcpy(d->xfrc_applied, r->xfrc, sizeof(double) * (size_t)(6 * m->nbody));
  memcpy(d->qacc, r->qacc, sizeof(double) * (size_t)m->nv);
}

// the least time of some calls
static double timeForward(mjModel* m, mjData* d, const Record* r, int solver, int iterations) {
  double best = 1e30, tolerance = m->opt.tolerance;
  int kept = m->opt.iterations;
  m->opt.solver = solver;
  m->opt.iterations = iterations ? iterations : kept;
  if (iterations) m->opt.tolerance = 0;
  for (int i = 0; i < REPEAT; i++) {
    put(m, d, r);
    memcpy(d->qacc_warmstart, r->start, sizeof(double) * (size_t)m->nv);
    double begin = now();
    mj_forward(m, d);
    double time = now() - begin;
    if (time < best) best = time;
  }
  m->opt.iterations = kept;
  m->opt.tolerance = tolerance;
  m->opt.solver = mjSOL_NEWTON;
  return best;
}

static double timeInverse(const mjModel* m, mjData* d, const Record* r) {
  double best = 1e30;
  for (int i = 0; i < 2 * REPEAT; i++) {
    put(m, d, r);
    double begin = now();
    mj_inverse(m, d);
    double time = now() - begin;
    if (time < best) best = time;
  }
  return best;
}

static void timeEach(mjModel* m, const double* x, int count) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < count; i += STRIDE) {
    Record r = recordAt(m, x + (size_t)i * (size_t)recordSize(m));
    double newton = timeForward(m, d, &r, mjSOL_NEWTON, 0);
    double pgs5 = timeForward(m, d, &r, mjSOL_PGS, 5), pgs50 = timeForward(m, d, &r, mjSOL_PGS, 50);
    printf("%d %.3f %.3f %.3f %.3f\n", r.rows, newton, pgs5, pgs50, timeInverse(m, d, &r));
  }
  mj_deleteData(d);
}

// ---- many states side by side

#ifdef SHEAF_BATCH
static double *qpos, *qvel, *xfrc, *start, *qacc, *force;

static void check(int failed, const sheafStatus* status) {
  if (failed) fprintf(stderr, "%s: %s\n", status->field, status->message), exit(3);
}

static double batchForward(sheafPool* pool, const mjModel* m) {
  sheafStatus status;
  sheafForward r = {.size = sizeof r, .nbatch = BATCH, .qpos = qpos, .nqpos = BATCH, .qvel = qvel, .nqvel = BATCH};
  sheafOutput output = {.name = "qacc", .data = force};
  r.xfrc_applied = xfrc;
  r.nxfrc_applied = BATCH;
  r.warmstart = start;
  r.nwarmstart = BATCH;
  r.output = &output;
  r.noutput = 1;
  double begin = now();
  check(sheaf_forward(pool, m, &r, &status), &status);
  return (now() - begin) / BATCH;
}

static double batchInverse(sheafPool* pool, const mjModel* m) {
  sheafStatus status;
  sheafInverse r = {.size = sizeof r, .nbatch = BATCH, .qpos = qpos, .nqpos = BATCH, .qvel = qvel, .nqvel = BATCH};
  r.qacc = qacc;
  r.nqacc = BATCH;
  r.qfrc_inverse = force;
  double begin = now();
  check(sheaf_inverse(pool, m, &r, &status), &status);
  return (now() - begin) / BATCH;
}

static double* rows(int n) {
  double* x = malloc(sizeof(double) * BATCH * (size_t)n);
  if (!x) exit(2);
  return x;
}

static void timeLanes(const mjModel* m, const double* x, int count) {
  qpos = rows(m->nq), qvel = rows(m->nv), xfrc = rows(6 * m->nbody), start = rows(m->nv), qacc = rows(m->nv);
  force = rows(m->nv);
  sheafPool* pool = sheaf_openPool(&(sheafPoolConfig){.size = sizeof(sheafPoolConfig), .nthread = 1}, NULL);
  for (int from = 0; from + BATCH <= count; from += BATCH) {
    double sum = 0;
    for (int i = 0; i < BATCH; i++) {
      Record r = recordAt(m, x + (size_t)(from + i) * (size_t)recordSize(m));
      sum += r.rows;
      memcpy(qpos + i * m->nq, r.qpos, sizeof(double) * (size_t)m->nq);
      memcpy(qvel + i * m->nv, r.qvel, sizeof(double) * (size_t)m->nv);
      memcpy(xfrc + i * 6 * m->nbody, r.xfrc, sizeof(double) * (size_t)(6 * m->nbody));
      memcpy(start + i * m->nv, r.start, sizeof(double) * (size_t)m->nv);
      memcpy(qacc + i * m->nv, r.qacc, sizeof(double) * (size_t)m->nv);
    }
    double forward = 1e30, inverse = 1e30;
    for (int i = 0; i < REPEAT; i++) {
      double f = batchForward(pool, m), g = batchInverse(pool, m);
      if (f < forward) forward = f;
      if (g < inverse) inverse = g;
    }
    printf("%.0f %.3f %.3f\n", sum / BATCH, forward, inverse);
  }
  sheaf_closePool(pool);
}
#endif

int main(int argc, char** argv) {
  char error[500] = "";
  if (argc < 4) return 2;
  mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof error);
  if (!m) return fprintf(stderr, "%s\n", error), 1;
  if (!strcmp(argv[2], "make")) {
    make(m, argv[3], argc > 4 ? atoi(argv[4]) : 1000);
  } else {
    int count;
    double* x = readAll(m, argv[3], &count);
#ifdef SHEAF_BATCH
    if (!strcmp(argv[2], "lanes")) timeLanes(m, x, count);
#endif
    if (!strcmp(argv[2], "time")) timeEach(m, x, count);
    free(x);
  }
  mj_deleteModel(m);
  return 0;
}
