// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How much do the solvers of one state work? Steps a model with random controls and prints the number of solver
// iterations and of cost evaluations in line searches: the work that a change of the solver must not let grow. Then the
// iterations of solves for other controls at the last state, per solve: from no warm start, and from the solution of
// that state (share_warmstart of forward requests).
//
//   cc -O1 -I engine/include bench/solver_work.c -L BUILD/engine -lsheaf -lm -o solver_work
//   for m in MODELS; do ./solver_work $m; done | awk '{ i += $1; e += $2 } END { print i, e }'

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <mujoco/mujoco.h>

enum { DEFAULT_STEPS = 100, GRID = 64 };

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

// iterations per solve for other controls, each from one warm start; controls are near those of the data
static double workOfGrid(const mjModel* m, mjData* d, const mjtNum* ctrl, const mjtNum* warmstart) {
  uint64_t seed = 7;
  long iterations = 0, evaluations = 0;
  mju_copy(d->qacc_warmstart, warmstart, m->nv);
  for (int k = 0; k < GRID; k++) {
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = ctrl[i] + 0.1 * draw(&seed);
    mj_forwardSkip(m, d, mjSTAGE_VEL, 1);
    count(d, &iterations, &evaluations);
  }
  return (double)iterations / GRID;
}

static void printGrid(const mjModel* m, mjData* d) {
  mjtNum* zero = calloc((size_t)m->nv + 1, sizeof *zero);
  mjtNum* solution = calloc((size_t)m->nv + 1, sizeof *solution);
  mjtNum* ctrl = calloc((size_t)m->nu + 1, sizeof *ctrl);
  if (!zero || !solution || !ctrl) exit(1);
  mj_forward(m, d);
  mju_copy(solution, d->qacc, m->nv);
  mju_copy(ctrl, d->ctrl, m->nu);
  double cold = workOfGrid(m, d, ctrl, zero), warm = workOfGrid(m, d, ctrl, solution);
  printf(" %.2f %.2f", cold, warm);
  free(zero);
  free(solution);
  free(ctrl);
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
  printf("%ld %ld", iterations, evaluations);
  printGrid(m, d);
  printf(" %s\n", argv[1]);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
