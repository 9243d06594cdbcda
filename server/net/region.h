// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Memory that the server shares with a client on this host, so that workers write results where the client reads them.
//
// The server makes the file and seals its size before the client gets a descriptor, so that nobody can shrink it while
// a worker writes. The client may write into it, which spoils only its own results, as the server does not read there.
// The bytes are in the ledger until the last job that writes there is over and the client has closed the region or is
// gone; all regions together hold at most a quarter of what the ledger may. A region belongs to one connection.
#ifndef SHEAF_SERVER_NET_REGION_H_
#define SHEAF_SERVER_NET_REGION_H_

#include "net/conn.h"

enum { SRV_REGION_BYTES = 64 << 20, SRV_REGIONS = 32 };  // most bytes of a region; most regions of a connection

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

// Attach the descriptor of a region to the reply that announces it.
void srv_region_attach(srv_region* region, srv_out* out);

// The region of a connection, or NULL.
srv_region* srv_region_find(srv_conn* conn, uint64_t id);

// The client does not use the region any more.
void srv_region_close(srv_conn* conn, uint64_t id);
void srv_region_close_all(srv_conn* conn);

// Give back one reference; region may be NULL.
void srv_region_unref(srv_region* region);

#endif  // SHEAF_SERVER_NET_REGION_H_
