// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "wire/tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "wire_frame.h"

static const struct {
  const char* name;
  size_t size;
} dtypes[] = {
    [SHEAF__DTYPE__DTYPE_F64] = {"F64", 8}, [SHEAF__DTYPE__DTYPE_F32] = {"F32", 4},
    [SHEAF__DTYPE__DTYPE_I32] = {"I32", 4}, [SHEAF__DTYPE__DTYPE_I64] = {"I64", 8},
    [SHEAF__DTYPE__DTYPE_U8] = {"U8", 1},
};

static int known(Sheaf__DType dtype) { return (unsigned)dtype < sizeof dtypes / sizeof dtypes[0]; }

size_t srv_dtype_size(Sheaf__DType dtype) { return known(dtype) ? dtypes[dtype].size : 0; }

const char* srv_dtype_name(Sheaf__DType dtype) { return known(dtype) ? dtypes[dtype].name : "?"; }

const char* srv_shape_text(char out[SRV_SHAPE_TEXT], int rank, const uint64_t* shape) {
  int n = snprintf(out, SRV_SHAPE_TEXT, "(");
  for (int i = 0; i < rank && i < SRV_RANK; i++) {
    n += snprintf(out + n, (size_t)(SRV_SHAPE_TEXT - n), "%s%" PRIu64, i ? ", " : "", shape[i]);
  }
  snprintf(out + n, (size_t)(SRV_SHAPE_TEXT - n), rank == 1 ? ",)" : ")");
  return out;
}

// product of the shape and the size of an element
static bool measure(srv_tensor* t, uint64_t* bytes) {
  t->count = 1;
  for (int i = 0; i < t->rank; i++) {
    if (!srv_mul(t->count, t->shape[i], &t->count)) return false;
  }
  return srv_mul(t->count, srv_dtype_size(t->dtype), bytes);
}

int srv_tensor_read(srv_tensor* t, const Sheaf__Tensor* from, const uint8_t* data, uint64_t data_len,
                    const srv_limits* limits, srv_error* e) {
  char text[SRV_SHAPE_TEXT];
  *t = (srv_tensor){.name = from->name, .dtype = from->dtype};
  if (!from->name[0]) return srv_error_field(e, "tensor.name", "a name", "an empty one");
  if (!srv_dtype_size(from->dtype)) {
    return srv_error_field(e, t->name, "a known dtype", "dtype %d", from->dtype);
  }
  if (from->n_shape > limits->rank || from->n_shape > SRV_RANK) {
    return srv_error_field(e, t->name, "at most 4 dimensions", "%zu", from->n_shape);
  }
  t->rank = (int)from->n_shape;
  for (int i = 0; i < t->rank; i++) t->shape[i] = from->shape[i];

  uint64_t bytes, end;
  if (!measure(t, &bytes)) {
    return srv_error_field(e, t->name, "a shape whose size fits in 64 bits", "%s",
                           srv_shape_text(text, t->rank, t->shape));
  }
  if (bytes == 0) return 0;
  if (from->offset % SHEAF_FRAME_ALIGN) {
    return srv_error_field(e, t->name, "an offset that is a multiple of 64", "%" PRIu64, from->offset);
  }
  if (!srv_add(from->offset, bytes, &end) || end > data_len) {
    return srv_error_field(e, t->name, "an array inside the data section",
                           "%s %s at offset %" PRIu64 " of %" PRIu64 " bytes", srv_dtype_name(t->dtype),
                           srv_shape_text(text, t->rank, t->shape), from->offset, data_len);
  }
  t->data = data + from->offset;
  return 0;
}

void srv_pack_init(srv_pack* p) { p->count = p->nbuffer = 0, p->length = 0; }

void srv_pack_add(srv_pack* p, const char* name, Sheaf__DType dtype, int rank, const uint64_t* shape,
                  const void* data) {
  static char zeros[SHEAF_FRAME_ALIGN];
  unsigned i = p->count++;
  uint64_t count = 1;
  for (int k = 0; k < rank; k++) count *= p->shape[i][k] = shape[k];
  sheaf__tensor__init(&p->tensor[i]);
  p->tensor[i].name = (char*)name;
  p->tensor[i].dtype = dtype;
  p->tensor[i].n_shape = (size_t)rank;
  p->tensor[i].shape = p->shape[i];
  p->pointer[i] = &p->tensor[i];
  if (!count) return;

  // zeros up to the next multiple of 64, then the array
  uint64_t offset = sheaf_frame_align(p->length);
  if (offset > p->length) {
    p->buffer[p->nbuffer++] = uv_buf_init(zeros, (unsigned)(offset - p->length));
  }
  p->tensor[i].offset = offset;
  p->buffer[p->nbuffer] = (uv_buf_t){.base = (char*)data, .len = count * srv_dtype_size(dtype)};
  p->length = offset + p->buffer[p->nbuffer++].len;
}
