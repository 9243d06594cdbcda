// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The end of a server in good order, from the signal to the last frame.
//
//   leaving    Clients are told (GoAway) and /readyz says no, so that new work goes elsewhere. The sockets still listen
//              and work that will be done in time is taken, for those who have not heard of it yet. At most `lame-duck`
//              seconds, or until nobody is connected.
//   draining   No socket listens and new work is refused. What runs is finished, within `drain-timeout` seconds;
//              compilations have one.
//   the rest   What still runs is cancelled and its last words are sent; then connections are cut.
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
  void (*on_end)(void* user);  // all is over
  void* user;
  uint64_t leave_until, drain_until, compile_until;  // uv_now
  bool cancelled;                                    // the drain took too long
} srv_drain;

// Before the loop runs; the other fields are set.
void srv_drain_init(srv_drain* d, uv_loop_t* loop);

// Begin. on_end is called once, from the loop.
void srv_drain_begin(srv_drain* d, int signal);

// After on_end: closes the timer.
void srv_drain_close(srv_drain* d);

#endif  // SHEAF_SERVER_ADMIN_DRAIN_H_
