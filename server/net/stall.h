// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which connections have stalled, and what all of them share.
//
// A client may be slow, but must not stall. Within a frame, and within a request of several frames, SRV_STALL_BYTES
// must come, or the frame or request must end, within limits->stall_read_ms. If replies wait, the client must take some
// of them within limits->stall_write_ms: only bytes that the client's system has acknowledged count, not those that the
// server's system keeps for it.
#ifndef SHEAF_SERVER_NET_STALL_H_
#define SHEAF_SERVER_NET_STALL_H_

#include "net/conn.h"

int srv_net_init(srv_net* net, uv_loop_t* loop, const srv_limits* limits, srv_ledger* ledger, srv_stats* stats,
                 const srv_handler* handler, const srv_joiner* joiner);

// Close all connections and the timers; their memory goes with the loop's next turns.
void srv_net_close(srv_net* net);

#endif  // SHEAF_SERVER_NET_STALL_H_
