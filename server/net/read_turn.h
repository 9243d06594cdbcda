// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Clients take turns to be read from. A small request costs the loop thread microseconds, but a client may send streams
// of them on a thousand connections, and libuv reads up to two megabytes of each before it looks at the next. So in one
// round of the loop the connections of an identity have a millisecond. Then each of them that has sent something rests:
// nothing is read from it until its next turn. So a client waits for as many milliseconds as there are others that send
// without a pause.
//
// Of one identity the connections that had no turn in a round go first in the next, and the one that sent least
// lately before all others: programs on one host may be one identity, and who asks little need not wait for all
// connections of who asks without a pause.
//
// Only the loop thread calls these functions.
#ifndef SHEAF_SERVER_NET_READ_TURN_H_
#define SHEAF_SERVER_NET_READ_TURN_H_

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "auth/identity.h"

// What a connection has of it.
typedef struct srv_read_turn srv_read_turn;
struct srv_read_turn {
  srv_identity* who;            // NULL before Hello
  bool rests;                   // nothing is read from it until its turn comes
  srv_read_turn *next, **link;  // while it rests
  uint64_t sent_lately;         // bytes
  uint64_t first_in;            // the last round in which it had the first turn
};

typedef struct {
  srv_read_turn *first, **end;
} srv_read_queue;

typedef struct {
  uint64_t round;          // of the loop
  srv_read_queue resting;  // connections that wait for a turn, in the order of turns
  srv_read_queue passed;   // those that would have sent something in this round and had no turn
  srv_read_queue served;   // those that had a turn in this round
  uv_idle_t idle;          // while it is active, the loop does not sleep
} srv_read_turns;

void srv_read_turns_init(srv_read_turns* t, uv_loop_t* loop);
void srv_read_turns_close(srv_read_turns* t);

// A round of the loop begins.
void srv_read_turns_begin(srv_read_turns* t);

// A connection whose turn has come, and which rests no more; NULL: no other has a turn in this round.
srv_read_turn* srv_read_turns_next(srv_read_turns* t);

// Has the identity of the connection had its time in this round? A connection before Hello has none.
bool srv_read_turn_over(const srv_read_turns* t, const srv_read_turn* turn);

// Time passes: what the connection sent earlier counts less. To be called for each connection some times a second.
void srv_read_turn_fade(srv_read_turn* turn);

// So many bytes came from the connection, and handling them took so long. True: the connection should rest.
bool srv_read_turn_took(srv_read_turns* t, srv_read_turn* turn, uint64_t bytes, uint64_t ns);

// The connection rests from now on. served: it had a turn in this round.
void srv_read_turn_rest(srv_read_turns* t, srv_read_turn* turn, bool served);

// The connection closes. If it rests, it does so no more.
void srv_read_turn_leave(srv_read_turns* t, srv_read_turn* turn);

#endif  // SHEAF_SERVER_NET_READ_TURN_H_
