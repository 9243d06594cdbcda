// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which request each worker computes now: for the watchdog, and for the report of a crash. The places are static
// memory, which a signal handler can read without asking anyone. A worker writes only its own place.
#ifndef SHEAF_SERVER_JOBS_BUSY_H_
#define SHEAF_SERVER_JOBS_BUSY_H_

#include <stdbool.h>
#include <stdint.h>

#include "auth/identity.h"

enum { SRV_BUSY_WORKERS = 1024 };  // as many as a pool can have

// Whose work it is.
typedef struct {
  const char* kind;  // a name that lives for ever
  uint64_t conn, id;
  uint64_t model;  // the first bytes of its hash, most significant first
  char identity[SRV_IDENTITY_NAME];
} srv_tag;

// A worker begins work, or (NULL) ends it.
void srv_busy_note(int worker, const srv_tag* tag);

// What a worker computes. False if it computes nothing, or if this changes at the moment. Signal handlers may call it.
bool srv_busy_read(int worker, srv_tag* tag);

// Does it compute nothing?
bool srv_busy_rests(int worker);

// A number that changes with each srv_busy_note of a worker.
unsigned srv_busy_turn(int worker);

#endif  // SHEAF_SERVER_JOBS_BUSY_H_
