// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Memory shared with a client on this host.
#include "net/region.h"
#include "request/handlers.h"
#include "sheaf.pb-c.h"

void srv_req_region(srv_service* service, srv_call* call, const void* unpacked) {
  const Sheaf__Region* m = unpacked;
  Sheaf__RegionReply reply = SHEAF__REGION_REPLY__INIT;
  srv_error error;
  (void)service;
  srv_region* region = srv_region_make(call->conn, m->bytes, &error);
  if (!region) {
    srv_call_fail(call, &error);
    return;
  }
  reply.region = region->id;
  reply.bytes = region->bytes;
  reply.inputs = true;
  int type = call->type | SHEAF__FRAME_TYPE__FRAME_REPLY;
  srv_out* out = srv_out_make(type, 0, call->id, &reply.base, NULL, NULL, NULL);
  srv_region_attach(region, out);
  srv_call_end(call, out, false);
}

void srv_req_region_close(srv_service* service, srv_call* call, const void* unpacked) {
  const Sheaf__RegionClose* m = unpacked;
  Sheaf__RegionCloseReply reply = SHEAF__REGION_CLOSE_REPLY__INIT;
  reply.found = srv_region_find(call->conn, m->region) != NULL;
  srv_region_close(call->conn, m->region);
  srv_service_reply(call, &reply.base, false);
  (void)service;
}
