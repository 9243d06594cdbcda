// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "pool/queue.h"

#include <time.h>

#include "base/assert.h"

int mji_queueInit(mjiQueue* q) {
  *q = (mjiQueue){0};
  if (pthread_mutex_init(&q->lock, NULL)) return -1;
  if (pthread_cond_init(&q->work, NULL)) {
    pthread_mutex_destroy(&q->lock);
    return -1;
  }
  if (pthread_cond_init(&q->over, NULL)) {
    pthread_cond_destroy(&q->work);
    pthread_mutex_destroy(&q->lock);
    return -1;
  }
  return 0;
}

void mji_queueFree(mjiQueue* q) {
  pthread_cond_destroy(&q->over);
  pthread_cond_destroy(&q->work);
  pthread_mutex_destroy(&q->lock);
}

static void append(mjiQueue* q, sheafJob* job) {
  job->link = NULL;
  if (q->tail) {
    q->tail->link = job;
  } else {
    q->head = job;
  }
  q->tail = job;
}

static sheafJob* pop(mjiQueue* q) {
  sheafJob* job = q->head;
  q->head = job->link;
  if (!q->head) q->tail = NULL;
  return job;
}

int mji_queuePush(mjiQueue* q, sheafJob* job) {
  pthread_mutex_lock(&q->lock);
  int closing = q->closing;
  if (!closing) {
    append(q, job);
    pthread_cond_broadcast(&q->work);
  }
  pthread_mutex_unlock(&q->lock);
  return closing;
}

int mji_queueTake(mjiQueue* q, sheafJob** job, int* first, int* end) {
  pthread_mutex_lock(&q->lock);
  while (!q->head && !q->closing) pthread_cond_wait(&q->work, &q->lock);
  int some = q->head != NULL;
  if (some) {
    sheafJob* j = pop(q);
    MJ_ASSERT(j->next < j->nitem && j->chunk > 0);
    *job = j;
    *first = j->next;
    *end = j->nitem - j->next < j->chunk ? j->nitem : j->next + j->chunk;
    j->next = *end;
    if (j->next < j->nitem) append(q, j);
  }
  pthread_mutex_unlock(&q->lock);
  return some;
}

void mji_queueFinish(mjiQueue* q, sheafJob* job, int nitem) {
  pthread_mutex_lock(&q->lock);
  job->nclosed += nitem;
  MJ_ASSERT(job->nclosed <= job->next && !job->over);
  int last = job->nclosed == job->nitem;
  sheafDone done = job->done;
  void* user = job->user;
  if (last) {
    job->over = 1;
    pthread_cond_broadcast(&q->over);
  }
  pthread_mutex_unlock(&q->lock);

  // the callback may free the job
  if (last && done) done(user, job);
}

void mji_queueWait(mjiQueue* q, sheafJob* job) {
  pthread_mutex_lock(&q->lock);
  while (!job->over) pthread_cond_wait(&q->over, &q->lock);
  pthread_mutex_unlock(&q->lock);
}

void mji_queueClose(mjiQueue* q) {
  pthread_mutex_lock(&q->lock);
  q->closing = 1;
  for (sheafJob* j = q->head; j; j = j->link) atomic_store(&j->cancel, 1);
  pthread_cond_broadcast(&q->work);
  pthread_mutex_unlock(&q->lock);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void mji_jobAdvance(sheafJob* job, int64_t units) {
  int64_t done = atomic_fetch_add(&job->ndone, units) + units;
  if (!job->progress) return;

  // A worker that finds the lock taken does not wait: the holder reports. Only the last report must not be lost.
  int last = done >= job->total;
  if (last) {
    pthread_mutex_lock(&job->progress_lock);
  } else if (pthread_mutex_trylock(&job->progress_lock)) {
    return;
  }
  double now = seconds();
  if (last || now - job->progress_time > 0.05) {
    job->progress_time = now;
    job->progress(job->progress_user, atomic_load(&job->ndone), job->total);
  }
  pthread_mutex_unlock(&job->progress_lock);
}
