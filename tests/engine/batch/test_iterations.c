// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of the output solver_niter: the iterations of each row's solve.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sheaf/batch.h>

#include "support/models.h"
#include "support/test.h"

enum { NROW = 11, NQ = 21, NV = 18 };

// three balls, of which the height decides which of them touch, and so make islands of their own
static mjModel* balls(const char* option) {
  char text[1200];
  snprintf(text, sizeof text,
           "<mujoco><option %s/><worldbody><geom type='plane' size='5 5 .1'/>"
           "<body pos='0 0 .09'><freejoint/><geom size='.1' mass='1'/></body>"
           "<body pos='.15 0 .22'><freejoint/><geom size='.1' mass='1'/></body>"
           "<body pos='3 0 .095'><freejoint/><geom size='.1' mass='2'/></body></worldbody></mujoco>",
           option);
  return test_model(text);
}

static void makeStates(const mjModel* m, mjtNum* qpos, mjtNum* qvel) {
  for (int i = 0; i < NROW; i++) {
    for (int k = 0; k < NQ; k++) qpos[i * NQ + k] = m->qpos0[k];
    qpos[i * NQ + 2] += .02 * (i % 4);
    qpos[i * NQ + 16] += .01 * (i % 3);
    for (int k = 0; k < NV; k++) qvel[i * NV + k] = .1 * ((7 * i + 3 * k) % 11 - 5);
  }
}

static void count(const mjModel* m, int nlane, const mjtNum* qpos, const mjtNum* qvel, mjtNum* niter) {
  sheafStatus status = {0};
  sheafPoolConfig config = {.size = sizeof config, .nthread = 1, .nlane = nlane};
  sheafPool* pool = sheaf_openPool(&config, &status);
  sheafOutput out = {"solver_niter", niter};
  sheafForward r = {.size = sizeof r,
                    .nbatch = NROW,
                    .qpos = qpos,
                    .nqpos = NROW,
                    .qvel = qvel,
                    .nqvel = NROW,
                    .output = &out,
                    .noutput = 1};
  sheaf_forward(pool, m, &r, &status);
  CHECK_TEXT(status.message, "");
  sheaf_closePool(pool);
}

// what a single state counts: the most of its islands
static int countAlone(const mjModel* m, mjData* d, const mjtNum* qpos, const mjtNum* qvel) {
  mj_resetData(m, d);
  mju_copy(d->qpos, qpos, NQ);
  mju_copy(d->qvel, qvel, NV);
  mj_forward(m, d);
  int most = 0;
  for (int k = 0; k < mjNISLAND; k++) most = mjMAX(most, d->solver_niter[k]);
  return most;
}

TEST(each_row_counts_the_iterations_of_its_own_solve) {
  static const char* options[] = {"solver='Newton'", "solver='Newton' cone='elliptic'", "solver='CG' iterations='30'",
                                  "solver='PGS' iterations='20'", "solver='Newton' noslip_iterations='3'"};
  for (int k = 0; k < 5; k++) {
    mjModel* m = balls(options[k]);
    mjData* d = mj_makeData(m);
    mjtNum qpos[NROW * NQ], qvel[NROW * NV], niter[3][NROW];
    makeStates(m, qpos, qvel);
    int lanes[] = {1, 4, 8}, differs = 0;
    for (int n = 0; n < 3; n++) count(m, lanes[n], qpos, qvel, niter[n]);
    for (int i = 0; i < NROW; i++) {
      int alone = countAlone(m, d, qpos + i * NQ, qvel + i * NV);
      for (int n = 0; n < 3; n++) CHECK_EQ((int)niter[n][i], alone);
      differs |= niter[0][i] != niter[0][0];
    }
    CHECK(differs || k == 3);  // the sweeps of PGS all go to the end
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

TEST(solves_that_start_from_their_solution_count_fewer_iterations) {
  mjModel* m = balls("solver='Newton'");
  enum { NSTEP = 6, NX = 1 + NQ + NV };
  mjtNum x0[NX] = {0}, solution[2][NSTEP * NV], niter[2][NSTEP];
  for (int k = 0; k < 2 * NSTEP; k++) niter[k / NSTEP][k % NSTEP] = NAN;
  mju_copy(x0 + 1, m->qpos0, NQ);
  x0[1 + NQ + 1] = .3;
  sheafPoolConfig config = {.size = sizeof config, .nthread = 1};
  sheafStatus status = {0};
  sheafPool* pool = sheaf_openPool(&config, &status);
  for (int k = 0; k < 2; k++) {
    sheafOutput out = {"solver_niter", niter[k]};
    sheafRollout r = {.size = sizeof r,
                      .nbatch = 1,
                      .nstep = NSTEP,
                      .state0 = x0,
                      .nstate0 = 1,
                      .solution = solution[k],
                      .output = &out,
                      .noutput = 1};
    if (k) r.warmstart = solution[0], r.nwarmstart = 1, r.nwarmstep = NSTEP;
    sheaf_rollout(pool, m, &r, &status);
    CHECK_TEXT(status.message, "");
  }
  mjtNum sum[2] = {0};
  for (int t = 0; t < NSTEP; t++) sum[0] += niter[0][t], sum[1] += niter[1][t];
  CHECK(sum[0] > 0);
  CHECK(sum[1] < sum[0]);
  sheaf_closePool(pool);
  mj_deleteModel(m);
}

TEST(inverse_dynamics_count_no_iterations) {
  mjModel* m = balls("solver='Newton'");
  mjtNum niter[1] = {-1};
  sheafStatus status = {0};
  sheafPoolConfig config = {.size = sizeof config, .nthread = 1};
  sheafPool* pool = sheaf_openPool(&config, &status);
  sheafOutput out = {"solver_niter", niter};
  sheafForward f = {.size = sizeof f, .nbatch = 1, .output = &out, .noutput = 1};
  sheaf_forward(pool, m, &f, &status);
  CHECK(niter[0] > 0);
  sheafInverse r = {.size = sizeof r, .nbatch = 1, .output = &out, .noutput = 1};
  sheaf_inverse(pool, m, &r, &status);
  CHECK_TEXT(status.message, "");
  CHECK_EQ((int)niter[0], 0);
  sheaf_closePool(pool);
  mj_deleteModel(m);
}
