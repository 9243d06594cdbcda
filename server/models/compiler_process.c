// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/spawner.h"
#include "models/compiler_process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "models/exchange.h"
#include "models/sanitized.h"
#include "sheaf.pb-c.h"

// a spawner that ends sooner than this after its start is not started again at once
static const uint64_t RESTART_NS = 1000000000;

struct srv_spawned {
  uv_poll_t poll;
  srv_compiler* compiler;
  int fd;
  pid_t pid;
};

// ---- start

// The variables of the environment without which the spawner could not start; it clears them, too, before it forks.
static size_t pick_environment(char** out, size_t room) {
  static const char* const kept[] = {
    "LD_LIBRARY_PATH=",
    "GLIBC_TUNABLES=",
    SRV_PLUGIN_VARIABLE "=",
#if SRV_SANITIZED
    "ASAN_OPTIONS=",
    "UBSAN_OPTIONS=",
    "TSAN_OPTIONS="
#endif
  };
  size_t n = 0;
  for (char** at = environ; *at; at++) {
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
      if (n + 1 < room && !strncmp(*at, kept[i], strlen(kept[i]))) out[n++] = *at;
    }
  }
  out[n] = NULL;
  return n;
}

// Start the spawner with all signals blocked: signals of the process group are meant for the server.
static int start_process(const char* executable, int fd, pid_t* pid) {
  char* args[] = {"sheaf", "spawn-compilers", NULL};
  char* environment[8];
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t all;
  sigfillset(&all);
  pick_environment(environment, sizeof environment / sizeof environment[0]);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  int err = posix_spawn_file_actions_adddup2(&files, fd, SRV_SPAWNER_FD);
  for (int i = 0; !err && i < (SRV_SANITIZED ? 2 : 3); i++) {
    err = posix_spawn_file_actions_addopen(&files, i, "/dev/null", O_RDWR, 0);
  }
  if (!err) err = posix_spawn_file_actions_addclosefrom_np(&files, SRV_SPAWNER_FD + 1);
  if (!err) err = posix_spawn(pid, executable, &files, &attributes, args, environment);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return err;
}

// Make two ends of a socket whose numbers are not among the descriptors that the spawner is given.
static int make_ends(int ends[2]) {
  int low[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, low)) return errno;
  for (int i = 0; i < 2; i++) {
    ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, SRV_SPAWNER_FD + 1);
    close(low[i]);
  }
  if (ends[0] >= 0 && ends[1] >= 0 && !fcntl(ends[0], F_SETFL, O_NONBLOCK)) return 0;
  for (int i = 0; i < 2; i++) {
    if (ends[i] >= 0) close(ends[i]);
  }
  return EMFILE;
}

static void on_readable(uv_poll_t* poll, int status, int events);

static void on_closed(uv_handle_t* handle) { free(handle->data); }

// forget the process and close the server's end of the socket; the handle is closed later by libuv
static void drop_spawned(srv_compiler* c) {
  srv_spawned* s = c->spawned;
  c->spawned = NULL;
  uv_close((uv_handle_t*)&s->poll, on_closed);
  close(s->fd);
  kill(s->pid, SIGKILL);
  while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR) continue;
}

static int launch(srv_compiler* c) {
  int ends[2] = {-1, -1};
  srv_spawned* s = calloc(1, sizeof *s);
  c->started = uv_hrtime();
  int err = s ? make_ends(ends) : ENOMEM;
  if (err) {
    free(s);
    return err;
  }
  *s = (srv_spawned){.compiler = c, .fd = ends[0]};
  err = start_process(c->executable, ends[1], &s->pid);
  close(ends[1]);
  if (err || uv_poll_init(c->loop, &s->poll, s->fd)) {
    if (!err) kill(s->pid, SIGKILL), waitpid(s->pid, NULL, 0);
    close(s->fd);
    free(s);
    return err ? err : ENOMEM;
  }
  s->poll.data = s;
  c->spawned = s;
  c->layers = 0;
  uv_poll_start(&s->poll, UV_READABLE, on_readable);
  return 0;
}

static int launch_and_tell(srv_compiler* c) {
  int err = launch(c);
  if (err) srv_log(SRV_LOG_ERROR, "compiler_cannot_start", "reason=\"%s\"", strerror(err));
  return err;
}

void srv_compiler_open(srv_compiler* c, uv_loop_t* loop, const char* executable) {
  *c = (srv_compiler){.loop = loop, .executable = executable};
  launch_and_tell(c);
}

// ---- messages from the spawner

// A spawner that is ready and has nothing to do must not keep the loop alive. At the end, close it.
static void close_if_idle(srv_compiler* c) {
  if (c->helpers || !c->spawned) return;
  if (c->layers) uv_unref((uv_handle_t*)&c->spawned->poll);
  if (c->closing) drop_spawned(c);
}

static void end_helper(srv_compiler* c, uint64_t id, srv_helper_end how, int status) {
  srv_helper** link = &c->helpers;
  while (*link && (*link)->id != id) link = &(*link)->next;
  srv_helper* helper = *link;
  if (!helper) return;
  *link = helper->next;
  helper->ended(helper, how, status);
}

static void lose_spawner(srv_compiler* c) {
  bool soon = uv_hrtime() - c->started < RESTART_NS;
  srv_log(SRV_LOG_ERROR, "compiler_lost", "pid=%d again=%s", (int)c->spawned->pid, soon ? "later" : "now");
  c->losses++;
  drop_spawned(c);
  if (!soon && !c->closing) launch_and_tell(c);
  while (c->helpers) end_helper(c, c->helpers->id, SRV_HELPER_LOST, 0);
}

static void learn_layers(srv_compiler* c, int layers) {
  char hold[128], missing[128];
  c->layers = layers;
  srv_log(layers & SRV_SANDBOX_FILTER ? SRV_LOG_INFO : SRV_LOG_WARN, "compiler_ready",
          "pid=%d sandbox=\"%s\" missing=\"%s\"", (int)c->spawned->pid, srv_sandbox_text(hold, sizeof hold, layers),
          srv_sandbox_text(missing, sizeof missing, SRV_SANDBOX_ALL & ~layers));
}

static void on_readable(uv_poll_t* poll, int status, int events) {
  srv_compiler* c = ((srv_spawned*)poll->data)->compiler;
  srv_spawn_message m;
  (void)status, (void)events;
  ssize_t n = recv(c->spawned->fd, &m, sizeof m, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n != sizeof m) {
    lose_spawner(c);
  } else if (m.kind == SRV_SPAWN_READY) {
    learn_layers(c, m.layers);
  } else {
    end_helper(c, m.id, m.kind == SRV_SPAWN_ENDED ? SRV_HELPER_ENDED : SRV_HELPER_NOT_STARTED, m.status);
  }
  close_if_idle(c);
}

// ---- messages to the spawner

static bool tell(const srv_compiler* c, srv_spawn_message message, const int fds[2]) {
  union {
    char bytes[CMSG_SPACE(2 * sizeof(int))];
    struct cmsghdr align;
  } space;
  struct iovec part = {&message, sizeof message};
  struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1};
  if (fds) {
    memset(&space, 0, sizeof space);
    head.msg_control = &space;
    head.msg_controllen = sizeof space;
    struct cmsghdr* rights = CMSG_FIRSTHDR(&head);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(2 * sizeof(int));
    memcpy(CMSG_DATA(rights), fds, 2 * sizeof(int));
  }
  ssize_t n;
  do {
    n = sendmsg(c->spawned->fd, &head, MSG_NOSIGNAL);
  } while (n < 0 && errno == EINTR);
  return n == sizeof message;
}

int srv_compiler_spawn(srv_compiler* c, srv_helper* helper, int input, int output, const srv_sandbox_limits* limits,
                       srv_error* error) {
  const uint64_t age = uv_hrtime() - c->started;
  if (!c->spawned && age < RESTART_NS) {
    return srv_error_busy(error, SHEAF__CODE__CODE_UNAVAILABLE, (RESTART_NS - age) / 1000,
                          "this server cannot compile models at present");
  }
  int err = c->spawned ? 0 : launch_and_tell(c);
  if (err) {
    return srv_error_set(error, SHEAF__CODE__CODE_INTERNAL, "cannot start the model compiler: %s", strerror(err));
  }
  helper->id = ++c->last_id;
  const srv_spawn_message message = {.id = helper->id,
                                     .kind = SRV_SPAWN_START,
                                     .cpu_s = limits->cpu_s,
                                     .memory_bytes = limits->memory_bytes,
                                     .output_bytes = limits->output_bytes};
  if (!tell(c, message, (const int[]){input, output})) {
    return srv_error_busy(error, SHEAF__CODE__CODE_UNAVAILABLE, 200000, "the model compiler does not take more work");
  }
  helper->next = c->helpers;
  c->helpers = helper;
  uv_ref((uv_handle_t*)&c->spawned->poll);
  return 0;
}

void srv_compiler_kill(srv_compiler* c, const srv_helper* helper) {
  if (c->spawned) tell(c, (srv_spawn_message){.id = helper->id, .kind = SRV_SPAWN_KILL}, NULL);
}

void srv_compiler_close(srv_compiler* c) {
  c->closing = true;
  close_if_idle(c);
}

pid_t srv_compiler_pid(const srv_compiler* c) { return c->spawned ? c->spawned->pid : 0; }
