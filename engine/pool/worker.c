// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "pool/worker.h"

#include <stdlib.h>

#include "base/assert.h"

mjiCached* mji_workerPlace(mjiWorker* w, uint64_t serial, int nlane) {
  mjiCached* oldest = w->cache;
  for (int i = 0; i < MJI_WORKER_CACHE; i++) {
    mjiCached* c = w->cache + i;
    if (c->d && c->serial == serial && c->nlane == nlane) return c;
    if (!c->d || (oldest->d && c->used < oldest->used)) oldest = c;
  }
  return oldest;
}

void mji_clearPlace(mjiCached* c) {
  if (c->d) c->drop(c->d);
  *c = (mjiCached){0};
}

void mji_workerHold(mjiWorker* w, mjData* d, uint64_t holder) {
  w->held = d;
  w->holder = holder;
}

mjData* mji_workerHeld(const mjiWorker* w, uint64_t holder) { return w->holder == holder ? w->held : NULL; }

void mji_workerDetach(mjiWorker* w, const mjData* d) {
  w->held = NULL;
  for (int i = 0; i < MJI_WORKER_CACHE; i++) {
    if (w->cache[i].d == d) w->cache[i] = (mjiCached){0};
  }
}

// ---- time

void mji_workerBegin(mjiWorker* w, int64_t piece) {
  w->piece = piece;
  w->steps = w->pieces = 0;
  w->patience = 1;
  if (piece) w->began = w->looked = mji_now();
}

int mji_workerTired(mjiWorker* w, sheafJob* job) {
  mji_workerBeat(w);
  if (!w->piece) return 0;
  if (atomic_load_explicit(&job->pausing, memory_order_relaxed)) return 1;
  w->steps++;
  if (--w->patience > 0) return 0;

  // Asking the clock costs a noticeable part of a small model's step, so ask again after about a sixteenth of a piece.
  int64_t now = mji_now(), step = (now - w->looked) / w->steps;
  if (now - w->began >= w->piece) {
    if (++w->pieces >= mji_piecesAlone(w->piece) || mji_queueOthers(w->queue, job)) {
      atomic_store(&job->pausing, 1);
      return 1;
    }
    w->began = now;
  }
  int64_t patience = w->piece / 16 / (step + 1);
  w->patience = patience > 1000 ? 1000 : (int)patience;
  w->looked = now;
  w->steps = 0;
  return 0;
}

mjtNum* mji_workerScratch(mjiWorker* w, size_t n) {
  MJ_ASSERT(pthread_equal(w->owner, pthread_self()));
  size_t bytes = (n * sizeof(mjtNum) + 63) / 64 * 64 + 64;
  if (bytes > w->nscratch) {
    free(w->scratch);
    w->nscratch = 0;
    w->scratch = aligned_alloc(64, bytes);
    if (!w->scratch) mju_error("pool: could not allocate %zu bytes of scratch", bytes);
    w->nscratch = bytes;
  }
  return (mjtNum*)(void*)w->scratch;
}

void mji_workerDrop(mjiWorker* w, uint64_t serial) {
  w->held = NULL;
  for (int i = 0; i < MJI_WORKER_CACHE; i++) {
    if (w->cache[i].d && (!serial || w->cache[i].serial == serial)) mji_clearPlace(w->cache + i);
  }
}

void mji_workerDropOthers(mjiWorker* w, uint64_t serial) {
  for (int i = 0; i < MJI_WORKER_CACHE; i++) {
    if (w->cache[i].d && w->cache[i].serial != serial) mji_clearPlace(w->cache + i);
  }
}

int mji_workerIsIdle(const mjiWorker* w) {
  for (int i = 0; i < MJI_WORKER_CACHE; i++) {
    const mjData* d = w->cache[i].d;
    if (d && d->pstack) return 0;
  }
  return 1;
}

void mji_workerFree(mjiWorker* w) {
  for (int i = 0; i < MJI_WORKER_CACHE; i++) mji_clearPlace(w->cache + i);
  free(w->scratch);
}
