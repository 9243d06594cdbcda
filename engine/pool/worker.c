// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "pool/worker.h"

#include <stdlib.h>

#include "base/assert.h"
#include "model/plan.h"
#include "model/work.h"

mjData* mji_workerData(mjiWorker* w, const mjModel* m, int nlane) {
  MJ_ASSERT(pthread_equal(w->owner, pthread_self()));
  uint64_t serial = mji_plan(m)->serial;
  mjiCached* oldest = w->cache;
  w->clock++;
  for (int i = 0; i < MJI_WORKER_CACHE; i++) {
    mjiCached* c = w->cache + i;
    if (c->d && c->serial == serial && c->nlane == nlane) {
      c->used = w->clock;
      return c->d;
    }
    if (!c->d || (oldest->d && c->used < oldest->used)) oldest = c;
  }

  // the least recently used data makes room
  mj_deleteData(oldest->d);
  *oldest = (mjiCached){0};
  mjData* d = nlane == 1 ? mj_makeData(m) : mji_makeLaneData(m, nlane);
  if (!d) mju_error("pool: could not allocate data for %d lanes", nlane);
  *oldest = (mjiCached){serial, nlane, d, w->clock};
  return d;
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

void mji_workerDrop(mjiWorker* w, const mjModel* m) {
  uint64_t serial = mji_plan(m)->serial;
  for (int i = 0; i < MJI_WORKER_CACHE; i++) {
    if (!w->cache[i].d || w->cache[i].serial != serial) continue;
    mj_deleteData(w->cache[i].d);
    w->cache[i] = (mjiCached){0};
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
  for (int i = 0; i < MJI_WORKER_CACHE; i++) mj_deleteData(w->cache[i].d);
  free(w->scratch);
}
