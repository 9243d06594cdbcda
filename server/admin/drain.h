// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How a server ends, from the signal to the last frame.
//
//   leaving    Clients are told (GoAway) and /readyz answers 503, so that new work goes elsewhere. The sockets still
//              listen, and work that can be done in time is taken, for clients that do not know yet. This takes at most
//              `lame-duck` seconds, and ends when no client is connected.
//   draining   No socket listens and new work is refused. Work that runs is finished, within `drain-timeout` seconds;
//              compilations have one second.
//   the rest   Work that still runs is cancelled and its errors are sent; then connections are closed.
#ifndef SHEAF_SERVER_ADMIN_DRAIN_H_
#define SHEAF_SERVER_ADMIN_DRAIN_H_

#include "base/config.h"
#include "net/listener.h"
#include "request/service.h"

typedef struct {
  uv_timer_t timer;
  srv_service* service;
  srv_listener *tcp, *pipe;
  const srv_config* config;
  void (*on_end)(void* user);  // called when all is over
  void* user;
  uint64_t leave_until, drain_until, compile_until;  // uv_now
  bool cancelled;                                    // the drain took too long
} srv_drain;

// Call before the loop runs, with the other fields set.
void srv_drain_init(srv_drain* d, uv_loop_t* loop);

// Begin. on_end is called once, from the loop.
void srv_drain_begin(srv_drain* d, int signal);

// Close the timer; call after on_end.
void srv_drain_close(srv_drain* d);

#endif  // SHEAF_SERVER_ADMIN_DRAIN_H_
