// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/progress.h"

#include "jobs/ending.h"
#include "sheaf.pb-c.h"

enum { PROGRESS_NS = 50000000 };

void srv_progress_send(srv_job* job) {
  Sheaf__Progress m = SHEAF__PROGRESS__INIT;
  int64_t done, total;
  m.done = job->units_done;
  for (srv_slice* slice = job->slices; slice; slice = slice->next) {
    if (slice->done) continue;
    sheaf_jobProgress(slice->work, &done, &total);
    if (total > 0) m.done += (int64_t)((double)slice->units * (double)done / (double)total);
  }
  m.total = (int64_t)(job->row_units * (uint64_t)job->request.any.nbatch);
  srv_call_send(job->call, srv_out_make(SHEAF__FRAME_TYPE__FRAME_PROGRESS, SHEAF_FRAME_MORE, job->call->id, &m.base,
                                        NULL, NULL, NULL));
}

void srv_progress_await(srv_sched* s, srv_job* job, uint64_t now) {
  uint64_t at = job->progress && now + PROGRESS_NS < job->deadline ? now + PROGRESS_NS : job->deadline;
  srv_heap_put(&s->timers, &job->timer, (double)at);
}

static void on_time(srv_sched* s, srv_job* job, uint64_t now) {
  srv_error error;
  if (now >= job->deadline) {
    srv_error_set(&error, SHEAF__CODE__CODE_DEADLINE_EXCEEDED, "timeout_us: the time is over (%.3g s)",
                  1e-9 * (double)(job->deadline - job->call->arrived));
    srv_ending_fail(s, job, &error);
    return;
  }
  const srv_conn* conn = job->call->conn;
  if (job->started && conn && conn->unsent <= s->limits->unsent_low) srv_progress_send(job);
  srv_progress_await(s, job, now);
}

void srv_progress_due(srv_sched* s, uint64_t now) {
  while (s->timers.first && s->timers.first->key <= (double)now) {
    on_time(s, SRV_NODE_OF(s->timers.first, srv_job, timer), now);
  }
}
