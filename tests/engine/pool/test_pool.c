// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/pool: jobs, progress, cancellation, and errors that stay in their job.

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sheaf/batch.h>

#include "engine/pool/bell.h"
#include "support/models.h"
#include "support/test.h"

static sheafPool* openPool(int nthread) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = nthread;
  return sheaf_openPool(&cfg, NULL);
}

typedef struct {
  mjtNum* x0;
  mjtNum* x;
  int32_t* status;
  sheafRollout r;
} Work;

static Work makeWork(const mjModel* m, int nbatch, int nstep) {
  int nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  Work w = {
      calloc(nx, sizeof(mjtNum)), calloc((size_t)nbatch * nx, sizeof(mjtNum)), calloc(nbatch, sizeof(int32_t)), {0}};
  mjData* d = mj_makeData(m);
  mj_getState(m, d, w.x0, mjSTATE_FULLPHYSICS);
  mj_deleteData(d);
  w.r = (sheafRollout){.size = sizeof w.r,
                       .nbatch = nbatch,
                       .nstep = nstep,
                       .state0 = w.x0,
                       .nstate0 = 1,
                       .final_state = w.x,
                       .status = w.status};
  return w;
}

static void freeWork(Work* w) {
  free(w->x0);
  free(w->x);
  free(w->status);
}

static void countDone(void* user, sheafJob* job) {
  (void)job;
  atomic_fetch_add((atomic_int*)user, 1);
}

TEST(many_jobs_share_a_pool) {
  enum { NJOB = 12 };
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openPool(3);
  CHECK_EQ(sheaf_poolThreads(pool), 3);
  Work w[NJOB];
  sheafJob* job[NJOB];
  atomic_int ndone = 0;
  for (int i = 0; i < NJOB; i++) {
    w[i] = makeWork(m, 5 + i, 20);
    job[i] = sheaf_submit(pool, m, SHEAF_ROLLOUT, &w[i].r, countDone, &ndone, NULL);
    CHECK(job[i] != NULL);
  }
  for (int i = 0; i < NJOB; i++) {
    CHECK_EQ(sheaf_wait(job[i], NULL), SHEAF_OK);
    int64_t done, total;
    sheaf_jobProgress(job[i], &done, &total);
    CHECK_EQ(done, total);
    CHECK_EQ(total, 20 * (5 + i));
    CHECK_EQ(memcmp(w[i].x, w[0].x, sizeof(mjtNum) * mj_stateSize(m, mjSTATE_FULLPHYSICS)), 0);
  }

  // callbacks follow the end of a job; closing the pool waits for them
  sheaf_closePool(pool);
  CHECK_EQ(atomic_load(&ndone), NJOB);
  for (int i = 0; i < NJOB; i++) {
    sheaf_freeJob(job[i]);
    freeWork(&w[i]);
  }
  mj_deleteModel(m);
}

TEST(cancelled_job_ends_and_says_so) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openPool(2);
  Work w = makeWork(m, 400, 2000);
  sheafJob* job = sheaf_submit(pool, m, SHEAF_ROLLOUT, &w.r, NULL, NULL, NULL);
  sheaf_cancel(job);
  sheafStatus st;
  CHECK_EQ(sheaf_wait(job, &st), SHEAF_CANCELLED);
  CHECK_EQ(w.status[399], SHEAF_ROW_CANCELLED);
  sheaf_freeJob(job);
  sheaf_closePool(pool);
  freeWork(&w);
  mj_deleteModel(m);
}

TEST(waiting_for_a_while_leaves_the_job_at_work) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openPool(1);
  Work long_one = makeWork(m, 400, 2000), short_one = makeWork(m, 4, 5);
  sheafJob* busy = sheaf_submit(pool, m, SHEAF_ROLLOUT, &long_one.r, NULL, NULL, NULL);
  sheafJob* next = sheaf_submit(pool, m, SHEAF_ROLLOUT, &short_one.r, NULL, NULL, NULL);
  sheafStatus st = {.code = 77};
  CHECK_EQ(sheaf_waitFor(busy, 0.001, &st), -1);
  CHECK_EQ(sheaf_waitFor(busy, -1, &st), -1);
  CHECK_EQ(st.code, 77);
  sheaf_cancel(busy);
  CHECK_EQ(sheaf_waitFor(busy, 1e300, &st), SHEAF_CANCELLED);
  CHECK_EQ(st.code, SHEAF_CANCELLED);
  CHECK_EQ(sheaf_waitFor(next, 1e300, NULL), SHEAF_OK);

  // what happened in the order in which it happened; the clock stands still after the end
  sheafWork a = {.size = sizeof a}, b = a;
  sheaf_jobWork(next, &a);
  CHECK(a.queued >= 0 && a.elapsed > a.queued && a.seconds > 0);
  struct timespec pause = {.tv_nsec = 2000000};
  nanosleep(&pause, NULL);
  sheaf_jobWork(next, &b);
  CHECK_EQ(memcmp(&a, &b, sizeof a), 0);
  sheaf_freeJob(busy);
  sheaf_freeJob(next);
  sheaf_closePool(pool);
  freeWork(&long_one);
  freeWork(&short_one);
  mj_deleteModel(m);
}

TEST(closing_a_pool_cancels_what_waits) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openPool(1);
  Work a = makeWork(m, 64, 500), b = makeWork(m, 400, 2000);
  sheafJob* first = sheaf_submit(pool, m, SHEAF_ROLLOUT, &a.r, NULL, NULL, NULL);
  sheafJob* second = sheaf_submit(pool, m, SHEAF_ROLLOUT, &b.r, NULL, NULL, NULL);
  sheaf_closePool(pool);
  CHECK_EQ(b.status[399], SHEAF_ROW_CANCELLED);
  sheaf_freeJob(first);
  sheaf_freeJob(second);
  freeWork(&a);
  freeWork(&b);
  mj_deleteModel(m);
}

// ---- jobs in pieces

static sheafPool* openPieces(int nthread) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = nthread;
  cfg.piece = 1e-9;
  return sheaf_openPool(&cfg, NULL);
}

// how often a long rollout pauses in a pool of one thread
static int pausesOf(const mjModel* m, int others) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = 1;
  cfg.piece = 1e-3;
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheaf_poolOthers(pool, others);
  Work w = makeWork(m, 256, 400);
  Bell bell = makeBell();
  int npause = 0;
  sheafJob* job = sheaf_submit(pool, m, SHEAF_ROLLOUT, &w.r, ring, &bell, NULL);
  for (waitForRing(&bell); sheaf_jobPaused(job); waitForRing(&bell)) {
    npause++;
    CHECK_EQ(sheaf_resume(job, NULL), 0);
  }
  sheaf_freeJob(job);
  sheaf_closePool(pool);
  freeWork(&w);
  return npause;
}

TEST(a_job_that_is_alone_pauses_more_often_while_others_wait_outside) {
  mjModel* m = test_model(kBiped);
  int alone = pausesOf(m, 0), beside = pausesOf(m, 1);
  CHECK(alone > 0 && beside > 3 * alone);  // ten times, if all pieces took the same time
  mj_deleteModel(m);
}

TEST(paused_job_goes_on_where_it_was) {
  mjModel* m = test_model(kBiped);
  sheafPool *pool = openPool(2), *pieces = openPieces(2);
  Work whole = makeWork(m, 40, 30), cut = makeWork(m, 40, 30);
  Bell bell = makeBell();
  sheafWork work = {.size = sizeof work};
  CHECK_EQ(sheaf_rollout(pool, m, &whole.r, NULL), 0);
  sheafJob* job = sheaf_submit(pieces, m, SHEAF_ROLLOUT, &cut.r, ring, &bell, NULL);
  int npause = 0;
  int64_t before = 0, most = 0;
  for (waitForRing(&bell); sheaf_jobPaused(job); waitForRing(&bell)) {
    sheaf_jobWork(job, &work);
    CHECK(work.computed > before && work.seconds > 0);
    most = work.kept > most ? work.kept : most;
    before = work.computed;
    npause++;
    CHECK_EQ(sheaf_resume(job, NULL), 0);
  }
  sheaf_jobWork(job, &work);
  CHECK_EQ(sheaf_wait(job, NULL), SHEAF_OK);
  CHECK_EQ(work.computed, 40 * 30);
  CHECK_EQ(work.kept, 0);
  CHECK(most > 0);
  CHECK(npause >= 29);
  CHECK_EQ(memcmp(whole.x, cut.x, sizeof(mjtNum) * 40 * (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS)), 0);
  sheaf_freeJob(job);
  sheaf_closePool(pool);
  sheaf_closePool(pieces);
  freeWork(&whole);
  freeWork(&cut);
  mj_deleteModel(m);
}

// freed as it is, or put back after it was cancelled; what it kept goes with it
TEST(paused_job_can_be_given_up) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openPieces(3);
  Bell bell = makeBell();
  for (int again = 0; again < 2; again++) {
    Work w = makeWork(m, 200, 100);
    sheafJob* job = sheaf_submit(pool, m, SHEAF_ROLLOUT, &w.r, ring, &bell, NULL);
    waitForRing(&bell);
    CHECK(sheaf_jobPaused(job));
    sheaf_cancel(job);
    if (again) {
      CHECK_EQ(sheaf_resume(job, NULL), 0);
      waitForRing(&bell);
      CHECK(!sheaf_jobPaused(job));
      CHECK_EQ(sheaf_wait(job, NULL), SHEAF_CANCELLED);
      for (int i = 0; i < 200; i++) CHECK_EQ(w.status[i], SHEAF_ROW_CANCELLED);
      sheafWork work = {.size = sizeof work};
      sheaf_jobWork(job, &work);
      CHECK(work.computed > 0 && work.computed < 200 * 100 / 2);
    }
    sheaf_freeJob(job);
    freeWork(&w);
  }
  sheaf_closePool(pool);
  mj_deleteModel(m);
}

// ---- guests: callers in the place of a thread that waits

// threads fall asleep some time after they have come
static void borrow(sheafPool* pool) {
  while (!sheaf_borrowPlace(pool)) usleep(100);
}

typedef struct {
  Bell bell;
  _Atomic pthread_t by;  // who computed last
} Guest;

static void noteThread(int worker, void* user) {
  (void)worker;
  if (user) atomic_store(&((Guest*)user)->by, pthread_self());
}

static void ringGuest(void* user, sheafJob* job) { ring(&((Guest*)user)->bell, job); }

static sheafPool* openForGuests(int nthread, double piece) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = nthread;
  cfg.piece = piece;
  cfg.on_work = noteThread;
  return sheaf_openPool(&cfg, NULL);
}

static void clearStates(const mjModel* m, Work* w) {
  memset(w->x, 0, (size_t)w->r.nbatch * (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS) * sizeof *w->x);
}

static int sameStates(const mjModel* m, const Work* a, const Work* b) {
  size_t n = (size_t)a->r.nbatch * (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  return !memcmp(a->x, b->x, n * sizeof *a->x);
}

TEST(a_caller_computes_in_the_place_of_a_thread_that_sleeps) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openForGuests(1, 0);
  Work own = makeWork(m, 20, 30), theirs = makeWork(m, 20, 30);
  Guest guest = {.bell = makeBell()};
  sheafJob* job = sheaf_submit(pool, m, SHEAF_ROLLOUT, &theirs.r, ringGuest, &guest, NULL);
  CHECK_EQ(sheaf_wait(job, NULL), 0);
  waitForRing(&guest.bell);
  CHECK(!pthread_equal(atomic_load(&guest.by), pthread_self()));
  sheaf_freeJob(job);
  for (int i = 0; i < 3; i++) {
    clearStates(m, &own);
    borrow(pool);
    CHECK(!sheaf_borrowPlace(pool));
    job = sheaf_submit(pool, m, SHEAF_ROLLOUT, &own.r, ringGuest, &guest, NULL);
    sheaf_returnPlace(pool, job);
    CHECK_EQ(guest.bell.ndone, 1);
    CHECK(pthread_equal(atomic_load(&guest.by), pthread_self()));
    CHECK_EQ(sheaf_wait(job, NULL), 0);
    waitForRing(&guest.bell);
    sheaf_freeJob(job);
    CHECK(sameStates(m, &own, &theirs));
  }

  // returned without work, the thread does it
  borrow(pool);
  job = sheaf_submit(pool, m, SHEAF_ROLLOUT, &own.r, ringGuest, &guest, NULL);
  sheaf_returnPlace(pool, NULL);
  waitForRing(&guest.bell);
  CHECK(!pthread_equal(atomic_load(&guest.by), pthread_self()));
  sheaf_freeJob(job);
  sheaf_closePool(pool);
  freeWork(&own);
  freeWork(&theirs);
  mj_deleteModel(m);
}

TEST(a_guest_and_the_other_threads_share_a_job) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openForGuests(3, 0.005);
  Work alone = makeWork(m, 100, 20), shared = makeWork(m, 100, 20);
  CHECK_EQ(sheaf_rollout(pool, m, &alone.r, NULL), 0);
  Guest guest = {.bell = makeBell()};
  for (int i = 0; i < 30; i++) {
    clearStates(m, &shared);
    borrow(pool);
    sheafJob* job = sheaf_submit(pool, m, SHEAF_ROLLOUT, &shared.r, ringGuest, &guest, NULL);
    sheaf_returnPlace(pool, job);
    for (waitForRing(&guest.bell); sheaf_jobPaused(job); waitForRing(&guest.bell)) {
      CHECK_EQ(sheaf_resume(job, NULL), 0);
    }
    CHECK_EQ(sheaf_wait(job, NULL), 0);
    sheaf_freeJob(job);
    CHECK(sameStates(m, &alone, &shared));
  }
  sheaf_closePool(pool);
  freeWork(&alone);
  freeWork(&shared);
  mj_deleteModel(m);
}

TEST(a_guest_gives_way_after_a_piece) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openForGuests(1, 1e-3);
  Work whole = makeWork(m, 256, 200), cut = makeWork(m, 256, 200);
  sheafPool* other = openPool(1);
  CHECK_EQ(sheaf_rollout(other, m, &whole.r, NULL), 0);
  Guest guest = {.bell = makeBell()};
  sheafWork work = {.size = sizeof work};
  sheaf_poolOthers(pool, 1);
  borrow(pool);
  sheafJob* job = sheaf_submit(pool, m, SHEAF_ROLLOUT, &cut.r, ringGuest, &guest, NULL);
  sheaf_returnPlace(pool, job);
  waitForRing(&guest.bell);
  CHECK(sheaf_jobPaused(job));
  sheaf_jobWork(job, &work);
  CHECK(work.computed > 0 && work.computed < 256 * 200 / 2);
  do {
    CHECK_EQ(sheaf_resume(job, NULL), 0);
    waitForRing(&guest.bell);
  } while (sheaf_jobPaused(job));
  CHECK(!pthread_equal(atomic_load(&guest.by), pthread_self()));
  CHECK(sameStates(m, &whole, &cut));
  sheaf_freeJob(job);
  sheaf_closePool(pool);
  sheaf_closePool(other);
  freeWork(&whole);
  freeWork(&cut);
  mj_deleteModel(m);
}

static void* submitAndWait(void* pool) {
  mjModel* m = test_model(kBiped);
  Work w = makeWork(m, 8, 5);
  CHECK_EQ(sheaf_rollout(pool, m, &w.r, NULL), 0);
  freeWork(&w);
  sheaf_poolForget(pool, m);
  mj_deleteModel(m);
  return NULL;
}

// A thread that lends its place is not called for others' jobs, and drops what it was told to forget before it goes on.
TEST(others_may_use_a_pool_while_a_place_is_lent) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openForGuests(2, 0);
  Work w = makeWork(m, 8, 5);
  Guest guest = {.bell = makeBell()};
  pthread_t thread;
  CHECK_EQ(sheaf_rollout(pool, m, &w.r, NULL), 0);
  for (int i = 0; i < 10; i++) {
    borrow(pool);
    CHECK_EQ(pthread_create(&thread, NULL, submitAndWait, pool), 0);
    pthread_join(thread, NULL);
    sheafJob* job = sheaf_submit(pool, m, SHEAF_ROLLOUT, &w.r, ringGuest, &guest, NULL);
    sheaf_returnPlace(pool, job);
    CHECK_EQ(sheaf_wait(job, NULL), 0);
    waitForRing(&guest.bell);
    sheaf_freeJob(job);
  }
  borrow(pool);
  sheaf_returnPlace(pool, NULL);
  sheaf_closePool(pool);
  freeWork(&w);
  mj_deleteModel(m);
}

static long mappedPages(void) {
  long size = 0, resident = 0;
  FILE* f = fopen("/proc/self/statm", "r");
  if (f) {
    if (fscanf(f, "%ld %ld", &size, &resident) != 2) size = 0;
    fclose(f);
  }
  return size;
}

// what threads keep of models can be counted before it is made, and given back, also by threads that sleep
TEST(forgotten_models_leave_no_data_behind) {
  if (test_emulated()) {
    test_skip("an emulator has memory of its own");
    return;
  }
  static const char* const big =
      "<mujoco><size memory='150M'/><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>";
  sheafPool* pool = openPool(2);
  long before = mappedPages();
  for (int i = 0; i < 40; i++) {
    mjModel* m = test_model(big);
    CHECK(sheaf_poolBytes(pool, m) >= (size_t)2 * 150000000);
    Work w = makeWork(m, 32, 2);
    CHECK_EQ(sheaf_rollout(pool, m, &w.r, NULL), 0);
    for (int k = 0; k < 32; k++) CHECK_EQ(w.status[k], 0);
    sheaf_poolForget(pool, m);
    freeWork(&w);
    mj_deleteModel(m);
  }
  sheaf_closePool(openPool(1));
  Work last = {0};
  mjModel* m = test_model(kBiped);
  last = makeWork(m, 4, 2);
  CHECK_EQ(sheaf_rollout(pool, m, &last.r, NULL), 0);
  freeWork(&last);

  // address space of a few data at most is left, not that of forty or of six for each thread
  for (int i = 0; i < 1000 && mappedPages() - before > 250000; i++) usleep(1000);
  CHECK(mappedPages() - before < 250000);
  sheaf_closePool(pool);
  mj_deleteModel(m);
}

typedef struct {
  int ncall;
  int64_t last, total;
  int backwards;
} Seen;

static void see(void* user, int64_t done, int64_t total) {
  Seen* s = user;
  s->ncall++;
  s->backwards += done < s->last;
  s->last = done;
  s->total = total;
}

static void doze(void* user, int64_t done, int64_t total) {
  (void)user, (void)done, (void)total;
  struct timespec pause = {.tv_nsec = 30000000};
  nanosleep(&pause, NULL);
}

// A worker that waits, here for a progress function, uses no processor. So does one whose processor other programs use.
TEST(time_of_processors_leaves_out_waiting) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openPool(1);
  Work w = makeWork(m, 1, 200);
  w.r.progress = doze;
  sheafJob* job = sheaf_submit(pool, m, SHEAF_ROLLOUT, &w.r, NULL, NULL, NULL);
  CHECK_EQ(sheaf_waitFor(job, 1e300, NULL), SHEAF_OK);
  sheafWork work = {.size = sizeof work};
  sheaf_jobWork(job, &work);
  CHECK(work.cpu > 0 && work.seconds >= work.cpu + 0.025);
  sheaf_freeJob(job);
  freeWork(&w);
  sheaf_closePool(pool);
  mj_deleteModel(m);
}

TEST(progress_ends_at_the_total) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openPool(2);
  Work w = makeWork(m, 50, 100);
  Seen seen = {0};
  w.r.progress = see;
  w.r.user = &seen;
  CHECK_EQ(sheaf_rollout(pool, m, &w.r, NULL), 0);
  CHECK(seen.ncall >= 1);
  CHECK_EQ(seen.last, 50 * 100);
  CHECK_EQ(seen.total, 50 * 100);
  CHECK_EQ(seen.backwards, 0);
  sheaf_closePool(pool);
  freeWork(&w);
  mj_deleteModel(m);
}

static void stumble(const mjModel* m, mjData* d) {
  (void)m;
  if (d->time > 0.005) mju_error("a callback gave up");
}

// mju_error would by default end the process
TEST(engine_error_stays_in_its_job) {
  mjModel* m = test_model(kBiped);
  sheafPool* pool = openPool(2);
  Work bad = makeWork(m, 9, 5), good = makeWork(m, 9, 5);
  mjcb_passive = stumble;
  CHECK_EQ(sheaf_rollout(pool, m, &bad.r, NULL), 0);
  mjcb_passive = NULL;
  for (int i = 0; i < 9; i++) CHECK_EQ(bad.status[i], SHEAF_ROW_ERROR);

  // in the place of a thread, too
  memset(bad.status, 0, 9 * sizeof *bad.status);
  borrow(pool);
  mjcb_passive = stumble;
  sheafJob* job = sheaf_submit(pool, m, SHEAF_ROLLOUT, &bad.r, NULL, NULL, NULL);
  sheaf_returnPlace(pool, job);
  CHECK_EQ(sheaf_wait(job, NULL), 0);
  mjcb_passive = NULL;
  sheaf_freeJob(job);
  for (int i = 0; i < 9; i++) CHECK_EQ(bad.status[i], SHEAF_ROW_ERROR);
  CHECK_EQ(sheaf_rollout(pool, m, &good.r, NULL), 0);
  for (int i = 0; i < 9; i++) CHECK_EQ(good.status[i], 0);
  sheaf_closePool(pool);
  freeWork(&bad);
  freeWork(&good);
  mj_deleteModel(m);
}

// what each thread says that it does
static struct {
  void* now[2];
  atomic_int taken, wrong;
} seen;

static void noteWork(int worker, void* user) {
  if (worker < 0 || worker > 1 || !user == !seen.now[worker]) {
    atomic_fetch_add(&seen.wrong, 1);
    return;
  }
  seen.now[worker] = user;
  if (user) atomic_fetch_add(&seen.taken, 1);
}

TEST(threads_tell_what_they_take_up_and_count_their_steps) {
  mjModel* m = test_model(kBiped);
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  cfg.nthread = 2;
  cfg.piece = 1e-3;
  cfg.on_work = noteWork;
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  atomic_int done = 0;
  Work w = makeWork(m, 64, 40);
  sheafJob* job = sheaf_submit(pool, m, SHEAF_ROLLOUT, &w.r, countDone, &done, NULL);
  for (int left = 1; left;) {
    sheaf_wait(job, NULL);
    left = sheaf_jobPaused(job);
    if (left) sheaf_resume(job, NULL);
  }
  uint64_t beats = sheaf_poolBeats(pool, 0) + sheaf_poolBeats(pool, 1);
  CHECK(beats >= 64 / 8 * 40 && beats <= 64 * 41);
  CHECK_EQ(sheaf_poolBeats(pool, 2), 0);
  CHECK_EQ(sheaf_poolBeats(pool, -1), 0);
  sheaf_closePool(pool);
  sheaf_freeJob(job);
  CHECK(atomic_load(&seen.taken) > 0);
  CHECK_EQ(atomic_load(&seen.wrong), 0);
  CHECK(!seen.now[0] && !seen.now[1]);
  freeWork(&w);
  mj_deleteModel(m);
}

TEST(pool_configuration_is_checked) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  sheafStatus st;
  cfg.nlane = 3;
  CHECK(sheaf_openPool(&cfg, &st) == NULL);
  CHECK_TEXT(st.field, "nlane");
  cfg = sheaf_defaultPoolConfig();
  cfg.nthread = -1;
  CHECK(sheaf_openPool(&cfg, &st) == NULL);
  CHECK_TEXT(st.field, "nthread");
  cfg = sheaf_defaultPoolConfig();
  cfg.piece = -1;
  CHECK(sheaf_openPool(&cfg, &st) == NULL);
  CHECK_TEXT(st.field, "piece");
  cfg = (sheafPoolConfig){0};
  CHECK(sheaf_openPool(&cfg, &st) == NULL);
  CHECK_TEXT(st.field, "size");
}
