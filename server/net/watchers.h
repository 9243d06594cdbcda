// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// libuv's table of watched descriptors grows with the largest of them, and libuv ends the process if there is no memory
// for that. So the table gets its size when the server starts, and no client can end the server when memory runs out.
#ifndef SHEAF_NET_WATCHERS_H_
#define SHEAF_NET_WATCHERS_H_

#include <uv.h>

// Give the table room for as many descriptors as the process may open, at most SRV_MOST_WATCHERS (half a MiB). `room`
// is a handle of the caller's that lives as long as the loop. Without a descriptor to do it with, nothing changes.
enum { SRV_MOST_WATCHERS = 65536 };
void srv_watchers_reserve(uv_loop_t* loop, uv_poll_t* room);

#endif  // SHEAF_NET_WATCHERS_H_
