// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/eager.h"

#include <sched.h>
#include <time.h>

// requests in a row that came quickly, before the loop looks for the next one; more after it was in somebody's way
enum { QUICK = 2, MOST_QUICK = 64 };

static const uint64_t late_ns = 100000;   // by which work may take longer than estimated
static const uint64_t quick_ns = 500000;  // a Python program takes less between two calls
static const uint64_t lost_ns = 100000;   // more than threads of the system take now and then
static const uint64_t own_ns = 200000;    // of processors that the workers need
static const uint64_t least_pause_ns = 10000000, most_pause_ns = 10000000000;

// time that this thread has had a processor
static uint64_t time_with(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

// ---- what the loop looks for

// Of a processor that is left over the loop takes what it wants: if it did not have it all the time, somebody else
// wanted it. Where workers need all of them, it takes what they leave, and somebody else is there if it comes late.
static bool disturbs(const srv_eager* e) {
  uint64_t with = time_with() - e->with;
  return e->looks_for == SRV_EAGER_CROWDED ? e->late || with > own_ns : uv_hrtime() - e->began > with + lost_ns;
}

// The loop has looked for long enough. If it was in somebody's way, it looks less often. For the end of work not before
// a while has passed: once may be chance, so the second time counts, and each further one in a row twice as much. For
// requests not before more of them have come quickly, unless it has found some since: a program that computes for
// itself now and then comes back.
static void judge(srv_eager* e) {
  bool bad = disturbs(e);
  if (e->looks_for != SRV_EAGER_REQUEST) {
    if (bad) e->not_before = uv_hrtime() + e->pause;
    e->pause = !bad ? 0 : !e->pause ? least_pause_ns : e->pause < most_pause_ns ? 2 * e->pause : e->pause;
  } else if (bad) {
    e->enough = e->found ? QUICK : 2 * e->enough < MOST_QUICK ? 2 * e->enough : MOST_QUICK;
    e->quick = 0;
    e->found = false;
  }
}

static void sleep_again(srv_eager* e) {
  if (!atomic_load(&e->looks)) return;
  uv_idle_stop(&e->idle);
  judge(e);

  // a worker that has read `looks` before this has not woken the loop up, so look once more
  atomic_store(&e->looks, false);
  e->look(e->user);
}

static void on_idle(uv_idle_t* idle) {
  srv_eager* e = idle->data;
  e->look(e->user);
  if (uv_hrtime() >= e->until || disturbs(e)) {
    sleep_again(e);
  } else {
    sched_yield();  // whoever else wants this processor gets it
  }
}

// Is it worth it to look now?
static bool rests(const srv_eager* e, srv_eager_aim aim, uint64_t now) {
  return e->processors < 2 || (aim == SRV_EAGER_REQUEST ? e->quick < e->enough : now < e->not_before);
}

static void look_for(srv_eager* e, srv_eager_aim aim, uint64_t ns) {
  bool looks = atomic_load(&e->looks);
  if (looks) judge(e);
  uint64_t now = uv_hrtime();
  bool sleeps = rests(e, aim, now);
  e->until = sleeps ? 0 : now + ns;
  if (sleeps && !looks) return;
  e->looks_for = aim;
  e->late = false;
  e->with = time_with();
  e->began = now;
  if (looks) return;
  atomic_store(&e->looks, true);
  uv_idle_start(&e->idle, on_idle);
}

void srv_eager_init(srv_eager* e, uv_loop_t* loop, void (*look)(void* user), void* user) {
  *e = (srv_eager){.look = look, .user = user, .enough = QUICK};
  e->processors = uv_available_parallelism();
  uv_idle_init(loop, &e->idle);
  e->idle.data = e;
}

void srv_eager_close(srv_eager* e) { uv_close((uv_handle_t*)&e->idle, NULL); }

bool srv_eager_short(double ns) { return ns <= SRV_EAGER_SHORT_NS; }

void srv_eager_part(srv_eager* e) {
  if (atomic_load(&e->looks)) {
    uv_idle_stop(&e->idle);
    judge(e);
  }
  e->work = 0;
  atomic_store(&e->looks, true);
}

void srv_eager_parted(srv_eager* e) { atomic_store(&e->looks, false); }

bool srv_eager_working(srv_eager* e, int workers, double ns) {
  bool small = srv_eager_short(ns) && (unsigned)workers <= e->processors;
  bool spare = (unsigned)workers < e->processors;
  e->until = 0;
  e->work = small ? (uint64_t)(1.5 * ns) + late_ns : 0;
  if (small && spare) look_for(e, SRV_EAGER_SPARE, e->work);
  return small && !spare && e->processors > 1;
}

void srv_eager_begun(srv_eager* e) {
  if (e->work) look_for(e, SRV_EAGER_CROWDED, e->work);
  e->work = 0;
}

void srv_eager_found(srv_eager* e, uint64_t ended) {
  if (uv_hrtime() > ended + lost_ns) e->late = true;
}

void srv_eager_left(srv_eager* e) {
  if (!atomic_load(&e->looks) || e->looks_for != SRV_EAGER_CROWDED || disturbs(e)) return;
  e->looks_for = SRV_EAGER_SPARE;
  e->with = time_with();
  e->began = uv_hrtime();
}

void srv_eager_busy(srv_eager* e) { e->until = e->work = 0; }

void srv_eager_answered(srv_eager* e) {
  e->answered = uv_hrtime();
  e->work = 0;
  look_for(e, SRV_EAGER_REQUEST, quick_ns);
}

void srv_eager_asked(srv_eager* e) {
  if (!e->answered) return;
  bool quick = uv_hrtime() - e->answered <= quick_ns;
  e->quick = !quick ? 0 : e->quick < MOST_QUICK ? e->quick + 1 : MOST_QUICK;
  e->answered = 0;
  if (quick && atomic_load(&e->looks)) e->found = true;
}
