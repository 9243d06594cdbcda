// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Jobs and the queue that worker threads take work from.
//
// A job is a number of items (lane groups of rows) computed in any order by any worker. The place of a result is fixed
// by its row, so results do not depend on that order. Workers take the next chunk of the job at the
// head of the queue and then move that job to the tail, so jobs of many callers share the team
// fairly.
//
// A job in pieces pauses when it has had the team for as long as a piece may take: items that are being computed give
// way between two steps and leave what they need to go on, items that were not begun stay for the next piece, and the
// job leaves the queue until its submitter puts it back. A job without a `done` has nobody to put it back and goes to
// the tail by itself. Items that gave way are taken up again before others are begun, so there are never more of them
// than workers.
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
  const mjModel* m;  // of the precision of the pool
  uint64_t serial;   // of its plan
  mjiItemFunc run;
  mjiItemFunc fail;                            // an engine error was caught while item i was computed
  mjiItemFunc skip;                            // item i is not computed: the job was cancelled
  void (*forget)(sheafJob* job, void* saved);  // free what an item kept; NULL for kinds whose items do not give way
  int kind;                                    // sheafKind
  // Called when all items are finished, by the worker that finished the last one, while no other thread uses the job.
  // Sets nitem and returns nonzero if there is another round. NULL: there is one round.
  int (*round)(sheafJob* job);
  void* request;              // a checked copy of the caller's request, of this version; freed with the job
  void* prepared;             // what mji_prepareX of its kind made, or NULL; freed with the job
  void* rounds;               // what rounds share, or NULL; freed with the job
  int nrow;                   // rows of a round; 0: those of the request
  struct mjiParams_* params;  // parameters of rows (batch/params.h), or NULL; freed with the job
  void* borrowed;             // what `giveBack` takes when the job is freed, or NULL
  void (*giveBack)(void* borrowed);
  int nitem, chunk;
  int next, nclosed;  // items claimed and finished, under the queue's mutex
  int nrunning;       // items in workers' hands, under the queue's mutex
  int over;           // under the queue's mutex: 1 at the end of the job or of a piece
  int paused;         // under the queue's mutex: 1 at the end of a piece that is not the last
  int nlane;          // lanes of a group

  // pieces
  int64_t piece;  // nanoseconds, 0: never pauses
  int strands;    // items are computed on strands (pool/strand.h)
  int64_t keep;   // bytes that strands of all jobs may keep
  int64_t spent;  // nanoseconds of workers that finished claims have taken in this piece, under the queue's mutex
  mjiLeft* left;  // items for the next piece, under the queue's mutex, with room for the claims of all workers
  int nleft;
  atomic_int pausing;  // a worker, or all of them together, have computed for as long as a piece may take

  atomic_int cancel;
  _Atomic int64_t ndone;     // units of progress, including those that will not be computed
  _Atomic int64_t computed;  // units that were computed
  _Atomic int64_t time;      // nanoseconds of workers
  _Atomic int64_t cpu;       // nanoseconds of processors, at most `time`
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

  mjModel model;  // copy of the struct, for options that differ from the caller's; last, as the pool does not look in
};

// A worker that waits for work. The worker that began to wait last is woken first: its memory is still in the cache.
typedef struct mjiIdle_ {
  pthread_cond_t wake;
  int called;
  struct mjiIdle_* link;
  struct mjiWorker_* worker;
  int index;            // of the worker
  uint64_t nforgotten;  // how many of the queue's forgotten models this worker has dropped
  uint64_t seen;        // the queue's news when this worker looked last
} mjiIdle;

enum { MJI_FORGOTTEN = 64 };

typedef struct mjiQueue_ {
  pthread_mutex_t lock;
  pthread_cond_t over;  // a job ended
  mjiIdle* idle;
  sheafJob* head;
  sheafJob* tail;
  atomic_int njob;
  _Atomic uint64_t news;  // grows when there is something to do for workers that wait
  atomic_int outside;     // jobs wait for their turn outside of the pool
  int spare;              // there are more CPUs than workers, so who waits for a moment may keep a CPU busy
  int closing;
  mjiIdle* lent;  // a worker that waits while `guest` computes in its place, in no list; or NULL
  pthread_t guest;

  // models whose data workers have to drop, by the serials of their plans: a ring buffer
  uint64_t forgotten[MJI_FORGOTTEN];
  uint64_t nforgotten;
} mjiQueue;

// Do other jobs wait for a worker, here or outside? Reads without the mutex, so the answer may be a moment old; callers
// ask again.
static inline int mji_queueOthers(mjiQueue* q, const sheafJob* job) {
  return atomic_load_explicit(&q->outside, memory_order_relaxed) ||
         atomic_load_explicit(&q->njob, memory_order_relaxed) >
             atomic_load_explicit(&((sheafJob*)job)->queued, memory_order_relaxed);
}

// Pieces that a job may have in a row while no other job waits. Pieces under a millisecond are for tests, which want
// every piece to end.
static inline int mji_piecesAlone(int64_t piece) { return piece < 1000000 ? 1 : 10; }

int mji_queueInit(mjiQueue* q);
void mji_queueFree(mjiQueue* q);

// Append a job. Nonzero if the queue is closing.
int mji_queuePush(mjiQueue* q, sheafJob* job);

// Wait for work. Returns zero if the queue closes and is empty. A claim without a job means that there is a model to
// forget.
int mji_queueTake(mjiQueue* q, mjiIdle* self, mjiClaim* claim);

// A worker that waits lends its place to the calling thread: nobody calls it until mji_queueReturn. NULL if none waits,
// or if one has lent its place already.
mjiIdle* mji_queueBorrow(mjiQueue* q);
void mji_queueReturn(mjiQueue* q);

// The next claim of this job, for the guest; zero if there is none.
int mji_queueTakeOf(mjiQueue* q, sheafJob* job, mjiClaim* claim);

// Make all workers drop their data of a model. No job of the model may be in the queue.
void mji_queueForget(mjiQueue* q, uint64_t serial);

// The next model that a worker has to forget: none, one (its serial), or all, if the ring has overwritten some that
// this worker has not seen.
enum { MJI_FORGET_NONE, MJI_FORGET_ONE, MJI_FORGET_ALL };
int mji_queueForgotten(mjiQueue* q, mjiIdle* self, uint64_t* serial);

// Give back a claim, which took `time` nanoseconds, `cpu` of them on a processor. Its items from `end` on were not
// begun and stay for the next piece. If `saved` is not NULL, item end - 1 gave way and `saved` is what it needs.
// Nonzero if the job or its piece is over: its `done` was called.
int mji_queueFinish(mjiQueue* q, const mjiClaim* claim, int end, void* saved, int64_t time, int64_t cpu);

// Wait until a job is over, or until a time of the clock, 0: any; nonzero if it is over.
int mji_queueWait(mjiQueue* q, sheafJob* job, int64_t until);

// Let workers leave once the queue is empty; jobs in it are cancelled.
void mji_queueClose(mjiQueue* q);

// Count units of progress of a job, `computed` of which were computed, and call its progress function at most every 50
// milliseconds and at the end.
void mji_jobAdvance(sheafJob* job, int64_t units, int64_t computed);

// Nanoseconds of a clock that only goes forward.
int64_t mji_now(void);

// Nanoseconds that this thread has had a processor.
int64_t mji_threadTime(void);

#endif  // SHEAF_POOL_QUEUE_H_
