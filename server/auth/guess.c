// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "auth/guess.h"

#include <stdio.h>
#include <string.h>

enum { FREE = 3, FIRST_MS = 100, MOST_MS = 2000, FORGET_MS = 60000 };

static int find(const srv_guesses* g, const char* place) {
  for (int i = 0; i < SRV_GUESS_PLACES; i++) {
    if (!strcmp(g->row[i].place, place)) return i;
  }
  return -1;
}

uint64_t srv_guess_wait(const srv_guesses* g, const char* place, uint64_t now_ms) {
  int i = find(g, place);
  return i >= 0 && g->row[i].until > now_ms ? g->row[i].until - now_ms : 0;
}

// the row of a place; if it has none, it gets the row of the place that has been quiet for longest
static int find_or_take(srv_guesses* g, const char* place, uint64_t now_ms) {
  int row = find(g, place);
  if (row >= 0 && now_ms - g->row[row].last < FORGET_MS) return row;
  if (row < 0) {
    row = 0;
    for (int i = 1; i < SRV_GUESS_PLACES; i++) {
      if (g->row[i].last < g->row[row].last) row = i;
    }
  }
  snprintf(g->row[row].place, sizeof g->row[row].place, "%s", place);
  g->row[row].wrong = 0;
  g->row[row].until = 0;
  return row;
}

uint32_t srv_guess_wrong(srv_guesses* g, const char* place, uint64_t now_ms) {
  int i = find_or_take(g, place, now_ms);
  uint32_t n = ++g->row[i].wrong;
  uint64_t delay = n <= FREE ? 0 : n > FREE + 10 ? MOST_MS : (uint64_t)FIRST_MS << (n - FREE - 1);
  g->row[i].last = now_ms;
  g->row[i].until = now_ms + (delay < MOST_MS ? delay : MOST_MS);
  return n;
}
