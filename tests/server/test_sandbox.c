// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What a process in the sandbox of the model compiler cannot do. A stand-in for a helper that was taken over tries, and
// leaves the error of each attempt; outside of the sandbox the same attempts succeed, so they would be noticed.
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "models/sandbox.h"
#include "models/sanitized.h"

static volatile int secret = 7;  // of the parent
static pid_t parent;

// each returns a negative number if it was refused

static int write_memory(void) {
  int mine = 8;
  struct iovec here = {&mine, sizeof mine}, there = {(void*)&secret, sizeof secret};
  return (int)process_vm_writev(parent, &here, 1, &there, 1, 0);
}

static int read_memory(void) {
  int mine = 0;
  struct iovec here = {&mine, sizeof mine}, there = {(void*)&secret, sizeof secret};
  return (int)process_vm_readv(parent, &here, 1, &there, 1, 0);
}

static int trace(void) { return (int)ptrace(PTRACE_SEIZE, parent, NULL, NULL); }

static int open_memory(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", (int)parent);
  return open(path, O_RDWR);
}

static int signal_parent(void) { return kill(parent, 0); }
static int limit_parent(void) { return prlimit(parent, RLIMIT_NOFILE, NULL, &(struct rlimit){0}); }
static int open_file(void) { return open("/etc/passwd", O_RDONLY); }
static int make_file(void) { return open("/tmp", O_TMPFILE | O_RDWR, 0600); }
static int look_at_file(void) { return (int)syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &(char[256]){0}, 0); }
static int make_socket(void) { return socket(AF_INET, SOCK_STREAM, 0); }
static int make_unix_socket(void) { return socket(AF_UNIX, SOCK_STREAM, 0); }
static int make_pipe(void) { return pipe((int[2]){0}); }
static int make_anonymous(void) { return memfd_create("x", 0); }
static int ask_for_ring(void) { return (int)syscall(SYS_io_uring_setup, 4, &(char[256]){0}); }
static int write_to_log(void) { return (int)write(2, "", 0); }

static int fork_off(void) {
  pid_t pid = fork();
  if (pid == 0) _exit(0);
  return pid;
}

static int run_program(void) {
  // replaces this process if it works, which the missing report shows
  char* const none[] = {NULL};
  return execve("/bin/true", none, none);
}

static int make_runnable_memory(void) {
  void* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? -1 : 1;
}

static int make_memory_runnable(void) {
  void* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? 1 : mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

static int gain_namespace(void) { return unshare(CLONE_NEWUSER); }

static const struct {
  const char* name;
  int (*attempt)(void);
} attempts[] = {
    {"write the parent's memory", write_memory},
    {"read the parent's memory", read_memory},
    {"trace the parent", trace},
    {"open the parent's memory", open_memory},
    {"signal the parent", signal_parent},
    {"limit the parent", limit_parent},
    {"open a file", open_file},
    {"make a file", make_file},
    {"look at a file", look_at_file},
    {"make a socket", make_socket},
    {"make a Unix socket", make_unix_socket},
    {"make a pipe", make_pipe},
    {"make an anonymous file", make_anonymous},
    {"ask for a ring", ask_for_ring},
    {"write to the log", write_to_log},
    {"fork", fork_off},
    {"make runnable memory", make_runnable_memory},
    {"make memory runnable", make_memory_runnable},
    {"enter a namespace", gain_namespace},
    {"run a program", run_program},
};

enum { NATTEMPT = sizeof attempts / sizeof attempts[0] };

typedef struct {
  int layers;
  int got[NATTEMPT];  // negative: refused
} report;

// What a process with these layers could do. The report is written after each attempt: one may end the process.
static report stand_in(int wanted) {
  report r = {0};
  int fd = memfd_create("report", 0);
  parent = getpid();
  pid_t pid = fork();
  if (pid == 0) {
    for (int i = 0; i < NATTEMPT; i++) r.got[i] = 1;
    dup2(fd, 1);
    const srv_sandbox_limits limits = {10, 4ull << 30, 1 << 20, parent};
    if (wanted) r.layers = srv_sandbox_enter(&limits, wanted);
    for (int i = 0; i < NATTEMPT; i++) {
      r.got[i] = attempts[i].attempt();
      lseek(1, 0, SEEK_SET);  // refused in the filter: then the last report is the one that counts
      if (write(1, &r, sizeof r) != sizeof r) _exit(2);
    }
    _exit(0);
  }
  waitpid(pid, NULL, 0);
  off_t end = lseek(fd, 0, SEEK_END);
  CHECK(end >= (off_t)sizeof r);
  if (end >= (off_t)sizeof r) CHECK_EQ(pread(fd, &r, sizeof r, end - (off_t)sizeof r), (ssize_t)sizeof r);
  close(fd);
  return r;
}

static bool tolerated(const char* name) {
  // reports of a sanitizer go there
  return SRV_SANITIZED && !strcmp(name, "write to the log");
}

TEST(a_helper_that_was_taken_over_can_do_nothing) {
  report r = stand_in(SRV_SANDBOX_ALL);
  CHECK(r.layers & SRV_SANDBOX_FILTER);
  for (int i = 0; i < NATTEMPT; i++) {
    if (tolerated(attempts[i].name)) continue;
    if (r.got[i] >= 0) printf("in the sandbox one can %s\n", attempts[i].name);
    CHECK(r.got[i] < 0);
  }
  CHECK_EQ(secret, 7);
}

TEST(without_the_sandbox_it_could_do_much) {
  report r = stand_in(0);
  int could = 0;
  for (int i = 0; i < NATTEMPT; i++) could += r.got[i] >= 0;
  // a system may forbid some of it anyway, like looking into one's parent
  CHECK(could >= NATTEMPT - 8);
  if (r.got[0] >= 0) CHECK_EQ(secret, 8);
  secret = 7;
}

TEST(other_processes_are_out_of_reach_without_the_filter) {
  report r = stand_in(SRV_SANDBOX_ALL & ~SRV_SANDBOX_FILTER);
  if (!(r.layers & (SRV_SANDBOX_NAMESPACE | SRV_SANDBOX_UID))) {
    test_skip("neither user namespaces nor another uid are to be had here");
    return;
  }
  for (int i = 0; i < 4; i++) CHECK(r.got[i] < 0);
  for (int i = 0; i < NATTEMPT; i++) {
    bool limited = !strcmp(attempts[i].name, "open a file") || !strcmp(attempts[i].name, "make a socket") ||
                   !strcmp(attempts[i].name, "fork");
    if (limited) CHECK(r.got[i] < 0);
  }
  CHECK_EQ(secret, 7);
}

TEST(layers_have_names) {
  char text[128];
  CHECK(!strcmp(srv_sandbox_text(text, sizeof text, SRV_SANDBOX_FILTER | SRV_SANDBOX_LIMITS), "limits,seccomp"));
  CHECK(!strcmp(srv_sandbox_text(text, sizeof text, 0), ""));
  srv_sandbox_text(text, sizeof text, SRV_SANDBOX_ALL);
  CHECK_TEXT(text, "namespace");
  CHECK(strlen(text) < sizeof text - 1);
}
