// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which slice of which job goes into the pool next, and what happens when it comes back.
//
// The pool is kept just full enough that no worker idles; everything else waits here, where it can be reordered and
// cancelled at no cost. jobs/account.h says whose turn it is. Within a connection the earliest deadline goes first. A
// job whose client named no deadline has that of the server, and yields to younger jobs the longer it is served, so
// that a short job does not wait for the end of a long one. Jobs whose client does not read are passed over until it
// does.
//
// Nothing here looks at all jobs: what can be computed, what has a deadline and what lacks memory wait in heaps.
//
// Threads: the loop thread owns all of this. Workers only push finished slices onto the done list, under its lock,
// and wake the loop.
#ifndef SHEAF_SERVER_JOBS_SCHED_H_
#define SHEAF_SERVER_JOBS_SCHED_H_

#include "jobs/account.h"
#include "jobs/doorbell.h"
#include "jobs/eager.h"
#include "jobs/job.h"

typedef struct srv_sched {
  const srv_limits* limits;
  srv_ledger* ledger;
  srv_stats* stats;
  sheafPool* pool;
  int threads;
  srv_job* jobs;  // all jobs that are not over
  unsigned njob, nwaiting;
  unsigned most;  // jobs since memory was last given back to the system
  srv_accounts accounts;
  srv_heap timers, hungry;
  srv_heap heavy;         // jobs by the bytes that they hold, most first
  double armed;           // time of the next timer
  double owed;            // estimate of what is left of all jobs, ns of one worker
  uint64_t worker_bytes;  // bytes that the workers' data of models may occupy
  int slices_in_pool;
  double load;  // estimated cost of the slices in the pool
  bool pumping;
  srv_eager eager;
  int resting;            // a worker that rested when the loop last looked, -1: none did
  unsigned resting_turn;  // the number of its turn then

  srv_doorbell wake;
  uv_timer_t tick;
  pthread_mutex_t lock;  // guards done
  srv_slice* done;
} srv_sched;

int srv_sched_init(srv_sched* s, uv_loop_t* loop, const srv_limits* limits, srv_ledger* ledger, srv_stats* stats,
                   int threads, int precision, srv_error* error);

// All jobs must be over.
void srv_sched_close(srv_sched* s);

// Take a job; its call will be ended. On a negative return it was not taken.
int srv_sched_add(srv_sched* s, srv_job* job, srv_error* error);

// Stop a job. Its call ends with this error when its last slice is back from the pool.
void srv_sched_fail(srv_sched* s, srv_job* job, const srv_error* error);

// Stop all jobs.
void srv_sched_fail_all(srv_sched* s, const srv_error* error);

// A client reads again (NULL: there is more memory): go on with its jobs.
void srv_sched_ready(srv_sched* s, srv_conn* conn);

// Bytes have come from a client.
void srv_sched_asked(srv_sched* s);

// More inputs of a job are here.
void srv_sched_more(srv_sched* s, srv_job* job);

// Count the data that workers will allocate for a model; make the workers free it.
void srv_sched_claim(srv_sched* s, srv_model* model, uint64_t bytes);
void srv_sched_forget(srv_sched* s, srv_model* model);

// Stop the job that holds most bytes; false if it would be the only one.
bool srv_sched_relieve(srv_sched* s);

// Microseconds after which a refused request should be tried again: an eighth of the time that the waiting work takes.
uint64_t srv_sched_hint(const srv_sched* s);

#endif  // SHEAF_SERVER_JOBS_SCHED_H_
