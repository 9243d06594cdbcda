// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// An engine error at any point of any row: the linker leads every call for scratch and for room in the arena through
// this file (tests/CMakeLists.txt), which raises mju_error at the n-th of them. These are the calls that fail when a
// model's memory is too small, and every stage makes some.

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "lanes/kernels.h"
#include "support/models.h"
#include "support/test.h"

enum { ROWS = 13, STEPS = 3, MOST = 200000 };

static _Atomic int64_t seen, wanted;  // calls of workers so far; the one that fails, 0: none
static pthread_t caller;              // the thread of the test, whose calls are not counted

static void reach(void) {
  if (!atomic_load_explicit(&wanted, memory_order_relaxed) || pthread_equal(pthread_self(), caller)) return;
  if (atomic_fetch_add(&seen, 1) + 1 == atomic_load(&wanted)) mju_error("an error that a test made");
}

#define WRAP(result, name, params, args) \
  result __real_##name params;           \
  result __wrap_##name params;           \
  result __wrap_##name params {          \
    reach();                             \
    return __real_##name args;           \
  }
WRAP(void*, mj_stackAllocByte, (mjData * d, size_t bytes, size_t alignment), (d, bytes, alignment))
WRAP(mjtNum*, mj_stackAllocNum, (mjData * d, size_t size), (d, size))
WRAP(int*, mj_stackAllocInt, (mjData * d, size_t size), (d, size))
WRAP(mjtNum*, mji_stackNum, (mjData * d, size_t n), (d, n))
WRAP(void*, mji_arenaAlloc, (mjData * d, size_t bytes, size_t align), (d, bytes, align))

// inputs and results of any kind of request; what a request does not return stays zero
typedef struct {
  sheafKind kind;
  mjtNum *state, *qpos, *result[4];
  int32_t status[ROWS];
  union {
    sheafRollout rollout;
    sheafForward forward;
    sheafTransitionFD steps;
    sheafTransitionDerivatives derivatives;
  } r;
  size_t width[4];  // numbers of one row
} Work;

static const char* const kOutput[] = {"qacc", "xpos"};

static void setRequest(const mjModel* m, Work* w, sheafOutput output[2]) {
  size_t nx = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS), nv = (size_t)m->nv, ndx = 2 * nv + (size_t)m->na;
  mjtNum** to = w->result;
  for (int k = 0; k < 2; k++) output[k] = (sheafOutput){kOutput[k], to[k]};
  memset(w->width, 0, sizeof w->width);
  switch (w->kind) {
    case SHEAF_ROLLOUT:
      w->r.rollout = (sheafRollout){.size = sizeof w->r.rollout, .nbatch = ROWS, .nstep = STEPS, .state0 = w->state};
      w->r.rollout.nstate0 = ROWS;
      w->r.rollout.state = to[0];
      w->r.rollout.sensordata = to[1];
      w->r.rollout.status = w->status;
      w->width[0] = STEPS * nx;
      w->width[1] = STEPS * (size_t)m->nsensordata;
      break;
    case SHEAF_FORWARD:
      w->r.forward = (sheafForward){.size = sizeof w->r.forward, .nbatch = ROWS, .qpos = w->qpos, .nqpos = ROWS};
      w->r.forward.output = output;
      w->r.forward.noutput = 2;
      w->r.forward.status = w->status;
      w->width[0] = nv;
      w->width[1] = 3 * (size_t)m->nbody;
      break;
    case SHEAF_TRANSITION_FD:
      w->r.steps = (sheafTransitionFD){.size = sizeof w->r.steps, .nbatch = ROWS, .state = w->state};
      w->r.steps.A = to[0];
      w->r.steps.B = to[1];
      w->r.steps.status = w->status;
      w->width[0] = ndx * ndx;
      w->width[1] = ndx * (size_t)m->nu;
      break;
    default:
      w->r.derivatives = (sheafTransitionDerivatives){.size = sizeof w->r.derivatives, .nbatch = ROWS, .mode = 1};
      w->r.derivatives.state = w->state;
      w->r.derivatives.A = to[0];
      w->r.derivatives.B = to[1];
      w->r.derivatives.status = w->status;
      w->width[0] = ndx * ndx;
      w->width[1] = ndx * (size_t)m->nu;
  }
}

// states along a rollout, so that some have contacts
static void fillStates(const mjModel* m, Work* w) {
  size_t nx = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < ROWS; i++) {
    for (int k = 0; k < 9; k++) mj_step(m, d);
    mj_getState(m, d, w->state + (size_t)i * nx, mjSTATE_FULLPHYSICS);
    memcpy(w->qpos + (size_t)i * (size_t)m->nq, d->qpos, sizeof(mjtNum) * (size_t)m->nq);
  }
  mj_deleteData(d);
}

static Work makeWork(const mjModel* m, sheafKind kind) {
  Work w = {.kind = kind};
  w.state = calloc(ROWS * (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS), sizeof(mjtNum));
  w.qpos = calloc(ROWS * (size_t)m->nq, sizeof(mjtNum));
  for (int k = 0; k < 4; k++) w.result[k] = calloc(MOST, sizeof(mjtNum));
  fillStates(m, &w);
  return w;
}

static void freeWork(Work* w) {
  for (int k = 0; k < 4; k++) free(w->result[k]);
  free(w->qpos);
  free(w->state);
}

// Run it with an error at call n, 0: none; returns how many calls there were.
static int64_t run(sheafPool* pool, const mjModel* m, Work* w, int64_t n) {
  sheafOutput output[2];
  setRequest(m, w, output);
  memset(w->status, 0xff, sizeof w->status);
  for (int k = 0; k < 2; k++) memset(w->result[k], 0xff, MOST * sizeof(mjtNum));
  atomic_store(&seen, 0);
  atomic_store(&wanted, n ? n : INT64_MAX);
  sheafStatus status = {0};
  sheafJob* job = sheaf_submit(pool, m, w->kind, &w->r, NULL, NULL, &status);
  CHECK(job != NULL);
  if (job) CHECK_EQ(sheaf_wait(job, NULL), SHEAF_OK);
  sheaf_freeJob(job);
  atomic_store(&wanted, 0);
  return atomic_load(&seen);
}

static int sameRow(const Work* a, const Work* b, int row) {
  int equal = a->status[row] == b->status[row];
  for (int k = 0; k < 2; k++) {
    size_t n = a->width[k];
    equal &= !memcmp(a->result[k] + (size_t)row * n, b->result[k] + (size_t)row * n, n * sizeof(mjtNum));
  }
  return equal;
}

// An error at each call in turn, or, with a sanitizer, which takes forty times as long, at about thirty of them: only
// the rows of one group fail, which are computed side by side and fail together.
static void failEverywhere(const mjModel* m, sheafKind kind, int nlane, int stride) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = 1;
  cfg.nlane = nlane;
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  Work want = makeWork(m, kind), got = makeWork(m, kind);
  int group = kind == SHEAF_TRANSITION_FD ? 1 : nlane;  // differences fill the lanes with the columns of one row
  int64_t ncall = run(pool, m, &want, 0), nfault = 0;
  CHECK(ncall > ROWS / group);
  if (SANITIZED) stride = 1 + (int)(ncall / 30);
  for (int i = 0; i < ROWS; i++) CHECK_EQ(want.status[i], SHEAF_ROW_OK);
  for (int64_t n = 1; n <= ncall; n += stride, nfault++) {
    int nfailed = 0, first = ROWS, last = -1;
    run(pool, m, &got, n);
    for (int i = 0; i < ROWS; i++) {
      if (got.status[i] == SHEAF_ROW_ERROR) {
        nfailed++;
        first = first < i ? first : i;
        last = i;
      } else if (!sameRow(&want, &got, i)) {
        printf("  kind %d, %d lanes, error at call %d: row %d has other bits\n", kind, nlane, (int)n, i);
        CHECK(0);
      }
    }
    CHECK(nfailed >= 1 && last - first < group && first % group == 0);
  }
  CHECK(nfault > 10);
  printf("  kind %d, %d lanes: errors at %d of %d calls\n", kind, nlane, (int)nfault, (int)ncall);

  // what failed before leaves no trace in the worker
  run(pool, m, &got, 0);
  for (int i = 0; i < ROWS; i++) CHECK(sameRow(&want, &got, i));
  freeWork(&got);
  freeWork(&want);
  sheaf_closePool(pool);
}

TEST(an_error_at_any_call_leaves_the_bits_of_all_other_rows) {
  static const sheafKind kinds[] = {SHEAF_ROLLOUT, SHEAF_FORWARD, SHEAF_TRANSITION_FD, SHEAF_TRANSITION_DERIVATIVES};
  static const int lanes[] = {1, 4, 8};
  mjModel* m = test_model(kBiped);
  caller = pthread_self();
  for (int k = 0; k < 4; k++) {
    for (int l = 0; l < 3; l++) {
      // differences make thousands of calls in the same few stages
      if (mji_kernels(lanes[l])) failEverywhere(m, kinds[k], lanes[l], kinds[k] == SHEAF_TRANSITION_FD ? 97 : 1);
    }
  }
  mj_deleteModel(m);
}
