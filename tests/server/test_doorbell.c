// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Threads that wake the loop up.
#include "support/test.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "jobs/doorbell.h"

enum { RINGERS = 4, TIMES = 2000 };

typedef struct {
  srv_doorbell bell;
  atomic_int asked;
  int answered, nrung;
} Door;

// answer all that was asked before the bell was looked at
static void on_rung(void* user) {
  Door* d = user;
  d->nrung++;
  d->answered = atomic_load(&d->asked);
}

static void* ring(void* user) {
  Door* d = user;
  for (int i = 0; i < TIMES; i++) {
    bool last = atomic_fetch_add(&d->asked, 1) + 1 == RINGERS * TIMES;
    if (last || i % 2) srv_doorbell_ring(&d->bell);
  }
  return NULL;
}

TEST(a_loop_sleeps_until_somebody_rings_and_misses_nobody) {
  uv_loop_t loop;
  Door d = {.asked = 0};
  pthread_t ringer[RINGERS];
  uv_loop_init(&loop);
  CHECK_EQ(srv_doorbell_init(&d.bell, &loop, on_rung, &d), 0);
  uv_run(&loop, UV_RUN_NOWAIT);
  CHECK_EQ(d.nrung, 0);
  for (int i = 0; i < RINGERS; i++) pthread_create(&ringer[i], NULL, ring, &d);
  while (d.answered < RINGERS * TIMES) uv_run(&loop, UV_RUN_ONCE);  // hangs if one is missed
  for (int i = 0; i < RINGERS; i++) pthread_join(ringer[i], NULL);
  CHECK(d.nrung >= 1 && d.nrung <= RINGERS * TIMES / 2 + 1);
  srv_doorbell_close(&d.bell);
  uv_run(&loop, UV_RUN_DEFAULT);
  CHECK_EQ(uv_loop_close(&loop), 0);
}

TEST(rings_before_the_loop_looks_are_one) {
  uv_loop_t loop;
  Door d = {.asked = RINGERS * TIMES};
  uv_loop_init(&loop);
  CHECK_EQ(srv_doorbell_init(&d.bell, &loop, on_rung, &d), 0);
  for (int i = 0; i < 5; i++) srv_doorbell_ring(&d.bell);
  for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
  CHECK_EQ(d.nrung, 1);
  srv_doorbell_close(&d.bell);
  uv_run(&loop, UV_RUN_DEFAULT);
  CHECK_EQ(uv_loop_close(&loop), 0);
}

static bool has_rung(const srv_doorbell* bell) {
  struct pollfd p = {.fd = bell->fd, .events = POLLIN};
  return poll(&p, 1, 0) == 1;
}

TEST(a_bell_that_was_heard_rings_again) {
  uv_loop_t loop;
  Door d = {.asked = 0};
  uv_loop_init(&loop);
  CHECK_EQ(srv_doorbell_init(&d.bell, &loop, on_rung, &d), 0);
  for (int i = 1; i <= 3; i++) {
    CHECK(!has_rung(&d.bell));
    srv_doorbell_ring(&d.bell);
    srv_doorbell_ring(&d.bell);
    CHECK(has_rung(&d.bell));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(d.nrung, i);
  }
  srv_doorbell_close(&d.bell);
  uv_run(&loop, UV_RUN_DEFAULT);
  CHECK_EQ(uv_loop_close(&loop), 0);
}
