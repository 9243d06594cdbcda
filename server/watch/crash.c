// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "watch/crash.h"

#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <sheaf/batch.h>

#include "jobs/busy.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif

enum { FRAMES = 64, LINE = 1024, THREAD_NAME = 16, STACK_BYTES = 64 << 10 };

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
static char build[LINE / 2];  // filled in at the start, because a signal handler must not call the engine

// ---- text without the C library's streams, which a signal handler must not use

typedef struct {
  char text[LINE];
  size_t len;
} line;

static void add(line* l, const char* text) {
  while (*text && l->len < LINE - 1) l->text[l->len++] = *text++;
}

static void add_number(line* l, uintptr_t n, unsigned base) {
  char digits[24];
  int i = sizeof digits - 1;
  digits[i] = 0;
  do {
    digits[--i] = "0123456789abcdef"[n % base];
    n /= base;
  } while (n);
  add(l, digits + i);
}

static void add_pair(line* l, const char* name, uint64_t n) {
  add(l, name);
  add_number(l, n, 10);
}

// the first 16 digits of a hash, with leading zeros
static void add_hash(line* l, uint64_t n) {
  for (int shift = 60; shift >= 0; shift -= 4) add_number(l, n >> shift & 15, 16);
}

// Write one line for each worker that computes, because its request may be the reason of the crash. Names of clients
// have no control characters and no quotes here.
static void tell_work(void) {
  srv_tag tag;
  for (int i = 0; i < SRV_BUSY_WORKERS; i++) {
    line l = {.len = 0};
    if (!srv_busy_read(i, &tag)) continue;
    for (char* c = tag.identity; *c; c++) *c = *c < ' ' || *c == '"' || *c == 127 ? '?' : *c;
    add_pair(&l, "level=error event=crash_work worker=", (uint64_t)i);
    add_pair(&l, " conn=", tag.conn);
    add_pair(&l, " id=", tag.id);
    add(&l, " kind=");
    add(&l, tag.kind);
    add(&l, " model=");
    add_hash(&l, tag.model);
    add(&l, " identity=\"");
    add(&l, tag.identity);
    add(&l, "\"\n");
    if (write(STDERR_FILENO, l.text, l.len) < 0) return;
  }
}

static void on_crash(int signal, siginfo_t* info, void* context) {
  (void)context;
  char thread[THREAD_NAME] = "";
  void* frame[FRAMES];
  line l = {.len = 0};
  prctl(PR_GET_NAME, thread);
  add(&l, "level=error event=crash signal=");
  add_number(&l, (uintptr_t)signal, 10);
  add(&l, " address=0x");
  add_number(&l, signal == SIGABRT ? 0 : (uintptr_t)info->si_addr, 16);
  add(&l, " thread=");
  add(&l, thread);
  add(&l, " build=\"");
  add(&l, build);
  add(&l, "\"\n");
  if (write(STDERR_FILENO, l.text, l.len) < 0) _exit(128 + signal);
  tell_work();
  backtrace_symbols_fd(frame, backtrace(frame, FRAMES), STDERR_FILENO);
  raise(signal);  // SA_RESETHAND has restored the default, which ends the process
}

void srv_crash_reports(void) {
  if (SANITIZED) return;
  void* frame[1];
  backtrace(frame, 1);  // the first call loads a library, which a signal handler must not do
  snprintf(build, sizeof build, "%s", sheaf_buildInfo());

  // a stack for the handler, in case the loop's stack overflows
  static char stack[STACK_BYTES];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) sigaction(signals[i], &action, NULL);
}
