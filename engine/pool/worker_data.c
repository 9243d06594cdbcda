// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Data of a worker for a model, in the precision of the engine that asks.

#include "base/assert.h"
#include "model/plan.h"
#include "model/work.h"
#include "pool/worker.h"

mjData* mji_workerData(mjiWorker* w, const mjModel* m, int nlane) {
  MJ_ASSERT(pthread_equal(w->owner, pthread_self()));
  w->held = NULL;
  uint64_t serial = mji_plan(m)->serial;
  mjiCached* c = mji_workerPlace(w, serial, nlane);
  w->clock++;
  if (c->d && c->serial == serial && c->nlane == nlane) {
    c->used = w->clock;
    return c->d;
  }
  mji_clearPlace(c);
  mjData* d = nlane == 1 ? mj_makeData(m) : mji_makeLaneData(m, nlane);
  if (!d) mju_error("pool: could not allocate data for %d lanes", nlane);
  *c = (mjiCached){serial, nlane, d, w->clock, mj_deleteData};
  return d;
}

void mji_workerAttach(mjiWorker* w, const mjModel* m, mjData* d) {
  w->held = NULL;
  uint64_t serial = mji_plan(m)->serial;
  int nlane = mji_work(d)->nlane;
  mjiCached* c = mji_workerPlace(w, serial, nlane);
  mji_clearPlace(c);
  *c = (mjiCached){serial, nlane, d, ++w->clock, mj_deleteData};
}
