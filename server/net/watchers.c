// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/watchers.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

static void on_nothing(uv_poll_t* handle, int status, int events) { (void)handle, (void)status, (void)events; }

// the table keeps the size that a large descriptor has given it
static void watch_once(uv_loop_t* loop, uv_poll_t* room, int fd) {
  if (uv_poll_init(loop, room, fd)) return;
  uv_poll_start(room, UV_READABLE, on_nothing);
  uv_close((uv_handle_t*)room, NULL);
}

void srv_watchers_reserve(uv_loop_t* loop, uv_poll_t* room) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit)) return;
  int most = limit.rlim_cur < SRV_MOST_WATCHERS ? (int)limit.rlim_cur : SRV_MOST_WATCHERS;
  int event = eventfd(0, EFD_CLOEXEC);
  if (event < 0) return;
  int large = fcntl(event, F_DUPFD_CLOEXEC, most - 1);
  if (large >= 0) {
    watch_once(loop, room, large);
    close(large);
  }
  close(event);
}
