// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "private_server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static char folder[64];
static struct sockaddr_un place = {.sun_family = AF_UNIX};
static pid_t server;

static void fail(const char* what) {
  fprintf(stderr, "sheaf: a server for this command: %s: %s\n", what, strerror(errno));
}

// A listening socket in a new folder that only this user may enter.
static int open_socket(void) {
  const char* parent = getenv("TMPDIR");
  int n = snprintf(folder, sizeof folder, "%s/sheaf-XXXXXX", parent && strlen(parent) < 40 ? parent : "/tmp");
  if (n >= (int)sizeof folder || !mkdtemp(folder)) return -1;
  snprintf(place.sun_path, sizeof place.sun_path, "%s/s", folder);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || bind(fd, (struct sockaddr*)&place, sizeof place) || listen(fd, 8)) return -1;
  return fd;
}

// The environment may have settings for the user's other servers; this server must not take them.
static void drop_settings(void) {
  char name[64];
  for (char** e = environ; *e;) {
    size_t n = strcspn(*e, "=");
    if (!strncmp(*e, "SHEAF_", 6) && n < sizeof name) {
      snprintf(name, sizeof name, "%.*s", (int)n, *e);
      if (unsetenv(name)) return;
      e = environ;
    } else {
      e++;
    }
  }
}

// In the child: become a server that takes its socket as from a service manager (LISTEN_FDS) and dies with its parent.
static void become_server(int fd, int threads) {
  char number[16], pid[16];
  snprintf(number, sizeof number, "%d", threads);
  snprintf(pid, sizeof pid, "%d", (int)getpid());
  drop_settings();
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // dup2 to itself would leave the descriptor to be closed by exec
  bool given = fd == 3 ? !fcntl(fd, F_SETFD, 0) : dup2(fd, 3) == 3;
  bool ok = given && !setenv("LISTEN_FDS", "1", 1) && !setenv("LISTEN_PID", pid, 1);
  if (ok) {
    execl("/proc/self/exe", "sheaf", "serve", "--threads", number, "--log-level", "error", "--default-deadline",
          "86400", "--max-deadline", "86400", (char*)NULL);
  }
  fail("start");
  _exit(1);
}

static void end_server(void) {
  if (server > 0) {
    kill(server, SIGTERM);
    while (waitpid(server, NULL, 0) < 0 && errno == EINTR) continue;
  }
  unlink(place.sun_path);
  rmdir(folder);
}

const char* cli_private_server(int threads) {
  static char address[sizeof place.sun_path + 8];
  int fd = open_socket();
  if (folder[0]) atexit(end_server);
  if (fd < 0) return fail("socket"), NULL;
  server = fork();
  if (server == 0) become_server(fd, threads);
  close(fd);
  if (server < 0) return fail("fork"), NULL;
  snprintf(address, sizeof address, "unix://%s", place.sun_path);
  return address;
}
