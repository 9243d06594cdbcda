// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What request handlers work with: the parts of the server.
#ifndef SHEAF_SERVER_REQUEST_SERVICE_H_
#define SHEAF_SERVER_REQUEST_SERVICE_H_

#include "base/histogram.h"
#include "jobs/sched.h"
#include "models/registry.h"
#include "net/conn.h"

enum {
  SRV_NREQUEST = 0
#define REQUEST(type, name, message, run, flags) +1
#include "request/handler_table.h"
#undef REQUEST
  ,
  SRV_NCODE = 32,  // more than Code has
};

// Statistics of the requests of one type.
typedef struct {
  srv_histogram time;  // from the last frame of the request to the last of the answer
  uint64_t failed[SRV_NCODE];
} srv_requests;

typedef struct {
  const srv_limits* limits;
  srv_ledger* ledger;
  srv_stats* stats;
  srv_net* net;
  srv_registry* registry;
  srv_sched* sched;
  srv_auth* auth;
  struct srv_hello_wait* hellos;  // those whose token is checked later
  uv_timer_t* hello_timer;
  bool leaving;                             // a signal has come: clients were told, and long work is refused
  uint64_t ends;                            // once it is leaving: uv_hrtime when all work must be done
  bool draining;                            // all new work is refused
  unsigned preparing;                       // uploads that are being hashed
  uint64_t started;                         // uv_hrtime
  srv_requests requests[SRV_NREQUEST + 1];  // by row of handler_table.h; the last: no request
} srv_service;

// Name and version of the server.
#define SRV_NAME "sheaf " SHEAF_VERSION

// The limits that clients are told.
Sheaf__Limits srv_service_limits(const srv_service* service);

// The model with this hash, if the server has it and this client may use it; or NULL.
srv_model* srv_service_model(srv_service* service, const srv_call* call, const uint8_t hash[SHEAF_HASH_BYTES]);

// The error of work that the server refuses because it is shutting down.
void srv_service_leaving(srv_error* error);

// End a call with a reply that has no data.
void srv_service_reply(srv_call* call, const ProtobufCMessage* reply, bool urgent);

#endif  // SHEAF_SERVER_REQUEST_SERVICE_H_
