// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Jobs and the queue that worker threads take work from.
//
// A job is a number of items (lane groups of rows) computed in any order by any worker; results go
// to places fixed by the row, so order never shows. Workers take the next chunk of the job at the
// head of the queue and then move that job to the tail, so jobs of many callers share the team
// fairly.
//
// The queue's mutex guards the list, the claim counters and the ends of jobs. A worker that
// finishes the last item of a job calls its `done`; from then on the job belongs to its submitter
// again.
#ifndef SHEAF_POOL_QUEUE_H_
#define SHEAF_POOL_QUEUE_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include <sheaf/batch.h>

struct mjiWorker_;

// compute item i of a job; runs inside an error trap
typedef void (*mjiItemFunc)(struct mjiWorker_* worker, sheafJob* job, int item);

struct sheafJob_ {
  const mjModel* m;
  mjModel model;  // copy of the struct, for options that differ from the caller's
  mjiItemFunc run;
  mjiItemFunc fail;  // an engine error was caught while item i was computed
  mjiItemFunc skip;  // item i is not computed: the job was cancelled
  int kind;          // sheafKind
  void* request;     // a checked copy of the caller's request, of this version; freed with the job
  void* plan;        // what the kind of request prepared, or NULL; freed with the job
  int nitem, chunk;
  int next, nclosed;  // items claimed and finished, under the queue's mutex
  int over;           // under the queue's mutex
  int nlane;          // lanes of a group

  atomic_int cancel;
  _Atomic int64_t ndone;  // work units
  int64_t total;
  sheafProgress progress;
  void* progress_user;
  pthread_mutex_t progress_lock;
  double progress_time;  // of the last call, seconds

  sheafDone done;
  void* user;
  sheafPool* pool;
  struct sheafJob_* link;  // next in the queue
};

typedef struct mjiQueue_ {
  pthread_mutex_t lock;
  pthread_cond_t work;  // a job came, or the pool closes
  pthread_cond_t over;  // a job ended
  sheafJob* head;
  sheafJob* tail;
  int closing;
} mjiQueue;

int mji_queueInit(mjiQueue* q);
void mji_queueFree(mjiQueue* q);

// Append a job. Nonzero if the queue is closing.
int mji_queuePush(mjiQueue* q, sheafJob* job);

// Wait for work: a job and its items first .. end-1. Zero if the queue closes and is empty.
int mji_queueTake(mjiQueue* q, sheafJob** job, int* first, int* end);

// Items that were taken are finished.
void mji_queueFinish(mjiQueue* q, sheafJob* job, int nitem);

// Wait until a job is over.
void mji_queueWait(mjiQueue* q, sheafJob* job);

// Let workers leave once the queue is empty; jobs in it are cancelled.
void mji_queueClose(mjiQueue* q);

// Count work units of a job and tell its caller now and then.
void mji_jobAdvance(sheafJob* job, int64_t units);

#endif  // SHEAF_POOL_QUEUE_H_
