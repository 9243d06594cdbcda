// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Memory of one unpacked control message: handed to protobuf-c as its allocator, dropped in one call, with a
// limit on its size (a small message can unpack into much memory).
#ifndef SHEAF_SERVER_WIRE_ARENA_H_
#define SHEAF_SERVER_WIRE_ARENA_H_

#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

typedef struct srv_arena_block srv_arena_block;

typedef struct {
  ProtobufCAllocator allocator;
  srv_arena_block* blocks;
  uint64_t left;  // bytes that may still be asked for
} srv_arena;

void srv_arena_init(srv_arena* a, uint64_t limit);
void srv_arena_close(srv_arena* a);

// Move what `from` holds to `to`, which holds nothing; `from` stays usable.
void srv_arena_move(srv_arena* to, srv_arena* from);

// Bytes that it holds.
uint64_t srv_arena_bytes(const srv_arena* a);

// n zero bytes, aligned for anything; NULL over the limit.
void* srv_arena_alloc(srv_arena* a, size_t n);

#endif  // SHEAF_SERVER_WIRE_ARENA_H_
