// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// ModelList and ModelUnload. An identity sees and unloads the models that it owns: those that it has put or begun to
// use.
#include <stdio.h>
#include <string.h>

#include "models/registry.h"
#include "request/handlers.h"
#include "sheaf.pb-c.h"

enum { MOST = 256, NAME = 128 };

static bool fill(srv_arena* a, Sheaf__ListedModel* to, const srv_model* m) {
  char* name = srv_arena_alloc(a, NAME);
  if (!name) return false;
  snprintf(name, NAME, "%s", m->loaded.m->names);
  size_t n = strlen(name);
  if (n == NAME - 1) {
    while (n && (name[n - 1] & 0x80)) name[--n] = 0;  // no half a character at the end
  }
  sheaf__listed_model__init(to);
  to->hash = (ProtobufCBinaryData){SHEAF_HASH_BYTES, (uint8_t*)m->shelf.hash};
  to->name = name;
  to->bytes = m->loaded.bytes;
  to->worker_bytes = m->worker_bytes;
  to->inflight = (uint32_t)m->refs;
  to->rows = m->rows;
  to->steps = m->steps;
  to->shared = m->owners->next != NULL;
  return true;
}

static int list(srv_service* service, srv_call* call, Sheaf__ModelListReply* reply, srv_error* error) {
  const srv_registry* r = service->registry;
  if (srv_identity_check_list(call->conn->who, r->count, uv_hrtime() / 1000, error)) return -error->code;
  Sheaf__ListedModel* all = srv_arena_alloc(&call->arena, MOST * sizeof *all);
  reply->models = srv_arena_alloc(&call->arena, MOST * sizeof *reply->models);
  bool room = all && reply->models;
  for (srv_model* m = srv_registry_first(r); m && room; m = srv_model_next(m)) {
    if (!m->ready || !srv_model_owned(m, call->conn->who)) continue;
    if (reply->total++ >= MOST) continue;
    reply->models[reply->n_models] = &all[reply->n_models];
    room = fill(&call->arena, reply->models[reply->n_models++], m);
  }
  return room ? 0 : srv_error_set(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
}

void srv_req_model_list(srv_service* service, srv_call* call, const void* unpacked) {
  (void)unpacked;
  Sheaf__ModelListReply reply = SHEAF__MODEL_LIST_REPLY__INIT;
  srv_error error;
  if (list(service, call, &reply, &error)) {
    srv_call_fail(call, &error);
  } else {
    srv_service_reply(call, &reply.base, true);
  }
}

void srv_req_model_unload(srv_service* service, srv_call* call, const void* unpacked) {
  const Sheaf__ModelUnload* m = unpacked;
  Sheaf__ModelUnloadReply reply = SHEAF__MODEL_UNLOAD_REPLY__INIT;
  if (m->hash.len != SHEAF_HASH_BYTES) {
    srv_error error;
    srv_error_field(&error, "hash", "32 bytes", "%zu", m->hash.len);
    srv_call_fail(call, &error);
    return;
  }
  srv_model* model = srv_registry_find(service->registry, m->hash.data);
  reply.found = model && srv_model_owned(model, call->conn->who);
  reply.unloaded = reply.found && srv_model_disown(model, call->conn->who);
  srv_service_reply(call, &reply.base, true);
}
