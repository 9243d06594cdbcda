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
  sheafWork w = {work->size, atomic_load(&j->computed), 1e-9 * (double)atomic_load(&j->time), atomic_load(&j->kept)};
  memcpy(work, &w, work->size < sizeof w ? work->size : sizeof w);
}

int sheaf_jobPaused(const sheafJob* job) { return job->paused; }

int sheaf_resume(sheafJob* job, sheafStatus* status) {
  if (!mji_queuePush(&job->pool->queue, job)) return mji_status(status, SHEAF_OK, "", "%s", "");
  return mji_status(status, SHEAF_UNAVAILABLE, "", "the pool is closing");
}

int sheaf_wait(sheafJob* job, sheafStatus* status) {
  mji_queueWait(&job->pool->queue, job);
  if (atomic_load(&job->cancel)) {
    return mji_status(status, SHEAF_CANCELLED, "", "the job was cancelled");
  }
  return mji_status(status, SHEAF_OK, "", "%s", "");
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
  free(job);
}
