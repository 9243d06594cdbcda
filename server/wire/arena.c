// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "wire/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };

struct srv_arena_block {
  srv_arena_block* next;
  size_t used, size;
  alignas(max_align_t) unsigned char bytes[];
};

static void* allocate(void* arena, size_t n) { return srv_arena_alloc(arena, n); }
static void release(void* arena, void* pointer) { (void)arena, (void)pointer; }

void srv_arena_init(srv_arena* a, uint64_t limit) {
  *a = (srv_arena){.allocator = {allocate, release, a}, .left = limit};
}

void srv_arena_close(srv_arena* a) {
  while (a->blocks) {
    srv_arena_block* next = a->blocks->next;
    free(a->blocks);
    a->blocks = next;
  }
}

void srv_arena_move(srv_arena* to, srv_arena* from) {
  *to = *from;
  to->allocator.allocator_data = to;
  from->blocks = NULL;
}

uint64_t srv_arena_bytes(const srv_arena* a) {
  uint64_t n = 0;
  for (const srv_arena_block* b = a->blocks; b; b = b->next) n += b->size;
  return n;
}

void* srv_arena_alloc(srv_arena* a, size_t n) {
  if (n > a->left) return NULL;
  size_t size = (n + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
  if (size > a->left) return NULL;
  srv_arena_block* block = a->blocks;
  if (!block || block->size - block->used < size) {
    size_t room = size > BLOCK ? size : BLOCK;
    block = malloc(sizeof *block + room);
    if (!block) return NULL;
    block->used = 0;
    block->size = room;
    block->next = a->blocks;
    a->blocks = block;
  }
  void* p = block->bytes + block->used;
  block->used += size;
  a->left -= size;
  return memset(p, 0, size);  // protobuf-c 1.4 may read fields that it has not written
}
