// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Memory for results that a server on this host writes into ("Memory shared on one host" in proto/README.md).
#ifndef SHEAF_CLIENT_SHARED_H_
#define SHEAF_CLIENT_SHARED_H_

#include "internal.h"

struct sheafc_block {
  sheafc_block* next;
  uint8_t* memory;
  size_t bytes;
  uint64_t region;  // its number on the connection; 0: it is not shared
};

// The block that holds n bytes at data and is shared, or NULL.
sheafc_block* sheafc_find_block(const sheafc* c, const void* data, uint64_t n);

// The connection is a new one: share all blocks with it. Their contents stay.
void sheafc_share_again(sheafc* c);

// Make sure that the server can no longer write into the block. Its contents stay.
void sheafc_detach(sheafc* c, sheafc_block* b);

// The connection is gone: free all blocks.
void sheafc_free_blocks(sheafc* c);

#endif  // SHEAF_CLIENT_SHARED_H_
