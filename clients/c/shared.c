// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "shared.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_BYTES = 64 << 20 };  // of a region

static void* map(size_t bytes, int fd) {
  int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED | MAP_POPULATE;
  void* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

// ask for a region; returns its descriptor, or -1 if the server gives none
static int ask_region(sheafc* c, size_t bytes, uint64_t* region) {
  Sheaf__Region m = SHEAF__REGION__INIT;
  sheafc_status ignored;
  m.bytes = bytes;
  c->passed = -1;
  c->wants_descriptor = true;
  sheafc_call* call = sheafc_ask(c, SHEAF__FRAME_TYPE__FRAME_REGION, &m.base, NULL, 0, &ignored);
  c->wants_descriptor = false;
  int fd = c->passed;
  c->passed = -1;
  Sheaf__RegionReply* reply = call ? sheaf__region_reply__unpack(NULL, call->control_len, call->control) : NULL;
  *region = reply && reply->bytes >= bytes ? reply->region : 0;
  sheaf__region_reply__free_unpacked(reply, NULL);
  sheafc_free_call(call);
  if (fd < 0 || *region) return fd;
  close(fd);
  return -1;
}

// memory that is shared with the server if possible, and ordinary memory otherwise
static uint8_t* make(sheafc* c, size_t bytes, uint64_t* region) {
  *region = 0;
  bool may = c->local && bytes <= MOST_BYTES && !c->broken.code;
  int fd = may ? ask_region(c, bytes, region) : -1;
  if (fd < 0) *region = 0;
  uint8_t* memory = map(bytes, fd);
  if (fd >= 0) close(fd);
  return memory;
}

// the server may forget it; nobody waits for the answer
static void close_region(sheafc* c, sheafc_block* b) {
  Sheaf__RegionClose m = SHEAF__REGION_CLOSE__INIT;
  sheafc_status ignored;
  m.region = b->region;
  b->region = 0;
  if (!m.region || c->broken.code) return;
  sheafc_call* call = sheafc_make_call(c, SHEAF__FRAME_TYPE__FRAME_REGION_CLOSE);
  if (!call) return;
  call->orphan = true;
  sheafc_send(call, &m.base, NULL, 0, &ignored);
}

// map other memory where the block's memory is
static void replace(sheafc_block* b, uint8_t* memory, uint64_t region) {
  b->region = 0;
  if (!memory) return;
  memcpy(memory, b->memory, b->bytes);
  bool moved = mremap(memory, b->bytes, b->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, b->memory) != MAP_FAILED;
  if (moved) b->region = region;
  if (!moved) munmap(memory, b->bytes);
}

void* sheafc_alloc_results(sheafc* c, size_t bytes, sheafc_status* st) {
  memset(st, 0, sizeof *st);
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  sheafc_block* b = bytes <= SIZE_MAX / 2 ? calloc(1, sizeof *b) : NULL;
  if (b) b->bytes = bytes ? (bytes + page - 1) / page * page : page;
  if (b) b->memory = make(c, b->bytes, &b->region);
  if (!b || !b->memory) {
    free(b);
    sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
    return NULL;
  }
  b->next = c->blocks;
  c->blocks = b;
  return b->memory;
}

void sheafc_free_results(sheafc* c, void* memory) {
  sheafc_block** link = &c->blocks;
  while (*link && (*link)->memory != memory) link = &(*link)->next;
  sheafc_block* b = *link;
  if (!b) return;
  *link = b->next;
  close_region(c, b);
  munmap(b->memory, b->bytes);
  free(b);
}

sheafc_block* sheafc_find_block(const sheafc* c, const void* data, uint64_t n) {
  for (sheafc_block* b = c->blocks; b; b = b->next) {
    uintptr_t from = (uintptr_t)data, base = (uintptr_t)b->memory;
    if (b->region && from >= base && from - base <= b->bytes && n <= b->bytes - (from - base)) return b;
  }
  return NULL;
}

void sheafc_detach(sheafc* c, sheafc_block* b) {
  if (!b->region) return;
  close_region(c, b);
  replace(b, map(b->bytes, -1), 0);
}

// the server of the lost connection may still write into the memory shared with it, so every block gets other memory
void sheafc_share_again(sheafc* c) {
  for (sheafc_block* b = c->blocks; b; b = b->next) {
    uint64_t region;
    uint8_t* memory = make(c, b->bytes, &region);
    replace(b, memory, region);
  }
}

void sheafc_free_blocks(sheafc* c) {
  while (c->blocks) {
    sheafc_block* b = c->blocks;
    c->blocks = b->next;
    munmap(b->memory, b->bytes);
    free(b);
  }
}
