// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Handshakes take turns. The answer to a client's first words costs the loop thread half a millisecond of public-key
// arithmetic, and a thousand clients may say them at once. So handshakes get the loop for 2 ms, then it is for others
// as long. What a client said meanwhile is kept, and nothing more is read from it. Next is whose host had fewest turns
// lately: one host that floods the port delays its own clients.
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

// First words of TLS are shorter. Whoever says more before an answer is refused.
enum { SRV_TLS_FIRST_BYTES = 16384, SRV_TLS_PLACES = 256 };

typedef struct {
  uv_timer_t timer;
  void (*go_on)(srv_conn* conn, const uint8_t* bytes, size_t n);
  srv_tls_wait *first, **end;       // in the order in which they came
  uint64_t spent;                   // nanoseconds of this turn
  uint64_t rest_until;              // uv_hrtime; the loop is for others until then
  uint64_t forgot;                  // uv_now when turns were last halved
  uint32_t recent[SRV_TLS_PLACES];  // turns that hosts had lately, by the hash of their name
} srv_tls_turns;

// `go_on` handles a client's first words when its turn comes.
void srv_tls_turns_init(srv_tls_turns* t, uv_loop_t* loop, void (*go_on)(srv_conn*, const uint8_t*, size_t));

// Nobody may wait any more.
void srv_tls_turns_close(srv_tls_turns* t);

// May a client's first words be handled now?
bool srv_tls_turn_free(const srv_tls_turns* t);

// Handling them took so long.
void srv_tls_turn_took(srv_tls_turns* t, const char* place, uint64_t ns);

// Keep them until the turn of the connection comes. NULL if that cannot be: they are too long, or there is no memory.
srv_tls_wait* srv_tls_turn_wait(srv_tls_turns* t, srv_conn* conn, const char* place, const uint8_t* bytes, size_t n);

// The connection closes and waits no longer. NULL is allowed.
void srv_tls_turn_leave(srv_tls_turns* t, srv_tls_wait* wait);

#endif  // SHEAF_SERVER_NET_TLS_TURN_H_
