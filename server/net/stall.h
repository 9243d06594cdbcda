// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which connections have stalled, and what all of them share.
//
// Slow is allowed, stalled is not. A client that sends must come on by SRV_STALL_BYTES, or to an end, in
// limits->stall_read_ms, within a frame and within a request of several frames. A client that reads must take some of
// its replies in limits->stall_write_ms: what counts is what its system has acknowledged, not what ours was willing to
// keep.
#ifndef SHEAF_SERVER_NET_STALL_H_
#define SHEAF_SERVER_NET_STALL_H_

#include "net/conn.h"

int srv_net_init(srv_net* net, uv_loop_t* loop, const srv_limits* limits, srv_ledger* ledger, srv_stats* stats,
                 const srv_handler* handler, const srv_joiner* joiner);

// Close all connections and the timers; their memory goes with the loop's next turns.
void srv_net_close(srv_net* net);

#endif  // SHEAF_SERVER_NET_STALL_H_
