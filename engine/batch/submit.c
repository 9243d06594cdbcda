// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Public entry of the batch layer: check a request, make its job, queue it; and the calls that wait for the result.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "batch/evaluator.h"
#include "lanes/kernels.h"
#include "single/single.h"

// A job of a pool in single precision has the model's twin, which it keeps until it is freed.
static int prepareSingle(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  mjiTwin* twin = mji_takeTwin(job->m);
  if (!twin) return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  job->borrowed = twin;
  job->giveBack = mji_giveBackTwin;
  const char* lacks = mji_single_lacks(mji_twinModel(twin));
  if (!lacks) return mji_single_prepareJob(job, mji_twinModel(twin), pool, status);
  return mji_status(status, SHEAF_UNIMPLEMENTED, "precision", "expected double precision for a model with %s", lacks);
}

// memory for the items that a job in pieces leaves for its next piece
static int makePieces(sheafJob* job, const sheafPool* pool, sheafStatus* status) {
  if (!pool->piece) return 0;
  job->piece = pool->piece;
  job->left = calloc((size_t)pool->nthread * (size_t)job->chunk, sizeof *job->left);
  return job->left ? 0 : mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
}

static sheafJob* submit(sheafPool* pool, const mjModel* m, sheafKind kind, const void* request, int before,
                        sheafDone done, void* user, sheafStatus* status) {
  // the struct of a model at its end has kilobytes, and is written as a whole if it is needed
  sheafJob* job = malloc(sizeof *job);
  if (job) memset(job, 0, offsetof(sheafJob, model));
  if (!job || pthread_mutex_init(&job->progress_lock, NULL)) {
    free(job);
    mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
    return NULL;
  }
  job->m = m;
  job->pool = pool;
  job->done = done;
  job->user = user;
  job->submitted = mji_now();
  job->kind = (int)kind;
  job->request = mji_takeRequest(m, job->kind, request, before, status);
  int (*prepare)(sheafJob*, const sheafPool*, sheafStatus*) = pool->single ? prepareSingle : mji_prepareJob;
  if (job->request && !prepare(job, pool, status) && !makePieces(job, pool, status)) {
    mji_takeControl(job->kind, job->request, &job->progress, &job->progress_user);
    if (!mji_queuePush(&pool->queue, job)) return job;
    mji_status(status, SHEAF_UNAVAILABLE, "", "the pool is closing");
  }
  sheaf_freeJob(job);
  return NULL;
}

sheafJob* sheaf_submit(sheafPool* pool, const mjModel* m, sheafKind kind, const void* request, sheafDone done,
                       void* user, sheafStatus* status) {
  return submit(pool, m, kind, request, 0, done, user, status);
}

sheafJob* sheaf_submitAgain(sheafPool* pool, const mjModel* m, sheafKind kind, const void* request, sheafDone done,
                            void* user, sheafStatus* status) {
  return submit(pool, m, kind, request, 1, done, user, status);
}

static int callAndWait(sheafPool* pool, const mjModel* m, sheafKind kind, const void* request, sheafStatus* status) {
  sheafStatus own;
  if (!status) status = &own;
  sheafJob* job = sheaf_submit(pool, m, kind, request, NULL, NULL, status);
  if (!job) return status->code;
  int code = sheaf_wait(job, status);
  sheaf_freeJob(job);
  return code;
}

#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc)                                           \
  int sheaf_##call(sheafPool* pool, const mjModel* m, const sheaf##Type* r, sheafStatus* status) { \
    return callAndWait(pool, m, SHEAF_##KIND, r, status);                                          \
  }
#include <sheaf/request_table.h>

const char* sheaf_buildInfo(void) {
#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif
  if (mji_kernels(MJI_MAX_LANES)) return "sheaf " SHEAF_VERSION ", " COMPILER ", lanes 1 4 8";
  if (mji_kernels(MJI_MAX_LANES / 2)) return "sheaf " SHEAF_VERSION ", " COMPILER ", lanes 1 4";
  return "sheaf " SHEAF_VERSION ", " COMPILER ", lanes 1";
}
