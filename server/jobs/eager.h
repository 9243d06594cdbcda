// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A loop that does not fall asleep for the time of a small request.
//
// Waking the loop thread up costs more than all that it does for a small request. So it looks again and again, without
// sleeping, for the end of work that takes a millisecond or two, if a processor is left for it; and after an answer for
// the next request, if the last ones came at once. When somebody else wanted its processor meanwhile, it sleeps as ever
// for a while. A server whose clients ask nothing sleeps.
#ifndef SHEAF_SERVER_JOBS_EAGER_H_
#define SHEAF_SERVER_JOBS_EAGER_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <uv.h>

typedef struct {
  uv_idle_t idle;            // while it is active, the loop does not sleep
  atomic_bool looks;         // then workers need not wake the loop up
  void (*look)(void* user);  // take what workers have finished
  void* user;
  uint64_t until;       // uv_hrtime: when to sleep
  uint64_t answered;    // uv_hrtime when all was answered, 0: a request has come since
  uint64_t not_before;  // somebody else wanted the processor
  uint64_t pause;       // ns, of the next such time
  uint64_t without;     // ns that this thread had been without a processor when it began to look
  int quick;            // requests in a row that came quickly
  unsigned processors;
} srv_eager;

void srv_eager_init(srv_eager* e, uv_loop_t* loop, void (*look)(void* user), void* user);
void srv_eager_close(srv_eager* e);

// Nothing but this is at work: so many workers, for so many nanoseconds.
void srv_eager_working(srv_eager* e, int workers, double ns);

// There is more at work, so that the loop is woken up often anyway.
void srv_eager_busy(srv_eager* e);

// Everything is answered.
void srv_eager_answered(srv_eager* e);

// Bytes have come from a client.
void srv_eager_asked(srv_eager* e);

#endif  // SHEAF_SERVER_JOBS_EAGER_H_
