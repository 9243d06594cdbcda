// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/rollout.c: the same bits as a loop of mj_step, for any threads, lanes and
// chunks.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "batch/evaluator.h"
#include "lanes/kernels.h"
#include "support/models.h"
#include "support/same_noise.h"
#include "support/test.h"
#include "support/variants.h"

enum { B = 19, T = 40 };

typedef struct {
  mjModel* m;
  int nx;
  mjtNum *x0, *u, *state, *sensor, *final, *warm;
  int32_t status[B], badstep[B];
} Case;

// rows that start at different moments of a fall, so that their contacts differ
static Case makeCaseOf(const char* xml) {
  Case c = {.m = test_model(xml)};
  const mjModel* m = c.m;
  c.nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  c.x0 = numbers((size_t)B * c.nx);
  c.u = numbers((size_t)B * T * m->nu);
  c.state = numbers((size_t)B * T * c.nx);
  c.sensor = numbers((size_t)B * T * m->nsensordata);
  c.final = numbers((size_t)B * c.nx);
  c.warm = numbers((size_t)B * m->nv);
  seed = 7;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < B; i++) {
    mj_resetData(m, d);
    for (int t = 0; t < 4 * i; t++) {
      for (int k = 0; k < m->nu; k++) d->ctrl[k] = 0.3 * noise();
      mj_step(m, d);
    }
    mj_getState(m, d, c.x0 + (size_t)i * c.nx, mjSTATE_FULLPHYSICS);
  }
  for (int i = 0; i < B * T * (int)m->nu; i++) c.u[i] = noise();
  mj_deleteData(d);
  return c;
}

static Case makeCase(void) { return makeCaseOf(kBiped); }

static void freeCase(Case* c) {
  mjtNum* all[] = {c->x0, c->u, c->state, c->sensor, c->final, c->warm};
  for (int i = 0; i < 6; i++) free(all[i]);
  mj_deleteModel(c->m);
}

static sheafRollout request(Case* c) {
  return (sheafRollout){.size = sizeof(sheafRollout),
                        .nbatch = B,
                        .nstep = T,
                        .state0 = c->x0,
                        .nstate0 = B,
                        .control = c->u,
                        .ncontrol = B,
                        .ncontrolstep = T,
                        .state = c->state,
                        .sensordata = c->sensor,
                        .final_state = c->final,
                        .final_warmstart = c->warm,
                        .status = c->status,
                        .badstep = c->badstep};
}

static sheafPool* openPool(int nthread, int nlane, int chunk) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = nthread;
  cfg.nlane = nlane;
  cfg.chunk = chunk;
  return sheaf_openPool(&cfg, NULL);
}

static void runIn(Case* c, const sheafRollout* r, int nthread, int nlane, int chunk) {
  sheafPool* pool = openPool(nthread, nlane, chunk);
  sheafStatus st = {0};
  CHECK_EQ(sheaf_rollout(pool, c->m, r, &st), 0);
  CHECK_TEXT(st.message, "");
  sheaf_closePool(pool);
}

// returns in how many steps some tree sleeps
static int compareWithSteps(const char* xml) {
  Case c = makeCaseOf(xml);
  sheafRollout r = request(&c);
  runIn(&c, &r, 2, 1, 0);
  CHECK(sheaf_modelLanes(c.m) > 0);

  const mjModel* m = c.m;
  mjData* d = mj_makeData(m);
  mjtNum* x = numbers(c.nx);
  int nwrong = 0, nslept = 0;
  for (int i = 0; i < B; i++) {
    mj_resetData(m, d);
    mj_setState(m, d, c.x0 + (size_t)i * c.nx, mjSTATE_FULLPHYSICS);
    for (int t = 0; t < T; t++) {
      size_t row = (size_t)i * T + t;
      mju_copy(d->ctrl, c.u + row * m->nu, (int)m->nu);
      mj_step(m, d);
      nslept += d->ntree_awake < m->ntree;
      mj_getState(m, d, x, mjSTATE_FULLPHYSICS);
      nwrong += memcmp(x, c.state + row * c.nx, sizeof(mjtNum) * c.nx) != 0;
      nwrong += memcmp(d->sensordata, c.sensor + row * m->nsensordata, sizeof(mjtNum) * m->nsensordata) != 0;
    }
    nwrong += memcmp(d->qacc_warmstart, c.warm + (size_t)i * m->nv, sizeof(mjtNum) * m->nv) != 0;
    nwrong += memcmp(x, c.final + (size_t)i * c.nx, sizeof(mjtNum) * c.nx) != 0;
    CHECK_EQ(c.status[i], 0);
    CHECK_EQ(c.badstep[i], -1);
  }
  CHECK_EQ(nwrong, 0);
  free(x);
  mj_deleteData(d);
  freeCase(&c);
  return nslept;
}

TEST(rollout_is_a_loop_of_steps) { CHECK_EQ(compareWithSteps(kBiped), 0); }

// a worker starts every row awake, whatever slept at the end of its last one; stacked bodies that
// rest, one that falls on them, one that is driven
static const char kSleepers[] =
    "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .0989'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='0 0 .35'><freejoint/><geom type='box' size='.05 .05 .05'/></body>"
    "<body pos='1 0 1'><joint axis='0 1 0' damping='1'/><geom size='.1'/></body>"
    "<body pos='2 0 1'><joint name='j' axis='0 1 0' damping='1'/><geom pos='.1 0 0' size='.1'/></body>"
    "</worldbody><actuator><motor joint='j'/></actuator>"
    "<sensor><jointpos joint='j'/><clock/></sensor></mujoco>";

TEST(rollouts_of_trees_that_sleep_are_loops_of_steps) {
  int nslept = compareWithSteps(kSleepers);
  CHECK(nslept > B * T / 3 && nslept < B * T);
}

// rows that pause after every step, on other threads each time, beside a job that wants the threads, too
static void compareInPieces(const char* xml) {
  Case one = makeCaseOf(xml), c = makeCaseOf(xml), other = makeCase();
  sheafRollout r = request(&one), q = request(&c), beside = request(&other);
  int32_t length[B];
  for (int i = 0; i < B; i++) length[i] = T - i;
  r.length = q.length = length;
  runIn(&one, &r, 1, 1, 0);
  static const int config[][3] = {{1, 1, 0}, {2, 4, 0}, {3, 8, 2}, {4, 1, 5}};
  for (size_t k = 0; k < sizeof config / sizeof config[0]; k++) {
    sheafPoolConfig cfg = sheaf_defaultPoolConfig();
    cfg.nthread = config[k][0];
    cfg.nlane = config[k][1];
    cfg.chunk = config[k][2];
    cfg.piece = 1e-9;
    sheafPool* pool = sheaf_openPool(&cfg, NULL);
    sheafJob* job = sheaf_submit(pool, other.m, SHEAF_ROLLOUT, &beside, NULL, NULL, NULL);
    CHECK_EQ(sheaf_rollout(pool, c.m, &q, NULL), 0);
    sheaf_cancel(job);
    sheaf_wait(job, NULL);
    sheaf_freeJob(job);
    sheaf_closePool(pool);
    CHECK_EQ(memcmp(c.state, one.state, sizeof(mjtNum) * B * T * c.nx), 0);
    CHECK_EQ(memcmp(c.sensor, one.sensor, sizeof(mjtNum) * B * T * c.m->nsensordata), 0);
    CHECK_EQ(memcmp(c.final, one.final, sizeof(mjtNum) * B * c.nx), 0);
    CHECK_EQ(memcmp(c.warm, one.warm, sizeof(mjtNum) * B * c.m->nv), 0);
    CHECK_EQ(memcmp(c.status, one.status, sizeof c.status), 0);
  }
  freeCase(&one);
  freeCase(&c);
  freeCase(&other);
}

TEST(rollouts_in_pieces_have_the_same_bits) {
  compareInPieces(kBiped);
  compareInPieces(kLinked);
  compareInPieces(kSleepers);
}

static void compareConfigurations(const char* xml) {
  Case one = makeCaseOf(xml);
  CHECK(sheaf_modelLanes(one.m) > 1 || !mji_kernels(4));
  sheafRollout r = request(&one);
  runIn(&one, &r, 1, 1, 0);
  static const int config[][3] = {{1, 4, 0}, {1, 8, 0}, {2, 4, 3}, {3, 8, 1}, {2, 0, 0}, {4, 1, 5}};
  for (size_t k = 0; k < sizeof config / sizeof config[0]; k++) {
    if (!test_hasLanes(config[k][1])) continue;
    Case c = makeCaseOf(xml);
    sheafRollout q = request(&c);
    runIn(&c, &q, config[k][0], config[k][1], config[k][2]);
    CHECK_EQ(memcmp(c.state, one.state, sizeof(mjtNum) * B * T * c.nx), 0);
    CHECK_EQ(memcmp(c.sensor, one.sensor, sizeof(mjtNum) * B * T * c.m->nsensordata), 0);
    CHECK_EQ(memcmp(c.final, one.final, sizeof(mjtNum) * B * c.nx), 0);
    CHECK_EQ(memcmp(c.warm, one.warm, sizeof(mjtNum) * B * c.m->nv), 0);
    freeCase(&c);
  }
  freeCase(&one);
}

TEST(rollout_has_the_same_bits_in_any_lanes_threads_and_chunks) { compareConfigurations(kBiped); }

TEST(rollouts_of_coupled_bodies_have_the_same_bits) { compareConfigurations(kLinked); }

// controls of all kinds: bodies that are moved from outside, equalities that come and go
static const char* const kPuppet =
    "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body name='hand' mocap='true' pos='0 0 .5'>"
    "<geom size='.05' contype='0' conaffinity='0'/></body>"
    "<body name='box' pos='.1 0 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body name='rod' pos='.5 0 .3'><joint name='x' axis='0 1 0' damping='.1'/><geom type='capsule' size='.05 "
    ".1'/></body>"
    "</worldbody><equality><weld body1='hand' body2='box'/><connect body1='box' body2='rod' anchor='.1 0 0' "
    "active='false'/>"
    "<joint joint1='x' polycoef='.2 0 0 0 0'/></equality></mujoco>";

TEST(rollouts_with_any_controls_have_the_same_bits_in_any_lanes) {
  Case c = makeCaseOf(kPuppet);
  sheafRollout r = request(&c);
  r.control_spec = mjSTATE_XFRC_APPLIED | mjSTATE_EQ_ACTIVE | mjSTATE_MOCAP_POS | mjSTATE_MOCAP_QUAT;
  size_t n = (size_t)mj_stateSize(c.m, r.control_spec), nstate = (size_t)B * T * (size_t)c.nx;
  mjtNum *control = numbers((size_t)B * T * n), *alone = numbers(nstate);
  for (size_t i = 0; i < (size_t)B * T * n; i++) control[i] = noise() > 0;
  r.control = control;
  r.ncontrol = B;
  r.ncontrolstep = T;
  r.hold = 1;
  for (int nlane = 1; nlane <= 8; nlane = nlane == 1 ? 4 : 2 * nlane) {
    if (!test_hasLanes(nlane)) continue;
    sheafPoolConfig config = sheaf_defaultPoolConfig();
    config.nlane = nlane;
    sheafPool* pool = sheaf_openPool(&config, NULL);
    CHECK_EQ(sheaf_rollout(pool, c.m, &r, NULL), 0);
    sheaf_closePool(pool);
    if (nlane == 1) memcpy(alone, c.state, nstate * sizeof *alone);
    CHECK(!memcmp(alone, c.state, nstate * sizeof *alone));
  }
  free(control);
  free(alone);
  freeCase(&c);
}

TEST(rollout_rows_do_not_depend_on_their_neighbours) {
  Case all = makeCase();
  sheafRollout r = request(&all);
  runIn(&all, &r, 1, 8, 0);
  Case few = makeCase();
  sheafRollout q = request(&few);
  q.nbatch = 3;
  q.state0 = few.x0 + (size_t)5 * few.nx;
  q.control = few.u + (size_t)5 * T * few.m->nu;
  q.nstate0 = q.ncontrol = 3;
  runIn(&few, &q, 1, 4, 0);
  CHECK_EQ(memcmp(few.state, all.state + (size_t)5 * T * all.nx, sizeof(mjtNum) * 3 * T * all.nx), 0);
  freeCase(&all);
  freeCase(&few);
}

TEST(two_rollouts_continue_as_one) {
  Case whole = makeCase(), half = makeCase();
  sheafRollout r = request(&whole);
  runIn(&whole, &r, 2, 0, 0);

  // controls of the two halves lie in one array with T rows each: use the held last row for the
  // rest
  sheafRollout q = request(&half);
  mjtNum* u2 = numbers((size_t)B * (T / 2) * half.m->nu);
  size_t n = (size_t)(T / 2) * half.m->nu;
  for (int i = 0; i < B; i++) memcpy(u2 + i * n, half.u + (2 * i) * n, sizeof(mjtNum) * n);
  q.nstep = q.ncontrolstep = T / 2;
  q.control = u2;
  runIn(&half, &q, 1, 4, 0);
  mjtNum *x1 = numbers((size_t)B * half.nx), *w1 = numbers((size_t)B * half.m->nv);
  memcpy(x1, half.final, sizeof(mjtNum) * B * half.nx);
  memcpy(w1, half.warm, sizeof(mjtNum) * B * half.m->nv);
  for (int i = 0; i < B; i++) memcpy(u2 + i * n, half.u + (2 * i + 1) * n, sizeof(mjtNum) * n);
  q.state0 = x1;
  q.warmstart0 = w1;
  q.nwarmstart0 = B;
  runIn(&half, &q, 2, 1, 0);
  CHECK_EQ(memcmp(half.final, whole.final, sizeof(mjtNum) * B * half.nx), 0);
  CHECK_EQ(memcmp(half.warm, whole.warm, sizeof(mjtNum) * B * half.m->nv), 0);
  free(u2);
  free(x1);
  free(w1);
  freeCase(&whole);
  freeCase(&half);
}

TEST(diverged_row_is_reported_and_disturbs_nobody) {
  for (int nlane = 1; nlane <= 8; nlane = nlane == 1 ? 4 : 2 * nlane) {
    if (!test_hasLanes(nlane)) continue;
    Case good = makeCase(), bad = makeCase();
    sheafRollout r = request(&good), q = request(&bad);
    runIn(&good, &r, 1, nlane, 0);
    bad.x0[(size_t)2 * bad.nx + 3] = NAN;                // a position, from the start
    bad.x0[(size_t)9 * bad.nx + 1 + bad.m->nq] = 1e9;    // a velocity that leaves the range of numbers
    bad.u[((size_t)6 * T + 11) * bad.m->nu] = INFINITY;  // a control, at step 11
    runIn(&bad, &q, 1, nlane, 0);
    CHECK_EQ(bad.status[2], SHEAF_ROW_BADQPOS);
    CHECK_EQ(bad.badstep[2], 0);
    CHECK(bad.status[9] != 0);
    CHECK_EQ(bad.status[6], SHEAF_ROW_BADCTRL);
    CHECK_EQ(bad.badstep[6], 11);
    size_t row = sizeof(mjtNum) * T * bad.nx;
    for (int i = 0; i < B; i++) {
      if (i == 2 || i == 6 || i == 9) continue;
      CHECK_EQ(bad.status[i], 0);
      CHECK_EQ(memcmp((char*)bad.state + i * row, (char*)good.state + i * row, row), 0);
    }

    // the row holds its last valid state
    mjtNum* x = bad.state + ((size_t)6 * T + 10) * bad.nx;
    for (int t = 11; t < T; t++)
      CHECK_EQ(memcmp(x, bad.state + ((size_t)6 * T + t) * bad.nx, sizeof(mjtNum) * bad.nx), 0);
    CHECK_EQ(memcmp(x, bad.final + (size_t)6 * bad.nx, sizeof(mjtNum) * bad.nx), 0);
    freeCase(&good);
    freeCase(&bad);
  }
}

TEST(length_ends_rows_early) {
  Case whole = makeCase(), cut = makeCase();
  sheafRollout r = request(&whole), q = request(&cut);
  int32_t length[B];
  for (int i = 0; i < B; i++) length[i] = (7 * i) % (T + 1);
  q.length = length;
  runIn(&whole, &r, 1, 0, 0);
  runIn(&cut, &q, 2, 4, 0);
  size_t n = sizeof(mjtNum) * cut.nx;
  for (int i = 0; i < B; i++) {
    const mjtNum *a = whole.state + (size_t)i * T * cut.nx, *b = cut.state + (size_t)i * T * cut.nx;
    CHECK_EQ(memcmp(a, b, n * length[i]), 0);
    const mjtNum* last = length[i] ? a + (size_t)(length[i] - 1) * cut.nx : cut.x0 + (size_t)i * cut.nx;
    CHECK_EQ(memcmp(cut.final + (size_t)i * cut.nx, last, n), 0);
    for (int t = length[i]; t < T; t++) CHECK_EQ(memcmp(b + (size_t)t * cut.nx, last, n), 0);
  }
  freeCase(&whole);
  freeCase(&cut);
}

TEST(hold_repeats_controls) {
  Case a = makeCase(), b = makeCase();
  int nu = (int)a.m->nu;
  for (int i = 0; i < B; i++) {
    for (int t = 0; t < T; t++) mju_copy(a.u + ((size_t)i * T + t) * nu, b.u + ((size_t)i * (T / 5) + t / 5) * nu, nu);
  }
  sheafRollout r = request(&a), q = request(&b);
  q.hold = 5;
  q.ncontrolstep = T / 5;
  runIn(&a, &r, 1, 0, 0);
  runIn(&b, &q, 1, 0, 0);
  CHECK_EQ(memcmp(a.state, b.state, sizeof(mjtNum) * B * T * a.nx), 0);
  freeCase(&a);
  freeCase(&b);
}

TEST(outputs_by_name_are_those_of_the_step) {
  Case c = makeCase();
  const mjModel* m = c.m;
  mjtNum *qacc = numbers((size_t)B * T * m->nv), *xpos = numbers((size_t)B * T * 3 * m->nbody);
  mjtNum* com = numbers((size_t)B * T * 3 * m->nbody);
  sheafOutput out[] = {{"qacc", qacc}, {"xpos", xpos}, {"subtree_linvel", com}};
  sheafRollout r = request(&c);
  r.output = out;
  r.noutput = 3;
  runIn(&c, &r, 2, 8, 0);
  mjData* d = mj_makeData(m);
  mj_setState(m, d, c.x0, mjSTATE_FULLPHYSICS);
  for (int t = 0; t < T; t++) {
    mju_copy(d->ctrl, c.u + (size_t)t * m->nu, (int)m->nu);
    mj_step(m, d);
    mj_subtreeVel(m, d);
    CHECK_EQ(memcmp(qacc + (size_t)t * m->nv, d->qacc, sizeof(mjtNum) * m->nv), 0);
    CHECK_EQ(memcmp(xpos + (size_t)t * 3 * m->nbody, d->xpos, sizeof(mjtNum) * 3 * m->nbody), 0);
    CHECK_ARRAY(com + (size_t)t * 3 * m->nbody, d->subtree_linvel, 3 * (int)m->nbody, 1e-12);
  }
  mj_deleteData(d);
  free(qacc);
  free(xpos);
  free(com);
  freeCase(&c);
}

static void expectField(Case* c, sheafRollout r, const char* field) {
  sheafPool* pool = openPool(1, 0, 0);
  sheafStatus st = {0};
  CHECK_EQ(sheaf_rollout(pool, c->m, &r, &st), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(st.field, field);
  CHECK_TEXT(st.message, "got");
  sheaf_closePool(pool);
}

TEST(bad_requests_name_the_field) {
  Case c = makeCase();
  sheafRollout r = request(&c), q;
  q = r, q.size = 3, expectField(&c, q, "size");
  q = r, q.nbatch = 0, expectField(&c, q, "nbatch");
  q = r, q.nstep = 0, expectField(&c, q, "nstep");
  q = r, q.nstate0 = 7, expectField(&c, q, "state0");
  q = r, q.state0 = NULL, expectField(&c, q, "state0");
  q = r, q.ncontrol = 2, expectField(&c, q, "control");
  q = r, q.ncontrolstep = 0, expectField(&c, q, "ncontrolstep");
  q = r, q.hold = -1, expectField(&c, q, "hold");
  q = r, q.control_spec = mjSTATE_QPOS, expectField(&c, q, "control_spec");
  int32_t length[B] = {T + 1};
  q = r, q.length = length, expectField(&c, q, "length");
  sheafOutput out = {"nonsense", c.state};
  q = r, q.output = &out, q.noutput = 1, expectField(&c, q, "output");
  freeCase(&c);
}

// also where numbers that are good have a sum that would not be
TEST(numbers_are_good_together_if_each_is) {
  for (size_t n = 0; n < 20; n++) {
    mjtNum x[20];
    for (size_t i = 0; i < n; i++) x[i] = i % 2 ? mjMAXVAL : -mjMAXVAL;
    CHECK(mji_allGood(x, n));
    for (size_t bad = 0; bad < n; bad++) {
      const mjtNum values[] = {NAN, INFINITY, -INFINITY, -1.0000001 * mjMAXVAL};
      for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < n; i++) x[i] = i == bad ? values[k] : (mjtNum)i;
        CHECK(!mji_allGood(x, n));
      }
    }
  }
}
