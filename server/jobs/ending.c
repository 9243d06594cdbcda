// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/ending.h"

#include <malloc.h>

#include "jobs/gather.h"
#include "jobs/repeat.h"
#include "jobs/standing.h"
#include "sheaf.pb-c.h"

enum { MANY_JOBS = 4096 };

// after many requests, give memory back to the system when the last of them is over
static void trim(srv_sched* s) {
  if (s->njob || s->most < MANY_JOBS) return;
  s->most = 0;
  malloc_trim(0);
}

void srv_ending_free(srv_sched* s, srv_job* job) {
  *job->link = job->next;
  if (job->next) job->next->link = job->link;
  if (--s->njob < 2) sheaf_poolOthers(s->pool, 0);
  if (!job->started) s->nwaiting--;
  while (job->slices) {
    srv_slice* slice = job->slices;
    job->slices = slice->next;
    srv_slice_unref(slice);
  }
  srv_gather_end(job);
  srv_standing_owe(s, job, 0);
  if (!s->njob) s->owed = 0;  // rounding
  srv_heap_remove(&job->leaf->flow.ready, &job->ready);
  srv_flow_update(&job->leaf->flow);
  srv_heap_remove(&job->leaf->account->due, &job->due);
  srv_heap_remove(&s->timers, &job->timer);
  srv_heap_remove(&s->hungry, &job->hunger);
  srv_heap_remove(&s->heavy, &job->weight);
  srv_conn* conn = job->leaf->conn;
  srv_leaf_leave(&s->accounts, job->leaf);
  srv_model_unref(job->model);
  srv_region_unref(job->region);
  srv_job_end(job, conn);
  trim(s);
}

void srv_ending_finish(srv_sched* s, srv_job* job) {
  if (job->running || (job->deliver && job->paused)) return;
  if (job->call && job->deliver) srv_gather_tell(job, true, s->threads);
  if (job->call && job->deliver) {
    srv_job_send_end(job, s->threads);
  } else if (job->call) {
    srv_call_fail(job->call, &job->failure);
  }
  srv_ending_free(s, job);
}

void srv_ending_fail(srv_sched* s, srv_job* job, const srv_error* error) {
  if (!job->call->conn) srv_leaf_lose(job->leaf);
  if (job->failure.code) {
    // without a connection there is nobody to whom rows could be sent
    if (!job->call->conn) job->deliver = false;
    if (!job->deliver) srv_ending_finish(s, job);
    return;
  }
  job->failure = *error;
  job->deliver = job->partial && job->next_row && job->call->conn &&
                 (error->code == SHEAF__CODE__CODE_CANCELLED || error->code == SHEAF__CODE__CODE_DEADLINE_EXCEEDED);
  if (error->code == SHEAF__CODE__CODE_CANCELLED) s->stats->cancelled++;
  for (srv_slice* slice = job->slices; slice; slice = slice->next) {
    if (!slice->done) sheaf_cancel(slice->work);
  }
  srv_heap_remove(&s->timers, &job->timer);
  srv_heap_remove(&s->hungry, &job->hunger);
  srv_standing_owe(s, job, 0);
  srv_standing_update(s, job);
  srv_ending_finish(s, job);
}
