// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Public entry of the batch layer: check a request, make its job, queue it; and the calls that
// wait.

#include <stdlib.h>

#include "batch/batch.h"
#include "lanes/kernels.h"

static int prepare(sheafJob* job, const sheafPool* pool, sheafKind kind, const void* request,
                   sheafStatus* status) {
  switch (kind) {
    case SHEAF_ROLLOUT:
      return mji_prepareRollout(job, pool, request, status);
    case SHEAF_FORWARD:
      return mji_prepareForward(job, pool, request, status);
    case SHEAF_INVERSE:
      return mji_prepareInverse(job, pool, request, status);
    case SHEAF_TRANSITION_FD:
      return mji_prepareTransitionFD(job, pool, request, status);
    case SHEAF_INVERSE_FD:
      return mji_prepareInverseFD(job, pool, request, status);
  }
  return mji_status(status, SHEAF_INVALID_ARGUMENT, "kind", "expected a sheafKind, got %d",
                    (int)kind);
}

static void setProgress(sheafJob* job, sheafKind kind, const void* request) {
#define TAKE(type)                                     \
  do {                                                 \
    job->progress = ((const type*)request)->progress;  \
    job->progress_user = ((const type*)request)->user; \
  } while (0)
  switch (kind) {
    case SHEAF_ROLLOUT:
      TAKE(sheafRollout);
      break;
    case SHEAF_FORWARD:
      TAKE(sheafForward);
      break;
    case SHEAF_INVERSE:
      TAKE(sheafInverse);
      break;
    case SHEAF_TRANSITION_FD:
      TAKE(sheafTransitionFD);
      break;
    case SHEAF_INVERSE_FD:
      TAKE(sheafInverseFD);
      break;
  }
#undef TAKE
}

sheafJob* sheaf_submit(sheafPool* pool, const mjModel* m, sheafKind kind, const void* request,
                       sheafDone done, void* user, sheafStatus* status) {
  sheafJob* job = calloc(1, sizeof *job);
  if (!job || pthread_mutex_init(&job->progress_lock, NULL)) {
    free(job);
    mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
    return NULL;
  }
  job->m = m;
  job->pool = pool;
  job->done = done;
  job->user = user;
  int err = prepare(job, pool, kind, request, status);
  if (!err) {
    setProgress(job, kind, request);
    if (!mji_queuePush(&pool->queue, job)) {
      return job;
    }
    mji_status(status, SHEAF_UNAVAILABLE, "", "the pool is closing");
  }
  sheaf_freeJob(job);
  return NULL;
}

static int call(sheafPool* pool, const mjModel* m, sheafKind kind, const void* request,
                sheafStatus* status) {
  sheafStatus own;
  if (!status) status = &own;
  sheafJob* job = sheaf_submit(pool, m, kind, request, NULL, NULL, status);
  if (!job) return status->code;
  int code = sheaf_wait(job, status);
  sheaf_freeJob(job);
  return code;
}

int sheaf_rollout(sheafPool* pool, const mjModel* m, const sheafRollout* r, sheafStatus* status) {
  return call(pool, m, SHEAF_ROLLOUT, r, status);
}

int sheaf_forward(sheafPool* pool, const mjModel* m, const sheafForward* r, sheafStatus* status) {
  return call(pool, m, SHEAF_FORWARD, r, status);
}

int sheaf_inverse(sheafPool* pool, const mjModel* m, const sheafInverse* r, sheafStatus* status) {
  return call(pool, m, SHEAF_INVERSE, r, status);
}

int sheaf_transitionFD(sheafPool* pool, const mjModel* m, const sheafTransitionFD* r,
                       sheafStatus* status) {
  return call(pool, m, SHEAF_TRANSITION_FD, r, status);
}

int sheaf_inverseFD(sheafPool* pool, const mjModel* m, const sheafInverseFD* r,
                    sheafStatus* status) {
  return call(pool, m, SHEAF_INVERSE_FD, r, status);
}

const char* sheaf_buildInfo(void) {
#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif
  if (mji_kernels(8)) return "sheaf " SHEAF_VERSION ", " COMPILER ", lanes 1 4 8";
  if (mji_kernels(4)) return "sheaf " SHEAF_VERSION ", " COMPILER ", lanes 1 4";
  return "sheaf " SHEAF_VERSION ", " COMPILER ", lanes 1";
}
