// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "watch/watchdog.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/log.h"
#include "watch/stacks.h"

enum { LOOK_MS = 250, REPORT_MS = 1000, NS_PER_MS = 1000000 };

// ---- in the loop

static void on_wake(uv_check_t* check) { ((srv_watchdog*)check->data)->woke = uv_hrtime(); }

static void before_sleep(uv_prepare_t* prepare) {
  srv_watchdog* w = prepare->data;
  if (w->woke) srv_histogram_add(&w->rounds, (uv_hrtime() - w->woke) / 1000);
  w->woke = 0;
}

static void on_question(uv_async_t* question) { atomic_fetch_add(&((srv_watchdog*)question->data)->answers, 1); }

// ---- in the thread

// sleep, or return false when it is over
static bool pause_thread(srv_watchdog* w) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += LOOK_MS * NS_PER_MS;
  until.tv_sec += until.tv_nsec / (1000 * NS_PER_MS);
  until.tv_nsec %= 1000 * NS_PER_MS;
  pthread_mutex_lock(&w->lock);
  if (!w->stop) pthread_cond_timedwait(&w->stopped, &w->lock, &until);
  bool go_on = !w->stop;
  pthread_mutex_unlock(&w->lock);
  return go_on;
}

// Ask the loop. Takes the lock, so that the loop's handle is not closed meanwhile.
static void put_question(srv_watchdog* w) {
  pthread_mutex_lock(&w->lock);
  if (!w->stop) uv_async_send(&w->question);
  pthread_mutex_unlock(&w->lock);
}

static void report(srv_watchdog* w, uint64_t ms) {
  atomic_fetch_add(&w->stalls, 1);
  srv_log(SRV_LOG_ERROR, "loop_stalls", "ms=%llu", (unsigned long long)ms);
  srv_stacks_log();
}

static void end_process(uint64_t ms) {
  srv_log(SRV_LOG_ERROR, "loop_stands", "ms=%llu action=\"the process ends\"", (unsigned long long)ms);
  srv_log_stop();
  abort();
}

// Milliseconds since the last look, as far as this thread was awake: if the process or its machine was stopped as a
// whole, its loop has not stalled.
static uint64_t since(uint64_t* looked) {
  uint64_t now = uv_hrtime() / NS_PER_MS, ms = now - *looked;
  *looked = now;
  return ms < 2 * LOOK_MS ? ms : 2 * LOOK_MS;
}

static void* watch(void* user) {
  srv_watchdog* w = user;
  unsigned long long asked = 0;
  uint64_t looked = uv_hrtime() / NS_PER_MS, ms = 0;
  bool reported = false;
  while (pause_thread(w)) {
    uint64_t slept = since(&looked);
    ms += slept;
    srv_workers_look(&w->workers, slept);
    if (atomic_load(&w->answers) >= asked) {
      if (reported) srv_log(SRV_LOG_WARN, "loop_goes_on", "ms=%llu", (unsigned long long)ms);
      reported = false;
      asked = atomic_load(&w->answers) + 1;
      ms = 0;
      put_question(w);
      continue;
    }
    if (ms >= REPORT_MS && !reported) {
      report(w, ms);
      reported = true;
    }
    if (w->abort_ms && ms >= w->abort_ms) end_process(ms);
  }
  return NULL;
}

// ---- life

static void start_thread(srv_watchdog* w) {
  sigset_t all, before;
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->stopped, &clock);
  pthread_condattr_destroy(&clock);

  // block signals in the thread: the loop handles them
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  w->open = !pthread_create(&w->thread, NULL, watch, w);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (w->open) pthread_setname_np(w->thread, "watchdog");
  if (!w->open) srv_log(SRV_LOG_WARN, "no_watchdog", "reason=\"no thread for it\"");
}

void srv_watchdog_start(srv_watchdog* w, uv_loop_t* loop, uint64_t abort_ms, const sheafPool* pool, uint64_t stuck_ms) {
  *w = (srv_watchdog){.abort_ms = abort_ms};
  if (!srv_workers_init(&w->workers, pool, stuck_ms))
    srv_log(SRV_LOG_WARN, "no_watchdog", "of=workers reason=\"no memory\"");
  uv_prepare_init(loop, &w->prepare);
  uv_check_init(loop, &w->check);
  uv_async_init(loop, &w->question, on_question);
  w->prepare.data = w->check.data = w->question.data = w;
  uv_check_start(&w->check, on_wake);
  uv_prepare_start(&w->prepare, before_sleep);
  start_thread(w);
}

void srv_watchdog_end(srv_watchdog* w) {
  if (!w->open) return;
  pthread_mutex_lock(&w->lock);
  w->stop = true;
  pthread_cond_signal(&w->stopped);
  pthread_mutex_unlock(&w->lock);
  pthread_join(w->thread, NULL);
  w->open = false;
}

void srv_watchdog_stop(srv_watchdog* w) {
  srv_watchdog_end(w);
  srv_workers_free(&w->workers);
  pthread_cond_destroy(&w->stopped);
  pthread_mutex_destroy(&w->lock);
  uv_close((uv_handle_t*)&w->prepare, NULL);
  uv_close((uv_handle_t*)&w->check, NULL);
  uv_close((uv_handle_t*)&w->question, NULL);
}
