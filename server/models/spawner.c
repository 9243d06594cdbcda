// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/spawner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mujoco/mujoco.h>
#include <sheaf/providers.h>

#include "models/exchange.h"
#include "models/helper.h"
#include "models/sandbox.h"

enum { NICENESS = 10 };

typedef struct {
  pid_t pid;  // 0: free
  uint64_t id;
} child;

static child children[SRV_SPAWNER_CHILDREN];

static void tell(srv_spawn_message message) {
  while (send(SRV_SPAWNER_FD, &message, sizeof message, MSG_NOSIGNAL) < 0 && errno == EINTR) continue;
}

static child* find_child(pid_t pid) {
  for (int i = 0; i < SRV_SPAWNER_CHILDREN; i++) {
    if (children[i].pid == pid) return &children[i];
  }
  return NULL;
}

// ---- in a helper

static void take_descriptors(int input, int output) {
  // neither may be overwritten by the other
  input = fcntl(input, F_DUPFD, 3);
  output = fcntl(output, F_DUPFD, 3);
  if (input < 0 || output < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0) _exit(2);
}

static _Noreturn void be_helper(const srv_spawn_message* m, pid_t parent, int input, int output) {
  const srv_sandbox_limits limits = {m->cpu_s, m->memory_bytes, m->output_bytes, parent};
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setpriority(PRIO_PROCESS, 0, NICENESS);
  take_descriptors(input, output);
  srv_compile_helper(&limits);
}

// ---- in the spawner

static void start_child(const srv_spawn_message* m, int input, int output) {
  child* c = find_child(0);
  pid_t parent = getpid();
  pid_t pid = c ? fork() : -1;
  if (pid == 0) be_helper(m, parent, input, output);
  if (pid < 0) {
    tell((srv_spawn_message){.id = m->id, .kind = SRV_SPAWN_FAILED, .status = c ? errno : EAGAIN});
  } else {
    *c = (child){pid, m->id};
  }
}

static void kill_children(uint64_t id, bool all) {
  for (int i = 0; i < SRV_SPAWNER_CHILDREN; i++) {
    if (children[i].pid && (all || children[i].id == id)) kill(children[i].pid, SIGKILL);
  }
}

static void reap(void) {
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    child* c = find_child(pid);
    if (!c) continue;
    tell((srv_spawn_message){.id = c->id, .kind = SRV_SPAWN_ENDED, .status = status});
    c->pid = 0;
  }
}

// one message; false when the server is gone
static bool receive(void) {
  srv_spawn_message m;
  int fds[2] = {-1, -1};
  union {
    char bytes[CMSG_SPACE(sizeof fds)];
    struct cmsghdr align;
  } space;
  struct iovec part = {&m, sizeof m};
  struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &space, .msg_controllen = sizeof space};
  ssize_t n = recvmsg(SRV_SPAWNER_FD, &head, MSG_CMSG_CLOEXEC);
  if (n < 0 && errno == EINTR) return true;
  if (n != sizeof m) return false;
  struct cmsghdr* c = CMSG_FIRSTHDR(&head);
  if (c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof fds)) memcpy(fds, CMSG_DATA(c), sizeof fds);
  if (m.kind == SRV_SPAWN_KILL) {
    kill_children(m.id, false);
  } else if (fds[1] >= 0) {
    start_child(&m, fds[0], fds[1]);
  } else {
    tell((srv_spawn_message){.id = m.id, .kind = SRV_SPAWN_FAILED, .status = EMFILE});
  }
  for (int i = 0; i < 2; i++) {
    if (fds[i] >= 0) close(fds[i]);
  }
  return true;
}

// clear the environment, also in memory, so that nothing of it reaches a helper
static void forget_environment(void) {
  for (char** at = environ; *at; at++) memset(*at, 0, strlen(*at));
  clearenv();
}

// If memory runs out, the system should kill a helper or the spawner and not the server: then a model that is too large
// costs a compilation only.
static void offer_to_die_first(void) {
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  ssize_t wrote = write(fd, "500", 3);
  (void)wrote;
  close(fd);
}

// Block signals: those to the process group are meant for the server, which ends the spawner by closing the socket.
static int watch_children(void) {
  sigset_t all, mine;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  sigemptyset(&mine);
  sigaddset(&mine, SIGCHLD);
  return signalfd(-1, &mine, SFD_CLOEXEC | SFD_NONBLOCK);
}

int srv_spawner_main(void) {
  struct signalfd_siginfo info;
  int signals = watch_children();
  if (signals < 0 || fcntl(SRV_SPAWNER_FD, F_SETFD, FD_CLOEXEC)) return 2;
  const char* library = getenv(SRV_PLUGIN_VARIABLE);
  sheaf_forbidProviders();
  if (library) mj_loadPluginLibrary(library);
  forget_environment();
  offer_to_die_first();
  tell((srv_spawn_message){.kind = SRV_SPAWN_READY, .layers = srv_sandbox_probe()});
  for (;;) {
    struct pollfd polled[] = {{SRV_SPAWNER_FD, POLLIN, 0}, {signals, POLLIN, 0}};
    if (poll(polled, 2, -1) < 0 && errno != EINTR) return 3;
    while (read(signals, &info, sizeof info) > 0) continue;
    reap();
    if (polled[0].revents && !receive()) break;
  }
  kill_children(0, true);
  return 0;
}
