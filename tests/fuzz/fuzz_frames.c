// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fuzz target: a byte stream from a peer, in pieces, up to unpacked messages and checked tensors.
//
// The first byte chooses the sizes of the pieces, so that splits are found by the fuzzer as well. Frames may be taken
// while their data comes, and are forgotten at once, in the middle or never: their ids say which.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "models/registry.h"
#include "sheaf.pb-c.h"
#include "wire/arena.h"
#include "wire/reader.h"
#include "wire/scan.h"
#include "wire/tensor.h"

typedef struct {
  srv_limits limits;
  srv_ledger ledger;
  srv_reader reader;
  srv_frame early;  // taken while its data comes
  uint64_t got;     // of its data
  bool taken;
} house;

static const ProtobufCMessageDescriptor* descriptor_of(int type) {
  switch (type) {
    case SHEAF__FRAME_TYPE__FRAME_HELLO: return &sheaf__hello__descriptor;
    case SHEAF__FRAME_TYPE__FRAME_PING: return &sheaf__ping__descriptor;
    case SHEAF__FRAME_TYPE__FRAME_CANCEL: return &sheaf__cancel__descriptor;
    case SHEAF__FRAME_TYPE__FRAME_REGION: return &sheaf__region__descriptor;
    case SHEAF__FRAME_TYPE__FRAME_MODEL_PUT: return &sheaf__model_put__descriptor;
    case SHEAF__FRAME_TYPE__FRAME_MODEL_INFO: return &sheaf__model_info__descriptor;
    case SHEAF__FRAME_TYPE__FRAME_MODEL_UNLOAD: return &sheaf__model_unload__descriptor;
    case SHEAF__FRAME_TYPE__FRAME_FORWARD: return &sheaf__forward__descriptor;
    case SHEAF__FRAME_TYPE__FRAME_TRANSITION_FD: return &sheaf__transition_fd__descriptor;
    default: return &sheaf__rollout__descriptor;
  }
}

// touch what the checks let pass
static void use_tensors(const Sheaf__Work* work, const srv_frame* frame, const srv_limits* limits) {
  volatile uint8_t sum = 0;
  for (size_t i = 0; work && i < work->n_inputs; i++) {
    srv_tensor t;
    srv_error error;
    uint64_t n = frame->data.bytes ? frame->head.data_len : 0;
    if (srv_tensor_read(&t, work->inputs[i], frame->data.bytes, n, limits, &error)) continue;
    const uint8_t* bytes = t.data;
    for (uint64_t k = 0; k < t.count * srv_dtype_size(t.dtype); k++) sum = (uint8_t)(sum + bytes[k]);
  }
}

static int on_frame(void* user, srv_frame* frame, srv_error* error) {
  house* h = user;
  const ProtobufCMessageDescriptor* type = descriptor_of(frame->head.type);
  (void)error;
  if (!srv_scan(type, frame->control, frame->head.control_len)) {
    srv_arena arena;
    srv_arena_init(&arena, h->limits.arena_bytes);
    ProtobufCMessage* m = protobuf_c_message_unpack(type, &arena.allocator, frame->head.control_len,
                                                    frame->control ? frame->control : (const uint8_t*)"");
    if (m && type == &sheaf__rollout__descriptor) use_tensors(((Sheaf__Rollout*)m)->work, frame, &h->limits);
    if (m && type == &sheaf__model_put__descriptor) {
      Sheaf__ModelPut* put = (Sheaf__ModelPut*)m;
      for (size_t i = 0; i < put->n_files; i++) sheaf_manifest_check_name(put->files[i]->name);
    }
    srv_arena_close(&arena);
  }
  srv_frame_close(frame, &h->ledger);
  return 0;
}

// the end of a frame that was taken; what was told of its data must be in the ledger, and can be read
static void let_go(house* h) {
  volatile uint8_t sum = 0;
  if (!h->taken) return;
  for (uint64_t i = 0; i < h->got; i++) sum = (uint8_t)(sum + h->early.data.bytes[i]);
  srv_reader_forget(&h->reader);
  h->ledger.request -= h->got + (h->early.control ? h->early.head.control_len : 0);
  free(h->early.control);
  srv_section_close(&h->early.data, &h->ledger);
  h->early = (srv_frame){0};
  h->taken = false;
}

static int on_begun(void* user, srv_frame* frame, srv_error* error) {
  house* h = user;
  (void)error;
  if (h->taken || frame->head.id % 5 == 0) return 0;
  h->early = *frame;
  h->got = 0;
  h->taken = true;
  if (frame->head.id % 5 == 1) let_go(h);
  if (frame->head.id % 5 == 2) srv_reader_close(&h->reader);
  return frame->head.id % 5 == 2 ? -1 : 1;
}

static int on_data(void* user, uint64_t got, bool dropped, srv_error* error) {
  house* h = user;
  uint64_t id = h->early.head.id, length = h->early.head.data_len;
  (void)error;
  if (!h->taken || (!dropped && (got <= h->got || got > length)) || (dropped && got != h->got)) abort();
  h->got = got;
  if (dropped || got == length || (id % 5 == 3 && got >= length / 2)) let_go(h);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n) {
  house h = {.limits = srv_limits_default(), .ledger.limit = 1 << 20};
  srv_receiver receiver = {on_frame, on_begun, NULL, on_data, &h};
  srv_error error;
  if (n < 1) return 0;
  size_t piece = bytes[0] ? bytes[0] : n;
  h.limits.frame_bytes = 1 << 20;
  h.limits.early_bytes = 8;
  if (bytes[0] & 0x80) h.ledger.limit = 100;
  srv_reader_init(&h.reader, &h.limits, &h.ledger, &receiver);
  for (size_t at = 1; at < n; at += piece) {
    size_t take = n - at < piece ? n - at : piece;
    if (srv_reader_feed(&h.reader, bytes + at, take, &error)) break;
  }
  srv_reader_close(&h.reader);
  let_go(&h);
  if (h.ledger.request) abort();
  return 0;
}
