// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "request/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "sheaf.pb-c.h"

enum { HASH_BYTES = 8, HASH_TEXT = 2 * HASH_BYTES + 1, TRACE_TEXT = 56 };

// What is known when the last frame is made; when it was sent is known later.
typedef struct {
  const char* kind;
  const char* code;
  uint64_t conn, id, bytes;
  uint64_t arrived, began, ended;  // uv_hrtime; began: 0 if no work was begun
  uint64_t most_us;                // log only what took as long
  char peer[SRV_PEER_TEXT];
  char identity[SRV_IDENTITY_NAME];
  char model[HASH_TEXT];
  char trace[TRACE_TEXT];
} report;

static bool is_hex(const char* text, int n) { return (int)strspn(text, "0123456789abcdef") >= n; }

static bool is_zero(const char* text, int n) { return (int)strspn(text, "0") >= n; }

bool srv_report_is_trace(const char* text) {
  if (!text || strlen(text) != TRACE_TEXT - 1 || strncmp(text, "00-", 3)) return false;
  if (text[35] != '-' || text[52] != '-') return false;
  if (!is_hex(text + 3, 32) || !is_hex(text + 36, 16) || !is_hex(text + 53, 2)) return false;
  return !is_zero(text + 3, 32) && !is_zero(text + 36, 16);
}

static uint64_t us(uint64_t from, uint64_t to) { return to > from ? (to - from) / 1000 : 0; }

// the frame was written, or nobody will get it
static void tell(void* user) {
  report* r = user;
  uint64_t now = uv_hrtime(), began = r->began ? r->began : r->ended;
  char peer[2 * SRV_PEER_TEXT], identity[2 * SRV_IDENTITY_NAME];
  bool failed = strcmp(r->code, "CODE_OK") != 0;
  if (r->arrived && (failed || us(r->arrived, now) >= r->most_us)) {
    srv_log(SRV_LOG_INFO, "request",
            "conn=%" PRIu64 " peer=%s identity=%s id=%" PRIu64 " kind=%s code=%s model=%s trace=%s bytes=%" PRIu64
            " queue_us=%" PRIu64 " compute_us=%" PRIu64 " send_us=%" PRIu64 " total_us=%" PRIu64,
            r->conn, srv_log_quote(peer, sizeof peer, r->peer), srv_log_quote(identity, sizeof identity, r->identity),
            r->id, r->kind, r->code + strlen("CODE_"), r->model[0] ? r->model : "-", r->trace[0] ? r->trace : "-",
            r->bytes, us(r->arrived, began), us(began, r->ended), us(r->ended, now), us(r->arrived, now));
  }
  free(r);
}

static void write_hash(char out[HASH_TEXT], const uint8_t* hash) {
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < HASH_BYTES; i++) {
    out[2 * i] = digits[hash[i] >> 4];
    out[2 * i + 1] = digits[hash[i] & 15];
  }
  out[2 * HASH_BYTES] = 0;
}

void srv_report(const srv_call* call, const char* kind, srv_out* out, int code) {
  const ProtobufCEnumValue* name = protobuf_c_enum_descriptor_get_value(&sheaf__code__descriptor, code);
  const srv_identity* who = call->conn ? call->conn->who : call->who;
  report* r = malloc(sizeof *r);
  if (!r) return;
  *r = (report){.kind = kind,
                .code = name ? name->name : "CODE_INTERNAL",
                .conn = call->conn ? call->conn->number : 0,
                .id = call->id,
                .bytes = call->data_len + call->control_len,
                .arrived = call->arrived,
                .began = call->began,
                .ended = uv_hrtime(),
                .most_us = 1000ull * call->net->limits->log_requests_ms};
  if (call->conn) memcpy(r->peer, call->conn->peer, sizeof r->peer);
  if (who) memcpy(r->identity, who->name, sizeof r->identity);
  if (call->model) write_hash(r->model, call->model);
  if (srv_report_is_trace(call->trace)) memcpy(r->trace, call->trace, sizeof r->trace);
  if (!out) {
    tell(r);
    return;
  }
  out->own += sizeof *r;
  out->on_written = tell;
  out->written = r;
}
