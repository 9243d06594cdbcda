// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/doorbell.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void on_poll(uv_poll_t* poll, int status, int events) {
  srv_doorbell* bell = poll->data;
  uint64_t count;
  (void)status, (void)events;
  if (read(bell->fd, &count, sizeof count) != sizeof count) return;

  // who rings before this need not be heard, because what he brought is looked at now
  atomic_store(&bell->waits, false);
  bell->rung(bell->user);
}

int srv_doorbell_init(srv_doorbell* bell, uv_loop_t* loop, void (*rung)(void* user), void* user) {
  *bell = (srv_doorbell){.fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), .rung = rung, .user = user};
  if (bell->fd < 0) return uv_translate_sys_error(errno);
  int err = uv_poll_init(loop, &bell->poll, bell->fd);
  if (err) {
    close(bell->fd);
    return err;
  }
  bell->poll.data = bell;
  return uv_poll_start(&bell->poll, UV_READABLE, on_poll);
}

void srv_doorbell_close(srv_doorbell* bell) {
  uv_close((uv_handle_t*)&bell->poll, NULL);
  close(bell->fd);
}

void srv_doorbell_ring(srv_doorbell* bell) {
  const uint64_t one = 1;
  if (atomic_exchange(&bell->waits, true)) return;
  ssize_t n;
  do n = write(bell->fd, &one, sizeof one);
  while (n < 0 && errno == EINTR);
}
