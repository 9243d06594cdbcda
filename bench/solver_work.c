// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How much do the solvers of one state work? Steps a model with random controls and prints the number of solver
// iterations and of cost evaluations in line searches: the work that a change of the solver must not let grow.
//
//   cc -O1 -I engine/include bench/solver_work.c -L BUILD/engine -lsheaf -lm -o solver_work
//   for m in MODELS; do ./solver_work $m; done | awk '{ i += $1; e += $2 } END { print i, e }'

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <mujoco/mujoco.h>

enum { DEFAULT_STEPS = 100 };

static void silence(const char* text) { (void)text; }

// a number in [-1, 1)
static double draw(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int32_t)(*state >> 32) / 2147483648.0;
}

static void drawControls(const mjModel* m, mjData* d, uint64_t* seed) {
  for (int i = 0; i < m->nu; i++) {
    const mjtNum* range = m->actuator_ctrlrange + 2 * i;
    double u = draw(seed);
    d->ctrl[i] = m->actuator_ctrllimited[i] ? 0.5 * (range[0] + range[1]) + 0.5 * u * (range[1] - range[0]) : u;
  }
}

// of the last step; without islands the problem is one
static void count(const mjData* d, long* iterations, long* evaluations) {
  for (int i = 0; i < mjNISLAND && i < (d->nisland ? d->nisland : 1); i++) {
    *iterations += d->solver_niter[i];
    for (int k = 0; k < d->solver_niter[i] && k < mjNSOLVER; k++) {
      *evaluations += d->solver[i * mjNSOLVER + k].neval;
    }
  }
}

int main(int argc, char** argv) {
  char error[1000] = "";
  mju_user_warning = silence;
  mjModel* m = argc > 1 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
  mjData* d = m ? mj_makeData(m) : NULL;
  if (!d) return 1;
  uint64_t seed = 1;
  long iterations = 0, evaluations = 0;
  if (m->nkey) mj_resetDataKeyframe(m, d, 0);
  for (int i = 0, n = argc > 2 ? atoi(argv[2]) : DEFAULT_STEPS; i < n; i++) {
    drawControls(m, d, &seed);
    mj_step(m, d);
    count(d, &iterations, &evaluations);
  }
  printf("%ld %ld %s\n", iterations, evaluations, argv[1]);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
