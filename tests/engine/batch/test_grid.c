// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/state_dynamics.c: rows that share positions or velocities, and solves that start from the
// first.

#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "batch/evaluator.h"
#include "batch/params.h"
#include "model/work.h"
#include "pool/worker.h"
#include "solve/center.h"
#include "solve/kept_hessian.h"
#include "support/models.h"
#include "support/same_noise.h"
#include "support/test.h"

// rows: NPOS positions, for each NVEL velocities, for each NCTRL controls
enum { NPOS = 3, NVEL = 3, NCTRL = 7, B = NPOS * NVEL * NCTRL, NOUTPUT = 6 };

static const char* const kOutput[NOUTPUT] = {"qacc", "xpos", "qfrc_bias", "sensordata", "qfrc_constraint", "energy"};

// a tendon with a limit, a muscle-like activation and an equality beside what the biped has
static const char kMixed[] =
    "<mujoco><option cone='elliptic' timestep='.004'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .09'><freejoint/><geom type='box' size='.2 .1 .1'/><site name='a' pos='.1 0 .1'/>"
    "<body pos='.2 0 .1'><joint name='j' axis='0 1 0' damping='.2' frictionloss='.1'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .2 0 .1'/><site name='b' pos='.2 0 .1'/></body></body>"
    "<body pos='1 0 .1' name='ball'><freejoint/><geom size='.11'/></body></worldbody>"
    "<tendon><spatial name='t' limited='true' range='0 .15'><site site='a'/><site site='b'/></spatial></tendon>"
    "<actuator><general name='a0' joint='j' dyntype='filter' dynprm='.1' gear='3'/><motor tendon='t' "
    "gear='2'/></actuator>"
    "<equality><connect body1='ball' anchor='0 0 0' active='true' body2='world'/></equality>"
    "<sensor><tendonpos tendon='t'/><jointvel joint='j'/><accelerometer site='a'/><actuatorfrc actuator='a0'/></sensor>"
    "</mujoco>";

typedef struct {
  mjModel* m;
  mjtNum *qpos, *qvel, *act, *ctrl;
  mjtNum* mass;  // of the bodies, if rows have their own
} Grid;

static Grid makeGrid(const char* xml) {
  Grid g = {.m = test_model(xml)};
  const mjModel* m = g.m;
  g.qpos = numbers((size_t)B * m->nq);
  g.qvel = numbers((size_t)B * m->nv);
  g.act = numbers((size_t)B * m->na);
  g.ctrl = numbers((size_t)B * m->nu);
  mjData* d = mj_makeData(m);
  mjtNum* qvel = numbers(m->nv);
  for (int i = 0; i < B; i++) {
    if (i % (NVEL * NCTRL) == 0) {
      for (int t = 0; t < 60; t++) mj_step(m, d);
    }
    for (int k = 0; k < m->nv && i % NCTRL == 0; k++) qvel[k] = d->qvel[k] + 0.1 * noise();
    mju_copy(g.qpos + (size_t)i * m->nq, d->qpos, (int)m->nq);
    mju_copy(g.qvel + (size_t)i * m->nv, qvel, (int)m->nv);
    for (int k = 0; k < m->na; k++) g.act[(size_t)i * m->na + k] = noise();
    for (int k = 0; k < m->nu; k++) g.ctrl[(size_t)i * m->nu + k] = noise();
  }
  free(qvel);
  mj_deleteData(d);
  return g;
}

// masses of their own for each `block` rows
static void setMasses(Grid* g, int block) {
  size_t n = (size_t)g->m->nbody;
  if (!g->mass) g->mass = numbers(B * n);
  for (size_t i = 0; i < B * n; i++) g->mass[i] = g->m->body_mass[i % n] * (1 + 0.1 * (double)(i / n / (size_t)block));
}

static void freeGrid(Grid* g) {
  mjtNum* all[] = {g->qpos, g->qvel, g->act, g->ctrl, g->mass};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
  mj_deleteModel(g->m);
}

// a request for n rows from one on
static sheafForward rowsOf(const Grid* g, int first, int n, sheafOutput* output, mjtNum* const* data) {
  static sheafParam param;
  const mjModel* m = g->m;
  if (g->mass) param = (sheafParam){"body_mass", g->mass + (size_t)first * m->nbody, n};
  for (int k = 0; k < NOUTPUT; k++) {
    output[k] = (sheafOutput){kOutput[k], data[k] + (size_t)first * sheaf_outputSize(m, kOutput[k], NULL)};
  }
  return (sheafForward){.size = sizeof(sheafForward),
                        .nbatch = n,
                        .qpos = g->qpos + (size_t)first * m->nq,
                        .nqpos = n,
                        .qvel = g->qvel + (size_t)first * m->nv,
                        .nqvel = n,
                        .act = m->na ? g->act + (size_t)first * m->na : NULL,
                        .nact = m->na ? n : 0,
                        .ctrl = g->ctrl + (size_t)first * m->nu,
                        .nctrl = n,
                        .output = output,
                        .noutput = NOUTPUT,
                        .param = &param,
                        .nparam = g->mass != NULL};
}

static void makeResults(const mjModel* m, mjtNum** data) {
  for (int k = 0; k < NOUTPUT; k++) data[k] = numbers((size_t)B * sheaf_outputSize(m, kOutput[k], NULL));
}

static void compareResults(const mjModel* m, mjtNum** a, mjtNum** b) {
  for (int k = 0; k < NOUTPUT; k++) {
    size_t n = sizeof(mjtNum) * B * (size_t)sheaf_outputSize(m, kOutput[k], NULL);
    if (memcmp(a[k], b[k], n)) CHECK_TEXT(kOutput[k], "the same bits");
  }
}

static void freeResults(mjtNum** data) {
  for (int k = 0; k < NOUTPUT; k++) free(data[k]);
}

static sheafPool* openPool(int nthread, int nlane) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = nthread;
  cfg.nlane = nlane;
  return sheaf_openPool(&cfg, NULL);
}

// block: rows that share masses of their own, 0: all have those of the model
static void compareGrid(const char* xml, int block) {
  Grid g = makeGrid(xml);
  if (block) setMasses(&g, block);
  mjtNum *alone[NOUTPUT], *many[NOUTPUT];
  sheafOutput output[NOUTPUT];
  sheafStatus status;
  makeResults(g.m, alone);
  makeResults(g.m, many);
  sheafPool* pool = openPool(1, 1);
  for (int i = 0; i < B; i++) {
    sheafForward r = rowsOf(&g, i, 1, output, alone);
    CHECK_EQ(sheaf_forward(pool, g.m, &r, &status), 0);
  }
  sheaf_closePool(pool);
  static const int way[][2] = {{1, 1}, {1, 4}, {1, 8}, {3, 1}, {2, 4}};
  for (size_t k = 0; k < sizeof way / sizeof way[0]; k++) {
    pool = openPool(way[k][0], way[k][1]);
    sheafForward r = rowsOf(&g, 0, B, output, many);
    CHECK_EQ(sheaf_forward(pool, g.m, &r, &status), 0);
    compareResults(g.m, alone, many);
    sheaf_closePool(pool);
  }
  freeResults(alone);
  freeResults(many);
  freeGrid(&g);
}

TEST(rows_that_share_positions_have_the_bits_of_each_alone) {
  compareGrid(kBiped, 0);
  compareGrid(kMixed, 0);
}

TEST(rows_that_share_positions_and_parameters_have_these_bits_too) {
  compareGrid(kBiped, NVEL * NCTRL);
  compareGrid(kMixed, NCTRL - 2);
}

// ---- what is computed

// what the last solve had of an earlier one
enum { NOTHING, HESSIAN, CENTER, SOLVER };

// the stages that one worker runs for a request, in groups of one, and where the last solve began: SOLVER if there was
// a center, but some rows were left to the solver
static void countStages(const mjModel* m, int kind, const void* request, int* position, int* velocity, int* begins) {
  sheafPool* pool = openPool(1, 1);
  sheafStatus status;
  sheafJob job = {.m = m, .pool = pool, .kind = kind, .request = mji_takeRequest(m, kind, request, 0, &status)};
  pthread_mutex_init(&job.progress_lock, NULL);
  const sheafForward* f = job.request;
  if (kind == SHEAF_FORWARD) CHECK_EQ(mji_takeParams(&job, f->param, f->nparam, f->keep_constants, &status), 0);
  CHECK_EQ(kind == SHEAF_FORWARD ? mji_prepareForward(&job, pool, &status) : mji_prepareInverse(&job, pool, &status),
           0);
  mjiWorker w = {.owner = pthread_self()};
  for (int i = 0; i < job.nitem; i++) job.run(&w, &job, i);
  *position = w.held ? w.held->timer[mjTIMER_POSITION].number : -1;
  *velocity = w.held ? w.held->timer[mjTIMER_VELOCITY].number : -1;
  const mjiKeptHessian* kept = w.held ? mji_work(w.held)->hessian : NULL;
  const mjiCenter* center = w.held ? mji_work(w.held)->center : NULL;
  if (begins) *begins = center ? center->nleft ? SOLVER : CENTER : kept && !kept->misses ? HESSIAN : NOTHING;
  mji_workerFree(&w);
  free(job.request);
  free(job.prepared);
  free(job.params);
  pthread_mutex_destroy(&job.progress_lock);
  sheaf_closePool(pool);
}

TEST(stages_run_once_for_rows_that_share_their_inputs) {
  Grid g = makeGrid(kBiped);
  mjtNum* data[NOUTPUT];
  sheafOutput output[NOUTPUT];
  int position, velocity;
  makeResults(g.m, data);
  sheafForward r = rowsOf(&g, 0, B, output, data);
  countStages(g.m, SHEAF_FORWARD, &r, &position, &velocity, NULL);
  CHECK_EQ(position, NPOS);
  CHECK_EQ(velocity, NPOS * NVEL);

  // one row for all
  r.nqpos = r.nqvel = 1;
  countStages(g.m, SHEAF_FORWARD, &r, &position, &velocity, NULL);
  CHECK_EQ(position, 1);
  CHECK_EQ(velocity, 1);

  mjtNum* force = numbers((size_t)B * g.m->nv);
  sheafInverse inverse = {.size = sizeof inverse,
                          .nbatch = B,
                          .qpos = g.qpos,
                          .nqpos = B,
                          .qvel = g.qvel,
                          .nqvel = B,
                          .qacc = g.qvel,
                          .nqacc = B,
                          .qfrc_inverse = force};
  countStages(g.m, SHEAF_INVERSE, &inverse, &position, &velocity, NULL);
  CHECK_EQ(position, NPOS);
  CHECK_EQ(velocity, NPOS * NVEL);

  // time is an input of sensors of positions
  mjtNum time[B];
  for (int i = 0; i < B; i++) time[i] = i;
  r.time = time;
  r.ntime = B;
  countStages(g.m, SHEAF_FORWARD, &r, &position, &velocity, NULL);
  CHECK_EQ(position, B);
  free(force);
  freeResults(data);
  freeGrid(&g);
}

// rows of other parameters begin with fresh data, so that stages are counted from there
TEST(stages_run_once_for_rows_that_share_parameters_too) {
  Grid g = makeGrid(kBiped);
  mjtNum* data[NOUTPUT];
  sheafOutput output[NOUTPUT];
  int position, velocity;
  makeResults(g.m, data);
  const int block[][3] = {{B, NPOS, NPOS * NVEL}, {NVEL * NCTRL, 1, NVEL}, {2 * NCTRL, 1, 1}, {1, 1, 1}};
  for (int k = 0; k < 4; k++) {
    setMasses(&g, block[k][0]);
    sheafForward r = rowsOf(&g, 0, B, output, data);
    countStages(g.m, SHEAF_FORWARD, &r, &position, &velocity, NULL);
    CHECK_EQ(position, block[k][1]);
    CHECK_EQ(velocity, block[k][2]);
  }
  freeResults(data);
  freeGrid(&g);
}

// trees that sleep are part of the state
TEST(models_that_sleep_are_computed_row_by_row) {
  mjModel* m = test_model(
      "<mujoco><option><flag sleep='enable'/></option><worldbody><body><freejoint/><geom size='.1'/></body></worldbody>"
      "</mujoco>");
  int position, velocity;
  mjtNum qacc[6 * 9];
  sheafOutput output = {"qacc", qacc};
  sheafForward r = {.size = sizeof r, .nbatch = 9, .output = &output, .noutput = 1};
  countStages(m, SHEAF_FORWARD, &r, &position, &velocity, NULL);
  CHECK_EQ(position, -1);
  mj_deleteModel(m);
}

// ---- solves that start from the first row

TEST(solves_start_from_the_solution_of_row_0) {
  Grid g = makeGrid(kBiped);
  g.m->opt.iterations = 3;  // so that it matters where a solve starts
  int nv = (int)g.m->nv;
  mjtNum *plain[NOUTPUT], *shared[NOUTPUT], *given[NOUTPUT];
  sheafOutput output[NOUTPUT];
  sheafStatus status;
  makeResults(g.m, plain);
  makeResults(g.m, shared);
  makeResults(g.m, given);
  sheafPool* pool = openPool(1, 1);
  sheafForward r = rowsOf(&g, 0, B, output, plain);
  CHECK_EQ(sheaf_forward(pool, g.m, &r, &status), 0);
  r = rowsOf(&g, 0, B, output, given);
  mjtNum* warmstart = numbers((size_t)B * nv);
  for (int i = 1; i < B; i++) mju_copy(warmstart + i * nv, plain[0], nv);
  r.warmstart = warmstart;
  r.nwarmstart = B;
  CHECK_EQ(sheaf_forward(pool, g.m, &r, &status), 0);
  sheaf_closePool(pool);
  CHECK(memcmp(plain[0], given[0], sizeof(mjtNum) * (size_t)(B * nv)) != 0);

  static const int way[][2] = {{1, 1}, {1, 4}, {2, 8}};
  for (size_t k = 0; k < sizeof way / sizeof way[0]; k++) {
    pool = openPool(way[k][0], way[k][1]);
    r = rowsOf(&g, 0, B, output, shared);
    r.share_warmstart = 1;
    CHECK_EQ(sheaf_forward(pool, g.m, &r, &status), 0);
    compareResults(g.m, given, shared);
    r.warmstart = warmstart;
    r.nwarmstart = B;
    CHECK_EQ(sheaf_forward(pool, g.m, &r, &status), SHEAF_INVALID_ARGUMENT);
    CHECK_TEXT(status.field, "warmstart");
    sheaf_closePool(pool);
  }
  free(warmstart);
  freeResults(plain);
  freeResults(shared);
  freeResults(given);
  freeGrid(&g);
}

static void checkBegins(const char* xml, int expected) {
  Grid g = makeGrid(xml);
  mjtNum* data[NOUTPUT];
  sheafOutput output[NOUTPUT];
  int position, velocity, begins;
  makeResults(g.m, data);
  for (int i = 0; i < B * g.m->nu; i++) g.ctrl[i] *= 1e-3;  // near enough to start from the center, not without rows
  sheafForward r = rowsOf(&g, 0, B, output, data);
  r.nqpos = r.nqvel = r.nact = 1;
  r.share_warmstart = 1;
  countStages(g.m, SHEAF_FORWARD, &r, &position, &velocity, &begins);
  CHECK_EQ(position, 1);
  CHECK_EQ(begins, expected);

  // rows with positions of their own have nothing to keep
  r.nqpos = B;
  for (int i = 0; i < B; i++) g.qpos[(size_t)i * g.m->nq] += 1e-3 * i;
  countStages(g.m, SHEAF_FORWARD, &r, &position, &velocity, &begins);
  CHECK_EQ(begins, NOTHING);
  freeResults(data);
  freeGrid(&g);
}

TEST(solves_from_one_start_begin_with_what_is_known_there) {
  checkBegins(kBiped, CENTER);
  checkBegins(kMixed, HESSIAN);
}

// dry friction in chains, limits, an equality, contacts that slide and lift off
static const char kRough[] =
    "<mujoco><option timestep='.004' tolerance='1e-11'/><default><geom friction='.6' condim='4'/></default><worldbody>"
    "<geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .09'><freejoint/><geom type='box' size='.2 .1 .1'/><site name='a' pos='.1 0 .1'/>"
    "<body pos='.2 0 .1'><joint name='j' axis='0 1 0' damping='.2' frictionloss='.4' limited='true' range='-5 5'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .2 0 .1'/><site name='b' pos='.2 0 .1'/>"
    "<body pos='.2 0 .1'><joint name='k' axis='1 1 0' frictionloss='.3' armature='.001'/><geom size='.04'/>"
    "<body pos='.1 0 .1'><joint name='l' axis='0 1 1' frictionloss='.2' armature='.001'/><geom "
    "size='.03'/></body></body>"
    "</body></body><body pos='1 0 .1'><freejoint/><geom name='ball' size='.11' condim='1'/></body>"
    "<body pos='1.5 0 .2' name='hung'><freejoint/><geom size='.1' condim='6'/></body></worldbody>"
    "<tendon><spatial name='t' limited='true' range='0 .22' frictionloss='.1'><site site='a'/><site "
    "site='b'/></spatial>"
    "</tendon><actuator><motor joint='j' gear='3'/><motor joint='k' gear='.5'/><motor joint='l' gear='.3'/>"
    "<motor tendon='t' gear='2'/></actuator>"
    "<equality><connect body1='hung' anchor='0 0 .3' body2='world'/></equality>"
    "<sensor><accelerometer site='a'/><touch site='a'/></sensor></mujoco>";

// All rows at the positions of the first, with velocities and controls of their own: the center helps, and results do
// not depend on lanes and threads. They are as near to those of solves without a center as the tolerance asks for.
static void checkCenter(const char* xml, mjtNum scale) {
  Grid g = makeGrid(xml);
  mjtNum *plain[NOUTPUT], *one[NOUTPUT], *shared[NOUTPUT];
  sheafOutput output[NOUTPUT];
  sheafStatus status;
  int nv = (int)g.m->nv, position, velocity, begins;
  for (int i = 0; i < B * g.m->nu; i++) g.ctrl[i] *= scale;
  g.m->opt.tolerance = 1e-11;
  makeResults(g.m, plain);
  makeResults(g.m, one);
  makeResults(g.m, shared);
  sheafPool* pool = openPool(1, 8);
  sheafForward r = rowsOf(&g, 0, B, output, plain);
  r.nqpos = 1;
  CHECK_EQ(sheaf_forward(pool, g.m, &r, &status), 0);
  sheaf_closePool(pool);
  g.m->opt.tolerance = 1e-8;
  r = rowsOf(&g, 0, B, output, one);
  r.nqpos = 1;
  r.share_warmstart = 1;
  countStages(g.m, SHEAF_FORWARD, &r, &position, &velocity, &begins);
  CHECK_EQ(begins, CENTER);
  for (int i = 0; i < B; i++) {
    const mjtNum *a = plain[0] + i * nv, *b = one[0] + i * nv;
    for (int k = 0; k < nv; k++) CHECK_NEAR(b[k], a[k], 1e-6 * (1 + mju_norm(a, nv)));
  }

  // the first row is solved as it is without the others
  mjtNum* first = numbers((size_t)nv);
  sheafOutput qacc = {"qacc", first};
  r = rowsOf(&g, 0, 1, output, plain);
  r.output = &qacc;
  r.noutput = 1;
  pool = openPool(1, 1);
  CHECK_EQ(sheaf_forward(pool, g.m, &r, &status), 0);
  CHECK_EQ(memcmp(first, one[0], sizeof(mjtNum) * (size_t)nv), 0);
  sheaf_closePool(pool);
  free(first);
  static const int way[][2] = {{1, 1}, {1, 4}, {1, 8}, {2, 4}, {3, 8}};
  for (size_t k = 0; k < sizeof way / sizeof way[0]; k++) {
    pool = openPool(way[k][0], way[k][1]);
    r = rowsOf(&g, 0, B, output, shared);
    r.nqpos = 1;
    r.share_warmstart = 1;
    CHECK_EQ(sheaf_forward(pool, g.m, &r, &status), 0);
    compareResults(g.m, one, shared);
    sheaf_closePool(pool);
  }
  freeResults(plain);
  freeResults(one);
  freeResults(shared);
  freeGrid(&g);
}

TEST(a_center_changes_no_solution_beyond_the_tolerance) {
  static const mjtNum scale[] = {0, .01, .3, 3, 30};
  for (size_t k = 0; k < sizeof scale / sizeof scale[0]; k++) {
    checkCenter(kBiped, scale[k]);
    checkCenter(kRough, scale[k]);
  }
}

// rows that do not meet the tolerance are left to the solver, which starts as it would without a center
TEST(rows_that_a_center_does_not_solve_are_left_to_the_solver) {
  Grid g = makeGrid(kRough);
  mjtNum *given[NOUTPUT], *shared[NOUTPUT];
  sheafOutput output[NOUTPUT];
  sheafStatus status;
  int nv = (int)g.m->nv;
  g.m->opt.tolerance = 0;
  makeResults(g.m, given);
  makeResults(g.m, shared);
  sheafPool* pool = openPool(1, 4);
  sheafForward r = rowsOf(&g, 0, B, output, shared);
  r.nqpos = 1;
  r.share_warmstart = 1;
  CHECK_EQ(sheaf_forward(pool, g.m, &r, &status), 0);
  mjtNum* warmstart = numbers((size_t)B * nv);
  for (int i = 1; i < B; i++) mju_copy(warmstart + i * nv, shared[0], nv);
  r = rowsOf(&g, 0, B, output, given);
  r.nqpos = 1;
  r.warmstart = warmstart;
  r.nwarmstart = B;
  CHECK_EQ(sheaf_forward(pool, g.m, &r, &status), 0);
  compareResults(g.m, given, shared);
  sheaf_closePool(pool);
  free(warmstart);
  freeResults(given);
  freeResults(shared);
  freeGrid(&g);
}

// a first row that is not valid is nobody's start
TEST(a_bad_row_0_does_not_spoil_the_others) {
  Grid g = makeGrid(kBiped);
  mjtNum *plain[NOUTPUT], *shared[NOUTPUT];
  sheafOutput output[NOUTPUT];
  sheafStatus status;
  makeResults(g.m, plain);
  makeResults(g.m, shared);
  g.qvel[0] = NAN;
  int32_t bad[B];
  sheafPool* pool = openPool(1, 4);
  sheafForward r = rowsOf(&g, 0, B, output, plain);
  CHECK_EQ(sheaf_forward(pool, g.m, &r, &status), 0);
  r = rowsOf(&g, 0, B, output, shared);
  r.share_warmstart = 1;
  r.status = bad;
  CHECK_EQ(sheaf_forward(pool, g.m, &r, &status), 0);
  CHECK(bad[0] != 0 && bad[1] == 0);
  CHECK_EQ(memcmp(plain[0] + g.m->nv, shared[0] + g.m->nv, sizeof(mjtNum) * (B - 1) * (size_t)g.m->nv), 0);
  sheaf_closePool(pool);
  freeResults(plain);
  freeResults(shared);
  freeGrid(&g);
}
