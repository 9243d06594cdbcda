// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A loop that does not fall asleep for the time of a small request.
//
// Waking the loop thread up costs more than all that it does for a small request. So it looks again and again, without
// sleeping, for the end of work that takes a millisecond or two; and after an answer for the next request, if the last
// ones came at once. Where it takes part in work itself (sched.c), it looks after that. It gives its processor to
// whoever wants it after each look. When somebody else wanted it meanwhile, the loop sleeps as ever for a while. A
// server whose clients ask nothing sleeps.
//
// Work on all processors: the loop sleeps until each worker has begun, because the system would not put a worker on its
// processor while it looks. Then it stands behind a worker in the system's queue, runs when the first of them has
// nothing left to do, and is awake when the last one ends. From the first to the last this is work that leaves a
// processor: where processors differ, or rows do, that may be half of the work.
#ifndef SHEAF_SERVER_JOBS_EAGER_H_
#define SHEAF_SERVER_JOBS_EAGER_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <uv.h>

typedef enum {
  SRV_EAGER_SPARE,    // the end of work that leaves a processor
  SRV_EAGER_CROWDED,  // the end of work on all processors
  SRV_EAGER_REQUEST,  // the next request
} srv_eager_aim;

typedef struct {
  uv_idle_t idle;            // while it is active, the loop does not sleep
  atomic_bool looks;         // then workers need not wake the loop up
  void (*look)(void* user);  // take what workers have finished
  void* user;
  unsigned processors;
  uint64_t until;       // uv_hrtime: when to sleep
  uint64_t work;        // ns to look for the end of work, once all workers have begun; 0: not
  uint64_t answered;    // uv_hrtime when all was answered, 0: a request has come since
  uint64_t not_before;  // somebody else wanted the processor while there was work
  uint64_t pause;       // ns until then the next time, if that is now
  int quick;            // requests in a row that came quickly
  int enough;           // of them, to look for the next one
  bool found;           // one came while the loop looked for it, since it last was in somebody's way

  // while it looks
  srv_eager_aim looks_for;
  uint64_t began;  // uv_hrtime
  uint64_t with;   // ns that this thread had had a processor then
  bool late;       // it did not see the end of work when it came
} srv_eager;

void srv_eager_init(srv_eager* e, uv_loop_t* loop, void (*look)(void* user), void* user);
void srv_eager_close(srv_eager* e);

enum { SRV_EAGER_SHORT_NS = 2000000 };

// Work that takes so many nanoseconds: is it short enough to wait for its end without sleeping?
bool srv_eager_short(double ns);

// The loop takes part in work, and looks for its end after that, so that workers need not wake it up.
void srv_eager_part(srv_eager* e);

// It has done its part, or is to sleep again: look once after this.
void srv_eager_parted(srv_eager* e);

// Nothing but this is at work: so many workers, for so many nanoseconds. True: wake the loop when all of them have
// begun.
bool srv_eager_working(srv_eager* e, int workers, double ns);

// All workers have begun.
void srv_eager_begun(srv_eager* e);

// Work that ended then is found.
void srv_eager_found(srv_eager* e, uint64_t ended);

// A worker has nothing left to do, of the work whose end the loop looks for.
void srv_eager_left(srv_eager* e);

// There is more at work, so that the loop is woken up often anyway.
void srv_eager_busy(srv_eager* e);

// Everything is answered.
void srv_eager_answered(srv_eager* e);

// Bytes have come from a client.
void srv_eager_asked(srv_eager* e);

#endif  // SHEAF_SERVER_JOBS_EAGER_H_
