// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Where clients connect: a TCP address or a Unix socket.
#ifndef SHEAF_SERVER_NET_LISTENER_H_
#define SHEAF_SERVER_NET_LISTENER_H_

#include "net/conn.h"

typedef struct {
  union {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
  } as;
  uv_timer_t retry;      // runs after a connection could not be accepted, and while the listener rests
  uint64_t spent, last;  // nanoseconds of accepting in this turn; uv_hrtime of the last connection
  srv_net* net;
  bool pipe;
  bool open;
  char address[256];  // tcp://HOST:PORT with the real port, or unix:///PATH
} srv_listener;

// Listen on "HOST:PORT" ("[HOST]:PORT" for IPv6, port 0 for any).
int srv_listener_tcp(srv_listener* l, srv_net* net, const char* host_port, srv_error* error);

// Listen on a Unix socket that only this user may connect to. A socket that nobody listens on is replaced.
int srv_listener_unix(srv_listener* l, srv_net* net, const char* path, srv_error* error);

// Listen on a socket of either kind that is bound already; the listener owns it from now on.
int srv_listener_adopt(srv_listener* l, srv_net* net, int fd, srv_error* error);

// Is it a Unix socket?
bool srv_listener_is_unix(int fd);

// Stop listening. Safe to repeat.
void srv_listener_close(srv_listener* l);

#endif  // SHEAF_SERVER_NET_LISTENER_H_
