// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Public functions on jobs that were submitted.

#include <stdlib.h>
#include <string.h>

#include "pool/pool.h"
#include "pool/queue.h"

void sheaf_cancel(sheafJob* job) { atomic_store(&job->cancel, 1); }

void sheaf_jobProgress(const sheafJob* job, int64_t* done, int64_t* total) {
  *done = atomic_load(&((sheafJob*)job)->ndone);
  *total = job->total;
}

void sheaf_jobWork(const sheafJob* job, sheafWork* work) {
  sheafJob* j = (sheafJob*)job;
  const int64_t begun = atomic_load(&j->begun), ended = atomic_load(&j->ended), now = ended ? ended : mji_now();
  sheafWork w = {.size = work->size,
                 .computed = atomic_load(&j->computed),
                 .seconds = 1e-9 * (double)atomic_load(&j->time),
                 .kept = atomic_load(&j->kept),
                 .queued = 1e-9 * (double)((begun ? begun : now) - j->submitted),
                 .elapsed = 1e-9 * (double)(now - j->submitted),
                 .cpu = 1e-9 * (double)atomic_load(&j->cpu)};
  memcpy(work, &w, work->size < sizeof w ? work->size : sizeof w);
}

int sheaf_jobPaused(const sheafJob* job) { return job->paused; }

int sheaf_resume(sheafJob* job, sheafStatus* status) {
  if (!mji_queuePush(&job->pool->queue, job)) return mji_succeed(status);
  return mji_status(status, SHEAF_UNAVAILABLE, "", "the pool is closing");
}

static int result(const sheafJob* job, sheafStatus* status) {
  if (atomic_load(&job->cancel)) {
    return mji_status(status, SHEAF_CANCELLED, "", "the job was cancelled");
  }
  return mji_succeed(status);
}

int sheaf_wait(sheafJob* job, sheafStatus* status) {
  mji_queueWait(&job->pool->queue, job, 0);
  return result(job, status);
}

int sheaf_waitFor(sheafJob* job, double seconds, sheafStatus* status) {
  const double most = 1e9;  // seconds: what the clock can hold
  const double wait = seconds >= 0 ? (seconds < most ? seconds : most) : 0;
  return mji_queueWait(&job->pool->queue, job, mji_now() + (int64_t)(1e9 * wait)) ? result(job, status) : -1;
}

void sheaf_freeJob(sheafJob* job) {
  if (!job) return;
  pthread_mutex_destroy(&job->progress_lock);
  for (int i = 0; i < job->nleft; i++) {
    if (job->left[i].saved) job->forget(job, job->left[i].saved);
  }
  free(job->left);
  free(job->request);
  free(job->prepared);
  free(job->rounds);
  free(job->params);
  if (job->borrowed) job->giveBack(job->borrowed);
  free(job);
}
