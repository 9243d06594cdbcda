// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "admin/drain.h"

#include <stdio.h>

#include "admin/notify.h"
#include "base/log.h"
#include "sheaf.pb-c.h"

enum { TICK_MS = 20, LAST_WORDS_MS = 2000, COMPILE_GRACE_MS = 1000, MARGIN_MS = 5000 };

static uint64_t now_ms(const srv_drain* d) { return uv_now(d->timer.loop); }

// ---- leaving

static srv_out* make_notice(const srv_drain* d) {
  Sheaf__GoAway m = SHEAF__GO_AWAY__INIT;
  m.serves_us = 1000 * (uint64_t)d->config->lame_duck_ms;
  m.reason = "the server is shutting down";
  return srv_out_make(SHEAF__FRAME_TYPE__FRAME_GO_AWAY, 0, 0, &m.base, NULL, NULL, NULL);
}

// Send GoAway to all clients. Those that say Hello later read it in the reply.
static void tell_clients(srv_drain* d) {
  for (srv_conn *conn = d->service->net->conns, *next; conn; conn = next) {
    next = conn->next;
    if (conn->greeted && conn->state == SRV_CONN_OPEN) srv_conn_send(conn, make_notice(d), true);
  }
}

// Is any client connected that has said Hello? The server does not wait for other connections.
static bool has_clients(const srv_drain* d) {
  const srv_conn* conn = d->service->net->conns;
  while (conn && !(conn->greeted && conn->state == SRV_CONN_OPEN)) conn = conn->next;
  return conn != NULL;
}

// ---- draining

static void begin_draining(srv_drain* d) {
  d->service->draining = true;
  srv_log(SRV_LOG_INFO, "draining", "jobs=%u connections=%u", d->service->sched->njob, d->service->net->nconn);
  srv_listener_close(d->tcp);
  srv_listener_close(d->pipe);
  d->drain_until = now_ms(d) + d->config->drain_ms;
  d->compile_until = now_ms(d) + COMPILE_GRACE_MS;
}

static bool all_over(const srv_service* s) {
  for (const srv_conn* conn = s->net->conns; conn; conn = conn->next) {
    if (srv_conn_busy(conn)) return false;
  }
  return s->sched->njob == 0 && s->registry->compiling == 0 && s->preparing == 0;
}

// end connections whose answers are sent; the others may go on until the time is over
static void finish_idle(srv_drain* d) {
  srv_error error;
  srv_service_leaving(&error);
  for (srv_conn *conn = d->service->net->conns, *next; conn; conn = next) {
    next = conn->next;
    if (!srv_conn_busy(conn)) srv_conn_drain(conn, &error);
  }
}

// A compilation can take long and is soon done again elsewhere, so it does not hold up the end.
static void end_compilations(srv_drain* d) {
  srv_error error;
  srv_service_leaving(&error);
  srv_registry_stop(d->service->registry, &error);
}

// the time is over: first cancel what runs and let the errors be sent, then close the connections
static void press_on(srv_drain* d) {
  srv_service* s = d->service;
  srv_error error;
  if (!d->cancelled) {
    srv_log(SRV_LOG_WARN, "drain_cancels", "jobs=%u", s->sched->njob);
    srv_service_leaving(&error);
    error.code = SHEAF__CODE__CODE_CANCELLED;
    srv_sched_fail_all(s->sched, &error);
    end_compilations(d);
    d->cancelled = true;
  } else {
    while (s->net->conns) srv_conn_close(s->net->conns, "server stops");
  }
  d->drain_until = now_ms(d) + LAST_WORDS_MS;
}

static void on_tick(uv_timer_t* timer) {
  srv_drain* d = timer->data;
  if (!d->service->draining) {
    if (has_clients(d) && now_ms(d) < d->leave_until) return;
    begin_draining(d);
  }
  finish_idle(d);
  if (now_ms(d) >= d->compile_until) end_compilations(d);
  if (all_over(d->service) && !d->service->net->conns) {
    uv_timer_stop(timer);
    d->on_end(d->user);
  } else if (now_ms(d) >= d->drain_until) {
    press_on(d);
  }
}

// ---- life

// Ask the service manager for time: it would end a process that takes longer to stop than its unit says.
static void notify_manager(uint64_t ms) {
  char text[80];
  snprintf(text, sizeof text, "STOPPING=1\nEXTEND_TIMEOUT_USEC=%llu", 1000ull * (ms + LAST_WORDS_MS + MARGIN_MS));
  srv_notify(text);
}

void srv_drain_begin(srv_drain* d, int signal) {
  const srv_service* s = d->service;
  uint64_t ms = (uint64_t)d->config->lame_duck_ms + d->config->drain_ms;
  srv_log(SRV_LOG_INFO, "leaving", "signal=%d jobs=%u connections=%u lame_duck_ms=%u", signal, s->sched->njob,
          s->net->nconn, d->config->lame_duck_ms);
  notify_manager(ms);
  d->service->leaving = true;
  d->service->ends = uv_hrtime() + 1000000 * ms;
  d->leave_until = now_ms(d) + d->config->lame_duck_ms;
  tell_clients(d);
  uv_timer_start(&d->timer, on_tick, 0, TICK_MS);
}

void srv_drain_init(srv_drain* d, uv_loop_t* loop) {
  uv_timer_init(loop, &d->timer);
  d->timer.data = d;
}

void srv_drain_close(srv_drain* d) { uv_close((uv_handle_t*)&d->timer, NULL); }
