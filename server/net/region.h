// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Memory that the server shares with a client on this host, so that workers write results where the client reads them.
//
// The server makes the file and seals its size before the client gets a descriptor: nobody can shrink it under a
// worker's feet. The client may write into it; it then spoils its own numbers, which the server does not read. The
// bytes are in the ledger until the last job that writes there is over and the client has closed the region or is gone;
// all regions together hold at most a quarter of what the ledger may. A region belongs to one connection.
#ifndef SHEAF_SERVER_NET_REGION_H_
#define SHEAF_SERVER_NET_REGION_H_

#include "net/conn.h"

enum { SRV_REGION_BYTES = 64 << 20, SRV_REGIONS = 32 };  // of one region; regions of a connection

struct srv_region {
  srv_region* next;  // of its connection
  uint64_t id;
  uint64_t bytes;
  uint8_t* memory;
  int refs;
  srv_ledger* ledger;
  uv_pipe_t pass;  // the descriptor on its way to the client
};

// Make one for a connection on a Unix socket. NULL with the reason in error.
srv_region* srv_region_make(srv_conn* conn, uint64_t bytes, srv_error* error);

// Attach its descriptor to the reply that tells of it.
void srv_region_attach(srv_region* region, srv_out* out);

// The region of a connection, or NULL.
srv_region* srv_region_find(srv_conn* conn, uint64_t id);

// The connection has no use for it any more.
void srv_region_close(srv_conn* conn, uint64_t id);
void srv_region_close_all(srv_conn* conn);

// Give back one reference; region may be NULL.
void srv_region_unref(srv_region* region);

#endif  // SHEAF_SERVER_NET_REGION_H_
