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
  uint32_t weight;       // of its share, beside those of others
  int priority;          // the most urgent it may ask for, counted from 0 for low
  bool upload;           // may put models
  uint32_t connections;  // at a time
  uint32_t inflight;     // unanswered requests
  uint64_t bytes;        // of its unanswered requests, together
  uint32_t steps;        // a second, over some seconds
} srv_permit;

typedef struct srv_identity {
  struct srv_identity* next;  // of the list that it is in
  char name[SRV_IDENTITY_NAME];
  srv_permit may;
  unsigned refs;  // of connections and requests

  // used now
  unsigned nconn, ncall;
  uint64_t bytes;
  double steps_left;      // below 0: it has to wait
  uint64_t steps_us;      // when steps_left was true
  uint64_t steps, calls;  // since the start

  void* share;                               // the scheduler's; on_free frees it
  void (*on_free)(struct srv_identity* id);  // may be NULL
} srv_identity;

typedef struct {
  srv_identity* first;
} srv_identities;

// What an identity may do if nothing else is said.
srv_permit srv_permit_default(void);

// The identity of this name, made if there is none; counted as referred to. NULL without memory.
srv_identity* srv_identity_get(srv_identities* all, const char* name);

// Refer to it once more; returns it.
srv_identity* srv_identity_keep(srv_identity* id);

// Refer to it no more. NULL is allowed.
void srv_identity_drop(srv_identities* all, srv_identity* id);

// May it have one more connection, or one more request with so many bytes? 0, or a retriable error.
int srv_identity_check_connection(const srv_identity* id, srv_error* error);
int srv_identity_check_call(const srv_identity* id, uint64_t bytes, srv_error* error);
int srv_identity_check_bytes(const srv_identity* id, uint64_t bytes, srv_error* error);

// May it begin work at this time (of uv_hrtime, in microseconds)? It may until its steps are used up; then the error
// says how long to wait.
int srv_identity_check_steps(srv_identity* id, uint64_t now_us, srv_error* error);

// It used steps.
void srv_identity_use_steps(srv_identity* id, uint64_t steps);

#endif  // SHEAF_SERVER_AUTH_IDENTITY_H_
