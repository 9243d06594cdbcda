// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A worker thread's own memory: simulation data of the models it saw last, and scratch. Nothing in
// here is shared.
#ifndef SHEAF_POOL_WORKER_H_
#define SHEAF_POOL_WORKER_H_

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include <mujoco/mujoco.h>

#include "pool/queue.h"

enum { MJI_WORKER_CACHE = 6 };

typedef struct {
  uint64_t serial;  // of the model's plan
  int nlane;
  mjData* d;
  uint64_t used;  // clock of the last use
} mjiCached;

struct mjiWorker_ {
  int index;
  pthread_t owner;  // the only thread that may use it
  mjiQueue* queue;  // that it works for
  uint64_t clock;
  mjiCached cache[MJI_WORKER_CACHE];
  char* scratch;
  size_t nscratch;

  // the item that it computes
  void* saved;            // what an earlier piece kept of it, and at its end what this one keeps; NULL: nothing
  int64_t piece;          // nanoseconds that it may take, 0: any
  int64_t began, looked;  // at the clock
  int steps, patience;    // since the clock was looked at, and until it is again
  int pieces;             // that it has had
};
typedef struct mjiWorker_ mjiWorker;

// Data for nlane states of a model, as some earlier item left it; raises mju_error if out of
// memory.
mjData* mji_workerData(mjiWorker* w, const mjModel* m, int nlane);

// Scratch of at least n numbers, 64-byte aligned; earlier contents are lost.
mjtNum* mji_workerScratch(mjiWorker* w, size_t n);

// An item begins that has so many nanoseconds.
void mji_workerBegin(mjiWorker* w, int64_t piece);

// Between two steps of an item: should it give way? If so the job is pausing.
int mji_workerTired(mjiWorker* w, sheafJob* job);

// Take data out of the cache, for an item that gives way with it, and put it back.
void mji_workerDetach(mjiWorker* w, const mjData* d);
void mji_workerAttach(mjiWorker* w, const mjModel* m, mjData* d);

// Forget the data of a model, by the serial of its plan; of all models if that is 0. An error may have left it
// half-changed, or the model is not used any more.
void mji_workerDrop(mjiWorker* w, uint64_t serial);

// Is all scratch of its data given back, as it must be between two items?
int mji_workerIsIdle(const mjiWorker* w);

void mji_workerFree(mjiWorker* w);

#endif  // SHEAF_POOL_WORKER_H_
