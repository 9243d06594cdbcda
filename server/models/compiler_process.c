// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/compiler_process.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checked.h"
#include "models/exchange.h"
#include "sheaf.pb-c.h"

enum { WALL_FACTOR = 3 };  // a helper may take this many times its processor limit by the clock

struct srv_compile {
  uv_process_t process;
  uv_timer_t timer;  // wall-clock limit
  uv_work_t work;
  int nhandle;  // libuv handles that are not closed yet
  int output;   // descriptor
  bool killed;
  bool over;  // done was called
  const srv_limits* limits;
  srv_compile_load load;
  srv_compile_done done;
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

static void on_closed(uv_handle_t* handle) {
  srv_compile* c = handle->data;
  if (--c->nhandle == 0 && c->over) free(c);
}

static void finish(srv_compile* c) {
  close(c->output);
  c->over = true;
  c->done(c->user, &c->error);
  if (c->nhandle == 0) free(c);
}

// do the sizes in the header add up to the size of the file?
static bool output_fits(const srv_exchange_output* out, uint64_t file) {
  uint64_t states, end;
  return srv_mul(out->nrow, out->nstate, &states) && srv_mul(states, sizeof(double), &states) &&
         srv_add(states, out->size, &end) && srv_add(end, sizeof *out, &end) && end == file;
}

static void read_output(srv_compile* c, srv_exchange_output* out, uint64_t file) {
  out->error[SRV_EXCHANGE_TEXT - 1] = out->warning[SRV_EXCHANGE_TEXT - 1] = 0;
  const double* states = (const double*)(out + 1);
  if (out->size == 0) {
    srv_error_set(&c->error, SHEAF__CODE__CODE_FAILED_PRECONDITION, "%s", out->error);
  } else if (output_fits(out, file)) {
    c->load(c->user, &(srv_compiled){states + out->nrow * out->nstate, out->size, states, out->nrow, out->nstate,
                                     out->warning, &c->error});
  } else {
    srv_error_set(&c->error, SHEAF__CODE__CODE_INTERNAL, "the model compiler left half a result");
  }
}

// on a thread of libuv's pool: look at what the helper left
static void load_output(uv_work_t* work) {
  srv_compile* c = work->data;
  struct stat st;
  srv_exchange_output* out = MAP_FAILED;
  if (!fstat(c->output, &st) && (uint64_t)st.st_size >= sizeof *out) {
    out = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, c->output, 0);
  }
  if (out == MAP_FAILED) {
    srv_error_set(&c->error, SHEAF__CODE__CODE_INTERNAL, "the model compiler left no result");
    return;
  }
  read_output(c, out, (uint64_t)st.st_size);
  munmap(out, (size_t)st.st_size);
}

static void on_loaded(uv_work_t* work, int status) {
  (void)status;
  finish(work->data);
}

static void on_exit_status(uv_process_t* process, int64_t status, int signal) {
  srv_compile* c = process->data;
  uv_close((uv_handle_t*)process, on_closed);
  uv_close((uv_handle_t*)&c->timer, on_closed);
  if (c->killed || signal == SIGXCPU || signal == SIGKILL) {
    srv_error_set(&c->error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                  "compiling the model took more than %u s or more memory than allowed", c->limits->compile_cpu_s);
  } else if (signal || status) {
    srv_error_set(&c->error, SHEAF__CODE__CODE_INTERNAL, "the model compiler crashed (%s %d)",
                  signal ? "signal" : "exit status", signal ? signal : (int)status);
  } else {
    c->work.data = c;
    if (!uv_queue_work(c->process.loop, &c->work, load_output, on_loaded)) return;
    srv_error_set(&c->error, SHEAF__CODE__CODE_INTERNAL, "no thread to load the model");
  }
  finish(c);
}

// ---- start

static void on_timeout(uv_timer_t* timer) { srv_compile_kill(timer->data); }

void srv_compile_kill(srv_compile* c) {
  if (uv_is_closing((uv_handle_t*)&c->process)) return;
  c->killed = true;
  uv_process_kill(&c->process, SIGKILL);
}

static int spawn(srv_compile* c, uv_loop_t* loop, const char* helper, int input) {
  char cpu[16], bytes[32];
  snprintf(cpu, sizeof cpu, "%u", c->limits->compile_cpu_s);
  snprintf(bytes, sizeof bytes, "%" PRIu64, c->limits->compile_bytes);
  char* args[] = {"sheaf", "compile-model", cpu, bytes, NULL};
  uv_stdio_container_t stdio[] = {
      {.flags = UV_INHERIT_FD, .data.fd = input},
      {.flags = UV_INHERIT_FD, .data.fd = c->output},
      {.flags = UV_INHERIT_FD, .data.fd = 2},
  };
  uv_process_options_t options = {
      .exit_cb = on_exit_status, .file = helper, .args = args, .stdio_count = 3, .stdio = stdio};
  c->process.data = c;
  return uv_spawn(loop, &c->process, &options);
}

srv_compile* srv_compile_start(uv_loop_t* loop, const char* helper, int input, const srv_limits* limits,
                               srv_compile_load load, srv_compile_done done, void* user, srv_error* error) {
  srv_compile* c = calloc(1, sizeof *c);
  int output = memfd_create("sheaf-model", MFD_CLOEXEC);
  if (!c || output < 0) {
    srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 1000000, "no memory to compile a model");
    if (output >= 0) close(output);
    free(c);
    close(input);
    return NULL;
  }
  *c = (srv_compile){.output = output, .limits = limits, .load = load, .done = done, .user = user};
  int err = spawn(c, loop, helper, input);
  close(input);
  if (err) {
    srv_error_set(error, SHEAF__CODE__CODE_INTERNAL, "cannot start the model compiler: %s", uv_strerror(err));
    close(output);
    // the handle must be closed even if nothing was started
    c->nhandle = 1;
    c->over = true;
    uv_close((uv_handle_t*)&c->process, on_closed);
    return NULL;
  }
  c->nhandle = 2;
  uv_timer_init(loop, &c->timer);
  c->timer.data = c;
  uv_timer_start(&c->timer, on_timeout, (uint64_t)WALL_FACTOR * 1000 * limits->compile_cpu_s, 0);
  return c;
}
