// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Memory of the data section of a request, and of the results of a slice.
//
// The loop thread makes and frees sections, so nothing here may take long. Small sections come from the heap, whose
// pages are in use already. A large section is a mapping of its own: its address range is reserved at once, without a
// promise of memory from the system, so it grows in place and its pages come one by one as bytes arrive. Giving back 1
// GiB of pages takes 100 ms, so a mapping that is no longer needed waits in the ledger and is unmapped in portions
// (srv_section_reap).
#ifndef SHEAF_SERVER_WIRE_SECTION_H_
#define SHEAF_SERVER_WIRE_SECTION_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/ledger.h"

typedef struct {
  uint8_t* bytes;   // 64-byte aligned; NULL: none
  uint64_t room;    // bytes that may be written
  uint64_t mapped;  // length of its own mapping; 0: it is from the heap
} srv_section;

// Make room for n > 0 bytes, which may grow to `most`; false without memory.
bool srv_section_make(srv_section* s, uint64_t n, uint64_t most);

// Make room for n bytes in all, at most the `most` of srv_section_make, and keep the first `used`. Copies at most 1
// MiB.
bool srv_section_grow(srv_section* s, uint64_t used, uint64_t n, uint64_t most);

// Free a section; a large one is unmapped later.
void srv_section_close(srv_section* s, srv_ledger* ledger);

// Unmap up to n bytes of sections that were freed. Returns whether more of them wait.
bool srv_section_reap(srv_ledger* ledger, uint64_t n);

#endif  // SHEAF_SERVER_WIRE_SECTION_H_
