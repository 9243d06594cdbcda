// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// With a doorbell other threads wake the loop up.
//
// uv_async_send has two halves, and a loop that wakes up between them waits for the second one: if it has pushed the
// sender aside, it keeps the sender's processor busy with waiting for it, for some 30 us. To ring is one system call,
// and none if the loop has not come to the door since somebody else rang.
#ifndef SHEAF_SERVER_JOBS_DOORBELL_H_
#define SHEAF_SERVER_JOBS_DOORBELL_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <uv.h>

typedef struct {
  int fd;
  atomic_bool waits;  // it was rung, and the loop has not come yet
  uv_poll_t poll;
  void (*rung)(void* user);
  void* user;
} srv_doorbell;

// On the loop thread `rung` is called once after it has been rung, however often. 0, or a negative code of libuv.
int srv_doorbell_init(srv_doorbell* bell, uv_loop_t* loop, void (*rung)(void* user), void* user);
void srv_doorbell_close(srv_doorbell* bell);

// Any thread may ring; nobody may once it is closed.
void srv_doorbell_ring(srv_doorbell* bell);

#endif  // SHEAF_SERVER_JOBS_DOORBELL_H_
