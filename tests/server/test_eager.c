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

TEST(the_loop_looks_for_small_work_that_leaves_a_processor) {
  Desk d;
  open_desk(&d);
  srv_eager_working(&d.eager, CPUS - 1, 10 * small_ns);
  CHECK(!looks(&d));
  srv_eager_working(&d.eager, CPUS, small_ns);
  CHECK(!looks(&d));
  srv_eager_working(&d.eager, CPUS - 1, small_ns);
  CHECK(looks(&d));
  int before = d.nlook;
  uv_run(&d.loop, UV_RUN_NOWAIT);
  CHECK(d.nlook > before && looks(&d));
  srv_eager_busy(&d.eager);
  uv_run(&d.loop, UV_RUN_NOWAIT);
  CHECK(!looks(&d));
  close_desk(&d);
}

// also on one processor, and while it does not look for the end of work; what it does then is in nobody's way
TEST(the_loop_looks_once_before_it_takes_part_in_work) {
  Desk d;
  open_desk(&d);
  d.eager.processors = 1;
  d.eager.not_before = UINT64_MAX;
  for (int i = 0; i < 3; i++) {
    int before = d.nlook;
    srv_eager_part(&d.eager);
    CHECK(looks(&d) && d.nlook == before);
    nap();
    uv_run(&d.loop, UV_RUN_NOWAIT);
    CHECK(!looks(&d) && d.nlook > before);
  }
  CHECK_EQ(d.eager.pause, 0);
  close_desk(&d);
}

// its part is done, and others are still at work
TEST(after_its_part_the_loop_looks_for_the_end_of_the_rest) {
  Desk d;
  open_desk(&d);
  srv_eager_part(&d.eager);
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
  srv_eager_working(&d.eager, CPUS, small_ns);
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
