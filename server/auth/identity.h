// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Who a client is, what it may do and what it uses now. Work is shared out by identity and not by connection.
//
// An identity lives as long as anything refers to it: connections, requests, jobs. Only the loop
// thread touches identities.
#ifndef SHEAF_SERVER_AUTH_IDENTITY_H_
#define SHEAF_SERVER_AUTH_IDENTITY_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"

enum { SRV_IDENTITY_NAME = 64 };

// What an identity may do. A quota of 0 is none.
typedef struct {
  uint32_t weight;       // share of the workers, relative to the weights of others
  int priority;          // the highest priority that it may ask for, counted from 0 for low
  bool upload;           // it may put models
  uint32_t connections;  // quota: connections at a time
  uint32_t inflight;     // quota: unanswered requests
  uint64_t bytes;        // quota: bytes of all its unanswered requests
  uint32_t steps;        // quota: steps a second, over some seconds
} srv_permit;

// What it had of a round of the loop (net/read_turn.h).
typedef struct {
  uint64_t round;
  uint64_t ns;     // for what its connections sent
  unsigned turns;  // connections that rested and had a turn
} srv_read_share;

typedef struct srv_identity {
  struct srv_identity* next;  // of the list that it is in
  char name[SRV_IDENTITY_NAME];
  srv_permit may;
  unsigned refs;  // references by connections and requests

  // used now
  unsigned nconn, ncall;
  uint64_t bytes;
  double steps_left;      // steps that it may use now; below 0 it has to wait
  uint64_t steps_us;      // time for which steps_left holds
  uint64_t steps, calls;  // since the start
  uint64_t lists_us;      // time until which its looks at all models are paid for
  srv_read_share reading;

  void* share;                               // for the scheduler; on_free frees it
  void (*on_free)(struct srv_identity* id);  // may be NULL
} srv_identity;

typedef struct {
  srv_identity* first;
} srv_identities;

// What an identity may do by default.
srv_permit srv_permit_default(void);

// The identity of this name, which is made if there is none, with one more reference. NULL without memory.
srv_identity* srv_identity_get(srv_identities* all, const char* name);

// Add a reference; returns the identity.
srv_identity* srv_identity_keep(srv_identity* id);

// Drop a reference. NULL is allowed.
void srv_identity_drop(srv_identities* all, srv_identity* id);

// May it have one more connection when so many are about to end, one more request with so many bytes, or so many more
// bytes? 0, or an error that tells the client when to try again.
int srv_identity_check_connection(const srv_identity* id, unsigned ending, srv_error* error);
int srv_identity_check_call(const srv_identity* id, uint64_t bytes, srv_error* error);
int srv_identity_check_bytes(const srv_identity* id, uint64_t bytes, srv_error* error);

// May it begin work at this time (of uv_hrtime, in microseconds)? It may until its steps are used up; then the error
// says how long to wait.
int srv_identity_check_steps(srv_identity* id, uint64_t now_us, srv_error* error);

// May it look at all models, of which there are so many? Each costs a microsecond, and a tenth of a second may be owed:
// a list is asked for with 40 bytes, and the loop would be busy with nothing else.
int srv_identity_check_list(srv_identity* id, uint64_t models, uint64_t now_us, srv_error* error);

// Count steps that it used.
void srv_identity_use_steps(srv_identity* id, uint64_t steps);

#endif  // SHEAF_SERVER_AUTH_IDENTITY_H_
