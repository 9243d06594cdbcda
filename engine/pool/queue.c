// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "pool/queue.h"

#include <sched.h>
#include <time.h>

#include "base/assert.h"

int mji_queueInit(mjiQueue* q) {
  *q = (mjiQueue){0};
  if (pthread_mutex_init(&q->lock, NULL)) return -1;
  pthread_condattr_t clock;
  int failed = pthread_condattr_init(&clock);
  if (!failed) {
    // times of waiting are those of mji_now
    failed = pthread_condattr_setclock(&clock, CLOCK_MONOTONIC) || pthread_cond_init(&q->over, &clock);
    pthread_condattr_destroy(&clock);
  }
  if (failed) pthread_mutex_destroy(&q->lock);
  return failed ? -1 : 0;
}

void mji_queueFree(mjiQueue* q) {
  pthread_cond_destroy(&q->over);
  pthread_mutex_destroy(&q->lock);
}

// ---- the list

static void append(mjiQueue* q, sheafJob* job) {
  job->link = NULL;
  job->back = q->tail;
  job->queued = 1;
  q->njob++;
  if (q->tail) {
    q->tail->link = job;
  } else {
    q->head = job;
  }
  q->tail = job;
}

static void removeJob(mjiQueue* q, sheafJob* job) {
  if (!job->queued) return;
  job->queued = 0;
  q->njob--;
  *(job->back ? &job->back->link : &q->head) = job->link;
  *(job->link ? &job->link->back : &q->tail) = job->back;
}

static int hasWork(const sheafJob* job) { return job->nleft || job->next < job->nitem; }

// ---- waiting a moment without sleeping
//
// To put a thread to sleep and to wake it takes 10 us and more, as long as a small request. Where a CPU is left over, a
// worker without work looks out for the next job for some microseconds, and who waits for a job for as long as a small
// one takes. Nothing depends on what they see: both look again under the mutex.

enum { WORKER_LOOKS = 20000, CALLER_LOOKS = 100000 };  // nanoseconds

static void relax(void) {
#if defined(__x86_64__)
  for (int i = 0; i < 8; i++) __builtin_ia32_pause();
#elif defined(__aarch64__)
  for (int i = 0; i < 8; i++)
    __asm__ volatile("isb" ::: "memory");  // waits as long as an x86 pause, which yield does not
#endif
}

static void lookForWork(mjiQueue* q, const mjiIdle* self) {
  if (!q->spare || atomic_load_explicit(&q->njob, memory_order_relaxed)) return;
  // whoever waited for the last job may have to run here
  for (int64_t end = mji_now() + WORKER_LOOKS; atomic_load(&q->news) == self->seen && mji_now() < end;) sched_yield();
}

static void lookForEnd(mjiQueue* q, sheafJob* job, int64_t until) {
  if (!q->spare) return;
  int64_t end = mji_now() + CALLER_LOOKS;
  if (until && until < end) end = until;
  while (!atomic_load(&job->ended) && mji_now() < end) relax();
}

static void tell(mjiQueue* q) { atomic_fetch_add(&q->news, 1); }

// ---- workers that wait

// Take one waiting worker from the list. callIdle wakes it after the mutex is released: woken earlier, it would only
// wait for the mutex.
static mjiIdle* chooseIdle(mjiQueue* q) {
  mjiIdle* idle = q->idle;
  if (!idle) return NULL;
  q->idle = idle->link;
  idle->called = 1;
  return idle;
}

static void callIdle(mjiIdle* idle) {
  if (idle) pthread_cond_signal(&idle->wake);
}

static void waitForWork(mjiQueue* q, mjiIdle* self) {
  self->called = 0;
  self->link = q->idle;
  q->idle = self;
  while (!self->called) pthread_cond_wait(&self->wake, &q->lock);
}

// ---- jobs come, are worked on, and end

// start a job, or its next piece
static void begin(sheafJob* job) {
  job->over = job->paused = 0;
  job->spent = 0;
  atomic_store(&job->pausing, 0);
  atomic_store(&job->ended, 0);
}

// Is there work for two workers? Both are called by the thread that brings it, which often sleeps then: the second
// worker takes its processor at once, and need not wait until the first one runs and calls it.
static int isForTwo(const sheafJob* job) { return job->nleft + (job->nitem - job->next) / job->chunk > 1; }

int mji_queuePush(mjiQueue* q, sheafJob* job) {
  pthread_mutex_lock(&q->lock);
  int closing = q->closing;
  mjiIdle *idle = NULL, *second = NULL;
  if (!closing) {
    begin(job);
    append(q, job);
    tell(q);
    int guest = q->lent && pthread_equal(q->guest, pthread_self());  // who is the first worker
    if (!guest) idle = chooseIdle(q);
    if (isForTwo(job)) second = chooseIdle(q);
  }
  pthread_mutex_unlock(&q->lock);
  callIdle(idle);
  callIdle(second);
  return closing;
}

static mjiClaim claimOf(sheafJob* job) {
  if (job->nleft) {
    mjiLeft left = job->left[--job->nleft];
    return (mjiClaim){job, left.item, left.item + 1, left.saved};
  }
  int first = job->next, most = job->nitem - first;
  MJ_ASSERT(most > 0 && job->chunk > 0);
  job->next += most < job->chunk ? most : job->chunk;
  return (mjiClaim){job, first, job->next, NULL};
}

// Take a claim of a job, and a worker that is to be called because there is more to do.
static mjiIdle* take(mjiQueue* q, sheafJob* job, mjiClaim* claim) {
  removeJob(q, job);
  *claim = claimOf(job);
  if (!job->begun) job->begun = mji_now();
  job->nrunning += claim->end - claim->first;
  if (hasWork(job) && !atomic_load(&job->pausing)) append(q, job);
  return q->head ? chooseIdle(q) : NULL;
}

int mji_queueTake(mjiQueue* q, mjiIdle* self, mjiClaim* claim) {
  lookForWork(q, self);
  pthread_mutex_lock(&q->lock);
  while (!q->head && !q->closing && self->nforgotten == q->nforgotten) waitForWork(q, self);
  int forget = self->nforgotten != q->nforgotten;
  sheafJob* job = forget ? NULL : q->head;
  mjiIdle* idle = NULL;
  if (forget) claim->job = NULL;
  if (job) idle = take(q, job, claim);
  self->seen = atomic_load(&q->news);
  pthread_mutex_unlock(&q->lock);
  callIdle(idle);
  return job != NULL || forget;
}

// ---- guests

// The first worker lends its place if it can: what it keeps of models is then near the thread that borrows it each
// time.
mjiIdle* mji_queueBorrow(mjiQueue* q) {
  pthread_mutex_lock(&q->lock);
  mjiIdle** link = &q->idle;
  while (*link && (*link)->index) link = &(*link)->link;
  if (!*link) link = &q->idle;
  mjiIdle* idle = q->lent || q->closing ? NULL : *link;
  if (idle) {
    *link = idle->link;
    q->lent = idle;
    q->guest = pthread_self();
  }
  pthread_mutex_unlock(&q->lock);
  return idle;
}

void mji_queueReturn(mjiQueue* q) {
  pthread_mutex_lock(&q->lock);
  mjiIdle* idle = q->lent;
  q->lent = NULL;
  idle->link = q->idle;
  q->idle = idle;
  int called = q->head || q->closing || idle->nforgotten != q->nforgotten;
  if (called) idle = chooseIdle(q);
  pthread_mutex_unlock(&q->lock);
  if (called) callIdle(idle);
}

int mji_queueTakeOf(mjiQueue* q, sheafJob* job, mjiClaim* claim) {
  mjiIdle* idle = NULL;
  pthread_mutex_lock(&q->lock);
  int some = job->queued;
  if (some) idle = take(q, job, claim);
  pthread_mutex_unlock(&q->lock);
  callIdle(idle);
  return some;
}

void mji_queueForget(mjiQueue* q, uint64_t serial) {
  pthread_mutex_lock(&q->lock);
  q->forgotten[q->nforgotten++ % MJI_FORGOTTEN] = serial;
  tell(q);
  for (mjiIdle* idle; (idle = chooseIdle(q));) callIdle(idle);
  pthread_mutex_unlock(&q->lock);
}

int mji_queueForgotten(mjiQueue* q, mjiIdle* self, uint64_t* serial) {
  pthread_mutex_lock(&q->lock);
  uint64_t n = q->nforgotten - self->nforgotten;
  if (n) *serial = q->forgotten[self->nforgotten % MJI_FORGOTTEN];
  self->nforgotten += n > MJI_FORGOTTEN ? n : n > 0;
  pthread_mutex_unlock(&q->lock);
  return n > MJI_FORGOTTEN ? MJI_FORGET_ALL : n ? MJI_FORGET_ONE : MJI_FORGET_NONE;
}

static void leave(sheafJob* job, int item, void* saved) { job->left[job->nleft++] = (mjiLeft){item, saved}; }

// has a job in pieces had the team for long enough?
static int hadEnough(mjiQueue* q, const sheafJob* job) {
  if (atomic_load(&job->pausing)) return 1;
  int64_t piece = job->piece * sheaf_poolThreads(job->pool);
  return job->spent >= (mji_queueOthers(q, job) ? piece : piece * mji_piecesAlone(job->piece));
}

// Begin another round, if the job's last item is finished and there is one. The mutex is unlocked meanwhile, because no
// other thread uses a job that is in no list and whose items are all finished.
static void nextRound(mjiQueue* q, sheafJob* job) {
  if (job->nrunning || job->nclosed < job->nitem || !job->round) return;
  pthread_mutex_unlock(&q->lock);
  int64_t began = mji_now();
  int more = job->round(job);
  int64_t took = mji_now() - began;
  atomic_fetch_add(&job->time, took);
  atomic_fetch_add(&job->cpu, took);
  pthread_mutex_lock(&q->lock);
  if (more) job->next = job->nclosed = 0;
}

int mji_queueFinish(mjiQueue* q, const mjiClaim* claim, int end, void* saved, int64_t time, int64_t cpu) {
  sheafJob* job = claim->job;
  atomic_fetch_add(&job->time, time);
  atomic_fetch_add(&job->cpu, cpu);
  pthread_mutex_lock(&q->lock);
  job->nrunning -= claim->end - claim->first;
  job->nclosed += end - claim->first - (saved != NULL);
  for (int i = claim->end; i > end; i--) leave(job, i - 1, NULL);
  if (saved) leave(job, end - 1, saved);
  MJ_ASSERT(job->nclosed <= job->next && !job->over);

  nextRound(q, job);

  // a job that was cancelled does not pause, so that it ends soon
  job->spent += time;
  int pause = job->piece && hadEnough(q, job) && hasWork(job) && !atomic_load(&job->cancel);
  if (pause) {
    atomic_store(&job->pausing, 1);
    removeJob(q, job);
  } else if (hasWork(job) && !job->queued) {
    append(q, job);
  }
  int last = job->nrunning == 0 && (pause || job->nclosed == job->nitem);
  if (last && pause && !job->done) {
    // without `done` no submitter would put it back, so its next piece begins now, behind the other jobs
    begin(job);
    append(q, job);
    last = 0;
  }
  sheafDone done = job->done;
  void* user = job->user;
  if (last) {
    job->over = 1;
    job->paused = pause;
    job->ended = mji_now();
    pthread_cond_broadcast(&q->over);
  }
  pthread_mutex_unlock(&q->lock);

  // the callback may free the job
  if (last && done) done(user, job);
  return last;
}

int mji_queueWait(mjiQueue* q, sheafJob* job, int64_t until) {
  const struct timespec end = {until / 1000000000, until % 1000000000};
  int late = 0;
  lookForEnd(q, job, until);
  pthread_mutex_lock(&q->lock);
  while (!job->over && !late) {
    late = until ? pthread_cond_timedwait(&q->over, &q->lock, &end) : pthread_cond_wait(&q->over, &q->lock);
  }
  int over = job->over;
  pthread_mutex_unlock(&q->lock);
  return over;
}

void mji_queueClose(mjiQueue* q) {
  pthread_mutex_lock(&q->lock);
  q->closing = 1;
  tell(q);
  for (sheafJob* j = q->head; j; j = j->link) atomic_store(&j->cancel, 1);
  for (mjiIdle* idle; (idle = chooseIdle(q));) callIdle(idle);
  pthread_mutex_unlock(&q->lock);
}

static int64_t readClock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t mji_now(void) { return readClock(CLOCK_MONOTONIC); }

int64_t mji_threadTime(void) { return readClock(CLOCK_THREAD_CPUTIME_ID); }

void mji_jobAdvance(sheafJob* job, int64_t units, int64_t computed) {
  atomic_fetch_add(&job->computed, computed);
  int64_t done = atomic_fetch_add(&job->ndone, units) + units;
  if (!job->progress) return;

  // A worker that finds the lock taken does not wait: the holder reports. Only the last report must not be lost.
  int last = done >= job->total;
  if (last) {
    pthread_mutex_lock(&job->progress_lock);
  } else if (pthread_mutex_trylock(&job->progress_lock)) {
    return;
  }
  double now = 1e-9 * (double)mji_now();
  if (last || now - job->progress_time > 0.05) {
    job->progress_time = now;
    job->progress(job->progress_user, atomic_load(&job->ndone), job->total);
  }
  pthread_mutex_unlock(&job->progress_lock);
}
