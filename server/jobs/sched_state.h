// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the scheduler knows. Five files work on it, and each calls only those before it: standing.c, ending.c,
// progress.c, returned.c, sched.c.
#ifndef SHEAF_SERVER_JOBS_SCHED_STATE_H_
#define SHEAF_SERVER_JOBS_SCHED_STATE_H_

#include "jobs/account.h"
#include "jobs/doorbell.h"
#include "jobs/eager.h"
#include "jobs/job.h"
#include "jobs/leader.h"

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
  srv_slice* part;        // in which the loop takes part in a moment, or NULL
  int part_workers;       // who take part in it, with the loop
  double part_ns;         // what each of them does, as estimated
  uint64_t waited_until;  // uv_hrtime: whoever asks before, has waited for the loop while it took part in work
  uint64_t alone_after;   // uv_hrtime: before, it takes part in no work, because somebody has waited
  srv_eager eager;
  srv_leader leader;
  int resting;            // a worker that rested when the loop last looked, -1: none did
  unsigned resting_turn;  // the number of its turn then

  srv_doorbell wake;
  uv_timer_t tick;
  pthread_mutex_t lock;  // guards done
  srv_slice* done;
} srv_sched;

#endif  // SHEAF_SERVER_JOBS_SCHED_STATE_H_
