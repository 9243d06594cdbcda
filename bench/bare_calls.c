// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One-step rollouts by the C call alone: `bare_calls MODEL.xml THREADS SECONDS` prints the median microseconds of a
// call. bench/calls.py runs it in turn with the Python client.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <sheaf/batch.h>

enum { MOST = 1 << 20 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  char error[1000] = "";
  if (argc != 4) return 2;
  mjModel* m = sheaf_loadModel(argv[1], NULL, error, sizeof error);
  sheafPoolConfig config = sheaf_defaultPoolConfig();
  config.nthread = atoi(argv[2]);
  sheafPool* pool = sheaf_openPool(&config, NULL);
  if (!m || !pool) return fprintf(stderr, "%s\n", error), 1;
  mjData* d = mj_makeData(m);
  int nstate = mj_stateSize(m, mjSTATE_FULLPHYSICS), status, badstep;
  mjtNum *x = calloc((size_t)nstate, sizeof *x), *state = calloc((size_t)nstate, sizeof *x);
  mjtNum *u = calloc((size_t)m->nu + 1, sizeof *x), *sensordata = calloc((size_t)m->nsensordata + 1, sizeof *x);
  mjtNum *warm = calloc((size_t)m->nv + 1, sizeof *x), *last = calloc((size_t)m->nv + 1, sizeof *x);
  double* times = calloc(MOST, sizeof *times);
  mj_getState(m, d, x, mjSTATE_FULLPHYSICS);
  sheafRollout r = {.size = sizeof r,
                    .nbatch = 1,
                    .nstep = 1,
                    .state0 = x,
                    .nstate0 = 1,
                    .control = m->nu ? u : NULL,
                    .ncontrol = 1,
                    .ncontrolstep = 1,
                    .warmstart0 = warm,
                    .nwarmstart0 = 1,
                    .state = state,
                    .sensordata = m->nsensordata ? sensordata : NULL,
                    .final_warmstart = last,
                    .status = &status,
                    .badstep = &badstep};
  int n = 0;
  for (double end = now() + atof(argv[3]); now() < end && n < MOST; n++) {
    double t = now();
    if (sheaf_rollout(pool, m, &r, NULL)) return 1;
    times[n] = 1e6 * (now() - t);
  }
  qsort(times, (size_t)n, sizeof *times, compare);
  printf("%.3f\n", times[n / 2]);
  return 0;
}
