// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "wire/section.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "wire_frame.h"

enum { GROWS_ON_HEAP = 1 << 20, STAYS_ON_HEAP = 32 << 20, PAGES = 1 << 16 };

// a mapping that waits to be unmapped; written into its first bytes
struct srv_spent {
  srv_spent* next;
  uint64_t length;
};

static uint64_t whole_pages(uint64_t n) { return (n + PAGES - 1) & ~(uint64_t)(PAGES - 1); }

static bool reserve(srv_section* s, uint64_t n, uint64_t most) {
  uint64_t length = whole_pages(most > n ? most : n);
  void* range = mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return false;
  if (mprotect(range, whole_pages(n), PROT_READ | PROT_WRITE)) {
    munmap(range, length);
    return false;
  }
  *s = (srv_section){range, whole_pages(n), length};
  return true;
}

bool srv_section_make(srv_section* s, uint64_t n, uint64_t most) {
  *s = (srv_section){0};
  if (n > (most > n ? GROWS_ON_HEAP : STAYS_ON_HEAP)) return reserve(s, n, most);
  uint64_t room = sheaf_frame_align(n);
  s->bytes = aligned_alloc(SHEAF_FRAME_ALIGN, room);
  s->room = s->bytes ? room : 0;
  return s->bytes;
}

// move to a place twice as large, so that many small pieces cost little
static bool move(srv_section* s, uint64_t used, uint64_t n, uint64_t most) {
  srv_section larger;
  uint64_t room = n > 2 * s->room ? n : 2 * s->room;
  if (room > most) room = n;
  if (!srv_section_make(&larger, room, most)) return false;
  if (s->bytes) memcpy(larger.bytes, s->bytes, used);
  free(s->bytes);
  *s = larger;
  return true;
}

bool srv_section_grow(srv_section* s, uint64_t used, uint64_t n, uint64_t most) {
  if (n <= s->room) return true;
  if (!s->mapped) return move(s, used, n, most);
  uint64_t room = whole_pages(n > 2 * s->room ? n : 2 * s->room);
  if (room > s->mapped) room = s->mapped;
  if (n > room || mprotect(s->bytes, room, PROT_READ | PROT_WRITE)) return false;
  s->room = room;
  return true;
}

void srv_section_close(srv_section* s, srv_ledger* ledger) {
  if (s->mapped) {
    srv_spent* spent = (srv_spent*)(void*)s->bytes;
    *spent = (srv_spent){ledger->spent, s->mapped};
    ledger->spent = spent;
  } else {
    free(s->bytes);
  }
  *s = (srv_section){0};
}

bool srv_section_reap(srv_ledger* ledger, uint64_t n) {
  n = whole_pages(n);
  while (ledger->spent && n) {
    // unmap from its end, because its beginning holds the srv_spent
    srv_spent* spent = ledger->spent;
    uint64_t part = spent->length < n ? spent->length : n;
    if (part == spent->length) ledger->spent = spent->next;
    spent->length -= part;
    n -= part;
    munmap((char*)spent + spent->length, part);
  }
  return ledger->spent;
}
