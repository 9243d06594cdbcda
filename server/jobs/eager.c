// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/eager.h"

#include <sched.h>
#include <time.h>

enum { QUICK = 2 };

static const double most_ns = 2e6;        // work that takes longer is worth a wake-up
static const uint64_t late_ns = 100000;   // by which work may take longer than estimated
static const uint64_t quick_ns = 300000;  // a Python program takes less between two calls
static const uint64_t lost_ns = 100000;   // more than threads of the system take now and then
static const uint64_t least_pause_ns = 100000000, most_pause_ns = 10000000000;

// Time that this thread has not had a processor. While the loop looks, that is because somebody else had it.
static uint64_t time_without(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return uv_hrtime() - ((uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec);
}

static void sleep_again(srv_eager* e) {
  if (!atomic_load(&e->looks)) return;
  uv_idle_stop(&e->idle);
  if (time_without() < e->without + lost_ns) {
    e->pause = least_pause_ns;
  } else {
    e->not_before = uv_hrtime() + e->pause;
    e->pause = 2 * e->pause < most_pause_ns ? 2 * e->pause : most_pause_ns;
  }

  // a worker that has read `looks` before this has not woken the loop up, so look once more
  atomic_store(&e->looks, false);
  e->look(e->user);
}

static void on_idle(uv_idle_t* idle) {
  srv_eager* e = idle->data;
  e->look(e->user);
  if (uv_hrtime() >= e->until) {
    sleep_again(e);
  } else {
    sched_yield();  // whoever else wants this processor gets it, which time_without shows
  }
}

static void look_for(srv_eager* e, uint64_t ns) {
  uint64_t now = uv_hrtime();
  if (e->processors < 2 || now < e->not_before) return;
  e->until = now + ns;
  if (atomic_load(&e->looks)) return;
  e->without = time_without();
  atomic_store(&e->looks, true);
  uv_idle_start(&e->idle, on_idle);
}

void srv_eager_init(srv_eager* e, uv_loop_t* loop, void (*look)(void* user), void* user) {
  *e = (srv_eager){.look = look, .user = user, .pause = least_pause_ns, .processors = uv_available_parallelism()};
  uv_idle_init(loop, &e->idle);
  e->idle.data = e;
}

void srv_eager_close(srv_eager* e) { uv_close((uv_handle_t*)&e->idle, NULL); }

void srv_eager_working(srv_eager* e, int workers, double ns) {
  if (ns <= most_ns && (unsigned)workers < e->processors) {
    look_for(e, (uint64_t)(1.5 * ns) + late_ns);
  } else {
    e->until = 0;
  }
}

void srv_eager_busy(srv_eager* e) { e->until = 0; }

void srv_eager_answered(srv_eager* e) {
  e->answered = uv_hrtime();
  e->until = 0;
  if (e->quick == QUICK) look_for(e, quick_ns);
}

void srv_eager_asked(srv_eager* e) {
  if (!e->answered) return;
  e->quick = uv_hrtime() - e->answered > quick_ns ? 0 : e->quick < QUICK ? e->quick + 1 : QUICK;
  e->answered = 0;
}
