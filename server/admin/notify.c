// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "admin/notify.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SOCKETS = 16 };

void srv_notify(const char* state) {
  const char* path = getenv("NOTIFY_SOCKET");
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  if (!path || (path[0] != '/' && path[0] != '@') || strlen(path) >= sizeof to.sun_path) return;
  const size_t length = strlen(path);
  memcpy(to.sun_path, path, length);
  if (path[0] == '@') to.sun_path[0] = 0;  // an abstract name
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return;
  ssize_t sent = sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr*)&to,
                        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
  (void)sent;
  close(fd);
}

void srv_notify_reloading(void) {
  struct timespec now;
  char text[80];
  clock_gettime(CLOCK_MONOTONIC, &now);
  snprintf(text, sizeof text, "RELOADING=1\nMONOTONIC_USEC=%lld", now.tv_sec * 1000000ll + now.tv_nsec / 1000);
  srv_notify(text);
}

// is a variable of the environment that names a process meant for this one?
static bool is_mine(const char* variable) {
  const char* pid = getenv(variable);
  return pid && strtol(pid, NULL, 10) == getpid();
}

uint64_t srv_notify_watchdog_ms(void) {
  const char* us = getenv("WATCHDOG_USEC");
  if (!us || (getenv("WATCHDOG_PID") && !is_mine("WATCHDOG_PID"))) return 0;
  // half of the interval, so that a late beat does no harm
  uint64_t ms = strtoull(us, NULL, 10) / 2000;
  return ms > 0 ? ms : 1;
}

int srv_notify_sockets(void) {
  const char* count = getenv("LISTEN_FDS");
  long n = count && is_mine("LISTEN_PID") ? strtol(count, NULL, 10) : 0;
  unsetenv("LISTEN_FDS");
  unsetenv("LISTEN_PID");
  if (n < 0 || n > MAX_SOCKETS) return 0;
  for (int i = 0; i < n; i++) fcntl(SRV_NOTIFY_FIRST_FD + i, F_SETFD, FD_CLOEXEC);
  return (int)n;
}
