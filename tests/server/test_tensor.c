// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tensors of requests and replies.
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "wire_frame.h"
#include "wire/out.h"
#include "wire/tensor.h"

// read a tensor of doubles from a data section of n bytes
static int read_shape(srv_tensor* t, uint64_t offset, int rank, const uint64_t* shape, uint64_t n, srv_error* error) {
  static uint8_t data[1];
  Sheaf__Tensor m = SHEAF__TENSOR__INIT;
  srv_limits limits = srv_limits_default();
  m.name = (char*)"x";
  m.offset = offset;
  m.n_shape = (size_t)rank;
  m.shape = (uint64_t*)shape;
  return srv_tensor_read(t, &m, data, n, &limits, error);
}

TEST(a_tensor_inside_the_data_is_read) {
  srv_tensor t;
  srv_error e;
  CHECK_EQ(read_shape(&t, 64, 2, (uint64_t[]){2, 3}, 112, &e), 0);
  CHECK(t.rank == 2 && t.count == 6 && t.shape[1] == 3 && t.data);
  CHECK_EQ(read_shape(&t, 64, 2, (uint64_t[]){2, 3}, 111, &e), -3);
  CHECK_TEXT(e.message, "x: expected an array inside the data section, got F64 (2, 3) at offset 64 of 111 bytes");
  CHECK_EQ(read_shape(&t, 8, 1, (uint64_t[]){1}, 1000, &e), -3);
  CHECK_TEXT(e.message, "multiple of 64");
}

TEST(an_empty_tensor_needs_no_data) {
  srv_tensor t;
  srv_error e;
  CHECK_EQ(read_shape(&t, 0, 2, (uint64_t[]){5, 0}, 0, &e), 0);
  CHECK(t.count == 0 && !t.data);
}

TEST(sizes_never_wrap) {
  // every combination either fits a data section of 4096 bytes or is refused
  const uint64_t values[] = {0, 1, 2, 0x7fffffff, 0x80000000u, (uint64_t)1 << 32, (uint64_t)1 << 63, UINT64_MAX};
  int nok = 0;
  for (int i = 0; i < 4096; i++) {
    uint64_t shape[4] = {values[i & 7], values[i >> 3 & 7], values[i >> 6 & 7], values[i >> 9 & 7]};
    srv_tensor t;
    srv_error e;
    int err = read_shape(&t, 0, 4, shape, 4096, &e);
    __uint128_t count = 1;
    bool wraps = false;
    for (int k = 0; k < 4 && !wraps; k++) {
      count *= shape[k];
      wraps = count > UINT64_MAX;
    }
    // a zero after an overflow is refused too: the shape is nonsense
    bool fits = !wraps && 8 * count <= 4096;
    CHECK_EQ(!err, fits);
    if (!err) CHECK_EQ(t.count, (uint64_t)count);
    nok += !err;
  }
  CHECK(nok > 0);
}

TEST(offsets_never_wrap) {
  srv_tensor t;
  srv_error e;
  CHECK_EQ(read_shape(&t, UINT64_MAX - 63, 1, (uint64_t[]){8}, 4096, &e), -3);
  CHECK_EQ(read_shape(&t, (uint64_t)1 << 63, 1, (uint64_t[]){1}, 4096, &e), -3);
}

TEST(ranks_and_types_are_limited) {
  srv_tensor t;
  srv_error e;
  CHECK_EQ(read_shape(&t, 0, 5, (uint64_t[]){1, 1, 1, 1, 1}, 4096, &e), -3);
  Sheaf__Tensor m = SHEAF__TENSOR__INIT;
  srv_limits limits = srv_limits_default();
  m.name = (char*)"x";
  m.dtype = (Sheaf__DType)99;
  CHECK_EQ(srv_tensor_read(&t, &m, NULL, 0, &limits, &e), -3);
  m.dtype = (Sheaf__DType)-1;
  CHECK_EQ(srv_tensor_read(&t, &m, NULL, 0, &limits, &e), -3);
}

TEST(packed_arrays_start_at_multiples_of_64) {
  double a[3] = {1, 2, 3};
  int32_t b[5] = {1, 2, 3, 4, 5};
  srv_pack pack;
  srv_pack_init(&pack);
  srv_pack_add(&pack, "a", SHEAF__DTYPE__DTYPE_F64, 1, (uint64_t[]){3}, a);
  srv_pack_add(&pack, "none", SHEAF__DTYPE__DTYPE_F64, 2, (uint64_t[]){3, 0}, a);
  srv_pack_add(&pack, "b", SHEAF__DTYPE__DTYPE_I32, 1, (uint64_t[]){5}, b);
  CHECK(pack.tensor[0].offset == 0 && pack.tensor[1].offset == 0 && pack.tensor[2].offset == 64);
  CHECK_EQ(pack.length, 84);
  uint64_t total = 0;
  for (unsigned i = 0; i < pack.nbuffer; i++) total += pack.buffer[i].len;
  CHECK_EQ(total, pack.length);

  Sheaf__Result m = SHEAF__RESULT__INIT;
  m.n_tensors = pack.count;
  m.tensors = pack.pointer;
  srv_out* out = srv_out_make(0x8020, SHEAF_FRAME_MORE, 7, &m.base, &pack, NULL, NULL);
  sheaf_frame head = sheaf_frame_read((uint8_t*)out->buffer[0].base);
  CHECK(head.id == 7 && head.type == 0x8020 && head.flags == SHEAF_FRAME_MORE && head.data_len == 84);
  CHECK_EQ(out->bytes, SHEAF_FRAME_BYTES + head.control_len + 84);
  srv_out_free(out);
}

TEST(a_message_whose_begin_was_packed_before_has_the_same_bytes) {
  uint8_t bytes[16];
  Sheaf__Timing timing = SHEAF__TIMING__INIT;
  Sheaf__Result begin = SHEAF__RESULT__INIT, rest = SHEAF__RESULT__INIT, all = SHEAF__RESULT__INIT;
  timing.queue_us = 1000;
  begin.rows = all.rows = 300;
  rest.timing = all.timing = &timing;
  ProtobufCBinaryData packed = {protobuf_c_message_pack(&begin.base, bytes), bytes};
  srv_out* one = srv_out_make(0x8020, 0, 7, &all.base, NULL, NULL, NULL);
  srv_out* two = srv_out_begun(0x8020, 7, packed, &rest.base, NULL, NULL, NULL);
  CHECK(one->bytes == two->bytes && one->buffer[0].len == two->buffer[0].len);
  CHECK(!memcmp(one->buffer[0].base, two->buffer[0].base, one->buffer[0].len));
  srv_out_free(one);
  srv_out_free(two);
}

TEST(error_texts_are_valid_utf8) {
  srv_error e;
  srv_error_set(&e, 3, "a\x01\xff\xc3\xa9\xc0\x80\xed\xa0\x80z\n");
  CHECK(!strcmp(e.message, "a??\xc3\xa9?????z\n"));
  srv_error_field(&e, "f", "%d", "%s", "%s%n");
  CHECK(!strcmp(e.message, "f: expected %d, got %s%n"));
}
