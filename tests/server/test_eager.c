// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// When the loop looks for small work without sleeping.
#include "support/test.h"

#include <time.h>

#include "jobs/eager.h"

enum { CPUS = 4 };

static const double small_ns = 1e6;

typedef struct {
  uv_loop_t loop;
  srv_eager eager;
  int nlook;
} Desk;

static void on_look(void* user) { ((Desk*)user)->nlook++; }

static void open_desk(Desk* d) {
  d->nlook = 0;
  uv_loop_init(&d->loop);
  srv_eager_init(&d->eager, &d->loop, on_look, d);
  d->eager.processors = CPUS;
}

static void close_desk(Desk* d) {
  srv_eager_close(&d->eager);
  uv_run(&d->loop, UV_RUN_DEFAULT);
  CHECK_EQ(uv_loop_close(&d->loop), 0);
}

static bool looks(const Desk* d) { return atomic_load(&d->eager.looks); }

// without a processor
static void nap(void) { nanosleep(&(struct timespec){0, 2000000}, NULL); }

static void compute(void) {
  struct timespec now, begin;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  while (1e9 * (double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) < 5e5);
}

// work on all processors; returns whether the loop looks for its end
static bool crowd(Desk* d) {
  CHECK(srv_eager_working(&d->eager, CPUS, small_ns));
  CHECK(!looks(d));
  srv_eager_begun(&d->eager);
  return looks(d);
}

TEST(the_loop_looks_for_small_work_on_all_processors_once_it_has_begun) {
  Desk d;
  open_desk(&d);
  CHECK(!srv_eager_working(&d.eager, CPUS, 10 * small_ns));
  srv_eager_begun(&d.eager);
  CHECK(!looks(&d));
  CHECK(!srv_eager_working(&d.eager, CPUS + 1, small_ns));
  CHECK(crowd(&d));
  int before = d.nlook;
  uv_run(&d.loop, UV_RUN_NOWAIT);
  CHECK(d.nlook > before);
  srv_eager_busy(&d.eager);
  uv_run(&d.loop, UV_RUN_NOWAIT);
  CHECK(!looks(&d));
  srv_eager_begun(&d.eager);  // of work that is not alone
  CHECK(!looks(&d));
  close_desk(&d);
}

TEST(a_loop_that_came_late_twice_sleeps_through_the_next_work) {
  Desk d;
  open_desk(&d);
  for (int i = 0; i < 2; i++) {  // once may be chance
    CHECK(crowd(&d));
    srv_eager_found(&d.eager, uv_hrtime() - 10000000);
    uv_run(&d.loop, UV_RUN_NOWAIT);
    CHECK(!looks(&d));
  }
  CHECK(!crowd(&d));
  d.eager.not_before = 0;  // after a while
  CHECK(crowd(&d));
  srv_eager_found(&d.eager, uv_hrtime());
  CHECK(!d.eager.late);
  close_desk(&d);
}

TEST(beside_workers_on_all_processors_the_loop_takes_little_time_of_its_own) {
  Desk d;
  open_desk(&d);
  CHECK(crowd(&d));
  compute();
  uv_run(&d.loop, UV_RUN_NOWAIT);
  CHECK(!looks(&d));
  close_desk(&d);
}

// how long other programs have had the processor of this thread, and what else it waited for
static uint64_t others_took(void) {
  struct timespec own;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
  return uv_hrtime() - (uint64_t)own.tv_sec * 1000000000 - (uint64_t)own.tv_nsec;
}

TEST(from_when_the_first_worker_has_nothing_left_the_loop_may_have_its_processor) {
  Desk d;
  int alone = 0;

  // where others take the processor meanwhile, the loop gives way, and nothing is seen
  for (int i = 0; i < 500 && alone < 3; i++) {
    open_desk(&d);
    uint64_t taken = others_took();
    CHECK(crowd(&d));
    srv_eager_left(&d.eager);
    compute();
    uv_run(&d.loop, UV_RUN_NOWAIT);
    bool stays = looks(&d);
    srv_eager_found(&d.eager, uv_hrtime());
    srv_eager_busy(&d.eager);
    uv_run(&d.loop, UV_RUN_NOWAIT);
    CHECK(!looks(&d));
    if (others_took() - taken < 50000) {
      CHECK(stays && !d.eager.not_before);
      alone++;
    }
    close_desk(&d);
  }
  CHECK_EQ(alone, 3);

  // not if it had taken too much before
  open_desk(&d);
  for (int i = 0; i < 2; i++) {
    CHECK(crowd(&d));
    compute();
    srv_eager_left(&d.eager);
    uv_run(&d.loop, UV_RUN_NOWAIT);
    CHECK(!looks(&d));
  }
  CHECK(d.eager.pause > 0);
  close_desk(&d);
}

// also on one processor, and while it does not look for the end of work; what it does then is in nobody's way
TEST(workers_need_not_wake_a_loop_that_takes_part_in_work) {
  Desk d;
  open_desk(&d);
  for (int i = 0; i < 3; i++) {
    d.eager.processors = i ? CPUS : 1;
    srv_eager_working(&d.eager, CPUS - 1, small_ns);  // what it looks for already
    CHECK_EQ(looks(&d), i > 0);
    srv_eager_part(&d.eager);
    CHECK(looks(&d) && !uv_is_active((uv_handle_t*)&d.eager.idle));
    srv_eager_parted(&d.eager);
    CHECK(!looks(&d));
  }
  CHECK_EQ(d.eager.pause, 0);
  close_desk(&d);
}

// its part is done, and others are still at work
TEST(after_its_part_the_loop_looks_for_the_end_of_the_rest) {
  Desk d;
  open_desk(&d);
  srv_eager_part(&d.eager);
  srv_eager_parted(&d.eager);
  srv_eager_working(&d.eager, CPUS - 1, small_ns);
  uv_run(&d.loop, UV_RUN_NOWAIT);
  CHECK(looks(&d));
  srv_eager_busy(&d.eager);
  uv_run(&d.loop, UV_RUN_NOWAIT);
  CHECK(!looks(&d));
  close_desk(&d);
}

TEST(with_a_processor_left_over_the_loop_looks_until_somebody_else_wants_it) {
  Desk d;
  open_desk(&d);
  for (int i = 0; i < 2; i++) {
    srv_eager_working(&d.eager, CPUS - 1, small_ns);
    CHECK(looks(&d));
    nap();  // as if somebody else had the processor
    uv_run(&d.loop, UV_RUN_NOWAIT);
    CHECK(!looks(&d));
  }
  srv_eager_working(&d.eager, CPUS - 1, small_ns);
  CHECK(!looks(&d));
  close_desk(&d);
}

static void call(Desk* d) {
  srv_eager_answered(&d->eager);
  srv_eager_asked(&d->eager);
}

TEST(a_loop_that_looks_for_requests_leaves_its_processor_to_the_workers) {
  Desk d;
  open_desk(&d);
  for (int i = 0; i < 2; i++) call(&d);
  srv_eager_answered(&d.eager);
  CHECK(looks(&d));
  srv_eager_asked(&d.eager);
  CHECK(srv_eager_working(&d.eager, CPUS, small_ns));
  uv_run(&d.loop, UV_RUN_NOWAIT);
  CHECK(!looks(&d));
  close_desk(&d);
}

TEST(after_requests_that_came_quickly_the_loop_looks_for_the_next_one) {
  Desk d;
  open_desk(&d);
  srv_eager_answered(&d.eager);
  CHECK(!looks(&d));
  srv_eager_asked(&d.eager);
  call(&d);
  srv_eager_answered(&d.eager);
  CHECK(looks(&d));

  // after it was in somebody's way, more of them must come
  nap();
  uv_run(&d.loop, UV_RUN_NOWAIT);
  CHECK(!looks(&d));
  srv_eager_asked(&d.eager);  // late
  for (int i = 0; i < 3; i++) {
    call(&d);
    CHECK(!looks(&d));
  }
  call(&d);
  srv_eager_answered(&d.eager);
  CHECK(looks(&d));
  close_desk(&d);
}
