// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Handshakes take turns. The answer to a client's first message (ClientHello) costs the loop thread half a millisecond
// of public-key arithmetic, and a thousand clients may send theirs at once. So after half a millisecond of handshakes
// the loop does other work for as long. The first messages that come meanwhile are kept, and nothing more is read from
// their connections. The next turn goes to the host that had fewest turns lately, so a host that floods the port delays
// only its own clients.
//
// Only the loop thread calls these functions.
#ifndef SHEAF_SERVER_NET_TLS_TURN_H_
#define SHEAF_SERVER_NET_TLS_TURN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

typedef struct srv_conn srv_conn;
typedef struct srv_tls_wait srv_tls_wait;

// Longest first message that is kept; those of TLS are shorter. A client that sends more before an answer is refused.
enum { SRV_TLS_FIRST_BYTES = 16384, SRV_TLS_PLACES = 256 };

typedef struct {
  uv_timer_t timer;
  void (*go_on)(srv_conn* conn, const uint8_t* bytes, size_t n);
  srv_tls_wait *first, **end;       // in the order in which they came
  uint64_t spent;                   // nanoseconds of handshakes since the last rest
  uint64_t rest_until;              // uv_hrtime; no handshakes until then
  uint64_t forgot;                  // uv_now when turns were last halved
  uint32_t recent[SRV_TLS_PLACES];  // turns that hosts had lately, by the hash of their name
} srv_tls_turns;

// `go_on` handles the first message of a connection when its turn comes.
void srv_tls_turns_init(srv_tls_turns* t, uv_loop_t* loop, void (*go_on)(srv_conn*, const uint8_t*, size_t));

// End; no connection may wait any more.
void srv_tls_turns_close(srv_tls_turns* t);

// May a first message be handled now? False while others wait, or while handshakes rest.
bool srv_tls_turn_free(const srv_tls_turns* t);

// Count the time that the handshake of a client took.
void srv_tls_turn_took(srv_tls_turns* t, const char* place, uint64_t ns);

// Keep a first message until the turn of its connection comes. NULL if it is too long or memory is lacking.
srv_tls_wait* srv_tls_turn_wait(srv_tls_turns* t, srv_conn* conn, const char* place, const uint8_t* bytes, size_t n);

// Drop the message, because its connection closes. NULL is allowed.
void srv_tls_turn_leave(srv_tls_turns* t, srv_tls_wait* wait);

#endif  // SHEAF_SERVER_NET_TLS_TURN_H_
