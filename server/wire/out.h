// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A frame on its way out: header and control message in one block with it, data buffers that belong to someone else.
#ifndef SHEAF_SERVER_WIRE_OUT_H_
#define SHEAF_SERVER_WIRE_OUT_H_

#include <stdint.h>

#include <uv.h>

#include "base/failure.h"
#include "wire/tensor.h"

typedef struct srv_out {
  struct srv_out* next;
  uint64_t bytes;                // on the wire
  uint64_t own;                  // of its own memory, without the data buffers
  void (*release)(void* owner);  // called once when the data has been sent or given up; may be NULL
  void* owner;
  void (*on_written)(void* written);  // called once after all of it was written or given up; may be NULL
  void* written;
  uv_stream_t* pass;  // a descriptor that goes with the first byte, or NULL
  unsigned nbuffer;
  unsigned nsent;     // buffers that were written; the next one holds what is left to write of it
  uv_buf_t buffer[];  // the first is header and control message
} srv_out;

// A reply frame. Data comes from pack (may be NULL). NULL without memory; then nothing was released.
srv_out* srv_out_make(int type, int flags, uint64_t id, const ProtobufCMessage* control, const srv_pack* pack,
                      void (*release)(void* owner), void* owner);

// The same, whose control message begins with these bytes, which were packed before; `rest` has the fields behind them.
srv_out* srv_out_begun(int type, uint64_t id, ProtobufCBinaryData begin, const ProtobufCMessage* rest,
                       const srv_pack* pack, void (*release)(void* owner), void* owner);

// The content of a reply that is made once and sent often: the buffers and what they point to belong to its owner.
typedef struct {
  uv_buf_t* buffer;  // the packed control message, then the data
  unsigned nbuffer;
  uint64_t data_len;
} srv_reply;

// A reply frame with such content.
srv_out* srv_out_shared(int type, uint64_t id, const srv_reply* reply, void (*release)(void* owner), void* owner);

// An Error frame.
srv_out* srv_out_error(uint64_t id, const srv_error* error);

// n bytes of the frame were written.
void srv_out_advance(srv_out* out, size_t n);

// Release the data and free the frame.
void srv_out_free(srv_out* out);

#endif  // SHEAF_SERVER_WIRE_OUT_H_
