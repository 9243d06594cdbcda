// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/sandbox.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "models/sanitized.h"

enum { NOBODY = 65534, PROGRAM_ROOM = 1024 };

// ---- layers, in the order in which they are entered

static bool limit(__rlimit_resource_t resource, rlim_t soft, rlim_t hard) {
  return !setrlimit(resource, &(struct rlimit){soft, hard});
}

static bool enter_limits(const srv_sandbox_limits* l) {
  // the soft limit of time ends the process by SIGXCPU, so that a SIGKILL can only come from outside
  bool ok = limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_NPROC, 0, 0) && limit(RLIMIT_CPU, l->cpu_s, l->cpu_s + 1) &&
            limit(RLIMIT_FSIZE, l->output_bytes, l->output_bytes) && limit(RLIMIT_NOFILE, 0, 0);
  // a sanitizer reserves far more address space than it uses
  if (!SRV_SANITIZED) ok &= limit(RLIMIT_AS, l->memory_bytes, l->memory_bytes);
  return ok;
}

static bool enter_uid(const srv_sandbox_limits* l) {
  (void)l;
  return !geteuid() && !setgroups(0, NULL) && !setresgid(NOBODY, NOBODY, NOBODY) && !setresuid(NOBODY, NOBODY, NOBODY);
}

// No uid is mapped into the namespace. Capabilities within it count for nothing outside, and the kernel wants
// capabilities outside before a process of the namespace may inspect a process that is not in it.
static bool enter_namespace(const srv_sandbox_limits* l) {
  (void)l;
  return !unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC);
}

static bool enter_capabilities(const srv_sandbox_limits* l) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0}};
  (void)l;
  return !syscall(SYS_capset, &head, none);
}

// This layer comes after those that change uid or capabilities, because such a change clears the setting.
static bool enter_parent(const srv_sandbox_limits* l) {
  (void)l;
  return !prctl(PR_SET_PDEATHSIG, 9);
}

static bool enter_unreadable(const srv_sandbox_limits* l) {
  (void)l;
  return !prctl(PR_SET_DUMPABLE, 0);
}

static bool enter_no_privileges(const srv_sandbox_limits* l) {
  (void)l;
  return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

// Allow the system calls that compiling a model needs: memory, output, the end. None of them takes a path, an address
// or the number of another process. Executable memory is refused, too.
static bool add_rules(scmp_filter_ctx filter) {
  static const int allowed[] = {
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(brk),
    SCMP_SYS(madvise),
    SCMP_SYS(futex),
    SCMP_SYS(fstat),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(getrandom),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(sysinfo),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(sched_yield),
#if SRV_SANITIZED
    SCMP_SYS(sigaltstack),  // before a function that does not return
#endif
  };
  static const int without_exec[] = {SCMP_SYS(mmap), SCMP_SYS(mprotect)};
  static const int opening[] = {SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(creat)};
  bool ok = true;
  for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
    ok &= !seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
  }
  for (size_t i = 0; i < sizeof without_exec / sizeof without_exec[0]; i++) {
    ok &= !seccomp_rule_add(filter, SCMP_ACT_ALLOW, without_exec[i], 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  }
  // the same answer as from the limit of no descriptors: helper.c turns it into "not one of the model's files"
  for (size_t i = 0; i < sizeof opening / sizeof opening[0]; i++) {
    ok &= !seccomp_rule_add(filter, SCMP_ACT_ERRNO(EMFILE), opening[i], 0);
  }
  return ok;
}

static struct sock_filter program[PROGRAM_ROOM];
static size_t nprogram;  // instructions; 0: not made yet

// libseccomp writes the program of a filter to a descriptor only
static bool keep_program(scmp_filter_ctx filter) {
  int fd = memfd_create("sheaf-filter", MFD_CLOEXEC);
  if (fd < 0) return false;
  ssize_t n = seccomp_export_bpf(filter, fd) ? -1 : pread(fd, program, sizeof program, 0);
  close(fd);
  // a program that fills the room may have been cut
  if (n <= 0 || (size_t)n == sizeof program || (size_t)n % sizeof program[0]) return false;
  nprogram = (size_t)n / sizeof program[0];
  return true;
}

// A call that is not allowed fails with an error. Ending the process instead would not protect more, and a model would
// be refused if a new C library made some harmless call.
bool srv_sandbox_prepare(void) {
  if (nprogram) return true;
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return false;
  bool ok = add_rules(filter) && keep_program(filter);
  seccomp_release(filter);
  return ok;
}

static bool enter_filter(const srv_sandbox_limits* l) {
  (void)l;
  const struct sock_fprog all = {(unsigned short)nprogram, program};
  // without privileges the system wants this first
  return nprogram && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all, 0, 0);
}

static const struct {
  int layer;
  const char* name;
  bool (*enter)(const srv_sandbox_limits* limits);
} layers[] = {
    {SRV_SANDBOX_UID, "uid", enter_uid},
    {SRV_SANDBOX_NAMESPACE, "namespace", enter_namespace},
    {SRV_SANDBOX_CAPABILITIES, "no-capabilities", enter_capabilities},
    {SRV_SANDBOX_PARENT, "ends-with-parent", enter_parent},
    {SRV_SANDBOX_UNREADABLE, "unreadable", enter_unreadable},
    {SRV_SANDBOX_NO_PRIVILEGES, "no-new-privileges", enter_no_privileges},
    {SRV_SANDBOX_LIMITS, "limits", enter_limits},
    {SRV_SANDBOX_FILTER, "seccomp", enter_filter},
};

enum { NLAYER = sizeof layers / sizeof layers[0] };

int srv_sandbox_enter(const srv_sandbox_limits* limits, int wanted) {
  int hold = 0;
  srv_sandbox_prepare();
  // a sanitizer reports on standard error, so keep that open
  close_range(SRV_SANITIZED ? 3 : 2, ~0u, 0);
  for (int i = 0; i < NLAYER; i++) {
    if ((wanted & layers[i].layer) && layers[i].enter(limits)) hold |= layers[i].layer;

    // if the parent ended before the setting was made, no signal will come
    if (layers[i].layer == SRV_SANDBOX_PARENT && limits->parent && getppid() != limits->parent) return -1;
  }
  return hold;
}

int srv_sandbox_probe(void) {
  const srv_sandbox_limits limits = {.cpu_s = 1, .memory_bytes = 1ull << 40, .parent = getpid()};
  int status;
  srv_sandbox_prepare();
  pid_t pid = fork();
  if (pid == 0) _exit(srv_sandbox_enter(&limits, SRV_SANDBOX_ALL) & SRV_SANDBOX_ALL);
  if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) return 0;
  return WEXITSTATUS(status);
}

const char* srv_sandbox_text(char* out, int size, int hold) {
  int n = 0;
  out[0] = 0;
  for (int i = 0; i < NLAYER && n < size; i++) {
    if (hold & layers[i].layer) n += snprintf(out + n, (size_t)(size - n), "%s%s", n ? "," : "", layers[i].name);
  }
  return out;
}
