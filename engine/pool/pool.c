// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE  // CPU_COUNT

#include "pool/pool.h"

#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/checkpoint.h"
#include "base/error.h"
#include "model/work.h"
#include "pool/strand.h"
#include "pool/worker.h"
#include "single/single.h"

// ---- workers

// watches an item that is computed by the worker itself
typedef struct {
  mjiWatcher watcher;
  mjiWorker* w;
  const sheafJob* job;
} Watch;

static void reached(mjiWatcher* self) {
  const Watch* watch = (Watch*)self;
  mji_workerBeat(watch->w);
  if (atomic_load_explicit(&watch->job->cancel, memory_order_relaxed)) mju_error("the job was cancelled");
}

// Compute one item inside an error trap, so that an error affects only the rows of this item. An item that gave way
// leaves what it needs in w->saved.
static void runItem(mjiWorker* w, sheafJob* job, int item) {
  if (atomic_load(&job->cancel) && !w->saved) {
    job->skip(w, job, item);
    return;
  }
  mjiTrap trap;
  Watch watch = {{reached}, w, job};
  mji_setWatcher(&watch.watcher);
  if (mji_tryBegin(&trap)) {
    if (w->saved) job->forget(job, w->saved);
    w->saved = NULL;
    mji_workerDrop(w, job->serial);
    if (atomic_load(&job->cancel)) job->skip(w, job, item);
    else job->fail(w, job, item);
  } else {
    if (job->strands) mji_strandRun(w, job, item);
    else job->run(w, job, item);
    mji_tryEnd(&trap);
    MJ_ASSERT(mji_workerIsIdle(w));
  }
  mji_setWatcher(NULL);
}

enum { LONG_CLAIM = 200000 };  // nanoseconds

// Time on a processor of a claim that took `time`. The system tells a thread's time in 0.3 microseconds, which is too
// much for short claims: these count whole, and the thread's clock is read after a long one only.
static int64_t processorTime(mjiWorker* w, int64_t time) {
  int64_t other = w->elsewhere;
  w->elsewhere = 0;
  if (time < LONG_CLAIM && !other) {
    w->cpu += time;
    return time;
  }
  int64_t now = mji_threadTime(), cpu = now - w->cpu + other;
  w->cpu = now;
  return cpu < 0 ? 0 : cpu < time ? cpu : time;
}

// Has a claim taken a piece's time? Items of some kinds do not give way themselves.
static int isLong(const sheafJob* job, int64_t began) { return job->piece && mji_now() - began >= job->piece; }

// Compute the items of a claim, up to the end or to the one that gives way. The items after it stay for the next piece.
// Nonzero if the job or its piece is over.
static int runClaim(mjiQueue* q, mjiWorker* w, const mjiClaim* claim) {
  sheafJob* job = claim->job;
  int i = claim->first;
  int64_t began = mji_now();
  w->saved = claim->saved;
  void (*on_work)(int, void*) = job->pool->on_work;
  if (on_work) on_work(w->index, job->user);
  do {
    mji_workerBegin(w, job->piece);
    runItem(w, job, i++);
    mji_workerBeat(w);
  } while (i < claim->end && !w->saved && !atomic_load(&job->pausing) && !isLong(job, began));
  if (on_work) on_work(w->index, NULL);
  int64_t time = mji_now() - began;
  return mji_queueFinish(q, claim, i, w->saved, time, processorTime(w, time));
}

// Drop the data of a model that is forgotten; zero if there is none.
static int forget(mjiQueue* q, mjiIdle* self) {
  uint64_t serial = 0;
  int what = mji_queueForgotten(q, self, &serial);
  if (what == MJI_FORGET_NONE) return 0;
  if (what == MJI_FORGET_ALL) serial = 0;
  mji_workerDrop(self->worker, serial);
  mji_strandDrop(self->worker->strand, serial);
  return 1;
}

static void work(sheafPool* pool, int index) {
  mjiWorker w = {.index = index, .owner = pthread_self(), .queue = &pool->queue, .beats = &pool->beats[index].count};
  mjiIdle self = {.wake = PTHREAD_COND_INITIALIZER, .worker = &w, .index = index};
  mjiClaim claim;
  while (mji_queueTake(&pool->queue, &self, &claim)) {
    if (claim.job) runClaim(&pool->queue, &w, &claim);
    else forget(&pool->queue, &self);
  }
  mji_strandFree(w.strand);
  mji_workerFree(&w);
}

// ---- guests

int sheaf_borrowPlace(sheafPool* pool) { return mji_queueBorrow(&pool->queue) != NULL; }

// Items on strands take turns with the worker's own thread, so a guest leaves them to it.
void sheaf_returnPlace(sheafPool* pool, sheafJob* job) {
  mjiQueue* q = &pool->queue;
  mjiIdle* place = q->lent;
  mjiWorker* w = place->worker;
  mjiClaim claim;
  if (job && !job->strands) {
    pthread_t owner = w->owner;
    int64_t cpu = w->cpu;
    w->owner = pthread_self();
    w->cpu = mji_threadTime();
    while (forget(q, place)) continue;
    for (int over = 0; !over && mji_queueTakeOf(q, job, &claim);) over = runClaim(q, w, &claim);
    w->cpu = cpu;
    w->owner = owner;
  }
  mji_queueReturn(q);
}

static void* dispatch(void* arg) {
  sheafPool* pool = arg;
  omp_set_dynamic(0);
#pragma omp parallel num_threads(pool->nthread)
  work(pool, omp_get_thread_num());
  return NULL;
}

// ---- open and close

int mji_usableCpus(void) {
  cpu_set_t set;
  int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);

  // a control group may allow less; the file holds "quota period" in microseconds
  FILE* f = fopen("/sys/fs/cgroup/cpu.max", "r");
  if (f) {
    long long quota, period;
    if (fscanf(f, "%lld %lld", &quota, &period) == 2 && quota > 0 && period > 0) {
      long long limit = (quota + period - 1) / period;
      if (limit < n) n = limit < 1 ? 1 : (int)limit;
    }
    fclose(f);
  }
  return n;
}

sheafPoolConfig sheaf_defaultPoolConfig(void) { return (sheafPoolConfig){.size = sizeof(sheafPoolConfig)}; }

int mji_status(sheafStatus* status, int code, const char* field, const char* format, ...) {
  if (!status) return code;
  status->code = code;
  snprintf(status->field, sizeof status->field, "%s", field);
  va_list args;
  va_start(args, format);
  vsnprintf(status->message, sizeof status->message, format, args);
  va_end(args);
  return code;
}

int mji_succeed(sheafStatus* status) {
  if (status) status->code = status->field[0] = status->message[0] = 0;
  return SHEAF_OK;
}

static int checkConfig(const sheafPoolConfig* c, sheafStatus* status) {
  if (c->nthread < 0 || c->nthread > 1024) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "nthread", "expected 0 to 1024, got %d", c->nthread);
  }
  if (c->precision != 0 && c->precision != 4 && c->precision != 8) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "precision", "expected 0, 4 or 8, got %d", c->precision);
  }
  if (c->precision == 4 && !SHEAF_SINGLE) {
    return mji_status(status, SHEAF_UNIMPLEMENTED, "precision", "this build has no single precision");
  }
  int few = c->precision == 4 ? 8 : 4;
  if (c->nlane != 0 && c->nlane != 1 && c->nlane != few && c->nlane != 2 * few) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "nlane", "expected 0, 1, %d or %d, got %d", few, 2 * few,
                      c->nlane);
  }
  if (c->chunk < 0) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "chunk", "expected 0 or more, got %d", c->chunk);
  }
  if (!(c->piece >= 0 && c->piece <= 3600)) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "piece", "expected 0 to 3600 seconds, got %g", c->piece);
  }
  return mji_succeed(status);
}

int mji_copyVersion(void* to, size_t size, size_t first, const void* from, sheafStatus* status) {
  size_t given;
  memcpy(&given, from, sizeof given);
  if (given < first) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "size", "expected %zu or more, got %zu", first, given);
  }
  for (size_t i = size; i < given; i++) {
    if (!((const char*)from)[i]) continue;
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "size", "expected at most %zu, which this library knows, got %zu",
                      size, given);
  }
  memset(to, 0, size);
  memcpy(to, from, given < size ? given : size);
  return 0;
}

static int64_t keepBytes(size_t given) {
  if (given) return given < INT64_MAX ? (int64_t)given : INT64_MAX;
  return (int64_t)sysconf(_SC_PHYS_PAGES) / 8 * (int64_t)sysconf(_SC_PAGESIZE);
}

sheafPool* sheaf_openPool(const sheafPoolConfig* config, sheafStatus* status) {
  sheafPoolConfig c = sheaf_defaultPoolConfig();
  const size_t first = offsetof(sheafPoolConfig, chunk) + sizeof c.chunk;
  if (config && mji_copyVersion(&c, sizeof c, first, config, status)) return NULL;
  if (checkConfig(&c, status)) return NULL;
  sheafPool* pool = calloc(1, sizeof *pool);
  int nthread = c.nthread ? c.nthread : mji_usableCpus();
  mjiBeats* beats = aligned_alloc(sizeof *beats, (size_t)nthread * sizeof *beats);
  if (!pool || !beats || mji_queueInit(&pool->queue)) {
    free(beats);
    free(pool);
    mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
    return NULL;
  }
  memset(beats, 0, (size_t)nthread * sizeof *beats);
  pool->beats = beats;
  pool->on_work = c.on_work;
  pool->nthread = nthread;
  pool->queue.spare = nthread < mji_usableCpus();
  pool->nlane = c.nlane;
  pool->single = c.precision == 4;
  pool->chunk = c.chunk;
  pool->piece = (int64_t)ceil(1e9 * c.piece);
  pool->keep = keepBytes(c.keep);
  if (pthread_create(&pool->dispatcher, NULL, dispatch, pool)) {
    mji_queueFree(&pool->queue);
    free(beats);
    free(pool);
    mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "nthread", "could not start threads");
    return NULL;
  }
  return pool;
}

void sheaf_closePool(sheafPool* pool) {
  if (!pool) return;
  mji_queueClose(&pool->queue);
  pthread_join(pool->dispatcher, NULL);
  mji_queueFree(&pool->queue);
  free(pool->beats);
  free(pool);
}

void sheaf_poolForget(sheafPool* pool, const mjModel* m) {
  uint64_t twin = pool->single ? mji_twinSerial(m) : 0;
  mji_queueForget(&pool->queue, twin ? twin : mji_plan(m)->serial);
}

void sheaf_poolOthers(sheafPool* pool, int wait) { atomic_store(&pool->queue.outside, wait); }

int sheaf_poolThreads(const sheafPool* pool) { return pool->nthread; }

uint64_t sheaf_poolBeats(const sheafPool* pool, int worker) {
  if (worker < 0 || worker >= pool->nthread) return 0;
  return atomic_load_explicit(&pool->beats[worker].count, memory_order_relaxed);
}
