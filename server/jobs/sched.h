// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which slice of which job goes into the pool next, and what happens when it comes back.
//
// The pool is kept just full enough that no worker idles; everything else waits here, where it can be reordered and
// cancelled for free. The next slice is taken from the highest priority, within that from the connection that was
// served longest ago. Jobs whose client does not read are passed over until it does.
//
// Threads: the loop thread owns all of this. Workers only push finished slices onto the done list, under its lock,
// and wake the loop.
#ifndef SHEAF_SERVER_JOBS_SCHED_H_
#define SHEAF_SERVER_JOBS_SCHED_H_

#include "jobs/job.h"

typedef struct srv_sched {
  const srv_limits* limits;
  srv_ledger* ledger;
  srv_stats* stats;
  sheafPool* pool;
  int threads;
  srv_job* jobs;  // all that are not over
  unsigned njob;
  int slices_in_pool;
  int64_t rows_in_pool;
  uint64_t last_done;  // when a slice came back
  uint64_t turn;       // of the last connection served
  bool pumping;

  uv_async_t wake;
  uv_timer_t tick;  // deadlines and progress; runs while some job needs it
  bool ticking;
  pthread_mutex_t lock;  // guards done
  srv_slice* done;
} srv_sched;

int srv_sched_init(srv_sched* s, uv_loop_t* loop, const srv_limits* limits, srv_ledger* ledger, srv_stats* stats,
                   int threads, srv_error* error);

// All jobs must be over.
void srv_sched_close(srv_sched* s);

// Take a job; its call will be ended.
void srv_sched_add(srv_sched* s, srv_job* job);

// Stop a job. Its call ends with this error when its last slice is back from the pool.
void srv_sched_fail(srv_sched* s, srv_job* job, const srv_error* error);

// Stop all jobs.
void srv_sched_fail_all(srv_sched* s, const srv_error* error);

// Give the pool work: something may have changed (room in the pool, a client that reads again).
void srv_sched_pump(srv_sched* s);

// More inputs of a job are here.
void srv_sched_more(srv_sched* s, const srv_job* job);

// Jobs of which nothing has been started.
unsigned srv_sched_waiting(const srv_sched* s);

#endif  // SHEAF_SERVER_JOBS_SCHED_H_
