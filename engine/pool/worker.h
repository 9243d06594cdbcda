// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A worker thread's own memory: simulation data of the models that it computed last, and scratch. Only the thread of
// the worker uses it.
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
  void (*drop)(mjData* d);
} mjiCached;

struct mjiWorker_ {
  int index;
  pthread_t owner;          // the only thread that may use it
  mjiQueue* queue;          // that it works for
  _Atomic uint64_t* beats;  // steps and items that it has finished
  uint64_t clock;
  mjiCached cache[MJI_WORKER_CACHE];
  char* scratch;
  size_t nscratch;

  // what the last item left behind for the next of its job: mji_workerHold
  mjData* held;
  uint64_t holder;

  // the item that it computes
  void* saved;    // first what an earlier piece kept of the item, at the end what this piece keeps; or NULL
  int64_t piece;  // nanoseconds that a piece may take, 0: no limit
  int64_t cpu;  // nanoseconds that this thread's clock showed when a long claim ended, and those of short claims since
  int64_t elsewhere;      // nanoseconds of processors that strands have taken for this worker since a claim ended
  int64_t began, looked;  // times at which the piece began, and at which the clock was asked last
  int steps, patience;    // steps since the clock was asked, and steps until it is asked again
  int pieces;             // pieces that this item has had in a row

  struct mjiStrand_* strand;  // for the next item that needs one (strand.h), or NULL
};
typedef struct mjiWorker_ mjiWorker;

// The place in the cache where a model's data is, or else where it may be put; and empty a place for other data.
mjiCached* mji_workerPlace(mjiWorker* w, uint64_t serial, int nlane);
void mji_clearPlace(mjiCached* c);

// Data for nlane states of a model, with the content that an earlier item left. Raises mju_error if out of memory.
mjData* mji_workerData(mjiWorker* w, const mjModel* m, int nlane);

// Between items of one job: keep what the data holds, under a number that no other job has. The data is there as it was
// left until any data of the worker is asked for, which may be other work; then NULL.
void mji_workerHold(mjiWorker* w, mjData* d, uint64_t holder);
mjData* mji_workerHeld(const mjiWorker* w, uint64_t holder);

// Scratch of at least n numbers, 64-byte aligned; earlier contents are lost.
mjtNum* mji_workerScratch(mjiWorker* w, size_t n);

// A step or an item is finished. Nobody else writes the number.
static inline void mji_workerBeat(mjiWorker* w) {
  uint64_t n = atomic_load_explicit(w->beats, memory_order_relaxed);
  atomic_store_explicit(w->beats, n + 1, memory_order_relaxed);
}

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

// Forget the data of all other models.
void mji_workerDropOthers(mjiWorker* w, uint64_t serial);

// Is all scratch of its data given back, as it must be between two items?
int mji_workerIsIdle(const mjiWorker* w);

void mji_workerFree(mjiWorker* w);

#endif  // SHEAF_POOL_WORKER_H_
