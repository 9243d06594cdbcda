// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Columns of derivatives that a request chooses: their names, their bits, and the work that they spare.

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "engine/derive/derive_models.h"
#include "support/same_noise.h"
#include "support/test.h"

enum { B = 5, MOST = 128, ROOM = 1 << 16, NRESULT = 7 };

static const mjtNum kUntouched = -77;

typedef struct {
  mjModel* m;
  sheafPool* pool;
  int nv, na, nu, ns, ndx;
  mjtNum *state, *ctrl, *qpos, *qvel, *qacc;
  mjtNum* result[2][NRESULT];  // of all columns, of the chosen ones
  int32_t fallback[2], status[B];
} Case;

static Case openCase(const char* xml, int integrator) {
  Case c = {.m = test_model(xml)};
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = 2;
  c.pool = sheaf_openPool(&cfg, NULL);
  c.m->opt.integrator = integrator;
  mjData* d = mj_makeData(c.m);
  int nx = mj_stateSize(c.m, mjSTATE_FULLPHYSICS), nq = (int)c.m->nq;
  c.nv = (int)c.m->nv, c.na = (int)c.m->na, c.nu = (int)c.m->nu, c.ns = (int)c.m->nsensordata;
  c.ndx = 2 * c.nv + c.na;
  c.state = numbers((size_t)(B * nx));
  c.ctrl = numbers((size_t)(B * c.nu));
  c.qpos = numbers((size_t)(B * nq));
  c.qvel = numbers((size_t)(B * c.nv));
  c.qacc = numbers((size_t)(B * c.nv));
  for (int i = 0; i < B; i++) {
    for (int t = 0; t < 15; t++) {
      for (int k = 0; k < c.nu; k++) d->ctrl[k] = 0.5 * mju_Halton(1 + 40 * i + 3 * t + k, 2);
      mj_step(c.m, d);
    }
    mj_getState(c.m, d, c.state + i * nx, mjSTATE_FULLPHYSICS);
    mju_copy(c.ctrl + i * c.nu, d->ctrl, c.nu);
    mju_copy(c.qpos + i * nq, d->qpos, nq);
    mju_copy(c.qvel + i * c.nv, d->qvel, c.nv);
    mju_copy(c.qacc + i * c.nv, d->qacc, c.nv);
  }
  for (int k = 0; k < 2 * NRESULT; k++) c.result[k / NRESULT][k % NRESULT] = numbers(ROOM);
  mj_deleteData(d);
  return c;
}

static void closeCase(Case* c) {
  mjtNum* all[] = {c->state, c->ctrl, c->qpos, c->qvel, c->qacc};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
  for (int k = 0; k < 2 * NRESULT; k++) free(c->result[k / NRESULT][k % NRESULT]);
  sheaf_closePool(c->pool);
  mj_deleteModel(c->m);
}

static void keepFallback(Case* c, int which, const int32_t all[B]) {
  c->fallback[which] = 0;
  for (int i = 0; i < B; i++) c->fallback[which] |= all[i];
}

static void computeStep(Case* c, int mode, int which, const int32_t* column, int n) {
  mjtNum** x = c->result[which];
  int32_t fallback[B];
  const sheafOutput named = {"xpos[1:3]", x[6]};
  sheafTransitionDerivatives r = {.size = sizeof r, .nbatch = B, .state = c->state, .ctrl = c->ctrl, .nctrl = B};
  r.mode = mode, r.column = column, r.ncolumn = n, r.status = c->status, r.fallback = fallback;
  r.A = x[0], r.B = x[1], r.C = x[2], r.D = x[3];
  if (mode < 2) r.qacc_x = x[4], r.qacc_u = x[5], r.output = &named, r.noutput = 1;
  for (int k = 0; k < NRESULT; k++) mju_fill(x[k], kUntouched, ROOM);
  sheafStatus status;
  CHECK_EQ(sheaf_transitionDerivatives(c->pool, c->m, &r, &status), 0);
  CHECK_TEXT(status.message, "");
  keepFallback(c, which, fallback);
}

static void computeInverse(Case* c, int mode, int which, const int32_t* column, int n) {
  mjtNum** x = c->result[which];
  int32_t fallback[B];
  sheafInverseDerivatives r = {.size = sizeof r, .nbatch = B, .qpos = c->qpos, .nqpos = B, .qvel = c->qvel, .nqvel = B};
  r.qacc = c->qacc, r.nqacc = B, r.mode = mode, r.actuation = 1, r.ctrl = c->ctrl, r.nctrl = B;
  r.column = column, r.ncolumn = n, r.DfDq = x[0], r.DfDv = x[1], r.DfDa = x[2], r.fallback = fallback;
  for (int k = 0; k < NRESULT; k++) mju_fill(x[k], kUntouched, ROOM);
  sheafStatus status;
  CHECK_EQ(sheaf_inverseDerivatives(c->pool, c->m, &r, &status), 0);
  CHECK_TEXT(status.message, "");
  keepFallback(c, which, fallback);
}

// Result k has nrow rows of the columns from `first` to before `end`: the chosen ones are those of the list, in its
// order, and nothing lies behind them.
static int sameColumns(const Case* c, int k, int nrow, int first, int end, const int32_t* column, int n) {
  const mjtNum *all = c->result[0][k], *some = c->result[1][k];
  for (int row = 0; row < B * nrow; row++) {
    for (int i = 0; i < n; i++) {
      if (column[i] < first || column[i] >= end) continue;
      if (memcmp(some++, all + row * (end - first) + column[i] - first, sizeof(mjtNum)) != 0) return 0;
    }
  }
  return *some == kUntouched;
}

// the same of outputs, whose columns are rows of `size` numbers: those by the state, then those by controls
static int sameOutputs(const Case* c, int size, const int32_t* column, int n) {
  const mjtNum *all = c->result[0][6], *some = c->result[1][6];
  for (int row = 0; row < B; row++, all += (c->ndx + c->nu) * size) {
    for (int controls = 0; controls < 2; controls++) {
      for (int i = 0; i < n; i++) {
        if ((column[i] >= c->ndx) != controls) continue;
        if (memcmp(some, all + column[i] * size, sizeof(mjtNum) * (size_t)size) != 0) return 0;
        some += size;
      }
    }
  }
  return *some == kUntouched;
}

static void checkStep(Case* c, int mode, const int32_t* column, int n) {
  int ndx = c->ndx, wide = ndx + c->nu;
  computeStep(c, mode, 0, NULL, 0);
  computeStep(c, mode, 1, column, n);
  CHECK(sameColumns(c, 0, ndx, 0, ndx, column, n));
  CHECK(sameColumns(c, 1, ndx, ndx, wide, column, n));
  CHECK(sameColumns(c, 2, c->ns, 0, ndx, column, n));
  CHECK(sameColumns(c, 3, c->ns, ndx, wide, column, n));
  if (mode == 2) return;
  CHECK(sameColumns(c, 4, c->nv, 0, ndx, column, n));
  CHECK(sameColumns(c, 5, c->nv, ndx, wide, column, n));
  CHECK(sameOutputs(c, 6, column, n));
}

static void checkInverse(Case* c, int mode, const int32_t* column, int n) {
  computeInverse(c, mode, 0, NULL, 0);
  computeInverse(c, mode, 1, column, n);
  for (int k = 0; k < 3; k++) CHECK(sameColumns(c, k, c->nv, k * c->nv, (k + 1) * c->nv, column, n));
}

// every s-th of n numbers, from the last on in turns, so that they do not ascend
static int pick(int32_t* column, int n, int s) {
  int found = 0;
  for (int i = n - 1 - s % 2; i >= 0; i -= s) column[found++] = (i * 7) % n;
  for (int i = 0; i < found; i++) {
    for (int k = i + 1; k < found; k++) {
      if (column[k] == column[i]) column[k--] = column[--found];
    }
  }
  return found;
}

TEST(chosen_columns_have_the_bits_of_all_columns_in_the_order_of_the_list) {
  const char* const models[] = {kBiped, kBallChain, kPile};
  for (int k = 0; k < 12; k++) {
    Case c = openCase(models[k / 4], k % 4);
    int32_t column[MOST];
    if (k == 6 || k == 7)
      c.m->opt.density = 1.2, c.m->opt.viscosity = 0.1;  // the matrix of the integrator: differences
    for (int s = 1; s < 4; s++) {
      int n = pick(column, c.ndx + c.nu, 2 * s - 1);
      checkStep(&c, 1, column, n);
      if (k % 4 != mjINT_RK4) checkStep(&c, 2, column, n);
    }
    int n = pick(column, 3 * c.nv, 4);
    checkInverse(&c, 1, column, n);
    if (k % 4 != mjINT_RK4) checkInverse(&c, 2, column, n);
    closeCase(&c);
  }
}

// nothing is computed for columns that are left out
static atomic_int ncall;  // threads of the pool call it
static void countCall(const mjModel* m, mjData* d) {
  (void)m, (void)d;
  ncall++;
}

static int callsOf(Case* c, int inverse, const int32_t* column, int n) {
  ncall = 0;
  if (inverse) computeInverse(c, 2, 1, column, n);
  else computeStep(c, 2, 1, column, n);
  return ncall / B;
}

TEST(columns_that_are_left_out_cost_nothing) {
  Case c = openCase(kPile, mjINT_EULER);
  int32_t velocity = c.nv + 2, position = 1, last = 3 * c.nv - 1;
  computeStep(&c, 1, 1, NULL, 0);
  CHECK(c.fallback[1] & SHEAF_FALLBACK_GEOMETRY);
  computeStep(&c, 1, 1, &velocity, 1);
  CHECK(!(c.fallback[1] & SHEAF_FALLBACK_GEOMETRY));
  computeInverse(&c, 1, 1, &last, 1);
  CHECK_EQ(c.fallback[1], 0);
  computeInverse(&c, 1, 1, &position, 1);
  CHECK(c.fallback[1] & SHEAF_FALLBACK_GEOMETRY);
  mjcb_passive = countCall;
  int step = callsOf(&c, 0, &velocity, 1), inverse = callsOf(&c, 1, &velocity, 1);
  CHECK_EQ(callsOf(&c, 0, NULL, 0) - step, c.ndx + c.nu - 1 - c.na - c.nu);  // controls are of a later stage
  CHECK_EQ(callsOf(&c, 1, NULL, 0) - inverse, 2 * c.nv - 1);                 // accelerations, too
  mjcb_passive = NULL;
  closeCase(&c);
}

TEST(a_bad_row_has_as_many_numbers_as_its_neighbours) {
  Case c = openCase(kBiped, mjINT_EULER);
  int32_t column[] = {c.ndx + 1, 3, c.nv};
  int nx = mj_stateSize(c.m, mjSTATE_FULLPHYSICS);
  computeStep(&c, 1, 0, NULL, 0);
  c.state[2 * nx + 1] = NAN;
  for (int mode = 1; mode < 3; mode++) {
    computeStep(&c, mode, 1, column, 3);
    CHECK_EQ(c.status[2], SHEAF_ROW_BADQPOS);
    const mjtNum* A = c.result[1][0] + (B - 1) * c.ndx * 2;
    CHECK(mju_isBad(c.result[1][0][2 * c.ndx * 2]) && mju_isBad(c.result[1][1][3 * c.ndx - 1]));
    CHECK(!mju_isBad(A[0]) && A[2 * c.ndx] == kUntouched && c.result[1][1][B * c.ndx] == kUntouched);
    if (mode == 1) CHECK_EQ(A[0], c.result[0][0][(B - 1) * c.ndx * c.ndx + 3]);
  }
  closeCase(&c);
}

static const char kNamed[] =
    "<mujoco><worldbody>"
    "<body><joint name='a'/><geom size='.1'/></body><body pos='1 0 0'><freejoint name='root'/><geom size='.1'/></body>"
    "</worldbody><actuator><motor name='u' joint='a'/><position name='p' joint='a' "
    "timeconst='.1'/></actuator></mujoco>";

TEST(columns_have_names) {
  mjModel* m = test_model(kNamed);
  const struct {
    int kind;
    const char* name;
    int n, column[8];
  } cases[] = {
      {SHEAF_TRANSITION_DERIVATIVES, "qpos[root]", 6, {1, 2, 3, 4, 5, 6}},
      {SHEAF_TRANSITION_FD, "qvel[root, a]", 7, {8, 9, 10, 11, 12, 13, 7}},
      {SHEAF_TRANSITION_FD, "act", 1, {14}},
      {SHEAF_TRANSITION_FD, "act[p]", 1, {14}},
      {SHEAF_TRANSITION_DERIVATIVES, "ctrl[p,0]", 2, {16, 15}},
      {SHEAF_INVERSE_DERIVATIVES, "qacc[2:4]", 2, {16, 17}},
      {SHEAF_INVERSE_FD, "qpos[6]", 1, {6}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    int32_t column[8] = {0};
    sheafStatus status;
    CHECK_EQ(sheaf_columns(m, cases[i].kind, cases[i].name, column, 8, &status), cases[i].n);
    CHECK(!memcmp(column, cases[i].column, sizeof(int) * (size_t)cases[i].n));
    CHECK_EQ(sheaf_columns(m, cases[i].kind, cases[i].name, NULL, 0, NULL), cases[i].n);
  }
  mj_deleteModel(m);
}

TEST(unknown_and_repeated_columns_are_refused_with_a_list) {
  mjModel* m = test_model(kNamed);
  sheafPool* pool = sheaf_openPool(NULL, NULL);
  const struct {
    int kind;
    const char *name, *reason;
  } cases[] = {
      {SHEAF_TRANSITION_FD, "qpos[rot]",
       "expected a row from 0 to 6, a range or one of the joints root, a, got \"rot\""},
      {SHEAF_TRANSITION_FD, "act[u]", "one of the actuators p, got \"u\""},
      {SHEAF_TRANSITION_FD, "qacc", "expected qpos, qvel, act, ctrl, or elements of one: qvel[...], got \"qacc\""},
      {SHEAF_INVERSE_FD, "ctrl[u]", "expected qpos, qvel, qacc, or elements of one"},
      {SHEAF_INVERSE_FD, "qvel[0, 0]", "each row once"},
      {SHEAF_INVERSE_FD, "qvel[0", "between [ and ]"},
      {SHEAF_ROLLOUT, "qvel", "a request that has columns"},
      {SHEAF_TRANSITION_FD, NULL, "got \"(null)\""},
  };
  sheafStatus status;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    CHECK_EQ(sheaf_columns(m, cases[i].kind, cases[i].name, NULL, 0, &status), -1);
    CHECK_TEXT(status.message, cases[i].reason);
  }
  mjtNum state[16] = {0}, A[14 * 15];
  const int32_t twice[] = {3, 9, 3}, high[] = {17}, low[] = {-1};
  sheafTransitionFD r = {.size = sizeof r, .nbatch = 1, .state = state, .A = A, .column = twice, .ncolumn = 3};
  state[8 - 3] = 1;
  CHECK_EQ(sheaf_transitionFD(pool, m, &r, &status), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(status.message, "expected each column once, got 3, which is qpos[3], twice");
  r.column = high, r.ncolumn = 1;
  CHECK_EQ(sheaf_transitionFD(pool, m, &r, &status), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(status.message, "expected numbers from 0 to 16, got 17");
  r.column = low;
  CHECK_EQ(sheaf_transitionFD(pool, m, &r, &status), SHEAF_INVALID_ARGUMENT);
  r.column = NULL;
  CHECK_EQ(sheaf_transitionFD(pool, m, &r, &status), SHEAF_INVALID_ARGUMENT);
  r.column = high, r.ncolumn = -1;
  CHECK_EQ(sheaf_transitionFD(pool, m, &r, &status), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(status.field, "columns");
  sheaf_closePool(pool);
  mj_deleteModel(m);
}
