// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Control messages: the look before they are unpacked, and the memory that they unpack into.
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "sheaf.pb-c.h"
#include "wire/arena.h"
#include "wire/scan.h"

#define SCAN(type, bytes, n) srv_scan(&sheaf__##type##__descriptor, (const uint8_t*)(bytes), n)

TEST(a_message_of_every_request_passes) {
  uint64_t shape[] = {4, 28};
  Sheaf__Tensor tensor = SHEAF__TENSOR__INIT, *tensors[] = {&tensor, &tensor};
  char* outputs[] = {(char*)"state", (char*)"qacc"};
  Sheaf__Work work = SHEAF__WORK__INIT;
  Sheaf__Rollout m = SHEAF__ROLLOUT__INIT;
  uint8_t bytes[512];
  tensor.name = (char*)"state0";
  tensor.n_shape = 2;
  tensor.shape = shape;
  tensor.offset = 64;
  work.nbatch = 4;
  work.n_inputs = work.n_outputs = 2;
  work.inputs = tensors;
  work.outputs = outputs;
  work.priority = -1;
  m.work = &work;
  m.nstep = 10;
  size_t n = sheaf__rollout__pack(&m, bytes);
  CHECK(!SCAN(rollout, bytes, n));
  CHECK(!SCAN(ping, "", 0));

  // cut anywhere it is either refused or still a message, never read past its end
  for (size_t cut = 0; cut < n; cut++) {
    uint8_t* exact = malloc(cut + 1);
    memcpy(exact, bytes, cut);
    SCAN(rollout, exact, cut);
    free(exact);
  }
}

TEST(malformed_messages_are_refused) {
  CHECK_TEXT(SCAN(ping, "\x0a\x05xy", 4), "truncated");  // length past the end
  CHECK_TEXT(SCAN(ping, "\x0a", 1), "truncated");        // no length
  CHECK_TEXT(SCAN(ping, "\x08\x01", 2), "wire type");    // bytes field as a number
  CHECK_TEXT(SCAN(ping, "\x02\x01", 2), "key");          // field 0
  CHECK_TEXT(SCAN(ping, "\x0b\x0c", 2), "truncated");    // a group
  CHECK_TEXT(SCAN(ping, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11), "key");
  CHECK_TEXT(SCAN(hello,
                  "\x1a\x02\x00"
                  "a",
                  4),
             "zero byte");  // a string with a zero
}

TEST(a_repeated_singular_message_is_refused) {
  // Rollout{work{}, work{}}
  CHECK(!SCAN(rollout, "\x0a\x00", 2));
  CHECK_TEXT(SCAN(rollout, "\x0a\x00\x0a\x00", 4), "repeated");
}

TEST(unknown_fields_are_counted) {
  char bytes[2 * (SRV_SCAN_UNKNOWN + 1)];
  for (int i = 0; i <= SRV_SCAN_UNKNOWN; i++) memcpy(bytes + 2 * i, "\x70\x01", 2);  // field 14 = 1
  CHECK(!SCAN(ping, bytes, 2 * SRV_SCAN_UNKNOWN));
  CHECK_TEXT(SCAN(ping, bytes, sizeof bytes), "unknown");
}

TEST(unpacking_stops_at_the_limit_of_the_arena) {
  // 60 KiB of empty sub-messages would take megabytes
  enum { N = 30000 };
  char* bytes = malloc(2 * N);
  for (int i = 0; i < N; i++) memcpy(bytes + 2 * i, "\x1a\x00", 2);  // ModelPut.files {}
  srv_arena arena;
  srv_arena_init(&arena, 1 << 20);
  CHECK(!protobuf_c_message_unpack(&sheaf__model_put__descriptor, &arena.allocator, 2 * N, (uint8_t*)bytes));
  srv_arena_close(&arena);
  srv_arena_init(&arena, 16 << 20);
  CHECK(protobuf_c_message_unpack(&sheaf__model_put__descriptor, &arena.allocator, 2 * N, (uint8_t*)bytes));
  srv_arena_close(&arena);
  free(bytes);
}

TEST(arena_memory_is_zero_and_apart) {
  srv_arena arena;
  srv_arena_init(&arena, 100000);
  char* a = srv_arena_alloc(&arena, 10);
  char* b = srv_arena_alloc(&arena, 5000);
  char* c = srv_arena_alloc(&arena, 10);
  for (int i = 0; i < 5000; i++) CHECK(b[i] == 0);
  memset(b, 1, 5000);
  CHECK(a[9] == 0 && c[0] == 0);
  CHECK((uintptr_t)a % 16 == 0 && (uintptr_t)b % 16 == 0 && (uintptr_t)c % 16 == 0);
  CHECK(!srv_arena_alloc(&arena, 100000));
  CHECK(!srv_arena_alloc(&arena, SIZE_MAX));
  srv_arena_close(&arena);
}
