// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "request/dispatch.h"

#include <stdio.h>

#include "request/handlers.h"
#include "request/report.h"
#include "sheaf.pb-c.h"
#include "wire/scan.h"

enum {
  SRV_REFUSE_DRAINING = 1,
  SRV_EARLY = 2,  // can begin while its data is coming
  SRV_COMPUTE = 4,
  SRV_UPLOAD = 8,
};

typedef struct {
  int type;
  const char* name;
  const ProtobufCMessageDescriptor* message;
  void (*run)(srv_service* service, srv_call* call, const void* unpacked);
  int flags;
} row;

static const row rows[] = {
#define REQUEST(type, name, message, run, flags) \
  {SHEAF__FRAME_TYPE__FRAME_##type, name, &sheaf__##message##__descriptor, run, flags},
#include "request/handler_table.h"
#undef REQUEST
};

static const row* find_row(int type) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (rows[i].type == type) return &rows[i];
  }
  return NULL;
}

// the control message in the call's arena, or NULL
static ProtobufCMessage* unpack(const row* r, srv_call* call, srv_error* error) {
  const char* reason = srv_scan(r->message, call->control, call->control_len);
  ProtobufCMessage* m = NULL;
  if (!reason) {
    m = protobuf_c_message_unpack(r->message, &call->arena.allocator, call->control_len,
                                  call->control ? call->control : (const uint8_t*)"");
    if (!m) reason = "it does not unpack";
  }
  if (reason) {
    srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "control message of %s: %s", r->name, reason);
  }
  return m;
}

// is the connection in a state for this request? If not, it is failed, and the call with it
static bool check_greeting(srv_call* call) {
  bool hello = call->type == SHEAF__FRAME_TYPE__FRAME_HELLO;
  srv_error error;
  if ((call->conn->greeted || call->conn->ncall > 1) && hello) {
    srv_error_set(&error, SHEAF__CODE__CODE_FAILED_PRECONDITION, "a second Hello");
  } else if (!call->conn->greeted && !hello) {
    srv_error_set(&error, SHEAF__CODE__CODE_FAILED_PRECONDITION, "the first frame must be a Hello");
  } else {
    return true;
  }
  srv_conn_fail(call->conn, &error);
  return false;
}

// may this client ask for it now?
static int check_permit(const row* r, const srv_call* call, srv_error* error) {
  srv_identity* who = call->conn->who;
  if ((r->flags & SRV_UPLOAD) && !who->may.upload) {
    return srv_error_set(error, SHEAF__CODE__CODE_PERMISSION_DENIED, "identity \"%s\" may not upload models",
                         who->name);
  }
  return r->flags & SRV_COMPUTE ? srv_identity_check_steps(who, uv_hrtime() / 1000, error) : 0;
}

static bool is_early(int type) {
  const row* r = find_row(type);
  return r && r->flags & SRV_EARLY;
}

static void on_call(void* user, srv_call* call) {
  srv_service* service = user;
  srv_error error;
  if (!check_greeting(call)) return;
  const row* r = find_row(call->type);
  if (!r) {
    srv_error_set(&error, SHEAF__CODE__CODE_UNIMPLEMENTED, "frame.type: %d is not a request", call->type);
    srv_call_fail(call, &error);
    return;
  }
  if ((r->flags & SRV_REFUSE_DRAINING) && service->draining) {
    srv_service_leaving(&error);
    srv_call_fail(call, &error);
    return;
  }
  if (check_permit(r, call, &error)) {
    srv_call_fail(call, &error);
    return;
  }
  if ((r->flags & SRV_COMPUTE) && srv_req_compute_again(service, call)) return;
  ProtobufCMessage* m = unpack(r, call, &error);
  if (m) {
    r->run(service, call, m);
  } else {
    srv_call_fail(call, &error);
  }
}

void srv_dispatch_stop(srv_service* service, srv_call* call, const srv_error* error) {
  if (call->work && call->type == SHEAF__FRAME_TYPE__FRAME_HELLO) {
    srv_req_hello_stop(service, call, error);
  } else if (call->work && call->type == SHEAF__FRAME_TYPE__FRAME_MODEL_PUT) {
    srv_req_model_put_stop(service, call, error);
  } else if (call->work) {
    srv_req_compute_stop(service, call, error);
  } else {
    srv_call_fail(call, error);
  }
}

static void on_stop(void* user, srv_call* call, const srv_error* why) { srv_dispatch_stop(user, call, why); }

static void on_more(void* user, srv_call* call) {
  srv_service* service = user;
  if (call->work) srv_sched_more(service->sched, call->work);
}

static void on_ready(void* user, srv_conn* conn) {
  srv_service* service = user;
  srv_sched_ready(service->sched, conn);
}

static void on_end(void* user, const srv_call* call, srv_out* last, int code) {
  srv_service* service = user;
  const row* r = find_row(call->type);
  srv_requests* kind = &service->requests[r ? r - rows : SRV_NREQUEST];
  if (call->arrived) srv_histogram_add(&kind->time, (uv_hrtime() - call->arrived) / 1000);
  srv_report(call, srv_dispatch_name(r ? (int)(r - rows) : SRV_NREQUEST), last, code);
  kind->failed[code >= 0 && code < SRV_NCODE ? code : 0] += code != 0;
}

static void on_input(void* user) {
  srv_service* service = user;
  srv_sched_asked(service->sched);
}

const char* srv_dispatch_name(int i) { return i < SRV_NREQUEST ? rows[i].name : "unknown"; }

srv_handler srv_dispatch_handler(srv_service* service) {
  return (srv_handler){on_call, is_early, on_stop, on_more, on_ready, on_end, on_input, service};
}

void srv_service_leaving(srv_error* error) {
  srv_error_busy(error, SHEAF__CODE__CODE_UNAVAILABLE, 1000000, "the server is shutting down");
}

void srv_service_reply(srv_call* call, const ProtobufCMessage* reply, bool urgent) {
  int type = call->type | SHEAF__FRAME_TYPE__FRAME_REPLY;
  srv_call_end(call, srv_out_make(type, 0, call->id, reply, NULL, NULL, NULL), urgent);
}
