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

#include "jobs/sched_state.h"

int srv_sched_init(srv_sched* s, uv_loop_t* loop, const srv_limits* limits, srv_ledger* ledger, srv_stats* stats,
                   int threads, int precision, srv_error* error);

// All jobs must be over.
void srv_sched_close(srv_sched* s);

// Take a job; its call will be ended. On a negative return it was not taken.
int srv_sched_add(srv_sched* s, srv_job* job, srv_error* error);

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
