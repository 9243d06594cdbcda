// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Requests that are answered at once: Ping, ServerInfo, Cancel.
#include <stdio.h>
#include <string.h>

#include "request/dispatch.h"
#include "request/handlers.h"
#include "sheaf.pb-c.h"

enum { MAX_PING = 1024 };

Sheaf__Limits srv_service_limits(const srv_service* service) {
  const srv_limits* l = service->limits;
  Sheaf__Limits m = SHEAF__LIMITS__INIT;
  m.max_control_bytes = l->control_bytes;
  m.max_frame_bytes = l->frame_bytes;
  m.max_request_bytes = l->request_bytes;
  m.max_model_bytes = l->model_bytes;
  m.max_model_files = l->model_files;
  m.max_tensors = l->tensors;
  m.max_rank = l->rank;
  m.max_inflight = l->inflight;
  m.max_row_bytes = l->row_bytes;
  m.max_reply_control_bytes = SRV_REPLY_CONTROL;
  m.default_deadline_us = 1000 * (uint64_t)l->deadline_ms;
  m.max_deadline_us = 1000 * (uint64_t)l->deadline_most_ms;
  m.max_queued = l->queued;
  return m;
}

void srv_req_ping(srv_service* service, srv_call* call, const void* unpacked) {
  const Sheaf__Ping* m = unpacked;
  (void)service;
  if (m->payload.len > MAX_PING) {
    srv_error error;
    srv_error_field(&error, "payload", "at most 1024 bytes", "%zu", m->payload.len);
    srv_call_fail(call, &error);
    return;
  }
  Sheaf__PingReply reply = SHEAF__PING_REPLY__INIT;
  reply.payload = m->payload;
  srv_service_reply(call, &reply.base, true);
}

typedef struct {
  char hold[128], missing[128];
} sandbox_text;

static void add_compiler(Sheaf__ServerInfoReply* m, const srv_registry* r, sandbox_text* text) {
  int hold = r->compiler.layers;
  m->sandbox = (char*)srv_sandbox_text(text->hold, sizeof text->hold, hold);
  m->sandbox_missing = (char*)srv_sandbox_text(text->missing, sizeof text->missing, hold ? SRV_SANDBOX_ALL & ~hold : 0);
  m->compiling = r->queue.nrunning;
  m->compile_waiting = r->queue.nwaiting;
  m->compile_mean_us = r->queue.mean_ns / 1000;
}

void srv_req_server_info(srv_service* service, srv_call* call, const void* unpacked) {
  (void)unpacked;
  Sheaf__ServerInfoReply m = SHEAF__SERVER_INFO_REPLY__INIT;
  sandbox_text text;
  Sheaf__Limits limits = srv_service_limits(service);
  const srv_stats* stats = service->stats;
  m.server = SRV_NAME;
  m.build = (char*)sheaf_buildInfo();
  m.state = service->draining ? "draining" : service->leaving ? "leaving" : "serving";
  m.uptime_us = (uv_hrtime() - service->started) / 1000;
  m.threads = (uint32_t)service->sched->threads;
  m.connections = service->net->nconn;
  m.inflight = service->sched->njob;
  m.waiting = service->sched->nwaiting;
  m.models = service->registry->count;
  m.model_bytes = service->registry->bytes;
  m.queued_bytes = srv_ledger_held(service->ledger);
  m.unsent_bytes = service->net->unsent;
  m.requests_total = stats->requests;
  m.errors_total = stats->errors;
  m.cancelled_total = stats->cancelled;
  m.rows_total = stats->rows;
  m.steps_total = stats->steps;
  m.bytes_in_total = stats->bytes_in;
  m.bytes_out_total = stats->bytes_out;
  m.worker_bytes = service->sched->worker_bytes;
  m.overload_evicted_total = stats->overload_evicted;
  m.overload_refused_total = stats->overload_refused;
  m.overload_cancelled_total = stats->overload_cancelled;
  m.limits = &limits;
  add_compiler(&m, service->registry, &text);
  srv_service_reply(call, &m.base, true);
}

void srv_req_cancel(srv_service* service, srv_call* call, const void* unpacked) {
  const Sheaf__Cancel* m = unpacked;
  srv_call* target = srv_conn_find(call->conn, m->request_id);
  Sheaf__CancelReply reply = SHEAF__CANCEL_REPLY__INIT;
  reply.found = target && target != call;
  if (reply.found) {
    srv_error error;
    srv_error_set(&error, SHEAF__CODE__CODE_CANCELLED, "cancelled by the client");
    srv_dispatch_stop(service, target, &error);
  }
  srv_service_reply(call, &reply.base, true);
}
