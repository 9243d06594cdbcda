// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A spawner and helpers that were taken over or are broken: whatever they leave, one client gets an error, and the
// server goes on. This program is the stand-in: the registry starts it as the spawner, and the text of the "model" says
// what to do.
#include "support/test.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include <mujoco/mujoco.h>

#include "manifest.h"
#include "models/exchange.h"
#include "models/registry.h"
#include "sheaf.pb-c.h"

// ---- the stand-in

static void tell(srv_spawn_message m) { send(SRV_SPAWNER_FD, &m, sizeof m, MSG_NOSIGNAL); }

static void leave(int output, srv_exchange_output head, size_t more) {
  char bytes[4096];
  memset(bytes, 0xa5, sizeof bytes);
  ssize_t wrote = write(output, &head, sizeof head);
  if (wrote == sizeof head && more) wrote = write(output, bytes, more);
  (void)wrote;
}

// a sound model that is said to have this many bytes
static void announce(int output, uint64_t bytes) {
  char error[200], model[100000];
  mjSpec* spec = mj_parseXMLString("<mujoco/>", NULL, error, sizeof error);
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  srv_exchange_output head = {.size = m ? (uint64_t)mj_sizeModel(m) : 0, .nrow = 1, .nstate = 1, .bytes = bytes};
  double time = 0;
  mj_saveModel(m, NULL, model, sizeof model);
  bool wrote = write(output, &head, sizeof head) == sizeof head && write(output, &time, sizeof time) == sizeof time &&
               write(output, model, head.size) == (ssize_t)head.size;
  if (!wrote) _exit(1);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

static void misbehave(const char* text, uint64_t id, int output) {
  srv_spawn_message end = {.id = id, .kind = SRV_SPAWN_ENDED};
  srv_exchange_output head = {.size = 1000, .nrow = 1, .nstate = 3};
  if (strstr(text, "half")) leave(output, head, 999);
  if (strstr(text, "overflow")) {
    head.nrow = 1ull << 62, head.nstate = 4;
    leave(output, head, 1000);
  }
  if (strstr(text, "garbage")) leave(output, head, 1000 + 3 * sizeof(double));
  if (strstr(text, "endless")) {
    head.size = 0;
    memset(head.error, 'x', sizeof head.error);  // no zero byte
    leave(output, head, 0);
  }
  if (strstr(text, "modest")) announce(output, 0);
  if (strstr(text, "boastful")) announce(output, UINT64_MAX);
  if (strstr(text, "crash")) end.status = SIGSEGV;
  if (strstr(text, "exit")) end.status = 3 << 8;
  if (strstr(text, "refuse")) end = (srv_spawn_message){.id = id, .kind = SRV_SPAWN_FAILED, .status = EAGAIN};
  if (strstr(text, "stranger")) {
    tell((srv_spawn_message){.id = id + 1000, .kind = SRV_SPAWN_ENDED});
    tell((srv_spawn_message){.id = id, .kind = 99, .status = ENOMEM});
  } else if (strstr(text, "mumble")) {
    send(SRV_SPAWNER_FD, "?", 1, MSG_NOSIGNAL);
  } else {
    tell(end);
  }
}

static _Noreturn void be_spawner(void) {
  tell((srv_spawn_message){.kind = SRV_SPAWN_READY, .layers = SRV_SANDBOX_ALL});
  for (;;) {
    srv_spawn_message m;
    int fds[2] = {-1, -1};
    char space[CMSG_SPACE(sizeof fds)], text[4096] = "";
    struct iovec part = {&m, sizeof m};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    if (recvmsg(SRV_SPAWNER_FD, &head, 0) != sizeof m) _exit(0);
    if (m.kind != SRV_SPAWN_START || !CMSG_FIRSTHDR(&head)) continue;
    memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&head)), sizeof fds);
    ssize_t n = pread(fds[0], text, sizeof text - 1, 0);
    for (ssize_t i = 0; i < n; i++) {
      if (!text[i]) text[i] = ' ';
    }
    misbehave(text, m.id, fds[1]);
    close(fds[0]);
    close(fds[1]);
  }
}

__attribute__((constructor)) static void start_stand_in(int argc, char** argv) {
  if (argc == 2 && !strcmp(argv[1], "spawn-compilers")) be_spawner();
}

// ---- the server's side

typedef struct {
  srv_waiter waiter;
  srv_error error;
  int called;
} waiting;

static void on_ready(srv_waiter* waiter, srv_model* model, const srv_error* error) {
  waiting* w = (waiting*)waiter;
  w->called++;
  CHECK(!model);
  if (error) w->error = *error;
}

// what a client is told when the helper does what `text` says
static srv_error ask(const char* text) {
  uv_loop_t loop;
  srv_registry registry;
  srv_limits limits = srv_limits_default();
  srv_ledger ledger = {.limit = 1 << 30};
  sheaf_file file = {"m.xml", text, strlen(text)};
  uint8_t hash[SHEAF_HASH_BYTES];
  waiting w = {.waiter.ready = on_ready};
  uv_loop_init(&loop);
  srv_registry_init(&registry, &loop, &limits, &ledger, "/proc/self/exe");
  sheaf_manifest_hash("m.xml", &file, 1, hash);
  int input = srv_compile_pack("m.xml", &file, 1);
  CHECK_EQ(srv_registry_put(&registry, hash, input, file.size, &w.waiter, &w.error), 0);
  uv_run(&loop, UV_RUN_DEFAULT);
  CHECK_EQ(w.called, 1);
  CHECK(registry.compiling == 0 && !registry.shelf.first && registry.making == 0 && registry.bytes == 0);
  srv_registry_close(&registry);
  uv_run(&loop, UV_RUN_DEFAULT);
  CHECK_EQ(uv_loop_close(&loop), 0);
  CHECK_EQ(ledger.request, 0);
  return w.error;
}

static void expect(const char* text, int code, bool retriable, const char* message) {
  srv_error e = ask(text);
  CHECK_EQ(e.code, code);
  CHECK_EQ(e.retriable, retriable);
  CHECK_TEXT(e.message, message);
}

TEST(a_helper_that_says_how_much_memory_its_model_takes_is_not_believed) {
  expect("modest", SHEAF__CODE__CODE_INTERNAL, false, "its compiler announced");
  expect("boastful", SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, false, "all models together may have");
}

TEST(a_helper_that_leaves_nonsense_costs_one_compilation) {
  expect("nothing", SHEAF__CODE__CODE_INTERNAL, false, "left no result");
  expect("half", SHEAF__CODE__CODE_INTERNAL, false, "left half a result");
  expect("overflow", SHEAF__CODE__CODE_INTERNAL, false, "left half a result");
  expect("garbage", SHEAF__CODE__CODE_INTERNAL, false, "does not load");
  expect("endless", SHEAF__CODE__CODE_FAILED_PRECONDITION, false, "xxxx");
}

TEST(a_helper_that_ends_badly_is_told_as_it_was) {
  expect("crash", SHEAF__CODE__CODE_INTERNAL, false, "crashed (signal 11)");
  expect("exit", SHEAF__CODE__CODE_INTERNAL, false, "crashed (exit status 3)");
  expect("refuse", SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, true, "no model compiler could be started");
}

TEST(a_spawner_that_talks_nonsense_is_replaced_or_ignored) {
  expect("stranger", SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, true, "no model compiler could be started");
  expect("mumble", SHEAF__CODE__CODE_UNAVAILABLE, true, "the process that starts model compilers ended");
}
