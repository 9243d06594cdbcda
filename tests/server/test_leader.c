// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Who runs the loop, while its leader is away for a moment, and for long.
#include "support/test.h"

#include <sys/resource.h>
#include <time.h>

#include "jobs/leader.h"

// A loop with a timer that leaves it again and again. What is not atomic belongs to the leader.
typedef struct {
  uv_loop_t loop;
  uv_timer_t timer;
  srv_leader leader;
  pthread_t leads;
  atomic_int ticks;
  int nleave, nback, ntaken, nsleep;
  int leaves;      // how often to leave the loop
  int long_every;  // each so many times the work takes long; 0: never
  bool is_long;
  atomic_int nlong, ndone;
} Ship;

static void nap_ms(int ms) { nanosleep(&(struct timespec){ms / 1000, 1000000 * (ms % 1000)}, NULL); }

static void* on_begin(void* user) {
  Ship* s = user;
  s->nleave++;
  bool is_long = s->long_every && s->nleave % s->long_every == 0;
  return is_long ? s : NULL;
}

// long work is over when the loop has gone on for a while without this thread
static void on_work(void* user, void* is_long) {
  Ship* s = user;
  int before = atomic_load(&s->ticks);
  if (is_long) {
    while (atomic_load(&s->ticks) < before + 3) nap_ms(1);
    atomic_fetch_add(&s->nlong, 1);
  }
  atomic_fetch_add(&s->ndone, 1);
}

static void on_back(void* user) {
  Ship* s = user;
  CHECK(pthread_equal(s->leads, pthread_self()));
  s->nback++;
}

static void on_taken(void* user) {
  Ship* s = user;
  CHECK(!pthread_equal(s->leads, pthread_self()));
  s->leads = pthread_self();
  s->ntaken++;
}

static void on_tick(uv_timer_t* timer) {
  Ship* s = timer->data;
  CHECK(pthread_equal(s->leads, pthread_self()));
  atomic_fetch_add(&s->ticks, 1);
  if (atomic_load(&s->ndone) < s->nleave) return;
  if (s->nleave == s->leaves) {
    uv_close((uv_handle_t*)timer, NULL);
  } else {
    srv_leader_leave(&s->leader, s->is_long);
  }
}

// run a loop with this timer until it is over
static void run(Ship* s, uv_timer_cb on_timer, uint64_t repeat, void (*work)(void* user, void* to_do)) {
  s->leads = pthread_self();
  uv_loop_init(&s->loop);
  uv_timer_init(&s->loop, &s->timer);
  s->timer.data = s;
  uv_timer_start(&s->timer, on_timer, 1, repeat);
  s->leader =
      (srv_leader){.loop = &s->loop, .begin = on_begin, .work = work, .back = on_back, .taken = on_taken, .user = s};
  srv_leader_init(&s->leader);
  srv_leader_run(&s->leader);
  CHECK_EQ(uv_loop_close(&s->loop), 0);
  srv_leader_close(&s->leader);
}

static void sail(Ship* s, int leaves, int long_every) {
  s->leaves = leaves;
  s->long_every = long_every;
  run(s, on_tick, 1, on_work);
  CHECK_EQ(s->nleave, leaves);
  CHECK_EQ(s->nback + s->ntaken, leaves);
  CHECK_EQ(atomic_load(&s->ndone), leaves);
}

TEST(a_leader_that_is_away_for_a_moment_comes_back) {
  Ship s = {0};
  sail(&s, 50, 0);
  CHECK(s.nback > 0);  // not each time where other programs stop this one for 5 ms
}

TEST(a_leader_that_is_away_for_long_is_replaced_and_follows) {
  for (int is_long = 0; is_long < 2; is_long++) {
    Ship s = {.is_long = is_long};
    sail(&s, 20, 2);
    CHECK_EQ(atomic_load(&s.nlong), 10);
    CHECK(s.ntaken >= 10);
  }
}

TEST(each_thread_may_lead_when_the_loop_is_over) {
  for (int leaves = 0; leaves < 4; leaves++) {
    Ship s = {0};
    sail(&s, leaves, 1);
    CHECK_EQ(s.ntaken, leaves);
  }
}

static int sleeps(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return (int)use.ru_nvcsw;
}

static void on_quiet_work(void* user, void* unused) {
  Ship* s = user;
  (void)unused;
  int before = sleeps();
  nap_ms(200);
  s->nsleep += sleeps() - before;
  atomic_fetch_add(&s->ndone, 1);
}

static void on_leave(uv_timer_t* timer) {
  Ship* s = timer->data;
  if (s->nleave == 2) {
    uv_close((uv_handle_t*)timer, NULL);
    return;
  }
  srv_leader_leave(&s->leader, s->nleave > 0);
  uv_timer_start(timer, on_leave, 400, 0);
}

// With looks every 5 ms the follower would wake up 80 times.
TEST(nobody_takes_a_loop_that_has_nothing_to_do) {
  Ship s = {0};
  run(&s, on_leave, 0, on_quiet_work);
  CHECK_EQ(s.nback, 2);
  CHECK_EQ(atomic_load(&s.ndone), 2);
  CHECK(s.nsleep < 20);
}

static void on_rest(void* user, void* unused) {
  (void)unused;
  nap_ms(100);
  atomic_store(&((Ship*)user)->nlong, 1);
}

static void on_end(uv_timer_t* timer) {
  Ship* s = timer->data;
  if (!s->ntaken) {
    if (!s->nleave) srv_leader_leave(&s->leader, true);
    return;
  }
  CHECK_EQ(atomic_load(&s->nlong), 0);
  srv_leader_settle(&s->leader);
  CHECK_EQ(atomic_load(&s->nlong), 1);
  uv_close((uv_handle_t*)timer, NULL);
}

TEST(who_ends_the_loop_can_wait_for_the_former_leader) {
  Ship s = {0};
  run(&s, on_end, 1, on_rest);
  CHECK_EQ(s.ntaken, 1);
}
