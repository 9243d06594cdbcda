// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Jobs and the queue that worker threads take work from.
//
// A job is a number of items (lane groups of rows) computed in any order by any worker; results go
// to places fixed by the row, so order never shows. Workers take the next chunk of the job at the
// head of the queue and then move that job to the tail, so jobs of many callers share the team
// fairly.
//
// A job in pieces pauses when it has had the team for a while: items that are being computed give way between two
// steps and leave what they need to go on, items that were not begun stay for the next piece, and the job leaves the
// queue until its submitter puts it back; one without a `done` goes to the tail by itself. Items that gave way are
// taken up again before others are begun, so there are never more of them than workers can hold.
//
// The queue's mutex guards the list, the claim counters and the ends of jobs. A worker that
// finishes the last item of a job or of a piece calls its `done`; from then on the job belongs to its submitter
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

// An item of a later piece, and what an earlier one kept of it, or NULL if it was not begun.
typedef struct {
  int item;
  void* saved;
} mjiLeft;

// What a worker took: items first .. end-1, or one that had given way.
typedef struct {
  sheafJob* job;
  int first, end;
  void* saved;
} mjiClaim;

struct sheafJob_ {
  const mjModel* m;
  mjModel model;  // copy of the struct, for options that differ from the caller's
  mjiItemFunc run;
  mjiItemFunc fail;                            // an engine error was caught while item i was computed
  mjiItemFunc skip;                            // item i is not computed: the job was cancelled
  void (*forget)(sheafJob* job, void* saved);  // free what an item kept; NULL for kinds whose items do not give way
  int kind;                                    // sheafKind
  void* request;              // a checked copy of the caller's request, of this version; freed with the job
  void* prepared;             // by the kind of request, or NULL; freed with the job
  struct mjiParams_* params;  // numbers of the model that rows have for themselves, or NULL; freed with the job
  int nitem, chunk;
  int next, nclosed;  // items claimed and finished, under the queue's mutex
  int nrunning;       // items in workers' hands, under the queue's mutex
  int over;           // under the queue's mutex: 1 at the end, also of a piece
  int paused;         // under the queue's mutex: over, and not at the end
  int nlane;          // lanes of a group

  // pieces
  int64_t piece;  // nanoseconds, 0: never pauses
  int64_t spent;  // of the team's time in this piece, by items that are finished, under the queue's mutex
  mjiLeft* left;  // under the queue's mutex, with room for what workers can hold
  int nleft;
  atomic_int pausing;  // somebody has computed for long enough

  atomic_int cancel;
  _Atomic int64_t ndone;     // units of progress, with those that will not be computed
  _Atomic int64_t computed;  // units that were computed
  _Atomic int64_t time;      // nanoseconds of workers
  _Atomic int64_t kept;      // bytes that items which gave way hold
  int64_t submitted;         // at the clock
  _Atomic int64_t begun;     // when the first item was claimed, 0: none was
  _Atomic int64_t ended;     // when it was over last
  int64_t total;
  sheafProgress progress;
  void* progress_user;
  pthread_mutex_t progress_lock;
  double progress_time;  // of the last call, seconds

  sheafDone done;
  void* user;
  sheafPool* pool;
  struct sheafJob_ *link, *back;  // neighbours in the queue
  atomic_int queued;
};

// A worker that waits for work. The one that came last is woken first: its memory is still in the cache.
typedef struct mjiIdle_ {
  pthread_cond_t wake;
  int called;
  struct mjiIdle_* link;
  uint64_t nforgotten;  // of the queue's, that this worker has dropped
} mjiIdle;

enum { MJI_FORGOTTEN = 64 };

typedef struct mjiQueue_ {
  pthread_mutex_t lock;
  pthread_cond_t over;  // a job ended
  mjiIdle* idle;
  sheafJob* head;
  sheafJob* tail;
  atomic_int njob;
  int closing;

  // models whose data workers have to drop, by the serials of their plans: a ring
  uint64_t forgotten[MJI_FORGOTTEN];
  uint64_t nforgotten;
} mjiQueue;

// Do other jobs wait for a worker? Without the mutex: what comes a moment later is seen at the next look.
static inline int mji_queueOthers(mjiQueue* q, const sheafJob* job) {
  return atomic_load_explicit(&q->njob, memory_order_relaxed) >
         atomic_load_explicit(&((sheafJob*)job)->queued, memory_order_relaxed);
}

// Pieces that a job may have while nobody waits. Those under a millisecond are for tests: they end in any case.
static inline int mji_piecesAlone(int64_t piece) { return piece < 1000000 ? 1 : 10; }

int mji_queueInit(mjiQueue* q);
void mji_queueFree(mjiQueue* q);

// Append a job. Nonzero if the queue is closing.
int mji_queuePush(mjiQueue* q, sheafJob* job);

// Wait for work. Zero if the queue closes and is empty. A claim without a job says that there is a model to forget.
int mji_queueTake(mjiQueue* q, mjiIdle* self, mjiClaim* claim);

// Have the data of a model dropped by all workers; its jobs are over.
void mji_queueForget(mjiQueue* q, uint64_t serial);

// The next model that a worker has to forget, 0: none. All of them if it has missed some.
enum { MJI_FORGET_NONE, MJI_FORGET_ONE, MJI_FORGET_ALL };
int mji_queueForgotten(mjiQueue* q, mjiIdle* self, uint64_t* serial);

// A claim is done with: its items from `end` on are left for the next piece, and before them, if `saved` is not NULL,
// item end - 1, which gave way. It took `time` nanoseconds.
void mji_queueFinish(mjiQueue* q, const mjiClaim* claim, int end, void* saved, int64_t time);

// Wait until a job is over, or until a time of the clock, 0: any; nonzero if it is over.
int mji_queueWait(mjiQueue* q, sheafJob* job, int64_t until);

// Let workers leave once the queue is empty; jobs in it are cancelled.
void mji_queueClose(mjiQueue* q);

// Count units of progress of a job, of which so many were computed, and tell its caller now and then.
void mji_jobAdvance(sheafJob* job, int64_t units, int64_t computed);

// Nanoseconds of a clock that only goes forward.
int64_t mji_now(void);

#endif  // SHEAF_POOL_QUEUE_H_
