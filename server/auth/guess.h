// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Wrong tokens, counted by the place that they came from. After a few, the next token from that place is checked only
// after a delay, which grows, so that guessing takes long with any number of connections. A right token is delayed,
// too: else the time of the answer would tell it from a wrong one.
#ifndef SHEAF_SERVER_AUTH_GUESS_H_
#define SHEAF_SERVER_AUTH_GUESS_H_

#include <stdint.h>

enum { SRV_GUESS_PLACES = 512, SRV_GUESS_PLACE = 64 };

typedef struct {
  struct {
    char place[SRV_GUESS_PLACE];
    uint32_t wrong;
    uint64_t last, until;  // ms
  } row[SRV_GUESS_PLACES];
} srv_guesses;

// Milliseconds until a token from this place may be looked at.
uint64_t srv_guess_wait(const srv_guesses* g, const char* place, uint64_t now_ms);

// A token from this place was wrong; returns how many have been.
uint32_t srv_guess_wrong(srv_guesses* g, const char* place, uint64_t now_ms);

#endif  // SHEAF_SERVER_AUTH_GUESS_H_
