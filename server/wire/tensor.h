// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Arrays beside a control message: checked views of those of requests, and packing of those of replies.
#ifndef SHEAF_SERVER_WIRE_TENSOR_H_
#define SHEAF_SERVER_WIRE_TENSOR_H_

#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "base/failure.h"
#include "base/limits.h"
#include "sheaf.pb-c.h"

enum { SRV_RANK = 5, SRV_PACK = 128 };  // dimensions of a tensor, of which requests have at most 4; tensors of a reply

// A tensor of a request, after the checks.
typedef struct {
  const char* name;
  Sheaf__DType dtype;
  int rank;
  uint64_t shape[SRV_RANK];
  uint64_t count;    // product of shape
  const void* data;  // NULL if count is 0
} srv_tensor;

// Bytes of one element, 0 for an unknown type.
size_t srv_dtype_size(Sheaf__DType dtype);
const char* srv_dtype_name(Sheaf__DType dtype);

// "(4, 10, 6)".
enum { SRV_SHAPE_TEXT = 128 };
const char* srv_shape_text(char out[SRV_SHAPE_TEXT], int rank, const uint64_t* shape);

// Check a description against the data section that it points into.
int srv_tensor_read(srv_tensor* t, const Sheaf__Tensor* from, const uint8_t* data, uint64_t data_len,
                    const srv_limits* limits, srv_error* error);

// Tensors of a reply under construction: descriptions for the control message and buffers for the data section.
typedef struct {
  unsigned count;
  Sheaf__Tensor tensor[SRV_PACK];
  Sheaf__Tensor* pointer[SRV_PACK];
  uint64_t shape[SRV_PACK][SRV_RANK];
  uv_buf_t buffer[2 * SRV_PACK];  // data and the zeros between
  unsigned nbuffer;
  uint64_t length;  // of the data section
} srv_pack;

void srv_pack_init(srv_pack* p);

// Add one; its data must live until the reply is sent. There must be room (count < SRV_PACK).
void srv_pack_add(srv_pack* p, const char* name, Sheaf__DType dtype, int rank, const uint64_t* shape, const void* data);

#endif  // SHEAF_SERVER_WIRE_TENSOR_H_
