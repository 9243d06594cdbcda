// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/record.c and choice.c: which rows and numbers of a rollout come, of which state, and as what.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "support/models.h"
#include "support/same_noise.h"
#include "support/test.h"
#include "support/variants.h"

enum { B = 11, T = 23, NOUTPUT = 6 };

static const char* const kOutput[NOUTPUT] = {"xpos[shin_l]",    "qacc",          "sensordata", "qpos[0:3]",
                                             "cfrc_ext[torso]", "subtree_linvel"};

typedef struct {
  mjModel* m;
  int nx;
  mjtNum *x0, *u, *state, *sensor, *named[NOUTPUT], *final;
  int32_t status[B], badstep[B], length[B];
  sheafOutput output[NOUTPUT];
} Case;

static Case makeCase(const char* xml) {
  Case c = {.m = test_model(xml)};
  const mjModel* m = c.m;
  c.nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  c.x0 = numbers((size_t)B * c.nx);
  c.u = numbers((size_t)B * T * m->nu);
  c.state = numbers((size_t)B * T * c.nx);
  c.sensor = numbers((size_t)B * T * m->nsensordata);
  c.final = numbers((size_t)B * c.nx);
  for (int k = 0; k < NOUTPUT; k++) {
    int n = sheaf_outputSize(m, kOutput[k], NULL);
    c.named[k] = numbers((size_t)B * T * (size_t)(n > 0 ? n : 0));
    c.output[k] = (sheafOutput){kOutput[k], c.named[k]};
  }
  seed = 3;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < B; i++) {
    for (int t = 0; t < 5; t++) mj_step(m, d);
    mj_getState(m, d, c.x0 + (size_t)i * c.nx, mjSTATE_FULLPHYSICS);
    c.length[i] = i % 3 ? T : T - 2 * i;
  }
  for (int i = 0; i < B * T * (int)m->nu; i++) c.u[i] = noise();
  mj_deleteData(d);
  return c;
}

static void freeCase(Case* c) {
  mjtNum* all[] = {c->x0, c->u, c->state, c->sensor, c->final};
  for (int i = 0; i < 5; i++) free(all[i]);
  for (int k = 0; k < NOUTPUT; k++) free(c->named[k]);
  mj_deleteModel(c->m);
}

static sheafRollout request(Case* c) {
  return (sheafRollout){.size = sizeof(sheafRollout),
                        .nbatch = B,
                        .nstep = T,
                        .length = c->length,
                        .state0 = c->x0,
                        .nstate0 = B,
                        .control = c->u,
                        .ncontrol = B,
                        .ncontrolstep = T,
                        .state = c->state,
                        .sensordata = c->sensor,
                        .final_state = c->final,
                        .output = c->output,
                        .noutput = NOUTPUT,
                        .status = c->status,
                        .badstep = c->badstep};
}

// threads, lanes and seconds of a piece
static void runIn(Case* c, const sheafRollout* r, int nthread, int nlane, double piece) {
  sheafPoolConfig config = {.size = sizeof config, .nthread = nthread, .nlane = nlane, .piece = piece};
  sheafPool* pool = sheaf_openPool(&config, NULL);
  sheafStatus status = {0};
  CHECK_EQ(sheaf_rollout(pool, c->m, r, &status), 0);
  CHECK_TEXT(status.message, "");
  sheaf_closePool(pool);
}

static const struct {
  int nthread, nlane;
  double piece;
} kWays[] = {{1, 1, 0}, {2, 4, 0}, {1, 8, 0}, {3, 4, 1e-9}, {2, 1, 1e-9}};

enum { NWAY = sizeof kWays / sizeof kWays[0] };

// ---- every

// rows of n numbers in `some` are those after steps every, 2 every, ... in `all`
static void compareRows(const mjtNum* all, const mjtNum* some, int n, int every, int nrecord) {
  int nwrong = 0;
  for (int i = 0; i < B; i++) {
    for (int k = 0; k < nrecord; k++) {
      int t = every < 0 ? T - 1 : (k + 1) * every - 1;
      const mjtNum *a = all + ((size_t)i * T + t) * n, *b = some + ((size_t)i * nrecord + k) * n;
      nwrong += memcmp(a, b, sizeof(mjtNum) * (size_t)n) != 0;
    }
  }
  CHECK_EQ(nwrong, 0);
}

static void compareEvery(const char* xml, int every, int nrecord, int aligned) {
  Case all = makeCase(xml), some = makeCase(xml);
  sheafRollout r = request(&all), q = request(&some);
  r.aligned = q.aligned = aligned;
  q.every = every;
  runIn(&all, &r, 1, 1, 0);
  for (int k = 0; k < NWAY; k++) {
    if (!test_hasLanes(kWays[k].nlane)) continue;
    runIn(&some, &q, kWays[k].nthread, kWays[k].nlane, kWays[k].piece);
    compareRows(all.state, some.state, all.nx, every, nrecord);
    compareRows(all.sensor, some.sensor, (int)all.m->nsensordata, every, nrecord);
    for (int j = 0; j < NOUTPUT; j++) {
      compareRows(all.named[j], some.named[j], sheaf_outputSize(all.m, kOutput[j], NULL), every, nrecord);
    }
    CHECK_EQ(memcmp(all.final, some.final, sizeof(mjtNum) * B * (size_t)all.nx), 0);
  }
  freeCase(&all);
  freeCase(&some);
}

TEST(every_kth_step_has_a_row) {
  compareEvery(kBiped, 1, T, 0);
  compareEvery(kBiped, 5, T / 5, 0);
  compareEvery(kBiped, 5, T / 5, 1);
}

TEST(the_last_step_has_a_row) {
  compareEvery(kBiped, -1, 1, 0);
  compareEvery(kBiped, -1, 1, 1);
}

TEST(the_state_of_a_row_that_diverged_between_two_rows_is_its_last_valid_one) {
  for (int aligned = 0; aligned < 2; aligned++) {
    Case all = makeCase(kBiped), some = makeCase(kBiped);
    sheafRollout r = request(&all), q = request(&some);
    r.length = q.length = NULL;
    r.aligned = q.aligned = aligned;
    all.u[((size_t)4 * T + 12) * all.m->nu] = some.u[((size_t)4 * T + 12) * all.m->nu] = INFINITY;
    q.every = 5;
    for (int k = 0; k < NWAY; k++) {
      if (!test_hasLanes(kWays[k].nlane)) continue;
      runIn(&all, &r, kWays[k].nthread, kWays[k].nlane, kWays[k].piece);
      runIn(&some, &q, kWays[k].nthread, kWays[k].nlane, kWays[k].piece);
      CHECK_EQ(some.status[4], SHEAF_ROW_BADCTRL);
      CHECK_EQ(some.badstep[4], 12);
      compareRows(all.state, some.state, all.nx, 5, T / 5);

      // other results repeat the row before
      int n = (int)all.m->nsensordata;
      const mjtNum *row = some.sensor + (size_t)4 * (T / 5) * n, *before = all.sensor + ((size_t)4 * T + 9) * n;
      for (int i = 2; i < T / 5; i++) CHECK_EQ(memcmp(row + i * n, before, sizeof(mjtNum) * (size_t)n), 0);
    }
    freeCase(&all);
    freeCase(&some);
  }
}

// ---- of which state

// aligned outputs are those of forward dynamics at the state beside them, with the controls that come next
static void compareAligned(const char* xml) {
  Case c = makeCase(xml);
  const mjModel* m = c.m;
  sheafRollout r = request(&c);
  r.aligned = 1;
  int ns = (int)m->nsensordata, nv = (int)m->nv, nu = (int)m->nu;
  for (int k = 0; k < NWAY; k++) {
    if (!test_hasLanes(kWays[k].nlane)) continue;
    runIn(&c, &r, kWays[k].nthread, kWays[k].nlane, kWays[k].piece);
    int nwrong = 0;
    for (int i = 0; i < B; i++) {
      mjData* d = mj_makeData(m);
      mjData* here = mj_makeData(m);
      mj_setState(m, d, c.x0 + (size_t)i * c.nx, mjSTATE_FULLPHYSICS);
      for (int t = 0; t < c.length[i]; t++) {
        size_t row = (size_t)i * T + t;
        mju_copy(d->ctrl, c.u + row * nu, nu);
        mj_step(m, d);
        mj_copyData(here, m, d);
        if (t + 1 < c.length[i]) mju_copy(here->ctrl, c.u + (row + 1) * nu, nu);
        mj_forward(m, here);
        mj_rnePostConstraint(m, here);
        nwrong += memcmp(c.sensor + row * ns, here->sensordata, sizeof(mjtNum) * (size_t)ns) != 0;
        nwrong += memcmp(c.named[1] + row * nv, here->qacc, sizeof(mjtNum) * (size_t)nv) != 0;
        nwrong += memcmp(c.named[3] + row * 3, c.state + row * c.nx + 1, 3 * sizeof(mjtNum)) != 0;
        nwrong +=
            memcmp(c.named[0] + row * 3, here->xpos + 3 * mj_name2id(m, mjOBJ_BODY, "shin_l"), 3 * sizeof(mjtNum)) != 0;
        nwrong += memcmp(c.named[4] + row * 6, here->cfrc_ext + 6 * mj_name2id(m, mjOBJ_BODY, "torso"),
                         6 * sizeof(mjtNum)) != 0;
      }
      for (int t = c.length[i]; t < T; t++) {
        const mjtNum* row = c.sensor + ((size_t)i * T + t) * ns;
        nwrong += memcmp(row, row - ns, sizeof(mjtNum) * (size_t)ns) != 0;
      }
      mj_deleteData(d);
      mj_deleteData(here);
    }
    CHECK_EQ(nwrong, 0);
  }
  freeCase(&c);
}

TEST(aligned_outputs_belong_to_the_state_beside_them) { compareAligned(kBiped); }

static void compareStates(const char* xml) {
  Case plain = makeCase(xml), aligned = makeCase(xml);
  sheafRollout r = request(&plain), q = request(&aligned);
  r.noutput = q.noutput = 0;
  q.aligned = 1;
  runIn(&plain, &r, 1, 1, 0);
  for (int k = 0; k < NWAY; k++) {
    if (!test_hasLanes(kWays[k].nlane)) continue;
    runIn(&aligned, &q, kWays[k].nthread, kWays[k].nlane, kWays[k].piece);
    CHECK_EQ(memcmp(plain.state, aligned.state, sizeof(mjtNum) * B * T * (size_t)plain.nx), 0);
    CHECK_EQ(memcmp(plain.final, aligned.final, sizeof(mjtNum) * B * (size_t)plain.nx), 0);
  }
  freeCase(&plain);
  freeCase(&aligned);
}

static const char kSleepers[] =
    "<mujoco><option integrator='%s'><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .0989'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='2 0 1'><joint name='j' axis='0 1 0' damping='1'/><geom pos='.1 0 0' size='.1'/></body>"
    "</worldbody><actuator><motor joint='j'/></actuator><sensor><jointpos joint='j'/><clock/></sensor></mujoco>";

TEST(aligned_rollouts_have_the_same_states) {
  compareStates(kBiped);
  const char* integrator[] = {"Euler", "implicitfast", "implicit", "RK4"};
  for (int k = 0; k < 4; k++) {
    char xml[1000];
    snprintf(xml, sizeof xml, kSleepers, integrator[k]);
    if (k < 3) compareStates(xml);
    char* sleep = strstr(xml, "<flag");
    memset(sleep, ' ', (size_t)(strstr(sleep, "/>") + 2 - sleep));
    compareStates(xml);
  }
}

// ---- as what

TEST(floats_are_rounded_doubles) {
  Case c = makeCase(kBiped), f = makeCase(kBiped);
  sheafRollout r = request(&c), q = request(&f);
  q.dtype = 4;
  runIn(&c, &r, 1, 1, 0);
  for (int k = 0; k < NWAY; k++) {
    if (!test_hasLanes(kWays[k].nlane)) continue;
    runIn(&f, &q, kWays[k].nthread, kWays[k].nlane, kWays[k].piece);
    int nwrong = 0;
    for (int i = 0; i < B * T * c.nx; i++) nwrong += ((float*)f.state)[i] != (float)c.state[i];
    for (int i = 0; i < B * T * (int)c.m->nv; i++) nwrong += ((float*)f.named[1])[i] != (float)c.named[1][i];
    for (int i = 0; i < B * T * (int)c.m->nsensordata; i++) nwrong += ((float*)f.sensor)[i] != (float)c.sensor[i];
    CHECK_EQ(nwrong, 0);

    // a rollout goes on from its final state with the same bits
    CHECK_EQ(memcmp(c.final, f.final, sizeof(mjtNum) * B * (size_t)c.nx), 0);
  }
  freeCase(&c);
  freeCase(&f);
}

TEST(forward_and_inverse_give_floats_too) {
  mjModel* m = test_model(kBiped);
  int nv = (int)m->nv;
  mjtNum *v = numbers((size_t)nv), *all = numbers((size_t)nv);
  float* few = calloc((size_t)nv, sizeof *few);
  sheafPool* pool = sheaf_openPool(NULL, NULL);
  for (int i = 0; i < nv; i++) v[i] = noise();
  sheafOutput output = {"qacc", all};
  sheafForward f = {.size = sizeof f, .nbatch = 1, .qvel = v, .nqvel = 1, .output = &output, .noutput = 1};
  CHECK_EQ(sheaf_forward(pool, m, &f, NULL), 0);
  output.data = (mjtNum*)(void*)few;
  f.dtype = 4;
  CHECK_EQ(sheaf_forward(pool, m, &f, NULL), 0);
  for (int i = 0; i < nv; i++) CHECK(few[i] == (float)all[i]);

  sheafInverse q = {.size = sizeof q, .nbatch = 1, .qvel = v, .nqvel = 1, .qfrc_inverse = all};
  CHECK_EQ(sheaf_inverse(pool, m, &q, NULL), 0);
  q.qfrc_inverse = (mjtNum*)(void*)few;
  q.dtype = 4;
  CHECK_EQ(sheaf_inverse(pool, m, &q, NULL), 0);
  for (int i = 0; i < nv; i++) CHECK(few[i] == (float)all[i]);
  sheaf_closePool(pool);
  free(v);
  free(all);
  free(few);
  mj_deleteModel(m);
}

// ---- which numbers

// the numbers of a named output at the initial state
static int numbersOf(const mjModel* m, const char* name, mjtNum* out) {
  sheafPool* pool = sheaf_openPool(NULL, NULL);
  sheafOutput output = {name, out};
  sheafForward f = {.size = sizeof f, .nbatch = 1, .output = &output, .noutput = 1};
  CHECK_EQ(sheaf_forward(pool, m, &f, NULL), 0);
  sheaf_closePool(pool);
  return sheaf_outputSize(m, name, NULL);
}

// a name with brackets is those rows of the whole array
static void compareChosen(const mjModel* m, const char* name, const char* whole, const int* rows, int nrow, int cols) {
  mjtNum few[400], all[4000];
  int shape[2] = {-1, -1}, size = sheaf_outputShape(m, name, shape, NULL);
  CHECK_EQ(size, nrow * cols);
  CHECK_EQ(shape[0] * shape[1], nrow * cols);
  CHECK_EQ(numbersOf(m, name, few), size);
  numbersOf(m, whole, all);
  for (int i = 0; i < nrow; i++) CHECK_ARRAY(few + i * cols, all + rows[i] * cols, cols, 0);
}

TEST(brackets_choose_rows) {
  mjModel* m = test_model(kBiped);
  int body = mj_name2id(m, mjOBJ_BODY, "shin_l"), other = mj_name2id(m, mjOBJ_BODY, "thigh_r");
  int joint = mj_name2id(m, mjOBJ_JOINT, "knee_l"), shape[2];
  compareChosen(m, "xpos[shin_l]", "xpos", &body, 1, 3);
  compareChosen(m, "xpos[thigh_r, shin_l]", "xpos", (int[]){other, body}, 2, 3);
  compareChosen(m, "xpos[ 1:3 ,0]", "xpos", (int[]){1, 2, 0}, 3, 3);
  compareChosen(m, "xquat[:2]", "xquat", (int[]){0, 1}, 2, 4);
  compareChosen(m, "qpos[knee_l]", "qpos", &m->jnt_qposadr[joint], 1, 1);
  compareChosen(m, "qvel[knee_l]", "qvel", &m->jnt_dofadr[joint], 1, 1);
  compareChosen(m, "M[knee_l, 0:2]", "M", (int[]){m->jnt_dofadr[joint], 0, 1}, 3, (int)m->nv);
  CHECK_EQ(sheaf_outputSize(m, "xpos[shin_l]", shape), 3);
  CHECK_EQ(shape[0], 3);
  CHECK_EQ(sheaf_outputSize(m, "xpos[1:2]", shape), 3);
  CHECK_EQ(shape[0], 1);
  CHECK_EQ(sheaf_outputSize(m, "qpos[2:]", NULL), (int)m->nq - 2);
  mj_deleteModel(m);
}

// names that look like something else, and elements that have several rows or none
TEST(elements_are_found_by_any_name) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body name='a,b'><freejoint name='1'/><geom size='.1'/><site name='s' pos='.1 0 0'/></body>"
      "<body name='x' mocap='true'><geom size='.1' contype='0' conaffinity='0'/></body>"
      "<body pos='1 0 0'><joint name='j'/><geom size='.1'/></body></worldbody>"
      "<actuator><motor name='plain' joint='j'/><general name='slow' joint='j' dyntype='filter' dynprm='1'/></actuator>"
      "<sensor><accelerometer name='acc' site='s'/><jointpos name='pos' joint='j'/></sensor></mujoco>");
  int shape[2];
  sheafStatus status;
  CHECK_EQ(sheaf_outputSize(m, "xpos[a,b]", shape), 3);
  CHECK_EQ(sheaf_outputSize(m, "qpos[1]", NULL), 7);
  CHECK_EQ(sheaf_outputSize(m, "qvel[1]", NULL), 6);
  CHECK_EQ(sheaf_outputSize(m, "qvel[0]", NULL), 1);
  CHECK_EQ(sheaf_outputSize(m, "sensordata[acc]", NULL), 3);
  CHECK_EQ(sheaf_outputSize(m, "sensordata[pos,acc]", NULL), 4);
  CHECK_EQ(sheaf_outputSize(m, "act[slow]", NULL), 1);
  CHECK_EQ(sheaf_outputSize(m, "mocap_pos[x]", NULL), 3);
  CHECK_EQ(sheaf_outputShape(m, "act[plain]", NULL, &status), -1);
  CHECK_TEXT(status.message, "slow");
  CHECK_EQ(sheaf_outputShape(m, "mocap_pos[a,b]", NULL, &status), -1);
  mj_deleteModel(m);
}

static void expectMessage(const mjModel* m, const char* name, const char* expected) {
  sheafStatus status = {0};
  CHECK_EQ(sheaf_outputShape(m, name, NULL, &status), -1);
  CHECK_EQ(status.code, SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(status.field, "output");
  CHECK_TEXT(status.message, expected);
}

TEST(what_there_is_not_is_refused_with_what_there_is) {
  mjModel* m = test_model(kBiped);
  expectMessage(m, "qac", "expected one of qacc, ");
  expectMessage(m, "site_pos", "expected one of site_xpos, ");
  expectMessage(m, NULL, "expected one of ");
  expectMessage(m, "xpos[shin]", "bodies shin_");
  expectMessage(m, "xpos[99]", "a row from 0 to ");
  expectMessage(m, "xpos[-1]", "a row from 0 to ");
  expectMessage(m, "xpos[99999999999999999999]", "a row from 0 to ");
  expectMessage(m, "xpos[3:2]", "a row from 0 to ");
  expectMessage(m, "xpos[]", "a row from 0 to ");
  expectMessage(m, "xpos[1,]", "a row from 0 to ");
  expectMessage(m, "xpos[1", "elements between [ and ]");
  expectMessage(m, "xpos[", "elements between [ and ]");
  expectMessage(m, "xpos[1,0:2]", "each row once");
  expectMessage(m, "xpos[torso, torso]", "each row once");
  expectMessage(m, "qLD[torso]", "numbers of rows from 0 to ");
  expectMessage(m, "time[torso]", "numbers of rows from 0 to 0");
  mj_deleteModel(m);
}

TEST(options_of_results_are_checked) {
  Case c = makeCase(kBiped);
  sheafPool* pool = sheaf_openPool(NULL, NULL);
  sheafStatus status;
  sheafRollout r = request(&c), q;
  q = r, q.every = T + 1;
  CHECK_EQ(sheaf_rollout(pool, c.m, &q, &status), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(status.field, "every");
  q = r, q.every = -2;
  CHECK_EQ(sheaf_rollout(pool, c.m, &q, &status), SHEAF_INVALID_ARGUMENT);
  q = r, q.dtype = 6;
  CHECK_EQ(sheaf_rollout(pool, c.m, &q, &status), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(status.field, "dtype");
  sheaf_closePool(pool);
  freeCase(&c);
}
