// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which models a server has, and that it shall forget one.
#include <stdio.h>
#include <string.h>

#include "internal.h"
#include "manifest.h"

static void copy(sheafc_listed_model* to, const Sheaf__ListedModel* from) {
  memset(to, 0, sizeof *to);
  if (from->hash.len == sizeof to->hash) memcpy(to->hash, from->hash.data, sizeof to->hash);
  snprintf(to->name, sizeof to->name, "%s", from->name);
  to->bytes = from->bytes;
  to->worker_bytes = from->worker_bytes;
  to->rows = from->rows;
  to->steps = from->steps;
  to->inflight = (int)from->inflight;
  to->shared = from->shared;
}

int sheafc_list_models(sheafc* c, sheafc_listed_model* list, int room, sheafc_status* st) {
  Sheaf__ModelList m = SHEAF__MODEL_LIST__INIT;
  memset(st, 0, sizeof *st);
  if (sheafc_use(c, st)) return -1;
  sheafc_call* call = sheafc_ask(c, SHEAF__FRAME_TYPE__FRAME_MODEL_LIST, &m.base, NULL, 0, st);
  if (!call) return -1;
  Sheaf__ModelListReply* reply = sheaf__model_list_reply__unpack(NULL, call->control_len, call->control);
  sheafc_free_call(call);
  if (!reply) {
    sheafc_fail(st, SHEAFC_INTERNAL, "the server's answer cannot be read");
    return -1;
  }
  for (size_t i = 0; i < reply->n_models && (int)i < room; i++) copy(&list[i], reply->models[i]);
  int n = (int)reply->total;
  sheaf__model_list_reply__free_unpacked(reply, NULL);
  return n;
}

int sheafc_unload(sheafc* c, const uint8_t hash[32], sheafc_status* st) {
  Sheaf__ModelUnload m = SHEAF__MODEL_UNLOAD__INIT;
  memset(st, 0, sizeof *st);
  m.hash = (ProtobufCBinaryData){SHEAF_HASH_BYTES, (uint8_t*)hash};
  if (sheafc_use(c, st)) return st->code;
  sheafc_call* call = sheafc_ask(c, SHEAF__FRAME_TYPE__FRAME_MODEL_UNLOAD, &m.base, NULL, 0, st);
  if (!call) return st->code;
  Sheaf__ModelUnloadReply* reply = sheaf__model_unload_reply__unpack(NULL, call->control_len, call->control);
  sheafc_free_call(call);
  if (!reply) return sheafc_fail(st, SHEAFC_INTERNAL, "the server's answer cannot be read");
  const int found = reply->found, unloaded = reply->unloaded;
  sheaf__model_unload_reply__free_unpacked(reply, NULL);
  if (!found) return sheafc_fail(st, SHEAFC_NOT_FOUND, "hash: this client has put no such model");
  if (!unloaded)
    return sheafc_fail(st, SHEAFC_FAILED_PRECONDITION, "hash: other identities have put the model, too, so it stays");
  return 0;
}
