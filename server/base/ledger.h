// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Who holds how many bytes. Only the loop thread takes and gives back, so these are plain numbers; tests
// assert that they return to zero.
#ifndef SHEAF_SERVER_BASE_LEDGER_H_
#define SHEAF_SERVER_BASE_LEDGER_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct srv_spent srv_spent;

typedef struct {
  uint64_t limit;    // of all bytes together
  uint64_t request;  // received data sections and control messages, and what was made of them
  uint64_t result;   // arrays that jobs fill or that wait to be sent
  uint64_t reply;    // messages that wait to be sent
  uint64_t region;   // memory that is shared with clients on this host
  uint64_t kept;     // what connections keep for their next requests; not in the way of any (net/pressure.h)
  bool refused;      // there was no room for somebody since the last sweep (net/pressure.h)
  srv_spent* spent;  // memory that was given back and is still to be unmapped (wire/section.h)
} srv_ledger;

static inline uint64_t srv_ledger_held(const srv_ledger* l) { return l->request + l->result + l->reply + l->region; }

// May n more bytes be held?
static inline bool srv_ledger_room(srv_ledger* l, uint64_t n) {
  uint64_t held = srv_ledger_held(l);
  bool room = held <= l->limit && n <= l->limit - held;
  l->refused |= !room;
  return room;
}

// May n more bytes be kept? A fifth stays free.
static inline bool srv_ledger_spare(const srv_ledger* l, uint64_t n) {
  return srv_ledger_held(l) + l->kept + n <= l->limit / 5 * 4;
}

#endif  // SHEAF_SERVER_BASE_LEDGER_H_
