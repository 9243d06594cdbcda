// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "house.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "net/call.h"
#include "net/stall.h"
#include "request/dispatch.h"
#include "sheaf.pb-c.h"
#include "use_model.h"

enum { WAIT_NS = 5000000, PATIENT_S = 20, SEND_BYTES = 4096 };

struct house {
  srv_limits limits;
  uv_loop_t loop;
  srv_ledger ledger;
  srv_stats stats;
  srv_auth auth;
  srv_net net;
  srv_registry registry;
  srv_sched sched;
  srv_service service;
  uv_timer_t hellos;
  srv_waiter waiter;
  srv_model* known;
};

static _Noreturn void fail(const char* what) {
  fprintf(stderr, "a session left something behind: %s\n", what);
  abort();
}

srv_limits house_limits(void) {
  srv_limits l = srv_limits_default();
  l.frame_bytes = l.request_bytes = l.model_bytes = 64 << 10;
  l.control_bytes = 8 << 10;
  l.row_bytes = 32 << 10;
  l.held_bytes = 1 << 20;
  l.cache_bytes = 256 << 10;
  l.worker_bytes = 256 << 20;
  l.part_bytes = 4 << 10;
  l.unsent_high = 32 << 10;
  l.early_bytes = 256;
  l.inflight = 8;
  l.queued = 12;
  l.connections = 3;
  l.log_requests_ms = 0;
  l.shared_models = true;
  srv_limits_derive(&l);
  return l;
}

// ---- open

static void on_model_free(void* sched, srv_model* model) { srv_sched_forget(sched, model); }

static void on_ready(srv_waiter* waiter, srv_model* model, const srv_error* error) {
  house* h = (house*)((char*)waiter - offsetof(house, waiter));
  if (error) fail(error->message);
  h->known = model;
}

static void put_model(house* h) {
  uint8_t hash[SHEAF_HASH_BYTES];
  srv_error error;
  memset(hash, HOUSE_MODEL, sizeof hash);
  h->waiter = (srv_waiter){.ready = on_ready};
  int input = memfd_create("unused", MFD_CLOEXEC);
  if (input < 0 || srv_registry_put(&h->registry, hash, input, 0, &h->waiter, &error)) fail("no model");
  while (!h->known || h->registry.compiling) uv_run(&h->loop, UV_RUN_ONCE);
}

// Log lines go nowhere, but are made: the linker puts this in the place of the function that writes them.
void __wrap_srv_log_ring_write(const char* bytes, size_t n);
void __wrap_srv_log_ring_write(const char* bytes, size_t n) {
  if (n < 3 || bytes[0] != '{' || bytes[n - 2] != '}' || memchr(bytes, '\n', n) != bytes + n - 1)
    fail("half a log line");
}

static void start_log(void) {
  srv_log_set_level(SRV_LOG_DEBUG);
  srv_log_set_style(SRV_LOG_JSON, 0);
}

house* house_open(const srv_limits* limits, const char* tokens) {
  house* h = calloc(1, sizeof *h);
  srv_error error;
  if (!h) abort();
  start_log();
  signal(SIGPIPE, SIG_IGN);
  fuzz_setHandlers();
  h->limits = *limits;
  h->ledger.limit = limits->held_bytes;
  h->service = (srv_service){.limits = &h->limits,
                             .ledger = &h->ledger,
                             .stats = &h->stats,
                             .net = &h->net,
                             .registry = &h->registry,
                             .sched = &h->sched,
                             .auth = &h->auth,
                             .hello_timer = &h->hellos,
                             .started = uv_hrtime()};
  srv_handler handler = srv_dispatch_handler(&h->service);
  uv_loop_init(&h->loop);
  uv_timer_init(&h->loop, &h->hellos);
  srv_registry_init(&h->registry, &h->loop, &h->limits, &h->ledger, "unused");
  if (srv_sched_init(&h->sched, &h->loop, &h->limits, &h->ledger, &h->stats, 1, 8, &error)) fail(error.message);
  if (srv_auth_load(&h->auth, tokens, NULL, &error) || srv_auth_users(&h->auth, NULL, &error)) fail(error.message);
  h->registry.on_free = on_model_free;
  h->registry.user = &h->sched;
  srv_net_init(&h->net, &h->loop, &h->limits, &h->ledger, &h->stats, &handler, &srv_call_joiner);
  h->net.auth = &h->auth;
  put_model(h);
  return h;
}

// ---- use

int house_connect(house* h) {
  int ends[2], bytes = SEND_BYTES;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends)) abort();
  setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  srv_conn* conn = srv_conn_make(&h->net, true);
  if (!conn || uv_pipe_open(&conn->as.pipe, ends[0])) abort();
  srv_conn_start(conn);
  return ends[1];
}

void house_turn(house* h, int turns) {
  while (turns-- > 0) uv_run(&h->loop, UV_RUN_NOWAIT);
}

static bool busy(const house* h) { return h->sched.njob || h->registry.compiling || h->service.preparing; }

void house_wait(house* h) {
  uint64_t end = uv_hrtime() + WAIT_NS;
  do {
    uv_run(&h->loop, UV_RUN_NOWAIT);
  } while (busy(h) && uv_hrtime() < end);
}

void house_drain(house* h, bool hard) {
  srv_error error;
  h->service.draining = true;
  srv_error_busy(&error, SHEAF__CODE__CODE_UNAVAILABLE, 1000000, "the server is shutting down");
  if (hard) {
    srv_sched_fail_all(&h->sched, &error);
    srv_registry_stop(&h->registry, &error);
  }
  for (srv_conn *conn = h->net.conns, *next; conn; conn = next) {
    next = conn->next;
    if (!srv_conn_busy(conn)) srv_conn_drain(conn, &error);
  }
}

// ---- close

static void check_nothing_left(const house* h) {
  if (h->net.nconn || h->net.nrefused || h->net.ncall || h->net.unsent) fail("connections or calls");
  if (srv_ledger_held(&h->ledger)) fail("bytes in the ledger");
  if (h->registry.making || h->registry.queue.nwaiting || h->registry.queue.nrunning) fail("compilations");
  if (h->sched.slices_in_pool || h->sched.nwaiting || h->service.hellos) fail("jobs");
  for (const srv_model* m = srv_registry_first(&h->registry); m; m = srv_model_next(m)) {
    if (m->refs || !m->ready) fail("a model in use");
  }
  for (const srv_identity* id = h->auth.all.first; id; id = id->next) {
    if (id->ncall || id->nconn || id->bytes) fail("what an identity uses");
  }
}

static void close_parts(house* h) {
  uv_close((uv_handle_t*)&h->hellos, NULL);
  srv_net_close(&h->net);
  srv_sched_close(&h->sched);
  srv_registry_close(&h->registry);
  uv_run(&h->loop, UV_RUN_DEFAULT);
  srv_leader_close(&h->sched.leader);
  if (uv_loop_close(&h->loop)) fail("handles of the loop");
  srv_auth_close(&h->auth);
}

void house_close(house* h) {
  uint64_t end = uv_hrtime() + (uint64_t)PATIENT_S * 1000000000;
  while (h->net.conns || busy(h)) {
    uv_run(&h->loop, UV_RUN_NOWAIT);
    if (uv_hrtime() > end) fail("work that does not end");
  }
  // closed connections go in the next turns; what was given back is unmapped there, too
  for (int i = 0; i < 3 || h->ledger.spent; i++) uv_run(&h->loop, UV_RUN_NOWAIT);
  check_nothing_left(h);
  close_parts(h);
  free(h);
}
