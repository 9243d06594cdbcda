// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "watch/stacks.h"

#include <dirent.h>
#include <execinfo.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"

enum { FRAMES = 48, NAME = 32, TEXT = 1500, PATIENCE_MS = 200, OWN_FRAMES = 2 };

// The answer of the thread that was asked. Questions and answers have numbers, so that a late answer of one thread is
// not taken for the answer of the next.
static struct {
  atomic_int question;
  atomic_int answer;
  void* frame[FRAMES];
  int nframe;
} asked;

static int ask_signal(void) { return SIGRTMIN + 5; }

static void on_ask(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)context;
  int question = info->si_value.sival_int;
  if (question != atomic_load(&asked.question)) return;
  asked.nframe = backtrace(asked.frame, FRAMES);
  atomic_store(&asked.answer, question);
}

void srv_stacks_init(void) {
  // the first call loads a library, which a signal handler must not
  void* frame[1];
  backtrace(frame, 1);
  struct sigaction action = {.sa_sigaction = on_ask, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(ask_signal(), &action, NULL);
}

static bool ask(pid_t thread) {
  int question = atomic_fetch_add(&asked.question, 1) + 1;
  siginfo_t info = {.si_signo = ask_signal(), .si_code = SI_QUEUE};
  info.si_pid = getpid();
  info.si_value.sival_int = question;
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, ask_signal(), &info)) return false;
  for (int ms = 0; ms < PATIENCE_MS; ms++) {
    if (atomic_load(&asked.answer) == question) return true;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  return false;
}

static void read_name(pid_t thread, char name[NAME]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/comm", (int)thread);
  FILE* file = fopen(path, "re");
  if (!file || !fgets(name, NAME, file)) strcpy(name, "?");
  name[strcspn(name, "\n")] = 0;
  if (file) fclose(file);
}

// "binary(function+0x12) [0x...]" is shown as function+0x12, or as binary+0x... where the function has no name
static int add_frame(char* out, int room, const char* symbol, bool first) {
  const char* file = strrchr(symbol, '/');
  const char* open = strchr(symbol, '(');
  const char* close = open ? strchr(open, ')') : NULL;
  if (!close) return 0;
  file = file && file < open ? file + 1 : symbol;
  const char* from = open[1] == '+' ? file : open + 1;
  int n = (int)(open[1] == '+' ? open - from : close - from);
  int offset = open[1] == '+' ? (int)(close - open - 1) : 0;
  int wrote = snprintf(out, (size_t)room, "%s%.*s%.*s", first ? "" : " < ", n, from, offset, open + 1);
  return wrote < room ? wrote : 0;
}

static void log_thread(pid_t thread) {
  char name[NAME], quoted[2 * NAME], text[TEXT] = "", frames[TEXT + 64];
  read_name(thread, name);
  char** symbols = ask(thread) ? backtrace_symbols(asked.frame, asked.nframe) : NULL;
  int len = 0;
  for (int i = OWN_FRAMES; symbols && i < asked.nframe; i++) {
    len += add_frame(text + len, TEXT - len, symbols[i], i == OWN_FRAMES);
  }
  free(symbols);
  srv_log(SRV_LOG_ERROR, "stack", "thread=%s id=%d frames=%s", srv_log_quote(quoted, sizeof quoted, name), (int)thread,
          srv_log_quote(frames, sizeof frames, text));
}

void srv_stacks_log(void) {
  pid_t own = (pid_t)syscall(SYS_gettid);
  DIR* folder = opendir("/proc/self/task");
  for (struct dirent* entry; folder && (entry = readdir(folder));) {
    pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
    if (thread > 0 && thread != own) log_thread(thread);
  }
  if (folder) closedir(folder);
}
