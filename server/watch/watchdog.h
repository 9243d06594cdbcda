// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A watchdog for the loop: a thread of its own asks the loop for an answer, again and again. If the loop stands still
// for a second, the watchdog logs the stack of every thread; after `watchdog` seconds it ends the process, so that a
// supervisor starts it again. The same thread looks at the workers (watch/workers.h). The watchdog also measures how
// long the rounds of the loop take.
#ifndef SHEAF_SERVER_WATCH_WATCHDOG_H_
#define SHEAF_SERVER_WATCH_WATCHDOG_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <uv.h>

#include "base/histogram.h"
#include "watch/workers.h"

typedef struct {
  uv_prepare_t prepare;
  uv_check_t check;
  uv_async_t question;
  bool open;
  srv_histogram rounds;  // times from waking to sleeping; written by the loop thread
  uint64_t woke;         // uv_hrtime; 0 in the first round
  atomic_ullong answers, stalls;

  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t stopped;
  bool stop;
  uint64_t abort_ms;  // 0: never
  srv_workers workers;
} srv_watchdog;

// Watch this loop, from its thread, and the threads of a pool (may be NULL). abort_ms and stuck_ms as the settings
// `watchdog` and `stuck-worker`.
void srv_watchdog_start(srv_watchdog* w, uv_loop_t* loop, uint64_t abort_ms, const sheafPool* pool, uint64_t stuck_ms);

// End the thread alone, if there is one: what it looks at may be freed afterwards.
void srv_watchdog_end(srv_watchdog* w);

// Call from the loop's thread; handles are closed when the loop runs next.
void srv_watchdog_stop(srv_watchdog* w);

#endif  // SHEAF_SERVER_WATCH_WATCHDOG_H_
