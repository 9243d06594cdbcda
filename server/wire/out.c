// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "wire/out.h"

#include <stdlib.h>
#include <string.h>

#include "wire_frame.h"

static srv_out* make(int type, int flags, uint64_t id, ProtobufCBinaryData begin, const ProtobufCMessage* rest,
                     const srv_pack* pack) {
  size_t control_len = begin.len + protobuf_c_message_get_packed_size(rest);
  unsigned ndata = pack ? pack->nbuffer : 0;
  uint64_t data_len = pack ? pack->length : 0;
  size_t fixed = sizeof(srv_out) + (1 + ndata) * sizeof(uv_buf_t);
  size_t own = fixed + SHEAF_FRAME_BYTES + control_len;
  srv_out* out = malloc(own);
  if (!out) return NULL;

  uint8_t* bytes = (uint8_t*)out + fixed;
  sheaf_frame head = sheaf_frame_make(type, flags, id, (uint32_t)control_len, data_len);
  sheaf_frame_write(bytes, &head);
  if (begin.len) memcpy(bytes + SHEAF_FRAME_BYTES, begin.data, begin.len);
  protobuf_c_message_pack(rest, bytes + SHEAF_FRAME_BYTES + begin.len);
  *out = (srv_out){.bytes = SHEAF_FRAME_BYTES + control_len + data_len, .own = own, .nbuffer = 1 + ndata};
  out->buffer[0] = (uv_buf_t){.base = (char*)bytes, .len = SHEAF_FRAME_BYTES + control_len};
  if (ndata) memcpy(out->buffer + 1, pack->buffer, ndata * sizeof(uv_buf_t));
  return out;
}

static srv_out* owned(srv_out* out, void (*release)(void* owner), void* owner) {
  if (!out) return NULL;
  out->release = release;
  out->owner = owner;
  return out;
}

srv_out* srv_out_make(int type, int flags, uint64_t id, const ProtobufCMessage* control, const srv_pack* pack,
                      void (*release)(void* owner), void* owner) {
  return owned(make(type, flags, id, (ProtobufCBinaryData){0}, control, pack), release, owner);
}

srv_out* srv_out_begun(int type, uint64_t id, ProtobufCBinaryData begin, const ProtobufCMessage* rest,
                       const srv_pack* pack, void (*release)(void* owner), void* owner) {
  return owned(make(type, 0, id, begin, rest, pack), release, owner);
}

srv_out* srv_out_shared(int type, uint64_t id, const srv_reply* reply, void (*release)(void* owner), void* owner) {
  size_t fixed = sizeof(srv_out) + (1 + reply->nbuffer) * sizeof(uv_buf_t);
  uint32_t control_len = (uint32_t)reply->buffer[0].len;
  srv_out* out = malloc(fixed + SHEAF_FRAME_BYTES);
  if (!out) return NULL;

  uint8_t* bytes = (uint8_t*)out + fixed;
  sheaf_frame head = sheaf_frame_make(type, 0, id, control_len, reply->data_len);
  sheaf_frame_write(bytes, &head);
  *out = (srv_out){.bytes = SHEAF_FRAME_BYTES + control_len + reply->data_len,
                   .own = fixed + SHEAF_FRAME_BYTES,
                   .release = release,
                   .owner = owner,
                   .nbuffer = 1 + reply->nbuffer};
  out->buffer[0] = (uv_buf_t){.base = (char*)bytes, .len = SHEAF_FRAME_BYTES};
  memcpy(out->buffer + 1, reply->buffer, reply->nbuffer * sizeof(uv_buf_t));
  return out;
}

srv_out* srv_out_error(uint64_t id, const srv_error* error) {
  Sheaf__Error m = SHEAF__ERROR__INIT;
  m.code = error->code;
  m.message = (char*)error->message;
  m.field = (char*)error->field;
  m.expected = (char*)error->expected;
  m.got = (char*)error->got;
  m.retry_after_us = error->retry_after_us;
  m.retriable = error->retriable;
  return srv_out_make(SHEAF__FRAME_TYPE__FRAME_ERROR, 0, id, &m.base, NULL, NULL, NULL);
}

void srv_out_advance(srv_out* out, size_t n) {
  while (out->nsent < out->nbuffer && n >= out->buffer[out->nsent].len) n -= out->buffer[out->nsent++].len;
  if (!n) return;
  out->buffer[out->nsent].base += n;
  out->buffer[out->nsent].len -= n;
}

void srv_out_free(srv_out* out) {
  if (out->release) out->release(out->owner);
  if (out->on_written) out->on_written(out->written);
  free(out);
}
