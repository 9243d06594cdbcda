// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which model is compiled next.
//
// Identities take turns, and within an identity its connections do. So an identity that sends many models delays each
// turn of another by one of its compilations and not by all of them, and no identity has all the places at once. A
// model that finds no room in the queue is refused with an estimate of when to try again, from the times of
// compilations.
#ifndef SHEAF_SERVER_MODELS_COMPILE_QUEUE_H_
#define SHEAF_SERVER_MODELS_COMPILE_QUEUE_H_

#include <stdbool.h>
#include <stdint.h>

enum {
  SRV_COMPILE_PLACES = 4,        // compilations at a time
  SRV_COMPILE_OWNER_PLACES = 3,  // of one identity
  SRV_COMPILE_LANE_PLACES = 2,   // of one connection
  SRV_COMPILE_WAITING = 64,      // that wait for a place
  SRV_COMPILE_OWNER_WAITING = 16,
};

// Who asks: equal numbers mean the same identity or connection.
typedef struct {
  uint64_t owner;  // identity
  uint64_t lane;   // connection
} srv_asker;

typedef struct srv_turn srv_turn;
typedef struct srv_lane srv_lane;

// One compilation that waits or runs; part of a model.
struct srv_turn {
  srv_turn* next;
  srv_asker asker;
  enum { SRV_TURN_NONE, SRV_TURN_WAITS, SRV_TURN_RUNS } state;
  uint64_t began;  // ns
};

typedef struct {
  srv_lane* lanes;  // connections with turns that wait or run
  unsigned nlane, nwaiting, nrunning;
  srv_turn* places[SRV_COMPILE_PLACES];
  uint64_t mean_ns;  // of recent compilations
  uint64_t served;   // turns started
} srv_compile_queue;

void srv_compile_queue_init(srv_compile_queue* q);

// Add a turn at the end of its asker's line. False if there are too many, or no memory.
bool srv_compile_queue_push(srv_compile_queue* q, srv_turn* turn, srv_asker asker);

// Start the next turn; NULL if none waits that may run.
srv_turn* srv_compile_queue_start(srv_compile_queue* q, uint64_t now_ns);

// Take a turn away: it waited, or ran to its end.
void srv_compile_queue_leave(srv_compile_queue* q, srv_turn* turn, uint64_t now_ns);

// Microseconds after which a client that was refused should ask again.
uint64_t srv_compile_queue_hint(const srv_compile_queue* q, uint64_t now_ns);

#endif  // SHEAF_SERVER_MODELS_COMPILE_QUEUE_H_
