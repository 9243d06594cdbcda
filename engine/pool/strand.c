// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "pool/strand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/checkpoint.h"
#include "base/error.h"
#include "model/work.h"

enum { STACK = 2 << 20 };  // bytes; kernels keep what grows with a model on the stack of its data

typedef enum { HOST, STRAND } Side;

struct mjiStrand_ {
  mjiWatcher watcher;  // first: it is found by its address
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t turn;
  Side side;  // who runs, under the mutex; everything below belongs to that side
  int quit;   // nobody wants the item: leave it
  int last;   // end the thread after that
  int loose;  // and nobody waits for it
  int over;   // the item is finished
  int failed;
  mjiWorker* host;  // that waits
  mjiWorker own;    // data and scratch of this thread
  sheafJob* job;
  int item;
  int64_t kept;  // bytes that are counted, while it gave way
  int64_t cpu;   // nanoseconds that the thread's clock showed when it gave back the turn last
  char text[MJI_ERROR_TEXT];
};

// of all pools: jobs may outlive the pool that they were submitted to
static _Atomic int64_t kept_by_all;

// ---- turns

static void waitFor(mjiStrand* s, Side side) {
  while (s->side != side) pthread_cond_wait(&s->turn, &s->lock);
}

static void giveTurn(mjiStrand* s, Side side) {
  pthread_mutex_lock(&s->lock);
  s->side = side;
  pthread_cond_signal(&s->turn);
  pthread_mutex_unlock(&s->lock);
}

// The worker that waits pays for what its strand has computed.
static void giveBack(mjiStrand* s) {
  int64_t now = mji_threadTime();
  s->host->elsewhere += now - s->cpu;
  s->cpu = now;
  giveTurn(s, HOST);
}

static void awaitTurn(mjiStrand* s, Side side) {
  pthread_mutex_lock(&s->lock);
  waitFor(s, side);
  pthread_mutex_unlock(&s->lock);
}

// ---- what is kept

static size_t heldBytes(const mjiStrand* s) {
  size_t n = sizeof *s + s->own.nscratch;
  for (int i = 0; i < MJI_WORKER_CACHE; i++) n += s->own.cache[i].d ? mji_heldBytes(s->own.cache[i].d) : 0;
  return n;
}

// Count what the strand keeps; zero if that is too much.
static int keep(mjiStrand* s) {
  mji_workerDropOthers(&s->own, s->job->serial);
  int64_t n = (int64_t)heldBytes(s);
  if (atomic_fetch_add(&kept_by_all, n) + n > s->job->keep) {
    atomic_fetch_sub(&kept_by_all, n);
    return 0;
  }
  s->kept = n;
  atomic_fetch_add(&s->job->kept, n);
  return 1;
}

static void unkeep(mjiStrand* s) {
  atomic_fetch_sub(&kept_by_all, s->kept);
  atomic_fetch_sub(&s->job->kept, s->kept);
  s->kept = 0;
}

// ---- the thread of the strand

static void leaveIfUnwanted(const mjiStrand* s) {
  if (s->quit || atomic_load_explicit(&s->job->cancel, memory_order_relaxed)) mju_error("the job was cancelled");
}

static void reached(mjiWatcher* self) {
  mjiStrand* s = (mjiStrand*)self;
  leaveIfUnwanted(s);
  if (!mji_workerTired(s->host, s->job) || !keep(s)) return;
  giveBack(s);
  awaitTurn(s, STRAND);
  leaveIfUnwanted(s);
}

static void compute(mjiStrand* s) {
  mjiTrap trap;
  s->failed = 0;
  if (mji_tryBegin(&trap)) {
    s->failed = 1;
    memcpy(s->text, trap.text, sizeof s->text);
    mji_workerDrop(&s->own, 0);
  } else {
    s->job->run(&s->own, s->job, s->item);
    mji_tryEnd(&trap);
    MJ_ASSERT(mji_workerIsIdle(&s->own));
  }
}

static void destroy(mjiStrand* s) {
  pthread_cond_destroy(&s->turn);
  pthread_mutex_destroy(&s->lock);
  free(s);
}

static void* strandThread(void* arg) {
  mjiStrand* s = arg;
  mji_setWatcher(&s->watcher);
  awaitTurn(s, STRAND);
  s->own.owner = pthread_self();
  while (!s->last) {
    compute(s);
    if (s->last) break;
    s->over = 1;
    giveBack(s);
    awaitTurn(s, STRAND);
  }
  mji_workerFree(&s->own);
  if (s->loose) destroy(s);
  return NULL;
}

// ---- the worker's side

static mjiStrand* makeStrand(void) {
  mjiStrand* s = calloc(1, sizeof *s);
  pthread_attr_t attr;
  if (!s || pthread_mutex_init(&s->lock, NULL)) {
    free(s);
    return NULL;
  }
  pthread_cond_init(&s->turn, NULL);  // cannot fail without attributes
  s->watcher.reached = reached;
  int failed = pthread_attr_init(&attr);
  if (!failed) {
    failed = pthread_attr_setstacksize(&attr, STACK) || pthread_create(&s->thread, &attr, strandThread, s);
    pthread_attr_destroy(&attr);
  }
  if (!failed) return s;
  destroy(s);
  return NULL;
}

// the strand of w->saved, or one for a new item; NULL if out of memory
static mjiStrand* takeStrand(mjiWorker* w, sheafJob* job, int item) {
  mjiStrand* s = w->saved;
  if (s) {
    w->saved = NULL;
    unkeep(s);
    return s;
  }
  s = w->strand ? w->strand : makeStrand();
  w->strand = NULL;
  if (!s) return NULL;
  s->job = job;
  s->item = item;
  s->over = 0;
  return s;
}

void mji_strandRun(mjiWorker* w, sheafJob* job, int item) {
  mjiStrand* s = takeStrand(w, job, item);
  if (!s) {
    job->run(w, job, item);
    return;
  }
  s->host = w;
  s->own.index = w->index;
  s->own.queue = w->queue;
  s->own.beats = w->beats;
  giveTurn(s, STRAND);
  awaitTurn(s, HOST);
  if (!s->over) {
    w->saved = s;
    return;
  }

  // it finished, so it can serve the next item
  char text[MJI_ERROR_TEXT];
  int failed = s->failed;
  if (failed) memcpy(text, s->text, sizeof text);
  if (w->strand) mji_strandFree(s);
  else w->strand = s;
  if (failed) mju_error("%s", text);
}

void mji_strandForget(sheafJob* job, void* saved) {
  mjiStrand* s = saved;
  (void)job;
  unkeep(s);
  pthread_detach(s->thread);
  s->quit = s->last = s->loose = 1;
  giveTurn(s, STRAND);
}

void mji_strandDrop(mjiStrand* s, uint64_t serial) {
  if (s) mji_workerDrop(&s->own, serial);
}

void mji_strandFree(mjiStrand* s) {
  if (!s) return;
  pthread_t thread = s->thread;
  s->last = 1;
  giveTurn(s, STRAND);
  pthread_join(thread, NULL);
  destroy(s);
}
