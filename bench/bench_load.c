// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One load of one model, for two libraries: seconds, bytes of the compiled model, and the largest resident size of the
// process in kilobytes. One load a process, because libraries may keep what they have read. bench/load.py runs it.
//
//   bench_load MODEL

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include <mujoco/mujoco.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  char error[1000];
  double start = now();
  mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof error);
  double seconds = now() - start;
  if (!m) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  printf("%.6f %lld %ld\n", seconds, (long long)m->nbuffer, use.ru_maxrss);
  mj_deleteModel(m);
  return 0;
}
