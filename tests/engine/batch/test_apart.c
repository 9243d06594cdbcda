// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/apart.c: groups of rows whose trees fall asleep at different times, wake up and fall asleep
// again, with the bits of a loop of mj_step.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "batch/apart.h"
#include "lanes/kernels.h"
#include "pool/queue.h"
#include "support/models.h"
#include "support/same_noise.h"
#include "support/test.h"
#include "support/variants.h"

enum { B = 11, T = 240, NOUTPUT = 4 };

// boxes that fall, one on a slide that a motor may hit, a pendulum that hangs, a tendon with a limit between two trees
static const char kScene[] =
    "<mujoco><option timestep='.005' integrator='%s'><flag sleep='enable' island='%s'/></option><worldbody>"
    "<geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .12'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='low'/></body>"
    "<body pos='0 0 .4'><freejoint/><geom type='box' size='.05 .05 .05'/></body>"
    "<body pos='.4 0 .11'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='-.5 0 .1'><joint name='push' type='slide' axis='1 0 0' damping='8'/><geom size='.08'/></body>"
    "<body pos='2 0 1'><joint name='a' axis='0 1 0' damping='.3'/><geom pos='0 0 -.2' size='.1'/></body>"
    "<body pos='3 0 1'><joint name='b' axis='0 1 0' damping='.3'/><geom pos='0 0 -.2' size='.1'/></body>"
    "</worldbody><tendon><fixed limited='true' range='-.3 .3'><joint joint='a' coef='1'/><joint joint='b' coef='-1'/>"
    "</fixed></tendon><actuator><motor joint='push' gear='60'/><general joint='a' dyntype='filter' "
    "dynprm='.1'/></actuator>"
    "<sensor><framelinvel objtype='site' objname='low'/><jointpos joint='push'/><clock/></sensor></mujoco>";

static const char* const kOutput[NOUTPUT] = {"cfrc_ext", "subtree_linvel", "qfrc_constraint", "qacc"};

typedef struct {
  mjModel* m;
  mjtNum *x0, *u, *state, *sensor, *final, *warm, *named[NOUTPUT];
  int32_t length[B];
  sheafOutput output[NOUTPUT];
  int nx, aligned;
} Rows;

static Rows makeRows(const char* xml) {
  Rows r = {.m = test_model(xml)};
  const mjModel* m = r.m;
  r.nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  r.x0 = numbers((size_t)B * r.nx);
  r.u = numbers((size_t)B * T * m->nu);
  r.state = numbers((size_t)B * T * r.nx);
  r.sensor = numbers((size_t)B * T * m->nsensordata);
  r.final = numbers((size_t)B * r.nx);
  r.warm = numbers((size_t)B * m->nv);
  for (int k = 0; k < NOUTPUT; k++) {
    r.named[k] = numbers((size_t)B * T * sheaf_outputSize(m, kOutput[k], NULL));
    r.output[k] = (sheafOutput){kOutput[k], r.named[k]};
  }
  mjData* d = mj_makeData(m);
  for (int i = 0; i < B; i++) {
    mj_resetData(m, d);
    d->qpos[2] += .01 * i;
    d->qpos[9] += .02 * (i % 3);
    d->qpos[m->nq - 1] = .1 * (i % 4);
    mj_getState(m, d, r.x0 + (size_t)i * r.nx, mjSTATE_FULLPHYSICS);
    r.length[i] = i == 4 ? T / 3 : T;

    // a push that hits the boxes when most of them sleep, and wakes them; not in each row, and the pendulum moves in
    // some
    for (int t = 0; t < T; t++) {
      mjtNum* u = r.u + ((size_t)i * T + t) * m->nu;
      if (i % 4 != 3) u[0] = t > 110 + 3 * i && t < 150 + 3 * i;
      if (m->nu > 1) u[1] = i % 2 && t > 30 && t < 60 ? .2 : 0;
    }
  }
  mj_deleteData(d);
  return r;
}

static void freeRows(Rows* r) {
  mjtNum* all[] = {r->x0, r->u, r->state, r->sensor, r->final, r->warm};
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) free(all[k]);
  for (int k = 0; k < NOUTPUT; k++) free(r->named[k]);
  mj_deleteModel(r->m);
}

static void runRows(Rows* r, int nlane, double piece) {
  sheafRollout q = {.size = sizeof q,
                    .nbatch = B,
                    .nstep = T,
                    .state0 = r->x0,
                    .nstate0 = B,
                    .control = r->u,
                    .ncontrol = B,
                    .ncontrolstep = T,
                    .length = r->length,
                    .aligned = r->aligned,
                    .state = r->state,
                    .sensordata = r->sensor,
                    .final_state = r->final,
                    .final_warmstart = r->warm,
                    .output = r->output,
                    .noutput = NOUTPUT};
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = 2;
  cfg.nlane = nlane;
  cfg.piece = piece;
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafStatus status;
  sheafJob* job = sheaf_submit(pool, r->m, SHEAF_ROLLOUT, &q, NULL, NULL, &status);
  if (mji_kernels(nlane)) CHECK_EQ(job->nlane, nlane);
  CHECK_EQ(sheaf_wait(job, &status), 0);
  sheaf_freeJob(job);
  sheaf_closePool(pool);
}

static void compareRows(const Rows* a, const Rows* b) {
  const mjModel* m = a->m;
  CHECK_EQ(memcmp(a->state, b->state, sizeof(mjtNum) * B * T * a->nx), 0);
  CHECK_EQ(memcmp(a->sensor, b->sensor, sizeof(mjtNum) * B * T * m->nsensordata), 0);
  CHECK_EQ(memcmp(a->final, b->final, sizeof(mjtNum) * B * a->nx), 0);
  CHECK_EQ(memcmp(a->warm, b->warm, sizeof(mjtNum) * B * m->nv), 0);
  for (int k = 0; k < NOUTPUT; k++) {
    size_t n = sizeof(mjtNum) * B * T * sheaf_outputSize(m, kOutput[k], NULL);
    if (memcmp(a->named[k], b->named[k], n)) CHECK_TEXT(kOutput[k], "nothing that differs");
  }
}

// the rows as loops of mj_step; in how many steps trees sleep, and in how many steps one wakes up
static void stepRows(Rows* r, int* nslept, int* nwoken) {
  const mjModel* m = r->m;
  mjData* d = mj_makeData(m);
  *nslept = *nwoken = 0;
  for (int i = 0; i < B; i++) {
    mj_resetData(m, d);
    mj_setState(m, d, r->x0 + (size_t)i * r->nx, mjSTATE_FULLPHYSICS);
    for (int t = 0; t < r->length[i]; t++) {
      int before = d->ntree_awake;
      mju_copy(d->ctrl, r->u + ((size_t)i * T + t) * m->nu, (int)m->nu);
      mj_step(m, d);
      *nslept += d->ntree_awake < m->ntree;
      *nwoken += d->ntree_awake > before;
      mj_getState(m, d, r->state + ((size_t)i * T + t) * r->nx, mjSTATE_FULLPHYSICS);
    }
  }
  mj_deleteData(d);
}

// ways: 1: rows that are not aligned, 2: rows that are, 3: both
static void compareLanes(const char* xml, int ways) {
  Rows one = makeRows(xml), more = makeRows(xml);
  int nslept, nwoken;
  runRows(&one, 1, 0);
  memcpy(more.state, one.state, sizeof(mjtNum) * B * T * one.nx);
  stepRows(&more, &nslept, &nwoken);
  CHECK_EQ(memcmp(more.state, one.state, sizeof(mjtNum) * B * T * one.nx), 0);
  CHECK(nslept > B * T / 4 && nslept < B * T && nwoken > 3);
  static const int lanes[] = {4, 8};
  for (int aligned = 0; aligned < 2; aligned++) {
    if (!(ways & (1 << aligned))) continue;
    one.aligned = more.aligned = aligned;
    runRows(&one, 1, 0);
    for (int k = 0; k < 2; k++) {
      if (!test_hasLanes(lanes[k])) continue;
      runRows(&more, lanes[k], 0);
      compareRows(&one, &more);
    }
    runRows(&more, 4, 1e-9);  // gives way after each step
    compareRows(&one, &more);
  }
  freeRows(&one);
  freeRows(&more);
}

static void compareScene(const char* integrator, const char* islands, int ways) {
  char xml[2000];
  snprintf(xml, sizeof xml, kScene, integrator, islands);
  compareLanes(xml, ways);
}

TEST(rows_in_lanes_fall_asleep_and_wake_up_as_each_alone) {
  compareScene("Euler", "enable", 3);
  compareScene("implicitfast", "enable", 3);
}

// four stages take four times as long: with a sanitizer only aligned rows are looked at
TEST(steps_of_runge_kutta_are_left_before_the_state_changes) { compareScene("RK4", "enable", SANITIZED ? 2 : 3); }

// Without islands only steps without rows count: things in the air, one of which is pushed against its limit in some
// rows, and one that a spring moves against one that sleeps.
TEST(rows_in_lanes_fall_asleep_without_islands_as_each_alone) {
  compareLanes(
      "<mujoco><option timestep='.01' gravity='0 0 0'><flag sleep='enable' island='disable'/></option><worldbody>"
      "<body><freejoint/><geom size='.1'/></body><body pos='1 0 0'><freejoint/><geom size='.1'/></body>"
      "<body pos='-1 0 0'><joint type='slide' axis='1 0 0' stiffness='2' springref='1.5'/><geom size='.1'/></body>"
      "<body pos='2 0 0'><joint name='push' type='slide' axis='0 0 1' range='-.2 .2' damping='2'/><geom "
      "size='.1'/></body>"
      "<body pos='3 0 0'><joint axis='0 1 0' damping='.2'/><geom size='.1' pos='0 0 .1'/></body></worldbody>"
      "<actuator><motor joint='push' gear='9'/></actuator></mujoco>",
      3);
}

// two boxes sleep at first; a third falls on one of them and wakes it, in some rows a push wakes the other
TEST(rows_in_lanes_begin_asleep_as_each_alone) {
  compareLanes(
      "<mujoco><option timestep='.005'><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 .1'/>"
      "<body pos='0 0 .6'><freejoint/><geom type='box' size='.05 .05 .05'/></body>"
      "<body pos='2 0 .6'><freejoint/><geom type='box' size='.05 .05 .05'/></body>"
      "<body pos='0 0 .1' sleep='init'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='-.5 0 .1'><joint name='push' type='slide' axis='1 0 0' damping='8'/><geom size='.08'/></body>"
      "<body pos='.4 0 .1' sleep='init'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='3 0 1'><joint axis='0 1 0' damping='.3'/><geom pos='0 0 -.2' size='.1'/></body>"
      "</worldbody><actuator><motor joint='push' gear='60'/></actuator></mujoco>",
      3);
}

// a group takes itself apart when a tree falls asleep, and goes together when all are awake
TEST(lanes_are_apart_only_while_trees_sleep) {
  const mjiKernels* kernels = mji_kernels(4);
  if (!kernels) return;
  char xml[2000];
  snprintf(xml, sizeof xml, kScene, "Euler", "enable");
  Rows r = makeRows(xml);
  mjModel* m = r.m;
  mjData* d = mji_makeLaneData(m, 4);
  mjiWork* w = mji_work(d);
  static const int open[4] = {1, 1, 1, 0};
  w->watches = 1;
  for (int i = 0; i < 4 * m->ntree; i++) w->asleep[i] = -(1 + mjMINAWAKE);
  for (int i = 0; i < 4; i++) mji_putLane(m, d, i, r.x0, mjSTATE_FULLPHYSICS);
  int t = 0;
  for (; t < T && !w->stopped; t++) kernels->step(m, d, MJI_POSITION, 0);
  CHECK(t > 2 * mjMINAWAKE / 3 && t < T);

  // the step was left: its state is the one before, and each lane goes on alone
  mjtNum before = mji_time(d)[0];
  CHECK_NEAR(before, (t - 1) * m->opt.timestep, 1e-9);
  mji_setApart(m, d, open, 4);
  CHECK(w->isapart && w->apart[0] && !w->apart[3]);
  CHECK(mji_placeOf(d, 2).d == w->apart[2] && mji_placeOf(d, 2).nlane == 1);
  for (int i = 0; i < 3; i++) mj_step(m, w->apart[i]);
  CHECK(w->apart[0]->ntree_awake < m->ntree);
  mji_tryTogether(m, d, open, 4);
  CHECK(w->isapart);

  // everything is pushed
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < m->nv; k++) w->apart[i]->qvel[k] = 1;
    mj_step(m, w->apart[i]);
    CHECK_EQ(w->apart[i]->ntree_awake, m->ntree);
  }
  mji_tryTogether(m, d, open, 4);
  CHECK(!w->isapart && !w->stopped);
  CHECK_EQ(mji_time(d)[0], w->apart[0]->time);
  CHECK_EQ(mji_time(d)[3], w->apart[2]->time);
  mj_deleteData(d);
  freeRows(&r);
}

// ---- an error in one of the rows

enum { NROW = 9, NSTEP = 60 };

static void runEqualTendons(const mjModel* m, int nlane, mjtNum* state, mjtNum* final, int32_t* status) {
  enum { NX = 5 };
  mjtNum x0[NX] = {0, .1, -.2, 0, 0};
  mjtNum* active = numbers(NROW * NSTEP);
  for (int t = 20; t < NSTEP; t++) active[4 * NSTEP + t] = active[7 * NSTEP + t] = 1;
  CHECK_EQ(mj_stateSize(m, mjSTATE_FULLPHYSICS), NX);
  sheafRollout q = {.size = sizeof q,
                    .nbatch = NROW,
                    .nstep = NSTEP,
                    .state0 = x0,
                    .nstate0 = 1,
                    .control_spec = mjSTATE_EQ_ACTIVE,
                    .control = active,
                    .ncontrol = NROW,
                    .ncontrolstep = NSTEP,
                    .state = state,
                    .final_state = final,
                    .status = status};
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = 1;
  cfg.nlane = nlane;
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafStatus s;
  CHECK_EQ(sheaf_rollout(pool, m, &q, &s), 0);
  sheaf_closePool(pool);
  free(active);
}

TEST(an_error_ends_its_row_and_no_other) {
  mjModel* m = test_model(
      "<mujoco><option><flag sleep='enable'/></option><worldbody>"
      "<body><joint name='a' axis='0 1 0'/><geom pos='0 0 -.2' size='.1'/></body>"
      "<body pos='1 0 0'><joint name='b' axis='0 1 0'/><geom pos='0 0 -.2' size='.1'/></body></worldbody>"
      "<tendon><fixed name='a'><joint joint='a' coef='1'/></fixed><fixed name='b'><joint joint='b' coef='1'/></fixed>"
      "</tendon><equality><tendon tendon1='a' tendon2='b' active='false'/></equality></mujoco>");
  size_t nx = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  static const int lanes[] = {1, 4, 8};
  mjtNum *state[3], *final[3];
  for (int k = 0; k < 3; k++) {
    int32_t status[NROW];
    state[k] = numbers(NROW * NSTEP * nx);
    final[k] = numbers(NROW * nx);
    runEqualTendons(m, lanes[k], state[k], final[k], status);
    for (int i = 0; i < NROW; i++) CHECK_EQ(status[i], i == 4 || i == 7 ? SHEAF_ROW_ERROR : SHEAF_ROW_OK);
    CHECK_EQ(memcmp(state[k], state[0], NROW * NSTEP * nx * sizeof(mjtNum)), 0);
    CHECK_EQ(memcmp(final[k], final[0], NROW * nx * sizeof(mjtNum)), 0);
  }
  CHECK_NEAR(final[0][0], NSTEP * m->opt.timestep, 1e-12);
  CHECK_EQ(final[0][4 * nx], 0);
  for (int k = 0; k < 3; k++) {
    free(state[k]);
    free(final[k]);
  }
  mj_deleteModel(m);
}
