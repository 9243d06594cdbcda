// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/params.c: rows with numbers of the model of their own against models that were changed by hand,
// by bits, in every request.

#include <math.h>
#include <stdio.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "support/models.h"
#include "support/same_noise.h"
#include "support/test.h"
#include "support/variants.h"

enum { B = 11, NSTEP = 20, NPARAM = 7, MOST = 4000 };

static const char* const kNames[NPARAM] = {"body_mass",     "body_inertia",     "geom_friction", "dof_damping",
                                           "jnt_stiffness", "actuator_gainprm", "opt.gravity"};

static mjtNum* fieldOf(mjModel* m, int i) {
  mjtNum* const field[NPARAM] = {m->body_mass,     m->body_inertia,     m->geom_friction, m->dof_damping,
                                 m->jnt_stiffness, m->actuator_gainprm, m->opt.gravity};
  return field[i];
}

static sheafPool* openPool(int nthread, int nlane, double piece) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = nthread;
  cfg.nlane = nlane;
  cfg.piece = piece;
  return sheaf_openPool(&cfg, NULL);
}

// ---- parameters, and the models that they stand for

typedef struct {
  mjModel* m;
  mjModel* own[B];
  sheafParam param[NPARAM];
  mjtNum* data[NPARAM];
  mjtNum *state, *qpos, *qvel, *qacc, *ctrl;
} Rows;

// so many rows that follow each other have the same numbers, as windows of one candidate do
static int windows = 1;

// so many different rows there are, which come in turn
static int candidates = B;

// how often constants are computed again
static atomic_int nconst;
void __real_mji_setLaneConst(const mjModel* m, mjData* lanes, const int* lane, int n, mjData* one);
void __wrap_mji_setLaneConst(const mjModel* m, mjData* lanes, const int* lane, int n, mjData* one);
void __wrap_mji_setLaneConst(const mjModel* m, mjData* lanes, const int* lane, int n, mjData* one) {
  nconst += n;
  __real_mji_setLaneConst(m, lanes, lane, n, one);
}

static Rows makeRows(const char* xml, int keep_constants) {
  Rows r = {.m = test_model(xml)};
  const mjModel* m = r.m;
  int nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  seed = 5;
  for (int i = 0; i < B; i++) r.own[i] = mj_copyModel(NULL, m);
  for (int k = 0; k < NPARAM; k++) {
    size_t n = (size_t)sheaf_paramSize(m, kNames[k], NULL);
    r.data[k] = numbers(n * B);
    for (size_t i = 0; i < B; i++) {
      mjtNum* x = fieldOf(r.own[i], k);
      mjtNum whole = 1 + 0.3 * noise();
      for (size_t j = 0; j < n; j++) x[j] *= k == 1 ? whole : 1 + 0.3 * noise();
      if (i == 5 || i == 9 || i % (size_t)windows) memcpy(x, fieldOf(r.own[i - 1], k), n * sizeof(mjtNum));
      if (i >= (size_t)candidates) memcpy(x, fieldOf(r.own[i - (size_t)candidates], k), n * sizeof(mjtNum));
      memcpy(r.data[k] + i * n, x, n * sizeof(mjtNum));
    }
    r.param[k] = (sheafParam){kNames[k], r.data[k], B};
  }
  mjData* d = mj_makeData(m);
  for (int i = 0; i < B && !keep_constants; i++) mj_setConst(r.own[i], d);
  r.state = numbers((size_t)B * nx);
  r.qpos = numbers((size_t)B * m->nq);
  r.qvel = numbers((size_t)B * m->nv);
  r.qacc = numbers((size_t)B * m->nv);
  r.ctrl = numbers((size_t)B * m->nu);
  for (int i = 0; i < B; i++) {
    mj_resetData(m, d);
    for (int t = 0; t < 10 * i; t++) mj_step(m, d);
    for (int k = 0; k < m->nv; k++) r.qacc[(size_t)i * m->nv + k] = noise();
    for (int k = 0; k < m->nu; k++) r.ctrl[(size_t)i * m->nu + k] = noise();
    d->time = 0;
    mju_copy(r.qpos + (size_t)i * m->nq, d->qpos, (int)m->nq);
    mju_copy(r.qvel + (size_t)i * m->nv, d->qvel, (int)m->nv);
    mj_getState(m, d, r.state + (size_t)i * nx, mjSTATE_FULLPHYSICS);
  }
  mj_deleteData(d);
  return r;
}

static void freeRows(Rows* r) {
  mjtNum* all[] = {r->state, r->qpos, r->qvel, r->qacc, r->ctrl};
  for (int i = 0; i < 5; i++) free(all[i]);
  for (int i = 0; i < NPARAM; i++) free(r->data[i]);
  for (int i = 0; i < B; i++) mj_deleteModel(r->own[i]);
  mj_deleteModel(r->m);
}

// ---- requests: rows from `first` on, with parameters or of a model that has them

typedef struct {
  const Rows* r;
  const mjModel* m;
  int first, count, keep_constants;
  const sheafParam* param;
  int nparam;
} Ask;

// all results one after the other, at most MOST numbers a row
static int rollout(sheafPool* pool, const Ask* a, mjtNum* out) {
  size_t nx = (size_t)mj_stateSize(a->m, mjSTATE_FULLPHYSICS);
  sheafOutput named[] = {{"subtree_com", out + (size_t)a->count * NSTEP * (nx + (size_t)a->m->nsensordata)}};
  sheafRollout r = {.size = sizeof r,
                    .nbatch = a->count,
                    .nstep = NSTEP,
                    .state0 = a->r->state + (size_t)a->first * nx,
                    .nstate0 = a->count,
                    .control = a->r->ctrl + (size_t)a->first * a->m->nu,
                    .ncontrol = a->count,
                    .ncontrolstep = 1,
                    .state = out,
                    .sensordata = out + (size_t)a->count * NSTEP * nx,
                    .output = named,
                    .noutput = 1,
                    .param = a->param,
                    .nparam = a->nparam,
                    .keep_constants = a->keep_constants};
  return sheaf_rollout(pool, a->m, &r, NULL);
}

static int forward(sheafPool* pool, const Ask* a, mjtNum* out) {
  size_t n = (size_t)a->count;
  sheafOutput named[] = {
      {"qacc", out}, {"M", out + n * a->m->nv}, {"xpos", out + n * (a->m->nv + a->m->nv * a->m->nv)}};
  sheafForward r = {.size = sizeof r,
                    .nbatch = a->count,
                    .qpos = a->r->qpos + (size_t)a->first * a->m->nq,
                    .nqpos = a->count,
                    .qvel = a->r->qvel + (size_t)a->first * a->m->nv,
                    .nqvel = a->count,
                    .ctrl = a->r->ctrl + (size_t)a->first * a->m->nu,
                    .nctrl = a->count,
                    .output = named,
                    .noutput = 3,
                    .param = a->param,
                    .nparam = a->nparam,
                    .keep_constants = a->keep_constants};
  return sheaf_forward(pool, a->m, &r, NULL);
}

static int inverse(sheafPool* pool, const Ask* a, mjtNum* out) {
  sheafInverse r = {.size = sizeof r,
                    .nbatch = a->count,
                    .qpos = a->r->qpos + (size_t)a->first * a->m->nq,
                    .nqpos = a->count,
                    .qvel = a->r->qvel + (size_t)a->first * a->m->nv,
                    .nqvel = a->count,
                    .qacc = a->r->qacc + (size_t)a->first * a->m->nv,
                    .nqacc = a->count,
                    .qfrc_inverse = out,
                    .param = a->param,
                    .nparam = a->nparam,
                    .keep_constants = a->keep_constants};
  return sheaf_inverse(pool, a->m, &r, NULL);
}

static int transition(sheafPool* pool, const Ask* a, mjtNum* out) {
  size_t n = (size_t)a->count, nx = (size_t)mj_stateSize(a->m, mjSTATE_FULLPHYSICS), ndx = 2 * a->m->nv + a->m->na;
  sheafTransitionFD r = {.size = sizeof r,
                         .nbatch = a->count,
                         .state = a->r->state + (size_t)a->first * nx,
                         .ctrl = a->r->ctrl + (size_t)a->first * a->m->nu,
                         .nctrl = a->count,
                         .A = out,
                         .B = out + n * ndx * ndx,
                         .param = a->param,
                         .nparam = a->nparam,
                         .keep_constants = a->keep_constants};
  return sheaf_transitionFD(pool, a->m, &r, NULL);
}

static int inverseFD(sheafPool* pool, const Ask* a, mjtNum* out) {
  size_t n = (size_t)a->count, nn = (size_t)a->m->nv * a->m->nv;
  sheafInverseFD r = {.size = sizeof r,
                      .nbatch = a->count,
                      .qpos = a->r->qpos + (size_t)a->first * a->m->nq,
                      .nqpos = a->count,
                      .qvel = a->r->qvel + (size_t)a->first * a->m->nv,
                      .nqvel = a->count,
                      .qacc = a->r->qacc + (size_t)a->first * a->m->nv,
                      .nqacc = a->count,
                      .DfDq = out,
                      .DfDv = out + n * nn,
                      .param = a->param,
                      .nparam = a->nparam,
                      .keep_constants = a->keep_constants};
  return sheaf_inverseFD(pool, a->m, &r, NULL);
}

typedef int (*Call)(sheafPool*, const Ask*, mjtNum*);

// ---- comparisons

// results of several arrays, (count, n) each: is row `row` of one the only row of the other?
static int sameRow(const mjtNum* all, const mjtNum* one, const size_t* n, int narray, int row) {
  for (int k = 0; k < narray; k++) {
    if (memcmp(all + (size_t)row * n[k], one, n[k] * sizeof(mjtNum)) != 0) return 0;
    all += B * n[k];
    one += n[k];
  }
  return 1;
}

static void compare(const char* xml, Call call, const size_t* n, int narray, int keep_constants) {
  Rows r = makeRows(xml, keep_constants);
  size_t total = 0;
  for (int k = 0; k < narray; k++) total += n[k];
  mjtNum *want = numbers(total * B), *got = numbers(total * B), *plain = numbers(total * B);
  sheafPool* hand = openPool(1, 1, 0);
  for (int i = 0; i < B; i++) {
    const Ask one = {&r, r.own[i], i, 1, 0, NULL, 0};
    CHECK_EQ(call(hand, &one, want + (size_t)i * total), 0);
  }
  const struct {
    int nthread, nlane;
    double piece;
  } pools[] = {{1, 1, 0}, {2, 1, 0}, {1, 4, 0}, {2, 4, 1e-6}, {1, 8, 0}, {2, 8, 0}, {2, 0, 0}};
  for (size_t p = 0; p < sizeof pools / sizeof pools[0]; p++) {
    if (!test_hasLanes(pools[p].nlane)) continue;
    sheafPool* pool = openPool(pools[p].nthread, pools[p].nlane, pools[p].piece);
    const Ask all = {&r, r.m, 0, B, keep_constants, r.param, NPARAM}, without = {&r, r.m, 0, B, 0, NULL, 0};
    for (int again = 0; again < 2; again++) {
      CHECK_EQ(call(pool, &all, got), 0);
      int same = 0;
      for (int i = 0; i < B; i++) same += sameRow(got, want + (size_t)i * total, n, narray, i);
      CHECK_EQ(same, B);

      // the threads' data has the numbers of the model again
      CHECK_EQ(call(pool, &without, got), 0);
      if (p == 0 && !again) CHECK_EQ(call(hand, &without, plain), 0);
      CHECK(!memcmp(got, plain, total * B * sizeof(mjtNum)));
    }
    sheaf_closePool(pool);
  }
  sheaf_closePool(hand);
  free(want);
  free(got);
  free(plain);
  freeRows(&r);
}

static void compareAll(const char* xml, int keep_constants) {
  mjModel* m = test_model(xml);
  size_t nx = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS), nv = m->nv, nu = m->nu, ndx = 2 * nv + m->na;
  compare(xml, rollout, (size_t[]){NSTEP * nx, NSTEP * (size_t)m->nsensordata, NSTEP * 3 * (size_t)m->nbody}, 3,
          keep_constants);
  compare(xml, forward, (size_t[]){nv, nv * nv, 3 * (size_t)m->nbody}, 3, keep_constants);
  compare(xml, inverse, (size_t[]){nv}, 1, keep_constants);
  compare(xml, transition, (size_t[]){ndx * ndx, ndx * nu}, 2, keep_constants);
  compare(xml, inverseFD, (size_t[]){nv * nv, nv * nv}, 2, keep_constants);
  mj_deleteModel(m);
}

TEST(rows_with_parameters_have_the_bits_of_models_with_these_numbers) { compareAll(kBiped, 0); }

// groups of one candidate run with its model, others with numbers of lanes
TEST(candidates_with_windows_have_these_bits_too) {
  for (windows = 3; windows <= 8; windows += 5) compareAll(kBiped, 0);
  windows = 1;
}

TEST(constants_of_rows_that_come_again_are_not_computed_again) {
  candidates = 3;
  compareAll(kBiped, 0);
  Rows r = makeRows(kBiped, 0);
  mjtNum* out = numbers((size_t)B * MOST);
  const Ask all = {&r, r.m, 0, B, 0, r.param, NPARAM};
  for (int nlane = 1; nlane <= 8; nlane += nlane < 4 ? 3 : 4) {
    sheafPool* pool = openPool(1, nlane, 0);
    nconst = 0;
    CHECK_EQ(forward(pool, &all, out), 0);
    CHECK_EQ(nconst, candidates);
    sheaf_closePool(pool);
  }
  free(out);
  freeRows(&r);
  candidates = B;
}

TEST(constants_are_kept_where_that_is_asked) { compareAll(kBiped, 1); }

TEST(tendons_and_equalities_have_constants_of_their_own) { compareAll(kLinked, 0); }

// the center is row 0 with its own parameters, whatever group asks for it
TEST(a_shared_warm_start_is_of_row_0_with_its_parameters) {
  Rows r = makeRows(kBiped, 0);
  const mjModel* m = r.m;
  size_t n = (size_t)m->nv;
  mjtNum *want = numbers(B * n), *got = numbers(B * n), warm[B * 64];
  sheafForward f = {.size = sizeof f,
                    .nbatch = B,
                    .qpos = r.qpos,
                    .nqpos = B,
                    .ctrl = r.ctrl,
                    .nctrl = B,
                    .output = &(sheafOutput){"qacc", want},
                    .noutput = 1,
                    .param = r.param,
                    .nparam = NPARAM};

  // row 0 alone, then all rows from its solution
  sheafPool* one = openPool(1, 1, 0);
  CHECK_EQ(sheaf_forward(one, m, &f, NULL), 0);
  for (int i = 0; i < B; i++) mju_copy(warm + i * m->nv, want, m->nv);
  mju_zero(warm, m->nv);
  f.warmstart = warm;
  f.nwarmstart = B;
  CHECK_EQ(sheaf_forward(one, m, &f, NULL), 0);
  sheaf_closePool(one);
  f.warmstart = NULL;
  f.nwarmstart = 0;
  f.share_warmstart = 1;
  f.output = &(sheafOutput){"qacc", got};
  for (int nlane = 1; nlane <= 8; nlane = nlane == 1 ? 4 : nlane + 4) {
    if (!test_hasLanes(nlane)) continue;
    sheafPool* pool = openPool(2, nlane, 0);
    CHECK_EQ(sheaf_forward(pool, m, &f, NULL), 0);
    CHECK(!memcmp(got, want, B * n * sizeof(mjtNum)));
    sheaf_closePool(pool);
  }
  free(want);
  free(got);
  freeRows(&r);
}

// ---- what is refused

static sheafStatus ask(const mjModel* m, const sheafParam* param, int nparam, int nbatch, int keep_constants) {
  sheafPool* pool = openPool(1, 0, 0);
  sheafStatus status = {0};
  mjtNum* qacc = numbers((size_t)nbatch * m->nv);
  sheafOutput out = {"qacc", qacc};
  sheafForward r = {.size = sizeof r,
                    .nbatch = nbatch,
                    .output = &out,
                    .noutput = 1,
                    .param = param,
                    .nparam = nparam,
                    .keep_constants = keep_constants};
  int code = sheaf_forward(pool, m, &r, &status);
  CHECK_EQ(code, status.code);
  free(qacc);
  sheaf_closePool(pool);
  return status;
}

static void refused(const mjModel* m, const char* name, const mjtNum* x, int nrow, const char* field,
                    const char* text) {
  sheafStatus s = ask(m, &(sheafParam){name, x, nrow}, 1, 3, 0);
  CHECK_EQ(s.code, SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(s.field, field);
  CHECK_TEXT(s.message, text);
}

TEST(errors_name_the_parameter_the_row_and_the_place) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint damping='.1' limited='true' range='-1 1'/><joint axis='1 0 0'/>"
      "  <geom size='.1' pos='.1 0 0'/></body><body pos='1 0 0'><freejoint/><geom type='box' size='.1 .2 .3'/></body>"
      "</worldbody></mujoco>");
  mjtNum mass[9] = {0, 4, 5, 0, 4, -1, 0, 4, 5}, quat[12] = {0};
  refused(m, "body_mass", mass, 3, "body_mass", "expected a number above 0, got -1 in row 1, at 2");
  refused(m, "body_mass", mass, 2, "body_mass", "expected 3 rows or 1, got 2");
  refused(m, "body_mass", NULL, 1, "body_mass", "expected an array, got NULL");
  mass[5] = NAN;
  refused(m, "body_mass", mass, 3, "body_mass", "expected a finite number, got nan in row 1, at 2");
  refused(m, "body_quat", quat, 1, "body_quat", "expected a quaternion of length 1, got 0 in row 0, at 0");
  refused(m, "body_inertia", (mjtNum[]){0, 0, 0, 1, 1, 1, 1, 1, 3}, 1, "body_inertia", "the sum of the other two");
  refused(m, "geom_size", (mjtNum[]){.1, 0, 0, .1, 0, .3}, 1, "geom_size", "expected sizes above 0");
  refused(m, "jnt_range", (mjtNum[]){1, 1, 0, 0, 0, 0}, 1, "jnt_range", "the first less than the second");
  refused(m, "body_ipos", (mjtNum[]){0, 0, 0, .1, 0, 0, .1, 0, 0}, 1, "body_ipos",
          "expected the number of the model, whose structure depends on it, got 0.10000000000000001 in row 0, at 6");
  refused(m, "body_subtreemass", (mjtNum[3]){1, 1, 1}, 1, "body_subtreemass", "expected keep_constants");
  refused(m, "body_weight", mass, 3, "param", "expected one of body_pos, body_quat, ");
  refused(m, "body_weight", mass, 3, "param", "got \"body_weight\"");
  refused(m, "nv", mass, 3, "param", "expected one of qpos0*, qpos_*, body_*, ");
  refused(m, NULL, mass, 3, "param", "got \"(null)\"");

  mjtNum gravity[3] = {0, 0, -1};
  const sheafParam twice[] = {{"opt.gravity", gravity, 1}, {"opt.gravity", gravity, 1}};
  CHECK_TEXT(ask(m, twice, 2, 3, 0).message, "expected each name once, got \"opt.gravity\" twice");
  CHECK_TEXT(ask(m, NULL, 2, 3, 0).message, "expected 2 parameters, got NULL");
  CHECK_TEXT(ask(m, twice, -1, 3, 0).field, "nparam");
  CHECK_TEXT(ask(m, twice, sheaf_paramCount() + 1, 3, 0).field, "nparam");
  CHECK_EQ(ask(m, twice, 1, 3, 0).code, SHEAF_OK);
  mj_deleteModel(m);
}

TEST(what_a_parameter_is_can_be_asked) {
  mjModel* m = test_model(kBiped);
  int shape[2];
  CHECK_EQ(sheaf_paramSize(m, "body_inertia", shape), 3 * (int)m->nbody);
  CHECK_EQ(shape[0], (int)m->nbody);
  CHECK_EQ(shape[1], 3);
  CHECK_EQ(sheaf_paramSize(m, "opt.gravity", shape), 3);
  CHECK_EQ(shape[0], 3);
  CHECK_EQ(shape[1], 1);
  CHECK_EQ(sheaf_paramSize(m, "nbody", NULL), -1);
  CHECK_EQ(sheaf_paramSize(m, NULL, NULL), -1);
  CHECK_EQ(sheaf_paramName(sheaf_paramCount()), NULL);
  CHECK_EQ(sheaf_paramName(-1), NULL);
  for (int i = 0; i < sheaf_paramCount(); i++) CHECK(sheaf_paramSize(m, sheaf_paramName(i), NULL) >= 0);
  mj_deleteModel(m);
}

// A larger ball touches the floor earlier, also with the bounds that let far geoms be left out. They are no constants
// of mj_setConst, but may be given.
TEST(bounds_follow_sizes) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom size='.1'/><body pos='0 0 .5'><freejoint/><geom "
      "size='.1'/></body></worldbody></mujoco>");
  mjtNum size[2 * 6] = {.1, 0, 0, .1, 0, 0, .1, 0, 0, .45, 0, 0}, ncon[2] = {0};
  sheafPool* pool = openPool(1, 0, 0);
  sheafOutput out = {"ncon", ncon};
  sheafForward r = {.size = sizeof r, .nbatch = 2, .output = &out, .noutput = 1};
  r.param = (sheafParam[]){{"geom_size", size, 2}, {"geom_rbound", (mjtNum[]){.1, .1}, 1}};
  for (int given = 0; given <= 2; given++) {
    r.keep_constants = given > 0;
    r.nparam = given == 2 ? 2 : 1;
    CHECK_EQ(sheaf_forward(pool, m, &r, NULL), 0);
    CHECK_EQ(ncon[0], 0);
    CHECK_EQ(ncon[1], given < 2);
  }
  sheaf_closePool(pool);
  mj_deleteModel(m);
}

// The compiler takes frames that are this close for one. That holds for rows, too, unless one of their parameters is a
// pose in a body.
TEST(frames_that_coincide_do_so_in_rows_that_move_none) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='.1' pos='2e-7 0 0'/></body></worldbody></mujoco>");
  mjtNum mass[4] = {0, 1, 0, 2}, pos[2 * 3] = {2e-7, 0, 0, 2e-7, 0, 0}, xpos[2 * 3] = {0};
  sheafOutput out = {"geom_xpos", xpos};
  sheafForward r = {.size = sizeof r, .nbatch = 2, .output = &out, .noutput = 1};
  r.param = (sheafParam[]){{"body_mass", mass, 2}, {"geom_pos", pos, 2}};
  for (int nlane = 1; nlane <= 4; nlane += 3) {
    sheafPool* pool = openPool(1, nlane, 0);
    for (r.nparam = 1; r.nparam <= 2; r.nparam++) {
      CHECK_EQ(sheaf_forward(pool, m, &r, NULL), 0);
      for (int i = 0; i < 2; i++) CHECK_EQ(xpos[3 * i], r.nparam == 1 ? 0 : 2e-7);
    }
    sheaf_closePool(pool);
  }
  mj_deleteModel(m);
}

// what a reset gives follows from the parameters, too
TEST(the_state_of_a_reset_is_that_of_the_own_model) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body mocap='true' pos='1 2 3'/><body><joint type='slide' axis='1 0 0'/><geom "
      "size='.1'/></body>"
      "</worldbody></mujoco>");
  mjtNum qpos0[4] = {0, 1, 2, 3}, xpos[4 * 9], pos[4 * 9];
  for (int i = 0; i < 4; i++) {
    mju_copy(pos + 9 * i, m->body_pos, 9);
    pos[9 * i + 3] = 10 * i;
  }
  sheafPool* pool = openPool(1, 4, 0);
  sheafOutput out = {"xpos", xpos};
  sheafForward r = {.size = sizeof r, .nbatch = 4, .output = &out, .noutput = 1};
  r.param = (sheafParam[]){{"qpos0", qpos0, 4}, {"body_pos", pos, 4}};
  r.nparam = 2;
  CHECK_EQ(sheaf_forward(pool, m, &r, NULL), 0);
  for (int i = 0; i < 4; i++) {
    CHECK_EQ(xpos[9 * i + 3], 10 * i);
    CHECK_EQ(xpos[9 * i + 6], 0);  // a joint is where it is at qpos0
  }
  sheaf_closePool(pool);
  mj_deleteModel(m);
}

// A cable has the shape at rest and the stiffness that follow from its row's numbers; rows without parameters those of
// the model, also after rows that had some.
TEST(instances_of_plugins_are_of_the_own_model) {
  mjModel* m = test_model(
      "<mujoco><extension><plugin plugin='mujoco.elasticity.cable'/></extension><worldbody>"
      "<composite type='cable' curve='s 0 0' count='4 1 1' size='.6' initial='none'>"
      "<plugin plugin='mujoco.elasticity.cable'><config key='twist' value='1e6'/><config key='bend' value='4e6'/>"
      "</plugin><joint kind='main' damping='.01'/><geom type='capsule' size='.02'/></composite></worldbody></mujoco>");
  int nv = (int)m->nv, nquat = 4 * (int)m->nbody;
  mjtNum *quat = numbers(3 * (size_t)nquat), *force = numbers(3 * (size_t)nv), *first = numbers((size_t)nv);
  sheafPool* pool = openPool(1, 1, 0);
  sheafOutput out = {"qfrc_passive", first};
  sheafForward r = {.size = sizeof r, .nbatch = 1, .output = &out, .noutput = 1};
  CHECK_EQ(sheaf_forward(pool, m, &r, NULL), 0);
  r.param = &(sheafParam){"body_quat", quat, 3};
  r.nparam = 1, r.nbatch = 3, out.data = force;
  for (int i = 0; i < 3; i++) {
    mju_copy(quat + i * nquat, m->body_quat, nquat);
    mjtNum turn[4] = {cos(.1 * i), 0, sin(.1 * i), 0};
    mju_copy(quat + i * nquat + 8, turn, 4);
  }
  CHECK_EQ(sheaf_forward(pool, m, &r, NULL), 0);
  for (int k = 0; k < 3 * nv; k++) CHECK(force[k] == 0);  // at qpos0 a cable is as it is at rest
  r.nparam = 0, r.nbatch = 1;
  CHECK_EQ(sheaf_forward(pool, m, &r, NULL), 0);
  CHECK(!memcmp(first, force, (size_t)nv * sizeof *force));
  sheaf_closePool(pool);
  mj_deleteModel(m);
  free(quat);
  free(force);
  free(first);
}

// ---- what the model lacks, and what lanes share

enum { MANY = 13, NRAISED = 14 };

// Numbers of a model that is zero in most of them, changed by hand in row i: some rows have what the model lacks, some
// have not, and neighbours agree in the shared numbers now and then.
static void changeRow(mjModel* m, int i) {
  for (int k = 0; k < m->nv; k++) {
    if (i % 3 == 1) m->dof_damping[k] = 0.1 + 0.01 * i;
    if (i % 4 == 1) m->dof_frictionloss[k] = k % 2 ? 0.2 + 0.02 * i : 0;
  }
  for (int k = 0; k < m->njnt; k++) m->jnt_stiffness[k] = i % 2 ? 0.5 * i : 0;
  for (int k = 0; k < m->ntendon; k++) {
    m->tendon_stiffness[k] = i % 3 ? 2 * i : 0;
    m->tendon_damping[k] = i % 4 ? 0.3 : 0;
    m->tendon_frictionloss[k] = i % 5 ? 0 : 0.2;
    m->tendon_armature[k] = i % 3 ? 0 : 0.01;
  }
  for (int k = 0; k < m->nu; k++) m->actuator_biasprm[mjNBIAS * k + 2] = i % 2 ? 0 : -0.2;
  m->body_gravcomp[m->nbody - 1] = i % 3 == 2 ? 0.7 : 0;
  m->ngravcomp = i % 3 == 2;
  m->opt.density = i % 2 ? 0 : 100;
  m->opt.viscosity = i % 3 ? 0 : 0.2;
  m->opt.timestep *= 1 + 0.1 * (i % 4);
  m->opt.impratio = 1 + i % 3;
  m->opt.tolerance = i < 8 ? 1e-8 : 1e-3;
  for (int k = 0; k < m->nsensor; k++) m->sensor_cutoff[k] = i < 4 ? 0.5 : 0.1 * i;
}

static const char* const kRaised[NRAISED] = {
    "dof_damping",         "dof_frictionloss", "jnt_stiffness",    "tendon_stiffness", "tendon_damping",
    "tendon_frictionloss", "tendon_armature",  "actuator_biasprm", "body_gravcomp",    "opt.density",
    "opt.viscosity",       "opt.timestep",     "opt.impratio",     "opt.tolerance"};

static void raisedRollout(const mjModel* m, int nbatch, const mjtNum* state0, const sheafParam* param, int nparam,
                          int nthread, int nlane, mjtNum* state, mjtNum* sensordata) {
  mjtNum ctrl[8] = {0.3, -0.5, 0.2, 0.1, 0.4, -0.3, 0.2, 0.1};
  sheafRollout r = {.size = sizeof r,
                    .nbatch = nbatch,
                    .nstep = NSTEP,
                    .state0 = state0,
                    .nstate0 = 1,
                    .control = ctrl,
                    .ncontrol = 1,
                    .ncontrolstep = 1,
                    .state = state,
                    .sensordata = sensordata,
                    .param = param,
                    .nparam = nparam};
  sheafPool* pool = openPool(nthread, nlane, 0);
  sheafStatus status = {0};
  CHECK_EQ(sheaf_rollout(pool, m, &r, &status), 0);
  CHECK_TEXT(status.message, "");
  sheaf_closePool(pool);
}

static void raised(const char* integrator, const char* cone, const char* what) {
  char xml[3000];
  snprintf(
      xml, sizeof xml,
      "<mujoco><option integrator='%s' cone='%s' %s/><worldbody><geom type='plane' size='5 5 1'/>"
      "<body pos='0 0 .14'><freejoint/><geom type='box' size='.2 .1 .05' fluidshape='ellipsoid'/>"
      "<body pos='.2 0 0'><joint name='a' axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 .2 0 0'/>"
      "<body pos='.2 0 0'><joint name='b' axis='0 0 1'/><joint name='c' type='slide' axis='1 0 0'/>"
      "<geom type='capsule' size='.03' fromto='0 0 0 .2 0 0'/><site name='s' pos='.2 0 0'/></body></body></body>"
      "</worldbody><tendon><fixed name='t'><joint joint='a' coef='1'/><joint joint='b' coef='-.5'/></fixed></tendon>"
      "<actuator><position joint='a' kp='3'/><motor joint='b'/><motor joint='c'/></actuator>"
      "<sensor><framelinvel objtype='site' objname='s'/><accelerometer site='s'/></sensor></mujoco>",
      integrator, cone, what);
  mjModel* m = test_model(xml);
  size_t nx = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS) * NSTEP, ns = (size_t)m->nsensordata * NSTEP;
  mjtNum *want = numbers(MANY * nx), *got = numbers(MANY * nx), *sense = numbers(MANY * ns),
         *sensed = numbers(MANY * ns);
  mjtNum* state0 = numbers(nx);
  mjData* d = mj_makeData(m);
  mj_getState(m, d, state0, mjSTATE_FULLPHYSICS);
  sheafParam param[NRAISED + 1];
  for (int k = 0; k <= NRAISED; k++) {
    const char* name = k < NRAISED ? kRaised[k] : "sensor_cutoff";
    size_t n = (size_t)sheaf_paramSize(m, name, NULL);
    mjtNum* data = numbers(MANY * n);
    for (int i = 0; i < MANY; i++) {
      mjModel* own = mj_copyModel(NULL, m);
      changeRow(own, i);
      mju_copy(data + (size_t)i * n, sheaf_paramValues(own, name), (int)n);
      mj_deleteModel(own);
    }
    param[k] = (sheafParam){name, data, MANY};
  }
  for (int i = 0; i < MANY; i++) {
    mjModel* own = mj_copyModel(NULL, m);
    changeRow(own, i);
    mj_setConst(own, d);
    raisedRollout(own, 1, state0, NULL, 0, 1, 1, want + (size_t)i * nx, sense + (size_t)i * ns);
    mj_deleteModel(own);
  }

  // all numbers; those that lanes may have for themselves; those that they share
  static const int first[] = {0, 0, NRAISED - 1}, end[] = {NRAISED + 1, NRAISED - 1, NRAISED + 1};
  static const int pools[][2] = {{1, 1}, {1, 4}, {2, 8}, {2, 0}};
  for (int p = 0; p < 4; p++) {
    raisedRollout(m, MANY, state0, param, NRAISED + 1, pools[p][0], pools[p][1], got, sensed);
    for (size_t i = 0; i < MANY * nx; i++) CHECK(got[i] == want[i]);
    for (size_t i = 0; i < MANY * ns; i++) CHECK(sensed[i] == sense[i]);
  }
  for (int k = 1; k < 3; k++) {
    mjtNum* alone = numbers(MANY * nx);
    raisedRollout(m, MANY, state0, param + first[k], end[k] - first[k], 1, 1, alone, sense);
    for (int p = 1; p < 4; p++) {
      raisedRollout(m, MANY, state0, param + first[k], end[k] - first[k], pools[p][0], pools[p][1], got, sensed);
      for (size_t i = 0; i < MANY * nx; i++) CHECK(got[i] == alone[i]);
      for (size_t i = 0; i < MANY * ns; i++) CHECK(sensed[i] == sense[i]);
    }
    free(alone);
  }
  for (int k = 0; k <= NRAISED; k++) free((void*)param[k].data);
  mjtNum* all[] = {want, got, sense, sensed, state0};
  for (int k = 0; k < 5; k++) free(all[k]);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// derivatives and inverse dynamics of rows with and without dampers do not depend on their neighbours
TEST(rows_without_dampers_have_their_bits_beside_others) {
  mjModel* m = test_model(
      "<mujoco><option><flag invdiscrete='enable'/></option><worldbody><body><joint axis='0 1 0' frictionloss='.1'/>"
      "<geom size='.1' fromto='0 0 0 1 .1 0' type='capsule'/><body pos='1 0 0'><joint axis='0 1 0'/>"
      "<geom size='.1' fromto='0 0 0 1 0 .2' type='capsule'/></body></body></worldbody></mujoco>");
  mjtNum damping[2 * B], state[5 * B], A[16 * B], want[16 * B], force[2 * B], forces[2 * B], qacc[2 * B];
  for (int i = 0; i < B; i++) {
    damping[2 * i] = i % 3 ? 0 : 0.3, damping[2 * i + 1] = 0;
    for (int k = 0; k < 5; k++) state[5 * i + k] = k ? sin(i + k) : 0;
    qacc[2 * i] = cos(i), qacc[2 * i + 1] = 3;
  }
  const sheafParam param = {"dof_damping", damping, B};
  sheafTransitionDerivatives r = {.size = sizeof r, .nbatch = B, .state = state, .A = want, .param = &param};
  sheafInverse q = {.size = sizeof q, .nbatch = B, .qacc = qacc, .nqacc = B, .qfrc_inverse = forces, .param = &param};
  r.nparam = q.nparam = 1;
  for (int nlane = 1; nlane <= 8; nlane = nlane == 1 ? 4 : nlane + 4) {
    if (!test_hasLanes(nlane)) continue;
    sheafPool* pool = openPool(1, nlane, 0);
    CHECK_EQ(sheaf_transitionDerivatives(pool, m, &r, NULL), 0);
    CHECK_EQ(sheaf_inverse(pool, m, &q, NULL), 0);
    sheaf_closePool(pool);
    if (nlane > 1) CHECK(!memcmp(A, want, sizeof A) && !memcmp(force, forces, sizeof force));
    r.A = A, q.qfrc_inverse = force;
  }
  mj_deleteModel(m);
}

// by value: a pose that coincides with another may have another sign of its zeros
TEST(rows_may_have_what_the_model_lacks_and_time_steps_of_their_own) {
  raised("Euler", "pyramidal", "");
  raised("implicitfast", "elliptic", "");
  raised("implicit", "elliptic", "solver='CG'");
  raised("RK4", "elliptic", "solver='PGS'");
}

TEST(zeros_stay_where_sleep_and_sparsity_depend_on_them) {
  mjModel* m = test_model(
      "<mujoco><option><flag sleep='enable'/></option><worldbody>"
      "<body pos='0 0 1'><freejoint/><geom size='.1'/><site name='a'/></body>"
      "<body pos='1 0 1'><freejoint/><geom size='.1'/><site name='b'/></body><geom name='g' type='sphere' size='.1'/>"
      "<site name='side' pos='0 0 .2'/></worldbody><tendon><spatial><site site='a'/><site site='b'/></spatial>"
      "<spatial><site site='a'/><geom geom='g' sidesite='side'/><site site='b'/></spatial></tendon></mujoco>");
  refused(m, "tendon_stiffness", (mjtNum[]){1, 0}, 1, "tendon_stiffness", "whose structure depends on it, got 1");
  refused(m, "tendon_armature", (mjtNum[]){0, 1}, 1, "tendon_armature", "whose structure depends on it, got 1");
  CHECK_EQ(ask(m, &(sheafParam){"tendon_armature", (mjtNum[]){1, 0}, 1}, 1, 3, 0).code, 0);
  mj_deleteModel(m);
}
