// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of rows of derivatives, which are cut and stopped between their columns.

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "engine/pool/bell.h"
#include "support/models.h"
#include "support/same_noise.h"
#include "support/test.h"

enum { ROWS = 9, MOST = 60000 };

// a piece of a nanosecond: items give way at each checkpoint
static sheafPool* openPool(int nthread, double piece, size_t keep) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = nthread;
  cfg.piece = piece;
  cfg.keep = keep;
  return sheaf_openPool(&cfg, NULL);
}

// inputs and results of any kind of derivatives
typedef struct {
  mjtNum *state, *ctrl, *qpos, *qvel, *qacc;
  mjtNum* result[8];
  int32_t status[ROWS], fallback[ROWS];
  union {
    sheafTransitionFD steps;
    sheafInverseFD nudges;
    sheafTransitionDerivatives transition;
    sheafInverseDerivatives inverse;
  } r;
  sheafKind kind;
} Work;

// states along a rollout, so that some have contacts
static void fillStates(const mjModel* m, Work* w) {
  size_t nx = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < ROWS; i++) {
    for (int k = 0; k < 12; k++) {
      for (int a = 0; a < m->nu; a++) d->ctrl[a] = 0.3 * ((a + i + k) % 5 - 2);
      mj_step(m, d);
    }
    mj_getState(m, d, w->state + (size_t)i * nx, mjSTATE_FULLPHYSICS);
    memcpy(w->qpos + (size_t)i * (size_t)m->nq, d->qpos, sizeof(mjtNum) * (size_t)m->nq);
    memcpy(w->qvel + (size_t)i * (size_t)m->nv, d->qvel, sizeof(mjtNum) * (size_t)m->nv);
    memcpy(w->qacc + (size_t)i * (size_t)m->nv, d->qacc, sizeof(mjtNum) * (size_t)m->nv);
    memcpy(w->ctrl + (size_t)i * (size_t)m->nu, d->ctrl, sizeof(mjtNum) * (size_t)m->nu);
  }
  mj_deleteData(d);
}

static void fillRequest(Work* w, int mode, int nbatch) {
  mjtNum** to = w->result;
  switch (w->kind) {
    case SHEAF_TRANSITION_FD:
      w->r.steps = (sheafTransitionFD){.size = sizeof w->r.steps,
                                       .nbatch = nbatch,
                                       .state = w->state,

                                       .ctrl = w->ctrl,
                                       .nctrl = nbatch,
                                       .centered = mode,
                                       .A = to[0],
                                       .B = to[1],
                                       .C = to[2],
                                       .D = to[3],
                                       .status = w->status};
      break;
    case SHEAF_INVERSE_FD:
      w->r.nudges = (sheafInverseFD){.size = sizeof w->r.nudges,
                                     .nbatch = nbatch,
                                     .qpos = w->qpos,
                                     .nqpos = nbatch,
                                     .qvel = w->qvel,
                                     .nqvel = nbatch,
                                     .qacc = w->qacc,
                                     .nqacc = nbatch,
                                     .actuation = mode,
                                     .DfDq = to[0],
                                     .DfDv = to[1],
                                     .DfDa = to[2],
                                     .status = w->status};
      break;
    case SHEAF_TRANSITION_DERIVATIVES:
      w->r.transition = (sheafTransitionDerivatives){.size = sizeof w->r.transition,
                                                     .nbatch = nbatch,
                                                     .state = w->state,

                                                     .ctrl = w->ctrl,
                                                     .nctrl = nbatch,
                                                     .mode = mode,
                                                     .A = to[0],
                                                     .B = to[1],
                                                     .C = to[2],
                                                     .D = to[3],
                                                     .next_state = to[4],
                                                     .qacc = to[5],
                                                     .qacc_x = mode == 2 ? NULL : to[6],
                                                     .qacc_u = mode == 2 ? NULL : to[7],
                                                     .fallback = w->fallback,
                                                     .status = w->status};
      break;
    default:
      w->r.inverse = (sheafInverseDerivatives){.size = sizeof w->r.inverse,
                                               .nbatch = nbatch,
                                               .qpos = w->qpos,
                                               .nqpos = nbatch,
                                               .qvel = w->qvel,
                                               .nqvel = nbatch,
                                               .qacc = w->qacc,
                                               .nqacc = nbatch,
                                               .ctrl = w->ctrl,
                                               .nctrl = nbatch,
                                               .mode = mode,
                                               .actuation = 1,
                                               .DfDq = to[0],
                                               .DfDv = to[1],
                                               .DfDa = to[2],
                                               .fallback = w->fallback,
                                               .status = w->status};
  }
}

static Work* makeWork(const mjModel* m, sheafKind kind, int mode, int nbatch) {
  Work* w = calloc(1, sizeof *w);
  w->kind = kind;
  w->state = numbers(ROWS * (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS));
  w->ctrl = numbers(ROWS * (size_t)m->nu);
  w->qpos = numbers(ROWS * (size_t)m->nq);
  w->qvel = numbers(ROWS * (size_t)m->nv);
  w->qacc = numbers(ROWS * (size_t)m->nv);
  for (int i = 0; i < 8; i++) w->result[i] = numbers(MOST);
  fillStates(m, w);
  fillRequest(w, mode, nbatch);
  return w;
}

static void freeWork(Work* w) {
  for (int i = 0; i < 8; i++) free(w->result[i]);
  free(w->state);
  free(w->ctrl);
  free(w->qpos);
  free(w->qvel);
  free(w->qacc);
  free(w);
}

// seconds of processors that the last job of each pool took
static double cpu_of_whole, cpu_of_cut;

static void run(sheafPool* pool, const mjModel* m, Work* w) {
  sheafWork work = {.size = sizeof work};
  sheafJob* job = sheaf_submit(pool, m, w->kind, &w->r, NULL, NULL, NULL);
  CHECK(job != NULL);
  CHECK_EQ(sheaf_wait(job, NULL), SHEAF_OK);
  sheaf_jobWork(job, &work);
  cpu_of_whole = work.cpu;
  sheaf_freeJob(job);
}

// resume a job until it is over; returns how often it paused
static int runPieces(sheafPool* pool, const mjModel* m, Work* w, int64_t* kept) {
  Bell bell = makeBell();
  sheafWork work = {.size = sizeof work};
  int npause = 0;
  *kept = 0;
  sheafJob* job = sheaf_submit(pool, m, w->kind, &w->r, ring, &bell, NULL);
  CHECK(job != NULL);
  for (waitForRing(&bell); sheaf_jobPaused(job); waitForRing(&bell)) {
    sheaf_jobWork(job, &work);
    *kept = work.kept > *kept ? work.kept : *kept;
    npause++;
    CHECK_EQ(sheaf_resume(job, NULL), 0);
  }
  CHECK_EQ(sheaf_wait(job, NULL), SHEAF_OK);
  sheaf_jobWork(job, &work);
  CHECK_EQ(work.kept, 0);
  cpu_of_cut = work.cpu;
  sheaf_freeJob(job);
  return npause;
}

static int same(const Work* a, const Work* b) {
  int equal = !memcmp(a->status, b->status, sizeof a->status) && !memcmp(a->fallback, b->fallback, sizeof a->fallback);
  for (int i = 0; i < 8; i++) equal &= !memcmp(a->result[i], b->result[i], MOST * sizeof(mjtNum));
  return equal;
}

TEST(rows_of_derivatives_that_are_cut_have_the_bits_of_whole_ones) {
  static const struct {
    sheafKind kind;
    int mode;
  } all[] = {{SHEAF_TRANSITION_FD, 0},       {SHEAF_TRANSITION_FD, 1},          {SHEAF_INVERSE_FD, 0},
             {SHEAF_INVERSE_FD, 1},          {SHEAF_TRANSITION_DERIVATIVES, 1}, {SHEAF_TRANSITION_DERIVATIVES, 2},
             {SHEAF_INVERSE_DERIVATIVES, 1}, {SHEAF_INVERSE_DERIVATIVES, 2}};
  mjModel* m = test_model(kBiped);
  sheafPool *pool = openPool(2, 0, 0), *pieces = openPool(2, 1e-9, 0);
  double whole_cpu = 0, cut_cpu = 0;
  const int integrator[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST, mjINT_RK4};
  for (int g = 0; g < 4; g++) {
    m->opt.integrator = integrator[g];
    for (int i = 0; i < 8; i++) {
      // differences are not defined for RK4
      if (integrator[g] == mjINT_RK4 &&
          (all[i].kind == SHEAF_TRANSITION_FD || all[i].kind == SHEAF_INVERSE_FD || all[i].mode == 2))
        continue;
      Work *whole = makeWork(m, all[i].kind, all[i].mode, ROWS), *cut = makeWork(m, all[i].kind, all[i].mode, ROWS);
      int64_t kept;
      run(pool, m, whole);
      int npause = runPieces(pieces, m, cut, &kept);
      // formulas of inverse dynamics have few loops that are long
      CHECK(npause >= (all[i].kind == SHEAF_INVERSE_DERIVATIVES && all[i].mode == 1 ? 2 : 12));
      CHECK(kept > 10000);
      CHECK(same(whole, cut));
      whole_cpu += cpu_of_whole;
      cut_cpu += cpu_of_cut;
      CHECK(whole->status[0] == 0 && whole->result[0][1] == whole->result[0][1]);
      freeWork(whole);
      freeWork(cut);
    }
  }
  CHECK(cut_cpu > whole_cpu / 2);  // strands are paid for
  sheaf_closePool(pool);
  sheaf_closePool(pieces);
  mj_deleteModel(m);
}

// the watchdog's count grows with each checkpoint, so it tells how many came after a cancellation
TEST(row_of_derivatives_that_is_cancelled_computes_no_further_column) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openPool(1, 1e-9, 0);
  Work* w = makeWork(m, SHEAF_TRANSITION_FD, 1, 1);
  Bell bell = makeBell();
  sheafJob* job = sheaf_submit(pool, m, w->kind, &w->r, ring, &bell, NULL);
  for (int i = 0; i < 3; i++) {
    waitForRing(&bell);
    CHECK(sheaf_jobPaused(job));
    if (i < 2) CHECK_EQ(sheaf_resume(job, NULL), 0);
  }
  uint64_t before = sheaf_poolBeats(pool, 0);
  sheaf_cancel(job);
  CHECK_EQ(sheaf_resume(job, NULL), 0);
  waitForRing(&bell);
  CHECK(!sheaf_jobPaused(job));
  CHECK_EQ(sheaf_wait(job, NULL), SHEAF_CANCELLED);
  CHECK_EQ(sheaf_poolBeats(pool, 0), before + 1);  // the item itself
  CHECK_EQ(w->status[0], SHEAF_ROW_CANCELLED);
  CHECK(w->result[0][0] != w->result[0][0]);
  sheafWork work = {.size = sizeof work};
  sheaf_jobWork(job, &work);
  CHECK(work.computed == 0 && work.kept == 0);
  sheaf_freeJob(job);
  sheaf_closePool(pool);
  freeWork(w);
  mj_deleteModel(m);
}

// A strand takes turns with the thread of its worker, which a guest is not.
TEST(rows_on_strands_are_left_to_the_threads_of_the_pool) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openPool(1, 1e-9, 0);
  Work* w = makeWork(m, SHEAF_TRANSITION_FD, 1, 1);
  Bell bell = makeBell();
  while (!sheaf_borrowPlace(pool)) sched_yield();
  sheafJob* job = sheaf_submit(pool, m, w->kind, &w->r, ring, &bell, NULL);
  CHECK_EQ(bell.ndone, 0);
  sheaf_returnPlace(pool, job);
  for (waitForRing(&bell); sheaf_jobPaused(job); waitForRing(&bell)) CHECK_EQ(sheaf_resume(job, NULL), 0);
  CHECK_EQ(sheaf_wait(job, NULL), 0);
  CHECK_EQ(w->status[0], 0);
  sheaf_freeJob(job);
  sheaf_closePool(pool);
  freeWork(w);
  mj_deleteModel(m);
}

// ---- callbacks that look at what is computed; with one the columns come one by one

static struct {
  atomic_int ncall, at;
  sheafJob* _Atomic job;
} counted;

static void cancelAtCall(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
  if (atomic_fetch_add(&counted.ncall, 1) + 1 != counted.at) return;
  while (!atomic_load(&counted.job)) continue;
  sheaf_cancel(counted.job);
}

static int callsAfterCancel(double piece) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openPool(1, piece, 0);
  Work* w = makeWork(m, SHEAF_TRANSITION_FD, 1, 3);
  counted.ncall = 0;
  counted.job = NULL;
  counted.at = 7;
  mjcb_passive = cancelAtCall;
  sheafJob* job = sheaf_submit(pool, m, w->kind, &w->r, NULL, NULL, NULL);
  counted.job = job;
  CHECK_EQ(sheaf_wait(job, NULL), SHEAF_CANCELLED);
  mjcb_passive = NULL;
  for (int i = 0; i < 3; i++) CHECK_EQ(w->status[i], SHEAF_ROW_CANCELLED);
  sheaf_freeJob(job);
  sheaf_closePool(pool);
  freeWork(w);
  mj_deleteModel(m);
  return counted.ncall - 7;
}

TEST(pools_without_pieces_stop_derivatives_too) {
  // the column of two steps that is computed when the cancellation comes
  CHECK(callsAfterCancel(0) <= 2);
  CHECK(callsAfterCancel(1e-9) <= 2);
}

static void failAtCall(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
  if (atomic_fetch_add(&counted.ncall, 1) + 1 == counted.at) mju_error("a callback gave up");
}

TEST(error_in_a_row_that_was_cut_stays_in_the_row) {
  mjModel* m = test_model(kBiped);
  sheafPool *pool = openPool(1, 0, 0), *pieces = openPool(1, 1e-9, 0);
  Work *good = makeWork(m, SHEAF_TRANSITION_FD, 0, 3), *bad = makeWork(m, SHEAF_TRANSITION_FD, 0, 3);
  int64_t kept;
  counted.ncall = 0;
  counted.at = 0;
  mjcb_passive = failAtCall;
  run(pool, m, good);
  counted.at = counted.ncall / 3 + 5;  // in the second row
  counted.ncall = 0;
  runPieces(pieces, m, bad, &kept);
  mjcb_passive = NULL;
  int nfailed = 0;
  for (int i = 0; i < 3; i++) {
    size_t n = (size_t)(2 * m->nv + m->na) * (size_t)(2 * m->nv + m->na);
    nfailed += bad->status[i] == SHEAF_ROW_ERROR;
    if (bad->status[i]) CHECK(bad->result[0][(size_t)i * n] != bad->result[0][(size_t)i * n]);
    else CHECK_EQ(memcmp(good->result[0] + (size_t)i * n, bad->result[0] + (size_t)i * n, n * sizeof(mjtNum)), 0);
  }
  CHECK_EQ(nfailed, 1);
  sheaf_closePool(pool);
  sheaf_closePool(pieces);
  freeWork(good);
  freeWork(bad);
  mj_deleteModel(m);
}

// beyond the limit a row goes on; it can still be cancelled
TEST(rows_give_way_only_while_what_they_keep_is_allowed) {
  mjModel* m = test_model(kBiped);
  sheafPool *pool = openPool(1, 0, 0), *pieces = openPool(1, 1e-9, 1);
  Work* whole = makeWork(m, SHEAF_TRANSITION_DERIVATIVES, 1, 1);
  Work* cut = makeWork(m, SHEAF_TRANSITION_DERIVATIVES, 1, 1);
  int64_t kept;
  run(pool, m, whole);
  CHECK_EQ(runPieces(pieces, m, cut, &kept), 0);
  CHECK_EQ(kept, 0);
  CHECK(same(whole, cut));
  sheaf_closePool(pool);
  sheaf_closePool(pieces);
  freeWork(whole);
  freeWork(cut);
  mj_deleteModel(m);
}

TEST(cut_rows_can_be_given_up_also_after_their_pool) {
  mjModel* m = test_model(kBiped);
  for (int after = 0; after < 2; after++) {
    sheafPool* pool = openPool(2, 1e-9, 0);
    Bell bell = makeBell();
    Work* w = makeWork(m, SHEAF_INVERSE_DERIVATIVES, 2, ROWS);
    sheafJob* job = sheaf_submit(pool, m, w->kind, &w->r, ring, &bell, NULL);
    waitForRing(&bell);
    CHECK(sheaf_jobPaused(job));
    if (after) sheaf_closePool(pool);
    sheaf_freeJob(job);
    if (!after) {
      // the pool goes on with others
      Work* next = makeWork(m, SHEAF_INVERSE_DERIVATIVES, 1, 2);
      int64_t kept;
      runPieces(pool, m, next, &kept);
      CHECK_EQ(next->status[1], 0);
      freeWork(next);
      sheaf_closePool(pool);
    }
    freeWork(w);
  }
  mj_deleteModel(m);
}

// a worker has its data and that of the strand that it keeps for the next item
TEST(data_of_strands_is_counted_with_that_of_workers) {
  mjModel* m = test_model(kBiped);
  sheafPool *pool = openPool(3, 0, 0), *pieces = openPool(3, 1e-9, 0);
  Work* w = makeWork(m, SHEAF_TRANSITION_FD, 0, 1);
  int64_t kept = 0;
  CHECK(runPieces(pieces, m, w, &kept) > 0 && kept > 0);
  CHECK(sheaf_poolBytes(pieces, m) >= sheaf_poolBytes(pool, m) + 3 * (size_t)kept);
  freeWork(w);
  sheaf_closePool(pieces);

  // in pieces of the length that the server takes, small models have no strands
  pieces = openPool(3, 0.005, 0);
  CHECK_EQ(sheaf_poolBytes(pieces, m), sheaf_poolBytes(pool, m));
  sheaf_closePool(pieces);
  sheaf_closePool(pool);
  mj_deleteModel(m);
}

// states of forward dynamics are claimed in chunks, which end with the time of a piece
TEST(chunk_of_a_claim_ends_when_its_time_is_over) {
  enum { NSTATE = 64 };
  mjModel* m = test_model(kBiped);
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = 1;
  cfg.nlane = 1;
  cfg.chunk = 16;
  cfg.piece = 1e-9;
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  int32_t status[NSTATE];
  sheafForward r = {.size = sizeof r, .nbatch = NSTATE, .status = status, .stage = mjSTAGE_ACC};
  Bell bell = makeBell();
  sheafJob* job = sheaf_submit(pool, m, SHEAF_FORWARD, &r, ring, &bell, NULL);
  CHECK(job != NULL);
  int npause = 0;
  for (waitForRing(&bell); sheaf_jobPaused(job); waitForRing(&bell), npause++) sheaf_resume(job, NULL);
  CHECK_EQ(npause, NSTATE - 1);
  for (int i = 0; i < NSTATE; i++) CHECK_EQ(status[i], 0);
  sheaf_freeJob(job);
  sheaf_closePool(pool);
  mj_deleteModel(m);
}
