// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Public functions on jobs that were submitted.

#include <stdlib.h>

#include "pool/pool.h"
#include "pool/queue.h"

void sheaf_cancel(sheafJob* job) { atomic_store(&job->cancel, 1); }

void sheaf_jobProgress(const sheafJob* job, int64_t* done, int64_t* total) {
  *done = atomic_load(&((sheafJob*)job)->ndone);
  *total = job->total;
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
  free(job->request);
  free(job->plan);
  free(job);
}
