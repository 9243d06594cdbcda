// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/compilation.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/checked.h"
#include "models/exchange.h"
#include "sheaf.pb-c.h"

// A helper may take this many times its processor limit on the clock, because on a busy machine a nice process may get
// a tenth of a core. A kill that got lost is repeated after AGAIN_MS.
enum { WALL_FACTOR = 12, WALL_EXTRA_S = 30, AGAIN_MS = 1000, SETTLE_US = 1000000 };

struct srv_compile {
  srv_helper helper;
  uv_timer_t timer;  // wall-clock limit
  uv_work_t work;
  srv_compiler* compiler;
  int output;    // descriptor
  bool running;  // the helper runs
  bool killed;   // the helper was killed, for the reason in `error`
  srv_exchange_output* mapped;
  uint64_t size;  // of the output
  const srv_limits* limits;
  srv_compile_events events;
  void* user;
  srv_error error;
};

// ---- input

static bool write_all(int fd, const void* bytes, uint64_t n) {
  for (const char* at = bytes; n;) {
    ssize_t wrote = write(fd, at, n < (1u << 30) ? n : (1u << 30));
    if (wrote <= 0) return false;
    at += wrote;
    n -= (uint64_t)wrote;
  }
  return true;
}

static bool write_file(int fd, const sheaf_file* file) {
  srv_exchange_file head = {strlen(file->name) + 1, file->size};
  return write_all(fd, &head, sizeof head) && write_all(fd, file->name, head.name_len) &&
         write_all(fd, file->data, file->size);
}

int srv_compile_pack(const char* main, const sheaf_file* files, size_t nfile) {
  int fd = memfd_create("sheaf-model-files", MFD_CLOEXEC);
  if (fd < 0) return -1;
  srv_exchange_input head = {nfile, strlen(main) + 1};
  bool ok = write_all(fd, &head, sizeof head) && write_all(fd, main, head.main_len);
  for (size_t i = 0; ok && i < nfile; i++) ok = write_file(fd, &files[i]);
  if (!ok || lseek(fd, 0, SEEK_SET) < 0) {
    close(fd);
    return -1;
  }
  return fd;
}

// ---- end of the helper

static void on_closed(uv_handle_t* handle) { free(handle->data); }

static void finish(srv_compile* c) {
  if (c->mapped) munmap(c->mapped, c->size);
  close(c->output);
  c->events.done(c->user, &c->error);
  uv_close((uv_handle_t*)&c->timer, on_closed);
}

// do the sizes in the header add up to the size of the file?
static bool output_fits(const srv_exchange_output* out, uint64_t file) {
  uint64_t states, end;
  return srv_mul(out->nrow, out->nstate, &states) && srv_mul(states, sizeof(double), &states) &&
         srv_add(states, out->size, &end) && srv_add(end, sizeof *out, &end) && end == file;
}

// map and check the helper's output
static int look_at_output(srv_compile* c) {
  struct stat st;
  if (fstat(c->output, &st) || (uint64_t)st.st_size < sizeof *c->mapped) {
    return srv_error_set(&c->error, SHEAF__CODE__CODE_INTERNAL, "the model compiler left no result");
  }
  c->size = (uint64_t)st.st_size;
  void* mapped = mmap(NULL, c->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, c->output, 0);
  if (mapped == MAP_FAILED) {
    return srv_error_busy(&c->error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, SETTLE_US, "no memory to load the model");
  }
  c->mapped = mapped;
  c->mapped->error[SRV_EXCHANGE_TEXT - 1] = c->mapped->warning[SRV_EXCHANGE_TEXT - 1] = 0;
  if (c->mapped->size == 0) {
    return srv_error_set(&c->error, SHEAF__CODE__CODE_FAILED_PRECONDITION, "%s", c->mapped->error);
  }
  if (!output_fits(c->mapped, c->size)) {
    return srv_error_set(&c->error, SHEAF__CODE__CODE_INTERNAL, "the model compiler left half a result");
  }
  return 0;
}

// on a thread of libuv's pool
static void load_output(uv_work_t* work) {
  srv_compile* c = work->data;
  const srv_exchange_output* out = c->mapped;
  const double* states = (const double*)(out + 1);
  const srv_compiled compiled = {
      states + out->nrow * out->nstate, out->size, states, out->nrow, out->nstate, out->warning, &c->error};
  c->events.load(c->user, &compiled);
}

static void on_loaded(uv_work_t* work, int status) {
  (void)status;
  finish(work->data);
}

// Bytes of the model and its states in memory, as the helper says. A helper that was taken over may say anything.
static uint64_t announced(const srv_exchange_output* out) {
  const uint64_t most = UINT64_MAX / 4, model = out->bytes > out->size ? out->bytes : out->size;
  return (model < most ? model : most) + out->nrow * out->nstate * sizeof(double);
}

static void load_result(srv_compile* c) {
  if (look_at_output(c) || c->events.admit(c->user, announced(c->mapped), &c->error)) {
    finish(c);
    return;
  }
  c->work.data = c;
  if (!uv_queue_work(c->compiler->loop, &c->work, load_output, on_loaded)) return;
  srv_error_set(&c->error, SHEAF__CODE__CODE_INTERNAL, "no thread to load the model");
  finish(c);
}

// set the error of a helper that a signal ended; a kill from here has set it already
static void explain_signal(srv_compile* c, int signal) {
  if (signal == SIGXCPU) {
    srv_error_set(&c->error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                  "compiling the model took more than %u s of processor time", c->limits->compile_cpu_s);
  } else if (signal == SIGKILL) {
    srv_error_busy(&c->error, SHEAF__CODE__CODE_UNAVAILABLE, SETTLE_US,
                   "the model compiler was killed from outside; the machine may be out of memory");
  } else {
    srv_error_set(&c->error, SHEAF__CODE__CODE_INTERNAL, "the model compiler crashed (signal %d)", signal);
  }
}

static void explain_absence(srv_compile* c, srv_helper_end how, int status) {
  if (how == SRV_HELPER_LOST) {
    srv_error_busy(&c->error, SHEAF__CODE__CODE_UNAVAILABLE, SETTLE_US,
                   "the process that starts model compilers ended, and the compiler with it");
  } else if (how == SRV_HELPER_NOT_STARTED) {
    srv_error_set(&c->error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "no model compiler could be started: %s",
                  strerror(status));
    c->error.retriable = true;
    c->error.retry_after_us = SETTLE_US;
  } else if (WIFSIGNALED(status)) {
    explain_signal(c, WTERMSIG(status));
  } else {
    srv_error_set(&c->error, SHEAF__CODE__CODE_INTERNAL, "the model compiler crashed (exit status %d)",
                  WEXITSTATUS(status));
  }
}

static void on_ended(srv_helper* helper, srv_helper_end how, int status) {
  srv_compile* c = (srv_compile*)((char*)helper - offsetof(srv_compile, helper));
  c->running = false;
  uv_timer_stop(&c->timer);
  if (c->killed) {
    finish(c);
  } else if (how != SRV_HELPER_ENDED || status) {
    explain_absence(c, how, status);
    finish(c);
  } else {
    load_result(c);
  }
}

// ---- start

static void on_again(uv_timer_t* timer) {
  const srv_compile* c = timer->data;
  srv_compiler_kill(c->compiler, &c->helper);
}

bool srv_compile_kill(srv_compile* c, const srv_error* why) {
  if (!c->running) return false;
  if (!c->killed) c->error = *why;
  c->killed = true;
  srv_compiler_kill(c->compiler, &c->helper);
  uv_timer_start(&c->timer, on_again, AGAIN_MS, AGAIN_MS);
  return true;
}

static unsigned wall_limit_s(const srv_limits* limits) { return WALL_FACTOR * limits->compile_cpu_s + WALL_EXTRA_S; }

static void on_timeout(uv_timer_t* timer) {
  srv_compile* c = timer->data;
  srv_error why;
  srv_error_set(&why, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "compiling the model took more than %u s",
                wall_limit_s(c->limits));
  srv_compile_kill(c, &why);
}

static srv_compile* make_compile(void) {
  srv_compile* c = calloc(1, sizeof *c);
  if (c) c->output = memfd_create("sheaf-model", MFD_CLOEXEC);
  if (c && c->output >= 0) return c;
  free(c);
  return NULL;
}

srv_compile* srv_compile_start(srv_compiler* compiler, int input, const srv_limits* limits,
                               const srv_compile_events* events, void* user, srv_error* error) {
  const srv_sandbox_limits bounds = {.cpu_s = limits->compile_cpu_s,
                                     .memory_bytes = limits->compile_bytes,
                                     .output_bytes = limits->cache_bytes + sizeof(srv_exchange_output)};
  srv_compile* c = make_compile();
  if (!c) {
    srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, SETTLE_US, "no memory to compile a model");
    close(input);
    return NULL;
  }
  c->helper.ended = on_ended;
  c->compiler = compiler;
  c->limits = limits;
  c->events = *events;
  c->user = user;
  int err = srv_compiler_spawn(compiler, &c->helper, input, c->output, &bounds, error);
  close(input);
  if (err) {
    close(c->output);
    free(c);
    return NULL;
  }
  c->running = true;
  uv_timer_init(compiler->loop, &c->timer);
  c->timer.data = c;
  uv_timer_start(&c->timer, on_timeout, (uint64_t)1000 * wall_limit_s(limits), 0);
  return c;
}
